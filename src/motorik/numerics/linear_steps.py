"""Steps of iterations: linear equations, dense or sparse, solved by least squares."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from motorik.numerics.least_squares import shortest
from motorik.numerics.sparse_matrix import Jacobian, SparseMatrix
from motorik.numerics.tolerances import EPSILON, NORMAL_PIVOT

SEVERAL = 8.0  # roundings in a sum
EASY = 100.0  # how easily what is hidden moves where matrices are sparse


def shortest_step(
    J: Jacobian,
    r: np.ndarray,
    free: np.ndarray,
    w: np.ndarray,
    weak: float,
    hidden: np.ndarray | None,
) -> np.ndarray:
    """Return the step of all unknowns that solves J s = −r, zero for those that are not free.

    Of all such steps it is the shortest, weighted by w; directions weaker than the part `weak`
    of the strongest are left alone, and how far `hidden` unknowns move does not count.
    """
    if isinstance(J, SparseMatrix):
        weights = np.where(
            free, w if hidden is None else np.where(hidden, EASY * w, w), 0.0
        )
        return -weights * J.scaled(np.ones(r.size), weights).shortest(r, weak)
    step = np.zeros(free.size)
    own = None if hidden is None else hidden[free]
    step[free] = -w[free] * shortest(J[:, free] * w[free], r, weak, own)
    return step


def damped_step(J: Jacobian, r: np.ndarray, free: np.ndarray, damping: float) -> np.ndarray:
    """Return (JᵀJ + λ 1)⁻¹ Jᵀ r of the unknowns that are free, zero for the others."""
    if isinstance(J, SparseMatrix):
        kept = free.astype(float)
        return kept * J.scaled(np.ones(r.size), kept).damped(r, max(damping, 1e-12))
    n = int(free.sum())
    padded = np.vstack([J[:, free], np.sqrt(damping) * np.eye(n)])
    step = np.zeros(free.size)
    right = np.concatenate([r, np.zeros(n)])
    step[free] = np.linalg.lstsq(padded, right, rcond=None)[0]
    return step


def regularised(J: Jacobian, r: np.ndarray) -> np.ndarray:
    """Return the shortest x with J x = r as well as may be, by its normal equations.

    To their pivots the part `NORMAL_PIVOT` of the largest is added, so that weak directions
    are left alone: cheaper than `shortest`, and less exact.
    """
    if not r.size:
        return np.zeros(J.shape[1])
    if isinstance(J, SparseMatrix):
        return J.shortest(r, NORMAL_PIVOT**0.5)
    m, n = J.shape
    A = J @ J.T if m <= n else J.T @ J
    A[np.diag_indices_from(A)] += NORMAL_PIVOT * max(float(A.diagonal().max()), 1e-300)
    return J.T @ np.linalg.solve(A, r) if m <= n else np.linalg.solve(A, J.T @ r)


def rounding_at_samples(A: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return how far solutions of A s = b may be off where b is the rounding of A x, in columns."""
    try:
        inverse = np.abs(np.linalg.inv(A))
    except np.linalg.LinAlgError:
        return np.zeros(x.shape)
    terms = (np.abs(A) @ np.abs(x.T)[:, :, None])[:, :, 0]
    found = SEVERAL * EPSILON * (inverse @ terms[:, :, None])[:, :, 0].T
    return np.where(np.isfinite(found), found, 0.0)


def solve_at_samples(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the solutions of square systems, a column for each; no number where there is none.

    A and b begin with the number of the sample.
    """
    fine: np.ndarray = np.isfinite(A).all(axis=(1, 2))  # type: ignore[assignment]
    with suppress(np.linalg.LinAlgError):
        found = np.linalg.solve(A, b[:, :, None])[:, :, 0]
        return np.where(fine[:, None], found, np.nan).T
    x = np.full(b.shape, np.nan)
    for k in range(len(b)):
        if fine[k] and np.isfinite(b[k]).all():
            try:
                x[k] = np.linalg.solve(A[k], b[k])
            except np.linalg.LinAlgError:
                continue
    return x.T
