"""StaticEquilibriumFinder: an element that moves a system to where it stays at rest."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from motorik.errors import MotorikError, SimulationError
from motorik.mobile.dynamics.differences import difference_jacobian
from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.mobile.dynamics.system_mover import SystemMover
from motorik.numerics.newton import Stationary, find_stationary


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
        self._imbalance(start)  # an error at the start is none of the search
        given = start, self.tolerance, self.max_iterations
        point = find_stationary(self._try, self._slopes, *given)
        self._imbalance(point.x)
        if not point.is_reached:
            self._fail(point)
        self.system.arrive(self.time, self.system.conditions)

    def _imbalance(self, x: np.ndarray) -> np.ndarray:
        self.system.set_place(x.tolist())
        self.system.act(self.time)
        return np.array(self.system.imbalance(self.time), dtype=float)

    def _try(self, x: np.ndarray) -> np.ndarray:
        """Return the imbalance at x, infinite where the system cannot be."""
        try:
            r = self._imbalance(x)
        except MotorikError:
            return np.full(x.size, np.inf)
        return np.where(np.isfinite(r), r, np.inf)

    def _slopes(self, x: np.ndarray) -> np.ndarray:
        return difference_jacobian(
            lambda there: self._imbalance(np.array(there)).tolist(), x.tolist()
        )

    def _fail(self, point: Stationary) -> NoReturn:
        worst = int(np.argmax(np.abs(point.r)))
        name = self.system.imbalance_names[worst]
        raise SimulationError(
            name,
            f"no equilibrium was found: {point.r[worst]:.6g} is left of its force or rate "
            f"after {point.iterations} iterations.",
            "Start nearer to the equilibrium, or constrain what is free to move away.",
        )
