"""FreePairByAngles: every displacement and rotation, by three angles."""

from __future__ import annotations

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_by_sequence
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector
from motorik.elements.constraint import Constraint
from motorik.elements.joint import Joint
from motorik.elements.spherical_by_angles import (
    ANGLE_RATES,
    ANGLES,
    angles_of,
    axes_in_b,
    check_sequence,
)
from motorik.elements.translational import POSITION, VELOCITY
from motorik.immutable import immutable


@immutable
class FreePairByAngles(Joint):
    """Leaves b free: its origin (x, y, z) [m] resolved in a, its orientation three angles.

    X_ab = Trans(x, y, z) R_i(φ₁) R_j(φ₂) R_k(φ₃). The speeds are the rates of the
    coordinates: the velocity of b's origin **resolved in a**, then the rates of the angles.
    They are singular as in `SphericalPairByAngles`; `FreePair` has no singular pose.
    """

    sequence: tuple[int, int, int] = (1, 2, 3)

    coordinates = (*POSITION, *ANGLES)
    speeds = (*VELOCITY, *ANGLE_RATES)

    def __post_init__(self) -> None:
        check_sequence(type(self).__name__, self.sequence)

    def pose(
        self, x: Scalar, y: Scalar, z: Scalar, phi_1: Scalar, phi_2: Scalar, phi_3: Scalar
    ) -> Pose:
        """Return the displacement and the three turns."""
        R = rotation_by_sequence(self.sequence, (phi_1, phi_2, phi_3))
        return Pose(R, Vector(x, y, z))

    def screws(
        self, x: Scalar, y: Scalar, z: Scalar, phi_1: Scalar, phi_2: Scalar, phi_3: Scalar
    ) -> tuple[Motor, ...]:
        """Return the axes of a and the axes of the three turns, resolved in b."""
        along = rotation_by_sequence(self.sequence, (phi_1, phi_2, phi_3)).rows
        about = axes_in_b(self.sequence, phi_2, phi_3)
        return (*(Motor(ZERO, e) for e in along), *(Motor(e, ZERO) for e in about))

    def fit(self, X_ab: Pose) -> tuple[Scalar, ...]:
        """Return the origin of b and the three angles of the rotation."""
        return (*X_ab.p.xyz, *angles_of(self.sequence, X_ab.R))

    @property
    def constraint(self) -> Constraint:
        """No constraint: every pose is allowed."""
        return self.holding()
