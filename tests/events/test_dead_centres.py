"""What sticks and slips goes on doing so where a run goes on in another form."""

from __future__ import annotations

from functools import cache

import pytest

import motorik as mk
from motorik.results import Result
from tests.events.parts import CrankBrake, braked

STRATEGIES = ("explicit", "baumgarte", "absolute")


@cache
def slider(strategy: str, output: str | int = 30) -> Result:
    """Return a slider-crank that passes its dead centre and is stopped by its brake."""
    options = {"strategy": strategy, "output": output, "rtol": 1e-9, "method": "dop853"}
    return CrankBrake(torque=0.25).simulate(1.5, **options)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_brake_holds_beyond_a_dead_centre(strategy):
    result, other = slider(strategy), slider("projected")
    assert result.complete
    (event,) = result.events.of("brake")
    assert (event.what, event.before) == ("sticks", "slipping forward")
    assert event.time == pytest.approx(other.events[0].time, abs=1e-7)
    assert result["bearing.phi"][-1] == pytest.approx(other["bearing.phi"][-1], abs=1e-7)
    assert abs(result["bearing.w"][-1]) < 1e-12
    passed = [e for e in result.events if "dead centre" in e.what]
    assert len(passed) == (strategy == "explicit")


@pytest.mark.slow
@pytest.mark.parametrize("output", [30, "steps"])
def test_modes_and_sides_are_handed_over(output):
    result = slider("explicit", output)
    dead = next(k for k, e in enumerate(result.events) if "dead centre" in e.what)
    at = result.at_event(dead)
    # the brake slips on through the change of form, and its torque is the same in all rows
    for side in (at.before, at.after):
        assert side["brake.flange_b.tau"] == pytest.approx(0.25, rel=1e-12)
    assert at.before["bearing.w"] == pytest.approx(at.after["bearing.w"], abs=1e-9)
    stuck = result.at_event(dead + 1)
    assert stuck.before["brake.flange_b.tau"] == pytest.approx(0.25, rel=1e-12)
    moving = result["time"] < result.events[dead + 1].time
    torque = result["brake.flange_b.tau"]
    assert torque[moving] == pytest.approx(0.25, rel=1e-12)
    assert abs(torque[-1] - 0.25) > 1e-3


@cache
def stopper(strategy: str) -> Result:
    """Return a four-bar that swings to where coupler and rocker are in line, and back."""
    lengths = {"crank": 0.9, "coupler": 0.5, "rocker": 0.5, "base": 1.2}
    model = braked(0.5, 0.3, 4.0, **lengths)
    model.pivot.phi = mk.guess(2.0)
    return model.simulate(1.5, strategy=strategy, rtol=1e-9, method="dop853", output=30)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ("auto", "baumgarte"))
def test_a_brake_turns_with_the_motion_near_a_dead_centre(strategy):
    result, other = stopper(strategy), stopper("projected")
    (event,) = result.events.of("brake")
    assert event.what == "slips backward"
    assert event.time == pytest.approx(other.events[0].time, abs=1e-7)
    assert result["drive.phi"][-1] == pytest.approx(other["drive.phi"][-1], abs=1e-7)
