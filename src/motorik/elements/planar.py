"""PlanarPair: two translations in a plane and a rotation about its normal."""

from __future__ import annotations

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector, X, Z
from motorik.elements.constraint import Constraint, held_along, in_line
from motorik.elements.joint import Coordinate, Joint
from motorik.elements.revolute import RevolutePair
from motorik.immutable import immutable


@immutable
class PlanarPair(Joint):
    """Moves b by s_x, s_y [m] in the plane normal to `n` and turns it by φ [rad] about `n`.

    X_ab = Trans(s_x e_x + s_y e_y) Rot(e_z, φ),  S = (0, Rᵀe_x), (0, Rᵀe_y), (e_z, 0),
    with e_z along `n`, e_x along the part of `n_x` in the plane, e_y = e_z × e_x, in a.
    """

    n: Vector = Z
    n_x: Vector = X

    coordinates = (Coordinate("s_x", "m"), Coordinate("s_y", "m"), Coordinate("phi", "rad"))
    speeds = (Coordinate("v_x", "m/s"), Coordinate("v_y", "m/s"), Coordinate("w", "rad/s"))

    def pose(self, s_x: Scalar, s_y: Scalar, phi: Scalar) -> Pose:
        """Return the displacement in the plane and the turn about its normal."""
        e_x, e_y, e_z = self.axes
        return Pose(rotation_about(e_z, phi), s_x * e_x + s_y * e_y)

    def screws(self, s_x: Scalar, s_y: Scalar, phi: Scalar) -> tuple[Motor, Motor, Motor]:
        """Return the two directions of the plane, resolved in b, and its normal."""
        e_x, e_y, e_z = self.axes
        R_ba = rotation_about(e_z, phi).T
        return (Motor(ZERO, R_ba @ e_x), Motor(ZERO, R_ba @ e_y), Motor(e_z, ZERO))

    def fit(self, X_ab: Pose) -> tuple[Scalar, Scalar, Scalar]:
        """Return the foot of b's origin in the plane and the angle of the nearest turn."""
        e_x, e_y, e_z = self.axes
        return (e_x.dot(X_ab.p), e_y.dot(X_ab.p), *RevolutePair(e_z).fit(X_ab))

    @property
    def constraint(self) -> Constraint:
        """The origin of b stays in the plane, and the normal is one direction."""
        e_z = self.axes[2]
        return self.holding(held_along(e_z), in_line(e_z))

    @property
    def axes(self) -> tuple[Vector, Vector, Vector]:
        """The unit vectors e_x, e_y, e_z, resolved in a."""
        e_z = self.n.normalized()
        e_y = e_z.cross(self.n_x).normalized()
        return e_y.cross(e_z), e_y, e_z
