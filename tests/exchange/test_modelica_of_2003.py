"""Files in the words of the library of 2003: driven joints, cut joints of planar loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motorik.components.joints.constraints import RevolutePlanarLoopConstraint
from motorik.components.joints.simple import Revolute
from motorik.exchange.modelica import MissingFeatureError, read

JOINTS = "Modelica.Mechanics.MultiBody.Joints"
PARTS = "Modelica.Mechanics.MultiBody.Parts"


def component(name: str, kind: str, **modifiers: Any) -> dict[str, Any]:
    """Return a component of a file."""
    return {"name": name, "type": kind, "modifiers": modifiers}


def fourbar(last: dict[str, Any]) -> Any:
    """Return a planar four-bar linkage, closed by a joint with these modifiers."""
    rods = {"b1": "{0.3, 0, 0}", "b2": "{1, 0, 0}", "b3": "{0.8, 0, 0}"}
    components = [
        component("world", "Modelica.Mechanics.MultiBody.World"),
        component("base", f"{PARTS}.FixedTranslation", r="{1, 0, 0}"),
        component(
            "j1",
            f"{JOINTS}.ActuatedRevolute",
            phi={"start": "0.5", "fixed": "true"},
            w={"start": "2", "fixed": "true"},
        ),
        component("j2", f"{JOINTS}.Revolute", phi={"start": "0.4"}),
        component("j3", f"{JOINTS}.Revolute", **last),
        component("j4", f"{JOINTS}.Revolute", phi={"start": "1.6"}, planarCutJoint="false"),
        *(
            component(n, f"{PARTS}.BodyCylinder", r=r, diameter="0.05")
            for n, r in rods.items()
        ),
        component("spring", "Modelica.Mechanics.Rotational.Components.Spring", c="5"),
    ]
    connections = [
        ("world.frame_b", "j1.frame_a"), ("j1.frame_b", "b1.frame_a"),
        ("b1.frame_b", "j2.frame_a"), ("j2.frame_b", "b2.frame_a"),
        ("b2.frame_b", "j3.frame_a"), ("world.frame_b", "base.frame_a"),
        ("base.frame_b", "j4.frame_a"), ("j4.frame_b", "b3.frame_a"),
        ("b3.frame_b", "j3.frame_b"), ("spring.flange_a", "j1.bearing"),
        ("spring.flange_b", "j1.axis"),
    ]  # fmt: skip
    data = {"Own.M": {"components": components, "connections": connections, "extends": []}}
    return read("Own.M", data).model


@pytest.mark.slow
def test_the_cut_joint_of_a_planar_loop_closes_it_as_a_joint_does():
    cut, whole = (fourbar({"planarCutJoint": value}) for value in ("true", "false"))
    assert isinstance(cut.j3, RevolutePlanarLoopConstraint) and isinstance(
        whole.j3, Revolute
    )
    runs = [model.simulate(1.0, rtol=1e-9) for model in (cut, whole)]
    np.testing.assert_allclose(runs[0]["j1.phi"], runs[1]["j1.phi"], atol=1e-7)


def test_a_driven_joint_has_its_flanges():
    joint = fourbar({}).j1
    assert joint.useAxisFlange
    assert joint.support.kind is joint.axis.kind


def test_a_cut_joint_takes_guesses_and_no_start_values():
    fourbar(
        {
            "planarCutJoint": "true",
            "phi": {"start": "1"},
            "stateSelect": "StateSelect.never",
        }
    )
    with pytest.raises(MissingFeatureError, match="phi"):
        fourbar({"planarCutJoint": "true", "phi": {"start": "1", "fixed": "true"}})
