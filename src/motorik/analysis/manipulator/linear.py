"""Linear algebra of a pose: which motions its rows allow, and the shortest step that closes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motorik.numerics.tolerances import NULL_SPACE_RANK


@dataclass(frozen=True)
class Directions:
    """The directions of speeds that rows A hold, and those that they leave free.

    A = U S Vᵀ with singular values that count; `free` are the columns of an orthonormal basis
    of what A allows.
    """

    U: np.ndarray
    S: np.ndarray
    V: np.ndarray
    free: np.ndarray

    @staticmethod
    def of(A: np.ndarray) -> Directions:
        """Return the directions of a matrix of rows by speeds, all in scales."""
        n = A.shape[1]
        if not A.shape[0]:
            return Directions(np.zeros((0, 0)), np.zeros(0), np.zeros((n, 0)), np.eye(n))
        U, S, Vt = np.linalg.svd(A)
        rank = int(np.sum(NULL_SPACE_RANK * max(float(S[0]), 1e-300) < S)) if S.size else 0
        return Directions(U[:, :rank], S[:rank], Vt[:rank].T, Vt[rank:].T)

    @property
    def rank(self) -> int:
        """How many independent rows there are."""
        return self.S.size

    def shortest(self, r: np.ndarray) -> np.ndarray:
        """Return the shortest step s with A s = r, in the sense of least squares."""
        return self.V @ ((self.U.T @ r) / self.S)

    def multipliers(self, gradient: np.ndarray) -> np.ndarray:
        """Return the λ of least norm with Aᵀ λ = −gradient, as far as rows can hold it."""
        return -self.U @ ((self.V.T @ gradient) / self.S)
