"""RollingWheelSetPulling: a wheel set that is pulled at its drawbar.

Data of Modelica.Mechanics.MultiBody.Examples.Elementary.RollingWheelSetPulling. Writes
rolling_wheel_set_pulling.png (plot) and rolling_wheel_set_pulling_pose.png (picture).
"""

import numpy as np

from motorik import (
    Body,
    FixedTranslation,
    Model,
    World,
    blocks,
    connect,
    forces,
    parts,
    visualizers,
)


class RollingWheelSetPulling(Model):
    """Two wheels on one axle; a force pulls a drawbar of 0.2 m."""

    def build(self) -> None:
        """Place the wheel set on the ground; the force follows a table."""
        self.world = World(n="-z", animateGround=True, groundLength_u=3.0)
        self.force = forces.WorldForce()
        self.wheelSet = parts.RollingWheelSet(
            R_wheel=0.1,
            m_wheel=0.5,
            I_wheelAxis=0.01,
            I_wheelLong=0.02,
            track=0.5,
            x=0.1,
            y=0.1,
        )
        self.body = Body(m=0.01)
        self.combiTimeTable = blocks.CombiTimeTable(
            table=((0, 1.0, 0, 0), (1.0, 1.0, 0, 0), (2.0, 0, 2.0, 0), (3.0, 0, 2.0, 0))
        )
        self.fixedTranslation = FixedTranslation(r=(0.2, 0, 0), width=0.04)
        self.shape = visualizers.FixedShape(
            shapeType="pipe",
            r_shape=(0, -0.01, 0),
            lengthDirection="y",
            widthDirection="x",
            length=0.02,
            width=0.2,
            height=0.2,
            extra=0.8,
        )
        self.combiTimeTable.y >> self.force.force
        self.fixedTranslation.frame_a >> self.wheelSet.frameMiddle
        connect(
            self.fixedTranslation.frame_b,
            self.body.frame_a,
            self.force.frame_b,
            self.shape.frame_a,
        )


def main() -> None:
    """Tell the path of the wheel set."""
    result = RollingWheelSetPulling().simulate(3.0)
    x, y = result["wheelSet.x"], result["wheelSet.y"]
    path = np.sum(np.hypot(np.diff(x), np.diff(y)))
    print(
        f"the axle runs {path:.3f} m and turns by {np.degrees(np.ptp(result['wheelSet.phi'])):.1f}°"
    )
    result.plot(
        "wheelSet.x",
        "wheelSet.y",
        "wheelSet.phi",
        "combiTimeTable.y",
        file="rolling_wheel_set_pulling.png",
    )
    result.draw(
        trace="wheelSet.frameMiddle", ghosts=3, file="rolling_wheel_set_pulling_pose.png"
    )


if __name__ == "__main__":
    main()
