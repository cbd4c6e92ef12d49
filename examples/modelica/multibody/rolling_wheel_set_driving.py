"""RollingWheelSetDriving: a wheel set that is steered by the torques on its wheels.

Data of Modelica.Mechanics.MultiBody.Examples.Elementary.RollingWheelSetDriving. Writes
rolling_wheel_set_driving.png (plot) and rolling_wheel_set_driving_pose.png (picture).
"""

import numpy as np

from motorik import (
    Body,
    FixedTranslation,
    Model,
    World,
    blocks,
    connect,
    deg,
    parts,
    rotational,
    visualizers,
)


class RollingWheelSetDriving(Model):
    """Two wheels on one axle; sinusoidal torques drive them."""

    def build(self) -> None:
        """Place the wheel set on the ground and drive both wheels against its support."""
        self.world = World(n="-z", animateGround=True, groundLength_u=3.0)
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
        self.fixedTranslation = FixedTranslation(r=(0.2, 0, 0), width=0.04)
        self.sine1 = blocks.Sine(amplitude=2.0)
        self.sine2 = blocks.Sine(amplitude=2.0, phase=deg(90))
        self.torque1 = rotational.Torque2()
        self.torque2 = rotational.Torque2()
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
        self.fixedTranslation.frame_a >> self.wheelSet.frameMiddle
        connect(self.fixedTranslation.frame_b, self.body.frame_a, self.shape.frame_a)
        self.wheelSet.axis1 >> self.torque1.flange_a
        connect(self.torque1.flange_b, self.wheelSet.support, self.torque2.flange_b)
        self.wheelSet.axis2 >> self.torque2.flange_a
        self.sine1.y >> self.torque1.tau
        self.sine2.y >> self.torque2.tau


def main() -> None:
    """Tell the path of the wheel set."""
    result = RollingWheelSetDriving().simulate(3.0)
    x, y = result["wheelSet.x"], result["wheelSet.y"]
    path = np.sum(np.hypot(np.diff(x), np.diff(y)))
    print(
        f"the axle runs {path:.3f} m and turns by {np.degrees(np.ptp(result['wheelSet.phi'])):.1f}°"
    )
    result.plot("wheelSet.y", x="wheelSet.x", file="rolling_wheel_set_driving.png")
    result.draw(
        trace="wheelSet.frameMiddle", ghosts=3, file="rolling_wheel_set_driving_pose.png"
    )


if __name__ == "__main__":
    main()
