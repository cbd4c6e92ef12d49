"""Reactions in all joints of linkages: they move the bodies, and are those of dense equations."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from motorik.results import Result
from tests.covering import each_once
from tests.laws.absolute import Absolute, compute_motion, motion_of, moving
from tests.laws.linkages import GRAVITY, LINKAGES, Linkage

STOP, SEED = 0.1, 3
UNIQUE = ("RUSR", "RSUP", "RUPS", "seven hinges", "platform")
REDUNDANT = (
    *("four-bar", "slider-crank", "sliding block", "six-bar", "three loops"),
    *("tilted six-bar", "floating four-bar"),
)
OF_HINGES = ("four-bar", "six-bar", "floating four-bar")
FORCES = ("frame_a.f", "frame_a.t", "frame_b.f", "frame_b.t")
PLACES = ("frame_a.r_0", "frame_b.r_0", "frame_a.R.T", "frame_b.R.T")


@cache
def run(name: str, strategy: str = "auto") -> tuple[Linkage, Result]:
    """Return a linkage and a run with all that the tests look at."""
    linkage = LINKAGES[name](SEED)
    options = {"rtol": 1e-10, "output": 2, "method": "dop853", "strategy": strategy}
    result = linkage.model().simulate(STOP, **options)
    assert result.complete, result.info.message
    compute_motion(result, linkage)
    wanted = [f"{pair.name}.{n}" for pair in linkage.pairs for n in (*FORCES, *PLACES)]
    wanted += [f"bar{k}.{n}" for k in moving(linkage) for n in ("a_0", "z_a")]
    result.compute(wanted)
    return linkage, result


def wrench(result: Result, joint: str, end: str, row: int) -> np.ndarray:
    """Return force and moment (about the frame) that a joint puts on a body, in the world."""
    T = result[f"{joint}.frame_{end}.R.T"][row]
    force, moment = (result[f"{joint}.frame_{end}.{n}"][row] for n in "ft")
    return -np.concatenate([T.T @ force, T.T @ moment])


def wrenches(linkage: Linkage, result: Result, row: int) -> dict[tuple[str, str], tuple]:
    """Return for each end of each joint the body, the place and the wrench."""
    return {
        (pair.name, end): (
            body,
            result[f"{pair.name}.frame_{end}.r_0"][row],
            wrench(result, pair.name, end, row),
        )
        for pair in linkage.pairs
        for end, body in zip("ab", (pair.a, pair.b), strict=True)
    }


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", LINKAGES)
def test_bodies_accelerate_as_weight_and_joints_say(name):
    linkage, result = run(name)
    for row in (0, len(result) - 1):
        at = motion_of(result, linkage, row)
        found = wrenches(linkage, result, row).values()
        largest = max(np.abs(w).max() for _, _, w in found)
        for k in moving(linkage):
            bar, R, w = linkage.bars[k], at.R[k], at.v[k, 3:]
            z = R @ result[f"bar{k}.z_a"][row]
            c = R @ bar.c
            a = result[f"bar{k}.a_0"][row] + np.cross(z, c) + np.cross(w, np.cross(w, c))
            I = R @ bar.I @ R.T
            own = [(place - at.x[k], W) for body, place, W in found if body == k]
            force = sum(W[:3] for _, W in own)
            moment = sum(W[3:] + np.cross(r, W[:3]) for r, W in own)
            needed = bar.m * (a - GRAVITY)
            np.testing.assert_allclose(force, needed, rtol=0, atol=1e-13 * largest)
            spin = I @ z + np.cross(w, I @ w)
            np.testing.assert_allclose(moment, spin, rtol=0, atol=1e-13 * largest)


@pytest.mark.kinds(6)
@pytest.mark.slow
@pytest.mark.parametrize("name", LINKAGES)
def test_accelerations_are_those_of_dense_equations(name):
    linkage, result = run(name)
    equations = Absolute(linkage)
    for row in (0, len(result) - 1):
        at = motion_of(result, linkage, row)
        rates = equations.accelerations(at)[0]
        for k in moving(linkage):
            z = at.R[k] @ result[f"bar{k}.z_a"][row]
            np.testing.assert_allclose(z, rates[k, 3:], rtol=0, atol=6e-11)


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", (*UNIQUE, *OF_HINGES))
def test_reactions_are_the_smallest_multipliers_of_dense_equations(name):
    """In a hinge the multipliers are force and moment: the smallest are the smallest forces.

    Moments are divided by the length of the mechanism, so that units do not matter.
    """
    linkage, result = run(name)
    equations = Absolute(linkage)
    at = motion_of(result, linkage, len(result) - 1)
    length = linkage.model().compile().scales.length
    _, multipliers, jacobians = equations.accelerations(at, length)
    found = wrenches(linkage, result, len(result) - 1)
    largest = max(np.abs(W).max() for _, _, W in found.values())
    begin = 0
    for pair, J in zip(linkage.pairs, jacobians, strict=True):
        own = multipliers[begin : begin + len(J)]
        begin += len(J)
        for end in "ab":
            body, place, W = found[pair.name, end]
            on = (-J.T @ own).reshape(-1, 6)[body]
            moment = W[3:] + np.cross(place - at.x[body], W[:3])
            np.testing.assert_allclose(on[:3], W[:3], rtol=0, atol=2e-12 * largest)
            np.testing.assert_allclose(on[3:], moment, rtol=0, atol=2e-12 * largest)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "strategy"), each_once(REDUNDANT, ["explicit", "projected"])
)
def test_reactions_that_are_unique_are_those_of_dense_equations(name, strategy):
    """In the plane forces are unique in it, and so is nothing across it."""
    linkage, result = run(name, strategy)
    equations = Absolute(linkage)
    row = len(result) - 1
    at = motion_of(result, linkage, row)
    _, multipliers, jacobians = equations.accelerations(at)
    J = np.vstack(jacobians)[:, equations.free]
    loose = np.linalg.svd(J.T)[2][np.linalg.matrix_rank(J, tol=1e-9) :].T
    assert loose.shape[1] == 3 * (len(linkage.pairs) - len(linkage.bars) + 1)
    found = wrenches(linkage, result, row)
    largest = max(np.abs(W).max() for _, _, W in found.values())
    begin, compared = 0, 0
    for pair, J in zip(linkage.pairs, jacobians, strict=True):
        own = slice(begin, begin + len(J))
        begin += len(J)
        body, place, W = found[pair.name, "b"]
        effect = -J.T.reshape(-1, 6, len(J))[body]
        for direction in np.linalg.svd(effect @ loose[own])[0].T[3:]:
            across = direction @ effect @ loose[own]
            assert np.abs(across).max() < 1e-9
            moment = W[3:] + np.cross(place - at.x[body], W[:3])
            ours = direction @ np.concatenate([W[:3], moment])
            theirs = direction @ effect @ multipliers[own]
            assert abs(ours - theirs) < 4e-13 * largest
            compared += 1
    assert compared == 3 * len(linkage.pairs)
