"""Planar dyads: every type closes on every side, on numbers, arrays and symbols alike."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import casadi
import numpy as np
import pytest

from motorik.algebra import IDENTITY_POSE, Angle, Pose, Vector, X, Z
from motorik.loops.closed_form import Hinge, KnownPoses, match_branches, solve_all
from tests.assembly.closed_form.linkages import (
    Linkage,
    brute_force,
    dead_centre,
    distance,
    largest_gap,
    random_rotation,
)

TWO_SIDED = ("RRR", "RRP", "PRR", "RPR", "RSP", "SRR", "RSR", "RPS")
ONE_SIDED = ("PRP", "RPP", "PPR", "PSP")
NO_WORK = {casadi.OP_INPUT, casadi.OP_OUTPUT, casadi.OP_CONST}


def dyad(kinds: str, seed: int) -> Linkage:
    """Return a crank on the root and a dyad of any geometry between the two, in any plane."""
    rng = np.random.default_rng(seed)
    R = random_rotation(rng)
    linkage = Linkage(3, rng)

    def place() -> Vector:
        return R @ Vector(*rng.normal(size=2), 0.0)

    def axis(kind: str) -> Vector:
        angle = rng.uniform(-3.0, 3.0)
        return R @ (Vector(np.cos(angle), np.sin(angle), 0.0) if kind == "P" else Z)

    linkage.add("R", 0, 1, place(), R @ Z, state_priority=1)
    for kind, (a, b) in zip(kinds, pairwise((1, 2, 3, 0)), strict=True):
        linkage.add(kind, a, b, place(), axis(kind))
    return linkage


@pytest.mark.parametrize("kinds", TWO_SIDED + ONE_SIDED)
def test_both_sides_of_any_dyad_close(kinds):
    for seed in range(8):
        linkage = dyad(kinds, seed)
        plan = linkage.plan()
        assert plan.independent == (0,)
        assert len(plan.groups) == 1
        for change in (0.0, 0.003):
            for assembled in solve_all(plan, linkage.start(plan, change)):
                assert largest_gap(plan, assembled) < 3e-14


@pytest.mark.parametrize("kinds", TWO_SIDED + ONE_SIDED)
def test_one_side_is_the_assembled_pose(kinds):
    for seed in range(8):
        linkage = dyad(kinds, seed)
        plan = linkage.plan()
        sides = match_branches(plan, linkage.values, linkage.poses)
        first, *_ = solve_all(plan, linkage.start(plan), first=sides)
        assert first.branches == tuple(sides)
        assert distance(linkage.values, first.coordinates) < 1e-12


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("kinds", TWO_SIDED + ONE_SIDED)
def test_no_side_is_missing(kinds):
    linkage = dyad(kinds, 4)
    plan = linkage.plan()
    listed = solve_all(plan, linkage.start(plan))
    assert len(listed) == plan.groups[0].n_branches
    assert len(brute_force(linkage, linkage.start(plan), 8)) == len(listed)
    if len(listed) == 2:
        assert distance(listed[0].coordinates, listed[1].coordinates) > 1e-3


@pytest.mark.parametrize("kinds", TWO_SIDED + ONE_SIDED)
def test_symbols_and_arrays_give_what_numbers_give(kinds):
    linkage = dyad(kinds, 2)
    plan = linkage.plan()
    start = linkage.start(plan)[0]
    sides = match_branches(plan, linkage.values, linkage.poses)
    turns = start + np.array([0.0, 0.001, -0.002])
    q, side = casadi.SX.sym("q"), casadi.SX.sym("side")

    def solved(turn: Any, on: Any) -> list[Any]:
        walk = KnownPoses(plan.root, plan.hinges, {0: Angle(turn)})
        solution = walk.solve(plan.groups[0], on)
        numbers = [getattr(c, "radians", c) for c in solution.coordinates.values()]
        return [*numbers, solution.margin]

    traced = casadi.Function("f", [q, side], [casadi.vertcat(*solved(q, side))])
    many = np.array(np.broadcast_arrays(*solved(turns, sides[0])))
    for turn, column in zip(turns, many.T, strict=True):
        one = np.array([float(v) for v in solved(float(turn), sides[0])])
        assert np.abs(column - one).max() < 2e-14
        assert np.abs(traced(turn, sides[0]).full().ravel() - one).max() < 2e-14


@pytest.mark.parametrize("kinds", TWO_SIDED)
def test_sides_meet_where_the_margin_vanishes(kinds):
    seen = 0
    for seed in range(6):
        linkage = dyad(kinds, seed)
        plan = linkage.plan()
        found = dead_centre(plan, linkage.start(plan)[0])
        if found is None:
            continue
        seen += 1
        before, behind = found
        one, other = solve_all(plan, {0: before})
        assert 0.0 < one.margins[0] < 2e-14
        assert distance(one.coordinates, other.coordinates) < 5e-7
        assert solve_all(plan, {0: behind + 1e-6}) == []
    assert seen > 0


def cost(*results: Any) -> int:
    """Count the operations of traced results, shared terms once."""
    outputs = [casadi.SX(e) for e in results]
    f = casadi.Function("f", casadi.symvar(casadi.vertcat(*outputs)), casadi.cse(outputs))
    return sum(f.instruction_id(k) not in NO_WORK for k in range(f.n_instructions()))


def plain_four_bar() -> Linkage:
    """Return a four-bar in the plane z = 0 with arms along x of their bodies."""
    linkage = Linkage(3)
    arms = {1: 0.3, 2: 0.8, 3: 0.6}
    angles = {1: 1.1, 2: 0.3, 3: 1.7}
    tips = {b: arms[b] * np.array([np.cos(w), np.sin(w), 0.0]) for b, w in angles.items()}
    places = {1: np.zeros(3), 2: tips[1], 3: tips[1] + tips[2] - tips[3]}
    frames = {b: Angle(angles[b]).rotation(Z) for b in angles}
    for body in arms:
        linkage.poses[body] = Pose(frames[body], Vector.of(places[body]))
    ends = {b: Pose(IDENTITY_POSE.R, Vector(length)) for b, length in arms.items()}
    ground = Pose(IDENTITY_POSE.R, Vector.of(places[3]))
    linkage.hinges = [
        Hinge(0, "R", 0, 1, IDENTITY_POSE, IDENTITY_POSE, Z),
        Hinge(1, "R", 1, 2, ends[1], IDENTITY_POSE, Z),
        Hinge(2, "R", 3, 2, ends[3], ends[2], Z),
        Hinge(3, "R", 0, 3, ground, IDENTITY_POSE, Z),
    ]
    values = (angles[1], angles[2] - angles[1], angles[2] - angles[3], angles[3])
    linkage.values = dict(enumerate(values))
    return linkage


def test_a_plain_dyad_of_three_turns_costs_few_operations():
    plan = plain_four_bar().plan()
    walk = KnownPoses(plan.root, plan.hinges, {0: Angle(casadi.SX.sym("q"))})
    point = cost(*walk.pose(1)(Vector(0.3)).xyz[:2])
    found = walk.solve(plan.groups[0], casadi.SX.sym("side"))
    rocker = found.coordinates[3]
    everything = [e for q in found.coordinates.values() for e in (q.sine, q.cosine)]
    assert cost(rocker.sine, rocker.cosine) - point == 22
    assert cost(*everything) - point == 37
    assert cost(*everything, found.margin) - point == 38


def test_a_plain_slider_crank_costs_few_operations():
    linkage = Linkage(3)
    pin, wrist = np.array([0.3, 0.4, 0.0]), np.array([1.5, -0.1, 0.0])
    linkage.chain("RRRP", (0, 1, 2, 3, 0), ((0, 0, 0), pin, wrist, wrist), (Z, Z, Z, X))
    plan = linkage.plan()
    walk = KnownPoses(plan.root, plan.hinges, {0: Angle(casadi.SX.sym("q"))})
    point = cost(*walk.pose(1)(Vector.of(pin)).xyz[:2])
    found = walk.solve(plan.groups[0], casadi.SX.sym("side")).coordinates
    crank_pin, wrist_pin = found[1], found[2]
    assert cost(found[3]) - point == 7
    assert cost(found[3], wrist_pin.sine, wrist_pin.cosine) - point == 14
    everything = (
        found[3],
        *(e for q in (crank_pin, wrist_pin) for e in (q.sine, q.cosine)),
    )
    assert cost(*everything) - point == 21
