"""WhyArrows: why flanges have a direction.

The length of a rod or mass counts from flange_a to flange_b: a spring on flange_b sees another
position than one on flange_a. Data of Modelica.Mechanics.Translational.Examples.WhyArrows. Writes
why_arrows.png.
"""

import numpy as np

from motorik import Model, connect, translational


class WhyArrows(Model):
    """Three rods at one place, and two masses that are held by springs at their right ends."""

    def build(self) -> None:
        """Connect the rods forward and backward, and the springs with the masses."""
        self.fixed = translational.Fixed()
        self.rod1 = translational.Rod(L=1.0)
        self.rod2 = translational.Rod(L=1.0)
        self.rod3 = translational.Rod(L=1.0)
        self.positionSensor2 = translational.PositionSensor()
        self.positionSensor1 = translational.PositionSensor()
        self.positionSensor3 = translational.PositionSensor()
        self.fixed1 = translational.Fixed(s0=-1.9)
        self.spring1 = translational.Spring(c=11.0, s_rel0=2.0)
        self.mass1 = translational.Mass(m=1.0, L=2.0, s=0.0, v=0.0)
        self.fixed2 = translational.Fixed(s0=-1.9)
        self.spring2 = translational.Spring(c=11.0, s_rel0=2.0)
        self.inertia2 = translational.Mass(m=1.0, L=2.0, s=0.0, v=0.0)
        self.spring1.flange_b >> self.mass1.flange_b
        self.spring2.flange_b >> self.inertia2.flange_b
        self.rod3.flange_b >> self.positionSensor3.flange
        self.positionSensor1.flange >> self.rod1.flange_a
        connect(
            self.rod1.flange_b, self.fixed.flange, self.rod3.flange_a, self.rod2.flange_a
        )
        self.rod2.flange_b >> self.positionSensor2.flange
        self.fixed1.flange >> self.spring1.flange_a
        self.fixed2.flange >> self.spring2.flange_a


def main() -> None:
    """Tell where the rods end."""
    result = WhyArrows().simulate(1.0)
    for k in (1, 2, 3):
        print(f"rod{k} ends at {result[f'positionSensor{k}.s'][-1]:+.1f} m")
    apart = np.abs(result["mass1.s"] - result["inertia2.s"]).max()
    print(f"both masses move alike, within {apart:.1g} m")
    result.plot("mass1.s", "inertia2.s", "spring1.f", file="why_arrows.png")


if __name__ == "__main__":
    main()
