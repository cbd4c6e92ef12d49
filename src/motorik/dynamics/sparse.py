"""Sparse linear systems of scalars, solved in a fixed order by straight-line formulas.

A matrix is a table of its entries by (row, column); missing entries are structural zeros. The
orders come from `symmetric_order` and `block_triangular`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from motorik.algebra.scalar import Scalar, add, div, is_structural, minimum, mul, neg, sub
from motorik.dynamics.block_triangular import BY_COFACTORS, MatrixBlock
from motorik.dynamics.elimination import Pivot
from motorik.dynamics.symmetric_order import SymmetricOrder
from motorik.immutable import immutable
from motorik.numerics.sparse_elimination import SparseElimination
from motorik.numerics.tolerances import (
    EARLY_PIVOT,
    ELIMINATION_RESIDUAL,
    REFINED_RESIDUAL,
    TINY_SQUARE,
)

Table = Mapping[tuple[int, int], Scalar]

VANISHING = (
    1e-3  # pivot of a constraint row against its usual size near a singular position
)


# --- symmetric systems ----------------------------------------------------------------------


@immutable
class EliminationStage:
    """One stage of an elimination: the rows eliminated, and their effect on the others."""

    rows: tuple[int, ...]
    inverse: tuple[tuple[Scalar, ...], ...]
    factors: tuple[tuple[int, tuple[Scalar, ...]], ...]  # L of the rows that follow


@immutable
class SymmetricFactors:
    """A symmetric matrix [[M, Gᵀ], [G, 0]] as L D Lᵀ in a given order.

    Rows that the order does not eliminate are kept: `left` are their entries (the Schur
    complement). `added` are the weighted rows of G that were added to M. `soft_pivots` are the rows
    with softened pivots, relative to their usual size. `entries` are those of the original matrix
    where the factors are those of a compliant one: solutions are then refined.
    """

    stages: tuple[EliminationStage, ...]
    added: dict[int, dict[int, Scalar]]
    left: dict[tuple[int, int], Scalar]
    soft_pivots: tuple[tuple[int, Scalar], ...]
    entries: Table | None = None
    refinements: int = 0

    @staticmethod
    def of(
        entries: Table,
        order: SymmetricOrder,
        soft_from: int | None = None,
        softness: Scalar = 0.0,
    ) -> SymmetricFactors:
        """Return the factors of a matrix whose `entries` may be those of one triangle.

        Rows from `soft_from` on may become singular where a pivot d vanishes: there 1/d is softened
        to d / (d² + ε²), with ε this `softness` times the usual size of the pivot.
        """
        table: dict[int, dict[int, Scalar]] = {}
        for (i, j), value in entries.items():
            table.setdefault(i, {})[j] = value
            table.setdefault(j, {})[i] = value
        added = {
            row: {k: mul(w, g) for k, g in table.get(row, {}).items()}
            for row, w in order.weights.items()
        }
        for row, weighted in added.items():
            line = dict(table[row])
            for i, value in weighted.items():
                for j, other in line.items():
                    if i <= j:
                        total = add(table[i].get(j, 0.0), mul(value, other))
                        table[i][j] = table[j][i] = total
        for row, value in order.compliance.items():
            table.setdefault(row, {})[row] = -value
        stages: list[EliminationStage] = []
        soft_pivots: list[tuple[int, Scalar]] = []
        for pivot in order.pivots:
            is_soft = soft_from is not None and max(pivot.rows) >= soft_from
            softens = order.softens and not order.compliance
            width = mul(softness, pivot.size) if is_soft and softens else 0.0
            stage, determinant = _eliminate(table, pivot.rows, width)
            stages.append(stage)
            if is_soft:
                soft_pivots.append((max(pivot.rows), div(determinant, pivot.size)))
        gone = {k for pivot in order.pivots for k in pivot.rows}
        kept = ((i, line) for i, line in table.items() if i not in gone)
        left = {(i, j): value for i, line in kept for j, value in line.items()}
        own = entries if order.compliance else None
        made = (tuple(stages), added, left, tuple(soft_pivots), own)
        return SymmetricFactors(*made, order.refinements)

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """Return x with A x = right."""
        x = self.solve_once(right)
        for _ in range(self.refinements if self.entries is not None else 0):
            change = self.solve_once(residual(self.entries or {}, x, right))
            x = [add(a, b) for a, b in zip(x, change, strict=True)]
        return x

    def solve_once(self, right: Sequence[Scalar]) -> list[Scalar]:
        """Return x with A x = right, without refinement: for use within iterations."""
        return self.substituted(self.eliminated(right))

    def eliminated(self, right: Sequence[Scalar]) -> list[Scalar]:
        """Return the right-hand side after forward elimination."""
        x = list(right)
        for row, weighted in self.added.items():
            for k, value in weighted.items():
                x[k] = add(x[k], mul(value, right[row]))
        for stage in self.stages:
            for row, factors in stage.factors:
                for k, factor in zip(stage.rows, factors, strict=True):
                    x[row] = sub(x[row], mul(factor, x[k]))
        return x

    def substituted(self, eliminated: Sequence[Scalar]) -> list[Scalar]:
        """Return x by back substitution, with x itself in kept rows."""
        x = list(eliminated)
        for stage in self.stages:
            before = [x[k] for k in stage.rows]
            for k, line in zip(stage.rows, stage.inverse, strict=True):
                x[k] = _dot(line, before)
        for stage in reversed(self.stages):
            for row, factors in stage.factors:
                for k, factor in zip(stage.rows, factors, strict=True):
                    x[k] = sub(x[k], mul(factor, x[row]))
        return x


def fault_of(
    entries: Table,
    order: SymmetricOrder,
    factors: SymmetricFactors,
    x: Sequence[Scalar],
    right: Sequence[Scalar],
    is_refined: bool = False,
) -> Scalar:
    """Return the relative squared residual of a solution; 1 is the limit of the audit.

    It is |A x − b|² in scales, relative to x and b, all equations together. A refined solution must
    satisfy A itself, another one A with its compliance. Kept rows are known and belong to b.
    Constraints eliminated after all their speeds are weighted less where their pivots vanish, as
    they are singular themselves. Vanishing pivots of early constraints are faults.
    """
    n = len(order.scale)
    own = {place: value for place, value in entries.items() if max(place) < n}
    beside = {(i, j): v for (i, j), v in entries.items() if i < n <= j}
    known = residual(beside, x, [0.0] * len(x))
    left = [add(a, b) for a, b in zip(residual(own, x, right), known, strict=True)]
    for k, value in () if is_refined else order.compliance.items():
        left[k] = add(left[k], mul(value, x[k]))
    pivots = dict(factors.soft_pivots)
    late = _late_rows(own, order)
    missed: Scalar = 0.0
    size: Scalar = TINY_SQUARE
    smallest: Scalar = 1.0
    for i, scale in enumerate(order.scale):
        load = mul(scale, known[i])
        size = add(size, mul(load, load))
        off, wanted = mul(scale, left[i]), mul(scale, right[i])
        found = mul(1.0 / scale, x[i])
        size = add(size, add(mul(wanted, wanted), mul(found, found)))
        squared = mul(off, off)
        if i in pivots:
            d = mul(pivots[i], pivots[i])
            if i in late:
                squared = mul(squared, minimum(1.0, mul(VANISHING**-2, d)))
            smallest = minimum(smallest, d)
        missed = add(missed, squared)
    limit = REFINED_RESIDUAL if order.is_redundant else ELIMINATION_RESIDUAL
    fault = div(missed, mul(limit * limit, size))
    if order.compliance and not order.is_redundant:
        fault = add(fault, div(EARLY_PIVOT * EARLY_PIVOT, smallest))
    return fault


def square_fault(
    entries: Table, units: Sequence[float], x: Sequence[Scalar], right: Sequence[Scalar]
) -> Scalar:
    """Return the relative squared residual of a square system; 1 is the limit of the audit.

    It is |A x − b|², each row normalised, relative to x and b; `units` are relative scales of the
    unknowns.
    """
    left: list[Scalar] = list(right)
    length: list[Scalar] = [TINY_SQUARE] * len(right)
    for (i, j), value in entries.items():
        left[i] = sub(left[i], mul(value, x[j]))
        scaled = mul(units[j], value)
        length[i] = add(length[i], mul(scaled, scaled))
    missed: Scalar = 0.0
    size: Scalar = TINY_SQUARE
    for off, wanted, squared, found, unit in zip(
        left, right, length, x, units, strict=True
    ):
        missed = add(missed, div(mul(off, off), squared))
        size = add(size, div(mul(wanted, wanted), squared))
        scaled = mul(1.0 / unit, found)
        size = add(size, mul(scaled, scaled))
    return div(missed, mul(ELIMINATION_RESIDUAL * ELIMINATION_RESIDUAL, size))


def _late_rows(entries: Table, order: SymmetricOrder) -> set[int]:
    """Return the rows that are eliminated after all rows they have entries with."""
    place = {row: at for at, pivot in enumerate(order.pivots) for row in pivot.rows}
    late = set(place)
    for i, j in entries:
        if i != j and i in place and j in place:
            late.discard(i if place[i] < place[j] else j)
    return late


def residual(entries: Table, x: Sequence[Scalar], right: Sequence[Scalar]) -> list[Scalar]:
    """Return right − A x of a symmetric matrix whose `entries` are those of one triangle."""
    left = list(right)
    for (i, j), value in entries.items():
        left[i] = sub(left[i], mul(value, x[j]))
        if i != j:
            left[j] = sub(left[j], mul(value, x[i]))
    return left


def _eliminate(
    table: dict[int, dict[int, Scalar]], block: tuple[int, ...], width: Scalar
) -> tuple[EliminationStage, Scalar]:
    near = sorted({j for i in block for j in table.get(i, ()) if j not in block})
    A = [[table[i].get(j, 0.0) for j in block] for i in block]
    determinant = _small_determinant(A)
    inverse = _small_inverse(A, determinant, width)
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
    return EliminationStage(block, inverse, tuple(factors)), determinant


def _small_determinant(A: Sequence[Sequence[Scalar]]) -> Scalar:
    if len(A) == 1:
        return A[0][0]
    (a, b), (_, d) = A
    return sub(mul(a, d), mul(b, b))


def _small_inverse(
    A: Sequence[Sequence[Scalar]], determinant: Scalar, width: Scalar
) -> tuple[tuple[Scalar, ...], ...]:
    factor = _softly_inverted(determinant, width)
    if len(A) == 1:
        return ((factor,),)
    (a, b), (_, d) = A
    across = neg(mul(b, factor))
    return (mul(d, factor), across), (across, mul(a, factor))


def _softly_inverted(d: Scalar, width: Scalar) -> Scalar:
    if is_structural(width, 0.0):
        return div(1.0, d)
    return div(d, add(mul(d, d), mul(width, width)))


def _dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    total: Scalar = 0.0
    for x, y in zip(a, b, strict=True):
        total = add(total, mul(x, y))
    return total


# --- square systems -------------------------------------------------------------------------


class SquareFactors:
    """A square matrix in blocks, each solved after those before it.

    Blocks of up to three rows are inverted by cofactors. Larger ones are eliminated in the order of
    their pivots, or, if these may vanish, solved by the positive definite A Aᵀ.
    """

    def __init__(self, entries: Table, blocks: Sequence[MatrixBlock]) -> None:
        self._lines: dict[int, list[tuple[int, Scalar]]] = {}
        for (i, j), value in entries.items():
            self._lines.setdefault(i, []).append((j, value))
        self._blocks: list[tuple[MatrixBlock, _Solver]] = []
        self.determinant: Scalar = 1.0  # up to its sign, which does not change
        for block in blocks:
            at = {c: k for k, c in enumerate(block.columns)}
            A = [[0.0] * len(at) for _ in at]  # type: list[list[Scalar]]
            for line, row in zip(A, block.rows, strict=True):
                for j, value in self._lines.get(row, ()):
                    if j in at:
                        line[at[j]] = value
            solver = _Inverse(A) if len(at) <= BY_COFACTORS else _large_solver(A, block)
            self._blocks.append((block, solver))
            self.determinant = mul(self.determinant, solver.determinant)

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """Return x with A x = right."""
        x: list[Scalar] = [0.0] * len(right)
        for block, solver in self._blocks:
            inside = set(block.columns)
            b: list[Scalar] = []
            for row in block.rows:
                value = right[row]
                for j, entry in self._lines[row]:
                    if j not in inside:
                        value = sub(value, mul(entry, x[j]))
                b.append(value)
            for c, value in zip(block.columns, solver.solve(b), strict=True):
                x[c] = value
        return x


class _Inverse:
    """A matrix of one, two or three rows, inverted by cofactors."""

    def __init__(self, A: Sequence[Sequence[Scalar]]) -> None:
        n = len(A)
        others = [[k for k in range(n) if k != i] for i in range(n)]
        adjugate = [
            [_cofactor(A, others[j], others[i], (i + j) % 2 == 1) for j in range(n)]
            for i in range(n)
        ]
        self.determinant = _dot(A[0], [line[0] for line in adjugate])
        factor = div(1.0, self.determinant)
        self._inverse = [[mul(value, factor) for value in line] for line in adjugate]

    def solve(self, b: Sequence[Scalar]) -> list[Scalar]:
        """Return A⁻¹ b."""
        return [_dot(line, b) for line in self._inverse]


def _cofactor(
    A: Sequence[Sequence[Scalar]], rows: Sequence[int], columns: Sequence[int], odd: bool
) -> Scalar:
    """Return the signed determinant without a row and a column."""
    value: Scalar = 1.0
    if len(rows) == 1:
        value = A[rows[0]][columns[0]]
    elif rows:
        (i, k), (j, m) = rows, columns
        value = sub(mul(A[i][j], A[k][m]), mul(A[i][m], A[k][j]))
    return neg(value) if odd else value


class _Definite:
    """A block solved by x = Aᵀ (A Aᵀ)⁻¹ b, with one step of iterative refinement.

    The definite matrix has no vanishing pivot while the block is regular; the refinement
    compensates its condition number, which is the square of that of A.
    """

    def __init__(
        self, A: Sequence[Sequence[Scalar]], pivots: Sequence[tuple[int, int]]
    ) -> None:
        n = len(A)
        self._A = A
        self.determinant = _eliminated(A, pivots).determinant  # with its sign
        entries = {(i, j): _dot(A[i], A[j]) for i in range(n) for j in range(i, n)}
        order = SymmetricOrder(tuple(Pivot((i,), 1.0) for i in range(n)))
        self._factors = SymmetricFactors.of(entries, order)

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """Return x with A x = right."""
        n = len(right)
        x: list[Scalar] = [0.0] * n
        left = list(right)
        for _ in range(2):
            y = self._factors.solve(left)
            x = [add(x[j], _dot([line[j] for line in self._A], y)) for j in range(n)]
            left = [sub(b, _dot(line, x)) for b, line in zip(right, self._A, strict=True)]
        return x


_Solver = _Inverse | SparseElimination | _Definite


def _large_solver(A: Sequence[Sequence[Scalar]], block: MatrixBlock) -> _Solver:
    """Return the solver of a block of more than three rows."""
    row, column = block.rows.index, block.columns.index
    pivots = [(row(r), column(c)) for r, c in block.pivots]
    return _eliminated(A, pivots) if block.is_sound else _Definite(A, pivots)


def _eliminated(
    A: Sequence[Sequence[Scalar]], pivots: Sequence[tuple[int, int]]
) -> SparseElimination:
    """Return a block eliminated in the order of its pivots."""
    return SparseElimination(
        {
            (i, j): value
            for i, line in enumerate(A)
            for j, value in enumerate(line)
            if not is_structural(value, 0.0)
        },
        pivots,
    )
