"""RevolutePair: rotation about one axis."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about, vee
from motorik.algebra.scalar import Scalar, add, arctan2, sub
from motorik.algebra.vector import ZERO, Vector, Z
from motorik.elements.constraint import TOGETHER, Constraint, in_line
from motorik.elements.joint import Coordinate, Joint
from motorik.immutable import immutable


@immutable
class RevolutePair(Joint):
    """Turns b about `axis` by φ [rad]: X_ab = Rot(e, φ + φ₀), S = (e, 0)."""

    axis: Vector = Z
    offset: Scalar = 0.0  # φ₀ [rad]

    coordinates = (Coordinate("phi", "rad"),)
    speeds = (Coordinate("w", "rad/s"),)

    def pose(self, phi: Scalar) -> Pose:
        """Return the rotation about the axis."""
        return Pose(rotation_about(self.axis, add(phi, self.offset)), ZERO)

    def screws(self, phi: Scalar) -> tuple[Motor]:
        """Return the axis as a screw without translation."""
        return (Motor(self.axis, ZERO),)

    def fit(self, X_ab: Pose) -> tuple[Scalar]:
        """Return the angle of the nearest turn: tan φ = 2 e · vee(R) / (tr R − eᵀ R e)."""
        e = self.axis
        cosine = sub(X_ab.R.trace(), e.dot(X_ab.R @ e))
        return (sub(arctan2(2.0 * e.dot(vee(X_ab.R)), cosine), self.offset),)

    @property
    def constraint(self) -> Constraint:
        """The origins meet and the axis is one line."""
        return self.holding(TOGETHER, in_line(self.axis))

    def bias(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return zero: the axis is fixed in b."""
        return Motor()

    def reversed(self) -> Joint:
        """Return the turn about the opposite axis."""
        return RevolutePair(-self.axis, self.offset)
