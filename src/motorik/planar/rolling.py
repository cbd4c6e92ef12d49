"""Rolling in the plane: toothed wheels on each other, and on a rack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector, Z
from motorik.components.base import kinds
from motorik.components.base.part import parameter
from motorik.errors import ParameterError
from motorik.planar.guides import DrivenAlongAxis, at_distance
from motorik.planar.vector_joint import VectorJoint
from motorik.planar.vectors import Rows

if TYPE_CHECKING:
    from typing_extensions import Self


class Rolling(VectorJoint):
    """Two bodies that roll on each other without slip.

    Rolling is a velocity constraint. `contact` adds that of the distance; it is redundant and may
    be False where a carrier or a guide already keeps the distance.
    """

    contact: kinds.Boolean = parameter("whether the joint keeps the distance", default=True)

    def gap(self, MN: Vector, y_i: Vector) -> Scalar:
        """Return by how much the distance [m] is too large."""
        raise NotImplementedError

    def slip(self, MN: Vector, V: Vector, x_i: Vector, w_i: Scalar, w_j: Scalar) -> Scalar:
        """Return the speed of slip [m/s] at the contact, where V = V_N − V_M [m/s]."""
        raise NotImplementedError

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Rows:
        """Return the gap, if there is contact."""
        return self.gap(ON - OM, y_i) if self.contact else ()

    def rolling(self, *vectors: Any) -> Rows:
        """Return the speed of slip [m/s]."""
        OM, ON, x_i, _, _, _, V_M, V_N, w_i, w_j = vectors
        return self.slip(ON - OM, V_N - V_M, x_i, w_i, w_j)


class GearPair(Rolling):
    """A wheel about M and a wheel about N roll on each other.

    t · (V_N − V_M) = r_i ω_i + r_j ω_j,  |MN| = |r_i + r_j|, with t normal to MN. In an
    internal gear pair the radius of the ring is negative.
    """

    r_i: kinds.Distance = parameter("radius of the wheel about M", default=1.0)
    r_j: kinds.Distance = parameter("radius of the wheel about N", default=1.0)

    def check(self, p: Self) -> None:
        """Refuse radii of zero, and wheels about one centre."""
        if p.r_i == 0.0 or p.r_j == 0.0 or p.r_i + p.r_j == 0.0:
            raise ParameterError(
                self.label,
                f"wheels with r_i = {p.r_i:g} m and r_j = {p.r_j:g} m cannot roll on each other.",
                "Give two radii that are not zero, and whose sum is not zero.",
                parameter="r_j",
                value=p.r_j,
            )
        super().check(p)

    def gap(self, MN: Vector, y_i: Vector) -> Scalar:
        """Return (MN² − d²) / 2d, d = r_i + r_j."""
        return at_distance(MN, self.r_i + self.r_j)

    def slip(self, MN: Vector, V: Vector, x_i: Vector, w_i: Scalar, w_j: Scalar) -> Scalar:
        """Return t · V − (r_i ω_i + r_j ω_j)."""
        t = Z.cross(MN) / (self.r_i + self.r_j)
        return t.dot(V) - (self.r_i * w_i + self.r_j * w_j)


class RackAndPinion(DrivenAlongAxis, Rolling):
    """A pinion about N, of radius r, rolls on the line through M along x_i of a rack.

    The centre is above the line: MN · y_i = r. Rolling: ṡ = −r (ω_j − ω_i), s = MN · x_i [m].
    A drive acts along the rack, on s: a force, or a drive line by the flanges `axis` and `support`.
    """

    r: kinds.Length = parameter("radius of the pinion", default=1.0)

    def gap(self, MN: Vector, y_i: Vector) -> Scalar:
        """Return MN · y_i − r."""
        return MN.dot(y_i) - self.r

    def slip(self, MN: Vector, V: Vector, x_i: Vector, w_i: Scalar, w_j: Scalar) -> Scalar:
        """Return x_i · (V − ω_i × MN) + r (ω_j − ω_i)."""
        return x_i.dot(V - w_i * Z.cross(MN)) + self.r * (w_j - w_i)
