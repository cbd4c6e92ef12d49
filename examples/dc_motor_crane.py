"""Gantry crane with a DC motor: battery, switches, motor, gearbox, trolley, load, and the heat.

A battery drives the trolley along its rail for two seconds; then the motor is taken off the
battery and shorted by a resistor, so that it brakes as a generator. The load swings below the
trolley. The winding heats up, its resistance grows with the temperature, and its heat flows to the
air. The example checks that the energy of the battery is found again: as motion, and as heat in the
battery, the winding, the switches, the braking resistor, the bearing and the air. Writes
dc_motor_crane.png and dc_motor_crane_plot.png.
"""

import numpy as np

from motorik import (
    Body,
    BodyBox,
    FixedTranslation,
    Model,
    Prismatic,
    Result,
    Revolute,
    World,
    blocks,
    electrical,
    heat,
    rotational,
)

DRIVES = 2.0  # s
AIR = 293.15  # K
WINDING = 60.0  # J/K
COIL = 2e-3  # H
BEARING = 4.0  # N·m·s/rad


class Crane(Model):
    """From the battery to the load."""

    def build(self, load: float = 150.0, rope: float = 3.0) -> None:
        """Connect circuit, drive line, mechanism and heat; `load` [kg] hangs on a `rope` [m]."""
        self.build_circuit()
        self.build_mechanism(load, rope)
        self.build_heat()

    def build_circuit(self) -> None:
        """Let a battery with an inner resistance feed the motor, then a resistor brake it."""
        self.battery = electrical.ConstantVoltage(V=48.0)
        self.inner = electrical.Resistor(R=0.05)
        self.main = electrical.IdealOpeningSwitch()
        self.short = electrical.IdealClosingSwitch()
        self.brake = electrical.Resistor(R=0.4)
        self.motor = electrical.DCMotor(
            R=0.25, L=COIL, k=0.15, J=2e-3, alpha=3.9e-3, T_ref=AIR, i=0.0, useHeatPort=True
        )
        self.ground = electrical.Ground()
        self.stops = blocks.BooleanStep(startTime=DRIVES)
        self.connect(self.battery.p, self.inner.p)
        self.connect(self.inner.n, self.main.p)
        self.connect(self.main.n, self.motor.p, self.short.p)
        self.connect(self.short.n, self.brake.p)
        self.connect(self.battery.n, self.motor.n, self.brake.n, self.ground.p)
        self.connect(self.stops.y, self.main.control, self.short.control)

    def build_mechanism(self, load: float, rope: float) -> None:
        """Let the motor drive the trolley through a gear and a wheel on the rail."""
        self.gear = rotational.IdealGear(ratio=25.0)
        self.bearing = rotational.Damper(d=BEARING)
        self.housing = rotational.Fixed()
        self.wheel = rotational.IdealRollingWheel(radius=0.15)
        self.world = World(n="-y")
        self.rail = Prismatic(n="x", useAxisFlange=True, s=0.0, v=0.0)
        self.trolley = BodyBox(r=(0.6, 0.0, 0.0), r_shape=(-0.3, 0.0, 0.0), width=0.3)
        self.hinge = Revolute(n="z", phi=0.0, w=0.0)
        self.rope = FixedTranslation(r=(0.0, -rope, 0.0))
        self.load = Body(m=load, I_11=4.0, I_22=4.0, I_33=4.0, sphereDiameter=0.5)
        self.connect(self.motor.flange, self.gear.flange_a)
        self.connect(self.gear.flange_b, self.wheel.flangeR, self.bearing.flange_a)
        self.connect(self.bearing.flange_b, self.housing.flange)
        self.connect(self.wheel.flangeT, self.rail.axis)
        self.connect(self.world.frame_b, self.rail.frame_a)
        self.connect(self.rail.frame_b, self.trolley.frame_a, self.hinge.frame_a)
        self.connect(self.hinge.frame_b, self.rope.frame_a)
        self.connect(self.rope.frame_b, self.load.frame_a)

    def build_heat(self) -> None:
        """Let the heat of the winding flow to the air."""
        self.winding = heat.HeatCapacitor(C=WINDING, T=AIR)
        self.cooling = heat.ThermalConductor(G=2.0)
        self.air = heat.FixedTemperature(T=AIR)
        self.connect(self.motor.heatPort, self.winding.port, self.cooling.port_a)
        self.connect(self.cooling.port_b, self.air.port)


def balance(result: Result) -> dict[str, float]:
    """Return where the energy of the battery is at the end [J]."""

    def integral(power: np.ndarray) -> float:
        return float(np.trapezoid(power, result.time))

    energy = result.energy()
    moving = energy["kinetic"] + energy["potential"]
    resistors = ("inner", "brake", "main", "short")
    return {
        "battery": integral(
            -np.asarray(result["battery.v"]) * np.asarray(result["battery.i"])
        ),
        "motion": float(moving[-1] - moving[0]),
        "resistors": sum(integral(np.asarray(result[f"{n}.lossPower"])) for n in resistors),
        "winding": WINDING * float(result["winding.T"][-1] - AIR),
        "air": integral(np.asarray(result["cooling.Q_flow"])),
        "bearing": integral(BEARING * np.asarray(result["bearing.w_rel"]) ** 2),
        "coil": 0.5 * COIL * float(result["motor.i"][-1]) ** 2,
    }


def main() -> None:
    """Drive, brake, and account for the energy."""
    crane = Crane()
    print(crane.explain())
    result = crane.simulate(8.0, rtol=1e-8, interval=2e-4)
    print(result.summary())
    print(result.events)

    found = balance(result)
    for name, value in found.items():
        print(f"{name:>10}: {value:8.1f} J")
    missing = 2.0 * found["battery"] - sum(found.values())
    print(f"missing: {missing:.3f} J")
    assert abs(missing) < 1e-3 * found["battery"]
    warmest = float(np.max(result["winding.T"])) - AIR
    print(f"the winding gets {warmest:.1f} K warmer than the air")
    swing = np.degrees(np.max(np.abs(result["hinge.phi"])))
    print(
        f"the trolley ends at {result['rail.s'][-1]:.2f} m; the load swings by {swing:.1f}°"
    )

    result.draw(file="dc_motor_crane.png")
    shown = ("rail.v", "hinge.phi", "motor.i", "winding.T")
    result.plot(*shown, file="dc_motor_crane_plot.png")


if __name__ == "__main__":
    main()
