"""At dead centres runs go on by projection, or stop with the geometry named; none flips."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import motorik as mk
from motorik.errors import SimulationError
from motorik.gallery import NFourBar
from motorik.results import Result
from tests.assembly.four_bars import four_bar
from tests.covering import each_once
from tests.refusals import refused

METHODS = ("dopri5", "dop853", "gbs", "adams", "bdf", "radau", "rk4")
TIMES = np.linspace(0.0, 1.0, 11)
# what each method makes of it at rtol = 1e-9 or a step of 0.5 ms, dead centre or not
WITHIN = {
    "dopri5": 1e-7,
    "dop853": 5e-9,
    "gbs": 5e-9,
    "adams": 2e-5,
    "bdf": 3e-6,
    "rk4": 1e-4,
}
methods = pytest.mark.parametrize("method", METHODS)


def stopper() -> mk.Model:
    """Return a four-bar that swings up to where coupler and rocker are stretched, and back."""
    lengths = {"crank": 0.9, "coupler": 0.5, "rocker": 0.5, "base": 1.2}
    swing = {"drive": {"phi": 0.3, "w": 4.0}, "pivot": {"phi": mk.guess(2.0)}}
    return four_bar(**lengths, **swing)


def options_of(method: str) -> dict:
    """Return the tolerance, and a step for the method that takes no tolerance."""
    extra = {"step": 5e-4} if method == "rk4" else {}
    return {
        "method": method,
        "rtol": 1e-9,
        "solver": mk.SolverOptions(time_limit=20.0),
        **extra,
    }


def pins(result: Result) -> np.ndarray:
    """Return where elbow and wrist are at the output times."""
    rows = np.searchsorted(result.time, TIMES)
    both = [result[f"{joint}.frame_a.r_0"] for joint in ("elbow", "wrist")]
    return np.hstack(both)[rows]


@cache
def truth() -> np.ndarray:
    """Return the motion by projection, which knows no dead centre."""
    options = {"method": "dop853", "rtol": 1e-12, "output": TIMES}
    return pins(stopper().simulate(1.0, strategy="projected", **options))


@pytest.mark.kinds(1)
@pytest.mark.slow
@methods
def test_a_run_goes_on_through_a_dead_centre(method):
    result = stopper().simulate(1.0, output=TIMES, **options_of(method))
    assert result.complete, result.info.message
    assert np.isfinite(result.states).all()
    (event,) = result.events
    time = event.time
    assert event.part == "the RRR dyad of pivot, wrist, elbow"
    assert event.what == "at its dead centre: continued by projection"
    assert event in result.events.of("wrist") and not result.events.of("drive")
    assert 0.52 < time < 0.54
    assert np.abs(pins(result) - truth()).max() < WITHIN[method]
    assert max(result.constraint_violation()) < 1e-14


@pytest.mark.slow
@pytest.mark.kinds(2)
@methods
def test_a_run_stops_at_a_dead_centre_if_that_is_wanted(method):
    result = stopper().simulate(
        1.0, loops=mk.LoopOptions(dead_centre="stop"), **options_of(method)
    )
    assert not result.complete
    for word in ("dead centre", "RRR dyad", "pivot", "wrist", "elbow", "project"):
        assert word in result.info.message
    assert np.isfinite(result.states).all()
    assert 0.52 < result.time[-1] < 0.54
    # coupler and rocker of 0.5 m each are almost stretched over the distance of 1 m
    ends = [result[f"{joint}.frame_a.r_0"][-1] for joint in ("elbow", "pivot")]
    assert 0.999 < np.linalg.norm(ends[0] - ends[1]) < 1.0
    assert max(result.constraint_violation()) < 1e-14


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(("n", "method"), each_once([1, 2], METHODS))
def test_parallelograms_do_not_flip_where_they_are_flat(n, method):
    result = NFourBar(n=n).simulate(2.0, output=10, **options_of(method))
    assert result.complete, result.info.message
    assert "dead centre" in result.events[0].what
    cranks = np.column_stack([result[f"pivot{i}.phi"] for i in range(n + 1)])
    assert cranks[-1, 0] > np.pi  # they went past where they lie flat
    np.testing.assert_allclose(cranks, cranks[:, :1].repeat(n + 1, axis=1), atol=1e-12)
    bars = np.column_stack([result[f"bar{i}.frame_a.R.T"][:, 0, 0] for i in range(n)])
    np.testing.assert_allclose(bars, 1.0, atol=1e-12)  # level throughout
    energy = result.energy()
    drift = np.abs(energy["total"] - energy["total"][0]).max()
    assert drift < (1e-7 if method == "bdf" else 2e-8) * energy["kinetic"].max()


# coupler and rocker are in line where 1 m² = 0.9² + 1.2² − 2 · 0.9 · 1.2 cos phi
STRETCHED = np.arccos((0.9**2 + 1.2**2 - 1.0) / (2 * 0.9 * 1.2))


@pytest.mark.slow
def test_a_run_may_start_at_a_dead_centre():
    begin = {"drive.phi": STRETCHED, "drive.w": 0.0}
    options = {"output": 10, "rtol": 1e-9}
    result = stopper().simulate(0.2, initial=begin, **options)
    assert result.complete
    (event,) = result.events
    assert event.time == 0.0
    assert "dead centre" in f"{event.part} {event.what}"
    projected = stopper().simulate(0.2, initial=begin, strategy="projected", **options)
    np.testing.assert_allclose(
        result["drive.phi"][-1], projected["drive.phi"][-1], rtol=0, atol=1e-9
    )
    stopped = stopper().simulate(
        0.2, initial=begin, loops=mk.LoopOptions(dead_centre="stop"), **options
    )
    assert not stopped.complete
    assert stopped.info.message.startswith("t = 0 s: the RRR dyad of pivot, wrist, elbow")


def test_a_model_that_stands_at_a_dead_centre_gets_another_independent_coordinate():
    model = stopper()
    model.drive.phi, model.drive.w = STRETCHED, 0.0
    model.pivot.phi = mk.guess(np.pi - np.arccos((1.2**2 + 1.0 - 0.9**2) / 2.4))
    assert "independent coordinates: pivot" in model.explain()
    result = model.simulate(0.2, output=10, rtol=1e-9)
    assert result.complete
    assert not result.events
    energy = result.energy()["total"]
    np.testing.assert_allclose(energy, energy[0], rtol=0, atol=1e-9)


def test_there_are_two_ways_only():
    with refused(SimulationError, "dead_centre = 'go on'", '"project"', '"stop"'):
        stopper().simulate(1.0, loops=mk.LoopOptions(dead_centre="go on"))
