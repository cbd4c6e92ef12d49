"""Slide: translation along one axis (the prismatic joint)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from motorik.algebra.matrix import IDENTITY
from motorik.algebra.motor import NO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector, Z
from motorik.elements.closure import gap_along, perpendicular, turn_apart
from motorik.elements.joint import Coordinate, Joint


@dataclass(frozen=True)
class Slide(Joint):
    """Moves b along the unit vector `axis` by s [m]: X_ab = Trans(s e), S = (0, e)."""

    axis: Vector = Z

    coordinates = (Coordinate("s", "m"),)
    speeds = (Coordinate("v", "m/s"),)
    closure_units = ("m", "m", "rad", "rad", "rad")

    def pose(self, s: Scalar) -> Pose:
        """Return the translation along the axis."""
        return Pose(IDENTITY, s * self.axis)

    def screws(self, s: Scalar) -> tuple[Motor]:
        """Return the axis as a screw without rotation."""
        return (Motor(ZERO, self.axis),)

    def fit(self, X_ab: Pose) -> tuple[Scalar]:
        """Return the distance along the axis: s = e · p."""
        return (self.axis.dot(X_ab.p),)

    def closure(self, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
        """Return the gap across the axis and the turn of b against a."""
        across = gap_along(X_a, X_b, *perpendicular(self.axis))
        return (*across, *turn_apart(X_a, X_b))

    def bias(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return zero: the axis is fixed in b."""
        return NO_MOTOR

    def reversed(self) -> Joint:
        """Return the slide along the opposite axis."""
        return Slide(-self.axis)
