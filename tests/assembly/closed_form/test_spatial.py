"""Spatial chains: reach, pointing, orientation and swivel close loops in closed form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import casadi
import numpy as np
import pytest

from motorik.algebra import Angle
from motorik.loops.closed_form import (
    AssurDecomposition,
    KnownPoses,
    match_branches,
    solve_all,
)
from tests.assembly.closed_form.linkages import (
    Linkage,
    brute_force,
    dead_centre,
    distance,
    largest_gap,
)

X, Y, Z = np.eye(3)
SKEW = np.array([0.48, 0.64, 0.6])
PIN = (0.0, 0.5, 0.1)
FAR = (0.9, 0.1, -0.3)


def crank(bodies: int, rng: np.random.Generator | None) -> Linkage:
    linkage = Linkage(bodies, rng)
    linkage.add("R", 0, 1, (0.0, 0.0, 0.0), X, state_priority=1)
    return linkage


def rod_and(kind: str, axis: Any) -> Callable[[Any], Linkage]:
    """Return SSR or SSP: a rod to a rocker or a slider."""

    def build(rng: Any) -> Linkage:
        linkage = crank(2, rng)
        linkage.add("D", 1, 2, PIN, to=(1.0, 0.2, 0.3))
        linkage.add(kind, 2, 0, (1.0, 0.7, 0.3), axis)
        return linkage

    return build


def cross_and_ball(kinds: str, at_end: str, axis: Any) -> Callable[[Any], Linkage]:
    """Return USR, USP, SUR, SUP: crank, U and S on a rod in this order, and a hinge."""

    def build(rng: Any) -> Linkage:
        linkage = crank(4, rng)
        if kinds == "US":
            linkage.chain("RRS", (1, 2, 3, 4), (PIN, PIN, FAR), (Z, Y, Z))
        else:
            linkage.chain("SRR", (1, 2, 3, 4), (PIN, FAR, FAR), (Z, Y, Z))
        linkage.add(at_end, 4, 0, (1.0, 0.3, 0.3), axis)
        return linkage

    return build


def leg(kind: str) -> Callable[[Any], Linkage]:
    """Return UPS or URS: a leg from the crank to a ball on the ground."""

    def build(rng: Any) -> Linkage:
        linkage = crank(4, rng)
        places = (PIN, PIN, (0.4, 0.2, 0.1), (1.0, 0.3, 0.3))
        linkage.chain("RR" + kind + "S", (1, 2, 3, 4, 0), places, (Z, Y, SKEW, Z))
        return linkage

    return build


def leg_upside_down(rng: Any) -> Linkage:
    """Return SPU: a leg from a ball on the crank to a cross on the ground."""
    linkage = crank(4, rng)
    places = (PIN, (0.4, 0.2, 0.1), FAR, FAR)
    linkage.chain("SPRR", (1, 2, 3, 4, 0), places, (Z, (0.8, 0.0, -0.6), Y, Z))
    return linkage


def seven_turns_and_a_slide(rng: Any) -> Linkage:
    """Return crank, a ball made of three turns, rod, a cross made of two, and a slider."""
    linkage = crank(6, rng)
    places = (PIN, PIN, PIN, FAR, FAR, (1.0, 0.1, -0.3))
    linkage.chain("RRRRRP", (1, 2, 3, 4, 5, 6, 0), places, (Z, Y, X, Y, Z, X))
    return linkage


def wishbones(rng: Any) -> Linkage:
    """Return an upright between two arms, steered by a rod."""
    linkage = crank(3, rng)
    linkage.add("R", 0, 2, (0.0, 0.0, 0.4), (0.28, 0.0, 0.96))
    linkage.add("S", 1, 3, (0.05, 0.5, -0.05))
    linkage.add("S", 2, 3, (0.0, 0.4, 0.45))
    linkage.add("D", 0, 3, (-0.2, 0.1, 0.1), to=(-0.2, 0.5, 0.12))
    return linkage


def strut(rng: Any) -> Linkage:
    """Return an upright on an arm, guided by a strut from above and steered by a rod."""
    linkage = crank(3, rng)
    along = np.array([-0.05, -0.1, 0.65])
    linkage.add("S", 1, 2, (0.05, 0.5, -0.05))
    linkage.add("P", 2, 3, (0.0, 0.4, 0.45), along / np.linalg.norm(along))
    linkage.add("S", 3, 0, (0.0, 0.38, 0.62))
    linkage.add("D", 0, 2, (-0.2, 0.1, 0.1), to=(-0.2, 0.5, 0.12))
    return linkage


CHAINS: dict[str, tuple[Callable[[Any], Linkage], list[str]]] = {
    "SSR": (rod_and("R", SKEW), ["reach of SSR"]),
    "SSP": (rod_and("P", (0.6, 0.8, 0.0)), ["reach of SSP"]),
    "USR": (cross_and_ball("US", "R", SKEW), ["reach of USR", "pointing of U"]),
    "USP": (cross_and_ball("US", "P", X), ["reach of USP", "pointing of U"]),
    "SUR": (cross_and_ball("SU", "R", SKEW), ["reach of SUR", "pointing of U"]),
    "SUP": (cross_and_ball("SU", "P", X), ["reach of SUP", "pointing of U"]),
    "UPS": (leg("P"), ["reach of UPS", "pointing of U"]),
    "URS": (leg("R"), ["reach of URS", "pointing of U"]),
    "SPU": (leg_upside_down, ["reach of SPU", "pointing of U"]),
    "turns": (
        seven_turns_and_a_slide,
        ["reach of SUP", "pointing of U", "orientation by RRR"],
    ),
    "wishbones": (wishbones, ["reach of SSR", "swivel on two balls"]),
    "strut": (strut, ["reach of SPS", "swivel on two balls"]),
}


def built(name: str, seed: int | None) -> tuple[Linkage, AssurDecomposition]:
    rng = None if seed is None else np.random.default_rng(seed)
    linkage = CHAINS[name][0](rng)
    return linkage, linkage.plan()


@pytest.mark.parametrize("name", CHAINS)
def test_all_sides_of_a_chain_close(name):
    for seed in (None, 1, 2, 3):
        linkage, plan = built(name, seed)
        assert plan.independent == (0,)
        assert [step.title for step in plan.groups] == CHAINS[name][1]
        for change in (0.0, 0.01):
            listed = solve_all(plan, linkage.start(plan, change))
            assert len(listed) > 1
            assert max(largest_gap(plan, assembled) for assembled in listed) < 2e-14


@pytest.mark.parametrize("name", CHAINS)
def test_one_side_is_the_assembled_pose(name):
    for seed in (None, 1, 2, 3):
        linkage, plan = built(name, seed)
        sides = match_branches(plan, linkage.values, linkage.poses)
        first, *_ = solve_all(plan, linkage.start(plan), first=sides)
        assert first.branches == tuple(sides)
        assert distance(linkage.values, first.coordinates) < 3e-14
        for body, X_body in first.poses.items():
            gap = X_body.numpy() - linkage.poses[body].numpy()
            assert np.abs(gap).max() < 1e-14


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["SSR", "SSP", "UPS", "URS", "wishbones", "strut"])
def test_no_side_is_missing(name):
    linkage, plan = built(name, None)
    count = len(solve_all(plan, linkage.start(plan)))
    assert len(brute_force(linkage, linkage.start(plan), 24)) == count


@pytest.mark.parametrize("name", CHAINS)
def test_symbols_and_arrays_give_what_numbers_give(name):
    linkage, plan = built(name, 1)
    start = linkage.start(plan)[0]
    sides = match_branches(plan, linkage.values, linkage.poses)
    turns = start + np.array([0.0, 0.01, -0.02])
    q, side = casadi.SX.sym("q"), casadi.SX.sym("side", len(sides))

    def solved(turn: Any, on: Any) -> list[Any]:
        walk = KnownPoses(plan.root, plan.hinges, {0: Angle(turn)})
        margins = []
        for step, its_side in zip(plan.groups, on, strict=True):
            solution = walk.solve(step, its_side)
            margins.append(solution.margin)
            walk.learn(solution)
        numbers = [getattr(c, "radians", c) for c in walk.coordinates.values()]
        entries = [e for body in walk.given for e in walk.pose(body).R.entries]
        return [*numbers, *entries, *margins]

    symbols = solved(q, casadi.vertsplit(side))
    traced = casadi.Function("f", [q, side], [casadi.vertcat(*symbols)])
    many = np.array(np.broadcast_arrays(*solved(turns, sides)))
    for turn, column in zip(turns, many.T, strict=True):
        one = np.array([float(v) for v in solved(float(turn), sides)])
        assert np.abs(column - one).max() < 1e-13
        assert np.abs(traced(turn, sides).full().ravel() - one).max() < 1e-13


@pytest.mark.parametrize("name", ["SSR", "SSP", "wishbones"])
def test_sides_meet_where_the_margin_vanishes(name):
    linkage, plan = built(name, None)
    found = dead_centre(plan, linkage.start(plan)[0])
    assert found is not None
    before, behind = found
    reached = {a.branches[0]: a for a in solve_all(plan, {0: before})}
    hinge = plan.groups[0].hinges[0]
    one, other = ({hinge: a.coordinates[hinge]} for a in reached.values())
    assert 0.0 < reached[1.0].margins[0] < 5e-15
    assert distance(one, other) < 2e-7
    assert solve_all(plan, {0: behind + 1e-6}) == []
