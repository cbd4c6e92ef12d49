"""Double pendulum: two boxes on two hinges, the first of them damped."""

from __future__ import annotations

from motorik import BodyBox, Parameter, Revolute, World, rotational
from motorik.model import Model


class DoublePendulum(Model):
    """Two steel boxes of 0.5 m, horizontal at rest at the start, falling in gravity along −y.

    60 mm wide and high; a damper of `damping` [N·m·s/rad] sits in the first hinge.
    """

    def build(self, damping: float | Parameter = 0.1) -> None:
        """Hang one box on the other."""
        self.world = World()
        self.hinge1 = Revolute(n="z", useAxisFlange=True)
        self.box1 = BodyBox(r=(0.5, 0, 0), width=0.06)
        self.hinge2 = Revolute(n="z")
        self.box2 = BodyBox(r=(0.5, 0, 0), width=0.06)
        self.damper = rotational.Damper(d=damping)
        self.world.frame_b >> self.hinge1.frame_a
        self.hinge1.frame_b >> self.box1.frame_a
        self.box1.frame_b >> self.hinge2.frame_a
        self.hinge2.frame_b >> self.box2.frame_a
        self.hinge1.support >> self.damper.flange_a
        self.damper.flange_b >> self.hinge1.axis
