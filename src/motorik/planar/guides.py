"""Joints of the plane with one constraint: a point on a line or curve, a distance, an angle."""

# ruff: noqa: N815 - the names of Modelica's parameters

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, sub
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import Clamp, ConstraintBetween, Contribution
from motorik.components.base.declarations import parameter, translational_flange
from motorik.components.base.resolving import Values
from motorik.components.base.visual_options import BoxVisual, CylinderVisual, RodVisual
from motorik.elements.constraint import Constraint
from motorik.planar import quantities, vectors
from motorik.planar.vector_joint import VectorJoint
from motorik.planar.vector_part import values
from motorik.planar.vectors import PortMotion


class AlongAxis(VectorJoint):
    """A joint whose freedom is the distance s = MN · x_i [m] along the x axis of body i."""

    def freedom(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return MN · x_i."""
        return (ON - OM).dot(x_i)


class DrivenAlongAxis(AlongAxis):
    """A joint along whose freedom s a drive line acts, by the flange `axis` at the position s."""

    axis = translational_flange("driven flange, at position s", when="useAxisFlange")
    support = translational_flange("flange of body i", when="useAxisFlange")
    useAxisFlange: kinds.Boolean = parameter("whether the joint has flanges", default=False)

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the joint, and the position of its flange."""
        yield from super().contributions(p)
        if p.useAxisFlange:
            part = values(type(self), vars(p))
            frames = (self.frame_a, self.frame_b)
            followed = Constraint(partial(_followed, part), ("m",))
            yield ConstraintBetween(self, frames, followed, (self.axis,))
            yield Clamp(self.support)


def _followed(part: DrivenAlongAxis, X_a: Pose, X_b: Pose, x: Scalar) -> tuple[Scalar, ...]:
    """Return s − x of the flange at x."""
    ports = PortMotion(X_a), PortMotion(X_b)
    return (sub(vectors.evaluate(part.freedom, part.axes, *ports)[0], x),)


class Slot(DrivenAlongAxis, CylinderVisual, BoxVisual):
    """N stays on the line through M along x_i, and body j turns freely:  MN · y_i = 0.

    A drive acts along the slot, on s = MN · x_i [m]: a force or a function, or a drive line by the
    flanges `axis` and `support`.
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


class Curve(DrivenAlongAxis, CylinderVisual):
    """N stays on a curve of body i, as the follower of a cam does:  F(MN · x_i, MN · y_i) = 0.

    `curve` is F, a function of the coordinates x, y [m] of N against M, which vanishes on the
    curve and grows by about 1 for each metre away from it. A drive, or a drive line by the flanges
    `axis` and `support`, acts on s = MN · x_i [m], the first of the coordinates.
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
