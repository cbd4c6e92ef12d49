"""Friction from reactions in closed loops: one motion, whichever way the loop is solved.

A hinge of a loop with one freedom comes to rest where it turns back, and there no torque in it
moves the loop: it is at a dead centre. These are the places at which friction changes its sign.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motorik import Model
from motorik.joints import Coulomb
from tests.laws.four_bars import ROCKING, four_bar
from tests.laws.linkages import LINKAGES

STRATEGIES = ("explicit", "projected", "baumgarte", "absolute")
RUNS: dict[str, dict[str, Any]] = {
    "coarse": {"rtol": 1e-4},
    "plain": {"rtol": 1e-6, "method": "dopri5"},
    "high order": {"rtol": 1e-8, "method": "dop853"},
    "fine": {"rtol": 1e-9},
    "fixed steps": {"method": "rk4", "step": 0.001},
}
SMALL = Coulomb(mu=0.1, radius=0.02)


def rubbing(hinge: str, law: Coulomb = SMALL) -> Model:
    """Return a four-bar with friction in one of its hinges, its crank turning."""
    model = four_bar(ROCKING, phi=np.pi / 3, w=8.0)
    joint: Any = model.parts[hinge]
    joint.friction = law
    return model


@pytest.fixture(scope="module")
def swings() -> np.ndarray:
    """Return when the rocker of a four-bar turns back, by the closed form."""
    result = rubbing("pivot").simulate(2.0, strategy="explicit", rtol=1e-11)
    assert len(result.events) > 4
    return np.array(result.events.times)


TRIED = {
    "explicit": tuple(RUNS),
    "projected": ("coarse", "high order", "fixed steps"),
    "baumgarte": ("plain", "fine"),
    "absolute": ("plain",),
}


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_hinge_turns_back_in_all_strategies_methods_and_tolerances(strategy, swings):
    model = rubbing("pivot")
    for options in (RUNS[name] for name in TRIED[strategy]):
        result = model.simulate(2.0, strategy=strategy, **options)
        assert result.complete, result.info.message
        assert len(result.events) == len(swings)
        near = 3e3 * options.get("rtol", 1e-6)
        np.testing.assert_allclose(result.events.times, swings, atol=near)
        friction, load = np.abs(result["pivot.tau_friction"]), result["pivot.load"]
        np.testing.assert_allclose(friction, 0.1 * load, rtol=1e-9)


def random_loop(kind: str, seed: int, count: int = 1) -> tuple[Model, list[str]]:
    """Return a random loop with friction in some of its hinges, and the names of these."""
    linkage = LINKAGES[kind](seed)
    linkage.speed = 4.0
    hinges = [pair.name for pair in linkage.pairs if pair.kind == "R"]
    rng = np.random.default_rng(seed)
    chosen = [str(name) for name in rng.permutation(hinges)[:count]]
    model = linkage.model()
    for name in chosen:
        joint: Any = model.parts[name]
        joint.friction = Coulomb(mu=0.15, radius=0.03)
    return model, chosen


ALIKE: tuple[dict[str, Any], ...] = (
    {"rtol": 1e-9},
    {"rtol": 1e-5, "strategy": "projected"},
    {"rtol": 1e-7, "method": "dop853", "strategy": "projected"},
    {"rtol": 1e-7, "strategy": "baumgarte"},
)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "seed", "count"),
    [
        ("four-bar", 2, 2),
        ("slider-crank", 3, 1),
        ("RUSR", 2, 2),
    ],
)
def test_random_loops_move_alike_however_they_are_solved(kind, seed, count):
    model, chosen = random_loop(kind, seed, count)
    times = np.linspace(0.0, 1.5, 31)
    names = [f"{name}.phi" for name in chosen]
    seen: dict[str, np.ndarray] = {}
    for options in ALIKE:
        result = model.simulate(1.5, output=times, **options)
        assert result.complete, (options, result.info.message)
        angles = np.stack([result[name] for name in names])
        base = seen.setdefault("base", angles)
        near = 3e3 * options["rtol"]
        np.testing.assert_allclose(angles, base, atol=near, err_msg=str(options))
        seen["turns"] = np.array([e.what.startswith("slips") for e in result.events])
    assert seen["turns"].any()


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::motorik.errors.IncompleteRunWarning")
@pytest.mark.parametrize("strategy", STRATEGIES[:-1])
def test_large_friction_jams_in_all_strategies(strategy):
    result = rubbing("pivot", Coulomb(mu=2.0, radius=1.0)).simulate(1.0, strategy=strategy)
    assert not result.complete
    assert "pivot: no friction force fits" in result.info.message
    assert "`mu`" in result.info.message
