"""Conditions that fire are events, with both sides, beside those of friction and stops."""

from __future__ import annotations

import numpy as np
import pytest

from motorik import Model, blocks, translational
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
    np.testing.assert_allclose(result.at(times)[:, 0], exact, atol=1e-11)


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
