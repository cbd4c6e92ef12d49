"""Parameters with fixed = false: found by the start, read by name, and not computed with."""

from __future__ import annotations

import copy

import pytest

from motorik.errors import UnknownNameError
from motorik.exchange.modelica import MissingFeatureError, ModelicaError, read

LIBRARY = "Modelica.Mechanics.MultiBody"
FIXED = {"fixed": "true"}
G = 9.80665


def component(name, type_name, **modifiers):
    return {"name": name, "type": f"{LIBRARY}.{type_name}", "modifiers": modifiers}


HUNG = {
    "components": [
        component("world", "World"),
        component(
            "slide",
            "Joints.Prismatic",
            n="{0,-1,0}",
            s={"start": "0.3", "fixed": "true"},
            v=FIXED,
            a=FIXED,
        ),
        component("body", "Parts.Body", m="2"),
        component("spring", "Forces.Spring", c={"fixed": "false", "start": "20"}),
    ],
    "connections": [
        ["world.frame_b", "slide.frame_a"],
        ["slide.frame_b", "body.frame_a"],
        ["world.frame_b", "spring.frame_a"],
        ["spring.frame_b", "body.frame_a"],
    ],
}


def hung(c, second=None):
    """Return the reading of a body on one or two springs of the stiffness c."""
    model = copy.deepcopy(HUNG)
    stiffness = {"name": "k", "type": "SI.TranslationalSpringConstant", "parameter": True}
    stiffness["modifiers"] = {"fixed": "false", "start": "20"}
    model["components"].append(stiffness)
    model["components"][3]["modifiers"]["c"] = c
    if second is not None:
        model["components"].append(component("second", "Forces.Spring", c=second))
        model["connections"] += [
            ["world.frame_b", "second.frame_a"],
            ["second.frame_b", "body.frame_a"],
        ]
    return read("Hung", {"My.Hung": model})


@pytest.mark.parametrize("fixed", ["false", "{false}"])
def test_the_value_that_the_start_finds_is_read(fixed):
    reading = hung({"fixed": fixed, "start": "20"})
    assert reading.parameter("spring.c") == pytest.approx(2 * G / 0.3, rel=1e-12)
    result = reading.model.simulate(1.0, output=4, rtol=1e-10)
    assert result["slide.s"] == pytest.approx(0.3, abs=1e-9)
    with pytest.raises(UnknownNameError, match="that is computed at the start of a run"):
        reading.signal(result, "spring.c")


def test_a_parameter_of_the_model_may_be_left_to_the_start():
    reading = hung("k")
    assert reading.parameter("k") == pytest.approx(2 * G / 0.3, rel=1e-12)
    assert reading.parameter("spring.c") == reading.parameter("k")


@pytest.mark.parametrize(("first", "second"), [("k", "k"), ("k", "spring.c")])
def test_two_parts_may_share_it(first, second):
    reading = hung(first, second)
    assert reading.parameter("second.c") == pytest.approx(G / 0.3, rel=1e-12)


def test_it_cannot_be_computed_with():
    with pytest.raises(MissingFeatureError, match="fixed = false in '2"):
        hung("2*k")


def test_only_some_components_cannot_be_left_free():
    with pytest.raises(MissingFeatureError, match="only components are fixed"):
        hung({"fixed": "{true,false,true}", "start": "20"})
    with pytest.raises(ModelicaError, match="neither true nor false"):
        hung({"fixed": "3", "start": "20"})
