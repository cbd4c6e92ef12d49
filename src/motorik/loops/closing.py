"""Closing loops on numbers: the start of a run, and sample poses to decide by."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from motorik.loops.rows import ConstraintRows

Residual = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
CLOSED = 1e-10
STEPS = 60
WEAK = 1e-9  # directions weaker than this part of the strongest are left alone


def damped_newton(
    residual: Residual, x: np.ndarray, free: np.ndarray, weights: np.ndarray | None = None
) -> tuple[np.ndarray, float]:
    """Return a point where the residual vanishes (or is smallest nearby), and its size.

    Each step is the shortest that solves the linearised equations, measured with the
    `weights` of the free unknowns (small: moves little), halved until it helps.
    """
    r, J = residual(x)
    size = float(np.abs(r).max(initial=0.0))
    w = np.ones(J.shape[1]) if weights is None else weights
    for _ in range(STEPS):
        if size < 1e-14 or not np.isfinite(size):
            break
        weak = min(1e-3, max(WEAK, 0.03 * size))
        step = -w * np.linalg.lstsq(J * w, r, rcond=weak)[0] if J.size else np.zeros(0)
        longest = float(np.abs(step).max(initial=0.0))
        factor = min(1.0, 1.0 / longest) if longest > 0.0 else 1.0
        while factor > 1e-4:
            trial = x.copy()
            trial[free] += factor * step
            r_trial, J_trial = residual(trial)
            trial_size = float(np.abs(r_trial).max(initial=0.0))
            if trial_size < size:
                break
            factor /= 2
        else:
            break
        x, r, J, size = trial, r_trial, J_trial, trial_size
    return x, size


def nearest(residual: Residual, x: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Return a point near x where the sum of squares of the residual is smallest.

    Levenberg and Marquardt: (JᵀJ + λ 1) Δx = −Jᵀr, λ lowered when a step helps.
    """
    r, J = residual(x)
    damping = 1e-3
    for _ in range(10 * STEPS):
        trial = x.copy()
        padded = np.vstack([J, np.sqrt(damping) * np.eye(J.shape[1])])
        right = np.concatenate([r, np.zeros(J.shape[1])])
        trial[free] -= np.linalg.lstsq(padded, right, rcond=None)[0]
        r_trial, J_trial = residual(trial)
        if r_trial @ r_trial < r @ r:
            x, r, J, damping = trial, r_trial, J_trial, damping / 10
        elif damping < 1e12:
            damping *= 10
        else:
            break
    return x


def sample_poses(
    rows: ConstraintRows, q: np.ndarray, p: np.ndarray, count: int = 3
) -> list[np.ndarray]:
    """Return assembled poses: q, which is closed, and others found near it."""
    residual = loop_residual(rows, p)
    free = np.ones(q.size, dtype=bool)
    found = [q]
    randomness = np.random.default_rng(7)
    for attempt in range(4 * count):
        if len(found) > count:
            break
        scale = 0.25 * 0.7**attempt
        begin = q + randomness.normal(scale=scale, size=q.size)
        closed, size = damped_newton(residual, begin, free)
        if size < CLOSED:
            found.append(closed)
    return found


def loop_residual(rows: ConstraintRows, p: np.ndarray, t: float = 0.0) -> Residual:
    """Return the residual of all loops, and of unit quaternions, with its Jacobian by q."""
    import casadi

    mechanism = rows.mechanism
    q = casadi.SX.sym("q", mechanism.n_q)
    parts = casadi.vertsplit(q) if q.numel() else []
    z0 = [0.0] * rows.z.numel()
    g = rows.position_function(rows.y_of(parts, t, z0), rows.p)
    extra = [
        e
        for link in mechanism.links
        for e in link.joint.redundancy([parts[k] for k in link.q])
    ]
    r = casadi.vertcat(g, *extra)
    function = casadi.Function("loops", [q, rows.p], [r, casadi.jacobian(r, q)])

    def residual(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        r, J = function(values, p)
        return np.asarray(r, dtype=float).ravel(), np.asarray(J, dtype=float)

    return residual
