"""LossyGearDemo1: a gear that loses half of its torque and may stick.

The direction of the power through the gear changes, and the gear sticks in between. Data of
Modelica.Mechanics.Rotational.Examples.LossyGearDemo1. Writes lossy_gear_demo1.png.
"""

import numpy as np

from motorik import Model, blocks, connect, rotational


class LossyGearDemo1(Model):
    """A gear with an efficiency of 50 % between two driven inertias."""

    def build(self) -> None:
        """Connect the gear with both inertias; all housings are fixed."""
        self.gear = rotational.LossyGear(
            ratio=2.0, useSupport=True, lossTable=((0, 0.5, 0.5, 0, 0),)
        )
        self.Inertia1 = rotational.Inertia(J=1.0)
        self.Inertia2 = rotational.Inertia(J=1.5, phi=0.0, w=0.0)
        self.torque1 = rotational.Torque(useSupport=True)
        self.torque2 = rotational.Torque(useSupport=True)
        self.DriveSine = blocks.Sine(amplitude=10.0)
        self.load = blocks.Ramp(offset=-10.0, height=5.0)
        self.fixed = rotational.Fixed()
        self.Inertia1.flange_b >> self.gear.flange_a
        self.gear.flange_b >> self.Inertia2.flange_a
        self.torque1.flange >> self.Inertia1.flange_a
        self.torque2.flange >> self.Inertia2.flange_b
        self.DriveSine.y >> self.torque1.tau
        self.load.y >> self.torque2.tau
        connect(
            self.fixed.flange, self.gear.support, self.torque1.support, self.torque2.support
        )


def main() -> None:
    """Compare the torques on both sides of the gear."""
    result = LossyGearDemo1().simulate(0.5)
    print(result.events)
    held = np.abs(result["Inertia2.w"]) < 1e-9
    print(f"the gear sticks {100.0 * held.mean():.0f} % of the time")
    result.plot(
        "Inertia1.w",
        "Inertia2.w",
        "gear.flange_a.tau",
        "gear.flange_b.tau",
        file="lossy_gear_demo1.png",
    )


if __name__ == "__main__":
    main()
