"""Angles that carry their sine and cosine: the cyclic scalars of MOBILE."""

from __future__ import annotations

from math import pi
from typing import ClassVar, TypeAlias

from motorik.algebra import scalar as s
from motorik.algebra.given import unit_axis
from motorik.algebra.matrix import Matrix
from motorik.algebra.rotation import rotation_from_sine
from motorik.algebra.scalar import Scalar, add, mul, neg, sub
from motorik.algebra.value import Value, is_foreign, refuse, setters
from motorik.algebra.vector import VectorLike


class Angle(Value):
    """A point θ on the circle: `radians`, with `sine` and `cosine` computed once.

    Sums, differences and whole multiples keep them by the addition theorems; a real number
    among angles is taken in radians.

    >>> (Angle.from_degrees(30) + Angle.from_degrees(60)).degrees
    90.0
    """

    __slots__ = ("cosine", "radians", "sine")
    _leaves: ClassVar[tuple[str, ...]] = ("radians", "sine", "cosine")
    radians: Scalar
    sine: Scalar
    cosine: Scalar

    def __init__(
        self,
        radians: Scalar = 0.0,
        sine: Scalar | None = None,
        cosine: Scalar | None = None,
    ) -> None:
        radians = s.plain(radians)
        _set_radians(self, radians)
        _set_sine(self, s.sin(radians) if sine is None else s.plain(sine))
        _set_cosine(self, s.cos(radians) if cosine is None else s.plain(cosine))

    def replace(self, **changes: Scalar) -> Angle:
        """Refuse to replace single fields: sine and cosine belong to the value."""
        self.__setattr__(next(iter(changes), "radians"), None)
        return self

    @staticmethod
    def of(value: AngleLike) -> Angle:
        """Return the angle of a value in radians, or an angle itself."""
        return value if isinstance(value, Angle) else Angle(value)

    @staticmethod
    def from_degrees(degrees: Scalar) -> Angle:
        """Return the angle of a value in degrees."""
        return Angle(mul(s.plain(degrees), pi / 180.0))

    @staticmethod
    def from_sine_cosine(sine: Scalar, cosine: Scalar) -> Angle:
        """Return the angle in (−π, π] with this sine and cosine."""
        sine, cosine = s.plain(sine), s.plain(cosine)
        return Angle(s.arctan2(sine, cosine), sine, cosine)

    @property
    def degrees(self) -> Scalar:
        """The value in degrees."""
        return mul(self.radians, 180.0 / pi)

    def wrapped(self) -> Angle:
        """Return the same point of the circle with its value in (−π, π]."""
        return Angle.from_sine_cosine(self.sine, self.cosine)

    def rotation(self, axis: VectorLike) -> Matrix:
        """Return R_ab of a frame b turned by this angle about `axis`."""
        return rotation_from_sine(unit_axis(axis), self.sine, self.cosine)

    def sin(self) -> Scalar:
        """Return the sine; formulas call this where an angle stands for a scalar."""
        return self.sine

    def cos(self) -> Scalar:
        """Return the cosine."""
        return self.cosine

    def tan(self) -> Scalar:
        """Return the tangent."""
        return s.div(self.sine, self.cosine)

    def __add__(self, other: AngleLike) -> Angle:
        if not isinstance(other, Angle) and is_foreign(other):
            refuse("+", self, other)
        o = Angle.of(other)
        return Angle(
            add(self.radians, o.radians),
            add(mul(self.sine, o.cosine), mul(self.cosine, o.sine)),
            sub(mul(self.cosine, o.cosine), mul(self.sine, o.sine)),
        )

    __radd__ = __add__

    def __neg__(self) -> Angle:
        return Angle(neg(self.radians), neg(self.sine), self.cosine)

    def __sub__(self, other: AngleLike) -> Angle:
        if not isinstance(other, Angle) and is_foreign(other):
            refuse("-", self, other)
        return self + (-Angle.of(other))

    def __rsub__(self, other: AngleLike) -> Angle:
        if is_foreign(other):
            refuse("-", other, self)
        return Angle.of(other) - self

    def __mul__(self, factor: Scalar) -> Angle:
        """Return the multiple n θ: by doubling for whole n, else from its value."""
        if is_foreign(factor):
            refuse("*", self, factor)
        factor = s.plain(factor)
        if not s.is_number(factor) or not float(factor).is_integer():
            return Angle(mul(factor, self.radians))
        multiple = _whole_multiple(self if factor >= 0 else -self, int(abs(factor)))
        return Angle(mul(factor, self.radians), multiple.sine, multiple.cosine)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Scalar) -> Angle:
        if is_foreign(divisor):
            refuse("/", self, divisor)
        return Angle(s.div(self.radians, s.plain(divisor)))

    def __eq__(self, other: object) -> Scalar:
        return self.radians == _radians(other)

    def __hash__(self) -> int:
        return hash(self.radians)

    def __bool__(self) -> bool:
        return bool(self.radians)

    def __ne__(self, other: object) -> Scalar:
        return self.radians != _radians(other)

    def __lt__(self, other: AngleLike) -> Scalar:
        return self.radians < _radians(other)

    def __le__(self, other: AngleLike) -> Scalar:
        return self.radians <= _radians(other)

    def __gt__(self, other: AngleLike) -> Scalar:
        return self.radians > _radians(other)

    def __ge__(self, other: AngleLike) -> Scalar:
        return self.radians >= _radians(other)

    def __float__(self) -> float:
        return float(self.radians)

    def __repr__(self) -> str:
        return f"Angle({self.radians})"


AngleLike: TypeAlias = "Angle | Scalar"
"""An angle, or a scalar in rad."""

_set_radians, _set_sine, _set_cosine = setters(Angle, *Angle._leaves)


def _whole_multiple(angle: Angle, n: int) -> Angle:
    """Return n θ for whole n ≥ 0, by doubling."""
    if n == 0:
        return Angle(0.0)
    half = _whole_multiple(angle, n // 2)
    return half + half + angle if n % 2 else half + half


def _radians(value: object) -> Scalar:
    return value.radians if isinstance(value, Angle) else value


__all__ = ["Angle", "AngleLike"]
