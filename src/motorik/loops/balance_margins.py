"""How steadily points without mass are held: checked at the start, guarded in the run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.dynamics.blocks import MatrixBlock
from motorik.errors import AssemblyError
from motorik.loops.balance_equations import BalanceEquations, column
from motorik.loops.parts import split_symbols

if TYPE_CHECKING:
    import casadi

UNHELD = 1e-9  # least singular value of what holds a point
NEAR = 1e-6  # pivots of what holds a point, from which on a margin falls


class BalanceMargins:
    """The pivots of what holds the points of a balance, all positive while it is stable."""

    def __init__(self, equations: BalanceEquations) -> None:
        self.equations, self.matrix, self.rows = equations, equations.matrix, equations.rows

    def _words(self, block: MatrixBlock) -> str:
        parts = self.equations.balance.parts
        return ", ".join(dict.fromkeys(parts[c] for c in block.columns))

    def _steadiness(self, block: MatrixBlock) -> list[casadi.SX]:
        """Return what is positive while a block of points is held steadily, at most 1.

        Of points that dampers act on in some directions it is a determinant, else pivots.
        """
        columns = dict(enumerate(self.equations.columns))
        points = self.equations.balance.partly
        partly = {row for point in points for row in point.rows}
        if len(block.rows) == 3 and partly.issuperset(block.columns):
            return [self.matrix.determinant(block, columns)]
        return self.matrix.pivots(block, columns)

    # --- in the run -------------------------------------------------------------------------

    @cached_property
    def _guarded(self) -> list[tuple[str, casadi.SX]]:
        """The points that may come where nothing holds them, and margins that vanish there."""
        import casadi

        changing = casadi.vertcat(self.rows.y, self.rows.u)
        found = []
        for block in self.matrix.blocks:
            if self.matrix.is_changing(block, changing):
                for size in self._steadiness(block):
                    margin = (1.0 + NEAR) * size / (casadi.fabs(size) + NEAR)
                    found.append((self._words(block), margin))
        return found

    @property
    def words(self) -> list[str]:
        """The points that each margin is about."""
        return [words for words, _ in self._guarded]

    @cached_property
    def need_accelerations(self) -> bool:
        """Whether the rates of the margins depend on accelerations."""
        return self._function.jac_sparsity(0, 1).nnz() > 0

    def with_rates(
        self, y: casadi.SX, u: casadi.SX, ud: Sequence[Scalar]
    ) -> tuple[list[Scalar], list[Scalar]]:
        """Return the margins, 0 where nothing holds a point, and their rates."""
        import casadi

        found = self._function(y, u, casadi.vertcat(*ud), self.rows.p)
        return split_symbols(found[0]), split_symbols(found[1])

    @cached_property
    def _function(self) -> casadi.Function:
        margins = column([margin for _, margin in self._guarded])
        return self.equations.with_rates("margins", margins)

    # --- at the start -----------------------------------------------------------------------

    def check(self, q: np.ndarray, p: np.ndarray, t: float, z: Sequence[float]) -> None:
        """Raise `AssemblyError` if a point is not held, or not steadily, at the start."""
        given = self.rows.y_numbers(q, t, z), np.zeros(self.rows.u.numel()), p
        A = self.matrix.numbers(*given)
        for block, steadiness in zip(self.matrix.blocks, self._at_start, strict=True):
            if not self.matrix.least(A, block) > UNHELD:
                raise AssemblyError(
                    self._words(block),
                    "has no mass, and in some direction nothing holds it at the start: springs "
                    "are slack or in one line without force, or dampers act in a plane.",
                    "Start where the springs are stretched, guide it by a joint, or give it "
                    "a mass.",
                )
            if not np.asarray(steadiness(*given), dtype=float).min() > 0.0:
                raise AssemblyError(
                    self._words(block),
                    "has no mass, and its balance at the start is unstable: it would snap "
                    "aside at once.",
                    "Start where the springs are stretched, or guide it by a joint.",
                )

    @cached_property
    def _at_start(self) -> list[casadi.Function]:
        make = self.equations.function
        blocks = self.matrix.blocks
        return [make("steady", column(self._steadiness(block))) for block in blocks]
