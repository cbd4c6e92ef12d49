"""StaticEquilibriumFinder: an element that moves a system to where it stays at rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from motorik.errors import MotorikError, SimulationError
from motorik.mobile.dynamics.differences import difference_jacobian
from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.mobile.dynamics.system_mover import SystemMover
from motorik.numerics.tolerances import EQUILIBRIUM_LEFT, EQUILIBRIUM_RESIDUAL

# --- stationary points by damped Newton iteration -----------------------------------------


LONGEST = 0.5  # step, in units of 1 + |x|
FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-3, 1e-12, 1e12

Residual = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class SearchResult:
    """The result of a search: x, the residual r, and whether x is a solution."""

    x: np.ndarray
    r: np.ndarray
    iterations: int
    is_reached: bool


def find_stationary(
    residual: Residual, x: np.ndarray, tolerance: float, max_iterations: int
) -> SearchResult:
    """Return the point with r(x) = 0 near x, or the nearest to one that was found.

    Levenberg and Marquardt's step, in unknowns scaled by 1 + |x| and equations by the rows
    of the Jacobian J,

        (JᵀJ + μ|r| 1) Δx = −Jᵀ r,

    which becomes Newton's as |r| vanishes, also where J is singular at the solution.
    """
    r = residual(x)
    mu = FIRST_DAMPING
    for iteration in range(max_iterations):
        J = difference_jacobian(
            lambda there: residual(np.array(there)).tolist(), x.tolist()
        )
        scale = 1.0 + np.abs(x)
        size = np.abs(J) @ scale
        rows = np.where(size > 0.0, size, 1.0)
        J_, r_ = J * scale / rows[:, None], r / rows
        last = _last_step(J_, r_, size > 0.0, tolerance)
        if last is not None:
            return SearchResult(x + scale * last, r, iteration, True)
        while True:
            A = J_.T @ J_ + mu * np.linalg.norm(r_) * np.eye(x.size)
            step = np.linalg.lstsq(A, -J_.T @ r_, rcond=None)[0]
            step *= min(1.0, LONGEST / max(np.abs(step).max(), 1e-300))
            new = x + scale * step
            r_new = _try(residual, new)
            if np.linalg.norm(r_new / rows) < np.linalg.norm(r_):
                break
            mu *= 10.0
            if mu > MOST_DAMPING:
                return SearchResult(x, r, iteration, False)
        x, r, mu = new, r_new, max(0.1 * mu, LEAST_DAMPING)
    return SearchResult(x, r, max_iterations, False)


def _last_step(
    J: np.ndarray, r: np.ndarray, is_influenced: np.ndarray, tolerance: float
) -> np.ndarray | None:
    """Return the Newton step if it is short and leaves nothing of the residual."""
    floor = np.where(is_influenced, EQUILIBRIUM_RESIDUAL, 0.0)
    if (np.abs(r) <= floor).all():
        return np.zeros(J.shape[1])
    step = np.linalg.lstsq(J, -r, rcond=1e-12)[0]
    is_met = np.abs(r + J @ step) <= floor + EQUILIBRIUM_LEFT * np.linalg.norm(r)
    return step if is_met.all() and (np.abs(step) <= tolerance).all() else None


def _try(residual: Residual, x: np.ndarray) -> np.ndarray:
    """Return r(x), infinite where the system cannot be."""
    try:
        r = residual(x)
    except MotorikError:
        return np.full(x.size, np.inf)
    return np.where(np.isfinite(r), r, np.inf)


class StaticEquilibriumFinder(SystemMover):
    """Finds the stationary point near the present place of a system, and moves it there.

    For a mechanical system that is where the forces along its variables vanish at rest;
    for any other one where the rates of its states do. The point is found by damped Newton
    iteration, to `tolerance` (1 + |x|) in each unknown x. It may be unstable, as that of an
    upright pendulum; use `EigenvalueAnalysis`.
    """

    def __init__(
        self,
        system: DynamicSystem,
        *,
        tolerance: float = 1e-9,
        max_iterations: int = 100,
        time: float = 0.0,
    ) -> None:
        super().__init__(system)
        self.time = time
        self.tolerance, self.max_iterations = tolerance, max_iterations

    def advance(self) -> None:
        """Move the system to its equilibrium."""
        start = np.array(self.system.place, dtype=float)
        point = find_stationary(self._imbalance, start, self.tolerance, self.max_iterations)
        self._imbalance(point.x)
        if not point.is_reached:
            self._fail(point)
        self.system.arrive(self.time, self.system.conditions)

    def _imbalance(self, x: np.ndarray) -> np.ndarray:
        self.system.set_place(x.tolist())
        self.system.act(self.time)
        return np.array(self.system.imbalance(self.time), dtype=float)

    def _fail(self, point: SearchResult) -> NoReturn:
        worst = int(np.argmax(np.abs(point.r)))
        name = self.system.imbalance_names[worst]
        raise SimulationError(
            name,
            f"no equilibrium was found: {point.r[worst]:.6g} is left of its force or rate "
            f"after {point.iterations} iterations.",
            "Start nearer to the equilibrium, or constrain what is free to move away.",
        )
