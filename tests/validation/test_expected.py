"""The error that is expected of a reference: bounds over time, and what they are due to."""

from __future__ import annotations

import numpy as np
import pytest

from motorik.exchange.modelica import read
from validation.expected import (
    FACTOR,
    LARGEST_LIMIT,
    LEAST,
    Expected,
    envelope,
    expected,
    in_pieces,
)
from validation.reference import Reference
from validation.runs import TIGHTEST, Runs

LIBRARY = "Modelica.Mechanics"
START = {"start": "1", "fixed": "true"}
OSCILLATOR = {
    "components": [
        {
            "name": "mass",
            "type": f"{LIBRARY}.Translational.Components.Mass",
            "modifiers": {"m": "1", "s": START, "v": START},
        },
        {
            "name": "spring",
            "type": f"{LIBRARY}.Translational.Components.Spring",
            "modifiers": {"c": "25", "s_rel0": "0"},
        },
        {"name": "fixed", "type": f"{LIBRARY}.Translational.Components.Fixed"},
    ],
    "connections": [
        ["fixed.flange", "spring.flange_a"],
        ["spring.flange_b", "mass.flange_a"],
    ],
}


def runs_with(steps, tolerance=1e-6):
    time = np.linspace(0.0, 4.0, 101)
    s = np.cos(5 * time) + np.sin(5 * time) / 5
    v = np.cos(5 * time) - 5 * np.sin(5 * time)
    signals = {"mass.s": s, "mass.v": v}
    reference = Reference("O", "My.O", 0.0, 4.0, tolerance, 0.1, steps, 0.0, time, signals)
    return Runs(read("O", {"My.O": OSCILLATOR}), reference)


def limits_of(runs):
    exact = runs.by("dop853", TIGHTEST)
    found = expected(runs, exact, dict.fromkeys(exact, 0.0))
    return found, found.limits()


def test_the_converged_run_is_the_closed_form():
    runs = runs_with(np.nan)
    exact = runs.by("dop853", TIGHTEST)
    for name, values in runs.reference.signals.items():
        np.testing.assert_allclose(exact[name], values, atol=1e-11)


@pytest.mark.slow
def test_a_tighter_tolerance_and_more_steps_make_tighter_limits():
    own = runs_with(np.nan).simulate(1e-6, "bdf").info.steps
    plain = limits_of(runs_with(np.nan))[1]["mass.v"][-1]
    more = limits_of(runs_with(1.3 * own))[1]["mass.v"][-1]
    tighter = limits_of(runs_with(np.nan, 1e-8))[1]["mass.v"][-1]
    assert 1e-5 < plain < 1e-2
    assert more < 0.5 * plain
    assert tighter < 0.1 * plain


@pytest.mark.slow
def test_many_more_steps_tell_of_fresh_starts():
    own = runs_with(np.nan).simulate(1e-6, "bdf").info.steps
    found, _ = limits_of(runs_with(3.0 * own))
    assert "fresh starts" in found.cause
    signals, steps = in_pieces(runs_with(np.nan), 20, 1e-6)
    assert steps > 1.3 * own
    assert signals["mass.s"].size == 101


def test_a_reference_that_only_started_is_exact():
    found, limits = limits_of(runs_with(23))
    assert "23 steps of its start" in found.cause
    assert max(float(values.max()) for values in limits.values()) < 1e-9


def test_limits_grow_with_time_and_look_ahead_a_little():
    time = np.linspace(0.0, 1.0, 101)
    errors = [np.where(time >= 0.5, 1.0, 0.0), -0.5 * np.where(time >= 0.8, 1.0, 0.0)]
    bound = envelope(time, errors)
    assert bound[0] == LEAST
    assert bound[39] == LEAST and bound[41] == 1.0


def test_the_part_that_decides_is_named():
    parts = {"a": {"x": np.array([1e-3, 3e-3])}, "b": {"x": np.array([2e-3, 2e-3])}}
    found = Expected(parts)
    assert [found.due_to("x", row) for row in (0, 1)] == ["b", "a"]
    assert found.limits()["x"] == pytest.approx(FACTOR * np.array([2e-3, 3e-3]))


def test_no_limit_is_beyond_what_means_anything():
    limits = Expected({"a": {"x": np.array([1.0, 1e-3])}}).limits()
    assert limits["x"] == pytest.approx([LARGEST_LIMIT, FACTOR * 1e-3])
