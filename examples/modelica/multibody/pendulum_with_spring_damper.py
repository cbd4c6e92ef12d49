"""PendulumWithSpringDamper: a pendulum whose length a spring and a damper hold.

Data of Modelica.Mechanics.MultiBody.Examples.Elementary.PendulumWithSpringDamper. Writes
pendulum_with_spring_damper.png (plot) and pendulum_with_spring_damper_pose.png (picture).
"""

import numpy as np

from motorik import (
    Body,
    FixedTranslation,
    Model,
    Prismatic,
    Revolute,
    World,
    connect,
    forces,
)


class PendulumWithSpringDamper(Model):
    """A body on a hinge and a slide, with a spring and a damper along the slide."""

    def build(self) -> None:
        """Hang the body on hinge and slide; spring and damper act between the same frames."""
        self.world = World()
        self.body1 = Body(
            I_11=1.0, I_22=1.0, I_33=1.0, cylinderDiameter=0.05, sphereDiameter=0.2
        )
        self.bar1 = FixedTranslation(r=(0.3, 0, 0))
        self.spring1 = forces.Spring(c=20.0, s_unstretched=0.2)
        self.damper1 = forces.Damper(d=1.0)
        self.revolute = Revolute(phi=0.0, w=0.0)
        self.prismatic = Prismatic(s=0.5, v=0.0)
        self.world.frame_b >> self.bar1.frame_a
        connect(
            self.bar1.frame_b,
            self.revolute.frame_a,
            self.damper1.frame_a,
            self.spring1.frame_a,
        )
        self.revolute.frame_b >> self.prismatic.frame_a
        connect(
            self.damper1.frame_b,
            self.prismatic.frame_b,
            self.spring1.frame_b,
            self.body1.frame_a,
        )


def main() -> None:
    """Compare the last length with that at rest."""
    result = PendulumWithSpringDamper().simulate(10.0)
    rest = 0.2 + 1.0 * 9.80665 / 20.0  # m, below the hinge
    print(f"the spring ends with {result['prismatic.s'][-1]:.4f} m, at rest {rest:.4f} m")
    print(f"its longest is {np.max(result['prismatic.s']):.4f} m")
    result.plot(
        "prismatic.s",
        "revolute.phi",
        "spring1.f",
        "damper1.f",
        file="pendulum_with_spring_damper.png",
    )
    result.draw(
        1.0,
        trace="body1.frame_a",
        camera="front",
        file="pendulum_with_spring_damper_pose.png",
    )


if __name__ == "__main__":
    main()
