"""Sparse elimination in a fixed order, which is chosen on numbers at samples.

Equations trace to straight-line code, so the order of pivots is fixed before a run.
`choose_pivots` finds an order that is sound at all samples, `SparseElimination` solves by it. Where
no one order is sound at all of them, as with ideal switches, a small core is left, whose pivots
are chosen in the run by comparisons (`solve_by_comparisons`).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from motorik.algebra.scalar import Scalar, add, div, fabs, is_number, mul, sub, where
from motorik.immutable import immutable
from motorik.numerics.tolerances import (
    CANCELLED_ENTRY,
    EVER_SMALL_PIVOT,
    NETWORK_PIVOT,
    NETWORK_RANK,
    NETWORK_RESIDUAL,
    NULL_ENTRY,
    SMALLEST_SIZE,
)

Entries = Mapping[tuple[int, int], Scalar]

SEARCHED = 8  # of the shortest rows, among which a pivot is sought first


@immutable
class Rank:
    """An order of elimination: pivots (row, column), and `rows` and `columns` of a core.

    `row_scales` and `column_scales` are factors that make the largest entries about 1. The matrix
    `is_singular` if the core is so at all samples.
    """

    pivots: tuple[tuple[int, int], ...] = ()
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    is_singular: bool = False
    row_scales: tuple[float, ...] = ()
    column_scales: tuple[float, ...] = ()


def choose_pivots(n: int, samples: Mapping[tuple[int, int], np.ndarray]) -> Rank:
    """Return an order of elimination in which no pivot is small at any sample.

    Of the entries that are large enough in their rows at all samples, the one that fills in
    least is next (Markowitz). Where there is none, the rest is the core.
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
    core = np.zeros((count, len(rows), len(rows)))
    for i, r in enumerate(rows):
        for j, c in enumerate(columns):
            core[:, i, j] = rows[r].get(c, 0.0)
    return Rank(
        tuple(pivots),
        tuple(rows),
        tuple(columns),
        bool(rows) and _is_singular(core),
        *(tuple(own.tolist()) for own in scale),
    )


def _is_singular(samples: np.ndarray) -> bool:
    """Return whether matrices are singular at all samples."""
    s = np.linalg.svd(samples, compute_uv=False)
    return bool((s[:, -1] <= NETWORK_RANK * np.maximum(s[:, 0], SMALLEST_SIZE)).all())


def _scales(
    n: int, samples: Mapping[tuple[int, int], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return factors of rows and columns that make their largest entries about 1."""
    r, c = np.ones(n), np.ones(n)
    sizes = {place: float(np.median(np.abs(v))) for place, v in samples.items()}
    for place, value in samples.items():
        sizes[place] = sizes[place] or float(np.abs(value).max())
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
            sizes = np.abs(value)
            size, smallest = float(np.median(sizes)), float(sizes.min())
            if size > max(NETWORK_RANK, least) and smallest > EVER_SMALL_PIVOT * size:
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

    `entries` are those that are not structural zeros; `pivots` are (row, column) in order. They
    may leave a core, which `rank` describes.
    """

    def __init__(
        self,
        entries: Entries,
        pivots: Sequence[tuple[int, int]],
        rank: Rank | None = None,
    ) -> None:
        rank = rank or Rank()
        own = (
            [*(i for i, _ in pivots), *rank.rows],
            [*(j for _, j in pivots), *rank.columns],
        )
        rows: dict[int, dict[int, Scalar]] = {i: {} for i in own[0]}
        columns: dict[int, set[int]] = {j: set() for j in own[1]}
        self._entries, self._rank = entries, rank
        for (i, j), value in entries.items():
            rows[i][j] = value
            columns[j].add(i)
        self._pivots = list(pivots)
        self._lower: list[list[tuple[int, Scalar]]] = []
        self._upper: list[tuple[Scalar, dict[int, Scalar]]] = []
        self._core = rows  # the rows that are left at the end
        self.determinant: Scalar = (
            1.0  # up to its sign, which the order decides; without core
        )
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
        for j, value in self._solve_core(b):
            x[j] = value
        for (r, c), (inverse, line) in zip(
            reversed(self._pivots), reversed(self._upper), strict=True
        ):
            value = b[r]
            for j, entry in line.items():
                value = sub(value, mul(entry, x[j]))
            x[c] = mul(value, inverse)
        return x

    def _solve_core(self, b: Sequence[Scalar]) -> list[tuple[int, Scalar]]:
        """Return the unknowns of the core, with rows and columns scaled to entries of about 1."""
        rank = self._rank
        if not rank.rows:
            return []
        r, c = rank.row_scales, rank.column_scales
        A = [
            [mul(r[i] * c[j], self._core[i].get(j, 0.0)) for j in rank.columns]
            for i in rank.rows
        ]
        found = solve_by_comparisons(A, [mul(r[i], b[i]) for i in rank.rows])
        both = zip(rank.columns, found, strict=True)
        return [(j, mul(c[j], value)) for j, value in both]

    def checked(self, right: Sequence[Scalar], x: Sequence[Scalar]) -> list[Scalar]:
        """Return a solution x of A x = right, no numbers where it is none.

        Pivots that are numbers are the same in every run: nothing is to be checked.
        """
        if not self._rank.rows and is_number(self.determinant):
            return list(x)
        r, c = self._rank.row_scales, self._rank.column_scales
        left = [mul(-1.0, value) for value in right]
        for (i, j), entry in self._entries.items():
            left[i] = add(left[i], mul(entry, x[j]))
        misses = _squares(mul(own, value) for own, value in zip(r, left, strict=True))
        size = _squares(mul(own, value) for own, value in zip(r, right, strict=True))
        size = add(size, _squares(mul(1.0 / own, y) for own, y in zip(c, x, strict=True)))
        is_met = misses <= mul(NETWORK_RESIDUAL**2, size)
        return [where(is_met, value, float("nan")) for value in x]


def _squares(values: Iterable[Scalar]) -> Scalar:
    total: Scalar = 0.0
    for value in values:
        total = add(total, mul(value, value))
    return total


def solve_by_comparisons(
    A: Sequence[Sequence[Scalar]], b: Sequence[Scalar]
) -> list[Scalar]:
    """Return x with A x = b, entries of about 1, by straight-line code that compares pivots.

    In each column the largest entry of the rows not yet used is the pivot. A column without one
    belongs to an unknown that nothing determines: it is zero.
    """
    n = len(b)
    rows = [[*own, right] for own, right in zip(A, b, strict=True)]
    done: list[tuple[Scalar, list[Scalar]]] = []
    for c in range(n):
        for i in range(1, n):  # the largest entry of the column comes to the first row
            if is_number(rows[i][c]) and rows[i][c] == 0.0:
                continue
            is_larger = fabs(rows[i][c]) > fabs(rows[0][c])
            first, other = rows[0], rows[i]
            for j in range(c, n + 1):
                a, z = first[j], other[j]
                first[j], other[j] = where(is_larger, z, a), where(is_larger, a, z)
        first = rows[0]
        is_pivot = fabs(first[c]) > NETWORK_RANK
        inverse = where(is_pivot, div(1.0, where(is_pivot, first[c], 1.0)), 0.0)
        done.append((inverse, list(first)))
        for own in rows[1:]:
            factor = mul(own[c], inverse)
            for j in range(c + 1, n + 1):
                own[j] = sub(own[j], mul(factor, first[j]))
        for j in range(c + 1, n + 1):
            first[j] = where(is_pivot, 0.0, first[j])
    x: list[Scalar] = [0.0] * n
    for c in reversed(range(n)):
        inverse, line = done[c]
        value = line[n]
        for j in range(c + 1, n):
            value = sub(value, mul(line[j], x[j]))
        x[c] = mul(value, inverse)
    return x
