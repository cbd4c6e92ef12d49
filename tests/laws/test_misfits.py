"""Constraints that are redundant where a mechanism starts and nowhere else."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import motorik as mk
from motorik import IncompleteRunWarning, gallery
from motorik.errors import MotorikError
from tests.covering import each_once

SIZE = 2.0  # m, length of the bar
JOINTS = ("pivot0", "pivot1", "pivot2", "pin0", "pin1", "pin2")


def three_cranks(length: float, phi: float = -0.3) -> mk.Model:
    """Return the parallelogram of three cranks, the third of another length.

    Its post stands where it fits at the start pose.
    """
    model = gallery.ThreeCranks(phi=phi)
    off = (0.5 - length) * np.array([np.cos(phi), np.sin(phi)])
    model.foot2.r = (2.0 + off[0], off[1], 0.0)
    model.crank2.r = (length, 0.0, 0.0)
    return model


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("length", "strategy"),
    [
        (0.45, "auto"),
        (0.45, "projected"),
        (0.7, "auto"),
        (0.7, "projected"),
        (0.5 + 1e-4, "auto"),
        (0.5 + 1e-4, "projected"),
    ],
)
def test_cranks_that_fit_only_at_the_start_do_not_run_on(length, strategy):
    model = three_cranks(length)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = model.simulate(1.0, strategy=strategy)
    except MotorikError as error:  # refused before it runs
        assert any(name in str(error) for name in JOINTS)
        return
    assert not result.complete
    assert [w.category for w in caught] == [IncompleteRunWarning]
    assert any(name in result.info.message for name in JOINTS), result.info.message
    assert result.constraint_violation()[0] < 1e-6 * SIZE


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected"])
def test_cranks_that_fit_run_on(strategy):
    result = three_cranks(0.5).simulate(1.0, strategy=strategy)
    assert result.complete and not result.events
    assert result.constraint_violation()[0] < 1e-9 * SIZE
    np.testing.assert_allclose(result["pivot2.phi"], result["pivot0.phi"], atol=1e-9)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("across", "strategy", "offset"),
    each_once([False, True], ["auto", "projected"], [0.0, 1e-5, 0.02, -0.1]),
)
def test_a_live_misfit_is_never_run_open(offset, strategy, across):
    model = gallery.ThreeCranks()
    model.foot2.r = mk.Parameter((2.0, 0.0, 0.0))
    place = (2.0, offset, 0.0) if across else (2.0 + offset, 0.0, 0.0)
    options = {"strategy": strategy, "parameters": {"foot2.r": place}}
    try:
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            result = model.simulate(0.5, **options)
    except MotorikError as error:
        assert offset, "what fits is not refused"
        assert "pivot" in str(error) or "pin" in str(error)
        return
    assert result.complete is (offset == 0.0)
    assert result.constraint_violation()[0] < 1e-6 * SIZE
    if offset:
        assert "pivot" in result.info.message or "pin" in result.info.message


@pytest.mark.thorough
@pytest.mark.slow
def test_strategies_agree_on_the_fourfold_pendulum():
    """At a tolerance of 1e-10 all that apply give one motion."""
    runs = {
        strategy: gallery.FourfoldPendulum().simulate(
            1.0, rtol=1e-10, output=20, strategy=strategy
        )
        for strategy in ("auto", "projected", "absolute")
    }
    names = ("hinge1.phi", "hinge2.phi", "hinge3.phi")
    for strategy, run in runs.items():
        for name in names:
            apart = np.abs(run[name] - runs["auto"][name]).max()
            assert apart < 1e-8, (strategy, name, apart)
