"""PrismaticPair: translation along one axis."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.matrix import IDENTITY
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector, Z
from motorik.elements.closure import perpendicular
from motorik.elements.constraint import PARALLEL, Constraint, held_along
from motorik.elements.joint import Coordinate, Joint
from motorik.immutable import immutable


@immutable
class PrismaticPair(Joint):
    """Moves b along the unit vector `axis` by s [m]: X_ab = Trans(s e), S = (0, e)."""

    axis: Vector = Z

    coordinates = (Coordinate("s", "m"),)
    speeds = (Coordinate("v", "m/s"),)

    def pose(self, s: Scalar) -> Pose:
        """Return the translation along the axis."""
        return Pose(IDENTITY, s * self.axis)

    def screws(self, s: Scalar) -> tuple[Motor]:
        """Return the axis as a screw without rotation."""
        return (Motor(ZERO, self.axis),)

    def fit(self, X_ab: Pose) -> tuple[Scalar]:
        """Return the distance along the axis: s = e · p."""
        return (self.axis.dot(X_ab.p),)

    @property
    def constraint(self) -> Constraint:
        """The origin of b stays on the axis, and b does not turn."""
        return self.holding(held_along(*perpendicular(self.axis)), PARALLEL)

    def bias(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return zero: the axis is fixed in b."""
        return ZERO_MOTOR

    def reversed(self) -> Joint:
        """Return the slide along the opposite axis."""
        return PrismaticPair(-self.axis)
