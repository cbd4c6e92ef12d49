"""Names that a public module does not have, and where names of Modelica are."""

from __future__ import annotations

import importlib
import re
from typing import Any

import pytest

import motorik as mk
from motorik import blocks, joints, mobile, names, planar, units
from motorik.errors import UnknownNameError
from tests.refusals import refused

PUBLIC = [mk, *(importlib.import_module(f"motorik.{name}") for name in names.MODULES)]


@pytest.mark.parametrize("module", PUBLIC, ids=lambda module: module.__name__)
def test_every_public_module_suggests_names(module):
    if module.__name__ == "motorik.errors":  # it is below the others
        return
    first = max(module.__all__, key=len)
    with refused(UnknownNameError, f"has no '{first[:-1]}q'", "Did you mean", first):
        getattr(module, f"{first[:-1]}q")
    assert not hasattr(module, "_repr_html_") and getattr(module, "none_such", 1) == 1


@pytest.mark.parametrize(
    ("module", "name", "words"),
    [
        (mk, "Revolut", "Did you mean 'Revolute'?"),
        (mk, "PID", "motorik.blocks.PID"),
        (mk, "Damper", "motorik.rotational.Damper"),
        (blocks, "RealExpression", "blocks.Expression"),
        (joints, "ActuatedRevolute", "joints.Revolute(useAxisFlange=True)"),
        (joints, "Hinge", "Revolute"),
        (planar, "World", "motorik.parts.World"),
        (mobile, "Revolute", "motorik.joints.Revolute"),
        (units, "radians", "deg(90)"),
    ],
)
def test_the_remedy_says_what_to_write(module, name, words):
    with refused(UnknownNameError, f"has no '{name}'", words):
        getattr(module, name)


def test_every_name_that_a_remedy_gives_is_there():
    for remedy in names.ELSEWHERE.values():
        for module, name in re.findall(r"\b([a-z]+)\.([A-Z]\w+)", remedy):
            assert name in importlib.import_module(f"motorik.{module}").__all__, remedy


def test_public_modules_are_imported_when_they_are_used():
    gallery: Any = getattr(mk, "gallery")  # noqa: B009 - type checkers know no such name
    assert gallery.Pendulum is importlib.import_module("motorik.gallery").Pendulum
