"""Rotor1D: the rotor of a drive line, with the gyroscopic torques on the body that carries it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from types import SimpleNamespace
from typing import TYPE_CHECKING

from motorik.algebra.dyad import Inertia
from motorik.algebra.matrix import square
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector
from motorik.components.base import kinds
from motorik.components.base.composite import DeclaredComposite
from motorik.components.base.contributions import (
    Contribution,
    FrameForce,
    FreeStart,
    Mass,
    Measurement,
)
from motorik.components.base.part import (
    DeclaredPart,
    Variable,
    frame,
    parameter,
    rotational_flange,
    start,
)
from motorik.components.base.ports import connect
from motorik.components.base.resolving import Values
from motorik.components.base.values import Derived, Start
from motorik.components.base.visual_options import CenterVisual, CylinderVisual
from motorik.components.joints.simple import shown_as
from motorik.components.losses import hidden
from motorik.components.parts.mounting import Mounts, RotorBearing
from motorik.components.rotational.parts import Inertia as ShaftInertia
from motorik.elements.free import FreePair

if TYPE_CHECKING:
    from typing_extensions import Self


STILL = Start((0.0, 0.0, 0.0))


class AxialInertia(DeclaredPart):
    """Inertia about one axis alone, I = J e eᵀ, without mass; J may be negative."""

    frame_a = frame("frame that carries it")

    J: kinds.InertiaElement = parameter("inertia about the axis", default=1.0)
    n: kinds.Axis = parameter("the axis", default=(1, 0, 0))

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the inertia at frame_a, if drive lines act on their carriers."""
        if not Mounts.around(self).in_space:
            return
        tensor = p.J * square(p.n)
        still = FreeStart(STILL, STILL, STILL)
        inertia = Inertia.of_body(0.0, Vector(), tensor)
        yield Mass(self.frame_a, inertia, FreePair(), still, priority=-2)


class RotorShaft(ShaftInertia):
    """The rotor as an inertia of the drive line, where the body does not accelerate it."""

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the inertia, or nothing."""
        accelerated = Mounts.around(self).accelerate(self)
        return () if accelerated else super().contributions(p)

    def couplings(self, p: Values) -> Iterable[Contribution]:
        """Return nothing: its flanges are connected."""
        return ()


class GyroscopicTorque(DeclaredPart):
    """The torque −J (w + e·ω) ω × e on a body that turns by ω, of a rotor in it that turns by w.

    It is that of a rotor whose acceleration ω does not change; the inertia −J e eᵀ of the body
    adds J e (e·ω̇) to it.
    """

    frame_a = frame("frame that carries the rotor")
    flange_a = rotational_flange("the rotor, at the angle phi")

    J: kinds.MomentOfInertia = parameter("inertia about the axis", default=1.0)
    n: kinds.Axis = parameter("the axis", default=(1, 0, 0))

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the torque, where the body takes part but does not accelerate the rotor."""
        mounts = Mounts.around(self)
        if mounts.accelerate(self) or not mounts.in_space:
            return
        w = hidden(self, "w")
        yield Measurement(self, (w,), lambda motion: (motion.flange(self.flange_a)[1],), 1)
        given = SimpleNamespace(J=p.J, n=p.n)
        yield FrameForce(self, (self.frame_a,), given, _gyroscopic, signals=(w,))


def _gyroscopic(
    p: Values, t: Scalar, motions: Sequence[tuple[Pose, Motor]], w: Scalar
) -> tuple[Motor]:
    omega = motions[0][1].resultant
    spin = -p.J * (w + p.n.dot(omega))
    return (Motor(ZERO, spin * omega.cross(p.n)),)


class Rotor1D(DeclaredComposite, CylinderVisual, CenterVisual):
    """A rotor with the inertia J that turns by phi [rad] about n, fixed in frame_a.

    Its kinetic energy is ½ J w² + J w e·ω_a, ω_a the angular velocity of frame_a: gyroscopic
    torques act on the body that carries it, whose own inertia includes the rotor at rest.
    The torques of the drive line act between the rotor and this body. With
    `driveTrainMechanics3D=False` of the world it is an inertia of the drive line alone. With
    exact=False, as in Modelica, the rotor does not feel how the body turns, but the body feels the
    rotor: J ẇ = Σ τ, which does not keep angular momentum.
    """

    is_open = False
    frame_a = frame("frame of the body that carries the rotor")
    flange_a = rotational_flange("one end of the rotor, at angle phi")
    flange_b = rotational_flange("the other end")

    J: kinds.MomentOfInertia = parameter("inertia about the axis", default=1.0)
    n: kinds.Axis = parameter("axis of rotation", default=(1, 0, 0))
    stateSelect: kinds.StateSelect = parameter(
        "priority of phi and w as states", default="default"
    )
    exact: kinds.Boolean = parameter(
        "whether the motion of the body accelerates the rotor", default=True
    )
    phi: kinds.StartAngle = start("angle relative to frame_a")
    w: kinds.StartAngularVelocity = start("angular velocity relative to frame_a")
    a: kinds.StartAngularAcceleration = start("angular acceleration relative to frame_a")

    def build(self) -> None:
        """Build it from a revolute joint, the rotor, and the inertia included in the body."""
        n = Derived(self, attrgetter("n"))
        J = Derived(self, attrgetter("J"))
        self.revolute = RotorBearing(useAxisFlange=True, n=n)
        self.shaft = RotorShaft(J=J)
        self.rotor = AxialInertia(J=J, n=n)
        self.counted = AxialInertia(J=Derived(self, lambda p: -p.J), n=n)
        self.share(self.revolute, phi="phi", w="w", a="a", stateSelect="stateSelect")
        connect(self.frame_a, self.revolute.frame_a, self.counted.frame_a)
        connect(self.revolute.frame_b, self.rotor.frame_a)
        self.share(self.shaft, phi="phi", w="w", a="a", stateSelect="stateSelect")
        connect(self.revolute.axis, self.flange_a, self.flange_b)
        connect(self.flange_a, self.shaft.flange_a, self.shaft.flange_b)
        self.gyroscope = GyroscopicTorque(J=J, n=n)
        connect(self.frame_a, self.gyroscope.frame_a)
        connect(self.flange_a, self.gyroscope.flange_a)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return phi, w and a."""
        accelerated = Mounts.around(self).accelerate(self.revolute)
        return shown_as(
            self.revolute if accelerated else self.shaft, phi="phi", w="w", a="a"
        )
