"""Vectors of three scalars of any kind, on purpose not iterable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeAlias

import numpy as np

from motorik.algebra import scalar as s
from motorik.algebra.scalar import Indexed, Scalar, add, mul, neg, plain, sub
from motorik.algebra.value import Value, is_foreign, new_slots, refuse, unguard
from motorik.errors import ParameterError


class _VectorSlots:
    """The components of a vector, without their guard."""

    __slots__ = ("x", "y", "z")
    x: Scalar
    y: Scalar
    z: Scalar


class Vector(Value, _VectorSlots):
    """Three components (x, y, z) in some frame.

    Not iterable, because CasADi would convert any sequence to a matrix; use `.xyz`.
    Components cannot be set: ``v.replace(z=1.0)`` is another vector.

    >>> Vector(1, 2, 3).dot(Vector(0, 0, 2))
    6.0
    """

    __slots__ = ()
    _leaves: ClassVar[tuple[str, ...]] = ("x", "y", "z")

    def __init__(self, x: Scalar = 0.0, y: Scalar = 0.0, z: Scalar = 0.0) -> None:
        if not (x.__class__ is y.__class__ is z.__class__ is float):
            x, y, z = plain(x), plain(y), plain(z)
        kind = self.__class__
        unguard(self, _VectorSlots)
        self.x, self.y, self.z = x, y, z
        self.__class__ = kind

    @staticmethod
    def of(components: VectorLike) -> Vector:
        """Return the vector of any three components or of an axis by name, or a vector itself.

        >>> Vector.of("-z")
        Vector(0.0, 0.0, -1.0)
        """
        if isinstance(components, Vector):
            return components
        if isinstance(components, str):
            if components not in AXIS_NAMES:
                raise ParameterError(
                    "Vector",
                    f"{components!r} is not an axis.",
                    'Give "x", "-y", … or three numbers.',
                    parameter="components",
                    value=components,
                )
            return AXIS_NAMES[components]
        if hasattr(components, "shape") and not isinstance(components, np.ndarray):
            return Vector(components[0], components[1], components[2])
        try:
            x, y, z = components
        except (TypeError, ValueError):
            raise ParameterError(
                "Vector",
                f"{components!r} is not three components.",
                'Give three numbers, such as (0, 0, 1), or an axis, such as "z".',
                parameter="components",
                value=components,
            ) from None
        return Vector(x, y, z)

    @property
    def xyz(self) -> tuple[Scalar, Scalar, Scalar]:
        """The three components."""
        return (self.x, self.y, self.z)

    def __add__(self, other: Vector) -> Vector:
        if not isinstance(other, Vector):
            refuse("+", self, other)
        return plain_vector(
            add(self.x, other.x), add(self.y, other.y), add(self.z, other.z)
        )

    def __sub__(self, other: Vector) -> Vector:
        if not isinstance(other, Vector):
            refuse("-", self, other)
        return plain_vector(
            sub(self.x, other.x), sub(self.y, other.y), sub(self.z, other.z)
        )

    def __neg__(self) -> Vector:
        return plain_vector(neg(self.x), neg(self.y), neg(self.z))

    def __mul__(self, factor: Scalar) -> Vector:
        if is_foreign(factor):
            refuse("*", self, factor)
        factor = plain(factor)
        return plain_vector(mul(factor, self.x), mul(factor, self.y), mul(factor, self.z))

    def __rmul__(self, factor: Scalar) -> Vector:
        if is_foreign(factor):
            refuse("*", factor, self)
        return self * factor

    def __truediv__(self, divisor: Scalar) -> Vector:
        if is_foreign(divisor):
            refuse("/", self, divisor)
        divisor = plain(divisor)
        return plain_vector(
            s.div(self.x, divisor), s.div(self.y, divisor), s.div(self.z, divisor)
        )

    def dot(self, other: Vector) -> Scalar:
        """Return the inner product a · b."""
        if not isinstance(other, Vector):
            refuse(".dot", self, other)
        return add(
            add(mul(self.x, other.x), mul(self.y, other.y)),
            mul(self.z, other.z),
        )

    def cross(self, other: Vector) -> Vector:
        """Return the vector product a × b."""
        if not isinstance(other, Vector):
            refuse(".cross", self, other)
        return plain_vector(
            sub(mul(self.y, other.z), mul(self.z, other.y)),
            sub(mul(self.z, other.x), mul(self.x, other.z)),
            sub(mul(self.x, other.y), mul(self.y, other.x)),
        )

    def norm(self) -> Scalar:
        """Return the length √(a · a)."""
        return s.sqrt(self.dot(self))

    def normalized(self) -> Vector:
        """Return the unit vector of this direction; of numbers, zero and NaN are refused."""
        length = self.norm()
        if length.__class__ is float and not 0.0 < length < float("inf"):
            raise ParameterError(
                "Vector",
                f"{self!r} has no direction.",
                "Give a vector that is not zero.",
                parameter="self",
                value=self,
            )
        return self / length

    def map(self, function: Callable[[Scalar], Scalar]) -> Vector:
        """Return the vector of the function of each component."""
        return Vector(function(self.x), function(self.y), function(self.z))

    def numpy(self) -> np.ndarray:
        """Return the components as a NumPy array (3,) or (3, many)."""
        return np.array(np.broadcast_arrays(*self.xyz), dtype=float)

    def __repr__(self) -> str:
        return f"Vector({self.x}, {self.y}, {self.z})"


def plain_vector(x: Scalar, y: Scalar, z: Scalar) -> Vector:
    """Return the vector of scalars that are plain already, such as results of operations."""
    v = new_slots(_VectorSlots)
    v.x, v.y, v.z = x, y, z
    v.__class__ = Vector
    return v  # pyright: ignore[reportReturnType]


def fixed_vector(components: VectorLike) -> Vector:
    """Return an immutable vector, also of a mutable one."""
    v = Vector.of(components)
    return v if v.__class__ is Vector else Vector(v.x, v.y, v.z)


VectorLike: TypeAlias = "Vector | str | Sequence[Scalar] | np.ndarray | Indexed"
"""A vector, three components, an array or symbol of three, or the name of an axis."""

ZERO = Vector(0.0, 0.0, 0.0)
X = Vector(1.0, 0.0, 0.0)
Y = Vector(0.0, 1.0, 0.0)
Z = Vector(0.0, 0.0, 1.0)
AXES: Sequence[Vector] = (X, Y, Z)
AXIS_NAMES = {"x": X, "y": Y, "z": Z, "-x": -X, "-y": -Y, "-z": -Z}

__all__ = [
    "AXES",
    "AXIS_NAMES",
    "ZERO",
    "Vector",
    "VectorLike",
    "X",
    "Y",
    "Z",
    "fixed_vector",
    "plain_vector",
]
