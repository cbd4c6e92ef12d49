"""Sensors: sensors of force, position, speed and acceleration.

Data of Modelica.Mechanics.Translational.Examples.Sensors. Writes sensors.png.
"""

import numpy as np

from motorik import Model, blocks, connect, translational


class Sensors(Model):
    """A mass pushed by a sinusoidal force, with sensors on both flanges."""

    def build(self) -> None:
        """Put the sensors between force and mass, and on the flanges."""
        self.forceSensor = translational.ForceSensor()
        self.multiSensor = translational.MultiSensor()
        self.speedSensor1 = translational.SpeedSensor()
        self.positionSensor1 = translational.PositionSensor()
        self.accSensor1 = translational.AccSensor()
        self.positionSensor2 = translational.PositionSensor()
        self.mass = translational.Mass(m=1.0, L=1.0, s=0.0, v=0.0)
        self.force = translational.Force()
        self.sineForce = blocks.Sine(amplitude=10.0, f=4.0)
        self.sineForce.y >> self.force.f
        self.force.flange >> self.forceSensor.flange_a
        connect(
            self.positionSensor1.flange,
            self.mass.flange_a,
            self.speedSensor1.flange,
            self.accSensor1.flange,
            self.multiSensor.flange_b,
        )
        self.mass.flange_b >> self.positionSensor2.flange
        self.forceSensor.flange_b >> self.multiSensor.flange_a


def main() -> None:
    """Compare force and acceleration, and the power with the rate of the kinetic energy."""
    result = Sensors().simulate(1.0)
    apart = np.abs(result["forceSensor.f"] - result["accSensor1.a"]).max()
    print(f"force over 1 kg and acceleration agree within {apart:.1g} m/s²")
    length = result["positionSensor2.s"] - result["positionSensor1.s"]
    print(f"the flanges stay {length.min():.3f} m to {length.max():.3f} m apart")
    result.plot(
        "forceSensor.f",
        "accSensor1.a",
        "speedSensor1.v",
        "multiSensor.power",
        file="sensors.png",
    )


if __name__ == "__main__":
    main()
