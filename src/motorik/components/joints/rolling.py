"""Wheels that roll without slip on the plane z = 0 of the world, alone and in pairs.

Gravity should point to −z: ``World(n="-z")``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector, Y, Z
from motorik.components.base import kinds
from motorik.components.base.composite import DeclaredComposite
from motorik.components.base.contributions import (
    STATE_PRIORITIES,
    ConstraintBetween,
    Contribution,
    Ground,
    JointBetween,
)
from motorik.components.base.declarations import frame, parameter, rotational_flange, start
from motorik.components.base.motion import Motion
from motorik.components.base.part import DeclaredPart, Part
from motorik.components.base.ports import FramePort, RotationalFlange, connect
from motorik.components.base.resolving import Values
from motorik.components.base.values import Derived, Start
from motorik.components.base.variable import Variable
from motorik.components.base.visual_options import WheelSetVisual, WheelVisual
from motorik.components.joints.floating import numbered
from motorik.components.joints.simple import Prismatic, Revolute, shown_as
from motorik.components.parts.bodies import Body
from motorik.components.parts.rigid import Fixed, FixedTranslation
from motorik.elements.constraint import Constraint
from motorik.elements.rolling import RollingPair, slip
from motorik.immutable import immutable

if TYPE_CHECKING:
    from typing_extensions import Self


AT_ZERO = Start(0.0, True)
THREE_AT_ZERO = Start((0.0, 0.0, 0.0), True)


class RollingWheelJoint(DeclaredPart, WheelVisual):
    """A wheel without mass that rolls on the plane z = 0 of the world, free to lean.

    frame_a is at its centre and turns with it about its y axis. Its orientation is reached by
    `angles` [rad] about the axes `sequence`, one after another: by default yaw, lean and
    spin, which are singular only where the wheel lies flat; (3, 2, 1) also where its x axis
    is vertical.
    """

    frame_a = frame("frame at the centre, y along the axle")
    road = frame("the plane, its z axis upwards")

    radius: kinds.Length = parameter("radius", default=1.0)
    sequence: kinds.AxisSequence = parameter("axes of the angles", default=(3, 1, 2))
    stateSelect: kinds.StateSelect = parameter(
        "priority of the coordinates as states", default="always"
    )
    x: kinds.StartDistance = start("x position of the centre")
    y: kinds.StartDistance = start("y position of the centre")
    angles: kinds.StartAngles = start("angles about the axes of sequence")
    der_angles: kinds.StartAngleRates = start("rates of the angles")

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a rolling joint on the fixed plane."""
        yield Ground(self.road)
        yield JointBetween(
            self.road,
            self.frame_a,
            RollingPair(p.radius, p.sequence),
            ("x", "y", *numbered("angles", 3)),
            numbered("der_angles", 3),
            (self.x, self.y, *components(self.angles)),
            components(self.der_angles),
            state_priority=STATE_PRIORITIES[p.stateSelect],
        )

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return the coordinates, the point of contact and the contact force."""

        def of(
            names: Sequence[str], speed: bool = False
        ) -> Callable[[Motion], tuple[Scalar, ...]]:
            def read(motion: Motion) -> tuple[Scalar, ...]:
                get = motion.speed if speed else motion.coordinate
                return tuple(get(self, name) for name in names)

            return read

        def contact(motion: Motion) -> Scalar | Vector:
            X = motion.pose(self.frame_a)
            axle = X.R.T.rows[1]
            down = axle.z * axle - Z
            return X.p + p.radius * down.normalized()

        def force(motion: Motion) -> Scalar | Vector:
            return -(
                motion.pose(self.frame_a).R @ motion.reaction_at(self.frame_a).resultant
            )

        return {
            "x": Variable(lambda motion: motion.coordinate(self, "x"), "m"),
            "y": Variable(lambda motion: motion.coordinate(self, "y"), "m"),
            "z": Variable(lambda motion: motion.pose(self.frame_a).p.z, "m", "height"),
            "angles": Variable(of(numbered("angles", 3)), "rad"),
            "der_angles": Variable(of(numbered("der_angles", 3), True), "rad/s"),
            "r_road_0": Variable(contact, "m", "point of contact, in the world"),
            "f_wheel_0": Variable(
                force, "N", "force of the road on the wheel, in the world"
            ),
        }


class RollingWheel(DeclaredComposite, WheelVisual):
    """A wheel of mass m that rolls on the plane z = 0 of the world, free to lean.

    frame_a is at its centre and turns with it about its y axis. I_axis [kg·m²] is its inertia
    about the axle, I_long across it. Start values and `sequence` as in `RollingWheelJoint`.
    """

    is_open = False
    frame_a = frame("frame at the centre, y along the axle")

    radius: kinds.Length = parameter("radius", default=1.0)
    m: kinds.PositiveMass = parameter("mass", default=1.0)
    I_axis: kinds.MomentOfInertia = parameter("inertia about the axle", default=0.1)
    I_long: kinds.MomentOfInertia = parameter("inertia across the axle", default=0.1)
    sequence: kinds.AxisSequence = parameter("axes of the angles", default=(3, 1, 2))
    stateSelect: kinds.StateSelect = parameter(
        "priority of the coordinates as states", default="always"
    )
    x: kinds.StartDistance = start("x position of the centre", default=AT_ZERO)
    y: kinds.StartDistance = start("y position of the centre", default=AT_ZERO)
    angles: kinds.StartAngles = start(
        "angles about the axes of sequence", default=THREE_AT_ZERO
    )
    der_angles: kinds.StartAngleRates = start("rates of the angles", default=THREE_AT_ZERO)

    def build(self) -> None:
        """Build it from a body and the rolling joint."""
        self.body = wheel_body(self, "m", "I_axis", "I_long")
        self.rollingWheel = RollingWheelJoint()
        shared = ("radius", "sequence", "stateSelect", "x", "y", "angles", "der_angles")
        self.share(self.rollingWheel, **{name: name for name in shared})
        connect(self.frame_a, self.body.frame_a, self.rollingWheel.frame_a)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the coordinates of the rolling joint."""
        inner = self.rollingWheel.variables(p)
        return {name: inner[name] for name in ("x", "y", "angles", "der_angles")}


class UprightRolling(DeclaredPart, WheelVisual):
    """The constraint that an upright wheel rolls without slip on the plane z = 0 of the world.

    frame_a is at its centre, y along the axle. Without `lateral` it may slide sideways: of
    two wheels on one axle only one is guided.
    """

    frame_a = frame("frame at the centre, y along the axle")

    radius: kinds.Length = parameter("radius", default=1.0)
    lateral: kinds.Boolean = parameter("whether it cannot slide sideways", default=True)

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the conditions of rolling: no slip along the wheel, nor across it."""
        rolls = UprightSlip(p.radius, p.lateral).constraint
        yield ConstraintBetween(self, (self.frame_a,), rolls)


class WheelSet(DeclaredComposite, WheelSetVisual):
    """Common basis of sets of two wheels: the frames of axle and wheels, and the drives."""

    is_open = False
    frameMiddle = frame("frame in the middle of the axle, y along it")
    frame1 = frame("frame of the left wheel")
    frame2 = frame("frame of the right wheel")
    axis1 = rotational_flange("drives the left wheel")
    axis2 = rotational_flange("drives the right wheel")
    support = rotational_flange("housing of the drives")


class RollingWheelSetJoint(WheelSet):
    """Two wheels without mass on one axle of length `track`, each free to turn.

    frameMiddle, in the middle of the axle, stays upright at the height of the radius: at x,
    y [m] and turned by phi [rad] about z. frame1 (left, +y) and frame2 (right) turn with the
    wheels, by theta1 and theta2 [rad]. axis1 and axis2 drive them against `support`.
    """

    radius: kinds.Length = parameter("radius of a wheel", default=1.0)
    track: kinds.Length = parameter("distance between the wheels", default=1.0)
    stateSelect: kinds.StateSelect = parameter(
        "priority of the coordinates as states", default="default"
    )
    x: kinds.StartDistance = start("x position of the middle of the axle")
    y: kinds.StartDistance = start("y position of the middle of the axle")
    phi: kinds.StartAngle = start("angle of the axle about z")
    theta1: kinds.StartAngle = start("angle of the left wheel")
    theta2: kinds.StartAngle = start("angle of the right wheel")
    der_theta1: kinds.StartAngularVelocity = start("rate of theta1")
    der_theta2: kinds.StartAngularVelocity = start("rate of theta2")

    def build(self) -> None:
        """Build it from joints for each coordinate and the rolling constraints."""
        self.fixed = Fixed(r=Derived(self, _at_height))
        priority = self.stateSelect
        self.prismatic1 = Prismatic(n="x", s=self.x, stateSelect=priority)
        self.prismatic2 = Prismatic(n="y", s=self.y, stateSelect=priority)
        self.revolute = Revolute(n="z", phi=self.phi, stateSelect=priority)
        connect(self.fixed.frame_b, self.prismatic1.frame_a)
        connect(self.prismatic1.frame_b, self.prismatic2.frame_a)
        connect(self.prismatic2.frame_b, self.revolute.frame_a)
        connect(self.revolute.frame_b, self.frameMiddle)
        self.share(self.prismatic1, s="x", stateSelect="stateSelect")
        self.share(self.prismatic2, s="y", stateSelect="stateSelect")
        self.share(self.revolute, phi="phi", stateSelect="stateSelect")
        self.make_wheel(1, _to_the_left, self.frame1, self.axis1)
        self.make_wheel(2, _to_the_right, self.frame2, self.axis2)

    def make_wheel(
        self,
        number: int,
        place: Callable[[Values], Vector],
        end: FramePort,
        axis: RotationalFlange,
    ) -> None:
        """Make the axle of one wheel, its joint and the constraint of its rolling."""
        rod = FixedTranslation(r=Derived(self, place))
        angle, rate = f"theta{number}", f"der_theta{number}"
        joint = Revolute(
            n="y",
            useAxisFlange=True,
            phi=self.__dict__[angle],
            w=self.__dict__[rate],
            stateSelect=self.stateSelect,
        )
        rolls = UprightRolling(
            radius=Derived(self, attrgetter("radius")), lateral=number == 1
        )
        setattr(self, f"rod{number}", rod)
        setattr(self, f"revolute{number}", joint)
        setattr(self, f"rolling{number}", rolls)
        self.share(joint, phi=angle, w=rate, stateSelect="stateSelect")
        connect(self.frameMiddle, rod.frame_a)
        connect(rod.frame_b, joint.frame_a)
        connect(joint.frame_b, end, rolls.frame_a)
        connect(joint.axis, axis)
        connect(joint.support, self.support)

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return position and angle of the axle, and the angles of the wheels."""
        return (
            shown_as(self.prismatic1, s="x")
            | shown_as(self.prismatic2, s="y")
            | shown_as(self.revolute, phi="phi")
            | shown_as(self.revolute1, phi="theta1", w="der_theta1")
            | shown_as(self.revolute2, phi="theta2", w="der_theta2")
        )


class RollingWheelSet(WheelSet):
    """Two wheels with mass on one axle, each free to turn; otherwise `RollingWheelSetJoint`.

    Each wheel has the mass m_wheel, the inertia I_wheelAxis about the axle and I_wheelLong
    across it.
    """

    R_wheel: kinds.Length = parameter("radius of a wheel", default=1.0)
    m_wheel: kinds.PositiveMass = parameter("mass of a wheel", default=1.0)
    I_wheelAxis: kinds.MomentOfInertia = parameter(
        "inertia of a wheel about the axle", default=0.1
    )
    I_wheelLong: kinds.MomentOfInertia = parameter(
        "inertia of a wheel across it", default=0.1
    )
    track: kinds.Length = parameter("distance between the wheels", default=1.0)
    stateSelect: kinds.StateSelect = parameter(
        "priority of the coordinates as states", default="always"
    )
    x: kinds.StartDistance = start("x position of the middle of the axle", default=AT_ZERO)
    y: kinds.StartDistance = start("y position of the middle of the axle", default=AT_ZERO)
    phi: kinds.StartAngle = start("angle of the axle about z", default=AT_ZERO)
    theta1: kinds.StartAngle = start("angle of the left wheel", default=AT_ZERO)
    theta2: kinds.StartAngle = start("angle of the right wheel", default=AT_ZERO)
    der_theta1: kinds.StartAngularVelocity = start("rate of theta1", default=AT_ZERO)
    der_theta2: kinds.StartAngularVelocity = start("rate of theta2", default=AT_ZERO)

    def build(self) -> None:
        """Build it from two bodies and the joint of the set."""
        starts = ("x", "y", "phi", "theta1", "theta2", "der_theta1", "der_theta2")
        names = (*starts, "stateSelect")
        self.wheelSetJoint = RollingWheelSetJoint(
            radius=Derived(self, attrgetter("R_wheel")),
            track=Derived(self, attrgetter("track")),
            **{name: self.__dict__[name] for name in names},
        )
        self.share(self.wheelSetJoint, **{name: name for name in names})
        self.body1 = wheel_body(self, "m_wheel", "I_wheelAxis", "I_wheelLong")
        self.body2 = wheel_body(self, "m_wheel", "I_wheelAxis", "I_wheelLong")
        connect(self.frame1, self.body1.frame_a)
        connect(self.frame2, self.body2.frame_a)
        for name in ("frameMiddle", "frame1", "frame2", "axis1", "axis2", "support"):
            connect(getattr(self, name), getattr(self.wheelSetJoint, name))

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return position and angle of the axle, and the angles of the wheels."""
        return self.wheelSetJoint.variables(p)


@immutable
class UprightSlip:
    """The slip of an upright wheel on the plane z = 0: along it, and across if `lateral`."""

    radius: Scalar
    lateral: bool = True

    def __call__(
        self, poses: Sequence[Pose], velocities: Sequence[Motor]
    ) -> tuple[Scalar, ...]:
        """Return the velocity of the lowest point [m/s]; V is resolved in the frame."""
        (X,), (V,) = poses, velocities
        lowest = X.R.T @ (-self.radius * Z)
        return slip(X.R, V, lowest)[: 2 if self.lateral else 1]

    @property
    def constraint(self) -> Constraint:
        """The constraint that the slip vanishes; the pose is free."""
        units = ("m/s", "m/s") if self.lateral else ("m/s",)
        return Constraint(rate=self, rate_units=units)


def wheel_body(part: Part, m: str, axis: str, long: str) -> Body:
    """Return the body of a wheel about y, of the mass and inertias of these names."""
    across = Derived(part, attrgetter(long))
    return Body(
        m=Derived(part, attrgetter(m)),
        I_11=across,
        I_22=Derived(part, attrgetter(axis)),
        I_33=across,
        physical=False,
    )


def components(begin: Start) -> tuple[Start, ...]:
    """Return the start values of the components of a vector."""
    pairs = zip(begin.value, begin.fixed_components(), strict=True)  # type: ignore[arg-type]
    return tuple(Start(value, fixed) for value, fixed in pairs)


def _at_height(p: Values) -> Vector:
    return p.radius * Z


def _to_the_left(p: Values) -> Vector:
    return (p.track / 2) * Y


def _to_the_right(p: Values) -> Vector:
    return (-p.track / 2) * Y
