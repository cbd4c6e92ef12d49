"""Constraint blocks: equations that share no coordinate with others are solved separately.

The blocks are the connected components of the incidence matrix of equations and coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler.symbols import elements
from motorik.numerics.newton import Residual
from motorik.numerics.sparse_matrix import SMALL, Jacobian, SparseMatrix, SparsityPattern
from motorik.topology.graph import ConnectedSets

if TYPE_CHECKING:
    import casadi


class ConstraintBlock:
    """Constraint equations that share coordinates, as functions of these coordinates.

    `rows` and `columns` are the numbers of its equations and coordinates. The residual comes
    with its Jacobian, which is dense where the block is small.
    """

    def __init__(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        pattern: SparsityPattern,
        traced: tuple[list[casadi.SX], list[casadi.SX]],
    ) -> None:
        self.rows = np.asarray(rows, dtype=int)
        self.columns = np.asarray(columns, dtype=int)
        self.pattern = pattern
        self._traced = traced

    @property
    def is_small(self) -> bool:
        """Whether its Jacobian is dense."""
        return self.columns.size <= SMALL

    @cached_property
    def _buffers(self) -> tuple[list[np.ndarray], list[np.ndarray], object, object]:
        import casadi

        inputs, outputs = self._traced
        function = casadi.Function("block", inputs, outputs)
        buffer, call = function.buffer()  # it reads and writes the given arrays in place
        given = [np.zeros(x.numel()) for x in inputs]
        found = [np.zeros(x.numel()) for x in outputs]
        for place, arrays in ((buffer.set_arg, given), (buffer.set_res, found)):
            for k, x in enumerate(arrays):
                if x.size:
                    place(k, x.data)  # type: ignore[call-issue]
        return given, found, buffer, call

    def at(
        self, x: np.ndarray, *instant: np.ndarray | float
    ) -> tuple[np.ndarray, Jacobian]:
        """Return the residual and its Jacobian at own coordinates x and at an instant."""
        given, (r, values), _, call = self._buffers
        for target, value in zip(given, (x, *instant), strict=True):
            target[:] = value
        call()  # type: ignore[operator]
        if not self.is_small:
            return r.copy(), SparseMatrix(self.pattern, values.copy())
        J = np.zeros(self.pattern.shape)
        J[self.pattern.rows, self.pattern.columns] = values
        return r.copy(), J


def independent_blocks(
    r: casadi.SX, q: casadi.SX, instant: Sequence[casadi.SX]
) -> tuple[ConstraintBlock, ...]:
    """Return the blocks of equations r(q, instant) = 0.

    Equations without any coordinate form the last block.
    """
    import casadi

    J = casadi.jacobian(r, q)
    rows, columns = (np.array(x, dtype=int) for x in J.sparsity().get_triplet())
    entries, symbols = elements(entries_of(J)), casadi.vertsplit(q)
    values = elements(r)
    found = []
    for own_rows, own_columns, own in _connected(rows, columns, r.numel()):
        shape = (len(own_rows), len(own_columns))
        i, j = (
            np.searchsorted(own_rows, rows[own]),
            np.searchsorted(own_columns, columns[own]),
        )
        inputs = [_column(symbols, own_columns), *instant]
        outputs = [_column(values, own_rows), _column(entries, own)]
        found.append(
            ConstraintBlock(
                own_rows,
                own_columns,
                SparsityPattern(i.tolist(), j.tolist(), shape),
                (inputs, outputs),
            )
        )
    return tuple(found)


def _connected(
    rows: np.ndarray, columns: np.ndarray, n_rows: int
) -> list[tuple[list[int], list[int], list[int]]]:
    """Return rows, columns and entries of each connected component, in their order."""
    sets: ConnectedSets[int] = ConnectedSets()
    first: dict[int, int] = {}
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        sets.unite(first.setdefault(i, j), j)
    table: dict[int, tuple[list[int], list[int], list[int]]] = {}
    for j in sorted(set(columns.tolist())):
        table.setdefault(sets.find(j), ([], [], []))[1].append(j)
    loose = [i for i in range(n_rows) if i not in first]
    for i in sorted(first):
        table[sets.find(first[i])][0].append(i)
    for k, j in enumerate(columns.tolist()):
        table[sets.find(j)][2].append(k)
    found = list(table.values())
    return [*found, (loose, [], [])] if loose else found


def entries_of(matrix: casadi.SX) -> casadi.SX:
    """Return the nonzero entries of a matrix, column by column, as one column."""
    import casadi

    return casadi.sparsity_cast(matrix, casadi.Sparsity.dense(matrix.nnz()))


def _column(parts: Sequence[casadi.SX], own: Sequence[int]) -> casadi.SX:
    import casadi

    return (
        casadi.densify(casadi.vertcat(*(parts[k] for k in own)))
        if len(own)
        else casadi.SX(0, 1)
    )


# --- solutions of equal blocks -------------------------------------------------------------


DIGITS = 9  # decimals to which equal blocks agree, in scales


class BlockSolutions:
    """Solutions of blocks, reused for equal blocks.

    Blocks are equal if they start at the same coordinates with the same scales, weights and
    residuals. A solution is reused only if it closes the other block as well.
    """

    def __init__(self) -> None:
        self._known: dict[object, list[tuple[np.ndarray, float]]] = {}

    def key(
        self, residual: Residual, x: np.ndarray, scale: np.ndarray, *weights: np.ndarray
    ) -> object:
        """Return the key that equal blocks share; x are the own coordinates at the start."""
        numbers = (x / scale, residual(x)[0], scale, *weights)
        rounded = (np.round(np.asarray(n, dtype=float), DIGITS) + 0.0 for n in numbers)
        return tuple(n.tobytes() for n in rounded)

    def note(self, key: object, found: list[tuple[np.ndarray, float]]) -> None:
        """Store the solutions of a block: coordinates and their constraint violations."""
        self._known[key] = found

    def closed(
        self, residual: Residual, key: object, tolerance: float
    ) -> list[tuple[np.ndarray, float]]:
        """Return the solutions of an equal block, none if they do not close this one."""
        found = []
        for x, _ in self._known.get(key, ()):
            violation = float(np.abs(residual(x)[0]).max(initial=0.0))
            if not violation < 1e-2 * tolerance:
                return []
            found.append((x, violation))
        return found
