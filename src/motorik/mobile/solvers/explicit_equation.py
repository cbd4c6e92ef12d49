"""Scalar equations in one unknown that have a closed solution, found by a few values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, pi
from typing import ClassVar

from motorik.algebra.angle import Angle
from motorik.algebra.scalar import (
    Scalar,
    add,
    arctan2,
    div,
    is_number,
    mul,
    neg,
    sign,
    sqrt,
    sub,
)

_CONSTANT = "does not change with the unknown"
_TOO_FAR = (
    "cannot vanish: {:.4g} is left at the nearest position, where the unknown is {:.6g}"
)
_CONTRADICTION = "contradict each other: they require √(sin² + cos²) = {:.6g}"


class UnsolvableError(ArithmeticError):
    """An equation without solution, and why."""


@dataclass(frozen=True)
class Solution:
    """The position of the unknown, and the slopes ∂f/∂u there."""

    position: Scalar  # an `Angle`, or a length
    slopes: tuple[Scalar, ...]


class Equation(ABC):
    """A kind of equation: where it is evaluated, and how it is solved from the values."""

    places: ClassVar[Sequence[Angle | float]]

    @abstractmethod
    def solve(self, values: Sequence[Sequence[Scalar]], branch: Scalar) -> Solution:
        """Return the solution of a branch (1 or −1) from the values at the places."""


class HarmonicEquation(Equation):
    """A cos φ + B sin φ + C = 0, with r² = A² + B² and the root w = √(r² − C²).

        cos φ = (−A C − σ B w) / r²,   sin φ = (−B C + σ A w) / r²,   f_φ = −σ w

    σ is the branch; evaluated at 0, π/2 and π.
    """

    places: ClassVar = (Angle(0.0, 0.0, 1.0), Angle(pi / 2, 1.0, 0.0), Angle(pi, 0.0, -1.0))

    def solve(self, values: Sequence[Sequence[Scalar]], branch: Scalar) -> Solution:
        """Return angle and slope."""
        (row,) = values
        A, B, C = harmonic_coefficients(row)
        rr = add(mul(A, A), mul(B, B))
        square = sub(rr, mul(C, C))
        if is_number(square):
            r = hypot(A, B)
            if r <= 1e-13 * max(map(abs, row)):
                raise UnsolvableError(_CONSTANT)
            if square < -1e-13 * rr:
                nearest = float(arctan2(neg(mul(B, C)), -A * C))
                raise UnsolvableError(_TOO_FAR.format(abs(C) - r, nearest))
            square = max(square, 0.0)
        w = mul(branch, sqrt(square))
        sine = div(sub(mul(A, w), mul(B, C)), rr)
        cosine = neg(div(add(mul(B, w), mul(A, C)), rr))
        return Solution(Angle(arctan2(sine, cosine), sine, cosine), (neg(w),))


class HarmonicPair(Equation):
    """Two such equations, linear in sine and cosine, which have the same one solution."""

    places = HarmonicEquation.places

    def solve(self, values: Sequence[Sequence[Scalar]], branch: Scalar) -> Solution:
        """Return angle and the two slopes; there is only one branch."""
        (A1, B1, C1), (A2, B2, C2) = map(harmonic_coefficients, values)
        determinant = sub(mul(A1, B2), mul(A2, B1))
        if is_number(determinant):
            scale = max(abs(v) for row in values for v in row)
            if abs(determinant) <= 1e-13 * scale * scale:
                raise UnsolvableError(_CONSTANT)
        sine = div(sub(mul(A2, C1), mul(A1, C2)), determinant)
        cosine = div(sub(mul(B1, C2), mul(B2, C1)), determinant)
        if is_number(sine) and abs(hypot(sine, cosine) - 1.0) > 1e-9:
            raise UnsolvableError(_CONTRADICTION.format(hypot(sine, cosine)))
        slopes = tuple(sub(mul(B, cosine), mul(A, sine)) for A, B in ((A1, B1), (A2, B2)))
        return Solution(Angle(arctan2(sine, cosine), sine, cosine), slopes)


class LinearEquation(Equation):
    """B s + C = 0, evaluated at 0 and 1."""

    places = (0.0, 1.0)

    def solve(self, values: Sequence[Sequence[Scalar]], branch: Scalar) -> Solution:
        """Return length and slope; there is only one branch."""
        (row,) = values
        C, B = row[0], sub(row[1], row[0])
        if is_number(B) and abs(B) <= 1e-13 * max(map(abs, row)):
            raise UnsolvableError(_CONSTANT)
        return Solution(neg(div(C, B)), (B,))


class QuadraticEquation(Equation):
    """A s² + B s + C = 0: s = (−B + σ w) / 2A, w = ±√(B² − 4 A C), f_s = σ w.

    σ is the branch; w has the sign of A, so that branch 1 is the larger solution. Evaluated
    at 0, 1 and −1.
    """

    places = (0.0, 1.0, -1.0)

    def solve(self, values: Sequence[Sequence[Scalar]], branch: Scalar) -> Solution:
        """Return length and slope."""
        (row,) = values
        C = row[0]
        A = sub(mul(0.5, add(row[1], row[2])), C)
        B = mul(0.5, sub(row[1], row[2]))
        if is_number(A) and abs(A) <= 1e-13 * max(map(abs, row)):
            return LinearEquation().solve([row[:2]], branch)
        square = sub(mul(B, B), mul(4.0, mul(A, C)))
        if is_number(square):
            if square < -1e-13 * (B * B + abs(4.0 * A * C)):
                left, nearest = abs(square / (4.0 * A)), -B / (2.0 * A)
                raise UnsolvableError(_TOO_FAR.format(left, nearest))
            square = max(square, 0.0)
        w = mul(branch, mul(sign(A), sqrt(square)))
        return Solution(div(sub(w, B), mul(2.0, A)), (w,))


def harmonic_coefficients(row: Sequence[Scalar]) -> tuple[Scalar, Scalar, Scalar]:
    """Return A, B, C of f = A cos φ + B sin φ + C from f(0), f(π/2), f(π)."""
    C = mul(0.5, add(row[0], row[2]))
    return mul(0.5, sub(row[0], row[2])), sub(row[1], C), C
