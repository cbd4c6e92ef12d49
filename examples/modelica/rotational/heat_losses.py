"""HeatLosses: all lossy parts in one line; their heat goes to the air.

Damper, backlash, bearing, lossy gear, clutch, one-way clutch and brake warm one thermal node,
which convection cools. Data of Modelica.Mechanics.Rotational.Examples.HeatLosses. Writes
heat_losses.png.
"""

import numpy as np

from motorik import Model, Result, blocks, connect, heat, rotational

LOSSY = (
    "damper",
    "springDamper",
    "elastoBacklash",
    "bearingFriction",
    "lossyGear",
    "clutch",
    "oneWayClutch",
    "brake",
)


def heat_of(result: Result, name: str) -> float:
    """Return the heat [J] that a part has given."""
    return float(np.trapezoid(result[f"{name}.lossPower"], result.time))


class HeatLosses(Model):
    """A drive train of lossy parts whose heat ports lead to the air at 25 °C."""

    def build(self) -> None:
        """Connect the train, its brake signals and its heat ports."""
        self.sine = blocks.Sine(amplitude=20.0, f=5.0)
        self.torque = rotational.Torque()
        self.inertia1 = rotational.Inertia(J=2.0, phi=0.0, w=0.0)
        self.damper = rotational.Damper(useHeatPort=True, d=10.0)
        self.fixed = rotational.Fixed()
        self.convection = heat.Convection()
        self.TAmbient = heat.FixedTemperature(T=273.15 + 25.0)
        self.const = blocks.Constant(k=20.0)
        self.springDamper = rotational.SpringDamper(useHeatPort=True, c=1e4, d=20.0)
        self.inertia2 = rotational.Inertia(J=2.0, phi=0.0, w=0.0)
        self.elastoBacklash = rotational.ElastoBacklash(useHeatPort=True, d=100.0, b=0.001)
        self.inertia3 = rotational.Inertia(J=2.0, phi=0.0, w=0.0)
        self.bearingFriction = rotational.BearingFriction(useHeatPort=True)
        self.spring3 = rotational.Spring(c=1e4)
        self.inertia4 = rotational.Inertia(J=2.0, phi=0.0, w=0.0)
        self.lossyGear = rotational.LossyGear(
            ratio=2.0,
            useHeatPort=True,
            lossTable=((0, 0.8, 0.8, 1.0, 1.0), (1.0, 0.7, 0.7, 2.0, 2.0)),
        )
        self.clutch = rotational.Clutch(
            useHeatPort=True, fn_max=10.0, phi_rel=0.0, w_rel=0.0
        )
        self.inertia5 = rotational.Inertia(J=2.0)
        self.sine2 = blocks.Sine(f=0.2)
        self.inertia6 = rotational.Inertia(J=2.0)
        self.oneWayClutch = rotational.OneWayClutch(
            useHeatPort=True, phi_rel=0.0, w_rel=0.0
        )
        self.brake = rotational.Brake(useHeatPort=True, fn_max=2.0)
        self.sine.y >> self.torque.tau
        self.torque.flange >> self.inertia1.flange_a
        connect(self.inertia1.flange_b, self.damper.flange_b, self.springDamper.flange_a)
        self.fixed.flange >> self.damper.flange_a
        connect(
            self.damper.heatPort,
            self.convection.solid,
            self.springDamper.heatPort,
            self.elastoBacklash.heatPort,
            self.bearingFriction.heatPort,
            self.lossyGear.heatPort,
            self.clutch.heatPort,
            self.oneWayClutch.heatPort,
            self.brake.heatPort,
        )
        self.TAmbient.port >> self.convection.fluid
        self.const.y >> self.convection.Gc
        self.springDamper.flange_b >> self.inertia2.flange_a
        self.inertia2.flange_b >> self.elastoBacklash.flange_a
        self.elastoBacklash.flange_b >> self.inertia3.flange_a
        self.inertia3.flange_b >> self.bearingFriction.flange_a
        self.spring3.flange_b >> self.inertia4.flange_a
        self.bearingFriction.flange_b >> self.spring3.flange_a
        self.inertia4.flange_b >> self.lossyGear.flange_a
        self.lossyGear.flange_b >> self.clutch.flange_a
        self.clutch.flange_b >> self.inertia5.flange_a
        connect(
            self.sine2.y,
            self.clutch.f_normalized,
            self.oneWayClutch.f_normalized,
            self.brake.f_normalized,
        )
        self.inertia5.flange_b >> self.oneWayClutch.flange_a
        self.oneWayClutch.flange_b >> self.inertia6.flange_a
        self.inertia6.flange_b >> self.brake.flange_a


def main() -> None:
    """Compare the heat of the parts with the heat that reaches the air."""
    result = HeatLosses().simulate(2.0, interval=1e-4)
    given = {name: heat_of(result, name) for name in LOSSY}
    for name, joules in given.items():
        print(f"{name:>15}: {joules:9.4f} J")
    air = np.trapezoid(result["convection.Q_flow"], result.time)
    print(f"together {sum(given.values()):.3f} J; {air:.3f} J reach the air")
    result.plot(
        "inertia1.w",
        "inertia4.w",
        "inertia6.w",
        "convection.Q_flow",
        file="heat_losses.png",
    )


if __name__ == "__main__":
    main()
