"""Box problems in which the force of a row has no effect on it, as at a dead centre."""

from __future__ import annotations

import numpy as np
import pytest

from motorik.compiler.kernels import native
from motorik.nonsmooth.complementarity.box_lcp import box_lcp_size, solve_box_lcp


def solved(D, b, low, high, L, H, mode) -> tuple[int, np.ndarray, np.ndarray]:
    """Return status, forces and modes of a problem whose bounds read forces."""
    m = len(b)
    doubles, integers = box_lcp_size(m)
    lam, way = np.zeros(m), np.array(mode, dtype=np.int64)
    work, counts = np.zeros(doubles), np.zeros(integers, dtype=np.int64)
    slopes = np.concatenate([L.ravel(), H.ravel()])
    given = (np.array(values, dtype=float).ravel() for values in (D, b, low, high))
    status = native(solve_box_lcp)(m, *given, 1, slopes, way, lam, work, counts)
    return status, lam, way


@pytest.mark.parametrize("weak", [1e-9, 1e-17, 0.0, -1e-17, 1e-19])
def test_what_slips_by_forces_that_it_reads_has_them_however_weak_a_row_is(weak):
    # of one freedom: D = g gᵀ, and one row has hardly a part in the motion
    rng = np.random.default_rng(3)
    for _ in range(50):
        m = int(rng.integers(2, 5))
        g = rng.normal(size=m)
        D = np.outer(g, g)
        k = int(rng.integers(m))
        D[k] *= np.sqrt(abs(weak)) / abs(g[k])
        D[:, k] *= np.sqrt(abs(weak)) / abs(g[k])
        D[k, k] = weak
        b, s = 30.0 * rng.normal(size=m), 0.2 * rng.normal(size=m)
        E = 0.03 * rng.normal(size=(m, m))
        status, lam, _ = solved(D, b, s, s, E, E, np.sign(s))
        assert status == 0
        np.testing.assert_allclose(lam, np.linalg.solve(np.eye(m) - E, s), rtol=1e-9)


@pytest.mark.parametrize("weak", [1e-17, -1e-17])
def test_a_weak_row_moves_as_it_is_moved_and_others_stick(weak):
    D = np.array([[2.0, 0.0], [0.0, weak]])
    low, high = np.array([-1.0, -0.1]), np.array([1.0, 0.1])
    E = np.array([[0.0, -0.5], [0.0, 0.0]])  # the first holds by what the other has
    for b in (40.0, -40.0):
        wanted = -0.1 if b > 0.0 else 0.1
        status, lam, mode = solved(D, [1.5, b], low, high, E, -E, [0, 0])
        assert status == 0
        np.testing.assert_allclose(lam, [-0.75, wanted], rtol=1e-12)
        assert mode.tolist() == [0, 1 if b > 0.0 else -1]


@pytest.mark.parametrize("weak", [1e-17, 1e-19])
def test_open_stops_of_a_weak_row_change_nothing(weak):
    # sliding friction reads the forces of a hinge at its dead centre, and of its open stops
    w = np.array([1.0, 1.0, -1.0])
    D = np.zeros((4, 4))
    D[0, 0], D[1:, 1:] = 0.1, weak * np.outer(w, w)
    D[0, 1:] = D[1:, 0] = 0.1 * np.sqrt(weak) * w
    E = np.zeros((4, 4))
    E[0] = [-1.3e-3, 2.9e-3, 2.9e-3, -2.9e-3]
    low, high = np.array([-2.2, -0.8, 0.0, 0.0]), np.array([-2.2, 0.8, 0.0, 0.0])
    for hint in ([1, 0, 0, 0], [1, -1, 1, 1], [0, 0, 0, 0]):
        status, lam, mode = solved(D, [-270.0, *(780.0 * w)], low, high, E, E, hint)
        assert status == 0
        slides = (-2.2 - 0.8 * 2.9e-3) / (1.0 + 1.3e-3)
        np.testing.assert_allclose(lam, [slides, -0.8, 0.0, 0.0], rtol=1e-12)
        assert mode[1] == 1
