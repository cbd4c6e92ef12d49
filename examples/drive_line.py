"""Drive line of a car: engine, elastic clutch, gearbox, differential, elastic half-shafts, wheels.

The engine's torque pulses with the firing of its cylinders; the line has torsional modes that the
pulses can excite. The example runs the line up in second gear, compares the motion with that of a
rigid line, and finds at which engine speed the clutch is shaken most. Writes drive_line.png.
"""

import numpy as np

from motorik import Model, Parameter, blocks, rotational, translational
from motorik.algebra import sin

GEAR, AXLE = 2.1, 3.7  # ratios of second gear and of the final drive
WHEEL = 0.31  # m
CAR = 1400.0  # kg


class DriveLine(Model):
    """From the crankshaft to the road."""

    def build(self, torque=120.0, pulse=60.0, stiffness=9000.0):
        """Connect the line; `torque` and `pulse` [N·m] are mean and pulsation at the crankshaft."""
        self.crankshaft = rotational.Inertia(J=0.18, phi=0.0, w=100.0)
        self.sensor = rotational.AngleSensor()
        self.firing = blocks.Function(f=lambda phi: torque + pulse * sin(2.0 * phi))
        self.engine = rotational.Torque()
        self.clutch = rotational.SpringDamper(c=1200.0, d=2.0)
        self.gearbox = rotational.IdealGear(ratio=GEAR)
        self.propeller = rotational.Inertia(J=0.02, w=100.0 / GEAR)
        self.axle = rotational.IdealGear(ratio=AXLE)
        self.shafts = rotational.SpringDamper(c=stiffness, d=20.0)
        self.wheels = rotational.Inertia(J=2.4)
        self.road = rotational.IdealRollingWheel(radius=WHEEL)
        self.car = translational.Mass(m=CAR, v=100.0 / (GEAR * AXLE) * WHEEL)
        self.drag = translational.QuadraticSpeedDependentForce(
            f_nominal=-350.0, v_nominal=27.8, ForceDirection=False
        )
        self.connect(self.sensor.phi, self.firing.u[0])
        self.connect(self.firing.y, self.engine.tau)
        self.connect(self.engine.flange, self.crankshaft.flange_a, self.sensor.flange)
        self.connect(self.crankshaft.flange_b, self.clutch.flange_a)
        self.connect(self.clutch.flange_b, self.gearbox.flange_a)
        self.connect(self.gearbox.flange_b, self.propeller.flange_a)
        self.connect(self.propeller.flange_b, self.axle.flange_a)
        self.connect(self.axle.flange_b, self.shafts.flange_a)
        self.connect(self.shafts.flange_b, self.wheels.flange_a)
        self.connect(self.wheels.flange_b, self.road.flangeR)
        self.connect(self.road.flangeT, self.car.flange_a)
        self.connect(self.car.flange_b, self.drag.flange)


def main() -> None:
    """Run the line up, compare it with a rigid one, and find its worst speed."""
    line = DriveLine(pulse=Parameter(60.0))
    print(line.explain())
    result = line.simulate(12.0, rtol=1e-8, output=4000)
    print(result.summary())

    calm = line.simulate(1.0, parameters={"pulse": 0.0})
    ratio = GEAR * AXLE
    inertia = (
        0.18 * (ratio / WHEEL) ** 2 + 0.02 * (AXLE / WHEEL) ** 2 + 2.4 / WHEEL**2 + CAR
    )
    rigid = (120.0 * ratio / WHEEL - 350.0 * (calm["car.v"][0] / 27.8) ** 2) / inertia
    mean = np.polyfit(calm.time, calm["car.v"], 2)[1]
    print(
        f"the car starts at {mean:.3f} m/s² on the mean, a rigid line at {rigid:.3f} m/s²"
    )

    speed, torque = result["crankshaft.w"], result["clutch.tau"]
    windows = np.array_split(np.arange(len(result)), 80)
    swing = [np.ptp(torque[rows]) for rows in windows]
    worst = windows[int(np.argmax(swing))]
    print(
        f"the clutch is shaken most at {np.mean(speed[worst]) * 30 / np.pi:.0f} 1/min: "
        f"±{max(swing) / 2:.0f} N·m"
    )
    result.plot("crankshaft.w", "car.v", "clutch.tau", "shafts.tau", file="drive_line.png")


if __name__ == "__main__":
    main()
