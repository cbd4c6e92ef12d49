"""EigenvalueAnalysis: small motions about an equilibrium, their frequencies and shapes."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from motorik.errors import SimulationError
from motorik.immutable import immutable
from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.numerics.tolerances import EPSILON, MODE_SHARE, STATIONARY_RATE

CLUSTER = 1e-3  # eigenvalues nearer than this, relative to |A|, may be one
BALANCING = 10  # sweeps


@immutable
class Mode:
    """One small motion δy = Re(shape · e^(λt)); a complex λ represents its conjugate too.

    In `shape`, by the names of the states, the largest coordinate is one; where none takes
    part, the largest state. `uncertainty` [1/s] is how far rounding and the error of the
    Jacobian may have moved λ.
    """

    eigenvalue: complex
    shape: dict[str, complex]
    uncertainty: float = 0.0

    @property
    def frequency(self) -> float:
        """The frequency [Hz] at which it oscillates: |Im λ| / 2π."""
        return abs(self.eigenvalue.imag) / math.tau

    @property
    def natural_frequency(self) -> float:
        """The frequency [Hz] without damping: |λ| / 2π."""
        return abs(self.eigenvalue) / math.tau

    @property
    def damping(self) -> float:
        """The damping ratio −Re λ / |λ|: 0 undamped, 1 critical, negative unstable."""
        size = abs(self.eigenvalue)
        return -self.eigenvalue.real / size if size else 0.0

    @property
    def is_stable(self) -> bool:
        """Whether it does not grow: Re λ is not above zero by more than it is uncertain.

        An undamped oscillation is stable.
        """
        return self.eigenvalue.real <= self.uncertainty


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
        return values[_order(values)]

    def modes(self) -> list[Mode]:
        """Return the modes by rising natural frequency, one for each conjugate pair."""
        A = self.state_matrix()
        real_or_complex, vectors = np.linalg.eig(A)
        values = real_or_complex.astype(np.complex128)
        uncertainties = find_uncertainties(A, values, vectors, self.system.jacobian_error)
        names = self.system.names
        steady = set(self.system.steady)
        coordinates = [i for i in range(len(names)) if i not in steady]
        modes = []
        for k in _order(values):
            if values.imag[k] < 0.0:
                continue
            shape = _normalised(vectors[:, k], coordinates)
            shape_by_name = dict(zip(names, shape, strict=True))
            modes.append(Mode(complex(values[k]), shape_by_name, float(uncertainties[k])))
        return modes

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


def find_uncertainties(
    A: np.ndarray, values: np.ndarray, vectors: np.ndarray, error: float
) -> np.ndarray:
    """Return by how much each eigenvalue λ of A may be wrong if A is, relative to its norm.

    To first order |δλ| ≤ κ |δA| with κ = |x| |y| / |yᴴx| for right and left vectors x and y,
    in states scaled so that rows and columns of A are alike. Of m eigenvalues that coincide,
    as those of a body that moves freely, each may move by the m-th root.
    """
    n = len(values)
    scale = _balance(A)
    B = A / scale[:, None] * scale
    size = float(np.linalg.norm(B))
    if size == 0.0:
        return np.zeros(n)
    relative = max(error, n * EPSILON)
    X = vectors / scale[:, None]
    X = X / np.linalg.norm(X, axis=0)
    U, s, Vh = np.linalg.svd(X)
    inverse = (Vh.conj().T / np.maximum(s, EPSILON)) @ U.conj().T
    kappa = np.linalg.norm(inverse, axis=1)
    apart = np.abs(values[:, None] - values)
    alike = np.sum(apart <= CLUSTER * size, axis=1)
    most = relative ** (1.0 / np.maximum(alike, 2))
    return size * np.minimum(kappa * relative, most)


def _balance(A: np.ndarray) -> np.ndarray:
    """Return factors of the states that make the rows of A as large as its columns."""
    scale = np.ones(len(A))
    off = np.abs(A - np.diag(np.diag(A)))
    for _ in range(BALANCING):
        for i in range(len(A)):
            row = float(off[i] @ scale) / scale[i]
            column = float((off[:, i] / scale).sum()) * scale[i]
            if row > 0.0 and column > 0.0:
                scale[i] *= math.sqrt(row / column)
    return scale


def _order(values: NDArray[np.complex128]) -> np.ndarray:
    """Return how to sort eigenvalues: by size, then conjugate ones side by side."""
    return np.lexsort((values.imag, values.real, np.round(np.abs(values), 9)))


def _normalised(vector: np.ndarray, coordinates: list[int]) -> list[complex]:
    """Return the shape whose largest coordinate, or else largest state, is one."""
    size = np.abs(vector)
    at = int(np.argmax(size))
    if coordinates and size[coordinates].max() > MODE_SHARE * size[at]:
        at = coordinates[int(np.argmax(size[coordinates]))]
    return [complex(value) for value in vector / vector[at]]
