"""Rank analysis: linearly independent rows of the constraint Jacobian at several poses."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from motorik.numerics.sparse_matrix import SMALL, SparseMatrix
from motorik.numerics.tolerances import CONSTRAINT_RANK

# --- sparse elimination with large pivots -------------------------------------------------


LARGE = 0.05  # pivots within this part of the largest that is left may be taken
IN_ROW = 0.5  # and within their row


class RowElimination:
    """Gaussian elimination of a sparse matrix, pivot row by pivot row.

    Among pivots that are large relative to the remaining entries, the one in the shortest row is
    taken, which limits fill-in (Markowitz).
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
        self.least = CONSTRAINT_RANK * largest
        self._tiny = 1e-6 * self.least
        self._used: set[int] = set()

    def run(
        self, rows: Collection[int], columns: Collection[int] | None = None
    ) -> list[tuple[int, float]]:
        """Eliminate with as many of some rows as are independent in some columns.

        Return these rows with the magnitudes of their pivots.
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
        """Return the largest possible pivot of a row, and its number of entries."""
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
        """Clear a column of all rows except the pivot row; return the changed rows."""
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


ALMOST_AS_FAR = 0.5  # rows within this part of the farthest are taken in their order
SAME_DIGITS = 12  # decimals to which the entries of equal matrices agree
GOOD = 1e-3  # rows with pivots above this part of the largest are taken without comparison


class RowSelection:
    """Selects independent rows among some rows and columns of matrices at several poses.

    Results for equal numbers are reused.
    """

    def __init__(self, matrices: Sequence[SparseMatrix]) -> None:
        self.matrices = matrices
        self._known: dict[object, list[int]] = {}

    def among(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        solved: Sequence[int] = (),
        dependent: Sequence[int] = (),
    ) -> list[int]:
        """Return those of `rows` that are independent in `columns`.

        The rows `solved` are eliminated first, with pivots in the columns `dependent`.
        """
        taken, gone = set(solved), set(dependent)
        used = [k for k, row in enumerate(rows) if row in taken]
        inner = [k for k, column in enumerate(columns) if column in gone]
        if len(columns) > SMALL:
            parts = [G.submatrix(rows, columns) for G in self.matrices]
            return [rows[k] for k in best_rows(parts, used, inner)]
        entries, i, j = self.matrices[0].pattern.places(rows, columns)
        numbers = np.zeros((len(self.matrices), len(rows), len(columns)))
        for part, G in zip(numbers, self.matrices, strict=True):
            part[i, j] = G.values[entries]
        alike = (np.round(numbers, SAME_DIGITS) + 0.0).tobytes()
        key = numbers.shape, alike, tuple(used), tuple(inner)
        if key not in self._known:
            left = [k for k, row in enumerate(rows) if row not in taken]
            reduced = [_reduced(part, used, inner) for part in numbers]
            self._known[key] = [left[k] for k in independent_rows(reduced)]
        return [rows[k] for k in self._known[key]]


def _reduced(G: np.ndarray, used: Sequence[int], inner: Sequence[int]) -> np.ndarray:
    """Return the Schur complement after elimination of the rows `used` and columns `inner`."""
    left = np.delete(np.arange(G.shape[0]), used).tolist()
    outer = np.delete(np.arange(G.shape[1]), inner).tolist()
    part = G[np.ix_(left, outer)]
    if not inner:
        return part
    A, B = G[np.ix_(used, inner)], G[np.ix_(used, outer)]
    return part - G[np.ix_(left, inner)] @ np.linalg.lstsq(A, B)[0]


def rank(G: np.ndarray) -> int:
    """Return the numerical rank of a matrix without units."""
    if not G.size:
        return 0
    s = np.linalg.svd(G, compute_uv=False)
    return int(np.sum(s > CONSTRAINT_RANK * max(float(s[0]), 1e-300)))


def independent_rows(matrices: Sequence[np.ndarray]) -> list[int]:
    """Return rows that are independent at the given poses, with the best condition."""
    wanted = max((rank(G) for G in matrices), default=0)
    if not wanted:
        return []
    candidates: list[list[int]] = []
    for G in matrices:
        rows = _pivoted_rows(G, wanted)
        if len(rows) == wanted and rows not in candidates:
            candidates.append(rows)
    if len(candidates) == 1:
        return sorted(candidates[0])

    def weakest(rows: list[int]) -> float:
        return min(float(np.linalg.svd(G[rows], compute_uv=False)[-1]) for G in matrices)

    return sorted(max(candidates, key=weakest))


def _pivoted_rows(G: np.ndarray, count: int) -> list[int]:
    """Return up to `count` rows, each the farthest from the span of those before.

    Among rows almost as far, the first is taken, so that the choice is stable.
    """
    left = G.copy()
    least = CONSTRAINT_RANK * 1e-4 * float(np.linalg.norm(G, axis=1).max(initial=0.0))
    taken: list[int] = []
    for _ in range(count):
        sizes = np.linalg.norm(left, axis=1)
        largest = float(sizes.max(initial=0.0))
        if largest <= least:
            break
        k = int(np.flatnonzero(sizes > ALMOST_AS_FAR * largest)[0])
        taken.append(k)
        direction = left[k] / sizes[k]
        left = left - np.outer(left @ direction, direction)
        left[taken] = 0.0
    return taken


def best_rows(
    matrices: Sequence[SparseMatrix],
    solved: Sequence[int] = (),
    dependent: Sequence[int] = (),
) -> list[int]:
    """Return rows that are independent at the given poses, with the best condition.

    The rows `solved` are eliminated first, with pivots in the columns `dependent`.
    """
    runs = [_independent(G, solved, dependent) for G in matrices]
    wanted = max((len(run) for run in runs), default=0)
    if not wanted:
        return []
    full = [run for run in runs if len(run) == wanted]
    candidates = dict.fromkeys(tuple(sorted(row for row, _ in run)) for run in full)
    best, most = next(iter(candidates)), -1.0
    for rows in candidates if len(candidates) > 1 else ():
        weakest = min(_weakest(G, rows, solved, dependent) for G in matrices)
        if weakest > most:
            best, most = rows, weakest
        if weakest > GOOD:
            break
    return list(best)


def _independent(
    G: SparseMatrix,
    solved: Sequence[int],
    dependent: Sequence[int],
    rows: Sequence[int] | None = None,
) -> list[tuple[int, float]]:
    left = RowElimination(G)
    if solved:
        left.run(solved, dependent)
    gone = set(solved)
    among = range(G.shape[0]) if rows is None else rows
    columns = None if not dependent else set(range(G.shape[1])) - set(dependent)
    return left.run([k for k in among if k not in gone], columns)


def _weakest(
    G: SparseMatrix, rows: Sequence[int], solved: Sequence[int], dependent: Sequence[int]
) -> float:
    """Return the smallest pivot of rows relative to the largest entry, zero if they depend."""
    run = _independent(G, solved, dependent, rows)
    largest = float(np.abs(G.values).max(initial=0.0)) or 1.0
    return min(x for _, x in run) / largest if len(run) == len(rows) else 0.0
