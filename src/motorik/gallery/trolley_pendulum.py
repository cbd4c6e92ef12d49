"""Trolley pendulum: two rods hang on a trolley, friction in every joint."""

from __future__ import annotations

from math import pi

from motorik import Body, BodyShape, Prismatic, Revolute, World, rotational, translational
from motorik.model import Model


class TrolleyPendulum(Model):
    """A double pendulum on a trolley; Zaiczek and Enge-Rosenblatt 2009, §4.1.

    The trolley slides along x by s; both rods turn about z by phi1 and phi2, which are zero
    where the rods hang down. Slender rods: centre of mass in the middle, J = m l² / 12.
    Masses [kg], lengths [m], `friction` of the trolley [N·s/m], of the hinges [N·m·s/rad],
    start angles phi1, phi2 [rad].
    """

    def build(
        self,
        trolley_mass: float = 1.0,
        masses: tuple[float, float] = (1.0, 0.5),
        lengths: tuple[float, float] = (0.5, 0.4),
        friction: tuple[float, float, float] = (0.5, 0.02, 0.02),
        phi: tuple[float, float] = (pi / 2, 0.0),
    ) -> None:
        """Hang the rods on the trolley and put a damper into each joint."""
        (m1, m2), (l1, l2) = masses, lengths
        self.world = World(g=9.81, n="-y")
        self.slide = Prismatic(n="x", useAxisFlange=True)
        self.trolley = Body(m=trolley_mass)
        self.hinge1 = Revolute(n="z", useAxisFlange=True, phi=phi[0])
        self.rod1 = BodyShape(
            m=m1, r=(0, -l1, 0), r_CM=(0, -l1 / 2, 0), I=rod_inertia(m1, l1)
        )
        self.hinge2 = Revolute(n="z", useAxisFlange=True, phi=phi[1])
        self.rod2 = BodyShape(
            m=m2, r=(0, -l2, 0), r_CM=(0, -l2 / 2, 0), I=rod_inertia(m2, l2)
        )
        self.world.frame_b >> self.slide.frame_a
        self.slide.frame_b >> self.trolley.frame_a
        self.trolley.frame_a >> self.hinge1.frame_a
        self.hinge1.frame_b >> self.rod1.frame_a
        self.rod1.frame_b >> self.hinge2.frame_a
        self.hinge2.frame_b >> self.rod2.frame_a

        self.rail_friction = translational.Damper(d=friction[0])
        self.friction1 = rotational.Damper(d=friction[1])
        self.friction2 = rotational.Damper(d=friction[2])
        self.slide.support >> self.rail_friction.flange_a
        self.rail_friction.flange_b >> self.slide.axis
        for hinge, damper in (
            (self.hinge1, self.friction1),
            (self.hinge2, self.friction2),
        ):
            hinge.support >> damper.flange_a
            damper.flange_b >> hinge.axis


def rod_inertia(m: float, length: float) -> list[list[float]]:
    """Return the inertia [kg·m²] about its centre of a rod along y, 2 % as wide as long."""
    across, along = m * length**2 / 12, m * (0.02 * length) ** 2 / 6
    return [[across, 0, 0], [0, along, 0], [0, 0, across]]
