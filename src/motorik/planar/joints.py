"""Joints of the plane for trees and loops: revolute, translational, weld."""

# ruff: noqa: N815 - the names of Modelica's parameters

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.motor import Motor
from motorik.algebra.scalar import Scalar, arctan2
from motorik.algebra.vector import Vector, X, Z
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, JointBetween
from motorik.components.base.part import (
    PortSpec,
    Values,
    Variable,
    parameter,
    rotational_flange,
    start,
    translational_flange,
)
from motorik.components.base.ports import RotationalFlange, TranslationalFlange
from motorik.components.base.visual_options import BoxVisual, CylinderVisual
from motorik.components.joints import friction as laws
from motorik.components.joints import stops as ends
from motorik.components.joints.bearing import guide_load, hinge_load
from motorik.components.joints.loaded import LoadedJoint
from motorik.components.joints.simple import one_freedom, one_freedom_variables
from motorik.components.lines.flanges import (
    ROTATIONAL,
    TRANSLATIONAL,
    AnyFlange,
    VariableNames,
)
from motorik.elements.closure import half_tangents
from motorik.elements.joint import Joint
from motorik.planar.guides import AlongAxis
from motorik.planar.pairs import PlanarPrismaticPair, PlanarRevolutePair, PlanarWeld
from motorik.planar.vector_joint import VectorJoint
from motorik.planar.vector_part import along_freedom

if TYPE_CHECKING:
    from typing_extensions import Self


class OneFreedom(VectorJoint, LoadedJoint):
    """A joint with one coordinate, on which a drive line can act by the flange `axis`.

    Friction resists its speed, stops hold its coordinate between two values.
    """

    element: ClassVar[Joint]
    line_names: ClassVar[VariableNames]
    axis: ClassVar[AnyFlange]
    support: ClassVar[AnyFlange]

    useAxisFlange: kinds.Boolean = parameter("whether the joint has flanges", default=False)
    stateSelect: kinds.StateSelect = parameter(
        "priority of coordinate and speed as states", default="prefer"
    )
    restitution: kinds.Restitution = parameter(
        "speed after by speed before a hit of a stop", default=0.0
    )

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the joint between the ports, and the drive if there is one."""
        names = (self.line_names.x, self.line_names.v)
        flanges = (self.axis, self.support) if p.useAxisFlange else None
        yield one_freedom(self, self.element, names, p, flanges)
        if p.drive is not None:
            yield along_freedom(self, p, energy=False)
        yield from self.load_contributions(p)

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return coordinate, speed, acceleration, drive, and the forces on the bodies."""
        of = self.line_names
        shown = (of.x, of.unit_x), (of.v, of.unit_v), (of.a, of.unit_a), (of.f, of.unit_f)
        known = {**one_freedom_variables(self, *shown), **super().variables(p)}
        return known | self.load_variables(p)


class Revolute(OneFreedom, CylinderVisual):
    """N stays on M; body j turns by φ [rad] against body i:  MN = ON − OM = 0.

    `drive` is a torque [N·m], a function of φ with full turns counted; a drive line acts by
    the flanges `axis` and `support`, which exist when they are used. Friction and stops are those
    of `joints.Revolute`: ``friction=Coulomb(tau=3.0), stops=(-1.0, 1.0)``.
    """

    letters = ("phi", "w", "tau", "N.m")
    units = ("m", "m")
    unwrapped_coordinate = "phi"
    element = PlanarRevolutePair(Z)
    line_names = ROTATIONAL
    axis: ClassVar[PortSpec[RotationalFlange]] = rotational_flange(
        "driven flange, at angle phi", when="useAxisFlange"
    )
    support: ClassVar[PortSpec[RotationalFlange]] = rotational_flange(
        "flange of body i", when="useAxisFlange"
    )
    friction: laws.TurnFriction = parameter("law of friction, or None", default=None)
    stops: ends.AngleStops = parameter("lowest and highest phi, or None", default=None)
    phi: kinds.StartAngle = start("angle of rotation")
    w: kinds.StartAngularVelocity = start("angular velocity")

    def bearing_load(self, law: laws.FrictionLaw, p: Values, reaction: Motor) -> Scalar:
        """Return the load of a hinge about z."""
        return hinge_load(law, Z, reaction)

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


class Translational(AlongAxis, OneFreedom, BoxVisual):
    """N slides along the x axis of M by s [m], and body j does not turn against body i.

    MN · y_i = 0,  x_i · y_j = 0. (The symmetric form MN · y_i = MN · y_j = 0 of the 2006
    paper leaves the angle undetermined where M and N coincide.) Friction and stops are those of
    `joints.Prismatic`.
    """

    letters = ("s", "v", "f", "N")
    units = ("m", "rad")
    element = PlanarPrismaticPair(X)
    line_names = TRANSLATIONAL
    axis: ClassVar[PortSpec[TranslationalFlange]] = translational_flange(
        "driven flange, at position s", when="useAxisFlange"
    )
    support: ClassVar[PortSpec[TranslationalFlange]] = translational_flange(
        "flange of body i", when="useAxisFlange"
    )
    friction: laws.SlideFriction = parameter("law of friction, or None", default=None)
    stops: ends.DistanceStops = parameter("lowest and highest s, or None", default=None)
    s: kinds.StartDistance = start("distance along x_i")
    v: kinds.StartVelocity = start("velocity along x_i")

    def bearing_load(self, law: laws.FrictionLaw, p: Values, reaction: Motor) -> Scalar:
        """Return the load of a guide along x."""
        return guide_load(law, X, reaction)

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> tuple[Scalar, ...]:
        """Return MN · y_i, x_i · y_j."""
        return (ON - OM).dot(y_i), x_i.dot(y_j)

    def assembly_residual(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> tuple[Scalar, ...]:
        """Return MN · y_i, and 2 x_i · y_j / (1 + x_i · x_j)."""
        return (ON - OM).dot(y_i), *half_tangents(x_i.dot(x_j), (x_i.dot(y_j),))


class Weld(VectorJoint):
    """N stays on M, and body j does not turn against body i:  MN = 0,  x_i · y_j = 0."""

    units = ("m", "m", "rad")

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> tuple[Scalar, ...]:
        """Return both components of MN, and x_i · y_j."""
        MN = ON - OM
        return MN.x, MN.y, x_i.dot(y_j)

    def assembly_residual(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> tuple[Scalar, ...]:
        """Return both components of MN, and 2 x_i · y_j / (1 + x_i · x_j)."""
        MN = ON - OM
        return MN.x, MN.y, *half_tangents(x_i.dot(x_j), (x_i.dot(y_j),))

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a joint without freedom between the ports."""
        yield JointBetween(self.frame_a, self.frame_b, PlanarWeld(), (), (), (), ())
