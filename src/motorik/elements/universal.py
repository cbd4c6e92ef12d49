"""UniversalPair: two rotations about axes that meet."""

from __future__ import annotations

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.scalar import Scalar, arctan2, mul, sub
from motorik.algebra.vector import ZERO, Vector, X, Y
from motorik.elements.constraint import TOGETHER, Constraint, at_angle
from motorik.elements.joint import Coordinate, Joint
from motorik.elements.revolute import RevolutePair
from motorik.immutable import immutable


@immutable
class UniversalPair(Joint):
    """Turns b by φ_a [rad] about `axis_a`, fixed in a, and φ_b about `axis_b`, fixed in b.

    X_ab = Rot(e_a, φ_a) Rot(e_b, φ_b),  S = (Rot(e_b, φ_b)ᵀ e_a, 0), (e_b, 0), with unit
    vectors that are not parallel (at right angles in Hooke's joint).
    """

    axis_a: Vector = X
    axis_b: Vector = Y

    coordinates = (Coordinate("phi_a", "rad"), Coordinate("phi_b", "rad"))
    speeds = (Coordinate("w_a", "rad/s"), Coordinate("w_b", "rad/s"))

    def pose(self, phi_a: Scalar, phi_b: Scalar) -> Pose:
        """Return the two turns one after the other."""
        R = rotation_about(self.axis_a, phi_a) @ rotation_about(self.axis_b, phi_b)
        return Pose(R, ZERO)

    def screws(self, phi_a: Scalar, phi_b: Scalar) -> tuple[Motor, Motor]:
        """Return the two axes, resolved in b, as screws without translation."""
        first = rotation_about(self.axis_b, phi_b).T @ self.axis_a
        return (Motor(first, ZERO), Motor(self.axis_b, ZERO))

    def fit(self, X_ab: Pose) -> tuple[Scalar, Scalar]:
        """Return the turn that brings `axis_b` to where b has it, and the one left."""
        e, f = self.axis_a, self.axis_b
        g = X_ab.R @ f
        cosine = sub(f.dot(g), mul(e.dot(f), e.dot(g)))
        phi_a = arctan2(e.dot(f.cross(g)), cosine)
        rest = Pose(rotation_about(e, phi_a).T @ X_ab.R, ZERO)
        return (phi_a, *RevolutePair(f).fit(rest))

    @property
    def constraint(self) -> Constraint:
        """The origins meet, and the axes keep their angle."""
        return self.holding(TOGETHER, at_angle(self.axis_a, self.axis_b))
