"""Documents that tests share."""

from __future__ import annotations

from functools import cache
from typing import Any

from motorik import (
    Body,
    BodyBox,
    FixedTranslation,
    Model,
    Parameter,
    Prismatic,
    Revolute,
    World,
    blocks,
    connect,
    gallery,
    guess,
    joints,
    rotational,
)
from motorik.components.base.part import frame
from motorik.documents import Document
from motorik.functions import sin

FOUR_BAR: dict[str, Any] = Document.of(gallery.PlanarFourbar()).data


class Leg(Model):
    """A leg with a port, a parameter of its own and a joint that is damped."""

    hip = frame("where the leg hangs")

    def build(self, length: object = 0.5, damping: float = 0.1) -> None:
        """Build hinge and shank."""
        self.length = length
        self.hinge = Revolute(
            n="y", useAxisFlange=True, phi=guess(0.1), friction=joints.Coulomb(tau=0.2)
        )
        self.damper = rotational.Damper(d=damping)
        self.shank = BodyBox(r=(0, 0, -self.length), width=0.05, color="red")
        connect(self.hip, self.hinge.frame_a)
        self.hinge.frame_b >> self.shank.frame_a
        connect(self.damper.flange_a, self.hinge.support)
        connect(self.damper.flange_b, self.hinge.axis)


class Walker(Model):
    """Two legs, live parameters, formulas, signals, a list of parts, constants at inputs."""

    def build(self) -> None:
        """Build it."""
        self.length = Parameter(0.5, unit="m")
        self.world = World()
        self.slide = Prismatic(n="x", s=0.0, v=0.1)
        self.trunk = Body(m=Parameter(3.0), r_CM=(0, 0, self.length / 4))
        self.world.frame_b >> self.slide.frame_a
        self.slide.frame_b >> self.trunk.frame_a
        self.left, self.right = Leg(length=self.length), Leg(length=Parameter(0.6))
        self.offset = FixedTranslation(r=(0, 2 * self.length, 0.1))
        self.trunk.frame_a >> self.offset.frame_a
        self.offset.frame_b >> self.left.hip
        self.trunk.frame_a >> self.right.hip
        self.wave = blocks.TimeFunction(f=lambda t: 0.3 * sin(2.0 * t) ** 2)
        self.factors = [blocks.Gain(k=2.0), blocks.Gain(k=-1.0)]
        self.wave.y >> self.factors[0].u
        self.wave.y >> self.factors[1].u
        self.sum = blocks.Add()
        self.factors[0].y >> self.sum.u1
        0.25 >> self.sum.u2
        self.torque = rotational.Torque()
        self.sum.y >> self.torque.tau
        self.wheel = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
        connect(self.torque.flange, self.wheel.flange_a)


@cache
def walker() -> Document:
    """Return the document of the walker; tests copy it before they change it."""
    return Document.of(Walker())
