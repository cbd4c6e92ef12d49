"""Sparse elimination in a fixed order, which is chosen on numbers at samples.

Equations trace to straight-line code, so pivots cannot be chosen in a run. `choose_pivots` finds
an order that is sound at all samples, `SparseElimination` solves by it.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence

import numpy as np

from motorik.algebra.scalar import Scalar, div, mul, sub
from motorik.immutable import immutable
from motorik.numerics.tolerances import (
    CANCELLED_ENTRY,
    NETWORK_PIVOT,
    NETWORK_RANK,
    NULL_ENTRY,
    SMALLEST_SIZE,
)

Entries = Mapping[tuple[int, int], Scalar]

SEARCHED = 8  # of the shortest rows, among which a pivot is sought first


@immutable
class Rank:
    """The rank of a square matrix at samples: pivots (row, column) in order of elimination.

    Rows and columns that found no pivot at any sample are in `rows` and `columns`.
    """

    pivots: tuple[tuple[int, int], ...]
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()


def choose_pivots(n: int, samples: Mapping[tuple[int, int], np.ndarray]) -> Rank:
    """Return an order of elimination in which no pivot is small at any sample.

    Of the entries that are large enough in their rows at all samples, the one that fills in
    least is next (Markowitz).
    """
    count = max((v.size for v in samples.values()), default=1)
    table: dict[int, dict[int, np.ndarray]] = {i: {} for i in range(n)}
    columns: dict[int, set[int]] = {j: set() for j in range(n)}
    scale = _scales(n, samples)
    for (i, j), value in samples.items():
        table[i][j] = np.broadcast_to(value, (count,)) * scale[0][i] * scale[1][j]
        columns[j].add(i)
    rows = {i: dict(own) for i, own in table.items()}
    pivots: list[tuple[int, int]] = []
    while rows:
        best = _best(rows, columns)
        if best is None:
            break
        r, c = best
        pivots.append(best)
        line = rows.pop(r)
        pivot = line.pop(c)
        for j in (*line, c):
            columns[j].discard(r)
        for i in [*columns.pop(c)]:
            factor = rows[i].pop(c) / pivot
            for j, value in line.items():
                old = rows[i].get(j)
                new = -factor * value if old is None else old - factor * value
                size = np.abs(factor * value) + (0.0 if old is None else np.abs(old))
                rows[i][j] = np.where(np.abs(new) <= CANCELLED_ENTRY * size, 0.0, new)
                columns[j].add(i)
    return Rank(tuple(pivots), tuple(rows), tuple(columns))


def _scales(
    n: int, samples: Mapping[tuple[int, int], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return factors of rows and columns that make their largest entries about 1."""
    r, c = np.ones(n), np.ones(n)
    sizes = {place: float(np.median(np.abs(v))) for place, v in samples.items()}
    for _ in range(4):
        for axis, factors in enumerate((r, c)):
            largest = np.zeros(n)
            for place, size in sizes.items():
                at = place[axis]
                largest[at] = max(largest[at], size * r[place[0]] * c[place[1]])
            factors /= np.where(largest > 0.0, largest, 1.0)
    return r, c


def _best(
    rows: Mapping[int, Mapping[int, np.ndarray]], columns: Mapping[int, set[int]]
) -> tuple[int, int] | None:
    """Return the next pivot: large enough at all samples, with least fill-in."""
    short = heapq.nsmallest(SEARCHED, rows, key=lambda i: len(rows[i]))
    for chosen in (short, rows):
        best, least = None, (np.inf, 0.0)
        for i in chosen:
            line = rows[i]
            largest = np.max([np.abs(v) for v in line.values()], axis=0) if line else 0.0
            for j, value in line.items():
                size = np.abs(value)
                if size.min() <= NETWORK_RANK or np.any(size < NETWORK_PIVOT * largest):
                    continue
                cost = ((len(line) - 1) * (len(columns[j]) - 1), -float(size.min()))
                if cost < least:
                    best, least = (i, j), cost
        if best is not None:
            return best
    least = 0.0
    for i, line in rows.items():
        # none is large at all samples: the largest of those that vanish at none
        for j, value in line.items():
            size = float(np.median(np.abs(value)))
            if size > max(NETWORK_RANK, least) and (np.abs(value) > 0.0).all():
                best, least = (i, j), size
    return best


def largest_pivots(samples: np.ndarray) -> list[tuple[int, int]]:
    """Return pivots (row, column) of matrices at samples, each the largest that is left.

    Its size is that at the sample where it is smallest. There are fewer pivots than columns
    where all entries that are left vanish at a sample.
    """
    work = samples.copy()
    order: list[tuple[int, int]] = []
    for _ in range(work.shape[2]):
        size = np.abs(work)
        size[:, [i for i, _ in order], :] = 0.0
        size[:, :, [j for _, j in order]] = 0.0
        quality = size.min(axis=0)
        i, j = map(int, np.unravel_index(int(np.argmax(quality)), quality.shape))
        if quality[i, j] <= 0.0:
            break
        order.append((i, j))
        gone = {r for r, _ in order}
        for other in range(work.shape[1]):
            if other not in gone:
                factor = work[:, other, j] / work[:, i, j]
                work[:, other] -= factor[:, None] * work[:, i]
    return order


def independent_columns(G: np.ndarray) -> list[int]:
    """Return the first columns that are independent, as many as the rank, in their order."""
    work = G / np.maximum(np.abs(G).max(axis=1, keepdims=True, initial=0.0), SMALLEST_SIZE)
    rows = list(range(len(work)))
    found: list[int] = []
    for m in range(work.shape[1]):
        if not rows:
            break
        pivot = max(rows, key=lambda i: abs(work[i, m]))
        if abs(work[pivot, m]) <= NETWORK_RANK:
            continue
        rows.remove(pivot)
        found.append(m)
        for i in rows:
            work[i] -= work[i, m] / work[pivot, m] * work[pivot]
    return found


def left_null_vectors(A: np.ndarray) -> np.ndarray:
    """Return the left null vectors of a square matrix, a row for each, scaled to about 1.

    Each has an entry of 1 where all others have 0, so it names few equations.
    """
    size = np.maximum(np.abs(A).max(axis=0, keepdims=True), SMALLEST_SIZE)
    height = np.maximum(np.abs(A / size).max(axis=1, keepdims=True), SMALLEST_SIZE)
    U, s, _ = np.linalg.svd(A / size / height)
    least = NETWORK_RANK * max(s[0], SMALLEST_SIZE) if len(s) else 0.0
    lacking = int((s <= least).sum())
    found = (U[:, len(s) - lacking :] / height).T.copy()
    for k in range(len(found)):
        j = int(np.argmax(np.abs(found[k])))
        found[k] /= found[k, j]
        for i in range(len(found)):
            if i != k:
                found[i] -= found[i, j] * found[k]
    found[np.abs(found) <= NULL_ENTRY] = 0.0
    return found


class SparseElimination:
    """A square matrix of scalars, eliminated in a given order by straight-line formulas.

    `entries` are those that are not structural zeros; `pivots` are (row, column) in order.
    """

    def __init__(self, entries: Entries, pivots: Sequence[tuple[int, int]]) -> None:
        rows: dict[int, dict[int, Scalar]] = {i: {} for i, _ in pivots}
        columns: dict[int, set[int]] = {j: set() for _, j in pivots}
        for (i, j), value in entries.items():
            rows[i][j] = value
            columns[j].add(i)
        self._pivots = list(pivots)
        self._lower: list[list[tuple[int, Scalar]]] = []
        self._upper: list[tuple[Scalar, dict[int, Scalar]]] = []
        self.determinant: Scalar = 1.0  # up to its sign, which the order decides
        for r, c in pivots:
            line = rows.pop(r)
            pivot = line.pop(c)
            self.determinant = mul(self.determinant, pivot)
            inverse = div(1.0, pivot)
            lower: list[tuple[int, Scalar]] = []
            for j in (*line, c):
                columns[j].discard(r)
            for i in sorted(columns.pop(c)):
                other = rows[i]
                factor = mul(other.pop(c), inverse)
                lower.append((i, factor))
                for j, value in line.items():
                    other[j] = sub(other.get(j, 0.0), mul(factor, value))
                    columns[j].add(i)
            self._lower.append(lower)
            self._upper.append((inverse, line))

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """Return x with A x = right."""
        b = list(right)
        for (r, _), lower in zip(self._pivots, self._lower, strict=True):
            for i, factor in lower:
                b[i] = sub(b[i], mul(factor, b[r]))
        x: list[Scalar] = [0.0] * len(b)
        for (r, c), (inverse, line) in zip(
            reversed(self._pivots), reversed(self._upper), strict=True
        ):
            value = b[r]
            for j, entry in line.items():
                value = sub(value, mul(entry, x[j]))
            x[c] = mul(value, inverse)
        return x
