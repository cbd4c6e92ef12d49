"""TranslationalPair: displacement in every direction, without rotation."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.matrix import IDENTITY
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector, X, Y, Z
from motorik.elements.constraint import PARALLEL, Constraint
from motorik.elements.joint import Coordinate, Joint
from motorik.immutable import immutable

POSITION = (Coordinate("x", "m"), Coordinate("y", "m"), Coordinate("z", "m"))
"""The coordinates of an origin."""

VELOCITY = (Coordinate("v1", "m/s"), Coordinate("v2", "m/s"), Coordinate("v3", "m/s"))
"""The speeds of an origin."""


@immutable
class TranslationalPair(Joint):
    """Moves b by x, y, z [m] along the axes of a: X_ab = Trans(x, y, z), S_i = (0, e_i)."""

    coordinates = POSITION
    speeds = VELOCITY

    def pose(self, x: Scalar, y: Scalar, z: Scalar) -> Pose:
        """Return the displacement."""
        return Pose(IDENTITY, Vector(x, y, z))

    def screws(self, x: Scalar, y: Scalar, z: Scalar) -> tuple[Motor, Motor, Motor]:
        """Return the three axes as screws without rotation."""
        return (Motor(ZERO, X), Motor(ZERO, Y), Motor(ZERO, Z))

    def fit(self, X_ab: Pose) -> tuple[Scalar, Scalar, Scalar]:
        """Return the origin of b."""
        return X_ab.p.xyz

    @property
    def constraint(self) -> Constraint:
        """Frame b does not turn."""
        return self.holding(PARALLEL)

    def bias(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return zero: the axes are fixed in b."""
        return ZERO_MOTOR
