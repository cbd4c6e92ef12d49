"""DoublePendulumInitTip: a double pendulum whose tip is given at the start.

The start position of the tip is given in the world; the angles of both hinges follow from it.
Data of Modelica.Mechanics.MultiBody.Examples.Elementary.DoublePendulumInitTip. Writes
double_pendulum_init_tip.png (plot) and double_pendulum_init_tip_pose.png (picture).
"""

import numpy as np

from motorik import (
    BodyBox,
    FreeMotionScalarInit,
    Model,
    Revolute,
    World,
    connect,
    deg,
    guess,
    rotational,
)


class DoublePendulumInitTip(Model):
    """Two steel boxes of 0.5 m; their tip starts at (0.7, 0.3) m at rest."""

    def build(self) -> None:
        """Hang the boxes one behind the other; a free motion gives the start of the tip."""
        self.world = World()
        self.revolute1 = Revolute(useAxisFlange=True)
        self.damper = rotational.Damper(d=0.1)
        self.boxBody1 = BodyBox(r=(0.5, 0, 0), width=0.06)
        self.revolute2 = Revolute(phi=guess(deg(90)))
        self.boxBody2 = BodyBox(r=(0.5, 0, 0), width=0.06)
        self.freeMotionScalarInit = FreeMotionScalarInit(
            use_r=True,
            use_v=True,
            r_rel_a_1=0.7,
            r_rel_a_2=0.3,
            v_rel_a_1=0.0,
            v_rel_a_2=0.0,
        )
        self.damper.flange_b >> self.revolute1.axis
        self.revolute1.support >> self.damper.flange_a
        self.revolute1.frame_b >> self.boxBody1.frame_a
        self.revolute2.frame_b >> self.boxBody2.frame_a
        self.boxBody1.frame_b >> self.revolute2.frame_a
        connect(
            self.world.frame_b, self.revolute1.frame_a, self.freeMotionScalarInit.frame_a
        )
        self.freeMotionScalarInit.frame_b >> self.boxBody2.frame_b


def main() -> None:
    """Tell the angles that follow from the position of the tip."""
    result = DoublePendulumInitTip().simulate(3.0)
    first, second = (np.degrees(result[f"revolute{k}.phi"][0]) for k in (1, 2))
    print(f"the hinges start at {first:.3f}° and {second:.3f}°")
    print(f"the tip starts at {result['boxBody2.frame_b.r_0'][0].round(12)} m")
    result.plot(
        "revolute1.phi", "revolute2.phi", unit="deg", file="double_pendulum_init_tip.png"
    )
    result.draw(0.0, camera="front", file="double_pendulum_init_tip_pose.png")


if __name__ == "__main__":
    main()
