"""Linear algebra of a pose: null space of the constraints, least-norm steps."""

from __future__ import annotations

import numpy as np

from motorik.immutable import immutable
from motorik.numerics.tolerances import NULL_SPACE_RANK


@immutable
class Directions:
    """Range and null space of a constraint Jacobian A by speeds.

    A = U S Vᵀ with the significant singular values; `free` is an orthonormal basis of the null
    space of A.
    """

    U: np.ndarray
    S: np.ndarray
    V: np.ndarray
    free: np.ndarray

    @staticmethod
    def of(A: np.ndarray) -> Directions:
        """Return the directions of a Jacobian in scales."""
        n = A.shape[1]
        if not A.shape[0]:
            return Directions(np.zeros((0, 0)), np.zeros(0), np.zeros((n, 0)), np.eye(n))
        U, S, Vt = np.linalg.svd(A)
        rank = int(np.sum(NULL_SPACE_RANK * max(float(S[0]), 1e-300) < S)) if S.size else 0
        return Directions(U[:, :rank], S[:rank], Vt[:rank].T, Vt[rank:].T)

    @property
    def rank(self) -> int:
        """The rank of A."""
        return self.S.size

    def shortest(self, r: np.ndarray) -> np.ndarray:
        """Return the least-norm, least-squares step s with A s = r."""
        return self.V @ ((self.U.T @ r) / self.S)

    def multipliers(self, gradient: np.ndarray) -> np.ndarray:
        """Return the least-norm λ with Aᵀ λ = −gradient, in the least-squares sense."""
        return -self.U @ ((self.V.T @ gradient) / self.S)
