"""Audit: after each step the equations of loops hold; what does not is told, never silent."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import guess, planar
from motorik.dynamics import sparse
from motorik.dynamics.elimination import Pivot
from motorik.dynamics.sparse import SymmetricFactors, fault_of
from motorik.dynamics.symmetric_order import SymmetricOrder, choose_symmetric_order
from motorik.errors import LoopError
from motorik.functions import arctan2, sqrt
from motorik.gallery import Fourbar1


def poses(seed: int, n: int, m: int, count: int) -> np.ndarray:
    """Return matrices [[M, Gᵀ], [G, 0]] of one pattern whose entries of G change signs."""
    rng = np.random.default_rng(seed)
    phase = rng.uniform(0.0, 6.28, (m, n))
    root = rng.normal(size=(n, n)) + 3.0 * np.eye(n)
    found = []
    for t in np.linspace(0.0, 6.0, count):
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


def test_a_start_whose_equations_are_not_solved_is_refused(monkeypatch):
    monkeypatch.setattr(sparse, "MISSED", 1e-200)  # nothing is exact enough
    with pytest.raises(LoopError, match="not solved exactly"):
        Fourbar1().simulate(0.1, strategy="projected")


def test_a_step_whose_equations_are_not_solved_is_taken_otherwise(monkeypatch):
    model, other = Fourbar1(), Fourbar1()
    expected = model.simulate(0.2, strategy="projected", output=5)
    strict = other.compile(strategy="projected")
    with monkeypatch.context() as patch:
        patch.setattr(sparse, "MISSED", 1e-200)
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


METHODS = ("auto", "dopri5", "gbs", "adams", "bdf")


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
