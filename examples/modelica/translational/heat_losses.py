"""HeatLosses: all lossy parts in one line; their heat goes to the air.

Dampers, a gap, friction, a brake and a mass with stops warm one thermal node, which
convection cools. Data of Modelica.Mechanics.Translational.Examples.HeatLosses. Writes
heat_losses.png.
"""

import numpy as np

from motorik import Model, Result, blocks, connect, heat, translational

LOSSY = (
    "damper",
    "elastoGap",
    "springDamper",
    "supportFriction",
    "brake",
    "springDamper1",
    "massWithStopAndFriction",
)


def heat_of(result: Result, name: str) -> float:
    """Return the heat [J] that a part has given."""
    return float(np.trapezoid(result[f"{name}.lossPower"], result.time))


class HeatLosses(Model):
    """A line of lossy parts whose heat ports lead to the air at 25 °C."""

    def build(self) -> None:
        """Connect the line and its heat ports."""
        self.mass1 = translational.Mass(m=1.0, L=0.1, s=0.0, v=0.0)
        self.springDamper = translational.SpringDamper(
            useHeatPort=True, c=100.0, d=10.0, s_rel=0.0, v_rel=0.0
        )
        self.damper = translational.Damper(useHeatPort=True, d=10.0)
        self.elastoGap = translational.ElastoGap(
            useHeatPort=True, c=100.0, d=20.0, s_rel0=-0.02
        )
        self.fixed1 = translational.Fixed()
        self.force = translational.Force()
        self.sine1 = blocks.Sine(amplitude=20.0)
        self.mass2 = translational.Mass(m=1.0, L=0.1)
        self.supportFriction = translational.SupportFriction(useHeatPort=True)
        self.spring = translational.Spring(c=100.0, s_rel=0.0)
        self.mass3 = translational.Mass(m=1.0, L=0.1, v=0.0)
        self.brake = translational.Brake(useHeatPort=True, fn_max=10.0)
        self.sine2 = blocks.Sine(amplitude=10.0, f=2.0)
        self.massWithStopAndFriction = translational.MassWithStopAndFriction(
            useHeatPort=True,
            L=0.1,
            v=0.0,
            smax=0.4,
            smin=0.0,
            F_prop=0.5,
            F_Coulomb=1.0,
            F_Stribeck=2.0,
        )
        self.convection = heat.Convection()
        self.const = blocks.Constant(k=20.0)
        self.TAmbient = heat.FixedTemperature(T=273.15 + 25.0)
        self.fixed2 = translational.Fixed()
        self.springDamper1 = translational.SpringDamper(
            useHeatPort=True, c=1e4, d=1000.0, s_rel=0.0
        )
        self.mass1.flange_b >> self.springDamper.flange_a
        self.sine1.y >> self.force.f
        connect(
            self.force.flange,
            self.mass1.flange_a,
            self.damper.flange_a,
            self.elastoGap.flange_b,
        )
        self.damper.flange_b >> self.fixed1.flange
        self.springDamper.flange_b >> self.mass2.flange_a
        self.mass2.flange_b >> self.supportFriction.flange_a
        self.supportFriction.flange_b >> self.spring.flange_a
        self.spring.flange_b >> self.mass3.flange_a
        self.mass3.flange_b >> self.brake.flange_a
        self.sine2.y >> self.brake.f_normalized
        self.const.y >> self.convection.Gc
        self.TAmbient.port >> self.convection.fluid
        self.fixed2.flange >> self.elastoGap.flange_a
        connect(
            self.elastoGap.heatPort,
            self.convection.solid,
            self.damper.heatPort,
            self.springDamper.heatPort,
            self.supportFriction.heatPort,
            self.brake.heatPort,
            self.massWithStopAndFriction.heatPort,
            self.springDamper1.heatPort,
        )
        self.brake.flange_b >> self.springDamper1.flange_a
        self.springDamper1.flange_b >> self.massWithStopAndFriction.flange_a


def main() -> None:
    """Compare the heat of the parts with the heat that reaches the air."""
    result = HeatLosses().simulate(2.0, interval=1e-4)
    given = {name: heat_of(result, name) for name in LOSSY}
    for name, joules in given.items():
        print(f"{name:>23}: {joules:7.4f} J")
    air = np.trapezoid(result["convection.Q_flow"], result.time)
    print(f"together {sum(given.values()):.3f} J; {air:.3f} J reach the air")
    result.plot(
        "mass1.s", "mass2.s", "mass3.s", "convection.Q_flow", file="heat_losses.png"
    )


if __name__ == "__main__":
    main()
