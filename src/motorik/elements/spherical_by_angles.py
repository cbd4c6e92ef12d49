"""SphericalPairByAngles: rotation about a point by three angles (Cardan, Bryant or Euler)."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.matrix import Matrix
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about, rotation_by_sequence
from motorik.algebra.scalar import Scalar, arctan2, mul
from motorik.algebra.vector import AXES, ZERO, Vector
from motorik.elements.constraint import TOGETHER, Constraint
from motorik.elements.joint import Coordinate, Joint
from motorik.errors import ParameterError
from motorik.immutable import immutable

ANGLES = (
    Coordinate("phi_1", "rad"),
    Coordinate("phi_2", "rad"),
    Coordinate("phi_3", "rad"),
)
"""The coordinates of an orientation reached by three turns."""

ANGLE_RATES = (
    Coordinate("phi_d_1", "rad/s"),
    Coordinate("phi_d_2", "rad/s"),
    Coordinate("phi_d_3", "rad/s"),
)
"""The rates of the three angles."""


@immutable
class SphericalPairByAngles(Joint):
    """Turns b by φ₁, φ₂, φ₃ [rad] about the axes `sequence` of the frames reached so far.

    X_ab = R_i(φ₁) R_j(φ₂) R_k(φ₃),  S = (R_kᵀR_jᵀ e_i, 0), (R_kᵀ e_j, 0), (e_k, 0)

    Cardan (Bryant) angles are (1, 2, 3), classical Euler angles (3, 1, 3). The speeds are
    the rates of the angles; they are singular where the first and third axis are parallel:
    φ₂ = ±π/2 for three different axes, φ₂ = 0 or π otherwise.
    """

    sequence: tuple[int, int, int] = (1, 2, 3)

    coordinates = ANGLES
    speeds = ANGLE_RATES

    def __post_init__(self) -> None:
        check_sequence(type(self).__name__, self.sequence)

    def pose(self, phi_1: Scalar, phi_2: Scalar, phi_3: Scalar) -> Pose:
        """Return the three turns one after another."""
        return Pose(rotation_by_sequence(self.sequence, (phi_1, phi_2, phi_3)), ZERO)

    def screws(
        self, phi_1: Scalar, phi_2: Scalar, phi_3: Scalar
    ) -> tuple[Motor, Motor, Motor]:
        """Return the three axes, resolved in b, as screws without translation."""
        e1, e2, e3 = axes_in_b(self.sequence, phi_2, phi_3)
        return (Motor(e1, ZERO), Motor(e2, ZERO), Motor(e3, ZERO))

    def fit(self, X_ab: Pose) -> tuple[Scalar, Scalar, Scalar]:
        """Return the three angles of the rotation."""
        return angles_of(self.sequence, X_ab.R)

    @property
    def constraint(self) -> Constraint:
        """The origins meet."""
        return self.holding(TOGETHER)


def check_sequence(part: str, sequence: Sequence[int]) -> None:
    """Refuse a sequence of axes whose turns do not reach every orientation."""
    i, j, k = sequence if len(sequence) == 3 else (0, 0, 0)
    if not {i, j, k} <= {1, 2, 3} or i == j or j == k:
        raise ParameterError(
            part,
            f"sequence {tuple(sequence)} does not reach every orientation.",
            "Give three axes of 1, 2, 3, no two neighbours alike, such as (1, 2, 3) "
            "or (3, 1, 3).",
            parameter="sequence",
            value=tuple(sequence),
        )


def axes_in_b(
    sequence: Sequence[int], phi_2: Scalar, phi_3: Scalar
) -> tuple[Vector, Vector, Vector]:
    """Return the axes of the three turns, resolved in the frame they lead to."""
    e_i, e_j, e_k = (AXES[axis - 1] for axis in sequence)
    back_k = rotation_about(e_k, phi_3).T
    back_j = rotation_about(e_j, phi_2).T
    return back_k @ (back_j @ e_i), back_k @ e_j, e_k


def angles_of(sequence: Sequence[int], R: Matrix) -> tuple[Scalar, Scalar, Scalar]:
    """Return the angles whose turns about the axes `sequence` make up R.

    Of the two solutions the one with |φ₂| ≤ π/2 (three different axes) or φ₂ ≥ 0. The
    first angle brings R e_k into the plane normal to e_j; the other two are read off what
    is left, so that the turns make up R even where the first and third axis are parallel.
    """
    e_i, e_j, e_k = (AXES[axis - 1] for axis in sequence)
    branch = -1.0 if sequence[0] == sequence[2] else e_i.dot(e_j.cross(e_k))
    u = R @ e_k
    phi_1 = arctan2(mul(-branch, e_j.dot(u)), mul(branch, e_i.cross(e_j).dot(u)))
    rest = rotation_about(e_i, phi_1).T @ R  # R_j(φ₂) R_k(φ₃)
    u = rest @ e_k  # e_k cos φ₂ + e_j × e_k sin φ₂
    across = e_j.cross(e_k)
    phi_2 = arctan2(across.dot(u), e_k.dot(u))
    phi_3 = arctan2(e_j.dot(rest @ across), e_j.dot(rest @ e_j))
    return phi_1, phi_2, phi_3
