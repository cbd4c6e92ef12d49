"""The largest eigenvalue of Hessenberg matrices, against LAPACK."""

from __future__ import annotations

import numpy as np
import pytest

from motorik.compiler.kernels import native
from motorik.numerics.eigenvalues import largest_eigenvalue

STRIDE = 14


def largest_of(H: np.ndarray, run=largest_eigenvalue) -> complex:
    n = len(H)
    room, found = np.zeros((n, STRIDE)), np.zeros(2)
    room[:, :n] = H
    run(n, STRIDE, room.ravel(), found)
    return complex(*found)


def matrices() -> list[np.ndarray]:
    """Return random Hessenberg matrices of all sizes, well and badly scaled, some singular."""
    random, found = np.random.default_rng(0), []
    for k in range(300):
        n = int(random.integers(1, STRIDE + 1))
        H = np.triu(random.standard_normal((n, n)), -1)
        if k % 2:
            H *= 10.0 ** random.uniform(-3.0, 3.0, (n, 1))
        if k % 5 == 0:
            H[random.integers(n)] = 0.0
        found.append(H)
    return found


def test_it_is_that_of_lapack():
    run = native(largest_eigenvalue)
    for H in matrices():
        values, found = np.linalg.eigvals(H), largest_of(H, run)
        size = np.abs(values).max()
        assert abs(found) == pytest.approx(size, rel=1e-9)
        assert (
            np.abs(values - found).min() <= 1e-9 * size
            or np.abs(values - found.conjugate()).min() <= 1e-9 * size
        )


@pytest.mark.parametrize(
    "H, value",
    [
        ([[0.0, 1.0], [-4.0, 0.0]], 2j),
        ([[3.0, 1.0], [0.0, -5.0]], -5.0),
        ([[0.0, 0.0, 8.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], 2.0),
        ([[0.0, 0.0], [0.0, 0.0]], 0.0),
    ],
)
def test_closed_forms(H, value):
    found = largest_of(np.array(H))
    assert abs(found) == pytest.approx(abs(value), abs=1e-14)
    if abs(value) != 2.0 or len(H) == 2:  # the roots of z³ = 8 are of one size
        assert found == pytest.approx(value, abs=1e-14)


def test_machine_code_does_as_python():
    run = native(largest_eigenvalue)
    for H in matrices()[:30]:
        assert largest_of(H) == pytest.approx(largest_of(H, run), rel=1e-10)
