"""Drive line of a car: engine, elastic clutch, gearbox, differential, elastic half-shafts, wheels.

The driver steps on the pedal in second gear. The engine torque pulsates with the firing of the
cylinders, and the engine oscillates against the car on the elastic clutch and half-shafts. The
example measures this oscillation and compares it with that of two inertias on a spring. Writes
drive_line.png.
"""

import numpy as np

from motorik import Model, Parameter, blocks, rotational, sin, translational

GEAR, AXLE = 2.1, 3.7  # ratios of second gear and of the final drive
WHEEL = 0.31  # m
CAR = 1400.0  # kg


class DriveLine(Model):
    """From the crankshaft to the road."""

    def build(
        self,
        torque: float | Parameter = 120.0,
        pulse: float | Parameter = 60.0,
        stiffness: float | Parameter = 9000.0,
    ) -> None:
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
    """Step on the pedal, with and without the pulses of the engine."""
    line = DriveLine(pulse=Parameter(60.0))
    print(line.explain())
    result = line.simulate(4.0, rtol=1e-8, output=2000)
    print(result.summary())

    calm = line.simulate(4.0, rtol=1e-8, output=2000, parameters={"pulse": 0.0})
    torque = calm["shafts.tau"] - np.mean(calm["shafts.tau"][-500:])
    crossings = calm.time[1:][np.diff(np.sign(torque)) > 0]
    measured = 1.0 / np.mean(np.diff(crossings[:8]))
    ratio = GEAR * AXLE  # everything as seen from the wheels
    stiffness = 1.0 / (1.0 / (1200.0 * ratio**2) + 1.0 / 9000.0)
    engine, car = 0.18 * ratio**2, 2.4 + CAR * WHEEL**2
    expected = np.sqrt(stiffness * (1.0 / engine + 1.0 / car)) / (2.0 * np.pi)
    print(
        f"the line swings at {measured:.2f} Hz; two inertias on a spring at {expected:.2f} Hz"
    )
    pulses = np.ptp(result["clutch.tau"] - calm["clutch.tau"])
    print(f"the pulses of the engine add ±{pulses / 2.0:.0f} N·m in the clutch")
    result.plot("crankshaft.w", "car.v", "clutch.tau", "shafts.tau", file="drive_line.png")


if __name__ == "__main__":
    main()
