"""Linear systems on numbers, dense or with few entries: shortest and damped solutions."""

from __future__ import annotations

import numpy as np

from motorik.numerics.sparse_matrix import Jacobian, SparseMatrix
from motorik.numerics.tolerances import NORMAL_PIVOT

EASY = 100.0  # how easily what is hidden moves where matrices are sparse


def newton_step(
    J: Jacobian,
    r: np.ndarray,
    free: np.ndarray,
    w: np.ndarray,
    weak: float,
    hidden: np.ndarray | None,
) -> np.ndarray:
    """Return Newton's step of all unknowns, zero for those that are not free."""
    if isinstance(J, SparseMatrix):
        weights = np.where(
            free, w if hidden is None else np.where(hidden, EASY * w, w), 0.0
        )
        return -weights * J.scaled(np.ones(r.size), weights).shortest(r, weak)
    step = np.zeros(free.size)
    own = None if hidden is None else hidden[free]
    step[free] = -w[free] * shortest(J[:, free] * w[free], r, weak, own)
    return step


def shortest(
    A: np.ndarray, r: np.ndarray, weak: float, hidden: np.ndarray | None = None
) -> np.ndarray:
    """Return the shortest x with A x = r, weak directions left alone.

    The size of `hidden` unknowns does not count: they follow as the others need them.
    """
    if not A.size:
        return np.zeros(A.shape[1])
    if hidden is None or not hidden.any():
        return np.linalg.lstsq(A, r, rcond=weak)[0]
    inner, outer = A[:, hidden], A[:, ~hidden]
    onto = inner @ np.linalg.pinv(inner, rcond=weak)
    x = np.zeros(A.shape[1])
    if outer.size:
        left = outer - onto @ outer
        # what hidden unknowns can do alone leaves rounding, which is no direction
        left[np.abs(left) < 1e-12 * np.abs(A).max()] = 0.0
        x[~hidden] = np.linalg.lstsq(left, r - onto @ r, rcond=weak)[0]
    x[hidden] = np.linalg.lstsq(inner, r - outer @ x[~hidden], rcond=weak)[0]
    return x


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
