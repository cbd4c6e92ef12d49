"""A square matrix of symbols that is eliminated in an order chosen at numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.dynamics.blocks import MatrixBlock, choose_blocks
from motorik.dynamics.sparse import SquareFactors
from motorik.loops.parts import entries_of, split_symbols

if TYPE_CHECKING:
    import casadi


class StaticMatrix:
    """A matrix of arguments (symbols), and how it is eliminated.

    `samples` are numbers for the arguments, the first at the start; `unit` usual sizes of the
    unknowns. `SingularMatrixError` is raised if its pattern alone makes it singular.
    """

    def __init__(
        self,
        A: casadi.SX,
        arguments: Sequence[casadi.SX],
        samples: Sequence[Sequence[np.ndarray]],
        unit: np.ndarray,
    ) -> None:
        self.A, self.arguments, self.unit = A, list(arguments), unit
        self.places = list(zip(*A.sparsity().get_triplet(), strict=True))
        pattern = np.zeros(A.shape, dtype=bool)
        for place in self.places:
            pattern[place] = True
        numbers = [self.numbers(*given) for given in samples]
        self.blocks = choose_blocks(pattern, numbers)

    @cached_property
    def _function(self) -> casadi.Function:
        import casadi

        return casadi.Function("A", self.arguments, [casadi.densify(entries_of(self.A))])

    def numbers(self, *given: np.ndarray) -> np.ndarray:
        """Return the matrix at numbers, its columns in units."""
        values = np.asarray(self._function(*given), dtype=float).ravel().tolist()
        found = np.zeros(self.A.shape)
        for place, value in zip(self.places, values, strict=True):
            found[place] = value
        return found * self.unit

    def factors(self, *given: casadi.SX) -> SquareFactors:
        """Return the factors of the matrix at other symbols."""
        return SquareFactors(self.entries(*given), self.blocks)

    def entries(self, *given: casadi.SX) -> dict[tuple[int, int], Scalar]:
        """Return the entries of the matrix at other symbols."""
        entries: dict[tuple[int, int], Scalar] = {}
        values = split_symbols(self._function(*given))
        for place, value in zip(self.places, values, strict=True):
            entries[place] = float(value) if value.is_constant() else value
        return entries

    # --- how near a block is to being singular ----------------------------------------------

    def least(self, A: np.ndarray, block: MatrixBlock) -> float:
        """Return the least singular value of a block at numbers, its rows of length one."""
        own = A[np.ix_(block.rows, block.columns)]
        lengths = np.sqrt((own * own).sum(axis=1, keepdims=True))
        if not (np.isfinite(own).all() and (lengths > 0.0).all()):
            return 0.0
        return float(np.linalg.svd(own / lengths, compute_uv=False)[-1])

    def is_changing(self, block: MatrixBlock, by: casadi.SX) -> bool:
        """Tell whether a block changes with some of the arguments."""
        import casadi

        own = self.A[list(block.rows), list(block.columns)]
        return bool(casadi.depends_on(own, by))

    def pivots(self, block: MatrixBlock, columns: Mapping[int, int]) -> list[casadi.SX]:
        """Return the pivots of −A in a block, against the lengths of its rows.

        `columns` tells the column that a row stands for. Of a definite matrix all pivots are
        between 0 and 1, and one vanishes where it becomes singular.
        """
        import casadi

        inside = set(block.columns)
        table: dict[int, dict[int, casadi.SX]] = {columns[row]: {} for row in block.rows}
        for i, j in self.places:
            if i in block.rows and j in inside:
                table[columns[i]][j] = -self.A[i, j] * float(self.unit[j])
        lengths = {
            k: casadi.sqrt(sum(value * value for value in line.values()))
            for k, line in table.items()
        }
        found: list[casadi.SX] = []
        while table:
            k = min(table, key=lambda row: (len(table[row]), row))
            line = table.pop(k)
            pivot = line.pop(k, casadi.SX(0.0))
            found.append(pivot / lengths[k])
            for other in table.values():
                if k in other:
                    factor = other.pop(k) / pivot
                    for j, value in line.items():
                        other[j] = other.get(j, 0.0) - factor * value
        return found

    def determinant(self, block: MatrixBlock, columns: Mapping[int, int]) -> casadi.SX:
        """Return the determinant of −A in a block of up to three rows, rows of length one."""
        import casadi

        rows = sorted(block.rows, key=columns.__getitem__)
        own = sorted(columns[row] for row in rows)
        M = -casadi.densify(self.A[rows, own]) @ casadi.diag(self.unit[own])
        size = casadi.det(M)
        for i in range(len(own)):
            size = size / casadi.norm_2(M[i, :].T)
        return size
