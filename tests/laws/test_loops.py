"""Random linkages move as absolute coordinates say, however they are solved and built.

One linkage of a kind, and one further strategy for it; ``python -m validation.fuzz`` runs many.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from motorik import SolverOptions
from motorik.results import Result
from tests.covering import each_once, slow_but
from tests.laws.absolute import Absolute, Motion, apart, compute_motion, motion_of
from tests.laws.linkages import LINKAGES, Linkage, planar

STOP = 0.15
NO_CLOSED_FORM = {"seven hinges", "platform"}
# free speeds are guesses, which each set of coordinates meets in its own way
MANY_FREEDOMS = {"platform"}
SEEDS = (1,)

names = pytest.mark.parametrize("name", slow_but(LINKAGES, "four-bar", "RUSR"))
seeds = pytest.mark.parametrize("seed", SEEDS)


def ran(linkage: Linkage, model=None, **options) -> Result:
    """Return a run of a linkage that came to its end."""
    options = {
        "rtol": 5e-12,
        "output": 2,
        "method": "dop853",
        "solver": SolverOptions(time_limit=20.0),
    } | options
    result = (model or linkage.model()).simulate(STOP, **options)
    assert result.complete, result.info.message
    compute_motion(result, linkage)
    return result


@cache
def plain(name: str, seed: int) -> tuple[Linkage, Result]:
    """Return a linkage and its run as motorik chooses."""
    linkage = LINKAGES[name](seed)
    return linkage, ran(linkage)


def end_of(name: str, seed: int) -> Motion:
    """Return where the run of a linkage ends."""
    linkage, result = plain(name, seed)
    return motion_of(result, linkage, len(result) - 1)


def last(result: Result, linkage: Linkage) -> Motion:
    """Return where a run ends."""
    return motion_of(result, linkage, len(result) - 1)


@pytest.mark.kinds(3)
@seeds
@names
def test_motion_is_that_of_absolute_coordinates(name, seed):
    linkage, result = plain(name, seed)
    equations, start = Absolute(linkage), motion_of(result, linkage, 0)
    drawn = equations.start()
    if name not in MANY_FREEDOMS:
        assert apart(start, drawn) < 1e-14
    rate = "v" if name in MANY_FREEDOMS else "w"
    assert result[f"{linkage.driver}.{rate}"][0] == pytest.approx(linkage.speed, rel=1e-14)
    J = np.vstack(equations.rows(start)[0])
    np.testing.assert_allclose(J @ start.v.ravel(), 0.0, atol=1e-14)
    end = equations.run(start, np.array([0.0, STOP]))[-1]
    found = last(result, linkage)
    assert apart(found, end) < 6e-12
    np.testing.assert_allclose(found.v, end.v, rtol=0, atol=1e-10)


@pytest.mark.kinds(5)
@seeds
@names
def test_loops_stay_closed_and_energy_is_kept(name, seed):
    _, result = plain(name, seed)
    metres, radians = result.constraint_violation()
    assert metres < 1e-14
    assert radians < 1e-14
    energy = result.energy()
    drift = np.abs(energy["total"] - energy["total"][0]).max()
    assert drift < 8e-11 * energy["kinetic"].max()


@pytest.mark.kinds(6)
@names
def test_the_freedom_is_what_the_rank_of_all_joints_leaves(name):
    linkage, result = plain(name, SEEDS[0])
    equations = Absolute(linkage)
    J = np.vstack(equations.rows(equations.start())[0])[:, equations.free]
    freedom = len(equations.free) - np.linalg.matrix_rank(J, tol=1e-9)
    count = f"{freedom} degree{'' if freedom == 1 else 's'} of freedom"
    assert count in result.model.explain().splitlines()[0]
    closed_form = "strategy: explicit" in result.model.explain()
    assert closed_form == (name not in NO_CLOSED_FORM)


# the closed form is what `plain` runs; the others take turns, dense rows only where small
TRIED = [
    ("four-bar", "explicit"),
    *each_once(LINKAGES, ("projected", "baumgarte")),
    ("four-bar", "absolute"),
]


@pytest.mark.slow
@pytest.mark.kinds(3)
@pytest.mark.parametrize(
    ("name", "strategy"),
    slow_but(TRIED, ("four-bar", "projected")),
)
def test_every_strategy_that_applies_gives_the_same_motion(name, strategy):
    seed = SEEDS[0]
    linkage = LINKAGES[name](seed)
    result = ran(linkage, strategy=strategy)
    assert apart(last(result, linkage), end_of(name, seed)) < 6e-11
    decays = strategy in ("baumgarte", "absolute")  # gaps are not closed after each step
    assert max(result.constraint_violation()) < (1e-12 if decays else 1e-14)


BUILT_ANEW = ("slider-crank", "three loops", "tilted six-bar", "floating four-bar", "RUSR")
built_anew = pytest.mark.parametrize("name", BUILT_ANEW)


@pytest.mark.kinds(1)
@pytest.mark.slow
@built_anew
def test_joints_turned_over_move_alike(name):
    seed = SEEDS[0]
    linkage = LINKAGES[name](seed)
    rng = np.random.default_rng(seed)
    over = [pair.name for pair in linkage.pairs if rng.random() < 0.6]
    result = ran(linkage, linkage.model(over=over))
    assert apart(last(result, linkage), end_of(name, seed)) < 1e-11


@pytest.mark.kinds(1)
@pytest.mark.slow
@built_anew
def test_parts_and_connections_in_another_order_move_alike(name):
    seed = SEEDS[0]
    linkage = LINKAGES[name](seed)
    result = ran(linkage, linkage.model(shuffled=seed))
    assert apart(last(result, linkage), end_of(name, seed)) < 1e-11


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "strategy"),
    [("four-bar", "auto"), ("four-bar", "projected"), ("RUSR", "auto")],
)
def test_a_live_length_does_what_a_model_built_anew_does(name, strategy):
    linkage = LINKAGES[name](SEEDS[0])
    model, options = linkage.model(live=True), {"strategy": strategy}
    before = ran(linkage, model, **options)
    compiled = model.compile(strategy)
    longer = ran(linkage, model, parameters=linkage.lengths(1.1), **options)
    assert model.compile(strategy) is compiled
    anew = ran(linkage, linkage.model(scale=1.1), **options)
    assert apart(last(longer, linkage), last(anew, linkage)) < 1e-11
    assert apart(last(before, linkage), end_of(name, SEEDS[0])) < 1e-11
    assert apart(last(longer, linkage), last(before, linkage)) > 1e-2


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5])
def test_a_dyad_on_a_slide_starts_in_closed_form(seed):
    # the tree is rearranged for the closed forms: bodies get other frames
    linkage = planar(seed, ["RRR", "RRP", "RPR", "RRR"])
    result = linkage.model().simulate(1e-3, output=1)
    assert not [event for event in result.events if event.time == 0.0]
    assert max(result.constraint_violation()) < 1e-13
