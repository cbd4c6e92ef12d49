"""No metre, kilogram or newton is special: mechanisms of any size and mass move alike."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import motorik as mk
from motorik import translational
from motorik.results import Result
from tests.covering import each_once
from tests.laws.four_bars import DRAG, ROCKING, Lengths, four_bar
from tests.laws.linkages import GRAVITY, LINKAGES, Linkage

SCALES = [(-6, 0), (6, -6), (0, 6), (-3, -6)]
G = float(-GRAVITY[1])


def scaled(linkage: Linkage, length: float, mass: float) -> mk.Model:
    """Return the model of a linkage in other units of length and mass, seconds kept."""
    bars = [
        replace(b, p=length * b.p, c=length * b.c, m=mass * b.m, I=mass * length**2 * b.I)
        for b in linkage.bars
    ]
    pairs = [
        replace(j, place=length * j.place, value=j.value * (length if j.kind == "P" else 1))
        for j in linkage.pairs
    ]
    kind = next(pair.kind for pair in linkage.pairs if pair.name == linkage.driver)
    speed = linkage.speed * (length if kind == "P" else 1.0)
    model = replace(linkage, bars=bars, pairs=pairs, speed=speed).model()
    model.world.g = G * length
    return model


def places(result: Result, bars: int, length: float) -> np.ndarray:
    """Return the places of all bodies in natural units, by time."""
    return np.stack([result[f"bar{k}.frame_a.r_0"] / length for k in range(1, bars)])


@cache
def natural(kind: str, seed: int) -> tuple[Linkage, Result, float]:
    """Return a linkage, its run in natural units, and how far a finer run is from that."""
    linkage = LINKAGES[kind](seed)
    model = scaled(linkage, 1.0, 1.0)
    one, fine = (model.simulate(0.4, output=8, rtol=rtol) for rtol in (1e-6, 1e-8))
    count = len(linkage.bars)
    error = np.abs(places(one, count, 1.0) - places(fine, count, 1.0)).max()
    return linkage, one, float(error)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "scales"),
    each_once(["four-bar", "slider-crank", "tilted six-bar", "RUSR"], SCALES),
)
def test_a_linkage_of_any_size_moves_alike(kind, scales):
    k, j = scales
    linkage, one, error = natural(kind, 3)
    length, mass = 10.0**k, 10.0**j
    other = scaled(linkage, length, mass).simulate(0.4, output=8)
    count = len(linkage.bars)
    apart = np.abs(places(other, count, length) - places(one, count, 1.0)).max()
    assert other.complete and other.events == one.events
    assert abs(other.info.steps - one.info.steps) <= 1
    assert apart < 1e-8 + 0.1 * error
    assert other.constraint_violation()[0] < 1e-9 * length


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "k"), [("auto", 6), ("projected", -6), ("projected", 6), ("absolute", -6)]
)
def test_every_strategy_is_the_same_at_any_size(strategy, k):
    """The turns of a drag link, its crank spun, at the default tolerances."""
    length, mass = 10.0**k, 10.0**-k
    runs = []
    for scale, heavy in ((1.0, 1.0), (length, mass)):
        lengths = Lengths(
            *(scale * x for x in (DRAG.crank, DRAG.coupler, DRAG.rocker, 0.3))
        )
        model = four_bar(lengths, w=3.0, g=G * scale, density=heavy / scale)
        runs.append(model.simulate(0.5, output=10, strategy=strategy))
    one, other = runs
    assert abs(other.info.steps - one.info.steps) <= 1
    names = ["bearing.phi", "bearing.w"] if strategy != "absolute" else ["bearing.w"]
    for name in names:
        np.testing.assert_allclose(other[name], one[name], rtol=0, atol=1e-7)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "density"),
    [("auto", 1e8), ("projected", 1e-8), ("projected", 1e8), ("absolute", 1e-8)],
)
def test_heavy_and_light_bodies_keep_loops_closed(strategy, density):
    one, other = (
        four_bar(ROCKING, w=5.0, density=rho).simulate(1.0, output=10, strategy=strategy)
        for rho in (1.0, density)
    )
    assert max(other.constraint_violation()) < (1e-6 if strategy == "absolute" else 1e-9)
    assert abs(other.info.steps - one.info.steps) <= 1
    np.testing.assert_allclose(other["bearing.w"], one["bearing.w"], rtol=0, atol=1e-6)


# --- small motions ------------------------------------------------------------------------------


def bouncing(amplitude: float, m: float = 1.0) -> mk.Model:
    """Return a mass on a spring, 1 Hz, with parts of 0.1 m."""
    model = mk.Model()
    model.world = mk.World(g=0.0)
    model.slide = mk.Prismatic(n="x", s=amplitude, v=0.0, useAxisFlange=True)
    model.body = mk.BodyShape(r=(0.1, 0, 0), r_CM=(0.05, 0, 0), m=m)
    model.spring = translational.Spring(c=m * (2 * np.pi) ** 2, s_rel0=0.0)
    mk.connect(model.world.frame_b, model.slide.frame_a)
    mk.connect(model.slide.frame_b, model.body.frame_a)
    mk.connect(model.slide.support, model.spring.flange_a)
    mk.connect(model.spring.flange_b, model.slide.axis)
    return model


def errors_of(method: str, m: float) -> list[float]:
    """Return the errors of motions of 1 m to 1e-12 m, as parts of them."""
    errors = []
    for amplitude in (1.0, 1e-3, 1e-6, 1e-9, 1e-12):
        result = bouncing(amplitude, m).simulate(3.0, output=30, method=method)
        exact = np.cos(2 * np.pi * result.time)
        errors.append(float(np.abs(result["slide.s"] / amplitude - exact).max()))
    return errors


@pytest.mark.kinds(5)
@pytest.mark.parametrize("method", ["auto", "dopri5", "bdf"])
@pytest.mark.parametrize("m", [1e-6, 1.0, 1e8])
def test_a_small_motion_has_four_digits(method, m):
    errors = errors_of(method, m)
    assert max(errors) < (1e-4 if method != "bdf" else 1e-3), errors
