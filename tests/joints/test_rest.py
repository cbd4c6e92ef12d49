"""Sticking is exact: nothing drifts in an hour of rest, whichever coordinates are states."""

from __future__ import annotations

import numpy as np
import pytest

from motorik.joints import Coulomb
from tests.covering import each_once
from tests.joints.models import METHODS, STRATEGIES, Arm, FourBar, run

HOUR = 3600.0


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_a_braked_arm_rests_for_an_hour(method):
    result, seen = run(Arm(count=3), HOUR, method=method, rtol=1e-8)
    assert seen[-1].time < 1.0
    rests = result.time > 1.0
    for k in (1, 2, 3):
        angle = result[f"hinge[{k}].phi"][rests]
        assert np.ptp(angle) <= 1e-14 * np.abs(angle).max()
        assert np.abs(result[f"hinge[{k}].w"][rests]).max() < 1e-25


@pytest.mark.slow
def test_six_brakes_at_once_rest_for_an_hour():
    result, seen = run(Arm(count=6), HOUR, method="dopri5", rtol=1e-8)
    assert seen[-1].time < 6.0
    rests = result.time > 6.0
    for k in range(1, 7):
        assert np.ptp(result[f"hinge[{k}].phi"][rests]) <= 1e-14


@pytest.mark.slow
@pytest.mark.kinds(1)
@pytest.mark.parametrize(("hinge", "strategy"), each_once(range(4), STRATEGIES[:-1]))
def test_a_brake_in_any_hinge_holds_a_loop_for_an_hour(strategy, hinge):
    model = FourBar(
        lengths=(0.5, 0.9, 0.6, 1.0),
        options={hinge: {"friction": Coulomb(tau=60.0)}},
        g=9.81,
        w=0.5,
    )
    result, seen = run(model, HOUR, method="dopri5", rtol=1e-8, strategy=strategy)
    assert seen[-1].time < 0.1
    rests = result.time > 0.1
    angles = [result[f"hinge[{k}].phi"][rests] for k in range(1, 5)]
    assert np.ptp(angles[hinge]) <= 1e-14 * np.abs(angles[hinge]).max()
    others = 1e-8 if strategy == "baumgarte" else 1e-12  # gains hold loops within rtol
    assert max(map(np.ptp, angles)) < others
