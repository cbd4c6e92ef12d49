"""CylindricalPair: rotation about and translation along one axis, both free."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector, Z
from motorik.elements.closure import perpendicular
from motorik.elements.constraint import Constraint, held_along, in_line
from motorik.elements.joint import Coordinate, Joint
from motorik.elements.revolute import RevolutePair
from motorik.immutable import immutable


@immutable
class CylindricalPair(Joint):
    """Moves b along the unit vector `axis` by s [m] and turns it about it by φ [rad].

    X_ab = Trans(s e) Rot(e, φ),  S = (0, e), (e, 0)
    """

    axis: Vector = Z

    coordinates = (Coordinate("s", "m"), Coordinate("phi", "rad"))
    speeds = (Coordinate("v", "m/s"), Coordinate("w", "rad/s"))

    def pose(self, s: Scalar, phi: Scalar) -> Pose:
        """Return the displacement along the axis and the turn about it."""
        return Pose(rotation_about(self.axis, phi), s * self.axis)

    def screws(self, s: Scalar, phi: Scalar) -> tuple[Motor, Motor]:
        """Return the axis as a screw without rotation and as one without translation."""
        return (Motor(ZERO, self.axis), Motor(self.axis, ZERO))

    def fit(self, X_ab: Pose) -> tuple[Scalar, Scalar]:
        """Return the distance along the axis and the angle of the nearest turn about it."""
        return (self.axis.dot(X_ab.p), *RevolutePair(self.axis).fit(X_ab))

    @property
    def constraint(self) -> Constraint:
        """The origin of b stays on the axis, which is one line."""
        across = held_along(*perpendicular(self.axis))
        return self.holding(across, in_line(self.axis))

    def bias(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return zero: the axis is fixed in b."""
        return ZERO_MOTOR

    def reversed(self) -> Joint:
        """Return the cylinder with the opposite axis."""
        return CylindricalPair(-self.axis)
