"""Distance: constraints of points on the line between two origins, and of their distance."""

from __future__ import annotations

from dataclasses import dataclass

from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, div, fabs, mul, sub
from motorik.elements.constraint import Constraint


@dataclass(frozen=True)
class Distance:
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
        """The constraint; its gap is the error of the distance."""
        return Constraint(self, ("m",), gap=self.gap)

    def gap(self, X_a: Pose, X_b: Pose) -> tuple[Scalar, Scalar]:
        """Return the error of the distance [m], and no angle."""
        return fabs(sub((X_b.p - X_a.p).norm(), self.length)), 0.0


@dataclass(frozen=True)
class Between:
    """A third origin divides the line of two: p_c − p_a − h (p_b − p_a) = 0 [m]."""

    fraction: Scalar = 0.5  # h; 0 at a, 1 at b

    def __call__(self, X_a: Pose, X_b: Pose, X_c: Pose) -> tuple[Scalar, Scalar, Scalar]:
        """Return the residual for the poses of the frames seen from one common frame."""
        return (X_c.p - X_a.p - self.fraction * (X_b.p - X_a.p)).xyz

    @property
    def constraint(self) -> Constraint:
        """The constraint that the residual vanishes."""
        return Constraint(self, ("m", "m", "m"))


@dataclass(frozen=True)
class Towards:
    """A third origin is `length` from one towards another: p_c − p_a − L e_ab = 0 [m]."""

    length: Scalar

    def __call__(self, X_a: Pose, X_b: Pose, X_c: Pose) -> tuple[Scalar, Scalar, Scalar]:
        """Return the residual for the poses of the frames seen from one common frame."""
        e = (X_b.p - X_a.p).normalized()
        return (X_c.p - X_a.p - self.length * e).xyz

    @property
    def constraint(self) -> Constraint:
        """The constraint that the residual vanishes."""
        return Constraint(self, ("m", "m", "m"))


@dataclass(frozen=True)
class SameLength:
    """A length s [m] is the distance of two origins: |p_b − p_a| − s = 0."""

    def __call__(self, X_a: Pose, X_b: Pose, s: Scalar) -> tuple[Scalar]:
        """Return the residual for the poses of both frames and the length."""
        return (sub((X_b.p - X_a.p).norm(), s),)

    @property
    def constraint(self) -> Constraint:
        """The constraint that the residual vanishes."""
        return Constraint(self, ("m",))
