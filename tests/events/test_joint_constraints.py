"""Friction in the joints of large trees: recursion against matrices."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from motorik import Body, BodyBox, FixedTranslation, Model, Revolute, World, blocks
from motorik.compiler.kernels import native
from motorik.components.base.internal import NonsmoothForce
from motorik.joints import Coulomb, Prismatic, Spherical, Stribeck
from motorik.nonsmooth.application.joint_modes import (
    complete_matrix,
    descend_joints,
    pivot_joints,
    set_scaled,
    spread_diagonal,
    unscale_joints,
)
from motorik.nonsmooth.application.run_events import ConstraintEntry, ConstraintTable
from motorik.nonsmooth.complementarity.box_lcp import COUNTS, box_lcp_size, solve_box_lcp
from motorik.nonsmooth.complementarity.reduction import room_size
from motorik.nonsmooth.memory import (
    CONTACT_STATE,
    LCP_DATA,
    Contact,
    EventMemory,
    ForceBound,
    Lcp,
    contact_at,
    lcp_at,
    lcp_data_at,
    solver_modes_at,
    work_at,
)
from motorik.results.result import Result
from motorik.simulation.stepping.workspace import HEAD
from motorik.system import native_functions

# --- runs ------------------------------------------------------------------------------------


FOLDING = 2  # the seed that stands for a chain on its stops


class Branching(Model):
    """A tree of joints of several kinds, with friction and some with stops, under gravity."""

    def build(self, n: int = 6, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.world = World(n="-y")
        joints: list[Any] = []
        for k in range(n):
            axis, size = tuple(rng.normal(size=3)), float(rng.uniform(0.2, 1.0))
            law = Coulomb if k % 2 else Stribeck
            rough: dict[str, Any] = {} if k % 2 else {"stribeck": 0.3 * size, "fexp": 3.0}
            if k == 4:
                joints.append(Spherical())
            elif k % 3 == 2:
                slides = law(f=3.0 * size, **rough)
                v, hits = float(rng.normal()), {"stops": (-0.1, 0.2), "restitution": 0.4}
                given: dict[str, Any] = {"v": v, "friction": slides, **hits}
                joints.append(Prismatic(n=axis, **given))
            else:
                turns = law(tau=size, **rough)
                w, stops = float(rng.normal()), (-0.3, None) if k == 3 else None
                joints.append(Revolute(n=axis, w=w, friction=turns, stops=stops))
        self.joint = joints
        self.offset = [FixedTranslation(r=tuple(rng.uniform(-0.3, 0.3, 3))) for _ in joints]
        self.body = [
            Body(m=0.4, r_CM=tuple(rng.uniform(-0.1, 0.1, 3)), I=np.eye(3) * 0.01)
            for _ in joints
        ]
        ends = [self.world.frame_b]
        for joint, body, offset in zip(joints, self.body, self.offset, strict=True):
            ends[int(rng.integers(max(0, len(ends) - 3), len(ends)))] >> joint.frame_a
            joint.frame_b >> body.frame_a
            joint.frame_b >> offset.frame_a
            ends.append(offset.frame_b)


class Folding(Model):
    """A hanging chain that falls onto its stops, where friction shares the load with them.

    A trigger reads an acceleration, and the power that friction takes.
    """

    def build(self, n: int = 3, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        self.world = World(n="-y")
        self.joint = [
            Revolute(
                n="z",
                phi=0.1,
                w=float(rng.normal()),
                friction=Stribeck(tau=0.3, stribeck=0.1, fexp=2.0) if k % 3 else None,
                stops=(-0.5, 0.4),
                restitution=0.3 if k else 0.0,
            )
            for k in range(n)
        ]
        self.link = [BodyBox(r=(0.3, 0, 0), width=0.03) for _ in range(n)]
        at = self.world.frame_b
        for joint, link in zip(self.joint, self.link, strict=True):
            at >> joint.frame_a
            joint.frame_b >> link.frame_a
            at = link.frame_b
        mark: Any = blocks.Discrete(start=0.0)
        self.mark = mark

        def seen(motion: Any) -> Any:
            return motion["joint[2].a"] + motion["joint[2].lossPower"]

        self.when(lambda motion: motion["joint[2].phi"] - 0.2, set={mark: seen})


@cache
def made(seed: int, is_rolled: bool) -> Model:
    """Return a tree, compiled by recursion or by matrices."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native_functions, "ROLL_FROM", 1 if is_rolled else 10_000)
        model = Branching(seed=seed) if seed < FOLDING else Folding()
        assert model.compile().is_rolled == is_rolled
        return model


@cache
def run(seed: int, is_rolled: bool) -> Result:
    """Return the run of a tree."""
    return made(seed, is_rolled).simulate(1.0, rtol=1e-9, output=11)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, FOLDING, pytest.param(1, marks=pytest.mark.thorough)])
def test_recursion_and_matrices_give_the_same_run(seed: int) -> None:
    rolled, dense = run(seed, True), run(seed, False)
    one, other = ([(str(e.part), e.what) for e in own.events] for own in (rolled, dense))
    assert one == other
    assert len(one) > 12
    times = [[e.time for e in own.events] for own in (rolled, dense)]
    np.testing.assert_allclose(*times, rtol=0, atol=1e-6)
    np.testing.assert_allclose(rolled.states, dense.states, rtol=0, atol=1e-6)


@pytest.mark.slow
def test_triggers_read_accelerations_and_forces() -> None:
    rolled, dense = run(FOLDING, True), run(FOLDING, False)
    assert abs(rolled["mark.y"][-1]) > 0.1
    np.testing.assert_allclose(rolled["mark.y"], dense["mark.y"], rtol=1e-7, atol=1e-7)


@pytest.mark.slow
def test_forces_and_lost_power_are_those_of_the_laws() -> None:
    rolled, dense = run(0, True), run(0, False)
    for k in (0, 1, 2, 3):
        name = f"joint[{k + 1}].lossPower"
        np.testing.assert_allclose(rolled[name], dense[name], rtol=0, atol=1e-5)


@pytest.mark.slow
def test_native_functions_agree_with_those_by_matrices() -> None:
    rolled, dense = (made(0, is_rolled).compile() for is_rolled in (True, False))
    m, n = rolled.form.along_joints.nonsmooth.size, rolled.layout.n_x
    rng, t, p = np.random.default_rng(0), np.zeros(1), rolled.parameter_values()
    projects = dense.natives.get("project")
    x = projects(t, rng.normal(size=n), p)
    speeds = rolled.form.along_joints.native_places
    places = rolled.layout.nonsmooth.forces
    constraints = rolled.form.along_joints.nonsmooth.constraints
    for constraint, own, at in zip(constraints, places, speeds, strict=True):
        if constraint.gap is None:
            p[own.stick] = float(rng.integers(2))
            p[own.direction] = 0.0 if p[own.stick] else np.sign(x[at])
    stopped = x + rolled.stopping(t, x, p)
    np.testing.assert_allclose(stopped, projects(t, x, p), rtol=0, atol=1e-12)
    for name in ("derivative", "contact_state", "forces"):
        one, other = (getattr(own, name)(t, stopped, p) for own in (rolled, dense))
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-10)
    one, other = (own.contact_lcp(t, x, p) for own in (rolled, dense))
    D = other[LCP_DATA * m : LCP_DATA * m + m * m].reshape(m, m)
    np.testing.assert_allclose(one[: LCP_DATA * m], other[: LCP_DATA * m], atol=1e-10)
    np.testing.assert_allclose(one[LCP_DATA * m :], np.diag(D), rtol=1e-10)
    for k, own in enumerate(places):
        p[own.force] = 1.0
        change = rolled.impulse_response(t, x, p)[speeds] * rolled.form.along_joints.factors
        np.testing.assert_allclose(change, D[:, k], rtol=1e-7, atol=1e-10)
        p[own.force] = 0.0


def test_constraints_that_are_not_along_joints_keep_their_matrices(monkeypatch) -> None:
    monkeypatch.setattr(native_functions, "ROLL_FROM", 1)
    model = Model()
    model.world = World(n="-y")
    model.hinge = Revolute(n="z", friction=Coulomb(mu=0.2, radius=0.05))  # by its load
    model.body = Body(m=1.0, r_CM=(0.3, 0, 0))
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.body.frame_a
    system = model.compile()
    assert system.form.joint_constraints is None
    assert not system.is_rolled


# --- modes -------------------------------------------------------------------------------------


class Problem:
    """A box LCP as events see it: `contact_state` solves given modes, by its matrix."""

    def __init__(self, rng: np.random.Generator, m: int) -> None:
        L = np.tril(rng.normal(size=(m, m)))
        np.fill_diagonal(L, rng.uniform(0.05, 1.0, m))  # so that pivoting may cycle
        self.m, self.D, self.b = m, L @ L.T, 3.0 * rng.normal(size=m)
        self.high = rng.uniform(0.2, 2.0, m)
        self.low = -rng.uniform(0.2, 2.0, m)
        slides = rng.random(m) < 0.2
        self.low[slides] = self.high[slides]
        self.slides = slides
        at = [NonsmoothForce(4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3) for k in range(m)]
        entries = [ConstraintEntry(name=str(k), has_gap=False, at=at[k]) for k in range(m)]
        table = ConstraintTable(entries)
        self.memory = np.zeros(table.doubles + m).view(EventMemory)
        self.counts = table.counts
        self.w: Any = np.zeros(HEAD + 16 * m)
        self.ode: Any = SimpleNamespace(p=np.zeros(4 * m))
        first = int(lcp_at(m))
        rows = self.memory[first : first + Lcp.VECTORS * m].reshape(-1, m)
        rows[Lcp.B], rows[Lcp.LOW], rows[Lcp.HIGH] = self.b, self.low, self.high
        rows[Lcp.FACTOR] = 1.0
        self.forces = rows[Lcp.FORCE]
        first = int(lcp_data_at(m)) + LCP_DATA * m
        self.matrix = self.memory[first : first + m * m]
        self.matrix[:m] = np.diag(self.D)
        first = int(solver_modes_at(m))
        self.modes = self.counts[first : first + m]
        self.counts[first + m : first + 2 * m] = np.where(
            slides, ForceBound.FORWARD, ForceBound.LOW
        )
        for k in range(m):
            self.counts[contact_at(k) + Contact.at_speed] = k
        self.solved = 0
        self.events: Any = self  # it takes the part of the memory of events
        spread_diagonal(self.events)

    @property
    def stopping(self):
        return self.contact_state

    def contact_state(self, t, x, p, out) -> None:
        """Write the `ContactState` in the modes of p."""
        self.solved += 1
        numbers = p.reshape(-1, 4)
        stick = numbers[:, 1] != 0.0
        force = np.where(numbers[:, 2] > 0.0, self.high, 0.0)  # the sliding ones
        force = np.where(numbers[:, 3] > 0.0, self.low, force)
        force = np.where(numbers[:, 3] < 0.0, self.high, force)
        right = -(self.b + self.D @ force)[stick]
        force[stick] = np.linalg.solve(self.D[np.ix_(stick, stick)], right)
        found = out[: CONTACT_STATE * self.m].reshape(-1, CONTACT_STATE)
        found[:, 1], found[:, 6] = force, self.D @ force + self.b
        found[stick, 6] = 0.0

    def impulse_response(self, t, x, p, out) -> None:
        """Write the change of the speeds by impulses in p."""
        out[: self.m] = self.D @ p.reshape(-1, 4)[:, 0]

    def by_matrix(self) -> tuple[np.ndarray, np.ndarray]:
        """Return forces and modes of the dense solver."""
        doubles, integers = box_lcp_size(self.m)
        lam, modes = np.zeros(self.m), np.zeros(self.m, dtype=np.int64)
        work, counts = np.zeros(doubles), np.zeros(integers, dtype=np.int64)
        given = self.D.copy().ravel(), self.b.copy(), self.low, self.high, 0, np.zeros(1)
        assert native(solve_box_lcp)(self.m, *given, modes, lam, work, counts) == 0
        return lam, modes


def check(problem: Problem, lam: np.ndarray, modes: np.ndarray) -> None:
    """Check forces and modes against those of the dense solver."""
    wanted, codes = problem.by_matrix()
    np.testing.assert_allclose(lam, wanted, rtol=0, atol=1e-9 * abs(wanted).max())
    sticks = (codes == 0) & ~problem.slides
    np.testing.assert_array_equal((modes == 0) & ~problem.slides, sticks)


def test_pivoting_by_recursion_gives_the_forces_of_the_dense_solver() -> None:
    rng = np.random.default_rng(1)
    recursions = []
    for _ in range(40):
        problem = Problem(rng, int(rng.integers(2, 14)))
        problem.modes[:] = rng.integers(-1, 2, problem.m)
        kept = problem.ode.p[:] = rng.normal(size=4 * problem.m)
        before = kept.copy()
        assert pivot_joints(problem.m, problem.w, problem.ode, problem.events) == 0
        np.testing.assert_array_equal(problem.ode.p, before)
        check(problem, problem.forces, problem.modes)
        recursions.append(problem.solved)
    assert np.median(recursions) < 8


def check_descent(problem: Problem) -> None:
    """Check the descent, from all modes that may stick, against the dense solver."""
    m = problem.m
    numbers = problem.memory[int(work_at(m) + room_size(m)) :]
    scaled, first = numbers[m:], int(solver_modes_at(m))
    counts = problem.counts[first + 2 * m :]
    modes = counts[COUNTS:]
    assert set_scaled(problem.events, scaled, modes, numbers) == 1
    modes[:m] = np.where(problem.slides, 1, 0)
    left = descend_joints(m, problem.w, problem.ode, problem.events, scaled, modes, counts)
    assert left == 0
    unscale_joints(problem.events, scaled, modes, numbers, counts)
    check(problem, problem.forces, problem.modes)


def test_the_descent_gives_the_forces_of_the_dense_solver() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        check_descent(Problem(rng, int(rng.integers(2, 14))))


@pytest.mark.parametrize("seed", [189, 570, 757, 835, 867])
def test_the_descent_ends_where_modes_would_change_without_end(seed: int) -> None:
    """Those are problems at which steps beyond the first bound go round."""
    check_descent(Problem(np.random.default_rng(seed), 6))


def test_the_matrix_is_completed_column_by_column() -> None:
    problem = Problem(np.random.default_rng(3), 6)
    complete_matrix(6, problem.w, problem.ode, problem.events)
    np.testing.assert_allclose(problem.matrix.reshape(6, 6), problem.D, rtol=1e-14)
    assert problem.counts.complete == 1
    assert not problem.ode.p.any()


def test_forces_that_are_no_numbers_are_left_to_the_dense_solver() -> None:
    problem = Problem(np.random.default_rng(4), 5)
    problem.memory[int(lcp_at(5)) + Lcp.B * 5 + 2] = np.nan
    assert pivot_joints(5, problem.w, problem.ode, problem.events) == 1
