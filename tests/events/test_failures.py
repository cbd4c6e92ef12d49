"""Runs that end at events name the parts, and keep what they have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from motorik import IncompleteRunWarning, Model, SolverOptions, translational
from motorik import functions as fn
from motorik.components.base.contributions import (
    Contribution,
    ForceBounds,
    LineForce,
    NonsmoothConstraint,
)
from motorik.components.base.part import Values
from motorik.errors import SimulationError
from motorik.progress import ProgressBar
from motorik.simulation import run as run_module
from tests.covering import each_once
from tests.events.parts import Belt, Friction


class Wrong(Friction):
    """Friction whose limits are wrong."""

    def bounds(self, p: Values, s: object) -> ForceBounds:
        """Return the wrong limits at a place."""
        raise NotImplementedError

    def contributions(self, p: Values) -> Iterator[Contribution]:
        """Return the force, and when it sticks."""
        a, b = self.flange_a, self.flange_b
        yield LineForce(a, b, p, lambda p, s, v: -p.friction.force)
        yield NonsmoothConstraint(
            self,
            "friction",
            lambda m: m.flange(b)[1] - m.flange(a)[1],
            lambda m: self.bounds(p, m.flange(b)[0]),
            lambda m: m.flange_acceleration(b) - m.flange_acceleration(a),
        )


class Rooted(Wrong):
    """The root of a negative number beyond 1 m."""

    def bounds(self, p, s):
        return ForceBounds(-4.0, 4.0, -4.0 * fn.sqrt(1.0 - s), 4.0)


class Undecided(Wrong):
    """From 1 m on it lets go where it slips, and slips where it is free."""

    def bounds(self, p, s):
        pressed = fn.where(s < 1.0, 1.0, (0.5 - p.friction.direction) * s)
        return ForceBounds(-4.0, 4.0, -4.0, 4.0, pressed)


class Crossed(Wrong):
    """At rest the least force is larger than the largest."""

    def bounds(self, p, s):
        return ForceBounds(4.0, -4.0, -4.0, 4.0)


class Unknown(Wrong):
    """At rest its limits are not numbers."""

    def bounds(self, p, s):
        return ForceBounds(-fn.sqrt(1.0 - s), 4.0, -4.0, 4.0)


def sliding(pad: Friction) -> Model:
    """Return a mass of 2 kg at 3 m/s on a pad; it stops after 2.25 m."""
    model = Model()
    model.wall, model.pad = translational.Fixed(), pad
    model.mass = translational.Mass(m=2.0, s=0.0, v=3.0)
    model.wall.flange >> model.pad.flange_a
    model.pad.flange_b >> model.mass.flange_a
    return model


BEGIN = 100.0  # s; the later, the fewer times there are between two others
CASES = {
    "rooted": (Rooted, 0.36, "pad: 'forward' of its force bounds is nan"),
    "unknown": (Unknown, 1.5, "pad: 'low' of its force bounds is nan"),
    "crossed": (Crossed, 1.5, "fits the equations of motion; seen at pad"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "method"), each_once(CASES, ["dopri5", "bdf"]))
def test_a_failing_part_is_named_and_the_run_is_kept(name, method):
    kind, time, words = CASES[name]
    with pytest.warns(IncompleteRunWarning, match="ended early"):
        result = sliding(kind()).simulate(103.0, start_time=BEGIN, method=method, rtol=1e-8)
    assert not result.complete and words in result.info.message
    assert result.time[-1] - BEGIN == pytest.approx(time, abs=0.02)
    assert result["mass.v"][-1] == pytest.approx(3.0 - 2.0 * time, abs=0.5)
    assert words in result.summary().replace("\n" + " " * 14, " ")


@pytest.mark.parametrize("method", ["dopri5", "bdf"])
def test_events_without_end_are_passed_by_time_stepping(method):
    """Friction that lets go where it slips: what is told of it is not a law, but an answer."""
    result = sliding(Undecided()).simulate(
        103.0, start_time=BEGIN, method=method, rtol=1e-8
    )
    assert result.complete and result.time[-1] == 103.0
    assert "by time stepping" in result.info.stepped[0]
    event = next(e for e in result.events if "time stepping" in e.what)
    assert event.part == "pad" and event.time - BEGIN == pytest.approx(0.38, abs=0.02)


def test_a_simulator_names_the_part_too():
    sim = sliding(Rooted()).simulator()
    with pytest.raises(SimulationError, match="pad: 'forward' of its force bounds is nan"):
        sim.step(2.0)


def test_events_before_a_time_limit_are_kept():
    with pytest.warns(IncompleteRunWarning, match="time limit"):
        result = Belt().simulate(
            1e6, method="dopri5", solver=SolverOptions(time_limit=1e-9), output="steps"
        )
    assert not result.complete and result.time[-1] < 1e6
    assert result.events and result.events.times[-1] <= result.time[-1]
    assert result.at_event(0).before["spring.flange_b.f"] == pytest.approx(5.0, abs=1e-6)


def test_events_before_an_interruption_are_kept(monkeypatch):
    def interrupted(self: ProgressBar, time: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run_module.ProgressBar, "update", interrupted)
    with pytest.warns(IncompleteRunWarning, match="interrupted by the user"):
        result = Belt().simulate(1e6, method="dopri5", output=1000)
    assert not result.complete and len(result.events) > 3
    assert result.events[0].what == "slips backward"
