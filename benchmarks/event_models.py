"""Mechanisms that stick, slip and hit, for `benchmarks.events`."""

from __future__ import annotations

import numpy as np

from motorik import Model, World, blocks, rotational
from motorik.forces import Spring
from motorik.functions import sin, sqrt
from motorik.parts import Body, FixedTranslation
from validation.closed_forms import Turning


class FrictionTrain(Model):
    """The drive train of Modelica's example Friction: motor, clutch, spring, brake."""

    def build(self) -> None:
        """Connect the parts."""
        self.fixed = rotational.Fixed()
        self.torque = rotational.Torque(useSupport=True)
        self.inertia3 = rotational.Inertia(J=1.0, phi=0.0, w=100.0)
        self.clutch = rotational.Clutch(fn_max=160.0)
        self.inertia2 = rotational.Inertia(J=0.05, phi=0.0, w=90.0)
        self.spring = rotational.SpringDamper(c=160.0, d=1.0)
        self.brake = rotational.Brake(fn_max=1600.0, useSupport=True)
        self.inertia1 = rotational.Inertia(J=1.0, phi=0.0, w=90.0)
        self.pressed = blocks.Constant(k=1.0)
        self.braking = blocks.Step(startTime=0.5)
        self.off = blocks.Step(height=-1.0, offset=1.0, startTime=0.5)
        self.sine = blocks.Sine(amplitude=200.0, f=50.0 / np.pi)
        self.product = blocks.Product()
        self.torque.flange >> self.inertia3.flange_a
        self.inertia3.flange_b >> self.clutch.flange_a
        self.clutch.flange_b >> self.inertia2.flange_a
        self.inertia2.flange_b >> self.spring.flange_a
        self.spring.flange_b >> self.brake.flange_a
        self.brake.flange_b >> self.inertia1.flange_a
        self.sine.y >> self.product.u1
        self.off.y >> self.product.u2
        self.product.y >> self.torque.tau
        self.pressed.y >> self.clutch.f_normalized
        self.braking.y >> self.brake.f_normalized
        self.torque.support >> self.fixed.flange
        self.brake.support >> self.fixed.flange


class ThreeSprings(Model):
    """Modelica's example ThreeSprings: a body on springs that meet in a point without mass."""

    def build(self) -> None:
        """Connect the parts."""
        self.world = World()
        self.body1 = Body(
            r_CM=(0.0, -0.2, 0.0), m=0.8, I_11=0.1, I_22=0.1, I_33=0.1, r_0=(0.5, -0.3, 0.0)
        )
        self.bar1 = FixedTranslation(r=(0.3, 0.0, 0.0))
        self.bar2 = FixedTranslation(r=(0.0, 0.0, 0.3))
        self.spring1 = Spring(s_unstretched=0.1, c=20.0)
        self.spring2 = Spring(s_unstretched=0.1, c=40.0)
        self.spring3 = Spring(s_unstretched=0.1, c=20.0)
        self.world.frame_b >> self.bar1.frame_a
        self.world.frame_b >> self.bar2.frame_a
        self.bar1.frame_b >> self.spring1.frame_a
        self.bar2.frame_b >> self.spring3.frame_a
        self.spring2.frame_b >> self.body1.frame_a
        self.spring3.frame_b >> self.spring1.frame_b
        self.spring2.frame_a >> self.spring1.frame_b


class Clutches(Model):
    """Inertias in a row with a clutch between each two, the first one driven to and fro."""

    def build(self, n: int = 40, seed: int = 1) -> None:
        """Connect the parts."""
        rng = np.random.default_rng(seed)
        self.inertias = [
            rotational.Inertia(
                J=float(rng.uniform(0.5, 2.0)), w=float(rng.uniform(-50.0, 50.0))
            )
            for _ in range(n)
        ]
        torques = rng.uniform(5.0, 20.0, n - 1).tolist()
        self.clutches = [Turning(kinetic=value) for value in torques]
        self.motor = rotational.Torque()
        self.course = blocks.TimeFunction(f=lambda t: 60.0 * sin(6.0 * t))
        self.course.y >> self.motor.tau
        self.motor.flange >> self.inertias[0].flange_a
        for k, clutch in enumerate(self.clutches):
            self.inertias[k].flange_b >> clutch.flange_a
            clutch.flange_b >> self.inertias[k + 1].flange_a


class Braked(Model):
    """A shaft that a brake of 10 N·m stops and holds against a load of up to 8 N·m.

    With `slip` [rad/s] the brake follows the law 10 w / √(w² + slip²), which never rests.
    """

    def build(self, slip: float = 0.0) -> None:
        """Connect the parts."""
        self.shaft = rotational.Inertia(J=1.0, phi=0.0, w=20.0)
        self.load = rotational.Torque()
        self.course = blocks.TimeFunction(f=lambda t: 8.0 * sin(2.0 * t))
        self.course.y >> self.load.tau
        self.load.flange >> self.shaft.flange_b
        if slip:
            self.brake = rotational.Torque()
            self.speed = rotational.SpeedSensor()
            self.law = blocks.Function(f=lambda w: -10.0 * w / sqrt(w * w + slip * slip))
            self.shaft.flange_a >> self.speed.flange
            self.speed.w >> self.law.u
            self.law.y >> self.brake.tau
            self.brake.flange >> self.shaft.flange_a
        else:
            self.ground = rotational.Fixed()
            self.brake = Turning(kinetic=10.0)
            self.ground.flange >> self.brake.flange_a
            self.brake.flange_b >> self.shaft.flange_a
