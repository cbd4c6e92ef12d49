"""Mechanisms that stick, slip and hit, for `benchmarks.events`."""

from __future__ import annotations

import math

import numpy as np

from motorik import Model, Revolute, World, blocks, rotational
from motorik.forces import PointPlaneContact, Spring
from motorik.functions import sin, sqrt
from motorik.parts import Body, BodyShape, FixedTranslation
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
    """Five shafts in a row on springs, each held by a brake of 10 N·m against its own load.

    The first one is stopped from 20 rad/s. The loads, of up to 12 N·m and different
    frequencies, then and again tear a shaft loose, which slips a little and sticks again.
    With `slip` [rad/s] the brakes follow the law 10 w / √(w² + slip²), which never rests.
    """

    def build(self, slip: float = 0.0, n: int = 5) -> None:
        """Connect the parts."""
        self.ground = rotational.Fixed()
        self.shafts = [
            rotational.Inertia(J=1.0, phi=0.0, w=0.0 if k else 20.0) for k in range(n)
        ]
        self.springs = [rotational.SpringDamper(c=50.0, d=1.0) for _ in range(n - 1)]
        self.loads = [rotational.Torque() for _ in range(n)]
        self.courses = [
            blocks.TimeFunction(f=lambda t, k=k: 12.0 * sin((0.5 + 0.1 * k) * t))
            for k in range(n)
        ]
        for course, load, shaft in zip(self.courses, self.loads, self.shafts, strict=True):
            course.y >> load.tau
            load.flange >> shaft.flange_b
        for k, spring in enumerate(self.springs):
            self.shafts[k].flange_b >> spring.flange_a
            spring.flange_b >> self.shafts[k + 1].flange_a
        if slip:
            self._regularise(slip)
            return
        self.brakes = [Turning(kinetic=10.0) for _ in range(n)]
        for brake, shaft in zip(self.brakes, self.shafts, strict=True):
            self.ground.flange >> brake.flange_a
            brake.flange_b >> shaft.flange_a

    def _regularise(self, slip: float) -> None:
        """Connect brakes whose torque follows the speed."""
        n = len(self.shafts)
        self.torques = [rotational.Torque() for _ in range(n)]
        self.speeds = [rotational.SpeedSensor() for _ in range(n)]
        self.laws = [
            blocks.Function(f=lambda w: -10.0 * w / sqrt(w * w + slip * slip))
            for _ in range(n)
        ]
        parts = zip(self.shafts, self.speeds, self.laws, self.torques, strict=True)
        for shaft, speed, law, torque in parts:
            shaft.flange_a >> speed.flange
            speed.w >> law.u
            law.y >> torque.tau
            torque.flange >> shaft.flange_a


class StoppedArm(Model):
    """An arm that swings: friction holds its first joint now and then, its last one hits stops."""

    def build(self, n: int = 6) -> None:
        """Connect the parts."""
        self.world = World()
        last = {"stops": (-1.5, 1.5), "restitution": 0.6}
        self.joints = [
            Revolute(
                n="z" if k % 2 == 0 else "y",
                phi=0.5,
                useAxisFlange=k == 0,
                **(last if k == n - 1 else {}),
            )
            for k in range(n)
        ]
        self.links = [
            BodyShape(r=(0.3, 0.0, 0.0), m=1.0, I_11=0.01, I_22=0.01, I_33=0.01)
            for _ in range(n)
        ]
        self.friction = Turning(kinetic=8.0)
        frame = self.world.frame_b
        for joint, link in zip(self.joints, self.links, strict=True):
            frame >> joint.frame_a
            joint.frame_b >> link.frame_a
            frame = link.frame_b
        self.friction.flange_a >> self.joints[0].support
        self.friction.flange_b >> self.joints[0].axis


class Feet(Model):
    """A body thrown on a floor: n feet on a ring below it, with friction and restitution."""

    def build(self, n: int = 16, mu: float = 0.5, e: float = 0.4) -> None:
        """Connect the parts."""
        self.world = World()
        self.body = Body(
            m=2.0, I_11=0.03, I_22=0.04, I_33=0.025, I_21=0.002, r_0=(0.0, 0.3, 0.0),
            v_0=(0.6, 0.0, -0.4), w_0_start=(2.0, 3.0, -1.0),
            angles_start=(0.3, -0.2, 0.25), angles_fixed=True,
        )  # fmt: skip
        turns = [2.0 * math.pi * (k + 0.2 * math.sin(3.0 * k)) / n for k in range(n)]
        self.feet = [
            FixedTranslation(r=(0.15 * math.cos(a), -0.08, 0.15 * math.sin(a)))
            for a in turns
        ]
        self.contacts = [PointPlaneContact(mu=mu, e=e) for _ in turns]
        for foot, contact in zip(self.feet, self.contacts, strict=True):
            self.body.frame_a >> foot.frame_a
            self.world.frame_b >> contact.frame_a
            foot.frame_b >> contact.frame_b
