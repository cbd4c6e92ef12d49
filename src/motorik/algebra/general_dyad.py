"""Motor dyads: linear maps from motors to motors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeAlias

import numpy as np

from motorik.algebra.linear_system import solve_linear
from motorik.algebra.matrix import IDENTITY, Matrix, MatrixLike, fixed_matrix, outer, skew
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Indexed, Scalar, add
from motorik.algebra.value import Value, is_foreign, refuse, unguard
from motorik.errors import ParameterError

_NOTHING = 0.0 * IDENTITY


class _DyadSlots:
    """The blocks of a dyad, without their guard."""

    __slots__ = ("T11", "T12", "T21", "T22")
    T11: Matrix
    T12: Matrix
    T21: Matrix
    T22: Matrix


class Dyad(Value, _DyadSlots):
    """A general motor dyad of four blocks, applied as in eq. (2) of the 2009 paper.

    T ∘ (g, h) = (T11 h + T12 g, T21 h + T22 g)

    ``T(h)`` applies it, ``S @ T`` is first T, then S. Its transpose moves it to the other
    side of an inner product: (a, T ∘ b) = (Tᵀ ∘ a, b).
    """

    __slots__ = ()
    _leaves: ClassVar[tuple[str, ...]] = _DyadSlots.__slots__

    def __init__(
        self, T11: MatrixLike, T12: MatrixLike, T21: MatrixLike, T22: MatrixLike
    ) -> None:
        kind = self.__class__
        unguard(self, _DyadSlots)
        self.T11 = fixed_matrix(T11)
        self.T12 = fixed_matrix(T12)
        self.T21 = fixed_matrix(T21)
        self.T22 = fixed_matrix(T22)
        self.__class__ = kind

    @staticmethod
    def of(rows: DyadLike) -> Dyad:
        """Return the dyad of nested rows or of a 6×6 array, [[T11, T12], [T21, T22]]."""
        table = rows if hasattr(rows, "shape") else np.asarray(rows, dtype=object)
        if tuple(table.shape[:2]) != (6, 6):  # pyright: ignore[reportAttributeAccessIssue]
            raise ParameterError(
                "Dyad",
                f"a table of shape {np.shape(table)} is given.",
                "Give six rows of six.",
                parameter="rows",
                value=rows,
            )
        blocks = ((0, 0), (0, 3), (3, 0), (3, 3))
        return Dyad(*(_block(table, i, j) for i, j in blocks))

    @staticmethod
    def identity() -> Dyad:
        """Return the dyad that maps every motor to itself."""
        return Dyad(_NOTHING, IDENTITY, IDENTITY, _NOTHING)

    @staticmethod
    def of_motors(a: Motor, b: Motor) -> Dyad:
        """Return the dyadic product a b: it maps h to a (b, h)."""
        return Dyad(
            outer(a.resultant, b.resultant),
            outer(a.resultant, b.moment),
            outer(a.moment, b.resultant),
            outer(a.moment, b.moment),
        )

    @staticmethod
    def of_pose(X_ab: Pose) -> Dyad:
        """Return the change of frame h ↦ X_ab(h) as a dyad."""
        R = X_ab.R
        return Dyad(_NOTHING, R, R, skew(X_ab.p) @ R)

    def __call__(self, motor: Motor) -> Motor:
        """Return the motor T ∘ h."""
        if not isinstance(motor, Motor):
            refuse("applied to", self, motor)
        g, h = motor.resultant, motor.moment
        return Motor(self.T11 @ h + self.T12 @ g, self.T21 @ h + self.T22 @ g)

    def __add__(self, other: Dyad) -> Dyad:
        if not isinstance(other, Dyad):
            refuse("+", self, other)
        return Dyad(*(a + b for a, b in zip(self.blocks, other.blocks, strict=True)))

    def __sub__(self, other: Dyad) -> Dyad:
        if not isinstance(other, Dyad):
            refuse("-", self, other)
        return Dyad(*(a - b for a, b in zip(self.blocks, other.blocks, strict=True)))

    def __neg__(self) -> Dyad:
        return Dyad(*(-block for block in self.blocks))

    def __mul__(self, factor: Scalar) -> Dyad:
        if is_foreign(factor):
            refuse("*", self, factor)
        return Dyad(*(block * factor for block in self.blocks))

    def __rmul__(self, factor: Scalar) -> Dyad:
        if is_foreign(factor):
            refuse("*", factor, self)
        return self * factor

    def __truediv__(self, divisor: Scalar) -> Dyad:
        if is_foreign(divisor):
            refuse("/", self, divisor)
        return Dyad(*(block / divisor for block in self.blocks))

    def __matmul__(self, other: Dyad) -> Dyad:
        """Return the composition: (S @ T)(h) = S(T(h))."""
        if not isinstance(other, Dyad):
            refuse("@", self, other)
        S, T = self, other
        return Dyad(
            S.T11 @ T.T21 + S.T12 @ T.T11,
            S.T11 @ T.T22 + S.T12 @ T.T12,
            S.T21 @ T.T21 + S.T22 @ T.T11,
            S.T21 @ T.T22 + S.T22 @ T.T12,
        )

    @property
    def T(self) -> Dyad:  # noqa: N802 - the mathematician's letter
        """The transpose: (a, T ∘ b) = (Tᵀ ∘ a, b)."""
        return Dyad(self.T11.T, self.T21.T, self.T12.T, self.T22.T)

    def trace(self) -> Scalar:
        """Return the trace of the map, the same in every frame: tr T12 + tr T21."""
        return add(self.T12.trace(), self.T21.trace())

    def solve(self, motor: Motor) -> Motor:
        """Return x with T ∘ x = h; numbers without a unique solution are refused."""
        if not isinstance(motor, Motor):
            refuse("solved for", self, motor)
        a, b, c, d, e, f = solve_linear(self._rows(), motor.components)
        return Motor((d, e, f), (a, b, c))

    def inverse(self) -> Dyad:
        """Return the dyad with T⁻¹ ∘ (T ∘ h) = h."""
        units = ([1.0 if i == k else 0.0 for i in range(6)] for k in range(6))
        columns = [self.solve(Motor.of(unit)).components for unit in units]
        rows = list(zip(*columns, strict=True))  # of (g, h) by (g, h)
        return Dyad.of([[*row[3:], *row[:3]] for row in rows])

    def seen_from(self, X_ab: Pose) -> Dyad:
        """Return the dyad, given in frame b, as it is in frame a: X_ab ∘ T ∘ X_ba."""
        return Dyad.of_pose(X_ab) @ self @ Dyad.of_pose(X_ab.inverse())

    @property
    def blocks(self) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """T11, T12, T21 and T22."""
        return self.T11, self.T12, self.T21, self.T22

    def _rows(self) -> list[list[Scalar]]:
        """Return the six rows, which act on (h, g)."""
        upper = zip(self.T11.rows, self.T12.rows, strict=True)
        lower = zip(self.T21.rows, self.T22.rows, strict=True)
        return [[*a.xyz, *b.xyz] for pairs in (upper, lower) for a, b in pairs]

    def numpy(self) -> np.ndarray:
        """Return the 6×6 array of the blocks, which acts on (h, g) and yields (g, h)."""
        a, b, c, d = (block.numpy() for block in self.blocks)
        return np.concatenate([np.concatenate([a, b], 1), np.concatenate([c, d], 1)])

    def __repr__(self) -> str:
        return f"Dyad({', '.join(map(repr, self.blocks))})"


DyadLike: TypeAlias = "Sequence[Sequence[Scalar]] | np.ndarray | Indexed"
"""Six rows of six, or an array or symbol of 6×6."""


def _block(table: Scalar, i: int, j: int) -> Matrix:
    return Matrix(*(table[i + k, j + l] for k in range(3) for l in range(3)))


__all__ = ["Dyad", "DyadLike"]
