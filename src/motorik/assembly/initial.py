"""Start values: positions first, then velocities, so that everything fixed is met."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from motorik.assembly.mechanism import Mechanism, State
from motorik.assembly.view import MotionView
from motorik.components.contributions import Demand
from motorik.errors import InitialValueError

CLOSED = 1e-10
SINGULAR = 1e-6  # below this, relative to the strongest, a velocity counts as impossible
TRIES = 20
STEPS = 60


def solve_start(
    mechanism: Mechanism,
    q: np.ndarray,
    u: np.ndarray,
    q_fixed: np.ndarray,
    u_fixed: np.ndarray,
    symbols: Any,
    p: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return coordinates and speeds that meet all demands, nearest to the given ones.

    Fixed values are kept; the others move as little as possible. `symbols` are those of the
    live parameters, p their values.
    """
    positions = [d for d in mechanism.demands if not d.of_speed]
    velocities = [d for d in mechanism.demands if d.of_speed]
    if positions:
        q = _solve_positions(mechanism, positions, q, ~q_fixed, symbols, p)
    if velocities:
        u = _solve_velocities(mechanism, velocities, q, u, ~u_fixed, symbols, p)
    return q, u


def _solve_positions(
    mechanism: Mechanism,
    demands: Sequence[Demand],
    q: np.ndarray,
    free: np.ndarray,
    symbols: Any,
    p: np.ndarray,
) -> np.ndarray:
    import casadi

    x = casadi.SX.sym("q", q.size)
    parts = casadi.vertsplit(x)
    view = MotionView(mechanism, parts, [0.0] * mechanism.n_u)
    wanted = [e for demand in demands for e in demand.residual(view)]
    for link in mechanism.links:
        wanted += link.joint.redundancy([parts[k] for k in link.q])
    r = casadi.vertcat(*wanted)
    function = casadi.Function("demands", [x, symbols], [r, casadi.jacobian(r, x)])

    def residual(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        r, J = function(values, p)
        return np.asarray(r, dtype=float).ravel(), np.asarray(J, dtype=float)[:, free]

    best, best_size = q, np.inf
    randomness = np.random.default_rng(1)
    for attempt in range(TRIES):
        begin = q.copy()
        if attempt:
            begin[free] += randomness.normal(scale=0.3 * attempt**0.5, size=int(free.sum()))
        found, size = damped_newton(residual, begin, free)
        if size < CLOSED:
            return found
        if size < best_size:
            best, best_size = found, size
    best = nearest(residual, best, free)
    _refuse(demands, mechanism, best, None, residual(best)[0], mechanism.coordinates, free)
    raise AssertionError


def damped_newton(
    residual: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
    x: np.ndarray,
    free: np.ndarray,
) -> tuple[np.ndarray, float]:
    """Return a point where the residual vanishes (or is smallest nearby), and its size.

    Each step is the shortest that solves the linearised equations, halved until it helps.
    """
    r, J = residual(x)
    size = float(np.abs(r).max(initial=0.0))
    for _ in range(STEPS):
        if size < 1e-14 or not np.isfinite(size):
            break
        step = -np.linalg.lstsq(J, r, rcond=1e-12)[0] if J.size else np.zeros(0)
        factor = 1.0
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


def nearest(
    residual: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
    x: np.ndarray,
    free: np.ndarray,
) -> np.ndarray:
    """Return a point near x where the sum of squares of the residual is smallest.

    Levenberg and Marquardt: (JᵀJ + λ 1) Δx = −Jᵀr, λ lowered when a step helps.
    """
    r, J = residual(x)
    damping = 1e-3
    for _ in range(10 * STEPS):
        normal = J.T @ J + damping * np.eye(J.shape[1])
        trial = x.copy()
        trial[free] -= np.linalg.solve(normal, J.T @ r)
        r_trial, J_trial = residual(trial)
        if r_trial @ r_trial < r @ r:
            x, r, J, damping = trial, r_trial, J_trial, damping / 10
        elif damping < 1e12:
            damping *= 10
        else:
            break
    return x


def _solve_velocities(
    mechanism: Mechanism,
    demands: Sequence[Demand],
    q: np.ndarray,
    u: np.ndarray,
    free: np.ndarray,
    symbols: Any,
    p: np.ndarray,
) -> np.ndarray:
    import casadi

    x = casadi.SX.sym("u", u.size)
    view = MotionView(mechanism, [float(v) for v in q], casadi.vertsplit(x))
    r = casadi.vertcat(*(e for demand in demands for e in demand.residual(view)))
    function = casadi.Function("demands", [x, symbols], [r, casadi.jacobian(r, x)])
    r0, J = (np.asarray(v, dtype=float) for v in function(u, p))
    result = u.copy()
    if free.any():
        result[free] -= np.linalg.lstsq(J[:, free], r0.ravel(), rcond=SINGULAR)[0]
    left = np.asarray(function(result, p)[0], dtype=float).ravel()
    if np.abs(left).max(initial=0.0) > CLOSED * max(1.0, float(np.abs(u).max(initial=0.0))):
        _refuse(demands, mechanism, q, result, left, mechanism.speeds, free)
    return result


def _refuse(
    demands: Sequence[Demand],
    mechanism: Mechanism,
    q: np.ndarray,
    u: np.ndarray | None,
    left: np.ndarray,
    states: Sequence[State],
    free: np.ndarray,
) -> None:
    """Raise `InitialValueError` for demands that cannot be met, naming the worst one."""
    sizes: list[tuple[float, Demand]] = []
    at = 0
    counts = _counts(demands, mechanism)
    for demand, count in zip(demands, counts, strict=True):
        sizes.append((float(np.abs(left[at : at + count]).max()), demand))
        at += count
    gap, worst = max(sizes, key=lambda pair: pair[0])
    kept = [s.name for s, f in zip(states, free, strict=True) if not f]
    nearest = ", ".join(
        f"{s.name} = {v:.6g}" for s, v in zip(states, q if u is None else u, strict=True)
    )
    raise InitialValueError(
        worst.part,
        f"the fixed start value {worst.name} cannot be met: {gap:.3g} remains "
        f"(fixed besides: {', '.join(kept) or 'nothing'}).",
        f"Free one of them, or change the value. Nearest reachable: {nearest}.",
    )


def _counts(demands: Sequence[Demand], mechanism: Mechanism) -> list[int]:
    view = MotionView(mechanism, mechanism.start_values()[0], mechanism.start_values()[1])
    return [len(demand.residual(view)) for demand in demands]
