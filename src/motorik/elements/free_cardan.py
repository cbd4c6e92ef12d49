"""FreeCardan: every displacement and rotation, by Cardan angles that change over in time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from motorik.algebra.matrix import Matrix
from motorik.algebra.motor import NO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_by_sequence
from motorik.algebra.scalar import Scalar, cos, sin, where
from motorik.algebra.vector import AXES, ZERO, Vector
from motorik.elements.ball import ANGULAR_VELOCITY
from motorik.elements.ball_angles import ANGLES, angles_of
from motorik.elements.joint import Coordinate, Joint
from motorik.elements.translation import POSITION, VELOCITY

CHANGE_OVER = 0.9  # |sin φ₂| beyond which the other chart is taken

OTHER = Matrix(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0)
"""Turns the axes of b: where one chart fails, the other is at its best."""


@dataclass(frozen=True)
class FreeCardan(Joint):
    """Leaves b free: its origin (x, y, z) [m] resolved in a, three Cardan angles, and a chart.

    R_ab = R₁(φ₁) R₂(φ₂) R₃(φ₃) C, with C = 1 in chart 0 and a fixed turn of axes in chart 1.
    The angles fail at φ₂ = ±π/2; long before, the joint changes over to the other chart,
    where φ₂ is then near 0. Speeds as in `Free`: ω and v, both resolved in b.
    """

    coordinates = (*POSITION, *ANGLES, Coordinate("chart", "1"))
    speeds = (*ANGULAR_VELOCITY, *VELOCITY)
    settles = True

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
        R = rotation_by_sequence((1, 2, 3), (phi_1, phi_2, phi_3))
        return Pose(_either(chart, R @ OTHER, R), Vector(x, y, z))

    def screws(self, *q: Scalar) -> tuple[Motor, ...]:
        """Return the six unit motors."""
        return (*(Motor(e, ZERO) for e in AXES), *(Motor(ZERO, e) for e in AXES))

    def fit(self, X_ab: Pose) -> tuple[Scalar, ...]:
        """Return the origin of b and the angles in the better chart."""
        angles = angles_of((1, 2, 3), X_ab.R)
        q = (*X_ab.p.xyz, *angles, 0.0)
        return self.settled(q)

    def rates(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the velocity of the origin resolved in a, the rates of the angles, and 0.

        φ̇₁ = (ω₁ cos φ₃ − ω₂ sin φ₃) / cos φ₂,  φ̇₂ = ω₁ sin φ₃ + ω₂ cos φ₃,
        φ̇₃ = ω₃ − φ̇₁ sin φ₂
        """
        chart = q[6]
        w, v = Vector(*u[:3]), Vector(*u[3:])
        turned = OTHER @ w
        w1, w2, w3 = (
            where(chart > 0.5, a, b) for a, b in zip(turned.xyz, w.xyz, strict=True)
        )
        _, phi_2, phi_3 = q[3:6]
        first = (w1 * cos(phi_3) - w2 * sin(phi_3)) / cos(phi_2)
        second = w1 * sin(phi_3) + w2 * cos(phi_3)
        third = w3 - first * sin(phi_2)
        return (*(self.pose(*q).R @ v).xyz, first, second, third, 0.0)

    def settled(self, q: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the coordinates in the other chart if this one comes near to failing."""
        chart, R = q[6], self.pose(*q).R
        there = _either(chart, R, R @ OTHER.T)
        angles = angles_of((1, 2, 3), there)
        changes = (sin(q[4]) > CHANGE_OVER) + (sin(q[4]) < -CHANGE_OVER) > 0.5
        new = (where(changes, a, b) for a, b in zip(angles, q[3:6], strict=True))
        return (*q[:3], *new, where(changes, 1.0 - chart, chart))

    def bias(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return zero: the axes are fixed in b."""
        return NO_MOTOR


def _either(chart: Scalar, one: Matrix, zero: Matrix) -> Matrix:
    pairs = zip(one.entries, zero.entries, strict=True)
    return Matrix(*(where(chart > 0.5, a, b) for a, b in pairs))
