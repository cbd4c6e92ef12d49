"""Newton's method on numbers: damped, with the shortest steps, and least squares."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from motorik.loops.matrices import Jacobian, SparseMatrix, is_finite

Residual = Callable[[np.ndarray], tuple[np.ndarray, Jacobian]]
STEPS = 60
WEAK = 1e-9  # directions weaker than this part of the strongest are left alone
EASY = 100.0  # how easily what is hidden moves where matrices are sparse
ROUNDING = 8.0 * float(np.finfo(float).eps)  # steps below this, in scales, change nothing


def damped_newton(
    residual: Residual,
    x: np.ndarray,
    free: np.ndarray,
    scale: np.ndarray,
    ease: np.ndarray | None = None,
    hidden: np.ndarray | None = None,
) -> tuple[np.ndarray, float]:
    """Return a point where the residual vanishes (or is smallest nearby), and its size.

    Each step is the shortest that solves the linearised equations, measured in `scale` and
    weighted by `ease` (small: moves little), halved until it helps; how far `hidden` unknowns
    move does not count. A residual that is not finite is no progress.
    """
    r, J = residual(x)
    size = float(np.abs(r).max(initial=0.0))
    w = np.ones(x.size) if ease is None else ease
    for _ in range(STEPS):
        if size < 1e-15 or not np.isfinite(size) or not is_finite(J):
            break
        weak = min(1e-3, max(WEAK, 0.03 * size))
        step = newton_step(J, r, free, w, weak, hidden)
        longest = float(np.abs(step).max(initial=0.0))
        if longest <= ROUNDING:
            break
        factor = min(1.0, 1.0 / longest)
        while factor > 1e-4:
            trial = x + factor * step * scale
            r_trial, J_trial = residual(trial)
            trial_size = float(np.abs(r_trial).max(initial=0.0))
            if trial_size < size:
                break
            factor /= 2
        else:
            break
        x, r, J, size = trial, r_trial, J_trial, trial_size
    return x, size if np.isfinite(size) else np.inf


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


def nearest(
    residual: Residual, x: np.ndarray, free: np.ndarray, scale: np.ndarray
) -> np.ndarray:
    """Return a point near x where the sum of squares of the residual is smallest.

    Levenberg and Marquardt: (JᵀJ + λ 1) Δx = −Jᵀr, λ lowered when a step helps.
    """
    r, J = residual(x)
    damping = 1e-3
    if not (free.any() and np.isfinite(r).all() and is_finite(J)):
        return x
    for _ in range(10 * STEPS):
        trial = x - _damped_step(J, r, free, damping) * scale
        r_trial, J_trial = residual(trial)
        gained = r @ r - r_trial @ r_trial
        if gained > 0.0:
            x, r, J, damping = trial, r_trial, J_trial, damping / 10
            if gained < 1e-13 * (r @ r):
                break
        elif damping < 1e12:
            damping *= 10
        else:
            break
    return x


def _damped_step(
    J: Jacobian, r: np.ndarray, free: np.ndarray, damping: float
) -> np.ndarray:
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
