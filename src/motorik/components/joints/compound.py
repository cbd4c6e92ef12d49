"""Joints made of joints of one freedom: cylindrical, universal, planar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING

from motorik.algebra.motor import Motor
from motorik.algebra.scalar import Scalar, sqrt, where
from motorik.algebra.vector import ZERO, Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    Contribution,
    ForceBounds,
    FrameForce,
    NonsmoothConstraint,
)
from motorik.components.base.declarations import frame, parameter, start
from motorik.components.base.internal import InternalNumber, nonsmooth_force
from motorik.components.base.motion import Motion
from motorik.components.base.part import Part
from motorik.components.base.planar_friction import DISK, PlanarFriction, sliding_direction
from motorik.components.base.ports import connect
from motorik.components.base.resolving import Values
from motorik.components.base.two_frames import two_frames
from motorik.components.base.values import Derived
from motorik.components.base.variable import Variable
from motorik.components.base.visual_options import (
    BoxSizeVisual,
    CylinderVisual,
    UniversalVisual,
)
from motorik.components.forces.given import Motions
from motorik.components.joints import friction as laws
from motorik.components.joints import stops as ends
from motorik.components.joints.friction import SlideFriction
from motorik.components.joints.loaded import CompositeJoint
from motorik.components.joints.simple import Prismatic, Revolute, shown_as
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


# --- friction in a plane ------------------------------------------------------------------


def rubbing_law(p: Values, t: Scalar, motions: Motions) -> tuple[Motor, ...]:
    """Return the friction on both bodies, in their frames, at the origin of frame_b."""
    (X_a, _), (X_b, _) = motions
    X_ab = X_a.inverse() @ X_b
    along, across = directions(p)
    f = along * p.friction_along.force + across * p.friction_across.force
    return Motor(-f, -X_ab.p.cross(f)), Motor(X_ab.R.T @ f, ZERO)


def directions(p: Values) -> tuple[Vector, Vector]:
    """Return the direction of friction and that across it, in frame_a."""
    c, s = p.disk.cosine, p.disk.sine
    return p.n_x * c + p.n_y * s, p.n_y * c - p.n_x * s


class PlaneRubbing(PlanarFriction):
    """Friction between two frames that slide in a plane of frame_a, alike in all directions.

    At rest it holds up to the largest force of its law in any direction; sliding, the force of
    its law at that speed acts against the velocity of frame_b.
    """

    frame_a = frame("frame of the plane")
    frame_b = frame("frame that slides")
    n_x: kinds.Axis = parameter("a unit vector in the plane", default=(1, 0, 0))
    n_y: kinds.Axis = parameter("the unit vector in the plane across it", default=(0, 1, 0))
    friction: SlideFriction = parameter("law of friction", default=None)

    friction_along = nonsmooth_force("friction along the direction", "N")

    def internal(self) -> dict[str, InternalNumber]:
        """Return the friction forces with their modes, nothing without friction."""
        return {} if self.__dict__["friction"] is None else super().internal()

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the force and its two rows, nothing without friction."""
        if p.friction is None:
            return
        yield FrameForce(self, (self.frame_a, self.frame_b), p, rubbing_law, stretch=None)
        for number, name in enumerate(("friction_along", "friction_across")):
            yield NonsmoothConstraint(
                self,
                name,
                self._speed(p, number),
                self._bounds(p, number),
                disk=DISK if number == 0 else None,
            )

    def _speed(self, p: Values, number: int) -> Callable[[Motion], Scalar]:
        def speed(motion: Motion) -> Scalar:
            X_ab, V = motion.relative(self.frame_a, self.frame_b)
            return directions(p)[number].dot(X_ab.R @ V.moment)

        return speed

    def _bounds(self, p: Values, number: int) -> Callable[[Motion], ForceBounds]:
        along, across = self._speed(p, 0), self._speed(p, 1)

        def bounds(motion: Motion) -> ForceBounds:
            v, w = along(motion), across(motion)
            most = p.friction.holding()
            f = (
                -p.friction.sliding(_size(v, w))
                * sliding_direction(p.disk, motion.t, v, w)[number]
            )
            return ForceBounds(-most, most, f, f)

        return bounds

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return the friction force and whether it holds; the joint shows the lost power."""
        if p.friction is None:
            return {}

        def force(motion: Motion) -> Vector:
            first, second = directions(p)
            return first * p.friction_along.force + second * p.friction_across.force

        return {
            "f_friction": Variable(force, "N", "friction on frame_b, in frame_a"),
            "locked": Variable(
                lambda motion: p.friction_along.stick, "1", "whether it holds"
            ),
        }

    def lost(self, motion: Motion) -> Scalar:
        """Return the power of friction turned into heat [W]."""
        X_ab, V = motion.relative(self.frame_a, self.frame_b)
        return -motion.variable(self, "f_friction").dot(X_ab.R @ V.moment)


def _size(v: Scalar, w: Scalar) -> Scalar:
    """Return the norm, with a slope of zero where it vanishes."""
    total = v * v + w * w
    return sqrt(where(total > 0.0, total, 1.0)) * where(total > 0.0, 1.0, 0.0)


class Cylindrical(CompositeJoint, CylinderVisual):
    """Frame b slides along the axis n by s [m] and turns about it by phi [rad]."""

    is_open = False
    inner = ("prismatic", "revolute")
    frame_a = frame("inboard frame")
    frame_b = frame("frame that slides and turns")

    n: kinds.Axis = parameter("axis", default=(1, 0, 0))
    stateSelect: kinds.StateSelect = parameter(
        "priority of the coordinates as states", default="prefer"
    )
    friction: laws.CylinderFriction = parameter(
        "law of friction, for all freedoms of its kind or by name: s, phi", default=None
    )
    stops: ends.CylinderStops = parameter(
        "lowest and highest positions by name: s, phi", default=None
    )
    restitution: kinds.Restitution = parameter(
        "speed after by speed before a hit of a stop", default=0.0
    )
    s: kinds.StartDistance = start("distance")
    v: kinds.StartVelocity = start("velocity")
    phi: kinds.StartAngle = start("angle of rotation")
    w: kinds.StartAngularVelocity = start("angular velocity")
    a: kinds.StartAcceleration = start("acceleration along n")
    wd: kinds.StartAngularAcceleration = start("angular acceleration about n")

    def build(self) -> None:
        """Build it from a prismatic and a revolute joint."""
        n = Derived(self, attrgetter("n"))
        self.prismatic, self.revolute = Prismatic(n=n), Revolute(n=n)
        self.share(self.prismatic, s="s", v="v", a="a", stateSelect="stateSelect")
        self.share(self.revolute, phi="phi", w="w", a="wd", stateSelect="stateSelect")
        _in_series(self, self.prismatic, self.revolute)
        self.pass_loads()

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return s, v, a, phi, w and wd, and the power lost by friction."""
        return (
            shown_as(self.prismatic, s="s", v="v", a="a", f="f")
            | shown_as(self.revolute, phi="phi", w="w", a="wd", tau="tau")
            | self.loss_variables()
        )


class Universal(CompositeJoint, CylinderVisual, UniversalVisual):
    """Frame b turns about n_a (fixed in frame a) by phi_a, then about n_b by phi_b [rad]."""

    is_open = False
    inner = ("revolute_a", "revolute_b")
    frame_a = frame("inboard frame")
    frame_b = frame("frame that turns")

    n_a: kinds.Axis = parameter("axis fixed in frame a", default=(1, 0, 0))
    n_b: kinds.Axis = parameter("axis fixed in frame b", default=(0, 1, 0))
    stateSelect: kinds.StateSelect = parameter(
        "priority of the coordinates as states", default="prefer"
    )
    friction: laws.CrossFriction = parameter(
        "law of friction, for all freedoms of its kind or by name: phi_a, phi_b",
        default=None,
    )
    stops: ends.CrossStops = parameter(
        "lowest and highest positions by name: phi_a, phi_b", default=None
    )
    restitution: kinds.Restitution = parameter(
        "speed after by speed before a hit of a stop", default=0.0
    )
    phi_a: kinds.StartAngle = start("angle about n_a")
    phi_b: kinds.StartAngle = start("angle about n_b")
    w_a: kinds.StartAngularVelocity = start("rate of phi_a")
    w_b: kinds.StartAngularVelocity = start("rate of phi_b")
    a_a: kinds.StartAngularAcceleration = start("rate of w_a")
    a_b: kinds.StartAngularAcceleration = start("rate of w_b")

    def check(self, p: Self) -> None:
        """Refuse parallel axes."""
        if float(p.n_a.cross(p.n_b).norm()) < 1e-9:
            raise ParameterError(
                self.label,
                f"n_a = {p.n_a.xyz} and n_b = {p.n_b.xyz} are parallel: one axis, not two.",
                "Give axes at an angle, e.g. n_a=(1, 0, 0), n_b=(0, 1, 0), or take a Revolute.",
                parameter="n_b",
                value=p.n_b.xyz,
            )

    def build(self) -> None:
        """Build it from two revolute joints."""
        self.revolute_a = Revolute(n=Derived(self, attrgetter("n_a")))
        self.revolute_b = Revolute(n=Derived(self, attrgetter("n_b")))
        self.share(
            self.revolute_a,
            phi="phi_a",
            w="w_a",
            a="a_a",
            stateSelect="stateSelect",
        )
        self.share(
            self.revolute_b,
            phi="phi_b",
            w="w_b",
            a="a_b",
            stateSelect="stateSelect",
        )
        _in_series(self, self.revolute_a, self.revolute_b)
        self.pass_loads()

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the angles, their rates and accelerations, and the power lost by friction."""
        return (
            shown_as(self.revolute_a, phi="phi_a", w="w_a", a="a_a")
            | shown_as(self.revolute_b, phi="phi_b", w="w_b", a="a_b")
            | self.loss_variables()
        )


class Planar(CompositeJoint, CylinderVisual, BoxSizeVisual):
    """Frame b slides by s_x along n_x and by s_y along n × n_x [m], and turns about n by phi [rad].

    n, orthogonal to the plane of motion, and n_x in the plane are fixed in frame a.
    """

    is_open = False
    inner = ("prismatic_x", "prismatic_y", "revolute")
    frame_a = frame("inboard frame")
    frame_b = frame("frame that moves in the plane")

    n: kinds.Axis = parameter("normal of the plane", default=(0, 0, 1))
    n_x: kinds.Axis = parameter("direction of s_x in the plane", default=(1, 0, 0))
    stateSelect: kinds.StateSelect = parameter(
        "priority of the coordinates as states", default="prefer"
    )
    friction: laws.PlaneFriction = parameter(
        "law of friction: in the plane or about n, or by name: s, or s_x, s_y, and phi",
        default=None,
    )
    stops: ends.PlaneStops = parameter(
        "lowest and highest positions by name: s_x, s_y, phi", default=None
    )
    restitution: kinds.Restitution = parameter(
        "speed after by speed before a hit of a stop", default=0.0
    )
    s_x: kinds.StartDistance = start("distance along n_x")
    v_x: kinds.StartVelocity = start("velocity along n_x")
    s_y: kinds.StartDistance = start("distance along n × n_x")
    v_y: kinds.StartVelocity = start("velocity along n × n_x")
    phi: kinds.StartAngle = start("angle about n")
    w: kinds.StartAngularVelocity = start("angular velocity about n")
    a_x: kinds.StartAcceleration = start("acceleration along n_x")
    a_y: kinds.StartAcceleration = start("acceleration along n × n_x")
    wd: kinds.StartAngularAcceleration = start("angular acceleration about n")

    def check(self, p: Self) -> None:
        """Refuse an n_x that is parallel to n."""
        if float(p.n.cross(p.n_x).norm()) < 1e-10:
            raise ParameterError(
                self.label,
                f"n_x = {p.n_x.xyz} is parallel to n = {p.n.xyz}.",
                "Give n_x in the plane of motion.",
                parameter="n_x",
                value=p.n_x.xyz,
            )
        for law in p.friction or ():
            if law is not None and law.mu is not None and law.freedom == laws.SLIDES:
                raise ParameterError(
                    self.label,
                    f"friction = {law!r}: its normal force is not known to the joint.",
                    "Give Coulomb(f=…), or let the body slide on a PointPlaneContact.",
                    parameter="friction",
                    value=law,
                )

    def build(self) -> None:
        """Build it from two prismatic joints and a revolute one."""
        across = Derived(self, _across_plane)
        along = Derived(self, _in_plane)
        self.prismatic_x, self.prismatic_y = Prismatic(n=along), Prismatic(n=across)
        self.revolute = Revolute(n=Derived(self, attrgetter("n")))
        priority = {"stateSelect": "stateSelect"}
        self.share(self.prismatic_x, s="s_x", v="v_x", a="a_x", **priority)
        self.share(self.prismatic_y, s="s_y", v="v_y", a="a_y", **priority)
        self.share(self.revolute, phi="phi", w="w", a="wd", **priority)
        _in_series(self, self.prismatic_x, self.prismatic_y, self.revolute)
        self.rubbing = PlaneRubbing(n_x=along, n_y=across)
        connect(self.frame_a, self.rubbing.frame_a)
        connect(self.prismatic_y.frame_b, self.rubbing.frame_b)
        self.pass_loads()

    def _pass_on(self) -> None:
        super()._pass_on()
        given = self.__dict__["friction"]
        self.rubbing._assign({"friction": None if given is None else given[-1]})

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return distances, angle, their rates and accelerations, friction in the plane."""
        return (
            shown_as(self.prismatic_x, s="s_x", v="v_x", a="a_x")
            | shown_as(self.prismatic_y, s="s_y", v="v_y", a="a_y")
            | shown_as(self.revolute, phi="phi", w="w", a="wd")
            | self._shown_friction(p)
        )

    def _shown_friction(self, p: Self) -> dict[str, Variable]:
        if p.friction is None or p.friction[-1] is None:
            return self.loss_variables()
        units = {"f_friction": "N", "locked": "1"}

        def shown(name: str) -> Variable:
            return Variable(lambda motion: motion.variable(self.rubbing, name), units[name])

        return {name: shown(name) for name in units} | self.loss_variables(
            self.rubbing.lost
        )


def _in_plane(p: Planar) -> Vector:
    """Return the part of n_x that lies in the plane, as a unit vector."""
    return p.n.cross(p.n_x).cross(p.n).normalized()


def _across_plane(p: Planar) -> Vector:
    """Return the unit vector along n × n_x."""
    return p.n.cross(p.n_x).normalized()


def _in_series(outer: Part, *joints: Part) -> None:
    """Connect joints one after another between the two frames of their composite."""
    begin, end = two_frames(outer)
    for joint in joints:
        a, b = two_frames(joint)
        connect(begin, a)
        begin = b
    connect(begin, end)
