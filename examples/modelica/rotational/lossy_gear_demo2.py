"""LossyGearDemo2: a lossy gear and a bearing with friction in one line.

Both may stick, together or each by itself. Data of
Modelica.Mechanics.Rotational.Examples.LossyGearDemo2. Writes lossy_gear_demo2.png.
"""

import numpy as np

from motorik import Model, blocks, connect, rotational


class LossyGearDemo2(Model):
    """The line of LossyGearDemo1 with a bearing at the motor."""

    def build(self) -> None:
        """Connect bearing, gear and inertias; all housings are fixed."""
        self.gear = rotational.LossyGear(
            ratio=2.0, useSupport=True, lossTable=((0, 0.5, 0.5, 0, 0),)
        )
        self.Inertia1 = rotational.Inertia(J=1.0)
        self.Inertia2 = rotational.Inertia(J=1.5, phi=0.0, w=0.0)
        self.torque1 = rotational.Torque(useSupport=True)
        self.torque2 = rotational.Torque(useSupport=True)
        self.DriveSine = blocks.Sine(amplitude=10.0)
        self.load = blocks.Ramp(offset=-10.0, height=5.0)
        self.bearingFriction = rotational.BearingFriction(
            useSupport=True, tau_pos=((0, 0.5), (1.0, 1.0))
        )
        self.fixed = rotational.Fixed()
        self.torque2.flange >> self.Inertia2.flange_b
        self.gear.flange_b >> self.Inertia2.flange_a
        self.Inertia1.flange_b >> self.gear.flange_a
        self.bearingFriction.flange_b >> self.Inertia1.flange_a
        self.torque1.flange >> self.bearingFriction.flange_a
        self.DriveSine.y >> self.torque1.tau
        self.load.y >> self.torque2.tau
        connect(
            self.fixed.flange,
            self.gear.support,
            self.torque2.support,
            self.bearingFriction.support,
            self.torque1.support,
        )


def main() -> None:
    """List the events of bearing and gear."""
    result = LossyGearDemo2().simulate(0.5)
    print(result.events)
    held = np.abs(result["Inertia2.w"]) < 1e-9
    print(f"the line sticks {100.0 * held.mean():.0f} % of the time")
    result.plot(
        "Inertia1.w",
        "Inertia2.w",
        "gear.flange_b.tau",
        "bearingFriction.tau",
        file="lossy_gear_demo2.png",
    )


if __name__ == "__main__":
    main()
