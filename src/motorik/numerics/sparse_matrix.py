"""Matrices with few entries on numbers: where they are, dense parts, least squares."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.immutable import immutable
from motorik.numerics.tolerances import NORMAL_RANK

if TYPE_CHECKING:
    import casadi

SMALL = 100  # columns up to which matrices are dense


class SparsityPattern:
    """Where a matrix of a given shape has entries, row by row.

    The entries stand in the order that `rows` and `columns` are given in; `starts` are those
    of the rows in the sorted order.
    """

    def __init__(
        self, rows: Sequence[int], columns: Sequence[int], shape: tuple[int, int]
    ) -> None:
        self.shape = shape
        self.rows = np.asarray(rows, dtype=int)
        self.columns = np.asarray(columns, dtype=int)

    @cached_property
    def _by_row(self) -> tuple[np.ndarray, np.ndarray]:
        """The entries in the order of rows, and where each row begins among them."""
        order = np.argsort(self.rows, kind="stable")
        counts = np.bincount(self.rows, minlength=self.shape[0])
        return order, np.concatenate([[0], np.cumsum(counts)])

    def of_row(self, row: int) -> np.ndarray:
        """Return the entries of a row."""
        order, starts = self._by_row
        return order[starts[row] : starts[row + 1]]

    def places(
        self, rows: Sequence[int], columns: Sequence[int]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the entries in some rows and columns, and where they are among these."""
        own = [self.of_row(row) for row in rows]
        entries = np.concatenate([*own, np.zeros(0, dtype=int)])
        i = np.repeat(np.arange(len(own)), [part.size for part in own])
        wanted = np.asarray(columns, dtype=int)
        if not wanted.size:
            return entries[:0], i[:0], i[:0]
        order = np.argsort(wanted)
        at = np.searchsorted(wanted[order], self.columns[entries])
        at = order[np.minimum(at, wanted.size - 1)]
        inside = wanted[at] == self.columns[entries]
        return entries[inside], i[inside], at[inside]

    @cached_property
    def _normal(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, casadi.Sparsity]:
        """Pairs of entries whose products add up to the entries of JᵀJ, and its pattern."""
        import casadi

        n = self.shape[1]
        order, starts = self._by_row
        left, right = [], []
        for k in range(self.shape[0]):
            own = order[starts[k] : starts[k + 1]]
            left.append(np.repeat(own, own.size))
            right.append(np.tile(own, own.size))
        one, two = np.concatenate(left), np.concatenate(right)
        key = np.concatenate(
            [self.columns[two] * n + self.columns[one], np.arange(n) * (n + 1)]
        )
        places, target = np.unique(key, return_inverse=True)
        sparsity = casadi.Sparsity.triplet(
            n, n, (places % n).tolist(), (places // n).tolist()
        )
        return one, two, target, sparsity

    @cached_property
    def _solver(self) -> casadi.Linsol:
        import casadi

        return casadi.Linsol("normal", "ldl", self._normal[3])


@immutable
class SparseMatrix:
    """The numbers of a matrix with few entries."""

    pattern: SparsityPattern
    values: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return self.pattern.shape

    def scaled(self, rows: np.ndarray, columns: np.ndarray) -> SparseMatrix:
        """Return the matrix with each row and each column multiplied by a factor."""
        at = self.pattern
        return SparseMatrix(at, self.values * rows[at.rows] * columns[at.columns])

    def part(self, rows: Sequence[int], columns: Sequence[int]) -> np.ndarray:
        """Return some rows and columns as a dense matrix."""
        entries, i, j = self.pattern.places(rows, columns)
        found = np.zeros((len(rows), len(columns)))
        found[i, j] = self.values[entries]
        return found

    def submatrix(self, rows: Sequence[int], columns: Sequence[int]) -> SparseMatrix:
        """Return some rows and columns as a matrix with few entries."""
        entries, i, j = self.pattern.places(rows, columns)
        shape = (len(rows), len(columns))
        return SparseMatrix(
            SparsityPattern(i.tolist(), j.tolist(), shape), self.values[entries]
        )

    def back(self, r: np.ndarray) -> np.ndarray:
        """Return Jᵀ r."""
        at = self.pattern
        weights = self.values * r[at.rows]
        return np.bincount(at.columns, weights=weights, minlength=self.shape[1])

    def times(self, x: np.ndarray) -> np.ndarray:
        """Return J x."""
        at = self.pattern
        weights = self.values * x[at.columns]
        return np.bincount(at.rows, weights=weights, minlength=self.shape[0])

    def shortest(self, r: np.ndarray, weak: float) -> np.ndarray:
        """Return the shortest x with J x = r as well as may be.

        Directions weaker than the part `weak` of the strongest are left alone, though none
        that are stronger than `NORMAL_RANK`.
        """
        return self._damped(r, max(weak, NORMAL_RANK) ** 2, 0.0)

    def damped(self, r: np.ndarray, damping: float) -> np.ndarray:
        """Return x with (JᵀJ + λ 1) x = Jᵀ r, λ = `damping`."""
        return self._damped(r, 0.0, damping)

    def _damped(self, r: np.ndarray, part: float, damping: float) -> np.ndarray:
        """Return x of the normal equations, a part of the largest pivot added to all."""
        import casadi

        one, two, target, sparsity = self.pattern._normal
        products = self.values[one] * self.values[two]
        n = self.shape[1]
        added = np.zeros(n)
        K = np.bincount(target, np.concatenate([products, added]), sparsity.nnz())
        diagonal = target[products.size :]
        K[diagonal] += damping + part * max(float(K[diagonal].max(initial=0.0)), 1e-300)
        right = casadi.DM(self.back(r))
        found = self.pattern._solver.solve(casadi.DM(sparsity, K), right)
        return np.asarray(found, dtype=float).ravel()


Jacobian = np.ndarray | SparseMatrix
"""A Jacobian on numbers, dense where it is small."""


def scaled(J: Jacobian, rows: np.ndarray, columns: np.ndarray) -> Jacobian:
    """Return a Jacobian with each row and each column multiplied by a factor."""
    if isinstance(J, SparseMatrix):
        return J.scaled(rows, columns)
    return rows[:, None] * J * columns


def times(J: Jacobian, x: np.ndarray) -> np.ndarray:
    """Return J x."""
    return J.times(x) if isinstance(J, SparseMatrix) else J @ x


def steepest(J: Jacobian) -> np.ndarray:
    """Return the size of the largest entry of each row."""
    if not isinstance(J, SparseMatrix):
        return np.abs(J).max(axis=1, initial=0.0)
    found = np.zeros(J.shape[0])
    np.maximum.at(found, J.pattern.rows, np.abs(J.values))
    return found


def is_finite(J: Jacobian) -> bool:
    """Return whether all entries are finite."""
    return bool(np.isfinite(J.values if isinstance(J, SparseMatrix) else J).all())
