"""Independent rows of the constraint matrix, at all poses as well as may be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motorik.loops.matrices import SMALL, SparseMatrix
from motorik.loops.row_elimination import DEPENDENT, RowElimination

ALMOST_AS_FAR = 0.5  # rows within this part of the farthest are taken in their order
SAME_DIGITS = 12  # decimals to which the entries of equal matrices agree
GOOD = 1e-3  # rows with pivots above this part of the largest are taken without comparison


class RowChoice:
    """Chooses independent rows among some rows and columns of matrices at several poses.

    What was found for the same numbers before is kept.
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

        The rows `solved` among them are used up first, for the columns `dependent`.
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
    """Return the other rows and columns once some rows are used up for some columns."""
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
    return int(np.sum(s > DEPENDENT * max(float(s[0]), 1e-300)))


def independent_rows(matrices: Sequence[np.ndarray]) -> list[int]:
    """Return rows that are independent at all given poses as well as may be."""
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
    """Return up to `count` rows, each time the one farthest from the span of those taken.

    Rows that are almost as far are taken in their order, so that the choice is a stable one.
    """
    left = G.copy()
    least = DEPENDENT * 1e-4 * float(np.linalg.norm(G, axis=1).max(initial=0.0))
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
    """Return rows that are independent, at all given poses as well as may be.

    The rows `solved` are used up first, with their pivots in the columns `dependent`.
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
    """Return the smallest pivot of rows against the largest entry, zero if they depend."""
    run = _independent(G, solved, dependent, rows)
    largest = float(np.abs(G.values).max(initial=0.0)) or 1.0
    return min(x for _, x in run) / largest if len(run) == len(rows) else 0.0
