"""Joints of one freedom: revolute, prismatic, screw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import tau
from typing import TYPE_CHECKING

from motorik.algebra.motor import Motor
from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    STATE_PRIORITIES,
    Contribution,
    InitialCondition,
    JointBetween,
)
from motorik.components.base.declarations import (
    frame,
    parameter,
    rotational_flange,
    start,
    translational_flange,
)
from motorik.components.base.motion import Motion
from motorik.components.base.part import Part
from motorik.components.base.ports import Port
from motorik.components.base.resolving import Values
from motorik.components.base.two_frames import two_frames
from motorik.components.base.values import Start
from motorik.components.base.variable import Variable
from motorik.components.base.visual_options import BoxVisual, CylinderVisual
from motorik.components.joints import friction as laws
from motorik.components.joints import stops as ends
from motorik.components.joints.bearing import (
    check_radius_alone,
    guide_load,
    hinge_load,
    thread_load,
)
from motorik.components.joints.loaded import LoadedJoint
from motorik.elements.joint import Joint
from motorik.elements.prismatic import PrismaticPair
from motorik.elements.revolute import RevolutePair
from motorik.elements.screw import ScrewPair

if TYPE_CHECKING:
    from typing_extensions import Self


class Revolute(LoadedJoint, CylinderVisual):
    """Frame b turns about the axis n, fixed in both frames, by the angle phi.

    phi [rad] is positive by the right-hand rule about n. The flanges `axis` and `support`
    connect a drive line; they exist when they are used. Friction resists w, stops hold phi
    between two angles: ``Revolute(friction=Coulomb(tau=3.0), stops=(-1.0, 1.0))``. With
    ``Coulomb(mu=0.1, radius=0.02)`` friction follows from the reaction of the joint.
    """

    letters = ("phi", "w", "tau", "N.m")
    frame_a = frame("inboard frame")
    frame_b = frame("frame that turns")
    axis = rotational_flange("driven flange, at angle phi", when="useAxisFlange")
    support = rotational_flange("flange of the housing", when="useAxisFlange")

    useAxisFlange: kinds.Boolean = parameter("whether the joint has flanges", default=False)
    n: kinds.Axis = parameter("axis of rotation", default=(0, 0, 1))
    stateSelect: kinds.StateSelect = parameter(
        "priority of phi and w as states", default="prefer"
    )
    friction: laws.TurnFriction = parameter(
        "law of friction about n, or None", default=None
    )
    stops: ends.AngleStops = parameter("lowest and highest phi, or None", default=None)
    restitution: kinds.Restitution = parameter(
        "speed after by speed before a hit of a stop", default=0.0
    )
    phi: kinds.StartAngle = start("angle of rotation")
    w: kinds.StartAngularVelocity = start("angular velocity")
    a: kinds.StartAngularAcceleration = start("angular acceleration")

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute a turn between the frames."""
        flanges = (self.axis, self.support) if p.useAxisFlange else None
        yield one_freedom(self, RevolutePair(p.n), ("phi", "w"), p, flanges)
        yield from start_acceleration(self, "w")
        yield from self.load_contributions(p)

    def bearing_load(self, law: laws.FrictionLaw, p: Values, reaction: Motor) -> Scalar:
        """Return the load of a hinge."""
        return hinge_load(law, p.n, reaction)

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return phi, w, a, tau, angle, and those of friction and stops."""
        shown = one_freedom_variables(
            self, ("phi", "rad"), ("w", "rad/s"), ("a", "rad/s2"), ("tau", "N.m")
        )
        shown["angle"] = Variable(
            lambda motion: motion.coordinate(self, "phi"), "rad", "= phi"
        )
        return shown | self.load_variables(p)


class Prismatic(LoadedJoint, BoxVisual):
    """Frame b slides along the axis n, fixed in both frames, by s [m], positive along n.

    Friction resists v, stops hold s between two positions:
    ``Prismatic(friction=Coulomb(f=20.0), stops=(0.0, 0.3))``.
    """

    letters = ("s", "v", "f", "N")
    frame_a = frame("inboard frame")
    frame_b = frame("frame that slides")
    axis = translational_flange("driven flange, at position s", when="useAxisFlange")
    support = translational_flange("flange of the housing", when="useAxisFlange")

    useAxisFlange: kinds.Boolean = parameter("whether the joint has flanges", default=False)
    n: kinds.Axis = parameter("axis of translation", default=(1, 0, 0))
    stateSelect: kinds.StateSelect = parameter(
        "priority of s and v as states", default="prefer"
    )
    friction: laws.SlideFriction = parameter(
        "law of friction along n, or None", default=None
    )
    stops: ends.DistanceStops = parameter("lowest and highest s, or None", default=None)
    restitution: kinds.Restitution = parameter(
        "speed after by speed before a hit of a stop", default=0.0
    )
    s: kinds.StartDistance = start("distance")
    v: kinds.StartVelocity = start("velocity")
    a: kinds.StartAcceleration = start("acceleration")

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a slide between the frames."""
        flanges = (self.axis, self.support) if p.useAxisFlange else None
        yield one_freedom(self, PrismaticPair(p.n), ("s", "v"), p, flanges)
        yield from start_acceleration(self, "v")
        yield from self.load_contributions(p)

    def bearing_load(self, law: laws.FrictionLaw, p: Values, reaction: Motor) -> Scalar:
        """Return the load of a guide."""
        return guide_load(law, p.n, reaction)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return s, v, a, f, and those of friction and stops."""
        shown = one_freedom_variables(
            self, ("s", "m"), ("v", "m/s"), ("a", "m/s2"), ("f", "N")
        )
        return shown | self.load_variables(p)


class Screw(LoadedJoint, CylinderVisual):
    """Frame b turns about the axis n by phi [rad] and moves on by `lead` metres per turn."""

    letters = ("phi", "w", "tau", "N.m")
    frame_a = frame("inboard frame")
    frame_b = frame("frame that turns and slides")

    n: kinds.Axis = parameter("axis of the screw", default=(0, 0, 1))
    lead: kinds.Distance = parameter("advance per turn", default=0.01)
    stateSelect: kinds.StateSelect = parameter(
        "priority of phi and w as states", default="prefer"
    )
    friction: laws.TurnFriction = parameter(
        "law of friction about n, or None", default=None
    )
    stops: ends.AngleStops = parameter("lowest and highest phi, or None", default=None)
    restitution: kinds.Restitution = parameter(
        "speed after by speed before a hit of a stop", default=0.0
    )
    phi: kinds.StartAngle = start("angle of rotation")
    w: kinds.StartAngularVelocity = start("angular velocity")
    a: kinds.StartAngularAcceleration = start("angular acceleration")

    def check(self, p: Self) -> None:
        """Refuse friction by the reaction of a thread without its radius."""
        check_radius_alone(self.label, p.friction)

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a helix between the frames."""
        yield one_freedom(self, ScrewPair(p.n, p.lead), ("phi", "w"), p, None)
        yield from start_acceleration(self, "w")
        yield from self.load_contributions(p)

    def bearing_load(self, law: laws.FrictionLaw, p: Values, reaction: Motor) -> Scalar:
        """Return the load of a thread."""
        return thread_load(law, p.n, p.lead / tau, reaction)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return phi, w, a, tau, the distance s with its rate v, and those of friction."""
        h = p.lead / tau
        shown = one_freedom_variables(
            self, ("phi", "rad"), ("w", "rad/s"), ("a", "rad/s2"), ("tau", "N.m")
        ) | {
            "s": Variable(
                lambda motion: h * motion.coordinate(self, "phi"), "m", "distance"
            ),
            "v": Variable(lambda motion: h * motion.speed(self, "w"), "m/s", "velocity"),
        }
        return shown | self.load_variables(p)


def one_freedom(
    part: Part,
    joint: Joint,
    names: tuple[str, str],
    p: Values,
    flanges: tuple[Port, Port] | None,
) -> JointBetween:
    """Return the contribution of a joint with one coordinate and its speed."""
    q, u = names
    return JointBetween(
        *two_frames(part),
        joint,
        (q,),
        (u,),
        (getattr(part, q),),
        (getattr(part, u),),
        flanges,
        state_priority=STATE_PRIORITIES[p.stateSelect],
        is_loaded=isinstance(part, LoadedJoint) and bool(part.loads()),
    )


def start_acceleration(part: Part, speed: str) -> Iterable[InitialCondition]:
    """Yield the condition that the rate `a` of a joint's speed has its start value, if fixed."""
    begin: Start = part.__dict__["a"]
    if begin.is_fixed:

        def residual(motion: Motion) -> tuple[Scalar, ...]:
            return (motion.acceleration_of(part, speed) - begin.value,)

        yield InitialCondition(part.path, "a", 2, residual, always=True)


def one_freedom_variables(
    part: Part,
    q: tuple[str, str],
    u: tuple[str, str],
    a: tuple[str, str],
    f: tuple[str, str],
) -> dict[str, Variable]:
    """Return coordinate, speed, acceleration and driving force of a joint of one freedom."""
    return {
        q[0]: Variable(lambda motion: motion.coordinate(part, q[0]), q[1], "coordinate"),
        u[0]: Variable(lambda motion: motion.speed(part, u[0]), u[1], "speed"),
        a[0]: Variable(
            lambda motion: motion.acceleration_of(part, u[0]), a[1], "acceleration"
        ),
        f[0]: Variable(lambda motion: motion.drive(part), f[1], "driving force or torque"),
    }


def shown_as(part: Part, **names: str) -> dict[str, Variable]:
    """Return variables of a part within under the names they have outside."""

    def show(inner: str) -> Variable:
        return Variable(lambda motion: motion.variable(part, inner), view_unit(part, inner))

    return {outer: show(inner) for inner, outer in names.items()}


def view_unit(part: Part, name: str) -> str:
    """Return the unit of a variable of a part within, by the letter of its name: phi_rel is phi."""
    units = {"phi": "rad", "w": "rad/s", "s": "m", "v": "m/s", "tau": "N.m", "f": "N"}
    acceleration = "m/s2" if "s" in part.specs else "rad/s2"
    return (units | {"a": acceleration})[name.split("_")[0]]
