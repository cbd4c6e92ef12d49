"""ChordPlanePlane: the cosine of the angle between two planes."""

from __future__ import annotations

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, arccos, maximum, minimum
from motorik.algebra.vector import ZERO, Vector
from motorik.mobile.chords.scalar import ScalarChord


class ChordPlanePlane(ScalarChord):
    """The cosine of the angle between a plane of E and a plane of B: g = u_B · R u_E.

    `normal_B` and `normal_E` are unit vectors, each resolved in its frame.

        W = (0, u_E × Rᵀ u_B)
    """

    degree = 0
    is_angle = True

    normals = ("normal_B", "normal_E")
    normal_B: Vector  # noqa: N815 - of the frames B and E
    normal_E: Vector  # noqa: N815

    def natural(self, g: Scalar) -> Scalar:
        """Return the angle between the planes [rad]."""
        return arccos(minimum(maximum(g, -1.0), 1.0))

    def value(self, X: Pose) -> Scalar:
        """Return u_B · R u_E."""
        return self.normal_B.dot(X.R @ self.normal_E)

    def wrench(self, X: Pose) -> Motor:
        """Return the moment u_E × Rᵀ u_B."""
        return Motor(ZERO, self.normal_E.cross(X.R.T @ self.normal_B))

    def wrench_rate(self, X: Pose, V: Motor) -> Motor:
        """Return the rate of the moment: u_E × (Rᵀ u_B × ω)."""
        turning = (X.R.T @ self.normal_B).cross(V.resultant)
        return Motor(ZERO, self.normal_E.cross(turning))
