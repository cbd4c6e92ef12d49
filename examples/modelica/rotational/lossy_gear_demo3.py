"""LossyGearDemo3: a self-locking gear that is driven from its output.

The gear has an efficiency of 25 % and a friction of its own; a torque of 1 N·m on its output
from 0.5 s on does not move it. Data of Modelica.Mechanics.Rotational.Examples.LossyGearDemo3.
Writes lossy_gear_demo3.png.
"""

from motorik import Model, blocks, guess, rotational


class LossyGearDemo3(Model):
    """A lossy gear between two small inertias that start with 10 rad/s."""

    def build(self) -> None:
        """Connect the gear with both inertias and their torques."""
        self.gear = rotational.LossyGear(lossTable=((0, 0.25, 0.25, 0.625, 2.5),))
        self.Inertia1 = rotational.Inertia(J=0.001, w=guess(10.0))
        self.torque1 = rotational.Torque()
        self.torque2 = rotational.Torque()
        self.step = blocks.Step(height=0.0)
        self.step1 = blocks.Step(startTime=0.5)
        self.Inertia2 = rotational.Inertia(J=0.001, phi=0.0, w=10.0)
        self.Inertia1.flange_b >> self.gear.flange_a
        self.torque1.flange >> self.Inertia1.flange_a
        self.step.y >> self.torque1.tau
        self.gear.flange_b >> self.Inertia2.flange_a
        self.Inertia2.flange_b >> self.torque2.flange
        self.step1.y >> self.torque2.tau


def main() -> None:
    """Tell when the gear stops, and that it stays at rest."""
    result = LossyGearDemo3().simulate(1.0)
    stopped = next(e.time for e in result.events if e.what == "sticks")
    print(f"the gear stops after {1e3 * stopped:.2f} ms")
    print(f"under load its output turns with {result['Inertia2.w'][-1]:.1g} rad/s")
    result.plot(
        "Inertia1.w", "gear.flange_b.tau", "torque2.tau", file="lossy_gear_demo3.png"
    )


if __name__ == "__main__":
    main()
