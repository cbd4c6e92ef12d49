"""Vehicle: a vehicle, and one that pulls a trailer over the same hill.

Torque and inclination of the road follow a table; the second vehicle has twice the torque. Data
of Modelica.Mechanics.Translational.Examples.Vehicle. Writes vehicle.png.
"""

import numpy as np

from motorik import Model, blocks, connect, rotational, translational

SPEED = 25.0 / 3.5  # m/s
DRAG = 0.5 * 0.5 * 1.18 * SPEED**2  # N, of the air at this speed
ROLLING = 0.01 * 100.0 * 9.80665  # N


class Vehicle(Model):
    """A vehicle alone, and a vehicle with a trailer behind a coupling."""

    def build(self) -> None:
        """Connect the table with drives and roads, and the coupling with the trailer."""
        self.vehicle = translational.Vehicle(
            m=100.0, R=0.25, CrConstant=0.01, useInclinationInput=True, s=0.0, v=0.0
        )
        self.vehicle1 = translational.Vehicle(
            m=100.0, R=0.25, CrConstant=0.01, useInclinationInput=True, s=0.0, v=0.0
        )
        self.trailer = translational.Vehicle(
            m=100.0, R=0.25, CrConstant=0.01, useInclinationInput=True
        )
        self.multiSensor = translational.MultiSensor()
        self.timeTableTorqueInclination = blocks.CombiTimeTable(
            table=(
                (0, 0, 0),
                (5.0, 0, 0),
                (5.0, 5.6, 0),
                (10.8, 5.6, 0),
                (10.8, 1.0, 0),
                (20.0, 1.0, 0),
                (20.0, 2.8, 0.05),
                (25.0, 2.8, 0.05),
                (25.0, 1.0, 0),
                (50.0, 1.0, 0),
                (50.0, -5.0, 0),
                (55.0, -5.0, 0),
                (55.0, 0, 0),
                (60.0, 0, 0),
            ),
            extrapolation="HoldLastPoint",
        )
        self.torque = rotational.Torque()
        self.torque1 = rotational.Torque()
        self.gain = blocks.Gain(k=(DRAG + ROLLING) * 0.25)
        self.gain1 = blocks.Gain(k=2.0)
        self.timeTableTorqueInclination.y[0] >> self.gain.u
        connect(
            self.timeTableTorqueInclination.y[1],
            self.vehicle.inclination,
            self.vehicle1.inclination,
            self.trailer.inclination,
        )
        connect(self.gain.y, self.torque.tau, self.gain1.u)
        self.torque.flange >> self.vehicle.flangeR
        self.torque1.flange >> self.vehicle1.flangeR
        self.gain1.y >> self.torque1.tau
        self.vehicle1.flangeT >> self.multiSensor.flange_a
        self.multiSensor.flange_b >> self.trailer.flangeT


def main() -> None:
    """Tell speeds and the largest force in the coupling."""
    result = Vehicle().simulate(60.0)
    print(f"largest speed {np.max(result['vehicle.v']):.2f} m/s, ", end="")
    print(f"with the trailer {np.max(result['vehicle1.v']):.2f} m/s")
    print(f"the coupling carries up to {np.abs(result['multiSensor.f']).max():.1f} N")
    result.plot(
        "vehicle.v",
        "vehicle1.v",
        "torque.tau",
        "multiSensor.f",
        "vehicle.inclination",
        file="vehicle.png",
    )


if __name__ == "__main__":
    main()
