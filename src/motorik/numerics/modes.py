"""Modes of linear equations δẏ = A δy: eigenvalues, shapes, and how certain they are."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from motorik.immutable import immutable
from motorik.numerics.tolerances import DEPENDENCE, EPSILON, MODE_SHARE, UNDAMPED

BALANCING = 10  # sweeps
TRIALS = 4  # disturbed matrices by which the uncertainty of eigenvalues is measured
SAFETY = 4.0  # times the largest change in them


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
        return -self.eigenvalue.real / size + 0.0 if size else 0.0

    @property
    def growth_bound(self) -> float:
        """How large Re λ [1/s] may be in a mode that does not grow, by rounding alone."""
        return max(self.uncertainty, UNDAMPED * abs(self.eigenvalue))

    @property
    def is_stable(self) -> bool:
        """Whether it does not grow: Re λ is not above zero by more than it is uncertain.

        An undamped oscillation is stable; the tolerance is relative to |λ| of this mode.
        """
        return self.eigenvalue.real <= self.growth_bound

    @property
    def decays(self) -> bool:
        """Whether it dies out: Re λ is below zero by more than it is uncertain."""
        return self.eigenvalue.real < -self.growth_bound


def find_modes(
    A: np.ndarray,
    names: Sequence[str],
    coordinates: Collection[int],
    error: float = 0.0,
    shown: np.ndarray | None = None,
) -> list[Mode]:
    """Return the modes by rising natural frequency, one for each conjugate pair.

    `names` are those of the entries of a shape, the states or, with the matrix `shown`, what
    follows from them by it; `coordinates` are the entries of which the largest becomes one.
    A is known to `error` of its norm, and no row better than to this part of its largest entry.
    """
    if not len(A):
        return []
    real_or_complex, vectors = np.linalg.eig(A)
    values = real_or_complex.astype(np.complex128)
    uncertainties = find_uncertainties(A, values, error)
    found = []
    for k in order_of(values):
        if values.imag[k] < 0.0:
            continue
        vector = vectors[:, k] if shown is None else shown @ vectors[:, k]
        shape = dict(zip(names, _normalised(vector, sorted(coordinates)), strict=True))
        found.append(Mode(complex(values[k]), shape, float(uncertainties[k])))
    return found


def find_uncertainties(
    A: np.ndarray, values: NDArray[np.complex128], error: float
) -> np.ndarray:
    """Return by how much each eigenvalue of A may be wrong if A is, relative to its norm.

    They are measured: A is disturbed by as much as it may be wrong, in states scaled so that
    its rows and columns are alike and, by `error` of each row, as it is given, and its
    eigenvalues found again. So they are right for
    multiple eigenvalues, as those of a body that moves freely, which change by a root of the
    error, and for slow modes beside fast ones.
    """
    n = len(values)
    scale = _balance(A)
    B = A / scale[:, None] * scale
    size = float(np.linalg.norm(B))
    if size == 0.0:
        return np.zeros(n)
    relative = max(error, n * EPSILON)
    rng = np.random.default_rng(n)
    found = np.zeros(n)
    rows = error * np.abs(A).max(axis=1, keepdims=True) / scale[:, None] * scale
    for _ in range(TRIALS):
        noise = rng.normal(size=(n, n))
        noise *= relative * size / float(np.linalg.norm(noise))
        noise += rows * rng.normal(size=(n, n))
        found = np.maximum(found, _distances(values, np.linalg.eigvals(B + noise)))
    return SAFETY * found


def order_of(values: NDArray[np.complex128]) -> np.ndarray:
    """Return how to sort eigenvalues: by size, then conjugate ones side by side."""
    return np.lexsort((values.imag, values.real, np.round(np.abs(values), 9)))


def _distances(values: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the distance of each value to the nearest of the others not yet taken."""
    apart = np.abs(values[:, None] - others)
    found = np.zeros(len(values))
    for _ in values:
        k, other = np.unravel_index(int(np.argmin(apart)), apart.shape)
        found[k] = apart[k, other]
        apart[k], apart[:, other] = np.inf, np.inf
    return found


def _balance(A: np.ndarray) -> np.ndarray:
    """Return factors of the states that make the rows of A as large as its columns."""
    scale = np.ones(len(A))
    off = np.abs(A - np.diag(np.diag(A)))
    off[off <= DEPENDENCE * np.abs(A).max(axis=1, keepdims=True)] = 0.0
    for _ in range(BALANCING):
        for i in range(len(A)):
            row = float(off[i] @ scale) / scale[i]
            column = float((off[:, i] / scale).sum()) * scale[i]
            if row > 0.0 and column > 0.0:
                scale[i] *= math.sqrt(row / column)
    return scale


def _normalised(vector: np.ndarray, coordinates: list[int]) -> list[complex]:
    """Return the shape whose largest coordinate, or else largest state, is one."""
    size = np.abs(vector)
    at = int(np.argmax(size))
    if coordinates and size[coordinates].max() > MODE_SHARE * size[at]:
        at = coordinates[int(np.argmax(size[coordinates]))]
    return [complex(value) for value in vector / vector[at]]
