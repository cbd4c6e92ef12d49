"""Joints of the plane as elements; as closures they have planar constraints only."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.matrix import IDENTITY
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector, X, Y, Z
from motorik.elements.closure import gap, half_tangents
from motorik.elements.constraint import PARALLEL, Constraint, held_along
from motorik.elements.joint import Coordinate, Joint
from motorik.elements.planar import PlanarPair
from motorik.elements.prismatic import PrismaticPair
from motorik.elements.revolute import RevolutePair
from motorik.elements.rigid import RigidPair
from motorik.immutable import immutable

COINCIDENT = Constraint(lambda X_a, X_b: gap(X_a, X_b)[:2], ("m", "m"))
"""The origins coincide in the plane: both components of MN vanish."""

NOT_TURNED = Constraint(
    lambda X_a, X_b: ((X_a.R @ X).dot(X_b.R @ Y),),
    ("rad",),
    assembly_residual=lambda X_a, X_b: half_tangents(
        (X_a.R @ X).dot(X_b.R @ X), ((X_a.R @ X).dot(X_b.R @ Y),)
    ),
)
"""Frame b has the orientation of frame a in the plane: x_i · y_j = 0."""


@immutable
class PlanarFreePair(PlanarPair):
    """The free motion of a body in the plane: x, y [m] of G and θ [rad]."""

    coordinates = (Coordinate("x", "m"), Coordinate("y", "m"), Coordinate("theta", "rad"))
    speeds = (
        *(Coordinate("v_x", "m/s"), Coordinate("v_y", "m/s")),
        Coordinate("phi_z", "rad/s"),
    )


@immutable
class PlanarPointPair(Joint):
    """The motion of a point mass in the plane: x, y [m], without rotation."""

    coordinates = (Coordinate("x", "m"), Coordinate("y", "m"))
    speeds = (Coordinate("v_x", "m/s"), Coordinate("v_y", "m/s"))

    def pose(self, x: Scalar, y: Scalar) -> Pose:
        """Return the displacement."""
        return Pose(IDENTITY, Vector(x, y, 0.0))

    def screws(self, x: Scalar, y: Scalar) -> tuple[Motor, Motor]:
        """Return both axes as screws without rotation."""
        return Motor(ZERO, X), Motor(ZERO, Y)

    def fit(self, X_ab: Pose) -> tuple[Scalar, Scalar]:
        """Return the origin of b in the plane."""
        return X_ab.p.x, X_ab.p.y

    @property
    def constraint(self) -> Constraint:
        """Frame b does not turn, and its origin stays in the plane."""
        return self.holding(PARALLEL, held_along(Z))

    def bias(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return zero: the axes are fixed in b."""
        return ZERO_MOTOR


@immutable
class PlanarRevolutePair(RevolutePair):
    """A rotation about z by φ [rad]; as a constraint MN = 0 in the plane."""

    @property
    def constraint(self) -> Constraint:
        """The origins coincide in the plane."""
        return self.holding(COINCIDENT)

    def reversed(self) -> Joint:
        """Return the rotation about the opposite axis."""
        return PlanarRevolutePair(-self.axis, self.offset)


@immutable
class PlanarPrismaticPair(PrismaticPair):
    """A translation by s [m] along an axis of the plane; as constraints MN · y_i, x_i · y_j."""

    @property
    def constraint(self) -> Constraint:
        """The origin of b stays on the axis, and b does not rotate."""
        return self.holding(held_along(Z.cross(self.axis)), NOT_TURNED)

    def reversed(self) -> Joint:
        """Return the translation along the opposite axis."""
        return PlanarPrismaticPair(-self.axis)


@immutable
class PlanarWeld(RigidPair):
    """No motion; as a constraint MN = 0 in the plane and x_i · y_j = 0."""

    @property
    def constraint(self) -> Constraint:
        """The origins coincide in the plane, and b does not rotate."""
        return self.holding(COINCIDENT, NOT_TURNED)
