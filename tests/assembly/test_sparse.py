"""Sparse systems of scalars against dense ones, on numbers and on symbols."""

from __future__ import annotations

import casadi
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motorik.dynamics.block_triangular import SOUND, choose_blocks, triangular_blocks
from motorik.dynamics.scaling import SingularMatrixError, row_scales
from motorik.dynamics.sparse import SquareFactors, SymmetricFactors
from motorik.dynamics.symmetric_order import choose_symmetric_order
from tests.covering import each_once

seeds = st.integers(0, 10_000)


def table(A: np.ndarray, upper: bool = False) -> dict[tuple[int, int], float]:
    """Return the entries of a matrix that are not zero."""
    part = np.triu(A) if upper else A
    return {(int(i), int(j)): float(part[i, j]) for i, j in np.argwhere(part)}


def saddle(seed: int, n: int, m: int) -> np.ndarray:
    """Return [[M, Gᵀ], [G, 0]] with sparse parts, M positive definite and G of full rank."""
    rng = np.random.default_rng(seed)
    L = np.tril(rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.4), -1) + 2 * np.eye(n)
    G = rng.normal(size=(m, n)) * (rng.random((m, n)) < 0.5)
    G[np.arange(m), rng.permutation(n)[:m]] += 2.0
    return np.block([[L @ L.T, G.T], [G, np.zeros((m, m))]])


def square(seed: int, n: int) -> np.ndarray:
    """Return a sparse matrix with some permutation of large entries."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.3)
    A[np.arange(n), rng.permutation(n)] += 5.0
    return A


def errors_of(A: np.ndarray, x: np.ndarray, b: np.ndarray) -> float:
    """Return the largest residual against the size of matrix and solution."""
    return float(np.abs(A @ x - b).max() / (np.abs(A).max() * np.abs(x).max()))


@pytest.mark.slow
@settings(max_examples=60)
@given(seeds, st.integers(1, 12), st.integers(0, 6))
def test_a_symmetric_system_is_solved_as_by_numpy(seed, n, m):
    A = saddle(seed, n, min(m, n))
    b = np.random.default_rng(seed).normal(size=len(A))
    order = choose_symmetric_order(A != 0, [A], n)
    rows = sorted(row for pivot in order.pivots for row in pivot.rows)
    assert rows == list(range(len(A)))
    assert {len(pivot.rows) for pivot in order.pivots} <= {1, 2}
    x = np.array(SymmetricFactors.of(table(A, upper=True), order).solve(b))
    condition = np.linalg.cond(A)
    grown = 4 * np.finfo(float).eps * len(A) / SOUND  # pivots are that much smaller at most
    assert errors_of(A, x, b) < grown * max(1.0, condition / 100)
    expected = np.linalg.solve(A, b)
    close = 1e-13 * condition * np.abs(expected).max()
    np.testing.assert_allclose(x, expected, rtol=0, atol=close)


@pytest.mark.slow
@settings(max_examples=60)
@given(seeds, st.integers(1, 14))
def test_a_square_system_is_solved_as_by_numpy(seed, n):
    A = square(seed, n)
    if np.linalg.cond(A) > 1e6:
        return
    b = np.random.default_rng(seed).normal(size=n)
    blocks = choose_blocks(A != 0, [A])
    assert sorted(r for block in blocks for r in block.rows) == list(range(n))
    assert sorted(c for block in blocks for c in block.columns) == list(range(n))
    factors = SquareFactors(table(A), blocks)
    expected = np.linalg.solve(A, b)
    close = 1e-13 * np.linalg.cond(A) * np.abs(expected).max()
    np.testing.assert_allclose(factors.solve(b), expected, rtol=0, atol=close)
    assert abs(factors.determinant) == pytest.approx(abs(np.linalg.det(A)), rel=1e-9)


def poses(seed: int, n: int, m: int, count: int = 40) -> np.ndarray:
    """Return saddle matrices of one pattern whose entries of G go through zero in turn."""
    rng = np.random.default_rng(seed)
    pattern = rng.random((m, n)) < 0.6
    pattern[np.arange(m), rng.permutation(n)[:m]] = True
    phase, size = rng.uniform(0.0, 6.28, (m, n)), rng.uniform(0.5, 2.0, (m, n))
    root = rng.normal(size=(n, n)) + 3.0 * np.eye(n)
    found = []
    for t in np.linspace(0.0, 6.0, count):
        G = pattern * size * np.sin(phase + t)
        found.append(np.block([[root @ root.T, G.T], [G, np.zeros((m, m))]]))
    return np.array(found)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(("seed", "massless"), each_once(range(6), [False, True]))
def test_an_order_holds_between_the_poses_that_it_was_chosen_at(seed, massless):
    """No pivot vanishes where the system is regular, though every entry of G does."""
    n, m = 6, 3
    chosen, all_poses = poses(seed, n, m), poses(seed, n, m, count=500)
    if massless:  # two unknowns move no mass: only G tells how they go
        for K in (chosen, all_poses):
            K[:, :n, :n][:, 4:] = 0.0
            K[:, :n, :n][:, :, 4:] = 0.0
    try:
        order = choose_symmetric_order((chosen != 0).any(axis=0), chosen, n)
    except SingularMatrixError:
        assert max(1 / np.linalg.cond(K) for K in chosen) < 1e-6
        return
    b = np.random.default_rng(seed).normal(size=n + m)
    conditions = np.linalg.cond(all_poses)
    regular = conditions < 100 * np.median(conditions)
    worst = 0.0
    for K, condition in zip(all_poses[regular], conditions[regular], strict=True):
        x = np.array(SymmetricFactors.of(table(K, upper=True), order).solve(b))
        expected = np.linalg.solve(K, b)
        worst = max(worst, np.abs(x - expected).max() / np.abs(expected).max() / condition)
    assert worst < 1e-12


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3, 4, 6])
def test_blocks_hold_where_single_entries_vanish(n):
    """A rotation has entries that vanish while its determinant stays 1."""
    rng = np.random.default_rng(n)
    S = rng.normal(size=(n, n))
    values, vectors = np.linalg.eig(S - S.T)

    def turned(t):
        return np.real(vectors @ np.diag(np.exp(values * t)) @ np.linalg.inv(vectors))

    chosen = [turned(t) for t in np.linspace(0.1, 8.0, 40)]
    blocks = choose_blocks(np.ones((n, n), dtype=bool), chosen)
    assert [block.is_sound for block in blocks] == [n <= 3]
    b, worst = rng.normal(size=n), 0.0
    for t in np.linspace(0.0, 8.0, 600):
        A = turned(t)
        entries = {(i, j): float(A[i, j]) for i in range(n) for j in range(n)}
        factors = SquareFactors(entries, blocks)
        worst = max(worst, np.abs(np.array(factors.solve(b)) - A.T @ b).max())
    assert worst < 1e-12


def test_blocks_come_after_what_they_need():
    pattern = np.zeros((6, 6), dtype=bool)
    pattern[[0, 0, 1, 1], [0, 1, 0, 1]] = True  # a pair, then one by itself, then three
    pattern[2, [1, 2]] = True
    pattern[3:, 3:] = True
    pattern[4, 2] = True
    shuffled = np.random.default_rng(2).permutation(6)
    blocks = triangular_blocks(pattern[shuffled][:, shuffled[::-1]])
    assert sorted(len(rows) for rows, _ in blocks) == [1, 2, 3]
    known: set[int] = set()
    for rows, columns in blocks:
        known |= set(columns)
        used = pattern[shuffled][:, shuffled[::-1]][rows].any(axis=0)
        assert set(np.flatnonzero(used).tolist()) <= known


@pytest.mark.slow
@settings(max_examples=40)
@given(seeds, st.floats(-8, 8), st.floats(-6, 6))
def test_units_of_mass_and_length_change_no_order(seed, mass, length):
    n, m = 7, 3
    shifts = np.random.default_rng(seed).random(n) < 0.5
    units = np.where(shifts, 10.0**length, 1.0)  # of the speeds, in the new unit
    rows = 10.0 ** (length * np.arange(m) / m)
    factor = np.concatenate([10.0 ** (mass / 2) / units, rows])
    K = poses(seed, n, m)
    pattern = (K != 0).any(axis=0)
    one = choose_symmetric_order(pattern, K, n)
    other = choose_symmetric_order(pattern, K * factor * factor[:, None], n, units)
    assert [pivot.rows for pivot in one.pivots] == [pivot.rows for pivot in other.pivots]
    assert set(one.weights) == set(other.weights)


def test_scaled_rows_of_constraints_are_as_long_as_one():
    K = poses(3, 6, 3)[0]
    s = row_scales(np.abs(K[:6, :6]), np.abs(K[6:, :6]))
    scaled = np.abs(K * s * s[:, None])
    np.testing.assert_allclose(scaled[6:, :6].max(axis=1), 1.0, rtol=1e-14)
    assert np.diagonal(scaled)[:6].max() <= 1.0 + 1e-14


def test_an_order_chosen_at_one_pose_holds_at_others():
    """Straight-line code on symbols, evaluated on matrices of the same pattern."""
    samples = [saddle(seed=4, n=8, m=4) * s for s in (1.0, 0.5)]
    pattern = samples[0] != 0
    order = choose_symmetric_order(pattern, samples, 8)
    symbols = casadi.SX.sym("a", len(pattern), len(pattern))
    b = casadi.SX.sym("b", len(pattern))
    entries = {(int(i), int(j)): symbols[i, j] for i, j in np.argwhere(np.triu(pattern))}
    x = SymmetricFactors.of(entries, order).solve(casadi.vertsplit(b))
    solve = casadi.Function("solve", [symbols, b], [casadi.vertcat(*x)])
    rng = np.random.default_rng(5)
    for _ in range(5):
        noise = rng.normal(scale=0.1, size=pattern.shape) * pattern
        A, right = samples[0] + noise + noise.T, rng.normal(size=len(pattern))
        found = np.asarray(solve(A, right)).ravel()
        np.testing.assert_allclose(found, np.linalg.solve(A, right), rtol=0, atol=2e-13)


def test_few_entries_are_new_in_an_arrow():
    """Rows that hang on one only are eliminated first: nothing fills up."""
    n = 12
    A = np.eye(n) * 4.0
    A[0, 1:] = A[1:, 0] = 1.0
    order = choose_symmetric_order(A != 0, [A], n)
    assert 0 in (order.pivots[-1].rows[0], order.pivots[-2].rows[0])


def test_dependent_rows_of_constraints_are_told():
    G = np.array([[1.0, 2.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0], [0.5, 1.0, 0.0, 0.0]])
    A = np.block([[np.eye(4), G.T], [G, np.zeros((3, 3))]])
    with pytest.raises(SingularMatrixError) as caught:
        choose_symmetric_order(A != 0, [A], 4)
    assert caught.value.left == [4, 6]  # the second row of G has no part in it
    assert "rows [4, 6]" in str(caught.value)


def test_dependent_rows_of_a_square_matrix_are_told():
    A = np.array([[4.0, 1.0, 2.0], [1.0, 1.0, 0.5], [2.0, 0.5, 1.0]])  # row 2 is half row 0
    with pytest.raises(SingularMatrixError) as caught:
        choose_blocks(A != 0, [A])
    assert caught.value.left == [0, 2]


def test_a_row_without_entries_is_told():
    A = np.diag([1.0, 0.0, 2.0])
    with pytest.raises(SingularMatrixError) as caught:
        choose_blocks(A != 0, [A])
    assert caught.value.left == [1]


# --- softness -------------------------------------------------------------------------------


def soft_solution(A: np.ndarray, b: np.ndarray, softness: float) -> np.ndarray:
    """Return the solution with the last row soft, in an order found where A was sound."""
    sound = A.copy()
    sound[2, :2] = sound[:2, 2] = [1.0, 0.5]
    order = choose_symmetric_order(np.ones_like(A, dtype=bool), [sound], 2)
    entries = {(i, j): float(A[i, j]) for i in range(3) for j in range(i, 3)}
    factors = SymmetricFactors.of(entries, order, soft_from=2, softness=softness)
    return np.array(factors.solve(b))


MASS = np.array([[2.0, 0.3, 0.0], [0.3, 1.0, 0.0], [0.0, 0.0, 0.0]])


def constrained(size: float) -> np.ndarray:
    """Return a mass matrix with one constraint row whose entries have this size."""
    A = MASS.copy()
    A[2, :2] = A[:2, 2] = [size, 0.5 * size]
    return A


def test_where_a_constraint_vanishes_the_rest_moves_as_without_it():
    b = np.array([1.0, -2.0, 0.0])
    x = soft_solution(constrained(0.0), b, softness=1e-8)
    np.testing.assert_allclose(x[:2], np.linalg.solve(MASS[:2, :2], b[:2]), rtol=1e-15)
    assert x[2] == 0.0


def test_softness_is_not_felt_where_the_constraint_is_sound():
    b = np.array([1.0, -2.0, 0.7])
    A = constrained(1.0)
    x = soft_solution(A, b, softness=1e-8)
    np.testing.assert_allclose(x, np.linalg.solve(A, b), rtol=1e-14)


@pytest.mark.parametrize("size", [1e-1, 1e-2])
def test_softness_changes_multipliers_by_the_square_of_the_ratio(size):
    # d = −Gᵀ M⁻¹ G goes with size²; 1/d becomes d / (d² + ε²): 1 − (ε/d)² of it
    softness, b = 1e-5, np.array([1.0, -2.0, 0.0])
    A = constrained(size)
    d = A[2, :2] @ np.linalg.solve(MASS[:2, :2], A[2, :2])
    usual = d / size**2
    exact, soft = np.linalg.solve(A, b), soft_solution(A, b, softness)
    ratio = (softness * usual / d) ** 2
    assert soft[2] / exact[2] == pytest.approx(1.0 / (1.0 + ratio), rel=1e-12)
