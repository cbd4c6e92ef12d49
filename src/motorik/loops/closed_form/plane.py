"""The plane of a planar group, and complex numbers for its vectors and rotations."""

from __future__ import annotations

from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.scalar import Scalar, add, mul, neg, plain, sub
from motorik.algebra.vector import AXES, Vector, X, Y, Z
from motorik.immutable import immutable
from motorik.loops.closed_form.assur_group import PoseOf
from motorik.loops.closed_form.roots import quotient


class PlaneNumber:
    """A vector or a rotation in the plane as the complex number re + i im."""

    __slots__ = ("im", "re")

    def __init__(self, re: Scalar, im: Scalar = 0.0) -> None:
        self.re, self.im = plain(re), plain(im)

    def __add__(self, other: PlaneNumber) -> PlaneNumber:
        return PlaneNumber(add(self.re, other.re), add(self.im, other.im))

    def __sub__(self, other: PlaneNumber) -> PlaneNumber:
        return PlaneNumber(sub(self.re, other.re), sub(self.im, other.im))

    def __neg__(self) -> PlaneNumber:
        return PlaneNumber(neg(self.re), neg(self.im))

    def __mul__(self, other: PlaneNumber) -> PlaneNumber:
        return PlaneNumber(
            sub(mul(self.re, other.re), mul(self.im, other.im)),
            add(mul(self.re, other.im), mul(self.im, other.re)),
        )

    def conjugate(self) -> PlaneNumber:
        """Return z̄; for a unit number this is the inverse rotation."""
        return PlaneNumber(self.re, neg(self.im))

    def times(self, factor: Scalar) -> PlaneNumber:
        """Return the multiple by a real number."""
        return PlaneNumber(mul(self.re, factor), mul(self.im, factor))

    def over(self, other: PlaneNumber) -> PlaneNumber:
        """Return the quotient z / w = z w̄ / |w|²; for a constant w, 1 / |w|² is folded."""
        i = quotient(1.0, other.square())
        return self * PlaneNumber(mul(other.re, i), neg(mul(other.im, i)))

    def seen_from(self, other: PlaneNumber) -> PlaneNumber:
        """Return w̄ z: the rotation from w to z, or (w · z) + i (w × z) of vectors."""
        return PlaneNumber(self.dot(other), other.cross(self))

    def dot(self, other: PlaneNumber) -> Scalar:
        """Return the inner product."""
        return add(mul(self.re, other.re), mul(self.im, other.im))

    def cross(self, other: PlaneNumber) -> Scalar:
        """Return the vector product's component along the normal."""
        return sub(mul(self.re, other.im), mul(self.im, other.re))

    def square(self) -> Scalar:
        """Return |z|²."""
        return add(mul(self.re, self.re), mul(self.im, self.im))

    def __repr__(self) -> str:
        return f"PlaneNumber({self.re}, {self.im})"


@immutable
class MotionPlane:
    """A plane fixed in a body: unit vectors e₁ and e₂ in it, e₁ × e₂ its normal.

    Without a `body` it is fixed in the root.
    """

    body: int | None
    e1: Vector
    e2: Vector

    def place(self, pose: PoseOf, body: int) -> Pose:
        """Return the pose of a known body as seen from the plane's body."""
        if self.body is None:
            return pose(body)
        if self.body == body:
            return IDENTITY_POSE
        return pose(self.body).inverse() @ pose(body)

    def number(self, v: Vector) -> PlaneNumber:
        """Return a vector of the plane's body as a complex number."""
        return PlaneNumber(self.e1.dot(v), self.e2.dot(v))


def basis(normal: Vector) -> tuple[Vector, Vector]:
    """Return e₁, e₂ with e₁ × e₂ = normal, coordinate axes where the normal is one.

    >>> basis(Vector(0.0, 0.0, 1.0))
    (Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0))
    """
    e = normal.xyz
    k = max(range(3), key=lambda i: abs(e[i]))
    if all(e[i] == 0.0 for i in range(3) if i != k):
        first, second = ((Y, Z), (Z, X), (X, Y))[k]
        return (first, second) if e[k] > 0.0 else (second, first)
    e1 = AXES[min(range(3), key=lambda i: abs(e[i]))].cross(normal).normalized()
    return e1, normal.cross(e1)
