"""Manipulators: a pose is moved by hand, loops stay closed."""

from motorik.analysis.manipulator.felt import Felt
from motorik.analysis.manipulator.manipulator import Manipulator

__all__ = ["Felt", "Manipulator"]
