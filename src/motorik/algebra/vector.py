"""Vectors of three scalars of any kind, on purpose not iterable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from motorik.algebra import scalar as s
from motorik.algebra.scalar import Scalar, add, mul, neg, sub
from motorik.errors import ParameterError


class Vector:
    """Three components (x, y, z) in some frame.

    Not iterable, because CasADi would swallow any sequence as a matrix; use `.xyz`.

    >>> Vector(1, 2, 3).dot(Vector(0, 0, 2))
    6.0
    """

    __slots__ = ("x", "y", "z")
    _leaves = ("x", "y", "z")
    __array_ufunc__ = None  # NumPy arrays leave arithmetic with vectors to us,
    __array_priority__ = 2000.0  # and so do CasADi symbols

    def __init__(self, x: Scalar = 0.0, y: Scalar = 0.0, z: Scalar = 0.0) -> None:
        self.x = s.plain(x)
        self.y = s.plain(y)
        self.z = s.plain(z)

    @staticmethod
    def of(components: Any) -> Vector:
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
                    f"{components!r} is no axis.",
                    'Give "x", "-y", … or three numbers.',
                    parameter="components",
                    value=components,
                )
            return AXIS_NAMES[components]
        if hasattr(components, "shape") and not isinstance(components, np.ndarray):
            return Vector(components[0], components[1], components[2])
        x, y, z = components
        return Vector(x, y, z)

    @property
    def xyz(self) -> tuple[Scalar, Scalar, Scalar]:
        """The three components."""
        return (self.x, self.y, self.z)

    def __add__(self, other: Vector) -> Vector:
        return Vector(add(self.x, other.x), add(self.y, other.y), add(self.z, other.z))

    def __sub__(self, other: Vector) -> Vector:
        return Vector(sub(self.x, other.x), sub(self.y, other.y), sub(self.z, other.z))

    def __neg__(self) -> Vector:
        return Vector(neg(self.x), neg(self.y), neg(self.z))

    def __mul__(self, factor: Scalar) -> Vector:
        if isinstance(factor, Vector):
            return NotImplemented
        factor = s.plain(factor)
        return Vector(mul(factor, self.x), mul(factor, self.y), mul(factor, self.z))

    __rmul__ = __mul__

    def __truediv__(self, divisor: Scalar) -> Vector:
        if isinstance(divisor, Vector):
            return NotImplemented
        divisor = s.plain(divisor)
        return Vector(*(s.div(e, divisor) for e in self.xyz))

    def dot(self, other: Vector) -> Scalar:
        """Return the inner product a · b."""
        return add(
            add(mul(self.x, other.x), mul(self.y, other.y)),
            mul(self.z, other.z),
        )

    def cross(self, other: Vector) -> Vector:
        """Return the vector product a × b."""
        return Vector(
            sub(mul(self.y, other.z), mul(self.z, other.y)),
            sub(mul(self.z, other.x), mul(self.x, other.z)),
            sub(mul(self.x, other.y), mul(self.y, other.x)),
        )

    def norm(self) -> Scalar:
        """Return the length √(a · a)."""
        return s.sqrt(self.dot(self))

    def normalized(self) -> Vector:
        """Return the unit vector of this direction."""
        return self / self.norm()

    def map(self, function: Callable[[Scalar], Scalar]) -> Vector:
        """Return the vector of the function of each component."""
        return Vector(function(self.x), function(self.y), function(self.z))

    def numpy(self) -> np.ndarray:
        """Return the components as a NumPy array (3,) or (3, many)."""
        return np.array(np.broadcast_arrays(*self.xyz), dtype=float)

    def __repr__(self) -> str:
        return f"Vector({self.x}, {self.y}, {self.z})"


ZERO = Vector(0.0, 0.0, 0.0)
X = Vector(1.0, 0.0, 0.0)
Y = Vector(0.0, 1.0, 0.0)
Z = Vector(0.0, 0.0, 1.0)
AXES: Sequence[Vector] = (X, Y, Z)
AXIS_NAMES = {"x": X, "y": Y, "z": Z, "-x": -X, "-y": -Y, "-z": -Z}
