"""What a user writes about events: conditions as comparisons, names by assignment, restarts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motorik import Body, Model, Revolute, World, blocks
from motorik import functions as fn
from motorik import translational as tra
from motorik.algebra.conditions import margin
from motorik.errors import InitialValueError, UnknownNameError
from tests.refusals import refused


class Falling(Model):
    """A mass falls from 1 m, bounces three times with 0.8 of its speed, then is stopped."""

    def build(self) -> None:
        """Let its hits be counted, with names by assignment."""
        self.mass = tra.Mass(m=1.0, s=1.0, v=0.0)
        self.weight = tra.ConstantForce(f_constant=-10.0)
        self.count = blocks.Discrete()
        self.weight.flange >> self.mass.flange_a
        self.hit = self.when(
            lambda motion: motion["mass.s"] < 0.0,
            reset={"mass.v": lambda motion: -0.8 * motion["mass.v"]},
            set={self.count: lambda motion: motion["count.y"] + 1.0},
        )
        self.end = self.when(
            lambda motion: motion["count.y"] > 2.5,
            impulse={self.mass.flange_b: 1.0},
            stop=True,
            name="end",
        )


def hits(count: int) -> list[float]:
    """Return the times of the first hits."""
    first = math.sqrt(0.2)
    return [first * (1.0 + 2.0 * sum(0.8**k for k in range(1, n))) for n in range(1, 4)][
        :count
    ]


def test_a_comparison_is_a_condition_and_an_assignment_names_what_happens():
    model = Falling()
    result = model.simulate(5.0, rtol=1e-10)
    assert [event.part for event in result.events] == ["hit", "hit", "hit", "end"]
    np.testing.assert_allclose(result.events.times[:3], hits(3), rtol=1e-10)
    assert model.hit.path == "hit" and "when1" not in model.parts
    text = model.explain()
    assert "hit: where its condition becomes positive, sets count.y, resets mass.v" in text
    assert "pushes mass.flange_b, ends the run" in text
    assert "stick, slip or hit" not in text


@pytest.mark.parametrize(
    "condition",
    [
        lambda s, t: s > 0.5,
        lambda s, t: s >= 0.5,
        lambda s, t: 0.5 < s,
        lambda s, t: fn.logical_and(s > 0.5, t > 0.1),
        lambda s, t: fn.logical_or(s > 0.5, t > 0.9),
        lambda s, t: fn.logical_not(s <= 0.5),
        lambda s, t: fn.where(s > 0.5, 1.0, 0.0),
    ],
)
def test_a_truth_value_fires_where_it_becomes_true(condition):
    model = Model()
    model.mass = tra.Mass(m=1.0, s=0.0, v=1.0)
    model.when(lambda motion: condition(motion["mass.s"], motion.t), stop=True)
    assert model.simulate(1.0).time[-1] == pytest.approx(0.5, abs=1e-12)


def test_a_margin_has_the_sign_of_its_condition():
    for value in (True, False, np.bool_(True), np.array([True, False]), 0.3, -0.2):
        sign = np.where(np.asarray(value) > 0.0, 1.0, -1.0)
        assert (np.sign(margin(value)) == sign).all()


def test_a_run_goes_on_from_any_sample_of_another():
    """Signals that only events change are given with the states."""
    model = Falling()
    whole = model.simulate(1.7, rtol=1e-10)
    k = int(np.searchsorted(whole.time, 1.3))
    begin = whole.sample(k)
    assert begin["count.y"] == 2.0
    rest = model.simulate(1.7, start_time=whole.time[k], initial=begin, rtol=1e-10)
    np.testing.assert_allclose(rest.states[-1], whole.states[-1], atol=1e-10)
    assert rest["count.y"][0] == 2.0
    sim = model.simulator(initial=begin)
    sim["count.y"] = 0.0
    assert sim["count.y"] == 0.0
    with refused(UnknownNameError, "there is no sample 501", "the run has 501"):
        whole.sample(501)
    with refused(InitialValueError, "count.y", "'two' is not a finite number"):
        model.simulate(1.0, initial={"count.y": "two"})
    with refused(UnknownNameError, "no state 'count.x'", "count.y"):
        model.simulate(1.0, initial={"count.x": 1.0})


def test_an_impulse_on_the_axis_of_a_joint_needs_no_connection():
    model = Model()
    model.world = World(gravityType="NoGravity")
    model.hinge = Revolute(phi=0.0, w=0.0)
    model.body = Body(m=1.0, I_11=1.0, I_22=1.0, I_33=2.0)
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.body.frame_a
    model.when(lambda motion: motion.t > 0.5, impulse={model.hinge.axis: 3.0})
    assert model.simulate(1.0)["hinge.w"][-1] == pytest.approx(1.5)


class Metered(Model):
    """A mass on its way, with a condition, a sample and a reading by the names of this model."""

    def build(self, v: float = 1.0) -> None:
        """Let something happen where it passes half a metre."""
        self.mass = tra.Mass(m=1.0, s=0.0, v=v)
        self.passed, self.seen = blocks.Discrete(), blocks.Discrete()
        self.twice = blocks.Expression(f=lambda motion: 2.0 * motion["mass.s"])
        self.half = self.when(
            lambda motion: motion["mass.s"] > 0.5,
            set={self.passed: lambda motion: motion["mass.v"] + motion["passed.y"]},
        )
        own = {"inputs": ["mass.s", lambda motion: motion["twice.y"]], "traced": True}
        self.every = self.sample(0.3, lambda t, s, d: s + d, **own, outputs=[self.seen])


def test_what_happens_in_a_model_happens_in_models_made_of_it():
    outer = Model()
    outer.slow, outer.fast = Metered(), Metered(v=2.0)
    result = outer.simulate(0.8)
    assert [(e.part, e.time) for e in result.events] == [
        ("fast.half", pytest.approx(0.25)),
        ("slow.half", pytest.approx(0.5)),
    ]
    for name, v in (("slow", 1.0), ("fast", 2.0)):
        assert result[f"{name}.passed.y"][-1] == pytest.approx(v)
        assert result[f"{name}.twice.y"][-1] == pytest.approx(1.6 * v)
        assert result[f"{name}.seen.y"][-1] == pytest.approx(3.0 * 0.6 * v)
    assert outer.fast.half.path == "fast.half"
