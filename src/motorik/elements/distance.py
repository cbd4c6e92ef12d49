"""Distance: points on the line between two origins, and what holds these apart."""

from __future__ import annotations

from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, div, fabs, mul, sub
from motorik.algebra.vector import ZERO, Vector
from motorik.elements.constraint import Constraint
from motorik.immutable import immutable


@immutable
class DistanceConstraint:
    """Two origins are `length` [m] apart: (|p_b − p_a|² − L²) / 2L = 0.

    Near its zero the residual is the error of the distance itself [m].
    """

    length: Scalar

    def __call__(self, X_a: Pose, X_b: Pose) -> tuple[Scalar]:
        """Return the residual for the poses of both frames seen from one common frame."""
        r, L = X_b.p - X_a.p, self.length
        return (div(sub(r.dot(r), mul(L, L)), mul(2.0, L)),)

    @property
    def constraint(self) -> Constraint:
        """It vanishes; the gap is that of the distance itself."""
        return Constraint(self, ("m",), gap=self.gap)

    def gap(self, X_a: Pose, X_b: Pose) -> tuple[Scalar, Scalar]:
        """Return how much longer or shorter the distance is [m], and no angle."""
        return fabs(sub((X_b.p - X_a.p).norm(), self.length)), 0.0


@immutable
class Between:
    """A point that divides the line of two origins by h: p = p_a + h r, r = p_b − p_a [m].

    It is given by its offset from a; so are its velocity v_a + B ṙ and its acceleration
    a_a + B r̈ + bias, with the symmetric dyad B = h 1.
    """

    fraction: Scalar = 0.5  # h; 0 at a, 1 at b

    def offset(self, r: Vector) -> Vector:
        """Return p − p_a."""
        return self.fraction * r

    def moved(self, r: Vector, w: Vector) -> Vector:
        """Return B w."""
        return self.fraction * w

    def bias(self, r: Vector, v: Vector) -> Vector:
        """Return the acceleration that ṙ = v brings: none, as B does not change."""
        return ZERO


@immutable
class Towards:
    """A point at the distance L from one origin towards another: p = p_a + L e, e = r / |r|.

    B = L / |r| (1 − e eᵀ). Where both origins meet there is no direction, and no number.
    """

    length: Scalar  # L [m]

    def offset(self, r: Vector) -> Vector:
        """Return p − p_a."""
        return self.length * r.normalized()

    def moved(self, r: Vector, w: Vector) -> Vector:
        """Return B w = L / |r| (w − e (e · w))."""
        e = r.normalized()
        return div(self.length, r.norm()) * (w - e.dot(w) * e)

    def bias(self, r: Vector, v: Vector) -> Vector:
        """Return Ḃ v = −L (2 ṡ ė + |r| (ė · ė) e) / |r| for ṙ = v, ṡ = e · v."""
        s, e = r.norm(), r.normalized()
        turning = (v - e.dot(v) * e) / s
        return -div(self.length, s) * (
            (2.0 * e.dot(v)) * turning + mul(s, turning.dot(turning)) * e
        )


@immutable
class SameLength:
    """A length s [m] is the distance of two origins: |p_b − p_a| − s = 0."""

    def __call__(self, X_a: Pose, X_b: Pose, s: Scalar) -> tuple[Scalar]:
        """Return the residual for the poses of both frames and the length."""
        return (sub((X_b.p - X_a.p).norm(), s),)

    @property
    def constraint(self) -> Constraint:
        """It vanishes."""
        return Constraint(self, ("m",))
