"""The finder: which coordinates stay, which steps it takes, and when it gives up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import casadi
import numpy as np
import pytest

from motorik.algebra import IDENTITY_POSE, Angle, Matrix, Pose, Vector, rotation_about
from motorik.loops.closed_form import (
    AssurDecomposition,
    KnownPoses,
    find_decomposition,
    match_branches,
    solve_all,
)
from tests.assembly.closed_form.linkages import (
    Linkage,
    distance,
    largest_gap,
    random_rotation,
)

X, Y, Z = np.eye(3)
UPRIGHT = IDENTITY_POSE.R
TILTED = random_rotation(np.random.default_rng(11))


def planar(
    hinges: str,
    places: Any,
    rng: Any = None,
    R: Matrix = UPRIGHT,
    wished: int | None = None,
) -> Linkage:
    """Return a planar linkage from a text such as "R01 R12 P20x": kind, bodies, slide axis."""
    words = hinges.split()
    bodies = {int(digit) for word in words for digit in word[1:3]}
    linkage = Linkage(max(bodies), rng)
    for i, (word, place) in enumerate(zip(words, places, strict=True)):
        axis = {"x": X, "y": Y}[word[3]] if word[0] == "P" else Z
        at = R @ Vector(*map(float, place), 0.0)
        wish = int(i == wished)
        linkage.add(
            word[0],
            int(word[1]),
            int(word[2]),
            at,
            R @ Vector.of(axis),
            state_priority=wish,
        )
    return linkage


FOUR_BAR = "R01 R12 R23 R03", ((0, 0), (0.1, 0.3), (0.9, 0.6), (1, 0))
SLIDER_CRANK = "R01 R12 R23 P30x", ((0, 0), (0.1, 0.3), (1, 0.1), (1, 0.1))
WATT = (
    "R01 R12 R23 R03 R34 R45 R05",
    ((0, 0), (0.1, 0.3), (0.9, 0.8), (1, 0), (1.4, 0.9), (2.2, 0.7), (2, 0)),
)
STEPHENSON = (
    "R01 R12 R23 R03 R24 R45 R05",
    ((0, 0), (0.1, 0.3), (0.9, 0.8), (1, 0), (0.6, 1.2), (1.7, 1.0), (2, 0)),
)


def steps_of(plan: AssurDecomposition) -> list[str]:
    return [step.title for step in plan.groups]


def worst(linkage: Linkage, plan: AssurDecomposition, change: float = 0.01) -> float:
    """Return the largest gap of all ways to assemble it, near the assembled pose."""
    listed = solve_all(plan, linkage.start(plan, change))
    assert listed
    return max(largest_gap(plan, assembled) for assembled in listed)


@pytest.mark.parametrize("seed", [None, 1])
@pytest.mark.parametrize("R", [UPRIGHT, TILTED])
@pytest.mark.parametrize(
    ("linkage", "steps"),
    [
        (FOUR_BAR, ["RRR dyad"]),
        (SLIDER_CRANK, ["RRP dyad"]),
        (WATT, ["RRR dyad", "RRR dyad"]),
        (STEPHENSON, ["RRR dyad", "RRR dyad"]),
    ],
    ids=["four_bar", "slider_crank", "watt", "stephenson"],
)
def test_planar_mechanisms_are_peeled_into_dyads(linkage, steps, R, seed):
    rng = None if seed is None else np.random.default_rng(seed)
    built = planar(*linkage, rng, R)
    plan = built.plan()
    assert plan.independent == (0,)
    assert steps_of(plan) == steps
    assert worst(built, plan) < 6e-15


@pytest.mark.parametrize("wished", range(4))
@pytest.mark.parametrize("linkage", [FOUR_BAR, SLIDER_CRANK], ids=["four", "slider"])
def test_any_hinge_can_be_the_independent_one(linkage, wished):
    built = planar(*linkage, np.random.default_rng(3), wished=wished)
    plan = built.plan()
    assert plan.independent == (wished,)
    assert worst(built, plan) < 6e-15


def test_the_crank_is_independent_rather_than_the_rocker():
    hinges = "R03 R32 R21 R01"
    built = planar(hinges, ((1, 0), (0.9, 0.6), (0.1, 0.3), (0, 0)))
    assert built.plan().independent == (3,)


@pytest.mark.parametrize("wished", [1, 3])
def test_a_six_bar_driven_from_the_coupler_is_a_rigid_group_at_first(wished):
    built = planar(*STEPHENSON, np.random.default_rng(2), wished=wished)
    plan = built.plan()
    assert plan.independent == (wished,)
    assert worst(built, plan, 0.001) < 1e-14


def excavator(rng: Any = None) -> Linkage:
    """Return a boom lifted by a cylinder whose stroke is wished for."""
    linkage = Linkage(3, rng)
    along = np.array([0.6, 0.5, 0.0]) / np.hypot(0.6, 0.5)
    linkage.add("R", 0, 1, (0, 0, 0))
    linkage.add("R", 0, 2, (0.2, -0.3, 0))
    linkage.add("P", 2, 3, (0.4, -0.1, 0), along, state_priority=1)
    linkage.add("R", 3, 1, (0.8, 0.2, 0))
    return linkage


@pytest.mark.parametrize("seed", [None, 5])
def test_a_hinge_inside_a_rigid_group_moves_it(seed):
    linkage = excavator(None if seed is None else np.random.default_rng(seed))
    plan = linkage.plan()
    assert plan.independent == (2,)
    assert plan.groups[0].inner == (2,)
    assert worst(linkage, plan) < 5e-15


def andrews() -> Linkage:
    """Return Andrews' seven bodies at a pose near the one it starts from."""
    A, B = np.array([-0.06934, -0.00227]), np.array([-0.03635, 0.03273])
    beta, gamma, delta, eps = -0.0617, 0.4553, 0.4874, 1.2305

    def at(angle: float) -> np.ndarray:
        return np.array([np.cos(angle), np.sin(angle)])

    F, E = 0.007 * at(beta), B + 0.035 * at(gamma - np.pi / 2)
    G, H = A + 0.04 * at(delta), A + 0.04 * at(eps - np.pi / 2)
    places = ((0, 0), F, B, E, A, G, E, A, H, E)
    return planar("R01 R12 R03 R32 R05 R54 R42 R07 R76 R62", places)


def test_andrews_mechanism_is_three_dyads_of_three_turns():
    linkage = andrews()
    plan = linkage.plan()
    assert plan.independent == (0,)
    assert [set(step.hinges) for step in plan.groups] == [{1, 2, 3}, {4, 5, 6}, {7, 8, 9}]
    assert steps_of(plan) == ["RRR dyad"] * 3
    assert worst(linkage, plan) < 6e-15


def engine(rng: Any = None) -> Linkage:
    """Return a crankshaft along x with six rods and pistons in two banks."""
    linkage = Linkage(13, rng)
    linkage.add("R", 0, 1, (0, 0, 0), X)
    for k in range(6):
        bank, throw = (-1) ** k * np.pi / 6, 2 * np.pi * k / 3 + 0.3
        along = np.array([0, np.sin(bank), np.cos(bank)])
        pin = np.array([0.1 * k, 0.05 * np.sin(throw), 0.05 * np.cos(throw)])
        aside = pin @ np.cross(X, along)
        piston = (pin @ along + np.sqrt(0.2**2 - aside**2)) * along + 0.1 * k * X
        rod, head = 2 + 2 * k, 3 + 2 * k
        linkage.add("R", 1, rod, pin, X)
        linkage.add("R", rod, head, piston, X)
        linkage.add("P", head, 0, piston, along)
    return linkage


@pytest.mark.parametrize("seed", [None, 1])
def test_an_engine_is_a_crank_and_six_dyads(seed):
    linkage = engine(None if seed is None else np.random.default_rng(seed))
    plan = linkage.plan()
    assert plan.independent == (0,)
    assert steps_of(plan) == ["RRP dyad"] * 6
    sides = match_branches(plan, linkage.values, linkage.poses)
    first = solve_all(plan, linkage.start(plan), first=sides)[0]
    assert distance(linkage.values, first.coordinates) < 6e-15
    assert len(solve_all(plan, linkage.start(plan))) == 64


def test_loops_in_different_planes_and_on_a_moving_body():
    linkage = planar(*FOUR_BAR, np.random.default_rng(4))
    for body in (4, 5, 6):
        linkage.poses[body] = Pose(random_rotation(np.random.default_rng(body)))
    linkage.chain(  # on the coupler, in a plane that moves with it
        "RRRR",
        (2, 4, 5, 6, 2),
        ((0.5, 0.4, 0), (0.5, 0.5, 0.3), (0.5, 1.1, 0.4), (0.5, 1.2, 0)),
        (X, X, X, X),
    )
    plan = linkage.plan(2)
    assert sorted(plan.independent)[0] == 0
    assert steps_of(plan) == ["RRR dyad", "RRR dyad"]
    assert worst(linkage, plan) < 6e-15


def stewart(ball_legs: str = "RRPS", rng: Any = None) -> Linkage:
    """Return a platform on six legs with a cross at the bottom and a ball at the top."""
    linkage = Linkage(1 + 6 * (len(ball_legs) - 1), rng)
    for k in range(6):
        foot = np.array([np.cos(k), np.sin(k), 0.0])
        head = np.array([0.5 * np.cos(k + 0.4), 0.5 * np.sin(k + 0.4), 1.0])
        along = (head - foot) / np.linalg.norm(head - foot)
        aside = np.cross(along, Z) / np.linalg.norm(np.cross(along, Z))
        first = 2 + (len(ball_legs) - 1) * k
        bodies = (0, *range(first, first + len(ball_legs) - 1), 1)
        places = (*[foot] * (len(ball_legs) - 2), 0.5 * (foot + head), head)
        axes = (aside, np.cross(along, aside), along, Z)[-len(ball_legs) :]
        linkage.chain(ball_legs, bodies, places, axes)
    return linkage


@pytest.mark.slow
@pytest.mark.parametrize("seed", [None, 6])
def test_a_platform_is_carried_by_one_leg_and_closes_the_five_others(seed):
    linkage = stewart(rng=None if seed is None else np.random.default_rng(seed))
    plan = linkage.plan(6, balls=True)
    assert plan.independent == (0, 1, 2, 3)
    assert steps_of(plan) == ["reach of UPS", "pointing of U"] * 5
    ball = plan.hinges[3]
    R_a = linkage.poses[ball.a].R @ ball.X_a.R
    R_b = linkage.poses[ball.b].R @ ball.X_b.R
    start: dict[int, Any] = {i: linkage.values[i] + 0.01 for i in (0, 1, 2)}
    listed = solve_all(plan, {**start, 3: R_a.T @ R_b})
    assert len(listed) == 64
    assert max(largest_gap(plan, assembled) for assembled in listed) < 1e-14


@pytest.mark.slow
def test_wishes_that_leave_no_closed_form_are_not_heeded():
    linkage = stewart()
    for k in range(2, 24, 4):
        linkage.hinges[k] = replace(linkage.hinges[k], state_priority=1)
    assert linkage.plan(6, balls=True).independent == (0, 1, 2, 3)


def test_a_third_crank_of_a_parallelogram_follows_by_a_link():
    places = ((0, 0), (0.2, 0.4), (1.2, 0.4), (1, 0), (0.7, 0.4), (0.5, 0))
    built = planar("R01 R12 R23 R03 R24 R04", places)
    plan = built.plan()
    assert plan.independent == (0,)
    assert sorted(steps_of(plan)) == ["RR link", "RRR dyad"]
    sides = match_branches(plan, built.values, built.poses)
    followed = solve_all(plan, built.start(plan, 0.3), first=sides)[0]
    assert largest_gap(plan, followed) < 2e-15


def test_a_dead_centre_among_the_other_poses_tells_nothing():
    places = ((0, 0), (0.2, 0.4), (1.2, 0.4), (1, 0))
    built = planar("R01 R12 R23 R03", places)
    plan = built.plan()
    flat = float(-np.arctan2(0.4, 0.2))
    turned = {0: flat, 1: -flat, 2: flat, 3: flat}
    walk = KnownPoses(0, built.hinges, turned)
    poses = {body: walk.pose(body) for body in built.poses}
    again = find_decomposition(
        0, built.hinges, [built.poses, poses], [built.values, turned], 1
    )
    assert isinstance(again, AssurDecomposition)
    assert steps_of(again) == steps_of(plan)
    assert isinstance(find_decomposition(0, built.hinges, [poses], [turned], 1), str)


def test_a_second_bearing_of_a_shaft_is_measured():
    linkage = Linkage(1, np.random.default_rng(1))
    linkage.add("R", 0, 1, (0, 0, 0), X)
    linkage.add("R", 0, 1, (0.7, 0, 0), X)
    plan = linkage.plan()
    assert steps_of(plan) == ["closing joint"]
    assert worst(linkage, plan, 0.5) < 5e-15


def test_a_wedge_slides_on_slides():
    linkage = Linkage(2, np.random.default_rng(1))
    linkage.add("P", 0, 1, (0, 0, 0), X)
    linkage.add("P", 1, 2, (0, 0.1, 0), (0.8, 0.6, 0.0))
    linkage.add("P", 2, 0, (0, 0.3, 0), Y)
    plan = linkage.plan()
    assert steps_of(plan) == ["PP link"]
    assert worst(linkage, plan, 0.1) < 1e-15


def test_axes_that_are_nearly_parallel_make_no_planar_dyad():
    hinges, places = FOUR_BAR
    for angle, expected in ((1e-11, True), (1e-7, False)):
        built = planar(hinges, places)
        bent = rotation_about(Vector(1.0), angle)
        built.hinges[2] = replace(built.hinges[2], axis=bent @ Vector(0.0, 0.0, 1.0))
        assert isinstance(built.find(), AssurDecomposition) is expected


def test_a_ball_makes_no_planar_dyad_between_bodies_that_leave_the_plane():
    linkage = Linkage(3)
    linkage.add("R", 0, 1, (0, 0, 0), X)
    linkage.add("R", 0, 2, (0.2, 0, 0), Z)
    linkage.add("S", 2, 3, (0.9, 0.5, 0))
    linkage.add("P", 3, 1, (0.9, 0.5, 0), Y)
    assert isinstance(linkage.find(), str)


def bricard() -> Linkage:
    """Return six turns along the edges of a cube, which still can move."""
    places = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1), (0, 0, 1))
    linkage = Linkage(5)
    linkage.chain("RRRRRR", (0, 1, 2, 3, 4, 5, 0), places, (Y, Z, X, Y, Z, X))
    return linkage


def test_six_skew_turns_have_no_closed_form_and_it_is_said():
    reason = bricard().find()
    assert isinstance(reason, str)
    assert reason.endswith("is among r1, r2, r3, r4, r5")


@pytest.mark.slow
def test_a_platform_on_legs_free_to_spin_has_none():
    assert isinstance(stewart("SPS").find(12, balls=True), str)


def test_a_joint_without_closed_form_is_named():
    linkage = planar(*FOUR_BAR)
    linkage.hinges[2] = replace(linkage.hinges[2], kind="O", name="arm.screw")
    assert linkage.find() == "there is no closed form with arm.screw"


def test_a_wrong_count_of_freedoms_is_noticed():
    linkage = planar(*FOUR_BAR)
    assert isinstance(linkage.find(2), str)
    assert isinstance(linkage.find(0), str)


def test_the_order_of_hinges_does_not_matter():
    linkage = andrews()
    rng = np.random.default_rng(0)
    for _ in range(5):
        order = [linkage.hinges[i] for i in rng.permutation(10)]
        plan = find_decomposition(0, order, [linkage.poses], [linkage.values], 1)
        assert isinstance(plan, AssurDecomposition)
        assert plan.independent == (0,)
        assert {frozenset(step.hinges) for step in plan.groups} == {
            frozenset({1, 2, 3}),
            frozenset({4, 5, 6}),
            frozenset({7, 8, 9}),
        }


def test_a_plan_found_on_numbers_runs_on_live_lengths():
    linkage = planar(*FOUR_BAR)
    plan = linkage.plan()
    length = casadi.SX.sym("length")

    def with_rocker(end: Any) -> list:
        moved = replace(linkage.hinges[3], X_a=Pose(IDENTITY_POSE.R, Vector(end)))
        return [*linkage.hinges[:3], moved]

    def coupler(on: AssurDecomposition) -> Any:
        walk = KnownPoses(0, on.hinges, {0: Angle(0.1)})
        return walk.solve(on.groups[0], 1.0).coordinates[1].radians

    traced = casadi.Function(
        "f", [length], [coupler(plan.with_hinges(with_rocker(length)))]
    )
    for value in (0.9, 1.0, 1.2):
        number = coupler(plan.with_hinges(with_rocker(value)))
        assert float(traced(value)) == pytest.approx(number, abs=1e-15)
    symbols = find_decomposition(
        0, with_rocker(length), [linkage.poses], [linkage.values], 1, lambda e: present(e)
    )
    assert isinstance(symbols, AssurDecomposition)
    assert symbols.independent == plan.independent


def present(entry: Any) -> float:
    """Return the number an entry stands for, 1.0 for the live length."""
    return 1.0 if isinstance(entry, casadi.SX) else float(entry)
