"""Conditions that fire are events, with both sides, beside those of friction and stops."""

from __future__ import annotations

import numpy as np
import pytest

from motorik import Model, Parameter, blocks, rotational, translational
from motorik.errors import IncompleteRunWarning
from tests.events.parts import Slide


class Thrown(Model):
    """A mass of 1 kg at 2 m/s that is thrown back at 1 m, and stops the run at −1 m."""

    def build(self) -> None:
        """Let it be thrown back by a reset of its speed."""
        self.mass = translational.Mass(m=1.0, s=0.0, v=2.0)
        self.count = blocks.Discrete(start=0.0)
        self.when(
            lambda motion: motion["mass.s"] - 1.0,
            reset={"mass.v": lambda motion: -0.5 * motion["mass.v"]},
            set={self.count: lambda motion: 1.0},
            name="wall",
        )
        self.when(lambda motion: -1.0 - motion["mass.s"], stop=True, name="end")


@pytest.mark.parametrize("output", [7, "steps"])
def test_a_condition_that_fires_is_an_event_with_two_sides(output):
    result = Thrown().simulate(10.0, rtol=1e-10, output=output)
    wall, end = result.events
    assert (wall.part, wall.what) == ("wall", "fires")
    assert (end.part, end.what) == ("end", "ends the run")
    assert wall.time == pytest.approx(0.5, abs=1e-11)
    assert end.time == result.time[-1] == pytest.approx(2.5, abs=1e-10)
    at = result.at_event(0)
    assert at.before["mass.v"] == pytest.approx(2.0, rel=1e-12)
    assert at.after["mass.v"] == pytest.approx(-1.0, rel=1e-12)
    assert (at.before["count.y"], at.after["count.y"]) == (0.0, 1.0)
    times = np.linspace(0.0, 2.4, 25)
    exact = np.where(times < 0.5, 2.0 * times, 1.5 - times)
    np.testing.assert_allclose(result.at(times).states[:, 0], exact, atol=1e-11)


def test_rows_are_written_twice_where_a_condition_fires():
    result = Thrown().simulate(10.0, rtol=1e-10, output="steps")
    k = int(np.searchsorted(result.time, result.events[0].time))
    np.testing.assert_allclose(result["mass.v"][[k, k + 1]], [2.0, -1.0], rtol=1e-12)
    np.testing.assert_array_equal(result["count.y"][[k, k + 1]], [0.0, 1.0])


def test_a_simulator_lists_what_fired():
    sim = Thrown().simulator()
    sim.step(1.0)
    assert sim["mass.v"] == pytest.approx(-1.0) and sim["count.y"] == 1.0
    assert [e.part for e in sim.events] == ["wall"] and sim.modes == {}


class Called(Slide):
    """A sliding mass with a function of Python that is called at its clock."""

    calls: list[float]

    def build(self) -> None:
        """Sample a function that counts its calls."""
        super().build()
        self.seen = blocks.Discrete(start=0.0)
        self.__dict__["calls"] = []
        self.sample(0.5, self._called, outputs=[self.seen], name="clock")

    def _called(self, t: float) -> float:
        self.calls.append(t)
        return t


def test_explaining_calls_no_function_of_the_user():
    model = Called()
    assert "pad: slipping forward" in model.explain()
    assert model.calls == []
    result = model.simulate(2.0, output="steps")
    assert model.calls == [0.0, 0.5, 1.0, 1.5, 2.0] or model.calls == [0.0, 0.5, 1.0, 1.5]
    assert [e.part for e in result.events] == ["pad"]  # samples are no events
    assert result["pad.flange_b.f"][0] == 4.0 and result["mass.a"][0] == -2.0


class Ramp(Model):
    """x = t, and a number that becomes 1 where a condition begins to hold."""

    def build(self, condition, value=1.0):
        self.x, self.one = blocks.Integrator(y_start=0.0), blocks.Constant(k=1.0)
        self.one.y >> self.x.u
        self.ground = translational.Fixed()
        self.number = blocks.Discrete(start=0.0)
        self.when(condition, set={self.number: value}, name="rule")


@pytest.mark.kinds(8)
@pytest.mark.parametrize("method", ["dopri5", "gbs", "bdf", "rk4"])
@pytest.mark.parametrize("at", [0.5, 1.0])
@pytest.mark.parametrize("of_time", [True, False])
def test_a_row_at_an_event_has_the_values_after_it_also_at_the_end(method, at, of_time):
    def condition(m):
        return (m.t if of_time else m["x.y"]) - at

    step = 0.125 if method == "rk4" else None
    rows = [0.0, 0.25, 0.5, 0.75, 1.0]
    result = Ramp(condition=condition).simulate(1.0, method=method, step=step, output=rows)
    (event,) = result.events
    assert event.time == (at if of_time else pytest.approx(at, abs=1e-12))
    assert result["number.y"].tolist() == [float(t >= at) for t in rows]
    sides = result.at_event(0)
    assert (sides.before["number.y"], sides.after["number.y"]) == (0.0, 1.0)


def test_a_condition_of_time_by_a_live_number_fires_exactly_there():
    when = Parameter(0.3, name="begin")
    model = Ramp(condition=lambda m: m.t - when)
    for begin in (0.3, 0.7):
        result = model.simulate(1.0, parameters={"begin": begin})
        assert [event.time for event in result.events] == [begin]


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_number_that_is_set_to_no_number_ends_the_run_by_name(bad):
    """Also where nothing reads it."""
    value = bad if bad != bad else 1e308 * 1e10
    model = Ramp(condition=lambda m: m["x.y"] - 0.5, value=lambda m: value * (1.0 + m.t))
    with pytest.warns(
        IncompleteRunWarning, match=r"rule: it has set number.y to (nan|inf)"
    ):
        result = model.simulate(1.0)
    assert not result.complete and result.time[-1] == pytest.approx(0.5, abs=1e-9)


class Crossed(Model):
    """A mass of 1 kg at 1 m/s that passes 1 m, where the run ends, and turns the sign at 2 m."""

    def build(self) -> None:
        """Let the first condition end the run, and the second one set a signal."""
        self.mass = translational.Mass(m=1.0, s=0.0, v=1.0)
        self.mark = blocks.Discrete(start=0.0)
        self.when(lambda motion: motion["mass.s"] - 1.0, stop=True, name="end")
        self.when(lambda motion: motion["mass.s"] - 2.0, set={self.mark: 1.0}, name="pass")


def test_a_simulator_says_what_ended_a_step_and_goes_on():
    sim = Crossed().simulator()
    assert sim.step(0.5).ended_by == ""
    assert sim.step(2.0).ended_by == "end"
    assert sim.time == pytest.approx(1.0, abs=1e-12)
    assert sim.step(1.5).ended_by == ""  # an event of others ends nothing
    assert sim.time == pytest.approx(2.5, abs=1e-12) and sim["mark.y"] == 1.0
    assert [e.what for e in sim.events] == ["ends the run", "fires"]


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_what_sticks_moves_by_an_impulse_or_a_reset(way):
    """A brake of 2 N·m is no match for 3 N·m·s: from 3 rad/s it stops in 1.5 s."""
    for give in ("impulse", "reset"):
        model = Model()
        model.shaft = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
        model.brake = rotational.BearingFriction(tau_pos=((0.0, 2.0),))
        model.shaft.flange_b >> model.brake.flange_a
        given = {
            "impulse": {model.shaft.flange_a: 3.0 * way},
            "reset": {"shaft.w": 3.0 * way},
        }
        model.when(lambda motion: motion.t - 0.5, **{give: given[give]}, name="kick")
        result = model.simulate(3.0, rtol=1e-9)
        constraints = "slips forward" if way > 0.0 else "slips backward"
        assert [e.what for e in result.events] == ["fires", constraints, "sticks"]
        assert result.events.times == pytest.approx([0.5, 0.5, 2.0])
        assert result["shaft.phi"][-1] == pytest.approx(2.25 * way)
