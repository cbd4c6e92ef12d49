"""SphericalPair: rotation about a point, by a quaternion."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.quaternion import Quaternion
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector, X, Y, Z
from motorik.elements.constraint import TOGETHER, Constraint
from motorik.elements.joint import Coordinate, Joint
from motorik.immutable import immutable

QUATERNION = (
    Coordinate("Q1", "1"),
    Coordinate("Q2", "1"),
    Coordinate("Q3", "1"),
    Coordinate("Q4", "1", neutral=1.0),
)
"""The coordinates of an orientation: a unit quaternion, real part last."""

ANGULAR_VELOCITY = (
    Coordinate("w1", "rad/s"),
    Coordinate("w2", "rad/s"),
    Coordinate("w3", "rad/s"),
)
"""The speeds of an orientation: angular velocity of b seen from a, resolved in b."""


@immutable
class SphericalPair(Joint):
    """Turns b about the common origin: X_ab = Rot(Q), Q = (Q1, Q2, Q3, Q4), real part last.

    The speeds are the angular velocity resolved in b, S_i = (e_i, 0), so that the
    coordinates change by Q̇ = ½ Q ∘ (ω, 0).
    """

    coordinates = QUATERNION
    speeds = ANGULAR_VELOCITY
    needs_projection = True

    def pose(self, Q1: Scalar, Q2: Scalar, Q3: Scalar, Q4: Scalar) -> Pose:
        """Return the rotation of the quaternion."""
        return Pose(Quaternion(Q1, Q2, Q3, Q4).direction(), ZERO)

    def screws(
        self, Q1: Scalar, Q2: Scalar, Q3: Scalar, Q4: Scalar
    ) -> tuple[Motor, Motor, Motor]:
        """Return the axes of b as screws without translation."""
        return (Motor(X, ZERO), Motor(Y, ZERO), Motor(Z, ZERO))

    def fit(self, X_ab: Pose) -> tuple[Scalar, ...]:
        """Return the quaternion of the rotation."""
        return Quaternion.from_rotation(X_ab.R).xyzw

    @property
    def constraint(self) -> Constraint:
        """The origins meet."""
        return self.holding(TOGETHER)

    def rates(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the rate of the quaternion for the angular velocity u."""
        return Quaternion(*q).rate(Vector(*u)).xyzw

    def redundancy(self, q: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return |Q|² − 1."""
        Q = Quaternion(*q)
        return (Q.dot(Q) - 1.0,)

    def projected(self, q: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the coordinates with the quaternion brought back to length one."""
        return Quaternion(*q).normalized().xyzw

    def bias(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return zero: the axes are fixed in b."""
        return ZERO_MOTOR
