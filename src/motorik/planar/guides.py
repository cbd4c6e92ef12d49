"""Joints of the plane that hold one thing: a point on a line or curve, a distance, an angle."""

from __future__ import annotations

from collections.abc import Callable

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.part import parameter
from motorik.components.base.values import as_number
from motorik.errors import ParameterError
from motorik.planar.vector_joint import VectorJoint


class Slot(VectorJoint):
    """N stays on the line through M along x_i, and body j turns freely:  MN · y_i = 0.

    A drive acts along the slot, on s = MN · x_i.
    """

    units = ("m",)

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return MN · y_i."""
        return (ON - OM).dot(y_i)

    def freedom(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return MN · x_i."""
        return (ON - OM).dot(x_i)


class Rod(VectorJoint):
    """N stays at a distance from M, as at the end of a massless rod:  (MN² − l²) / 2l = 0."""

    units = ("m",)
    length = parameter("distance of the points", "m", 1.0, as_number(above=0.0))

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return (MN² − l²) / 2l."""
        MN = ON - OM
        return (MN.dot(MN) - self.length * self.length) / (2.0 * self.length)


class Parallel(VectorJoint):
    """Body j does not turn against body i:  2 tan ½φ = 2 y_i · x_j / (1 + x_i · x_j) = 0.

    φ [rad] is the angle of x_j against x_i; half a turn is as far away as can be.
    """

    units = ("rad",)

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return 2 y_i · x_j / (1 + x_i · x_j)."""
        return 2.0 * y_i.dot(x_j) / (1.0 + x_i.dot(x_j))


def as_curve(part: str, name: str, unit: str, value: object) -> Callable[..., Scalar]:
    """Convert a curve: a function of two scalars."""
    if not callable(value):
        raise ParameterError(
            part,
            f"{name} = {value!r} is no function.",
            "Give a function of x and y that vanishes on the curve, e.g. "
            "curve=lambda x, y: y - x * x.",
            parameter=name,
            value=value,
        )
    return value


class Curve(VectorJoint):
    """N stays on a curve of body i, as the follower of a cam does:  F(MN · x_i, MN · y_i) = 0.

    `curve` is F, a function of the coordinates x, y [m] of N seen from M, which vanishes on
    the curve and grows by about 1 for each metre away from it.
    """

    units = ("m",)
    curve = parameter("function of x, y that vanishes on the curve", "m", None, as_curve)

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return F(MN · x_i, MN · y_i)."""
        MN = ON - OM
        return self.curve(MN.dot(x_i), MN.dot(y_i))
