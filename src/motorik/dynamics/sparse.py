"""Sparse linear systems of scalars: pivots chosen once on sample numbers, then straight-line.

A matrix is a table of its entries by (row, column); what is not in it is structurally zero.
The order of elimination is found on matrices of numbers that the scalars stand for at
typical poses: few new entries, and pivots that are not small at any of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motorik.algebra.scalar import Scalar, add, div, mul, neg, sub

Table = Mapping[tuple[int, int], Scalar]
THRESHOLD = 0.02  # a pivot is at least this part of the largest entry beside it


class SingularMatrixError(ArithmeticError):
    """No pivot is left that is not zero at a sample pose; `left` are the rows that remain."""

    def __init__(self, left: Sequence[int]) -> None:
        super().__init__(f"rows {list(left)} depend on the others")
        self.left = list(left)


# --- symmetric systems ----------------------------------------------------------------------


@dataclass(frozen=True)
class Pivot:
    """A row or a pair of rows that is eliminated; `size` is its usual determinant."""

    rows: tuple[int, ...]
    size: float


def choose_symmetric_pivots(
    pattern: np.ndarray, samples: Sequence[np.ndarray]
) -> list[Pivot]:
    """Return the order of elimination of a symmetric matrix: single rows, or pairs of them.

    `pattern` tells which entries exist; of `samples` each is the matrix at one pose.
    """
    exists = pattern.copy()
    numbers = [np.array(sample, dtype=float) for sample in samples]
    left = list(range(len(pattern)))
    pivots: list[Pivot] = []
    while left:
        block = _best_block(exists, numbers, left)
        sizes = [abs(np.linalg.det(a[np.ix_(block, block)])) for a in numbers]
        pivots.append(Pivot(block, float(np.median(sizes))))
        left = [i for i in left if i not in block]
        near = [i for i in left if exists[i, list(block)].any()]
        exists[np.ix_(near, near)] = True
        for a in numbers:
            columns = a[np.ix_(near, block)]
            inverse = np.linalg.inv(a[np.ix_(block, block)])
            a[np.ix_(near, near)] -= columns @ inverse @ columns.T
    return pivots


def _best_block(
    exists: np.ndarray, numbers: Sequence[np.ndarray], left: list[int]
) -> tuple[int, ...]:
    among = np.ix_(left, left)
    degrees = exists[among].sum(axis=1)
    quality = np.full(len(left), np.inf)
    for a in numbers:
        part = np.abs(a[among])
        largest = part.max(axis=1, initial=0.0)
        own = np.diagonal(part)
        ratio = np.divide(own, largest, out=np.zeros_like(own), where=largest > 0)
        quality = np.minimum(quality, ratio)
    usable = [k for k in range(len(left)) if quality[k] >= THRESHOLD]
    if usable:
        k = min(usable, key=lambda k: (degrees[k], -round(quality[k], 3), left[k]))
        return (left[k],)
    return _best_pair(exists, numbers, left, degrees)


def _best_pair(
    exists: np.ndarray,
    numbers: Sequence[np.ndarray],
    left: list[int],
    degrees: np.ndarray,
) -> tuple[int, ...]:
    best: tuple[float, int, int] | None = None
    fallback: tuple[float, int, int] | None = None
    for m, i in enumerate(left):
        for n in range(m + 1, len(left)):
            j = left[n]
            if not exists[i, j]:
                continue
            worst = np.inf
            for a in numbers:
                block = a[np.ix_((i, j), (i, j))]
                size = np.abs(a[np.ix_((i, j), left)]).max()
                worst = min(worst, abs(np.linalg.det(block)) / max(size, 1e-300) ** 2)
            if fallback is None or worst > fallback[0]:
                fallback = (worst, i, j)
            if worst >= THRESHOLD:
                found = (float(degrees[m] + degrees[n]), i, j)
                best = found if best is None or found < best else best
    if best is not None:
        return best[1:]
    if fallback is not None and fallback[0] > 1e-10:
        return fallback[1:]
    single = max(left, key=lambda i: min(abs(a[i, i]) for a in numbers))
    if min(abs(a[single, single]) for a in numbers) > 1e-12:
        return (single,)
    raise SingularMatrixError(left)


@dataclass(frozen=True)
class _Stage:
    rows: tuple[int, ...]
    inverse: tuple[tuple[Scalar, ...], ...]
    factors: tuple[tuple[int, tuple[Scalar, ...]], ...]  # L of the rows that follow


class SymmetricFactors:
    """A symmetric matrix as L D Lᵀ, in the order of the pivots: straight-line formulas.

    Rows from `soft_from` on may lose their meaning where a pivot d vanishes: there 1/d is
    softened to d / (d² + ε²), with ε this `softness` times the pivot's usual size.
    """

    def __init__(
        self,
        entries: Table,
        pivots: Sequence[Pivot],
        soft_from: int | None = None,
        softness: float = 0.0,
    ) -> None:
        table: dict[int, dict[int, Scalar]] = {}
        for (i, j), value in entries.items():
            table.setdefault(i, {})[j] = value
            table.setdefault(j, {})[i] = value
        self._stages: list[_Stage] = []
        for pivot in pivots:
            is_soft = soft_from is not None and max(pivot.rows) >= soft_from
            width = softness * pivot.size if is_soft else 0.0
            self._stages.append(_eliminate(table, pivot.rows, width))

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """Return x with A x = right."""
        x = list(right)
        for stage in self._stages:
            for row, factors in stage.factors:
                for k, factor in zip(stage.rows, factors, strict=True):
                    x[row] = sub(x[row], mul(factor, x[k]))
        for stage in self._stages:
            before = [x[k] for k in stage.rows]
            for k, line in zip(stage.rows, stage.inverse, strict=True):
                x[k] = _dot(line, before)
        for stage in reversed(self._stages):
            for row, factors in stage.factors:
                for k, factor in zip(stage.rows, factors, strict=True):
                    x[k] = sub(x[k], mul(factor, x[row]))
        return x


def _eliminate(
    table: dict[int, dict[int, Scalar]], block: tuple[int, ...], width: float
) -> _Stage:
    near = sorted({j for i in block for j in table.get(i, ()) if j not in block})
    A = [[table[i].get(j, 0.0) for j in block] for i in block]
    inverse = _small_inverse(A, width)
    columns = {row: tuple(table[row].get(k, 0.0) for k in block) for row in near}
    factors: list[tuple[int, tuple[Scalar, ...]]] = []
    for row in near:
        line = tuple(
            _dot(columns[row], [inverse[m][n] for m in range(len(block))])
            for n in range(len(block))
        )
        factors.append((row, line))
    for position, (row, line) in enumerate(factors):
        for other, _ in factors[position:]:
            change = _dot(line, columns[other])
            if change.__class__ is float and change == 0.0:
                continue
            value = sub(table[row].get(other, 0.0), change)
            table[row][other] = value
            table[other][row] = value
    for row in near:
        for k in block:
            table[row].pop(k, None)
    return _Stage(block, inverse, tuple(factors))


def _small_inverse(
    A: Sequence[Sequence[Scalar]], width: float
) -> tuple[tuple[Scalar, ...], ...]:
    if len(A) == 1:
        return ((_softly_inverted(A[0][0], width),),)
    (a, b), (_, d) = A
    factor = _softly_inverted(sub(mul(a, d), mul(b, b)), width)
    across = neg(mul(b, factor))
    return (mul(d, factor), across), (across, mul(a, factor))


def _softly_inverted(d: Scalar, width: float) -> Scalar:
    if width == 0.0:
        return div(1.0, d)
    return div(d, add(mul(d, d), width * width))


def _dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    total: Scalar = 0.0
    for x, y in zip(a, b, strict=True):
        total = add(total, mul(x, y))
    return total


# --- general square systems -----------------------------------------------------------------


def choose_pivots(
    pattern: np.ndarray, samples: Sequence[np.ndarray]
) -> list[tuple[int, int]]:
    """Return the order of elimination of a square matrix as (row, column) of each pivot."""
    exists = pattern.copy()
    numbers = [np.array(sample, dtype=float) for sample in samples]
    rows, columns = list(range(len(pattern))), list(range(len(pattern)))
    pivots: list[tuple[int, int]] = []
    while rows:
        part = exists[np.ix_(rows, columns)]
        quality = np.full(part.shape, np.inf)
        for a in numbers:
            size = np.abs(a[np.ix_(rows, columns)])
            largest = np.maximum(size.max(axis=1, keepdims=True), 1e-300)
            quality = np.minimum(quality, size / largest)
            quality[size < 1e-11] = 0.0
        quality[~part] = 0.0
        limit = min(THRESHOLD, float(quality.max()))
        if limit <= 1e-10:
            raise SingularMatrixError(rows)
        cost = np.outer(part.sum(axis=1) - 1, part.sum(axis=0) - 1).astype(float)
        cost -= 1e-3 * quality
        cost[quality < limit] = np.inf
        m, n = np.unravel_index(int(np.argmin(cost)), cost.shape)
        r, c = rows[m], columns[n]
        pivots.append((r, c))
        rows.remove(r)
        columns.remove(c)
        below = [i for i in rows if exists[i, c]]
        beside = [j for j in columns if exists[r, j]]
        exists[np.ix_(below, beside)] = True
        for a in numbers:
            a[np.ix_(below, columns)] -= np.outer(a[below, c] / a[r, c], a[r, columns])
    return pivots


class SquareFactors:
    """A square matrix eliminated in the order of the pivots: straight-line formulas."""

    def __init__(self, entries: Table, pivots: Sequence[tuple[int, int]]) -> None:
        table: dict[int, dict[int, Scalar]] = {}
        for (i, j), value in entries.items():
            table.setdefault(i, {})[j] = value
        self._pivots = list(pivots)
        self._lower: list[list[tuple[int, Scalar]]] = []
        self._upper: list[tuple[Scalar, dict[int, Scalar]]] = []
        self.determinant: Scalar = 1.0  # up to its sign, which does not change
        for r, c in pivots:
            line = table.pop(r)
            pivot = line.pop(c)
            self.determinant = mul(self.determinant, pivot)
            inverse = div(1.0, pivot)
            lower: list[tuple[int, Scalar]] = []
            for i, other in table.items():
                if c not in other:
                    continue
                factor = mul(other.pop(c), inverse)
                lower.append((i, factor))
                for j, value in line.items():
                    other[j] = sub(other.get(j, 0.0), mul(factor, value))
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
