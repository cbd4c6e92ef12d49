"""A square matrix of symbols that is eliminated in an order chosen at numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.dynamics.blocks import Block, choose_blocks
from motorik.dynamics.sparse import SquareFactors
from motorik.loops.parts import entries_of, split_symbols

if TYPE_CHECKING:
    import casadi

NEAR = 0.01  # determinant, against that at the first numbers, from which on a margin falls


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
        self._first = [self._size(numbers[0], block) for block in self.blocks]

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
        entries: dict[tuple[int, int], Scalar] = {}
        values = split_symbols(self._function(*given))
        for place, value in zip(self.places, values, strict=True):
            entries[place] = float(value) if value.is_constant() else value
        return SquareFactors(entries, self.blocks)

    # --- how near a block is to being singular ----------------------------------------------

    def _size(self, A: np.ndarray, block: Block) -> float:
        """Return the determinant of a block, several rows of length one, up to a sign."""
        own = A[np.ix_(block.rows, block.columns)]
        lengths = np.sqrt((own * own).sum(axis=1))
        if own.size == 1:
            return float(own[0, 0]) if np.isfinite(own).all() else 0.0
        if not (np.isfinite(own).all() and (lengths > 0.0).all()):
            return 0.0
        of_row = dict(zip(block.rows, lengths.tolist(), strict=True))
        entries = {(i, j): float(A[i, j]) / of_row[i] for i, j in self._places_in(block)}
        try:
            return float(SquareFactors(entries, [block]).determinant)  # type: ignore[arg-type]
        except ZeroDivisionError:
            return 0.0

    def _places_in(self, block: Block) -> list[tuple[int, int]]:
        rows, columns = set(block.rows), set(block.columns)
        return [(i, j) for i, j in self.places if i in rows and j in columns]

    def least(self, A: np.ndarray, block: Block) -> float:
        """Return the least singular value of a block at numbers, its rows of length one."""
        own = A[np.ix_(block.rows, block.columns)]
        lengths = np.sqrt((own * own).sum(axis=1, keepdims=True))
        if not (np.isfinite(own).all() and (lengths > 0.0).all()):
            return 0.0
        return float(np.linalg.svd(own / lengths, compute_uv=False)[-1])

    def is_changing(self, block: Block, by: casadi.SX) -> bool:
        """Tell whether the directions in a block change with some of the arguments."""
        import casadi

        own = self.A[list(block.rows), list(block.columns)]
        return bool(casadi.depends_on(own, by))

    def margin(self, block: Block) -> casadi.SX:
        """Return 0 where a block is singular, about 1 elsewhere.

        It is the determinant, several rows of length one, against that at the first numbers.
        """
        import casadi

        own = self._places_in(block)
        entries = {(i, j): self.A[i, j] * float(self.unit[j]) for i, j in own}
        squares = dict.fromkeys(block.rows, casadi.SX(float(len(block.rows) == 1)))
        for (i, _), value in entries.items() if len(block.rows) > 1 else ():
            squares[i] += value * value
        scaled = {place: entries[place] / casadi.sqrt(squares[place[0]]) for place in own}
        size = casadi.SX(SquareFactors(scaled, [block]).determinant)
        size /= self._first[self.blocks.index(block)] or 1.0
        if len(block.rows) > 3:  # of as many factors as there are points
            size *= casadi.fabs(size) ** (3.0 / len(block.rows) - 1.0)
        return (1.0 + NEAR) * size / (casadi.fabs(size) + NEAR)
