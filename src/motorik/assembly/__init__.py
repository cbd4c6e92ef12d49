"""From connected parts to a tree of links, its equations and its variables."""

from motorik.assembly.assemble import assemble
from motorik.assembly.catalogue import Catalogue
from motorik.assembly.explain import explain
from motorik.assembly.inventory import DefaultWorldWarning
from motorik.assembly.mechanism import Link, Mechanism, State
from motorik.assembly.view import MotionView

__all__ = [
    "Catalogue",
    "DefaultWorldWarning",
    "Link",
    "Mechanism",
    "MotionView",
    "State",
    "assemble",
    "explain",
]
