"""Runs in many threads at once give bit by bit what they give one after another."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import motorik as mk
from motorik import gallery
from tests.laws.four_bars import ROCKING, four_bar
from tests.laws.linkages import planar

THREADS, RUNS = 8, 16


def live_four_bar() -> mk.Model:
    model = four_bar(ROCKING, w=4.0)
    model.coupler.m = mk.Parameter(1.0)
    return model


LIVE: dict[str, tuple[Callable[[], mk.Model], str, tuple[float, float], dict]] = {
    "tree": (lambda: gallery.Pendulum(damping=mk.Parameter(0.1)), "damper.d", (0, 1), {}),
    "loop": (live_four_bar, "coupler.m", (0.5, 2.0), {}),
    "loop, projected": (live_four_bar, "coupler.m", (0.5, 2), {"strategy": "projected"}),
    "loop, bdf": (live_four_bar, "coupler.m", (0.5, 2.0), {"method": "bdf"}),
    "plain, tree": (gallery.Pendulum, "body.m", (0.5, 2.0), {}),
    "plain, loop": (lambda: four_bar(ROCKING, w=4.0), "coupler.m", (0.5, 2.0), {}),
}


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", LIVE)
def test_threads_do_not_see_each_other(name):
    build, parameter, (low, high), options = LIVE[name]
    is_plain = name.startswith("plain")
    model, runs = build(), 4 if is_plain else RUNS
    values = np.linspace(low, high, runs).tolist()

    def run(value: float) -> np.ndarray:
        result = model.simulate(1.0, output=20, parameters={parameter: value}, **options)
        assert result.complete
        return result.motion

    model.compile()  # names live parameters
    before = (repr(model), model.revision, id(model.compile()), model.explain())
    with ThreadPoolExecutor(THREADS) as pool:  # the first runs compile, too
        at_once = list(pool.map(run, values))
    one_by_one = [run(value) for value in values]
    for one, other in zip(at_once, one_by_one, strict=True):
        np.testing.assert_array_equal(one, other)
    assert np.abs(one_by_one[0] - one_by_one[-1]).max() > 1e-4
    assert (repr(model), model.revision, id(model.compile()), model.explain()) == before


@pytest.mark.slow
def test_models_of_their_own_do_not_either():
    def run(seed: int) -> np.ndarray:
        return planar(seed).model().simulate(0.5, output=5).motion

    with ThreadPoolExecutor(THREADS) as pool:
        at_once = list(pool.map(run, range(4)))
    for seed, found in enumerate(at_once):
        np.testing.assert_array_equal(found, run(seed))


@pytest.mark.slow
def test_variables_are_computed_in_many_threads():
    result = live_four_bar().simulate(1.0)
    names = [n for n in result.names() if result.unit(n) in ("rad/s", "N", "N.m")][:40]
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(result.__getitem__, names))
    again = live_four_bar().simulate(1.0)
    for name, values in zip(names, found, strict=True):
        np.testing.assert_array_equal(values, again[name])
