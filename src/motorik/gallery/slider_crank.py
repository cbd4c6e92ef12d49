"""Slider-cranks: one in a plane, one in space."""

from __future__ import annotations

from math import asin, atan2, sqrt

from motorik import (
    Body,
    BodyShape,
    Fixed,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
    World,
    guess,
)
from motorik.model import Model


class SliderCrank(Model):
    """A crank, a rod and a slider in a plane without gravity; data of Simeon 1996, rigid.

    Crank 150 mm, rod 300 mm, both stretched along x at the start, where the crank turns with
    `speed` [rad/s]. With crank and rod in line the slider is at a dead centre; the crank
    as the independent coordinate passes it.
    """

    def build(self, speed: float = 150.0) -> None:
        """Join crank, rod and slider one after another."""
        self.world = World(gravityType="none")
        self.bearing = Revolute(n="z", phi=0.0, w=speed)
        self.crank = BodyShape(
            m=0.36,
            r=(0.15, 0, 0),
            r_CM=(0.075, 0, 0),
            I_11=1e-5,
            I_22=2.727e-3,
            I_33=2.727e-3,
        )
        self.crank_pin = Revolute(n="z", w=guess(-1.5 * speed))
        self.rod = BodyShape(
            m=0.151104,
            r=(0.3, 0, 0),
            r_CM=(0.15, 0, 0),
            I_11=1e-5,
            I_22=4.5339259e-3,
            I_33=4.5339259e-3,
        )
        self.wrist_pin = Revolute(n="z", w=guess(0.5 * speed))
        self.rail = Prismatic(n="x", s=guess(0.45))
        self.slider = Body(m=0.075552)
        self.world.frame_b >> self.bearing.frame_a
        self.bearing.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.crank_pin.frame_a
        self.crank_pin.frame_b >> self.rod.frame_a
        self.rod.frame_b >> self.wrist_pin.frame_a
        self.wrist_pin.frame_b >> self.slider.frame_a
        self.world.frame_b >> self.rail.frame_a
        self.rail.frame_b >> self.slider.frame_a


class SpatialSliderCrank(Model):
    """A crank that turns in one plane and a slider that moves across it.

    The crank turns about x, 0.1 m beside and 0.12 m above the rail, the slider moves along x;
    a rod with a ball at the crank and a cross at the slider leads from one to the other.
    Crank 80 mm and 0.12 kg, rod 300 mm and 0.5 kg, slider 2 kg (the measures of Haug 1989,
    chapter 12); upright with `speed` [rad/s] at the start, gravity along −z.
    """

    def build(self, speed: float = 6.0) -> None:
        """Connect the crank pin by ball, rod and cross with the slider."""
        crank, length, offset, height = 0.08, 0.3, 0.1, 0.12
        drop = height + crank
        reach = sqrt(length**2 - offset**2 - drop**2)
        self.world = World(g=9.81, n="-z")
        self.pedestal = Fixed(r=(0, offset, height))
        self.bearing = Revolute(n="x", phi=0.0, w=speed)
        self.crank = BodyShape(
            m=0.12, r=(0, 0, crank), r_CM=(0, 0, 0), I_11=1e-4, I_22=1e-5, I_33=1e-4
        )
        self.ball = Spherical()
        self.rod = BodyShape(
            m=0.5,
            r=(length, 0, 0),
            r_CM=(length / 2, 0, 0),
            I_11=4e-4,
            I_22=4e-3,
            I_33=4e-3,
        )
        self.cross = Universal(
            n_a="z",
            n_b="y",
            phi_a=guess(atan2(-offset, reach)),
            phi_b=guess(asin(drop / length)),
        )
        self.rail = Prismatic(n="x", s=guess(reach))
        self.slider = Body(m=2.0, I_11=1e-4, I_22=1e-4, I_33=1e-4)
        self.pedestal.frame_b >> self.bearing.frame_a
        self.bearing.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.ball.frame_a
        self.ball.frame_b >> self.rod.frame_a
        self.rail.frame_b >> self.slider.frame_a
        self.world.frame_b >> self.rail.frame_a
        self.slider.frame_a >> self.cross.frame_a
        self.cross.frame_b >> self.rod.frame_b
