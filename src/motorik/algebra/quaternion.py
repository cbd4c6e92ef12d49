"""Unit quaternions: orientation by four scalars, without singular poses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeAlias

import numpy as np

from motorik.algebra import scalar as s
from motorik.algebra.given import check_rotation, unit_axis
from motorik.algebra.matrix import Matrix
from motorik.algebra.scalar import (
    Indexed,
    Scalar,
    add,
    mul,
    neg,
    plain,
    sub,
    where,
)
from motorik.algebra.value import Value, is_foreign, refuse, unguard
from motorik.algebra.vector import Vector, VectorLike
from motorik.errors import ParameterError


class _QuaternionSlots:
    """The components of a quaternion, without their guard."""

    __slots__ = ("w", "x", "y", "z")
    x: Scalar
    y: Scalar
    z: Scalar
    w: Scalar


class Quaternion(Value, _QuaternionSlots):
    """Q_ab = (n sin φ/2, cos φ/2), real part w last: frame b is a turned by φ about n.

    Q and −Q are the same orientation. Adjacent letters meet: ``Q_ac = Q_ab @ Q_bc``.
    """

    __slots__ = ()
    _leaves: ClassVar[tuple[str, ...]] = ("x", "y", "z", "w")

    def __init__(
        self, x: Scalar = 0.0, y: Scalar = 0.0, z: Scalar = 0.0, w: Scalar = 1.0
    ) -> None:
        kind = self.__class__
        unguard(self, _QuaternionSlots)
        self.x, self.y, self.z, self.w = plain(x), plain(y), plain(z), plain(w)
        self.__class__ = kind

    @staticmethod
    def of(components: QuaternionLike) -> Quaternion:
        """Return the quaternion of four components x, y, z, w, or a quaternion itself."""
        if isinstance(components, Quaternion):
            return components
        if hasattr(components, "shape") and not isinstance(components, np.ndarray):
            return Quaternion(*(components[i] for i in range(4)))
        try:
            x, y, z, w = components
        except (TypeError, ValueError):
            raise ParameterError(
                "Quaternion",
                f"{components!r} is not four components.",
                "Give x, y, z, w, real part last.",
                parameter="components",
                value=components,
            ) from None
        return Quaternion(x, y, z, w)

    @staticmethod
    def about(axis: VectorLike, angle: Scalar) -> Quaternion:
        """Return the turn by `angle` [rad] about `axis`, as `rotation_about` has it."""
        half = mul(0.5, plain(angle))
        x, y, z = (unit_axis(axis) * s.sin(half)).xyz
        return Quaternion(x, y, z, s.cos(half))

    @staticmethod
    def from_rotation(R: Matrix, guess: Quaternion | None = None) -> Quaternion:
        """Return the quaternion of a rotation matrix R_ab, accurate at every angle.

        Each row of 4 Q Qᵀ is a polynomial of R and a multiple of Q; the row of the largest
        component is at least as long as 2, so scaling it to length 1 loses nothing. Of Q
        and −Q comes the one with w ≥ 0, or with Q · guess ≥ 0. Numbers far from any
        rotation are refused.
        """
        check_rotation(R, "Quaternion", within=0.1)
        along_x, along_y, along_z = sub(R.zy, R.yz), sub(R.xz, R.zx), sub(R.yx, R.xy)
        xy, xz, yz = add(R.xy, R.yx), add(R.xz, R.zx), add(R.yz, R.zy)
        # 4w² = 1 + tr R,  4x² = 1 + R_xx − R_yy − R_zz, …
        ww = add(add(1.0, R.xx), add(R.yy, R.zz))
        xx = sub(add(1.0, R.xx), add(R.yy, R.zz))
        yy = sub(add(1.0, R.yy), add(R.xx, R.zz))
        zz = sub(add(1.0, R.zz), add(R.xx, R.yy))
        row, largest = Quaternion(along_x, along_y, along_z, ww), ww
        for square, other in (
            (xx, Quaternion(xx, xy, xz, along_x)),
            (yy, Quaternion(xy, yy, yz, along_y)),
            (zz, Quaternion(xz, yz, zz, along_z)),
        ):
            is_larger = square > largest
            row = _either(is_larger, other, row)
            largest = where(is_larger, square, largest)
        unit = row.normalized()
        return unit * s.sign(unit.w if guess is None else unit.dot(guess))

    @property
    def xyzw(self) -> tuple[Scalar, Scalar, Scalar, Scalar]:
        """The four components, real part last."""
        return (self.x, self.y, self.z, self.w)

    @property
    def vector(self) -> Vector:
        """The vector part n sin φ/2."""
        return Vector(self.x, self.y, self.z)

    def __add__(self, other: Quaternion) -> Quaternion:
        if not isinstance(other, Quaternion):
            refuse("+", self, other)
        return Quaternion(*map(add, self.xyzw, other.xyzw))

    def __sub__(self, other: Quaternion) -> Quaternion:
        if not isinstance(other, Quaternion):
            refuse("-", self, other)
        return Quaternion(*map(sub, self.xyzw, other.xyzw))

    def __neg__(self) -> Quaternion:
        return Quaternion(*map(neg, self.xyzw))

    def __mul__(self, factor: Scalar) -> Quaternion:
        if is_foreign(factor):
            refuse("*", self, factor)
        factor = plain(factor)
        return Quaternion(*(mul(factor, e) for e in self.xyzw))

    def __rmul__(self, factor: Scalar) -> Quaternion:
        if is_foreign(factor):
            refuse("*", factor, self)
        return self * factor

    def __truediv__(self, divisor: Scalar) -> Quaternion:
        if is_foreign(divisor):
            refuse("/", self, divisor)
        divisor = plain(divisor)
        return Quaternion(*(s.div(e, divisor) for e in self.xyzw))

    def __matmul__(self, other: Quaternion) -> Quaternion:
        """Return the product Q_ab ∘ Q_bc = (w₁ v₂ + w₂ v₁ + v₁ × v₂, w₁ w₂ − v₁ · v₂)."""
        if not isinstance(other, Quaternion):
            refuse("@", self, other)
        v1, v2 = self.vector, other.vector
        x, y, z = (v2 * self.w + v1 * other.w + v1.cross(v2)).xyz
        return Quaternion(x, y, z, sub(mul(self.w, other.w), v1.dot(v2)))

    def dot(self, other: Quaternion) -> Scalar:
        """Return the sum of the products of the components."""
        return s.total(*map(mul, self.xyzw, other.xyzw))

    def conjugate(self) -> Quaternion:
        """Return (−v, w): for a unit quaternion the inverse rotation Q_ba."""
        return Quaternion(*(-self.vector).xyz, self.w)

    def norm(self) -> Scalar:
        """Return √(x² + y² + z² + w²)."""
        return s.sqrt(self.dot(self))

    def normalized(self) -> Quaternion:
        """Return the unit quaternion of the same orientation; zero numbers are refused."""
        length = self.norm()
        if length.__class__ is float and not 0.0 < length < float("inf"):
            raise ParameterError(
                "Quaternion",
                f"{self!r} is not an orientation.",
                "Give one that is not zero.",
                parameter="self",
                value=self,
            )
        return self / length

    def rotation(self) -> Matrix:
        """Return R_ab = 1 + 2 w ṽ + 2 ṽ ṽ, with v_a = R_ab v_b, of a unit quaternion."""
        return self._rotation(2.0)

    def direction(self) -> Matrix:
        """Return the rotation R_ab of the unit quaternion along this one, whatever its length."""
        return self._rotation(s.div(2.0, self.dot(self)))

    def _rotation(self, factor: Scalar) -> Matrix:
        x, y, z, w = self.xyzw
        dx, dy, dz = (factor * self.vector).xyz
        xx, yy, zz = mul(dx, x), mul(dy, y), mul(dz, z)
        xy, xz, yz = mul(dx, y), mul(dx, z), mul(dy, z)
        wx, wy, wz = mul(dx, w), mul(dy, w), mul(dz, w)
        return Matrix(
            *(sub(1.0, add(yy, zz)), sub(xy, wz), add(xz, wy)),
            *(add(xy, wz), sub(1.0, add(xx, zz)), sub(yz, wx)),
            *(sub(xz, wy), add(yz, wx), sub(1.0, add(xx, yy))),
        )

    def rate(self, w_b: Vector) -> Quaternion:
        """Return dQ/dt = ½ Q ∘ (ω, 0) for the angular velocity of b, resolved in b."""
        return 0.5 * (self @ Quaternion(*w_b.xyz, 0.0))

    def angular_velocity(self, rate: Quaternion) -> Vector:
        """Return ω of frame b, resolved in b, from dQ/dt: (ω, ·) = 2 Q* ∘ dQ/dt."""
        return 2.0 * (self.conjugate() @ rate).vector

    def map(self, function: Callable[[Scalar], Scalar]) -> Quaternion:
        """Return the quaternion of the function of each component."""
        return Quaternion(*map(function, self.xyzw))

    def numpy(self) -> np.ndarray:
        """Return the components x, y, z, w as a NumPy array (4,) or (4, many)."""
        return np.array(np.broadcast_arrays(*self.xyzw), dtype=float)

    def __repr__(self) -> str:
        return f"Quaternion({self.x}, {self.y}, {self.z}, {self.w})"


def _either(condition: Scalar, yes: Quaternion, no: Quaternion) -> Quaternion:
    pairs = zip(yes.xyzw, no.xyzw, strict=True)
    return Quaternion(*(where(condition, a, b) for a, b in pairs))


QuaternionLike: TypeAlias = "Quaternion | Sequence[Scalar] | np.ndarray | Indexed"
"""A quaternion, or its components x, y, z, w."""

NO_TURN = Quaternion(0.0, 0.0, 0.0, 1.0)

__all__ = ["NO_TURN", "Quaternion", "QuaternionLike"]
