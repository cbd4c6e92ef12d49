"""EigenvalueAnalysis: small motions about an equilibrium, their frequencies and shapes."""

from __future__ import annotations

import numpy as np

from motorik.errors import SimulationError
from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.numerics.modes import Mode, find_modes, order_of
from motorik.numerics.tolerances import STATIONARY_RATE

__all__ = ["EigenvalueAnalysis", "Mode"]


class EigenvalueAnalysis:
    """The linear equations δẏ = A δy, A = ∂f/∂y, about the present conditions of a system.

    The Jacobian is exact for a compiled system, and by differences (to about 1e-10) for one
    that computes in Python. Conditions that are not stationary are refused, unless
    `anywhere` is true: bring the system there by `StaticEquilibriumFinder`. Steady speeds
    of coordinates that no force depends on, such as that of a rotor, are allowed.
    """

    def __init__(
        self, system: DynamicSystem, *, anywhere: bool = False, time: float = 0.0
    ) -> None:
        self.system = system
        self.anywhere, self.time = anywhere, time

    def state_matrix(self) -> np.ndarray:
        """Return A at the present conditions."""
        y = [float(value) for value in self.system.conditions]
        A = self.system.jacobian(self.time, y)
        if not self.anywhere:
            self._check(y, A)
        return A

    def eigenvalues(self) -> np.ndarray:
        """Return all eigenvalues [1/s] of A, sorted by size, conjugate ones side by side."""
        values = np.linalg.eigvals(self.state_matrix()).astype(np.complex128)
        return values[order_of(values)]

    def modes(self) -> list[Mode]:
        """Return the modes by rising natural frequency, one for each conjugate pair."""
        A, names = self.state_matrix(), self.system.names
        steady = set(self.system.steady)
        coordinates = [i for i in range(len(names)) if i not in steady]
        return find_modes(A, names, coordinates, self.system.jacobian_error)

    def print_modes(self) -> None:
        """Print frequency, damping ratio and eigenvalue of each mode."""
        print(f"{'f [Hz]':>12} {'damping':>12} {'eigenvalue [1/s]':>26}")
        for mode in self.modes():
            value = f"{mode.eigenvalue.real:.6g} ± {abs(mode.eigenvalue.imag):.6g}i"
            print(f"{mode.frequency:12.6g} {mode.damping:12.6g} {value:>26}")

    def _check(self, y: list[float], A: np.ndarray) -> None:
        """Refuse conditions at which the system does not stay as it is."""
        rates = np.array(self.system.derivative(self.time, y), dtype=float)
        typical = np.abs(A) @ (1.0 + np.abs(y))
        for i in self.system.steady:
            if abs(rates[i]) > STATIONARY_RATE * typical[i]:
                raise SimulationError(
                    self.system.names[i],
                    f"changes at a rate of {rates[i]:.6g}: this is not an equilibrium.",
                    "Move there by `StaticEquilibriumFinder`, or analyse `anywhere`.",
                )
