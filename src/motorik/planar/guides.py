"""Joints of the plane with one constraint: a point on a line or curve, a distance, an angle."""

from __future__ import annotations

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.part import parameter
from motorik.components.base.visual_options import BoxVisual, CylinderVisual, RodVisual
from motorik.planar import quantities
from motorik.planar.vector_joint import VectorJoint


class AlongAxis(VectorJoint):
    """A joint whose freedom is the distance s = MN · x_i [m] along the x axis of body i."""

    def freedom(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return MN · x_i."""
        return (ON - OM).dot(x_i)


class Slot(AlongAxis, CylinderVisual, BoxVisual):
    """N stays on the line through M along x_i, and body j turns freely:  MN · y_i = 0.

    A drive acts along the slot, on s = MN · x_i [m].
    """

    units = ("m",)

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return MN · y_i."""
        return (ON - OM).dot(y_i)


def at_distance(MN: Vector, d: Scalar) -> Scalar:
    """Return (MN² − d²) / 2d [m], which vanishes if |MN| = d."""
    return (MN.dot(MN) - d * d) / (2.0 * d)


class Rod(VectorJoint, CylinderVisual, RodVisual):
    """N stays at the distance l from M, as at the end of a massless rod:  (MN² − l²) / 2l = 0."""

    units = ("m",)
    length: kinds.Length = parameter("distance of the points", default=1.0)

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return (MN² − l²) / 2l."""
        return at_distance(ON - OM, self.length)


class Parallel(VectorJoint):
    """Body j does not rotate relative to body i:  2 tan ½φ = 2 y_i · x_j / (1 + x_i · x_j) = 0.

    φ [rad] is the angle of x_j against x_i; the residual is infinite at half a turn.
    """

    units = ("rad",)

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return 2 y_i · x_j / (1 + x_i · x_j)."""
        return 2.0 * y_i.dot(x_j) / (1.0 + x_i.dot(x_j))


class Curve(VectorJoint, CylinderVisual):
    """N stays on a curve of body i, as the follower of a cam does:  F(MN · x_i, MN · y_i) = 0.

    `curve` is F, a function of the coordinates x, y [m] of N against M, which vanishes on the
    curve and grows by about 1 for each metre away from it.
    """

    units = ("m",)
    curve: quantities.CurveFunction = parameter(
        "function of x, y that vanishes on the curve"
    )

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return F(MN · x_i, MN · y_i)."""
        MN = ON - OM
        return self.curve(MN.dot(x_i), MN.dot(y_i))
