"""Joints of the plane that tree and loop alike are made of: revolute, translational, weld."""

# ruff: noqa: N815 - the names of Modelica's parameters

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import SimpleNamespace

from motorik.algebra.scalar import Scalar, arctan2
from motorik.algebra.vector import Vector, X, Z
from motorik.components.base.contributions import Contribution, JointBetween
from motorik.components.base.part import (
    Variable,
    parameter,
    rotational_flange,
    start,
    translational_flange,
)
from motorik.components.base.values import as_boolean
from motorik.components.joints.simple import (
    as_state_priority,
    one_freedom,
    one_freedom_variables,
)
from motorik.elements.closure import half_tangents
from motorik.planar.flat import SlideInPlane, TurnInPlane, WeldInPlane
from motorik.planar.vector_joint import VectorJoint
from motorik.planar.vector_part import along_freedom


class Revolute(VectorJoint):
    """N stays on M; body j turns by φ [rad] against body i:  MN = ON − OM = 0.

    `drive` is a torque, of φ with full turns counted; the flanges `axis` and `support`, there
    when used, let a drive line act.
    """

    units = ("m", "m")
    winding = "phi"
    axis = rotational_flange("driven flange, at angle phi", when="useAxisFlange")
    support = rotational_flange("flange of body i", when="useAxisFlange")

    useAxisFlange = parameter("whether the joint has flanges", "", False, as_boolean)
    stateSelect = parameter(
        "priority of phi and w as states", "", "prefer", as_state_priority
    )
    phi = start("angle of rotation", "rad")
    w = start("angular velocity", "rad/s")

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> tuple[Scalar, ...]:
        """Return both components of MN."""
        MN = ON - OM
        return MN.x, MN.y

    def freedom(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return the angle of x_j against x_i."""
        return arctan2(x_j.dot(y_i), x_j.dot(x_i))

    def contributions(self, p: SimpleNamespace) -> Iterable[Contribution]:
        """Contribute a turn between the ports, and the drive if there is one."""
        flanges = (self.axis, self.support) if p.useAxisFlange else None
        yield one_freedom(self, TurnInPlane(Z), ("phi", "w"), p, flanges)
        if p.drive is not None:
            yield along_freedom(self, p, energy=False)

    def variables(self, p: SimpleNamespace) -> Mapping[str, Variable]:
        """Return phi, w, a, tau of the flange and the forces on the bodies."""
        return {
            **one_freedom_variables(
                self, ("phi", "rad"), ("w", "rad/s"), ("a", "rad/s2"), ("tau", "N.m")
            ),
            **super().variables(p),
        }


class Translational(VectorJoint):
    """N slides along the x axis of M by s [m], and body j does not turn against body i.

    MN · y_i = 0,  x_i · y_j = 0. (The symmetric form MN · y_i = MN · y_j = 0 of the 2006
    paper says nothing about the angle where M and N meet.)
    """

    units = ("m", "rad")
    axis = translational_flange("driven flange, at position s", when="useAxisFlange")
    support = translational_flange("flange of body i", when="useAxisFlange")

    useAxisFlange = parameter("whether the joint has flanges", "", False, as_boolean)
    stateSelect = parameter(
        "priority of s and v as states", "", "prefer", as_state_priority
    )
    s = start("distance along x_i", "m")
    v = start("velocity along x_i", "m/s")

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> tuple[Scalar, ...]:
        """Return MN · y_i, x_i · y_j."""
        return (ON - OM).dot(y_i), x_i.dot(y_j)

    def approach(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> tuple[Scalar, ...]:
        """Return MN · y_i, and 2 x_i · y_j / (1 + x_i · x_j)."""
        return (ON - OM).dot(y_i), *half_tangents(x_i.dot(x_j), (x_i.dot(y_j),))

    def freedom(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return MN · x_i."""
        return (ON - OM).dot(x_i)

    def contributions(self, p: SimpleNamespace) -> Iterable[Contribution]:
        """Contribute a slide between the ports, and the drive if there is one."""
        flanges = (self.axis, self.support) if p.useAxisFlange else None
        yield one_freedom(self, SlideInPlane(X), ("s", "v"), p, flanges)
        if p.drive is not None:
            yield along_freedom(self, p, energy=False)

    def variables(self, p: SimpleNamespace) -> Mapping[str, Variable]:
        """Return s, v, a, f of the flange and the forces on the bodies."""
        return {
            **one_freedom_variables(
                self, ("s", "m"), ("v", "m/s"), ("a", "m/s2"), ("f", "N")
            ),
            **super().variables(p),
        }


class Weld(VectorJoint):
    """N stays on M, and body j does not turn against body i:  MN = 0,  x_i · y_j = 0."""

    units = ("m", "m", "rad")

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> tuple[Scalar, ...]:
        """Return both components of MN, and x_i · y_j."""
        MN = ON - OM
        return MN.x, MN.y, x_i.dot(y_j)

    def approach(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> tuple[Scalar, ...]:
        """Return both components of MN, and 2 x_i · y_j / (1 + x_i · x_j)."""
        MN = ON - OM
        return MN.x, MN.y, *half_tangents(x_i.dot(x_j), (x_i.dot(y_j),))

    def contributions(self, p: SimpleNamespace) -> Iterable[Contribution]:
        """Contribute a joint without freedom between the ports."""
        yield JointBetween(self.frame_a, self.frame_b, WeldInPlane(), (), (), (), ())
