"""Joints of one freedom, and those made of them: cylindrical, universal, planar."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import tau
from operator import attrgetter
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.composite import DeclaredComposite
from motorik.components.base.contributions import (
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
from motorik.components.base.part import DeclaredPart, Part
from motorik.components.base.ports import Port, connect
from motorik.components.base.resolving import Values
from motorik.components.base.two_frames import two_frames
from motorik.components.base.values import Derived, Start, as_choice
from motorik.components.base.variable import Variable
from motorik.elements.helix import Helix
from motorik.elements.joint import Joint
from motorik.elements.slide import Slide
from motorik.elements.turn import Turn
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


STATE_PRIORITIES = {"never": -2, "avoid": -1, "default": 0, "prefer": 1, "always": 2}
as_state_priority = as_choice(*STATE_PRIORITIES)


class Revolute(DeclaredPart):
    """Frame b turns about the axis n, fixed in both frames, by the angle phi.

    phi [rad] is positive by the right-hand rule about n. The flanges `axis` and `support`
    connect a drive line; they exist when they are used.
    """

    frame_a = frame("inboard frame")
    frame_b = frame("frame that turns")
    axis = rotational_flange("driven flange, at angle phi", when="useAxisFlange")
    support = rotational_flange("flange of the housing", when="useAxisFlange")

    useAxisFlange: kinds.Boolean = parameter("whether the joint has flanges", default=False)
    n: kinds.Axis = parameter("axis of rotation", default=(0, 0, 1))
    stateSelect: kinds.StateSelect = parameter(
        "priority of phi and w as states", default="prefer"
    )
    phi: kinds.StartAngle = start("angle of rotation")
    w: kinds.StartAngularVelocity = start("angular velocity")
    a: kinds.StartAngularAcceleration = start("angular acceleration")

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute a turn between the frames."""
        flanges = (self.axis, self.support) if p.useAxisFlange else None
        yield one_freedom(self, Turn(p.n), ("phi", "w"), p, flanges)
        yield from start_acceleration(self, "w")

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return phi, w, a, tau and angle."""
        return one_freedom_variables(
            self, ("phi", "rad"), ("w", "rad/s"), ("a", "rad/s2"), ("tau", "N.m")
        ) | {
            "angle": Variable(lambda motion: motion.coordinate(self, "phi"), "rad", "= phi")
        }


class Prismatic(DeclaredPart):
    """Frame b slides along the axis n, fixed in both frames, by s [m], positive along n."""

    frame_a = frame("inboard frame")
    frame_b = frame("frame that slides")
    axis = translational_flange("driven flange, at position s", when="useAxisFlange")
    support = translational_flange("flange of the housing", when="useAxisFlange")

    useAxisFlange: kinds.Boolean = parameter("whether the joint has flanges", default=False)
    n: kinds.Axis = parameter("axis of translation", default=(1, 0, 0))
    stateSelect: kinds.StateSelect = parameter(
        "priority of s and v as states", default="prefer"
    )
    s: kinds.StartDistance = start("distance")
    v: kinds.StartVelocity = start("velocity")
    a: kinds.StartAcceleration = start("acceleration")

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a slide between the frames."""
        flanges = (self.axis, self.support) if p.useAxisFlange else None
        yield one_freedom(self, Slide(p.n), ("s", "v"), p, flanges)
        yield from start_acceleration(self, "v")

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return s, v, a and f."""
        return one_freedom_variables(
            self, ("s", "m"), ("v", "m/s"), ("a", "m/s2"), ("f", "N")
        )


class Screw(DeclaredPart):
    """Frame b turns about the axis n by phi [rad] and moves on by `lead` metres per turn."""

    frame_a = frame("inboard frame")
    frame_b = frame("frame that turns and slides")

    n: kinds.Axis = parameter("axis of the screw", default=(0, 0, 1))
    lead: kinds.Distance = parameter("advance per turn", default=0.01)
    stateSelect: kinds.StateSelect = parameter(
        "priority of phi and w as states", default="prefer"
    )
    phi: kinds.StartAngle = start("angle of rotation")
    w: kinds.StartAngularVelocity = start("angular velocity")
    a: kinds.StartAngularAcceleration = start("angular acceleration")

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a helix between the frames."""
        yield one_freedom(self, Helix(p.n, p.lead), ("phi", "w"), p, None)
        yield from start_acceleration(self, "w")

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return phi, w, a, tau and the distance s with its rate v."""
        h = p.lead / tau
        return one_freedom_variables(
            self, ("phi", "rad"), ("w", "rad/s"), ("a", "rad/s2"), ("tau", "N.m")
        ) | {
            "s": Variable(
                lambda motion: h * motion.coordinate(self, "phi"), "m", "distance"
            ),
            "v": Variable(lambda motion: h * motion.speed(self, "w"), "m/s", "velocity"),
        }


class Cylindrical(DeclaredComposite):
    """Frame b slides along the axis n by s [m] and turns about it by phi [rad]."""

    is_open = False
    frame_a = frame("inboard frame")
    frame_b = frame("frame that slides and turns")

    n: kinds.Axis = parameter("axis", default=(1, 0, 0))
    stateSelect: kinds.StateSelect = parameter(
        "priority of the coordinates as states", default="prefer"
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

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return s, v, a, phi, w and wd."""
        return shown_as(self.prismatic, s="s", v="v", a="a", f="f") | shown_as(
            self.revolute, phi="phi", w="w", a="wd", tau="tau"
        )


class Universal(DeclaredComposite):
    """Frame b turns about n_a (fixed in frame a) by phi_a, then about n_b by phi_b [rad]."""

    is_open = False
    frame_a = frame("inboard frame")
    frame_b = frame("frame that turns")

    n_a: kinds.Axis = parameter("axis fixed in frame a", default=(1, 0, 0))
    n_b: kinds.Axis = parameter("axis fixed in frame b", default=(0, 1, 0))
    stateSelect: kinds.StateSelect = parameter(
        "priority of the coordinates as states", default="prefer"
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

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the angles, their rates and accelerations."""
        return shown_as(self.revolute_a, phi="phi_a", w="w_a", a="a_a") | shown_as(
            self.revolute_b, phi="phi_b", w="w_b", a="a_b"
        )


class Planar(DeclaredComposite):
    """Frame b slides by s_x along n_x and by s_y along n × n_x [m], and turns about n by phi [rad].

    n, orthogonal to the plane of motion, and n_x in the plane are fixed in frame a.
    """

    is_open = False
    frame_a = frame("inboard frame")
    frame_b = frame("frame that moves in the plane")

    n: kinds.Axis = parameter("normal of the plane", default=(0, 0, 1))
    n_x: kinds.Axis = parameter("direction of s_x in the plane", default=(1, 0, 0))
    stateSelect: kinds.StateSelect = parameter(
        "priority of the coordinates as states", default="prefer"
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

    def build(self) -> None:
        """Build it from two prismatic joints and a revolute one."""
        across = Derived(self, _across_plane)
        along = Derived(self, _in_plane)
        self.prismatic_x, self.prismatic_y = Prismatic(n=along), Prismatic(n=across)
        self.revolute = Revolute(n=Derived(self, attrgetter("n")))
        wish = {"stateSelect": "stateSelect"}
        self.share(self.prismatic_x, s="s_x", v="v_x", a="a_x", **wish)
        self.share(self.prismatic_y, s="s_y", v="v_y", a="a_y", **wish)
        self.share(self.revolute, phi="phi", w="w", a="wd", **wish)
        _in_series(self, self.prismatic_x, self.prismatic_y, self.revolute)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return distances, angle, their rates and accelerations."""
        return (
            shown_as(self.prismatic_x, s="s_x", v="v_x", a="a_x")
            | shown_as(self.prismatic_y, s="s_y", v="v_y", a="a_y")
            | shown_as(self.revolute, phi="phi", w="w", a="wd")
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
    """Return the unit of a variable of a part within."""
    units = {"phi": "rad", "w": "rad/s", "s": "m", "v": "m/s", "tau": "N.m", "f": "N"}
    acceleration = "m/s2" if "s" in part.specs else "rad/s2"
    return units.get(name, acceleration)
