"""FreePair: every displacement and rotation, by a quaternion."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.quaternion import Quaternion
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import AXES, ZERO, Vector
from motorik.elements.constraint import Constraint
from motorik.elements.joint import Joint
from motorik.elements.spherical import ANGULAR_VELOCITY, QUATERNION
from motorik.elements.translational import POSITION, VELOCITY
from motorik.immutable import immutable


@immutable
class FreePair(Joint):
    """Leaves b free: its origin (x, y, z) [m] resolved in a, its orientation a quaternion.

    X_ab = Trans(x, y, z) Rot(Q). The speeds are the angular velocity ω and the velocity v
    of b's origin, **both resolved in b**, so that the screws are the six unit motors and
    the coordinates change by ṗ = R_ab v, Q̇ = ½ Q ∘ (ω, 0).
    """

    coordinates = (*POSITION, *QUATERNION)
    speeds = (*ANGULAR_VELOCITY, *VELOCITY)
    needs_projection = True

    def pose(
        self,
        x: Scalar,
        y: Scalar,
        z: Scalar,
        Q1: Scalar,
        Q2: Scalar,
        Q3: Scalar,
        Q4: Scalar,
    ) -> Pose:
        """Return the displacement and the rotation of the quaternion."""
        return Pose(Quaternion(Q1, Q2, Q3, Q4).direction(), Vector(x, y, z))

    def screws(self, *q: Scalar) -> tuple[Motor, ...]:
        """Return the six unit motors."""
        return (*(Motor(e, ZERO) for e in AXES), *(Motor(ZERO, e) for e in AXES))

    def fit(self, X_ab: Pose) -> tuple[Scalar, ...]:
        """Return the origin of b and the quaternion of the rotation."""
        return (*X_ab.p.xyz, *Quaternion.from_rotation(X_ab.R).xyzw)

    @property
    def constraint(self) -> Constraint:
        """No constraint: every pose is allowed."""
        return self.holding()

    def rates(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the origin's velocity, resolved in a, and the rate of the quaternion."""
        w, v = Vector(*u[:3]), Vector(*u[3:])
        Q = Quaternion(*q[3:])
        return (*(Q.direction() @ v).xyz, *Q.rate(w).xyzw)

    def redundancy(self, q: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return |Q|² − 1."""
        Q = Quaternion(*q[3:])
        return (Q.dot(Q) - 1.0,)

    def projected(self, q: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the coordinates with the quaternion brought back to length one."""
        return (*q[:3], *Quaternion(*q[3:]).normalized().xyzw)

    def bias(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return zero: the axes are fixed in b."""
        return ZERO_MOTOR
