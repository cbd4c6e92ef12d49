"""Shortest steps: the kernels against NumPy's least squares, natively and as plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from motorik.compiler.kernels import native
from motorik.numerics.least_squares import (
    least_squares_size,
    shortest,
    solve_least_squares,
)
from motorik.numerics.newton import (
    NonlinearEquations,
    Report,
    damped_newton,
    take_newton_steps,
    work_size,
)


def natively(*arguments) -> None:
    """Run the machine code of the kernel, compiled when it is first called."""
    native(solve_least_squares, wide=True)(*arguments)


def by_numpy(
    A: np.ndarray, r: np.ndarray, weak: float, hidden: np.ndarray | None = None
) -> np.ndarray:
    """Return the shortest solution by singular values; that of hidden ones does not count."""
    if hidden is None:
        return np.linalg.lstsq(A, r, rcond=weak)[0]
    inner, outer = A[:, hidden], A[:, ~hidden]
    onto = inner @ np.linalg.pinv(inner, rcond=weak)
    left = outer - onto @ outer
    left[np.abs(left) < 1e-12 * np.abs(A).max()] = 0.0
    x = np.zeros(A.shape[1])
    x[~hidden] = np.linalg.lstsq(left, r - onto @ r, rcond=weak)[0]
    x[hidden] = np.linalg.lstsq(inner, r - outer @ x[~hidden], rcond=weak)[0]
    return x


def run(kernel, A: np.ndarray, hidden: np.ndarray, r: np.ndarray, weak: float):
    """Return whether it is certain, the solution, condition and rank."""
    m, n = A.shape[0], int((~hidden).sum())
    outer, inner = (np.append(A[:, own].ravel(), 0.0) for own in (~hidden, hidden))
    x, y, told = np.zeros(n + 1), np.zeros(hidden.sum() + 1), np.zeros(2)
    work = np.full(least_squares_size(m, n, hidden.size - n) + 1, 7.0)
    arguments = outer, inner, r.copy(), weak, x, y, told, work
    kernel(m, n, hidden.size - n, *arguments)
    assert work[-1] == 7.0  # the room suffices
    found = np.zeros(A.shape[1])
    found[~hidden], found[hidden] = x[:-1], y[:-1]
    return bool(np.isfinite(told[0])), found, told[0], int(told[1])


def matrix(rng: np.random.Generator, m: int, n: int, rank: int) -> np.ndarray:
    """Return a matrix of a rank whose directions are of different strength."""
    sizes = 10.0 ** rng.uniform(-2, 0, rank)
    return rng.normal(size=(m, rank)) * sizes @ rng.normal(size=(rank, n))


@pytest.mark.parametrize("kernel", [solve_least_squares, natively], ids=["plain", "native"])
@pytest.mark.parametrize("seed", range(40))
def test_all_ranks(kernel, seed):
    rng = np.random.default_rng(seed)
    m, n = (int(k) for k in rng.integers(1, 9, 2))
    rank = int(rng.integers(1, min(m, n) + 1))
    A, r = matrix(rng, m, n, rank), rng.normal(size=m)
    nobody = np.zeros(n, dtype=bool)
    is_certain, x, condition, found = run(kernel, A, nobody, r, 1e-9)
    assert is_certain and found == rank
    wanted = by_numpy(A, r, 1e-9)
    assert np.abs(x - wanted).max() < 1e-14 * condition * (1.0 + np.abs(wanted).max())
    sizes = np.linalg.svd(A, compute_uv=False)
    assert sizes[0] / sizes[rank - 1] < 2.0 * condition < 100 * sizes[0] / sizes[rank - 1]


@pytest.mark.parametrize("seed", range(20))
def test_directions_that_are_weak_are_left_alone(seed):
    rng = np.random.default_rng(seed)
    m, n = (int(k) for k in rng.integers(3, 9, 2))
    A = matrix(rng, m, n, 2) + 1e-6 * rng.normal(size=(m, n))
    r, nobody = rng.normal(size=m), np.zeros(n, dtype=bool)
    for weak, rank in ((1e-4, 2), (1e-9, min(m, n))):
        is_certain, x, condition, found = run(natively, A, nobody, r, weak)
        assert is_certain and found == rank
        wanted = by_numpy(A, r, weak)
        assert np.abs(x - wanted).max() < 1e-13 * condition * (1.0 + np.abs(wanted).max())


def test_a_direction_at_the_limit_is_not_certain():
    A = np.diag([1.0, 1e-3])
    nobody = np.zeros(2, dtype=bool)
    assert not run(natively, A, nobody, np.ones(2), 1.00001e-3)[0]
    assert run(natively, A, nobody, np.ones(2), 1.01e-3)[3] == 1
    assert run(natively, A, nobody, np.ones(2), 0.99e-3)[3] == 2


@pytest.mark.parametrize("kernel", [solve_least_squares, natively], ids=["plain", "native"])
@pytest.mark.parametrize("seed", range(30))
def test_what_is_hidden_moves_as_the_others_need_it(kernel, seed):
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(1, 9)), int(rng.integers(2, 9))
    A, r = matrix(rng, m, n, min(m, n)), rng.normal(size=m)
    hidden = np.arange(n) < rng.integers(1, n)
    is_certain, x, condition, _ = run(kernel, A, hidden, r, 1e-9)
    assert is_certain
    wanted = by_numpy(A, r, 1e-9, hidden)
    assert np.abs(x - wanted).max() < 1e-13 * condition**2 * (1.0 + np.abs(wanted).max())


def circle_and_plane(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a sphere and a plane, which meet in a circle, and their Jacobian."""
    r = np.array([x @ x - 1.0, x[0] + x[1] - 0.3])
    return r, np.array([2.0 * x, [1.0, 1.0, 0.0]])


@pytest.mark.parametrize("begin", [(2.0, -0.4, 1.0), (0.1, 0.1, 0.1), (-3.0, 2.0, 4.0)])
def test_newtons_method_is_the_same_in_python_and_in_machine_code(begin):
    def rows(x, given, r, J):
        r[:2], dense = circle_and_plane(x[:3])
        J[:6] = dense.ravel()

    unit, ease = np.array([1.0, 0.5, 2.0]), np.array([1.0, 0.03, 1.0])
    sizes = np.array([2, 3, 6, 3, 0], dtype=np.int64)
    at = np.arange(3, dtype=np.int64)
    places = (np.repeat([0, 1], 3), np.tile([0, 1, 2], 2))
    x, report, work = np.array(begin), np.zeros(Report.SIZE), np.zeros(work_size(2, 3, 6))
    given = np.zeros(1)
    scaling = np.ones(2), unit, unit * ease, ease
    equations = NonlinearEquations(rows, None, x, given, sizes, *places, at, *scaling)
    left = take_newton_steps(equations, report, work)

    def residual(x):
        r, J = circle_and_plane(x)
        return r, J * unit

    free = np.ones(3, dtype=bool)
    wanted, size = damped_newton(residual, np.array(begin), free, unit, ease)
    assert left == pytest.approx(size, rel=1e-12, abs=1e-14)
    np.testing.assert_allclose(x, wanted, atol=1e-13)
    assert report[Report.RANK] == 2


def test_an_error_of_the_residual_ends_the_iteration():
    calls = []

    def residual(x):
        calls.append(x)
        if len(calls) == 3:
            raise ZeroDivisionError
        r, J = circle_and_plane(x)
        return r, J

    free = np.ones(3, dtype=bool)
    with pytest.raises(ZeroDivisionError):
        damped_newton(residual, np.array([2.0, -0.4, 1.0]), free, np.ones(3))
    assert len(calls) == 3


@pytest.mark.parametrize("seed", range(10))
def test_the_shortest_solution_of_arrays(seed):
    rng = np.random.default_rng(seed)
    A, r = matrix(rng, 5, 7, 4), rng.normal(size=5)
    hidden = np.arange(7) < seed % 4
    wanted = by_numpy(A, r, 1e-9, hidden if hidden.any() else None)
    np.testing.assert_allclose(shortest(A, r, 1e-9, hidden), wanted, atol=1e-9)
