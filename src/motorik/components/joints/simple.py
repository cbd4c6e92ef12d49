"""Joints of one freedom, and those made of them: cylindrical, universal, planar."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from math import tau
from operator import attrgetter
from typing import Any

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.composite import Composite
from motorik.components.base.contributions import (
    Contribution,
    InitialCondition,
    JointBetween,
)
from motorik.components.base.part import (
    Part,
    Variable,
    frame,
    parameter,
    rotational_flange,
    start,
    translational_flange,
)
from motorik.components.base.ports import connect
from motorik.components.base.values import (
    Derived,
    Start,
    as_axis,
    as_boolean,
    as_choice,
    as_number,
)
from motorik.elements.helix import Helix
from motorik.elements.joint import Joint
from motorik.elements.slide import Slide
from motorik.elements.turn import Turn
from motorik.errors import ParameterError

STATE_PRIORITIES = {"never": -2, "avoid": -1, "default": 0, "prefer": 1, "always": 2}
as_state_priority = as_choice(*STATE_PRIORITIES)


class Revolute(Part):
    """Frame b turns about the axis n, fixed in both frames, by the angle phi.

    phi [rad] is positive by the right hand about n. The flanges `axis` and `support` let a
    drive line act on the joint; they are there when they are used.
    """

    frame_a = frame("inboard frame")
    frame_b = frame("frame that turns")
    axis = rotational_flange("driven flange, at angle phi", when="useAxisFlange")
    support = rotational_flange("flange of the housing", when="useAxisFlange")

    useAxisFlange = parameter("whether the joint has flanges", "", False, as_boolean)
    n = parameter("axis of rotation", "1", (0, 0, 1), as_axis)
    stateSelect = parameter(
        "priority of phi and w as states", "", "prefer", as_state_priority
    )
    phi = start("angle of rotation", "rad")
    w = start("angular velocity", "rad/s")
    a = start("angular acceleration", "rad/s2")

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute a turn between the frames."""
        flanges = (self.axis, self.support) if p.useAxisFlange else None
        yield one_freedom(self, Turn(p.n), ("phi", "w"), p, flanges)
        yield from start_acceleration(self, "w")

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return phi, w, a, tau and angle."""
        return one_freedom_variables(
            self, ("phi", "rad"), ("w", "rad/s"), ("a", "rad/s2"), ("tau", "N.m")
        ) | {
            "angle": Variable(lambda motion: motion.coordinate(self, "phi"), "rad", "= phi")
        }


class Prismatic(Part):
    """Frame b slides along the axis n, fixed in both frames, by the distance s [m]."""

    frame_a = frame("inboard frame")
    frame_b = frame("frame that slides")
    axis = translational_flange("driven flange, at position s", when="useAxisFlange")
    support = translational_flange("flange of the housing", when="useAxisFlange")

    useAxisFlange = parameter("whether the joint has flanges", "", False, as_boolean)
    n = parameter("axis of translation", "1", (1, 0, 0), as_axis)
    stateSelect = parameter(
        "priority of s and v as states", "", "prefer", as_state_priority
    )
    s = start("distance", "m")
    v = start("velocity", "m/s")
    a = start("acceleration", "m/s2")

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute a slide between the frames."""
        flanges = (self.axis, self.support) if p.useAxisFlange else None
        yield one_freedom(self, Slide(p.n), ("s", "v"), p, flanges)
        yield from start_acceleration(self, "v")

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return s, v, a and f."""
        return one_freedom_variables(
            self, ("s", "m"), ("v", "m/s"), ("a", "m/s2"), ("f", "N")
        )


class Screw(Part):
    """Frame b turns about the axis n by phi [rad] and moves on by `lead` metres per turn."""

    frame_a = frame("inboard frame")
    frame_b = frame("frame that turns and slides")

    n = parameter("axis of the screw", "1", (0, 0, 1), as_axis)
    lead = parameter("advance per turn", "m", 0.01, as_number())
    stateSelect = parameter(
        "priority of phi and w as states", "", "prefer", as_state_priority
    )
    phi = start("angle of rotation", "rad")
    w = start("angular velocity", "rad/s")
    a = start("angular acceleration", "rad/s2")

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute a helix between the frames."""
        yield one_freedom(self, Helix(p.n, p.lead), ("phi", "w"), p, None)
        yield from start_acceleration(self, "w")

    def variables(self, p: Any) -> Mapping[str, Variable]:
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


class Cylindrical(Composite):
    """Frame b slides along the axis n by s [m] and turns about it by phi [rad]."""

    is_open = False
    frame_a = frame("inboard frame")
    frame_b = frame("frame that slides and turns")

    n = parameter("axis", "1", (1, 0, 0), as_axis)
    stateSelect = parameter(
        "priority of the coordinates as states", "", "prefer", as_state_priority
    )
    s = start("distance", "m")
    v = start("velocity", "m/s")
    phi = start("angle of rotation", "rad")
    w = start("angular velocity", "rad/s")
    a = start("acceleration along n", "m/s2")
    wd = start("angular acceleration about n", "rad/s2")

    def build(self) -> None:
        """Make it of a prismatic and a revolute joint."""
        n = Derived(self, attrgetter("n"))
        self.prismatic, self.revolute = Prismatic(n=n), Revolute(n=n)
        self.share(self.prismatic, s="s", v="v", a="a", stateSelect="stateSelect")
        self.share(self.revolute, phi="phi", w="w", a="wd", stateSelect="stateSelect")
        _in_series(self, self.prismatic, self.revolute)

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return s, v, a, phi, w and wd."""
        return shown_as(self.prismatic, s="s", v="v", a="a", f="f") | shown_as(
            self.revolute, phi="phi", w="w", a="wd", tau="tau"
        )


class Universal(Composite):
    """Frame b turns about n_a (fixed in frame a) by phi_a, then about n_b by phi_b [rad]."""

    is_open = False
    frame_a = frame("inboard frame")
    frame_b = frame("frame that turns")

    n_a = parameter("axis fixed in frame a", "1", (1, 0, 0), as_axis)
    n_b = parameter("axis fixed in frame b", "1", (0, 1, 0), as_axis)
    stateSelect = parameter(
        "priority of the coordinates as states", "", "prefer", as_state_priority
    )
    phi_a = start("angle about n_a", "rad")
    phi_b = start("angle about n_b", "rad")
    w_a = start("rate of phi_a", "rad/s")
    w_b = start("rate of phi_b", "rad/s")
    a_a = start("rate of w_a", "rad/s2")
    a_b = start("rate of w_b", "rad/s2")

    def check(self, p: Any) -> None:
        """Refuse two axes that are one."""
        if float(p.n_a.cross(p.n_b).norm()) < 1e-9:
            raise ParameterError(
                self.label,
                f"n_a = {p.n_a.xyz} and n_b = {p.n_b.xyz} are parallel: one axis, not two.",
                "Give axes at an angle, e.g. n_a=(1, 0, 0), n_b=(0, 1, 0), or take a Revolute.",
                parameter="n_b",
                value=p.n_b.xyz,
            )

    def build(self) -> None:
        """Make it of two revolute joints."""
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

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return the angles, their rates and accelerations."""
        return shown_as(self.revolute_a, phi="phi_a", w="w_a", a="a_a") | shown_as(
            self.revolute_b, phi="phi_b", w="w_b", a="a_b"
        )


class Planar(Composite):
    """Frame b slides by s_x along n_x and by s_y along n × n_x [m], and turns about n by phi [rad].

    n, orthogonal to the plane of motion, and n_x in the plane are fixed in frame a.
    """

    is_open = False
    frame_a = frame("inboard frame")
    frame_b = frame("frame that moves in the plane")

    n = parameter("normal of the plane", "1", (0, 0, 1), as_axis)
    n_x = parameter("direction of s_x in the plane", "1", (1, 0, 0), as_axis)
    stateSelect = parameter(
        "priority of the coordinates as states", "", "prefer", as_state_priority
    )
    s_x = start("distance along n_x", "m")
    v_x = start("velocity along n_x", "m/s")
    s_y = start("distance along n × n_x", "m")
    v_y = start("velocity along n × n_x", "m/s")
    phi = start("angle about n", "rad")
    w = start("angular velocity about n", "rad/s")
    a_x = start("acceleration along n_x", "m/s2")
    a_y = start("acceleration along n × n_x", "m/s2")
    wd = start("angular acceleration about n", "rad/s2")

    def check(self, p: Any) -> None:
        """Refuse an n_x that has no part in the plane."""
        if float(p.n.cross(p.n_x).norm()) < 1e-10:
            raise ParameterError(
                self.label,
                f"n_x = {p.n_x.xyz} is parallel to n = {p.n.xyz}.",
                "Give n_x in the plane of motion.",
                parameter="n_x",
                value=p.n_x.xyz,
            )

    def build(self) -> None:
        """Make it of two prismatic joints and a revolute one."""
        across = Derived(self, _across_plane)
        along = Derived(self, _in_plane)
        self.prismatic_x, self.prismatic_y = Prismatic(n=along), Prismatic(n=across)
        self.revolute = Revolute(n=Derived(self, attrgetter("n")))
        wish = {"stateSelect": "stateSelect"}
        self.share(self.prismatic_x, s="s_x", v="v_x", a="a_x", **wish)
        self.share(self.prismatic_y, s="s_y", v="v_y", a="a_y", **wish)
        self.share(self.revolute, phi="phi", w="w", a="wd", **wish)
        _in_series(self, self.prismatic_x, self.prismatic_y, self.revolute)

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return distances, angle, their rates and accelerations."""
        return (
            shown_as(self.prismatic_x, s="s_x", v="v_x", a="a_x")
            | shown_as(self.prismatic_y, s="s_y", v="v_y", a="a_y")
            | shown_as(self.revolute, phi="phi", w="w", a="wd")
        )


def _in_plane(p: Any) -> Vector:
    """Return the part of n_x that lies in the plane, as a unit vector."""
    return p.n.cross(p.n_x).cross(p.n).normalized()


def _across_plane(p: Any) -> Vector:
    """Return the unit vector along n × n_x."""
    return p.n.cross(p.n_x).normalized()


def _in_series(outer: Any, *joints: Any) -> None:
    """Connect joints one after another between the two frames of their composite."""
    connect(outer.frame_a, joints[0].frame_a)
    for before, after in pairwise(joints):
        connect(before.frame_b, after.frame_a)
    connect(joints[-1].frame_b, outer.frame_b)


def one_freedom(
    part: Any, joint: Joint, names: tuple[str, str], p: Any, flanges: Any
) -> JointBetween:
    """Return the contribution of a joint with one coordinate and its speed."""
    q, u = names
    return JointBetween(
        part.frame_a,
        part.frame_b,
        joint,
        (q,),
        (u,),
        (getattr(part, q),),
        (getattr(part, u),),
        flanges,
        state_priority=STATE_PRIORITIES[p.stateSelect],
    )


def start_acceleration(part: Any, speed: str) -> Iterable[InitialCondition]:
    """Yield the demand that the rate `a` of a joint's speed has its start value, if fixed."""
    begin: Start = part.a
    if begin.is_fixed:

        def residual(motion: Any) -> tuple[Scalar, ...]:
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
