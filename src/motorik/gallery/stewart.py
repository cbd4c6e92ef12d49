"""Stewart platform: a plate on six legs that change their lengths."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np

from motorik import (
    Body,
    BodyCylinder,
    FixedRotation,
    Prismatic,
    Spherical,
    Universal,
    World,
    translational,
)
from motorik.model import Model

BASE_RADIUS, PLATE_RADIUS, HEIGHT = 1.0, 0.6, 1.0  # m
BASE_ANGLES = (-10.0, 10.0, 110.0, 130.0, 230.0, 250.0)  # deg
PLATE_ANGLES = (-50.0, 50.0, 70.0, 170.0, 190.0, 290.0)  # deg


def ring(radius: float, angles: tuple[float, ...], z: float = 0.0) -> np.ndarray:
    """Return points on a level circle, one row [x, y, z] each, in metres."""
    return np.array([(radius * cos(a), radius * sin(a), z) for a in map(radians, angles)])


FEET = ring(BASE_RADIUS, BASE_ANGLES)
SEATS = ring(PLATE_RADIUS, PLATE_ANGLES)  # on the plate, seen from its middle
# the legs where the plate is level and centred
HOME = np.array([0.0, 0.0, HEIGHT]) + SEATS - FEET


class StewartPlatform(Model):
    """A plate on six legs, each a cross, a slide and a ball; six freedoms, five loops.

    At home the plate is level, 1 m above the base, and all joint angles are zero; z is up.
    The legs are springs of `stiffness` [N/m] with `damping` [N·s/m] about the home length,
    and start `extensions` [m] longer than that, at rest. The plate has `mass` [kg] and is a
    disc. Parts: `leg1` … `leg6` with `cross`, `slide`, `ball`; `plate`.
    """

    def build(
        self,
        extensions: tuple[float, ...] = (0.05, 0.0, 0.02, -0.04, 0.0, -0.03),
        stiffness: float = 5e4,
        damping: float = 300.0,
        mass: float = 100.0,
    ) -> None:
        """Connect the plate with its legs."""
        self.world = World(g=9.81, n="-z")
        across = mass * PLATE_RADIUS**2 / 4
        self.plate = Body(m=mass, I_11=across, I_22=across, I_33=2 * across)
        for i, extension in enumerate(extensions):
            leg = Leg(place=i, extension=extension, stiffness=stiffness, damping=damping)
            setattr(self, f"leg{i + 1}", leg)
            self.world.frame_b >> leg.foot.frame_a
            leg.seat.frame_a >> self.plate.frame_a


class Leg(Model):
    """One of six legs, from a foot on the base to a seat on the plate: cross, slide and ball.

    It lies along the x axis of the frames between, whose angles are zero at home, and starts
    `extension` [m] longer than there. Both halves are steel tubes.
    """

    def build(
        self,
        place: int = 0,
        extension: float = 0.0,
        stiffness: float = 5e4,
        damping: float = 300.0,
    ) -> None:
        """Join the halves by the slide that the spring acts on."""
        home = HOME[place]
        length = float(np.linalg.norm(home))
        axes = {
            "rotationType": "TwoAxesVectors",
            "n_x": tuple(home),
            "n_y": (-home[1], home[0], 0.0),
        }
        self.foot = FixedRotation(r=tuple(FEET[place]), **axes)
        self.cross = Universal(n_a="y", n_b="z")
        self.tube = BodyCylinder(r=(0.6, 0, 0), diameter=0.06, innerDiameter=0.05)
        self.slide = Prismatic(n="x", s=length + extension, v=0.0, useAxisFlange=True)
        self.piston = BodyCylinder(r=(-0.6, 0, 0), diameter=0.045, innerDiameter=0.03)
        self.ball = Spherical()
        self.seat = FixedRotation(r=tuple(SEATS[place]), **axes)
        self.spring = translational.SpringDamper(c=stiffness, d=damping, s_rel0=length)
        self.foot.frame_b >> self.cross.frame_a
        self.cross.frame_b >> self.tube.frame_a
        self.cross.frame_b >> self.slide.frame_a
        self.slide.frame_b >> self.piston.frame_a
        self.slide.frame_b >> self.ball.frame_a
        self.ball.frame_b >> self.seat.frame_b
        self.slide.support >> self.spring.flange_a
        self.spring.flange_b >> self.slide.axis
