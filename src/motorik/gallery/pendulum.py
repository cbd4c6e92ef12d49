"""Pendulum: one body on one damped hinge."""

from __future__ import annotations

from motorik import Body, Parameter, Revolute, World, rotational
from motorik.model import Model


class Pendulum(Model):
    """A damped pendulum, horizontal at phi = 0; first example of Otter et al. 2003.

    1 kg, its centre of mass 0.5 m from the hinge, gravity along −y, `damping` [N·m·s/rad].
    """

    def build(self, damping: float | Parameter = 0.1, phi: float = 0.0) -> None:
        """Hang the body on the hinge."""
        self.world = World()
        self.rev = Revolute(n="z", useAxisFlange=True, phi=phi)
        self.body = Body(m=1.0, r_CM=(0.5, 0, 0))
        self.damper = rotational.Damper(d=damping)
        self.world.frame_b >> self.rev.frame_a
        self.rev.frame_b >> self.body.frame_a
        self.rev.support >> self.damper.flange_a
        self.damper.flange_b >> self.rev.axis
