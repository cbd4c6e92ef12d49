"""Pendulum: the first pendulum.

Data of Modelica.Mechanics.MultiBody.Examples.Elementary.Pendulum. Writes pendulum.png (plot) and
pendulum_pose.png (picture).
"""

import numpy as np

from motorik import Body, Model, Revolute, World, rotational


class Pendulum(Model):
    """A body on a damped hinge, horizontal at the start."""

    def build(self) -> None:
        """Hang the body on its hinge."""
        self.world = World()
        self.rev = Revolute(useAxisFlange=True, phi=0.0, w=0.0)
        self.damper = rotational.Damper(d=0.1)
        self.body = Body(r_CM=(0.5, 0, 0))
        self.world.frame_b >> self.rev.frame_a
        self.damper.flange_b >> self.rev.axis
        self.rev.support >> self.damper.flange_a
        self.rev.frame_b >> self.body.frame_a


def main() -> None:
    """Tell where it turns back."""
    result = Pendulum().simulate(5.0)
    print(f"it swings out to {np.degrees(result['rev.phi'].min()):.2f}°")
    print(f"after 5 s it has {result.energy()['kinetic'][-1]:.4f} J of kinetic energy")
    result.plot("rev.phi", "rev.w", "damper.tau", unit="deg", file="pendulum.png")
    result.draw(0.7, ghosts=3, camera="front", file="pendulum_pose.png")


if __name__ == "__main__":
    main()
