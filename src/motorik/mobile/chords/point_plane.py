"""ChordPointPlane and ChordPlanePoint: the distance between a point and a plane."""

from __future__ import annotations

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, neg
from motorik.algebra.vector import ZERO, Vector
from motorik.mobile.chords.scalar import ScalarChord


class ChordPointPlane(ScalarChord):
    """The distance of the origin of E from a plane through that of B: g = u · p.

    `normal` is the unit vector u of the plane, resolved in B; p leads from B to E.

        W = (Rᵀ u, 0)
    """

    degree = 1

    normals = ("normal",)
    normal: Vector

    def value(self, X: Pose) -> Scalar:
        """Return u · p."""
        return self.normal.dot(X.p)

    def wrench(self, X: Pose) -> Motor:
        """Return the force Rᵀ u."""
        return Motor(X.R.T @ self.normal, ZERO)

    def wrench_rate(self, X: Pose, V: Motor) -> Motor:
        """Return the rate of the force: Rᵀ u × ω."""
        return Motor((X.R.T @ self.normal).cross(V.resultant), ZERO)


class ChordPlanePoint(ScalarChord):
    """The distance of the origin of B from a plane through that of E: g = −u · c.

    `normal` is the unit vector u of the plane, resolved in E; c = Rᵀ p leads from B to E.

        W = (−u, c × u)
    """

    degree = 1

    normals = ("normal",)
    normal: Vector

    def value(self, X: Pose) -> Scalar:
        """Return −u · c."""
        return neg(self.normal.dot(X.R.T @ X.p))

    def wrench(self, X: Pose) -> Motor:
        """Return the force −u and the moment c × u."""
        return Motor(-self.normal, (X.R.T @ X.p).cross(self.normal))

    def wrench_rate(self, X: Pose, V: Motor) -> Motor:
        """Return the rate of the moment: ċ × u with ċ = v − ω × c."""
        c_rate = V.moment - V.resultant.cross(X.R.T @ X.p)
        return Motor(ZERO, c_rate.cross(self.normal))
