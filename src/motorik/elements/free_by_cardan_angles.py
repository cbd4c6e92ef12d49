"""FreePairByCardanAngles: every displacement and rotation, by three angles in one of two charts."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.matrix import Matrix
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_by_sequence
from motorik.algebra.scalar import Scalar, fabs, where
from motorik.algebra.vector import AXES, ZERO, Vector
from motorik.elements.constraint import Constraint
from motorik.elements.joint import Coordinate, Joint
from motorik.elements.spherical import ANGULAR_VELOCITY
from motorik.elements.spherical_by_angles import (
    ANGLES,
    angles_of,
    axes_in_b,
    check_sequence,
)
from motorik.elements.translational import POSITION, VELOCITY
from motorik.immutable import immutable

CHANGE_OVER = 0.9  # |cosine| between first and third axis beyond which the chart changes

OTHER = Matrix(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0)
"""Turns the axes of b: where one chart fails, the other is at its best."""


@immutable
class FreePairByCardanAngles(Joint):
    """Leaves b free: its origin (x, y, z) [m] resolved in a, three angles, and a chart.

    R_ab = R_i(φ₁) R_j(φ₂) R_k(φ₃) C, with C = 1 in chart 0 and a fixed turn of axes in
    chart 1. The angles are singular where the first and the third axis are parallel; long before,
    the joint switches to the other chart, where these are nearly orthogonal.
    Speeds as in `FreePair`: ω and v, both resolved in b.
    """

    sequence: tuple[int, int, int] = (1, 2, 3)

    coordinates = (*POSITION, *ANGLES, Coordinate("chart", "1"))
    speeds = (*ANGULAR_VELOCITY, *VELOCITY)
    needs_projection = True

    def __post_init__(self) -> None:
        check_sequence(type(self).__name__, self.sequence)

    def pose(
        self,
        x: Scalar,
        y: Scalar,
        z: Scalar,
        phi_1: Scalar,
        phi_2: Scalar,
        phi_3: Scalar,
        chart: Scalar,
    ) -> Pose:
        """Return the displacement and the rotation of the chart in use."""
        R = rotation_by_sequence(self.sequence, (phi_1, phi_2, phi_3))
        return Pose(_either(chart, R @ OTHER, R), Vector(x, y, z))

    def screws(self, *q: Scalar) -> tuple[Motor, ...]:
        """Return the six unit motors."""
        return (*(Motor(e, ZERO) for e in AXES), *(Motor(ZERO, e) for e in AXES))

    def fit(self, X_ab: Pose) -> tuple[Scalar, ...]:
        """Return the origin of b and the angles in the better chart."""
        angles = angles_of(self.sequence, X_ab.R)
        return self.projected((*X_ab.p.xyz, *angles, 0.0))

    @property
    def constraint(self) -> Constraint:
        """No constraint: every pose is allowed."""
        return self.holding()

    def rates(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the velocity of the origin resolved in a, the rates of the angles, and 0.

        The rates solve Σ e_i φ̇_i = C ω with the axes e_i of the three turns.
        """
        chart = q[6]
        v, w = Vector(*u[3:]), Vector(*u[:3])
        turned = OTHER @ w
        pairs = zip(turned.xyz, w.xyz, strict=True)
        w = Vector(*(where(chart > 0.5, a, b) for a, b in pairs))
        a, b, c = axes_in_b(self.sequence, q[4], q[5])
        det = a.dot(b.cross(c))
        rates = (w.dot(b.cross(c)) / det, a.dot(w.cross(c)) / det, a.dot(b.cross(w)) / det)
        return (*(self.pose(*q).R @ v).xyz, *rates, 0.0)

    def projected(self, q: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the coordinates in the other chart if this one is nearly singular."""
        chart = where(q[6] > 0.5, 1.0, 0.0)
        R = rotation_by_sequence(self.sequence, q[3:6])
        first, third = AXES[self.sequence[0] - 1], AXES[self.sequence[2] - 1]
        changes = fabs(first.dot(R @ third)) > CHANGE_OVER
        angles = angles_of(self.sequence, _either(chart, R @ OTHER, R @ OTHER.T))
        new = (where(changes, a, b) for a, b in zip(angles, q[3:6], strict=True))
        return (*q[:3], *new, where(changes, 1.0 - chart, chart))

    def bias(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return zero: the axes are fixed in b."""
        return ZERO_MOTOR


def _either(chart: Scalar, one: Matrix, zero: Matrix) -> Matrix:
    pairs = zip(one.entries, zero.entries, strict=True)
    return Matrix(*(where(chart > 0.5, a, b) for a, b in pairs))
