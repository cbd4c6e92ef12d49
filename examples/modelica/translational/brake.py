"""Brake: a brake, grounded and with a support.

Data of Modelica.Mechanics.Translational.Examples.Brake. Writes brake.png.
"""

from motorik import Model, blocks, connect, translational


class Brake(Model):
    """Two masses with 1 m/s, braked from 0.1 s on."""

    def build(self) -> None:
        """Connect each brake with its mass; one stands on the ground by itself."""
        self.brake = translational.Brake()
        self.mass1 = translational.Mass(m=1.0, s=0.0, v=1.0)
        self.step = blocks.Step(startTime=0.1, height=2.0)
        self.brake1 = translational.Brake(useSupport=True)
        self.mass2 = translational.Mass(m=1.0, s=0.0, v=1.0)
        self.fixed = translational.Fixed()
        self.mass1.flange_b >> self.brake.flange_a
        connect(self.step.y, self.brake.f_normalized, self.brake1.f_normalized)
        self.mass2.flange_b >> self.brake1.flange_a
        self.fixed.flange >> self.brake1.support


def main() -> None:
    """Compare the time of the stop with m v / F."""
    result = Brake().simulate(1.5)
    print(result.events)
    print("expected: 0.1 s + 1 kg · 1 m/s / 1 N = 1.1 s")
    result.plot("mass1.v", "mass2.v", "brake.f", file="brake.png")


if __name__ == "__main__":
    main()
