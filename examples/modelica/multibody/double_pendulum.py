"""DoublePendulum: two boxes on hinges, the first one damped.

Data of Modelica.Mechanics.MultiBody.Examples.Elementary.DoublePendulum. Writes
double_pendulum.png (plot) and double_pendulum_pose.png (picture).
"""

import numpy as np

from motorik import BodyBox, Model, Revolute, World, rotational


class DoublePendulum(Model):
    """Two steel boxes of 0.5 m, horizontal and at rest at the start."""

    def build(self) -> None:
        """Hang the boxes one behind the other."""
        self.world = World()
        self.revolute1 = Revolute(useAxisFlange=True, phi=0.0, w=0.0)
        self.damper = rotational.Damper(d=0.1)
        self.boxBody1 = BodyBox(r=(0.5, 0, 0), width=0.06)
        self.revolute2 = Revolute(phi=0.0, w=0.0)
        self.boxBody2 = BodyBox(r=(0.5, 0, 0), width=0.06)
        self.damper.flange_b >> self.revolute1.axis
        self.revolute1.support >> self.damper.flange_a
        self.revolute1.frame_b >> self.boxBody1.frame_a
        self.revolute2.frame_b >> self.boxBody2.frame_a
        self.boxBody1.frame_b >> self.revolute2.frame_a
        self.world.frame_b >> self.revolute1.frame_a


def main() -> None:
    """Compare the energy that is lost with the work of the damper."""
    result = DoublePendulum().simulate(3.0, rtol=1e-8, output=3000)
    energy = result.energy()["total"]
    lost = np.trapezoid(0.1 * result["damper.w_rel"] ** 2, result.time)
    print(f"{energy[0] - energy[-1]:.5f} J are lost, {lost:.5f} J in the damper")
    result.plot(
        "revolute1.phi",
        "revolute2.phi",
        "damper.tau",
        unit="deg",
        file="double_pendulum.png",
    )
    result.draw(
        1.2,
        trace="boxBody2.frame_b",
        ghosts=4,
        camera="front",
        file="double_pendulum_pose.png",
    )


if __name__ == "__main__":
    main()
