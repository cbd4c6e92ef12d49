"""Elimination of rows of a large matrix with few entries, with large pivots."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from motorik.loops.matrices import SparseMatrix

DEPENDENT = 1e-8  # pivots and singular values below this part of the largest are zero
LARGE = 0.05  # pivots within this part of the largest that is left may be taken
IN_ROW = 0.5  # and within their row


class RowElimination:
    """A matrix of which row after row is used up to clear a column of all others.

    Among pivots that are large against all that is left, the one in the shortest row is
    taken, so that the others stay short.
    """

    def __init__(self, matrix: SparseMatrix) -> None:
        m, n = matrix.shape
        self.rows: list[dict[int, float]] = [{} for _ in range(m)]
        self._of_column: list[set[int]] = [set() for _ in range(n)]
        at = matrix.pattern
        for i, j, x in zip(
            at.rows.tolist(), at.columns.tolist(), matrix.values.tolist(), strict=True
        ):
            if x != 0.0:
                self.rows[i][j] = x
                self._of_column[j].add(i)
        largest = float(np.abs(matrix.values).max(initial=0.0))
        self.least = DEPENDENT * largest
        self._tiny = 1e-6 * self.least
        self._used: set[int] = set()

    def run(
        self, rows: Collection[int], columns: Collection[int] | None = None
    ) -> list[tuple[int, float]]:
        """Use up as many of some rows as are independent in some columns.

        Return them with the sizes of their pivots; the columns are then no part of others.
        """
        allowed = None if columns is None else set(columns)
        size = np.zeros(len(self.rows))
        length = np.full(len(self.rows), np.inf)
        own = set(rows) - self._used
        for i in own:
            size[i], length[i] = self._measure(i, allowed)
        found: list[tuple[int, float]] = []
        while size.size:
            largest = float(size.max())
            if not largest > self.least:
                break
            ready = np.flatnonzero(size >= LARGE * largest)
            i = int(ready[np.argmin(length[ready])])
            j = self._column(i, float(size[i]), allowed)
            found.append((i, abs(self.rows[i][j])))
            size[i] = 0.0
            for k in self._clear(i, j):
                if k in own and size[k] > 0.0:
                    size[k], length[k] = self._measure(k, allowed)
        return found

    def _measure(self, row: int, allowed: set[int] | None) -> tuple[float, int]:
        """Return the largest entry that may be a pivot, and how many entries a row has."""
        entries = self.rows[row]
        if allowed is None:
            return max(map(abs, entries.values()), default=0.0), len(entries)
        sizes = (abs(x) for j, x in entries.items() if j in allowed)
        return max(sizes, default=0.0), len(entries)

    def _column(self, row: int, size: float, allowed: set[int] | None) -> int:
        """Return the column of the pivot in a row: the one with the fewest entries."""
        fit = (
            (len(self._of_column[j]), j)
            for j, x in self.rows[row].items()
            if abs(x) >= IN_ROW * size and (allowed is None or j in allowed)
        )
        return min(fit)[1]

    def _clear(self, row: int, column: int) -> list[int]:
        """Clear the column of all rows but one, which is used up; return those changed."""
        pivot_row = self.rows[row]
        self._used.add(row)
        for j in pivot_row:
            self._of_column[j].discard(row)
        pivot = pivot_row[column]
        changed = list(self._of_column[column])
        for k in changed:
            target = self.rows[k]
            factor = target[column] / pivot
            for j, x in pivot_row.items():
                value = target.get(j, 0.0) - factor * x
                if j == column or abs(value) <= self._tiny:
                    if target.pop(j, None) is not None:
                        self._of_column[j].discard(k)
                else:
                    target[j] = value
                    self._of_column[j].add(k)
        return changed
