"""Newton's method on numbers: damped, with the shortest steps, and least squares."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from motorik.numerics.linear_steps import damped_step, newton_step, regularised
from motorik.numerics.sparse_matrix import Jacobian, is_finite
from motorik.numerics.tolerances import RANK, STEP_ROUNDING

Residual = Callable[[np.ndarray], tuple[np.ndarray, Jacobian]]
STEPS = 60
CORRECTIONS = 8  # of a point that is nearly closed


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
    move does not count. A residual that is not finite counts as no progress.
    """
    r, J = residual(x)
    size = float(np.abs(r).max(initial=0.0))
    w = np.ones(x.size) if ease is None else ease
    for _ in range(STEPS):
        if size < 1e-15 or not np.isfinite(size) or not is_finite(J):
            break
        weak = min(1e-3, max(RANK, 0.03 * size))
        step = newton_step(J, r, free, w, weak, hidden)
        longest = float(np.abs(step).max(initial=0.0))
        if longest <= STEP_ROUNDING:
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
        trial = x - damped_step(J, r, free, damping) * scale
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


def close_near(
    residual: Residual, x: np.ndarray, reach: float, closed: float
) -> tuple[np.ndarray, float, Jacobian]:
    """Return the closed pose near x, its largest gap, which is ∞ if none is within reach.

    Plain Newton's method from a point that is nearly closed; gaps below `closed` are none.
    Last comes the Jacobian there.
    """
    begin = x
    r, J = residual(x)
    for _ in range(CORRECTIONS):
        if np.abs(r).max(initial=0.0) < 1e-3 * closed:
            break
        x = x - regularised(J, r)
        if not np.abs(x - begin).max(initial=0.0) <= reach:
            return x, np.inf, J
        r, J = residual(x)
    return x, float(np.abs(r).max(initial=0.0)), J
