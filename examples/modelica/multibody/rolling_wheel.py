"""RollingWheel: a wheel that rolls on the ground.

Data of Modelica.Mechanics.MultiBody.Examples.Elementary.RollingWheel. Writes rolling_wheel.png
(plot) and rolling_wheel_pose.png (picture).
"""

import numpy as np

from motorik import Model, World, parts


class RollingWheel(Model):
    """A wheel of 2 kg that starts upright with 5 rad/s and turns slowly."""

    def build(self) -> None:
        """Place the wheel on the ground."""
        self.world = World(n="-z", animateGround=True, groundLength_u=4.0)
        self.wheel1 = parts.RollingWheel(
            radius=0.3,
            m=2.0,
            I_axis=0.06,
            I_long=0.12,
            sequence=(3, 2, 1),
            x=0.2,
            y=0.2,
            der_angles=(0, 5.0, 1.0),
        )


def main() -> None:
    """Check that the energy is kept, and tell where the wheel goes."""
    result = RollingWheel().simulate(4.0, rtol=1e-9)
    energy = result.energy()
    print(f"energy kept within {np.ptp(energy['total']) / energy['kinetic'].max():.1g}")
    print(
        f"after 4 s it is at ({result['wheel1.x'][-1]:.3f}, {result['wheel1.y'][-1]:.3f}) m"
    )
    result.plot("wheel1.angles", "wheel1.x", "wheel1.y", file="rolling_wheel.png")
    result.draw(3.0, trace="wheel1.frame_a", ghosts=4, file="rolling_wheel_pose.png")


if __name__ == "__main__":
    main()
