"""Friction: stick-slip of masses with stops and friction.

A slow force moves a mass between two stops, a spring brings another to rest, and a third has
the same friction from a table. Data of Modelica.Mechanics.Translational.Examples.Friction. Writes
friction.png.
"""

import numpy as np

from motorik import Model, blocks, connect, translational

SPEEDS = np.linspace(0.0, 12.0, 50)  # m/s


def stribeck(v: np.ndarray) -> np.ndarray:
    """Return the friction force [N] at speeds: viscous, Coulomb and Stribeck part."""
    return 1.0 * v + 5.0 + 10.0 * np.exp(-2.0 * v)


class Friction(Model):
    """Two masses with stops and Stribeck friction, and one with friction from a table."""

    def build(self) -> None:
        """Connect force and spring with the masses."""
        self.stop1 = translational.MassWithStopAndFriction(L=1.0, s=0.0, v=0.0)
        self.force = translational.Force()
        self.sineForce = blocks.Sine(amplitude=25.0, f=0.25)
        self.stop2 = translational.MassWithStopAndFriction(
            L=1.0, s=0.0, v=-5.0, smax=0.9, smin=-0.9, F_Coulomb=3.0, F_Stribeck=5.0
        )
        self.spring = translational.Spring(c=500.0, s_rel0=1.0)
        self.fixed2 = translational.Fixed(s0=-1.75)
        self.force2 = translational.Force()
        self.mass = translational.Mass(m=1.0, L=1.0, s=0.0, v=0.0)
        self.supportFriction = translational.SupportFriction(
            f_pos=np.column_stack([SPEEDS, stribeck(SPEEDS)])
        )
        self.spring.flange_b >> self.stop2.flange_a
        connect(self.sineForce.y, self.force.f, self.force2.f)
        self.fixed2.flange >> self.spring.flange_a
        self.force.flange >> self.stop1.flange_a
        self.force2.flange >> self.mass.flange_a
        self.mass.flange_b >> self.supportFriction.flange_a


def main() -> None:
    """List the events; tell where the second mass stays."""
    result = Friction().simulate(5.0)
    print(result.events)
    print(f"the mass on the spring stays at {result['stop2.s'][-1]:.4f} m")
    result.plot("stop1.s", "stop1.v", "mass.v", "stop2.s", "force.f", file="friction.png")


if __name__ == "__main__":
    main()
