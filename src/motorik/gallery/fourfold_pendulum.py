"""Fourfold pendulum: a chain of four rods between two sliders."""

from __future__ import annotations

from math import cos, radians, sin

from motorik import (
    Body,
    Fixed,
    Prismatic,
    Revolute,
    World,
    guess,
    rotational,
    translational,
)
from motorik.gallery.n_four_bar import rod
from motorik.model import Model

ANGLES = tuple(radians(a) for a in (45.0, -15.0, 30.0, -37.5))


class FourfoldPendulum(Model):
    """Four rods hang between two trolleys on straight tracks; Zaiczek, Enge-Rosenblatt 2009.

    §4.2 gives the start angles, each relative to the rod before, and no dimensions. Here rods of
    `lengths` [m] weigh 1 kg per metre and the trolleys 1 kg each; both tracks are level, the
    right one as much below the left one as the chain reaches down at the start, which is at
    rest. Angles are zero where a rod hangs down. Viscous `friction` acts on the tracks
    [N·s/m] and in the hinges [N·m·s/rad] except in the last one. A loop with four freedoms.
    """

    def build(
        self,
        lengths: tuple[float, float, float, float] = (0.5, 0.4, 0.3, 0.4),
        friction: tuple[float, float] = (0.5, 0.02),
    ) -> None:
        """Hang the chain on the left trolley and let it carry the right one."""
        self.world = World(g=9.81, n="-y")
        self.left_track = Prismatic(n="x", s=0.0, useAxisFlange=True)
        self.left_trolley = Body(m=1.0)
        self.world.frame_b >> self.left_track.frame_a
        self.left_track.frame_b >> self.left_trolley.frame_a
        self._brake(translational.Damper(d=friction[0]), self.left_track, "left_friction")

        end, x, y, slope = self.left_track.frame_b, 0.0, 0.0, 0.0
        for i, (length, angle) in enumerate(zip(lengths, ANGLES, strict=True), start=1):
            phi = angle if i < 4 else guess(angle)  # the last one follows from the loop
            hinge = Revolute(n="z", phi=phi, useAxisFlange=True)
            link = rod((0, -length, 0), m=length)
            setattr(self, f"hinge{i}", hinge)
            setattr(self, f"rod{i}", link)
            end >> hinge.frame_a
            hinge.frame_b >> link.frame_a
            self._brake(rotational.Damper(d=friction[1]), hinge, f"friction{i}")
            end, slope = link.frame_b, slope + angle
            x, y = x + length * sin(slope), y - length * cos(slope)

        self.offset = Fixed(r=(x, y, 0))
        self.right_track = Prismatic(n="x", s=guess(0.0), useAxisFlange=True)
        self.right_trolley = Body(m=1.0)
        self.hinge5 = Revolute(n="z", phi=guess(-slope))
        self.offset.frame_b >> self.right_track.frame_a
        self.right_track.frame_b >> self.right_trolley.frame_a
        end >> self.hinge5.frame_a
        self.hinge5.frame_b >> self.right_track.frame_b
        self._brake(translational.Damper(d=friction[0]), self.right_track, "right_friction")

    def _brake(self, damper, joint: Prismatic | Revolute, name: str) -> None:
        """Put a damper between the flanges of a joint."""
        setattr(self, name, damper)
        joint.support >> damper.flange_a
        damper.flange_b >> joint.axis
