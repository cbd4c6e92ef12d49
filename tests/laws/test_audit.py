"""Audit: after each step the equations of loops hold; what does not is told, never silent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import motorik as mk
from motorik import guess, planar
from motorik.algebra.scalar import where
from motorik.compiled_model import CompiledModel
from motorik.dynamics import sparse
from motorik.dynamics.elimination import Pivot
from motorik.dynamics.sparse import SymmetricFactors, fault_of
from motorik.dynamics.symmetric_order import (
    SymmetricOrder,
    choose_redundant_order,
    choose_symmetric_order,
)
from motorik.errors import LoopError
from motorik.functions import arctan2, sqrt
from motorik.gallery import Fourbar1, PlanarFourbar, chain
from motorik.loops import equations_of_motion, shared_code
from motorik.loops.elimination_orders import EliminationOrders
from motorik.simulation.simulator import Simulator
from motorik.system import native_functions
from motorik.system.state_space import StateSpaceForm


def poses(seed: int, n: int, m: int, count: int) -> np.ndarray:
    """Return matrices [[M, Gᵀ], [G, 0]] of one pattern whose entries of G change signs."""
    return poses_at(seed, n, m, np.linspace(0.0, 6.0, count))


def poses_at(seed: int, n: int, m: int, times: np.ndarray) -> np.ndarray:
    """Return such matrices at times; the first entry of each constraint vanishes at 1, 2, …"""
    rng = np.random.default_rng(seed)
    phase = rng.uniform(0.0, 6.28, (m, n))
    phase[:, 0] = -np.arange(1.0, m + 1.0)
    root = rng.normal(size=(n, n)) + 3.0 * np.eye(n)
    found = []
    for t in times:
        G = np.sin(phase + t)
        found.append(np.block([[root @ root.T, G.T], [G, np.zeros((m, m))]]))
    return np.array(found)


def entries_of(K: np.ndarray) -> dict[tuple[int, int], float]:
    size = len(K)
    both = ((i, j) for i in range(size) for j in range(i, size))
    return {(i, j): float(K[i, j]) for i, j in both if K[i, j] != 0.0}


def fault(K: np.ndarray, order: SymmetricOrder, n: int) -> float:
    factors = SymmetricFactors.of(entries_of(K), order, n, 1e-9)
    right = np.random.default_rng(1).normal(size=len(K)).tolist()
    with np.errstate(all="ignore"):
        x = factors.solve_once(right)
        return float(fault_of(entries_of(K), order, factors, x, right))


@pytest.mark.kinds(2)
@pytest.mark.parametrize("seed", range(4))
def test_rows_come_after_all_speeds_that_they_are_about(seed):
    n, m = 5, 2
    chosen = poses(seed, n, m, 9)
    order = choose_symmetric_order(chosen[0] != 0.0, chosen, n)
    place = {row: at for at, pivot in enumerate(order.pivots) for row in pivot.rows}
    assert all(place[k] > place[i] for k in range(n, n + m) for i in range(n))
    for K in poses(seed, n, m, 200):
        if np.linalg.cond(K) < 1e6:
            assert fault(K, order, n) < 1e-6


def test_a_pivot_that_vanishes_at_a_regular_pose_is_a_fault():
    """The constraint is about two speeds, and goes right after the first of them."""
    scale = (1.0, 1.0, 1.0)
    order = SymmetricOrder(tuple(Pivot((k,), 1.0) for k in (0, 2, 1)), scale=scale)
    sound = SymmetricOrder(tuple(Pivot((k,), 1.0) for k in (0, 1, 2)), scale=scale)
    for g in (1.0, 1e-5, 1e-6):
        K = np.array([[2.0, 0.3, g], [0.3, 1.0, 1.0], [g, 1.0, 0.0]])
        assert np.linalg.cond(K) < 20
        assert fault(K, sound, 2) < 1e-6
        assert (fault(K, order, 2) > 1.0) == (g < 1e-4)


@pytest.mark.parametrize("seed", range(6))
def test_every_wrong_solution_is_seen(seed):
    """Constraints that go after the first speed have pivots that vanish in the motion."""
    n, m = 4, 2
    scale = choose_symmetric_order(
        np.ones((n + m, n + m), dtype=bool), poses(seed, n, m, 9), n
    )
    early = (0, *range(n, n + m), *range(1, n))
    order = SymmetricOrder(tuple(Pivot((k,), 1.0) for k in early), scale=scale.scale)
    rng, wrong = np.random.default_rng(seed), 0
    times = [at + d for at in (1.0, 2.0) for d in (0.0, 1e-9, 1e-7, 1e-5, 1e-3, 0.1)]
    for K in poses_at(seed, n, m, np.array(times)):
        right = rng.normal(size=n + m)
        factors = SymmetricFactors.of(entries_of(K), order, n, 1e-9)
        with np.errstate(all="ignore"):
            x = factors.solve_once(right.tolist())
            missed = fault_of(entries_of(K), order, factors, x, right.tolist())
        expected = np.linalg.solve(K, right)
        error = np.abs(np.array(x) - expected).max() / np.abs(expected).max()
        if not error < 1e-7 * np.linalg.cond(K):
            wrong += 1
            assert not missed <= 1.0
        if error < 1e-13:
            assert missed < 1.0
    assert wrong >= 2


@pytest.mark.slow
def test_a_start_whose_equations_are_not_solved_is_refused(monkeypatch):
    monkeypatch.setattr(sparse, "ELIMINATION_RESIDUAL", 1e-200)  # nothing is exact enough
    with pytest.raises(LoopError, match="not solved exactly"):
        Fourbar1().simulate(0.1, strategy="projected")


@pytest.mark.slow
def test_a_step_whose_equations_are_not_solved_is_taken_otherwise(monkeypatch):
    model, other = Fourbar1(), Fourbar1()
    expected = model.simulate(0.2, strategy="projected", output=5)
    strict = other.compile(strategy="projected")
    with monkeypatch.context() as patch:
        patch.setattr(sparse, "ELIMINATION_RESIDUAL", 1e-200)
        failing = strict.project
    system = model.compile(strategy="projected")
    system.natives._made["project"] = failing
    found = model.simulate(0.2, strategy="projected", output=5)
    (event,) = found.events
    assert found.complete and "order of elimination" in str(event)
    np.testing.assert_allclose(found.motion, expected.motion, rtol=0, atol=1e-5)


class Spiral(planar.Model):
    """A bead on a spiral whose equation has a branch cut behind the centre."""

    def build(self):
        self.ground = planar.Ground()
        self.wire = planar.Curve(
            curve=lambda x, y: sqrt(x * x + y * y) - 0.3 - 0.05 * arctan2(y, x)
        )
        self.bead = planar.Body(m=0.1, I=1e-4, x=guess(0.3), y=guess(0.01), vy=2.5)
        self.connect(self.ground.frame_b, self.wire.frame_a)
        self.connect(self.wire.frame_b, self.bead.G)


METHODS = ("auto", "dopri5", "gbs", "adams", "bdf", "radau")


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "method"), [(None, "auto"), *(("projected", m) for m in METHODS)]
)
def test_a_constraint_that_jumps_ends_the_run_by_name(strategy, method):
    with pytest.warns(mk.IncompleteRunWarning, match="a constraint jumps"):
        found = Spiral().simulate(1.0, rtol=1e-7, strategy=strategy, method=method)
    assert not found.complete and "projected" not in found.info.message
    steps = np.hypot(np.diff(found["bead.x"]), np.diff(found["bead.y"]))
    assert (steps < 4.0 * np.diff(found.time) + 1e-9).all()  # nowhere faster than 4 m/s
    assert np.ptp(found.energy()["total"]) < 1e-4


# --- rates where steps end ------------------------------------------------------------------


def told_by_audit(result):
    """Return the events of a result that an audit has caused."""
    words = ("order of elimination", "speeds do not follow")
    return [event for event in result.events if any(w in str(event) for w in words)]


def rows_first(self, unit, pattern, constant):
    """Choose an order whose first pivots are zero, unless orders are chosen again."""
    order = CHOOSE(self, unit, pattern, constant)
    if self._formulation.elimination_poses:
        return order
    pivots = sorted(order.pivots, key=lambda pivot: -max(pivot.rows))
    return replace(order, pivots=tuple(pivots), compliance={})


CHOOSE = EliminationOrders._choose


def not_looked_at(*given):
    return 0.0


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["projected", "baumgarte"])
def test_an_order_with_vanishing_pivots_is_seen_in_accelerations(strategy, monkeypatch):
    expected = PlanarFourbar().simulate(0.3, strategy=strategy, output=7)
    assert not told_by_audit(expected)
    monkeypatch.setattr(EliminationOrders, "_choose", rows_first)
    for module in (equations_of_motion, shared_code):  # projection alone would see it, too
        monkeypatch.setattr(module, "fault_of", not_looked_at)
    found = PlanarFourbar().simulate(0.3, strategy=strategy, output=7)
    (event,) = told_by_audit(found)
    assert event.time == 0.0 and "revolute" in str(event)
    assert found.complete
    np.testing.assert_allclose(found.motion, expected.motion, rtol=0, atol=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_a_compliance_of_redundant_rows_that_remains_is_seen(seed):
    """As in absolute coordinates: no order does harm, but what refinement leaves does."""
    n, m = 5, 3
    chosen = poses(seed, n, m, 9)
    chosen[:, -1], chosen[:, :, -1] = chosen[:, -2], chosen[:, :, -2]  # one row twice
    chosen[:, n:, n:] = 0.0
    rows = range(n, n + m - 1)
    order = choose_redundant_order(chosen[0] != 0.0, chosen, n, independent=list(rows))
    right = chosen[4] @ np.random.default_rng(seed).normal(size=n + m)
    for factor, is_seen in ((1.0, False), (1e7, True)):
        soft = {row: factor * value for row, value in order.compliance.items()}
        softer = replace(order, compliance=soft)
        entries = entries_of(chosen[4])
        factors = SymmetricFactors.of(entries, softer, n, 1e-9)
        x = factors.solve(right.tolist())
        found = fault_of(entries, softer, factors, x, right.tolist(), is_refined=True)
        assert (found > 1.0) == is_seen


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("make", [PlanarFourbar, Fourbar1])
def test_speeds_that_miss_their_rows_are_seen(make, monkeypatch):
    expected = make().simulate(0.3, strategy="explicit", output=7)
    assert not told_by_audit(expected)
    solve = sparse.SquareFactors.solve
    inexact = 1.0 + 1e-7
    monkeypatch.setattr(
        sparse.SquareFactors, "solve", lambda *given: [inexact * v for v in solve(*given)]
    )
    found = make().simulate(0.3, strategy="explicit", output=7)
    assert found.complete
    assert "continued by projection" in str(told_by_audit(found)[-1])
    np.testing.assert_allclose(found.motion, expected.motion, rtol=0, atol=1e-4)


def failing_after(begin, forms):
    """Return an audit that fails after a time in forms with so many poses judged again."""

    def audited(self, t, x, branch, tape=None, with_rates=True):
        values = AUDITED(self, t, x, branch, tape, with_rates)
        if len(self.formulation.elimination_poses) in forms:
            values[-1] = where(t > begin, 4.0, values[-1])
        return values

    return audited


AUDITED = StateSpaceForm.audited
BY = ("dopri5", "dop853", "gbs", "adams", "bdf", "rk4", "euler")


@pytest.fixture(scope="module")
def swinging():
    """Return a four-bar with the motion of a run without faults."""
    expected = PlanarFourbar().simulate(0.3, strategy="projected", output=7, rtol=1e-9)
    return expected.motion


@pytest.fixture(scope="module")
def failing():
    """Return a four-bar whose audit fails once, after 0.1 s."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StateSpaceForm, "audited", failing_after(0.1, (0,)))
        model = PlanarFourbar()
        model.simulate(0.3, strategy="projected", output=7)
    return model


@pytest.mark.kinds(4)
@pytest.mark.slow
@pytest.mark.parametrize("method", BY)
def test_every_method_takes_a_step_that_fails_otherwise(method, failing, swinging):
    step = {"rk4": 1e-3, "euler": 1e-6}.get(method)
    stop = 0.3 if method != "euler" else 0.11
    given = {"strategy": "projected", "method": method, "step": step}
    found = failing.simulate(stop, output=7 if stop == 0.3 else 2, **given)
    (event,) = told_by_audit(found)
    assert found.complete and event.time <= 0.1
    assert np.isfinite(found.motion).all()
    if stop == 0.3:
        np.testing.assert_allclose(found.motion, swinging, rtol=0, atol=1e-3)


@pytest.mark.slow
def test_a_run_that_no_form_solves_ends_by_name(monkeypatch):
    monkeypatch.setattr(StateSpaceForm, "audited", failing_after(0.1, range(9)))
    monkeypatch.setattr(CompiledModel, "missed_at", lambda *given: "revolute2")
    with pytest.warns(mk.IncompleteRunWarning, match="not solved exactly"):
        found = PlanarFourbar().simulate(0.3)
    assert not found.complete and 0.0 < found.time[-1] <= 0.1
    assert "those of revolute2, at revolute" in found.info.message
    assert "rad" in found.info.message and "another strategy" in found.info.message
    with pytest.raises(mk.SimulationError, match="those of revolute2, at"):
        PlanarFourbar().simulator().step(0.3)


@pytest.mark.slow
def test_rows_within_steps_are_finite(monkeypatch):
    """The projection of a row fails though that of the ends of its step does not."""
    expected = PlanarFourbar().simulate(0.3, strategy="projected", output=[0.1, 0.2, 0.3])
    projected = StateSpaceForm.projected

    def failing_at(self, t, x, branch, tape=None):
        values = projected(self, t, x, branch, tape)
        is_there = (t - 0.2) * (t - 0.2) < 1e-18
        return [where(is_there, float("nan"), values[0]), *values[1:]]

    monkeypatch.setattr(StateSpaceForm, "projected", failing_at)
    found = PlanarFourbar().simulate(0.3, strategy="projected", output=[0.1, 0.2, 0.3])
    assert found.complete and not found.events
    np.testing.assert_allclose(found.motion, expected.motion, rtol=0, atol=1e-5)


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", [None, "projected", "baumgarte"])
@pytest.mark.parametrize("make", [PlanarFourbar, Fourbar1])
def test_rates_of_gallery_models_miss_nothing(make, strategy):
    run = Simulator(make().compile(strategy=strategy))
    for _ in range(5):
        run.step(0.05)
        at = (np.array([run.time]), run.state, run.parameters)
        *rates, fault = run.system.audited(*at)
        own = run.system.derivative(*at)
        assert fault < 1e-6  # the square of a thousandth of what is too far
        np.testing.assert_allclose(rates, own, rtol=0, atol=1e-9 * np.abs(own).max())
    assert not told_by_audit(run)


def test_trees_have_nothing_to_audit():
    for model in (chain(6), mk.gallery.Pendulum()):
        assert model.compile().audited is None


@pytest.mark.slow
def test_long_rates_and_their_audit_are_one_code(monkeypatch):
    apart = PlanarFourbar().simulate(0.1, output=3)
    monkeypatch.setattr(native_functions, "SHARED_FROM", 1)
    model = PlanarFourbar()
    found = model.simulate(0.1, output=3)
    np.testing.assert_allclose(found.motion, apart.motion, rtol=0, atol=1e-12)
    assert model.compile().derivative.n_instructions > 0
