"""RollingPair: a wheel that rolls without slip on a plane (a joint of three speeds)."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.matrix import Matrix
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_by_sequence
from motorik.algebra.scalar import Scalar, sqrt
from motorik.algebra.vector import Vector, Y, Z
from motorik.elements.constraint import Constraint
from motorik.elements.joint import Joint
from motorik.elements.spherical_by_angles import (
    ANGLE_RATES,
    ANGLES,
    angles_of,
    axes_in_b,
    check_sequence,
)
from motorik.elements.translational import POSITION
from motorik.immutable import immutable


@immutable
class RollingPair(Joint):
    """A wheel of `radius` r about y of frame b, its centre, rolls on the plane z = 0 of a.

    The coordinates are x, y [m] of the centre and three angles [rad] about the axes
    `sequence`, R_ab = R_i(φ₁) R_j(φ₂) R_k(φ₃); the centre is at the height z = r cos λ, where
    λ is how far the wheel leans. Only the angles have speeds: from the centre the point of
    contact is at d, it rests on the plane, and so the centre moves with v = d × ω,

        S_i = (e_i, d × e_i),  d = −r/cos λ (R_zx, 0, R_zz), resolved in b.

    With the sequence (3, 1, 2) of yaw, lean and spin it is singular only where the wheel lies flat.
    """

    radius: Scalar = 1.0
    sequence: tuple[int, int, int] = (3, 1, 2)

    coordinates = (*POSITION[:2], *ANGLES)
    speeds = ANGLE_RATES

    def __post_init__(self) -> None:
        check_sequence(type(self).__name__, self.sequence)

    def pose(
        self, x: Scalar, y: Scalar, phi_1: Scalar, phi_2: Scalar, phi_3: Scalar
    ) -> Pose:
        """Return the position of the centre and the orientation of the wheel."""
        R = rotation_by_sequence(self.sequence, (phi_1, phi_2, phi_3))
        return Pose(R, Vector(x, y, self.radius * upright(R)))

    def screws(
        self, x: Scalar, y: Scalar, phi_1: Scalar, phi_2: Scalar, phi_3: Scalar
    ) -> tuple[Motor, ...]:
        """Return the three axes, resolved in b, as screws through the point of contact."""
        R = rotation_by_sequence(self.sequence, (phi_1, phi_2, phi_3))
        d = contact_from_centre(R, self.radius)
        return tuple(Motor(e, d.cross(e)) for e in axes_in_b(self.sequence, phi_2, phi_3))

    def fit(self, X_ab: Pose) -> tuple[Scalar, ...]:
        """Return the position of the centre and the angles of the rotation."""
        return (X_ab.p.x, X_ab.p.y, *angles_of(self.sequence, X_ab.R))

    def rates(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the velocity of the centre in the plane and the rates of the angles."""
        R = rotation_by_sequence(self.sequence, tuple(q[2:]))
        v = R @ self.relative_velocity(q, u).moment
        return (v.x, v.y, *u)

    @property
    def constraint(self) -> Constraint:
        """The wheel stands on the plane and does not slip."""
        return Constraint(self._height, ("m",), self._slip, ("m/s", "m/s"), gap=self.misfit)

    def _height(self, X_a: Pose, X_b: Pose) -> tuple[Scalar]:
        """Return how far the wheel is above the plane [m]."""
        height = (X_a.R @ Z).dot(X_b.p - X_a.p)
        return (height - self.radius * upright(X_a.R.T @ X_b.R),)

    def _slip(
        self, poses: Sequence[Pose], velocities: Sequence[Motor]
    ) -> tuple[Scalar, Scalar]:
        """Return the slip along and across the wheel [m/s]; velocities in their own frames."""
        (X_a, X_b), (V_a, V_b) = poses, velocities
        X_ab = X_a.inverse() @ X_b
        V = V_b - X_ab.back(V_a)
        return slip(X_ab.R, V, contact_from_centre(X_ab.R, self.radius))


def upright(R: Matrix) -> Scalar:
    """Return cos λ of a wheel about y of the frame with orientation R."""
    return sqrt(R.zx * R.zx + R.zz * R.zz)


def contact_from_centre(R: Matrix, radius: Scalar) -> Vector:
    """Return where a wheel touches the plane, from its centre, resolved in its frame [m]."""
    share = -radius / upright(R)
    return Vector(share * R.zx, 0.0, share * R.zz)


def slip(R: Matrix, V: Motor, d: Vector) -> tuple[Scalar, Scalar]:
    """Return the velocity of the point at d, along and across the wheel [m/s].

    V is the velocity motor of the wheel relative to the plane and d the point from its centre,
    both resolved in its frame; along is z × e_y, across z × along reversed, in the plane.
    """
    v = R @ V.moment_at(d)
    axle = R @ Y
    along = Z.cross(axle).normalized()
    return v.dot(along), v.dot(along.cross(Z))
