"""Parts that stick, slip and hit, and models of them whose motion is known in closed form."""

from __future__ import annotations

import math
from collections.abc import Iterator

from motorik import (
    Body,
    BodyShape,
    Model,
    Parameter,
    Prismatic,
    Revolute,
    World,
    blocks,
    guess,
    translational,
)
from motorik import functions as fn
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    Contribution,
    ForceBounds,
    LineForce,
    NonsmoothConstraint,
)
from motorik.components.base.internal import nonsmooth_force
from motorik.components.base.part import Values, parameter
from motorik.components.lines.flanges import RotationalTwoFlanges, TranslationalTwoFlanges
from tests.assembly.four_bars import four_bar


class Friction(TranslationalTwoFlanges):
    """Dry friction between two flanges."""

    friction = nonsmooth_force("friction force", "N")
    static: kinds.Number = parameter("largest force at rest", default=1.0)
    kinetic: kinds.Number = parameter("force in motion", default=1.0)

    def contributions(self, p: Values) -> Iterator[Contribution]:
        """Return the force, and when it sticks."""
        a, b = self.flange_a, self.flange_b
        yield LineForce(a, b, p, lambda p, s, v: -p.friction.force)
        yield NonsmoothConstraint(
            self,
            "friction",
            lambda m: m.flange(b)[1] - m.flange(a)[1],
            lambda m: ForceBounds(-p.static, p.static, -p.kinetic, p.kinetic),
            lambda m: m.flange_acceleration(b) - m.flange_acceleration(a),
        )


class Brake(RotationalTwoFlanges):
    """Dry friction of a shaft."""

    friction = nonsmooth_force("friction torque", "N.m")
    torque: kinds.Number = parameter("torque", default=1.0)

    def contributions(self, p: Values) -> Iterator[Contribution]:
        """Return the torque, and when it sticks."""
        a, b = self.flange_a, self.flange_b
        yield LineForce(a, b, p, lambda p, s, v: -p.friction.force)
        yield NonsmoothConstraint(
            self,
            "friction",
            lambda m: m.flange(b)[1] - m.flange(a)[1],
            lambda m: ForceBounds(-p.torque, p.torque, -p.torque, p.torque),
            lambda m: m.flange_acceleration(b) - m.flange_acceleration(a),
        )


class Stop(TranslationalTwoFlanges):
    """A stop: flange_b cannot pass flange_a."""

    contact = nonsmooth_force("contact force", "N")
    restitution: kinds.Number = parameter("coefficient of restitution", default=0.5)

    def contributions(self, p: Values) -> Iterator[Contribution]:
        """Return the force, and when it is there."""
        a, b = self.flange_a, self.flange_b
        yield LineForce(a, b, p, lambda p, s, v: -p.contact.force)
        yield NonsmoothConstraint(
            self,
            "contact",
            lambda m: m.flange(b)[1] - m.flange(a)[1],
            lambda m: ForceBounds(0.0, math.inf, 0.0, 0.0),
            lambda m: m.flange_acceleration(b) - m.flange_acceleration(a),
            gap=lambda m: m.flange(b)[0] - m.flange(a)[0],
            restitution=p.restitution,
        )


class Slide(Model):
    """A mass of 2 kg at 3 m/s with 4 N of friction, and a force that can be set."""

    def build(self) -> None:
        """Connect mass, friction and force."""
        self.wall = translational.Fixed()
        self.mass = translational.Mass(m=2.0, s=0.0, v=3.0)
        self.pad = Friction(static=4.0, kinetic=4.0)
        self.push = translational.ConstantForce(f_constant=Parameter(0.0))
        self.wall.flange >> self.pad.flange_a
        self.pad.flange_b >> self.mass.flange_a
        self.push.flange >> self.mass.flange_b


class Collision(Model):
    """a (1 kg, 3 m/s) hits b (2 kg, at rest 1 m away), e = 0.5; 2 N of friction on both."""

    def build(self) -> None:
        """Connect both masses with the ground and with each other."""
        self.ground = translational.Fixed()
        self.a = translational.Mass(m=1.0, s=0.0, v=3.0)
        self.b = translational.Mass(m=2.0, s=1.0, v=0.0)
        self.pad_a, self.pad_b = (Friction(static=2.0, kinetic=2.0) for _ in range(2))
        self.stop = Stop(restitution=0.5)
        self.ground.flange >> self.pad_a.flange_a
        self.pad_a.flange_b >> self.a.flange_a
        self.ground.flange >> self.pad_b.flange_a
        self.pad_b.flange_b >> self.b.flange_a
        self.a.flange_b >> self.stop.flange_a
        self.stop.flange_b >> self.b.flange_b


HIT = (3.0 - math.sqrt(5.0)) / 2.0  # when they meet [s]
FAST = math.sqrt(5.0)  # speed of a just before [m/s]


class Ball(Model):
    """A ball of 1 kg that falls 1 m."""

    def build(self, restitution: float = 0.5) -> None:
        """Connect ball, ground and weight."""
        self.ground = translational.Fixed()
        self.ball = translational.Mass(m=1.0, s=1.0, v=0.0)
        self.stop = Stop(restitution=restitution)
        self.weight = translational.ConstantForce(f_constant=-9.81)
        self.ground.flange >> self.stop.flange_a
        self.stop.flange_b >> self.ball.flange_a
        self.weight.flange >> self.ball.flange_b


class Pushed(Model):
    """A mass at rest on 4 N of friction, pushed by 0, then from 1 s on by 6 N."""

    def build(self) -> None:
        """Connect mass, friction and the force over time."""
        self.wall = translational.Fixed()
        self.mass = translational.Mass(m=2.0, s=0.0, v=0.0)
        self.pad = Friction(static=4.0, kinetic=4.0)
        self.force = translational.Force()
        self.law = blocks.TimeFunction(f=lambda t: fn.where(t < 1.0, 0.0, 6.0))
        self.wall.flange >> self.pad.flange_a
        self.pad.flange_b >> self.mass.flange_a
        self.law.y >> self.force.f
        self.force.flange >> self.mass.flange_b


def braked(torque: float, phi: float, w: float, **lengths: float) -> Model:
    """Return a four-bar with a brake at its drive."""
    drive = {"phi": phi, "w": w, "useAxisFlange": True}
    model = four_bar(drive=drive, **lengths)  # type: ignore[arg-type]
    model.brake = Brake(torque=torque)
    model.drive.support >> model.brake.flange_a
    model.brake.flange_b >> model.drive.axis
    return model


class Belt(Model):
    """A mass of 1 kg on a belt of 0.1 m/s, held by 100 N/m: it sticks and slips."""

    def build(self) -> None:
        """Connect belt, mass and spring."""
        self.belt, self.speed = translational.Speed(exact=True), blocks.Constant(k=0.1)
        self.mass = translational.Mass(m=1.0, s=0.0, v=0.1)
        self.spring, self.wall = translational.Spring(c=100.0), translational.Fixed()
        self.pad = Friction(static=5.0, kinetic=4.0)
        self.speed.y >> self.belt.v_ref
        self.belt.flange >> self.pad.flange_a
        self.pad.flange_b >> self.mass.flange_a
        self.wall.flange >> self.spring.flange_a
        self.spring.flange_b >> self.mass.flange_b


STICKS = 0.2  # s for which it sticks, 2 (5 N − 4 N) / (c v) …
SLIPS = 0.2 * (math.pi - math.atan(0.01 * 10.0 / 0.1))  # … and slips


class Row(Model):
    """Three balls of 1 kg on a line; the first hits the second, which touches the third."""

    def build(self, restitution: float = 0.5) -> None:
        """Connect them by stops."""
        self.first = translational.Mass(m=1.0, s=0.0, v=1.0)
        self.second = translational.Mass(m=1.0, s=0.5, v=0.0)
        self.third = translational.Mass(m=1.0, s=0.5, v=0.0)
        self.front, self.back = (Stop(restitution=restitution) for _ in range(2))
        self.first.flange_b >> self.front.flange_a
        self.front.flange_b >> self.second.flange_a
        self.second.flange_b >> self.back.flange_a
        self.back.flange_b >> self.third.flange_a


class CrankBrake(Model):
    """A slider-crank moved by its slider, with a brake at the crank."""

    def build(self, torque: float = 0.05) -> None:
        """Connect crank 0.15 m, rod 0.3 m, slider and brake."""
        self.world = World(gravityType="none")
        self.bearing = Revolute(n="z", phi=guess(1.0), w=guess(10.0), useAxisFlange=True)
        self.crank = BodyShape(
            m=0.4, r=(0.15, 0, 0), r_CM=(0.075, 0, 0), I_22=3e-3, I_33=3e-3
        )
        self.crank_pin = Revolute(n="z", phi=guess(-1.5))
        self.rod = BodyShape(m=0.2, r=(0.3, 0, 0), r_CM=(0.15, 0, 0), I_22=5e-3, I_33=5e-3)
        self.wrist_pin = Revolute(n="z", phi=guess(0.5))
        self.rail = Prismatic(n="x", s=0.35, v=-1.5)
        self.slider, self.brake = Body(m=0.1), Brake(torque=torque)
        self.world.frame_b >> self.bearing.frame_a
        self.bearing.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.crank_pin.frame_a
        self.crank_pin.frame_b >> self.rod.frame_a
        self.rod.frame_b >> self.wrist_pin.frame_a
        self.wrist_pin.frame_b >> self.slider.frame_a
        self.world.frame_b >> self.rail.frame_a
        self.rail.frame_b >> self.slider.frame_a
        self.bearing.support >> self.brake.flange_a
        self.brake.flange_b >> self.bearing.axis
