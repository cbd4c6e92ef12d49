"""ChordPointPointQuadratic and ChordPointPointLinear: the distance between two points."""

from __future__ import annotations

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, is_number, maximum, sqrt
from motorik.algebra.vector import ZERO
from motorik.errors import LoopError
from motorik.mobile.chords.scalar import ScalarChord


class ChordPointPointQuadratic(ScalarChord):
    """The squared distance [m²] between the origins of B and E: g = p · p.

        W = (2 c, 0),  c = Rᵀ p

    Its force Q [N/m] pulls by 2 Q |p|; for springs see `ChordPointPointLinear`.
    """

    degree = 2

    def natural(self, g: Scalar) -> Scalar:
        """Return the distance √g [m]."""
        return sqrt(maximum(g, 0.0))

    def value(self, X: Pose) -> Scalar:
        """Return p · p."""
        return X.p.dot(X.p)

    def wrench(self, X: Pose) -> Motor:
        """Return the force 2 c."""
        return Motor(2.0 * (X.R.T @ X.p), ZERO)

    def wrench_rate(self, X: Pose, V: Motor) -> Motor:
        """Return the rate of the force: 2 ċ with ċ = v − ω × c."""
        c_rate = V.moment - V.resultant.cross(X.R.T @ X.p)
        return Motor(2.0 * c_rate, ZERO)


class ChordPointPointLinear(ScalarChord):
    """The distance [m] between the origins of B and E: g = |p|.

        W = (n, 0),  n = Rᵀ p / |p|

    Good for springs; closed solutions of loops need `ChordPointPointQuadratic`.
    """

    is_harmonic = False

    def value(self, X: Pose) -> Scalar:
        """Return |p|."""
        return X.p.norm()

    def wrench(self, X: Pose) -> Motor:
        """Return the unit force n."""
        return Motor(X.R.T @ X.p / self._length(X), ZERO)

    def wrench_rate(self, X: Pose, V: Motor) -> Motor:
        """Return the rate of the force: (ċ − n ġ) / g with ċ = v − ω × c, ġ = n · v."""
        g, c = self._length(X), X.R.T @ X.p
        n = c / g
        c_rate = V.moment - V.resultant.cross(c)
        return Motor((c_rate - n.dot(V.moment) * n) / g, ZERO)

    def _length(self, X: Pose) -> Scalar:
        g = X.p.norm()
        if is_number(g) and g == 0.0:
            raise LoopError(
                repr(self),
                "its two points coincide, so that the distance has no direction.",
                "Use ChordPointPointQuadratic, or keep the points apart.",
            )
        return g
