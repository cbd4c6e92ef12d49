"""What follows the motion in a file: expressions, equations by hand, unknown parameters."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik.algebra.scalar import where
from motorik.components.base.values import LiveScalar
from motorik.exchange.modelica import (
    ExpressionError,
    ModelicaError,
    read,
)
from motorik.exchange.modelica.evaluate import evaluate
from motorik.exchange.modelica.registry import EQUATIONS, register_equations

HOME = "Modelica.Mechanics.MultiBody.Examples"
EXPRESSION = "Modelica.Blocks.Sources.RealExpression"


def component(name, type_name, value=None, **modifiers):
    raw = {"name": name, "type": type_name, "modifiers": modifiers}
    return raw if value is None else raw | {"value": value}


def model(*components, connections=()):
    return {
        "components": [component("world", "World"), *components],
        "connections": [list(pair) for pair in connections],
        "extends": [],
        "other_equations": 0,
    }


ARM = (
    component(
        "rev",
        "Joints.Revolute",
        useAxisFlange="true",
        phi={"start": "0.3", "fixed": "true"},
        w={"start": "1", "fixed": "true"},
    ),
    component("body", "Parts.BodyShape", r="{1,0,0}", r_CM="{0.5,0,0}", m="2"),
)
JOINED = (("world.frame_b", "rev.frame_a"), ("rev.frame_b", "body.frame_a"))
DRIVEN = (("law.y", "torque.tau"), ("torque.flange", "rev.axis"))
TORQUE = component("torque", "Modelica.Mechanics.Rotational.Sources.Torque")


def arm(*components, connections=()):
    parts = model(*ARM, *components, connections=(*JOINED, *connections))
    return read("M", {f"{HOME}.M": parts})


class Twin(mk.Model):
    """The same arm with a torque that Python gives."""

    def build(self, law) -> None:
        self.world, self.rev = mk.World(), mk.Revolute(phi=0.3, w=1.0, useAxisFlange=True)
        self.body = mk.BodyShape(r=(1, 0, 0), r_CM=(0.5, 0, 0), m=2.0)
        self.torque = mk.rotational.Torque()
        self.law = mk.blocks.Expression(f=lambda motion: law(self, motion))
        self.world.frame_b >> self.rev.frame_a
        self.rev.frame_b >> self.body.frame_a
        self.law.y >> self.torque.tau
        self.torque.flange >> self.rev.axis


def expression(text):
    return component("law", EXPRESSION, y=text)


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("-k * rev.phi", lambda m, v: -3.0 * v.variable(m.rev, "phi")),
        ("sum(body.frame_b.r_0)", lambda m, v: sum(v.pose(m.body.frame_b).p.xyz)),
        ("body.frame_b.r_0[2] * k", lambda m, v: 3.0 * v.pose(m.body.frame_b).p.y),
        ("body.m * time^2", lambda m, v: 2.0 * v.t * v.t),
        ("lift", lambda m, v: 1.5 * v.t),
        ("max(rev.w, 0) - abs(rev.w)", lambda m, v: _if(v.variable(m.rev, "w") < 0, m, v)),
    ],
)
def test_an_expression_drives_as_its_text_says(text, law):
    parts = (
        component("k", "Real", "3"),
        component("lift", "Real", "k * time / 2"),
        expression(text),
        TORQUE,
    )
    told = arm(*parts, connections=DRIVEN).model
    a, b = (m.simulate(1.0, output=10, rtol=1e-10) for m in (told, Twin(law=law)))
    np.testing.assert_allclose(a["rev.phi"], b["rev.phi"], atol=1e-11)


def _if(condition, m, v):
    return where(condition, v.variable(m.rev, "w"), 0.0)


@pytest.mark.parametrize(
    ("text", "function"),
    [
        ("if time < 0.5 then 2 else -time", lambda t: np.where(t < 0.5, 2.0, -t)),
        ("if time > 0.2 and time < 0.6 then 1 else 0", lambda t: (t > 0.2) * (t < 0.6) * 1.0),
        ("if time < 0.2 or time > 0.6 then 1 else 0", lambda t: 1.0 * ((t < 0.2) | (t > 0.6))),
        ("if not time < 0.5 then 1 else 0", lambda t: 1.0 * (t >= 0.5)),
        ("sin(time) + atan2(time, 2) + sqrt(time + 1)",
         lambda t: np.sin(t) + np.arctan2(t, 2) + np.sqrt(t + 1)),
        ("sign(time - 0.5) * exp(-time)", lambda t: np.sign(t - 0.5) * np.exp(-t)),
        ("min({time, 0.3, 1 - time})", lambda t: np.minimum(np.minimum(t, 0.3), 1 - t)),
        ("Modelica.Math.Vectors.length({time, 1})", lambda t: np.hypot(t, 1.0)),
        ("{time, 1} * {2, 3}", lambda t: 2 * t + 3),
        ("5", lambda t: 5.0 + 0 * t),
    ],
)  # fmt: skip
def test_functions_and_choices_follow_the_time(text, function):
    reading = arm(expression(text), component("same", "Real", text))
    times = np.linspace(0.0, 1.0, 12)[1:]  # none of them at a jump
    result = reading.model.simulate(1.0, output=times)
    np.testing.assert_allclose(result["law.y"], function(result.time), atol=1e-14)
    # the same text evaluated over the whole run at once
    np.testing.assert_allclose(
        reading.signal(result, "same"), function(result.time), atol=1e-14
    )


def test_a_choice_of_numbers_evaluates_only_what_is_chosen():
    assert evaluate("if 1 < 2 then 3 else 1/0") == 3
    assert evaluate("true or 1/0 > 1") is True
    assert evaluate("false and 1/0 > 1") is False


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("rev.psi", ExpressionError, ("law.y", "'rev.psi' is not known")),
        ("{1, 2}", ModelicaError, ("law.y", "not one number")),
        ("integer(time)", ExpressionError, ("law.y", "cannot follow the motion")),
        ("if rev.phi then 1 else 2 +", ExpressionError, ("law.y", "a value expected")),
    ],
)
def test_an_expression_that_cannot_be_is_refused(text, error, words):
    with pytest.raises(error) as caught:
        arm(expression(text), TORQUE, connections=DRIVEN).model.simulate(1.0)
    for word in words:
        assert word in str(caught.value)


def test_an_equation_written_by_hand_gives_a_quantity_its_value():
    name = "ModelicaTest.MultiBody.Some.Model"
    parts = model(
        *ARM,
        component("top", "Real", "4"),
        component("k", "Real"),
        expression("k"),
        TORQUE,
        connections=(*JOINED, *DRIVEN),
    )
    with pytest.raises(ExpressionError, match="k has no value"):
        read(name, {name: parts}).model.simulate(1.0)
    register_equations(name, k="if time < 0.55 then top else 0")
    try:
        reading = read(name, {name: parts})
        result = reading.model.simulate(1.0, output=10)
        wanted = np.where(result.time < 0.55, 4.0, 0.0)
        np.testing.assert_array_equal(result["torque.tau"], wanted)
        np.testing.assert_array_equal(reading.signal(result, "k"), wanted)
    finally:
        del EQUATIONS[name]


# --- unknown parameters and accelerations -----------------------------------------------------


def test_a_parameter_that_is_not_fixed_follows_from_the_start():
    hung = model(
        component(
            "slide",
            "Joints.Prismatic",
            n="{0,-1,0}",
            s={"start": "0.3", "fixed": "true"},
            v={"fixed": "true"},
            a={"fixed": "true"},
        ),
        component("body", "Parts.Body", m="2"),
        component("spring", "Forces.Spring", c={"fixed": "false", "start": "20"}),
        connections=(
            ("world.frame_b", "slide.frame_a"),
            ("slide.frame_b", "body.frame_a"),
            ("world.frame_b", "spring.frame_a"),
            ("spring.frame_b", "body.frame_a"),
        ),
    )
    found = read("M", {f"{HOME}.M": hung}).model
    assert isinstance(found.spring.c, LiveScalar) and found.spring.c.value == 20.0
    result = found.simulate(1.0, output=4, rtol=1e-10)
    np.testing.assert_allclose(result["slide.s"], 0.3, atol=1e-11)
    assert result["spring.f"][0] == pytest.approx(2.0 * 9.80665, rel=1e-12)


def test_names_within_modelicas_parts_are_found():
    parts = model(
        component("free", "Joints.FreeMotionScalarInit", use_angle="true", use_angle_d="true",
                  angle_d_2={"start": "0.5", "fixed": "true"}),
        component("body", "Parts.Body"),
        connections=(("world.frame_b", "free.frame_a"), ("free.frame_b", "body.frame_a")),
    )  # fmt: skip
    reading = read("M", {f"{HOME}.M": parts})
    result = reading.model.simulate(0.1, output=2)
    found = reading.signal(result, "free.derdd[2].u")
    np.testing.assert_array_equal(found, result["free.angle_d_2"])
    assert found[0] == pytest.approx(0.5, abs=1e-12)


# --- orientation of frames that only forces hold ----------------------------------------------


def springs(middle):
    return model(
        component("one", "Forces.Spring", c="10", fixedRotationAtFrame_b="true"),
        component("two", "Forces.Spring", c="10"),
        component("tail", "Parts.PointMass", m="1", r_0={"start": "{2,0,0}"}),
        *middle,
        connections=(
            ("world.frame_b", "one.frame_a"),
            ("one.frame_b", "two.frame_a"),
            ("two.frame_b", "tail.frame_a"),
            *((("mass.frame_a", "one.frame_b"),) if middle else ()),
        ),
    )


@pytest.mark.slow
def test_a_frame_that_carries_forces_alone_is_parallel_to_the_world():
    mass = component("mass", "Parts.PointMass", m="1", r_0={"start": "{1,0,0}"})
    carried = read("M", {f"{HOME}.M": springs([mass])}).model
    result = carried.simulate(0.1, output=2)
    np.testing.assert_array_equal(result["mass.frame_a.R.T"], np.eye(3)[None].repeat(3, 0))
    without = read("M", {f"{HOME}.M": springs([])}).model
    result = without.simulate(0.1, output=2)
    np.testing.assert_array_equal(result["one.frame_b.R.T"], np.eye(3)[None].repeat(3, 0))
    np.testing.assert_allclose(result["one.f"], result["two.f"], rtol=1e-12)
