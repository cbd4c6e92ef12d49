"""HeatLosses: dampers between frames warm the air.

Three bodies on springs: with a damper, with a spring-damper in parallel and in series. Data of
Modelica.Mechanics.MultiBody.Examples.Elementary.HeatLosses. Writes heat_losses.png (plot) and
heat_losses_pose.png (picture).
"""

import numpy as np

from motorik import Body, FixedTranslation, Model, World, blocks, connect, deg, forces, heat


class HeatLosses(Model):
    """Three bodies whose dampers give their heat to the air at 25 °C."""

    def build(self) -> None:
        """Hang the bodies beside each other; the heat ports lead to a convection."""
        self.world = World()
        self.body1 = Body(
            angles_fixed=True,
            r_0=(0.3, -0.2, 0),
            v_0=(0, 0, 0),
            w_0_fixed=True,
            w_0_start=deg((0, 0, 2)),
            r_CM=(0, -0.2, 0),
            I_11=0.1,
            I_22=0.1,
            I_33=0.1,
            cylinderDiameter=0.05,
            sphereDiameter=0.15,
        )
        self.bar1 = FixedTranslation(r=(0.3, 0, 0))
        self.bar2 = FixedTranslation(r=(0.3, 0, 0))
        self.spring1 = forces.Spring(c=30.0, s_unstretched=0.1, width=0.1)
        self.damper1 = forces.Damper(useHeatPort=True, d=2.0)
        self.springDamper = forces.SpringDamperParallel(
            c=30.0, s_unstretched=0.1, useHeatPort=True, d=2.0, width=0.1
        )
        self.body2 = Body(
            angles_fixed=True,
            r_0=(0.6, -0.2, 0),
            v_0=(0, 0, 0),
            w_0_fixed=True,
            w_0_start=deg((0, 0, 2)),
            r_CM=(0, -0.2, 0),
            I_11=0.1,
            I_22=0.1,
            I_33=0.1,
            cylinderDiameter=0.05,
            sphereDiameter=0.15,
        )
        self.bar3 = FixedTranslation(r=(0.3, 0, 0))
        self.springDamperSeries = forces.SpringDamperSeries(
            useHeatPort=True, c=30.0, s_unstretched=0.1, d=2.0
        )
        self.body3 = Body(
            angles_fixed=True,
            r_0=(0.9, -0.2, 0),
            v_0=(0, 0, 0),
            w_0_fixed=True,
            w_0_start=deg((0, 0, 2)),
            r_CM=(0, -0.2, 0),
            I_11=0.1,
            I_22=0.1,
            I_33=0.1,
            cylinderDiameter=0.05,
            sphereDiameter=0.15,
        )
        self.spring = forces.Spring(c=30.0, s_unstretched=0.2, width=0.05)
        self.const = blocks.Constant(k=20.0)
        self.convection = heat.Convection()
        self.TAmbient = heat.FixedTemperature(T=273.15 + 25.0)
        self.world.frame_b >> self.bar1.frame_a
        connect(
            self.bar1.frame_b, self.bar2.frame_a, self.damper1.frame_a, self.spring1.frame_a
        )
        connect(self.damper1.frame_b, self.body1.frame_a, self.spring1.frame_b)
        connect(self.bar2.frame_b, self.springDamper.frame_a, self.bar3.frame_a)
        self.springDamper.frame_b >> self.body2.frame_a
        connect(self.bar3.frame_b, self.springDamperSeries.frame_a, self.spring.frame_a)
        connect(self.springDamperSeries.frame_b, self.body3.frame_a, self.spring.frame_b)
        self.const.y >> self.convection.Gc
        self.TAmbient.port >> self.convection.fluid
        connect(
            self.damper1.heatPort,
            self.convection.solid,
            self.springDamper.heatPort,
            self.springDamperSeries.heatPort,
        )


def main() -> None:
    """Compare the heat of the dampers with the heat that reaches the air."""
    result = HeatLosses().simulate(2.0, interval=1e-3)
    dampers = ("damper1", "springDamper", "springDamperSeries")
    given = [np.trapezoid(result[f"{name}.lossPower"], result.time) for name in dampers]
    air = np.trapezoid(result["convection.Q_flow"], result.time)
    print(f"the dampers give {sum(given):.4f} J; {air:.4f} J reach the air")
    print(f"the solid is up to {np.max(result['convection.dT']):.3f} K warmer than the air")
    result.plot(
        "body1.r_0[2]",
        "body2.r_0[2]",
        "body3.r_0[2]",
        "convection.Q_flow",
        file="heat_losses.png",
    )
    result.draw(0.5, camera="front", file="heat_losses_pose.png")


if __name__ == "__main__":
    main()
