"""Names of types: which part or model a relative name means where it is written."""

from __future__ import annotations

import pytest

from motorik.exchange.modelica import catalogue
from motorik.exchange.modelica.registry import (
    PARTS,
    PORTS,
    completed_name,
    find_full_name,
)

M = "Modelica.Mechanics.MultiBody"
R = "Modelica.Mechanics.Rotational"
T = "Modelica.Mechanics.Translational"
MODELS = {
    f"{M}.Examples.Loops.Utilities.Cylinder",
    f"{M}.Examples.Elementary.Outer.Inner",
    f"{R}.Examples.Utilities.Spring",
    "ModelicaTest.MultiBody.Joints.Universal",
    "ModelicaTest.MultiBody.Joints.Hinge",
}
MEANT = [
    (f"{M}.Joints.Revolute", "Anywhere.At.All", f"{M}.Joints.Revolute"),
    ("Joints.Revolute", f"{M}.Examples.Elementary.X", f"{M}.Joints.Revolute"),
    (
        "MultiBody.Joints.Revolute",
        "ModelicaTest.MultiBody.Joints.X",
        f"{M}.Joints.Revolute",
    ),
    ("Joints.Revolute", "MyTests.X", f"{M}.Joints.Revolute"),
    ("World", f"{M}.Examples.Elementary.X", f"{M}.World"),
    ("World", "MyTests.X", f"{M}.World"),
    ("Components.Damper", f"{R}.Examples.X", f"{R}.Components.Damper"),
    ("Components.Damper", f"{T}.Examples.X", f"{T}.Components.Damper"),
    ("Components.Damper", "MyTests.X", None),
    ("Damper", "MyTests.X", None),
    ("Rotational.Components.Damper", f"{M}.Examples.X", f"{R}.Components.Damper"),
    ("MultiBody.Forces.Magnet", "ModelicaTest.MultiBody.Forces.X", None),
    ("Forces.Magnet", f"{M}.Examples.X", None),
    ("Parts.Fixed", f"{M}.Examples.X", f"{M}.Parts.Fixed"),
    ("Components.Fixed", f"{T}.Examples.X", f"{T}.Components.Fixed"),
    ("Sources.ConstantTorque", f"{T}.Examples.X", None),
    (
        "Utilities.Cylinder",
        f"{M}.Examples.Loops.EngineV6",
        f"{M}.Examples.Loops.Utilities.Cylinder",
    ),
    (
        "Cylinder",
        f"{M}.Examples.Loops.Utilities.Engine",
        f"{M}.Examples.Loops.Utilities.Cylinder",
    ),
    ("Inner", f"{M}.Examples.Elementary.Outer", f"{M}.Examples.Elementary.Outer.Inner"),
    ("Utilities.Spring", f"{R}.Examples.X", f"{R}.Examples.Utilities.Spring"),
    ("Interfaces.Frame_a", f"{M}.Examples.Loops.Utilities.X", f"{M}.Interfaces.Frame_a"),
    (
        "MultiBody.Joints.Universal",
        "ModelicaTest.MultiBody.Joints.Universal",
        f"{M}.Joints.Universal",
    ),
    (
        "MultiBody.Joints.Universal",
        "ModelicaTest.MultiBody.Joints.X",
        f"{M}.Joints.Universal",
    ),
    ("MultiBody.Joints.Hinge", "ModelicaTest.MultiBody.Joints.X", None),
]


@pytest.mark.parametrize(("name", "within", "full"), MEANT)
def test_a_name_means_what_it_means_where_it_is_written(name, within, full):
    assert find_full_name(name, within, {*PARTS, *PORTS, *MODELS}) == full


def test_the_name_of_an_unknown_part_is_completed_as_far_as_can_be_told():
    assert (
        completed_name("MultiBody.Forces.Magnet", "ModelicaTest.X") == f"{M}.Forces.Magnet"
    )
    assert completed_name("Components.Brake", f"{T}.Examples.X") == f"{T}.Components.Brake"
    assert completed_name("Something", "MyTests.X") == "Something"


def test_another_librarys_part_of_the_same_name_is_never_taken(monkeypatch):
    monkeypatch.setitem(PARTS, f"{R}.Components.Worm", PARTS[f"{R}.Components.Damper"])
    known = {*PARTS, *PORTS}
    assert find_full_name("Components.Worm", f"{R}.Examples.X", known) is not None
    assert find_full_name("Components.Worm", f"{T}.Examples.X", known) is None


def test_every_ignored_or_absent_modifier_is_none_of_the_parts_own():
    assert catalogue.World is PARTS[f"{M}.World"].part
    for entry in PARTS.values():
        parameters = set(entry.part.parameter_names())
        assert not entry.absent & parameters, entry.name
        assert set(entry.preset) <= parameters, entry.name
