"""Rolling in the plane: toothed wheels on each other, and on a rack."""

from __future__ import annotations

from types import SimpleNamespace

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector, Z
from motorik.components.base.part import parameter
from motorik.components.base.values import as_boolean, as_number
from motorik.errors import ParameterError
from motorik.planar.vector_joint import VectorJoint
from motorik.planar.vectors import Rows


class Rolling(VectorJoint):
    """Two bodies that roll on each other; `contact` also keeps them together.

    What rolls gives a constraint of velocities. Where a carrier or a guide already keeps the
    bodies together, `contact` is redundant and may be False.
    """

    contact = parameter("whether the joint keeps the distance", "", True, as_boolean)


class GearPair(Rolling):
    """A wheel about M and a wheel about N roll on each other.

    t · (V_N − V_M) = r_i ω_i + r_j ω_j,  |MN| = r_i + r_j, with t across MN. A negative
    radius makes its wheel a ring around the other (or the other one, seen from within).
    """

    r_i = parameter("radius of the wheel about M", "m", 1.0, as_number())
    r_j = parameter("radius of the wheel about N", "m", 1.0, as_number())

    def check(self, p: SimpleNamespace) -> None:
        """Refuse wheels that are none."""
        if p.r_i == 0.0 or p.r_j == 0.0 or p.r_i + p.r_j == 0.0:
            raise ParameterError(
                self.label,
                f"r_i = {p.r_i:g} m and r_j = {p.r_j:g} m do not roll on each other.",
                "Give two radii that differ from zero and whose centres are apart.",
                parameter="r_j",
                value=p.r_j,
            )
        super().check(p)

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Rows:
        """Return (MN² − d²) / 2d, d = r_i + r_j."""
        d = self.r_i + self.r_j
        MN = ON - OM
        return (MN.dot(MN) - d * d) / (2.0 * d) if self.contact else ()

    def rolling(
        self,
        OM: Vector,
        ON: Vector,
        x_i: Vector,
        y_i: Vector,
        x_j: Vector,
        y_j: Vector,
        V_M: Vector,
        V_N: Vector,
        w_i: Scalar,
        w_j: Scalar,
    ) -> Scalar:
        """Return the speed of slip where the wheels touch."""
        t = Z.cross(ON - OM) / (self.r_i + self.r_j)
        return t.dot(V_N - V_M) - (self.r_i * w_i + self.r_j * w_j)


class RackAndPinion(Rolling):
    """A pinion about N, of radius r, rolls on the line through M along x_i of a rack.

    The centre is above the line: MN · y_i = r. Rolling: ṡ = −r (ω_j − ω_i), s = MN · x_i.
    A drive acts along the rack, on s.
    """

    r = parameter("radius of the pinion", "m", 1.0, as_number(above=0.0))

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Rows:
        """Return MN · y_i − r."""
        return (ON - OM).dot(y_i) - self.r if self.contact else ()

    def rolling(
        self,
        OM: Vector,
        ON: Vector,
        x_i: Vector,
        y_i: Vector,
        x_j: Vector,
        y_j: Vector,
        V_M: Vector,
        V_N: Vector,
        w_i: Scalar,
        w_j: Scalar,
    ) -> Scalar:
        """Return the speed of slip where the pinion touches the rack."""
        return x_i.dot(V_N - V_M - w_i * Z.cross(ON - OM)) + self.r * (w_j - w_i)

    def freedom(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return MN · x_i."""
        return (ON - OM).dot(x_i)
