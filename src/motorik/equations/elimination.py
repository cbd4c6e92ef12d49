"""Sparse elimination of square systems in an order that is chosen at samples."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence

import numpy as np

from motorik.algebra.scalar import Scalar, div, is_structural, mul, neg, sub
from motorik.immutable import immutable
from motorik.numerics.tolerances import NETWORK_PIVOT, NETWORK_RANK

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
                rows[i][j] = np.where(np.abs(new) <= 1e-14 * size, 0.0, new)
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
    for (
        i,
        line,
    ) in rows.items():  # none is large at all samples: the largest of those that exist
        for j, value in line.items():
            size = float(np.median(np.abs(value)))
            if size > max(NETWORK_RANK, least) and (np.abs(value) > 0.0).all():
                best, least = (i, j), size
    return best


def eliminate(
    entries: Entries, right: Sequence[Scalar], pivots: Sequence[tuple[int, int]]
) -> list[Scalar]:
    """Return x with A x = right, in straight-line code by the order of the pivots."""
    n = len(right)
    rows: dict[int, dict[int, Scalar]] = {i: {} for i in range(n)}
    columns: dict[int, set[int]] = {j: set() for j in range(n)}
    for (i, j), value in entries.items():
        rows[i][j] = value
        columns[j].add(i)
    b = list(right)
    done: list[tuple[int, int, Scalar, dict[int, Scalar]]] = []
    for r, c in pivots:
        line = rows.pop(r)
        pivot = line.pop(c)
        done.append((r, c, pivot, line))
        for j in (*line, c):
            columns[j].discard(r)
        for i in sorted(columns.pop(c)):
            factor = div(rows[i].pop(c), pivot)
            for j, value in line.items():
                rows[i][j] = sub(rows[i].get(j, 0.0), mul(factor, value))
                columns[j].add(i)
            b[i] = sub(b[i], mul(factor, b[r]))
    x: list[Scalar] = [0.0] * n
    for r, c, pivot, line in reversed(done):
        total = b[r]
        for j, value in line.items():
            total = sub(total, mul(value, x[j]))
        x[c] = neg(total) if is_structural(pivot, -1.0) else div(total, pivot)
    return x


def null_vectors(A: np.ndarray) -> np.ndarray:
    """Return the left null vectors of a square matrix, one in each row, scaled to about 1."""
    size = np.maximum(np.abs(A).max(axis=0, keepdims=True), 1e-300)
    height = np.maximum(np.abs(A / size).max(axis=1, keepdims=True), 1e-300)
    U, s, _ = np.linalg.svd(A / size / height)
    lacking = int((s <= NETWORK_RANK * max(s[0], 1e-300)).sum()) if len(s) else 0
    found = (U[:, len(s) - lacking :] / height).T
    # sparse vectors with an entry of one: equations named are then those concerned
    work, rows = found.copy(), []
    free = list(range(len(work)))
    for k in range(len(work)):
        j = int(np.argmax(np.abs(work[k])))
        work[k] /= work[k, j]
        for i in free:
            if i != k:
                work[i] -= work[i, j] * work[k]
        rows.append(j)
    work[np.abs(work) <= 1e-9] = 0.0
    return work
