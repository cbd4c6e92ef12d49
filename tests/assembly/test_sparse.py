"""Sparse systems of scalars against dense ones, on numbers and on symbols."""

from __future__ import annotations

import casadi
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motorik.dynamics.sparse import (
    SingularMatrixError,
    SquareFactors,
    SymmetricFactors,
    choose_pivots,
    choose_symmetric_pivots,
)

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


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(1, 12), st.integers(0, 6))
def test_a_symmetric_system_is_solved_as_by_numpy(seed, n, m):
    A = saddle(seed, n, min(m, n))
    b = np.random.default_rng(seed).normal(size=len(A))
    pivots = choose_symmetric_pivots(A != 0, [A])
    assert sorted(row for pivot in pivots for row in pivot.rows) == list(range(len(A)))
    assert {len(pivot.rows) for pivot in pivots} <= {1, 2}
    x = np.array(SymmetricFactors(table(A, upper=True), pivots).solve(b))
    condition = np.linalg.cond(A)
    assert errors_of(A, x, b) < 1e-13 * max(1.0, condition / 100)
    expected = np.linalg.solve(A, b)
    close = 1e-13 * condition * np.abs(expected).max()
    np.testing.assert_allclose(x, expected, rtol=0, atol=close)


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(1, 14))
def test_a_square_system_is_solved_as_by_numpy(seed, n):
    A = square(seed, n)
    if np.linalg.cond(A) > 1e6:
        return
    b = np.random.default_rng(seed).normal(size=n)
    pivots = choose_pivots(A != 0, [A])
    assert sorted(r for r, _ in pivots) == sorted(c for _, c in pivots) == list(range(n))
    factors = SquareFactors(table(A), pivots)
    expected = np.linalg.solve(A, b)
    close = 1e-13 * np.linalg.cond(A) * np.abs(expected).max()
    np.testing.assert_allclose(factors.solve(b), expected, rtol=0, atol=close)


def test_an_order_chosen_at_one_pose_holds_at_others():
    """Straight-line code on symbols, evaluated on matrices of the same pattern."""
    samples = [saddle(seed=4, n=8, m=4) * s for s in (1.0, 0.5)]
    pattern = samples[0] != 0
    pivots = choose_symmetric_pivots(pattern, samples)
    symbols = casadi.SX.sym("a", len(pattern), len(pattern))
    b = casadi.SX.sym("b", len(pattern))
    entries = {(int(i), int(j)): symbols[i, j] for i, j in np.argwhere(np.triu(pattern))}
    x = SymmetricFactors(entries, pivots).solve(casadi.vertsplit(b))
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
    pivots = choose_symmetric_pivots(A != 0, [A])
    assert pivots[-1].rows[0] == 0 or pivots[-2].rows[0] == 0
    order = [r for r, _ in choose_pivots(A != 0, [A])]
    assert 0 in order[-2:]


def test_a_pivot_that_is_small_at_one_pose_is_not_taken():
    one, other = np.diag([1.0, 1.0, 1.0]), np.diag([1e-9, 1.0, 1.0])
    for A in (one, other):
        A[0, 1] = A[1, 0] = 1.0
    one[1, 1] = other[1, 1] = 3.0
    pivots = choose_symmetric_pivots(one != 0, [one, other])
    assert pivots[0].rows != (0,)
    b = np.array([1.0, 2.0, 3.0])
    x = SymmetricFactors(table(other, upper=True), pivots).solve(b)
    np.testing.assert_allclose(x, np.linalg.solve(other, b), rtol=1e-15)


@pytest.mark.parametrize("choose", [choose_pivots, choose_symmetric_pivots])
def test_dependent_rows_are_told(choose):
    A = np.array([[4.0, 1.0, 2.0], [1.0, 1.0, 0.5], [2.0, 0.5, 1.0]])  # row 2 is half row 0
    with pytest.raises(SingularMatrixError) as caught:
        choose(A != 0, [A])
    assert len(caught.value.left) == 1
    assert f"rows {caught.value.left}" in str(caught.value)


def test_a_row_without_entries_is_told():
    A = np.diag([1.0, 0.0, 2.0])
    with pytest.raises(SingularMatrixError) as caught:
        choose_pivots(A != 0, [A])
    assert caught.value.left == [1]


# --- softness -------------------------------------------------------------------------------


def soft_solution(A: np.ndarray, b: np.ndarray, softness: float) -> np.ndarray:
    """Return the solution with the last row soft, in an order found where A was sound."""
    sound = A.copy()
    sound[2, :2] = sound[:2, 2] = [1.0, 0.5]
    pivots = choose_symmetric_pivots(np.ones_like(A, dtype=bool), [sound])
    entries = {(i, j): float(A[i, j]) for i in range(3) for j in range(i, 3)}
    factors = SymmetricFactors(entries, pivots, soft_from=2, softness=softness)
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
