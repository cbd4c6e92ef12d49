"""Accelerate: a mass that is moved with a given acceleration.

Data of Modelica.Mechanics.Translational.Examples.Accelerate. Writes accelerate.png.
"""

from motorik import Model, blocks, translational


class Accelerate(Model):
    """A mass with the acceleration of 1 m/s²."""

    def build(self) -> None:
        """Connect signal, drive and mass."""
        self.accelerate = translational.Accelerate()
        self.mass = translational.Mass(m=1.0, L=1.0)
        self.constantAcc = blocks.Constant(k=1.0)
        self.accelerate.flange >> self.mass.flange_a
        self.constantAcc.y >> self.accelerate.a_ref


def main() -> None:
    """Compare the position with t² / 2, and tell the force that the drive needs."""
    result = Accelerate().simulate(1.0)
    s, v = result["accelerate.s"][-1], result["accelerate.v"][-1]
    print(f"after 1 s: s = {s:.6f} m, v = {v:.6f} m/s")
    print(f"the drive pushes with {result['mass.flange_a.f'][-1]:.3f} N")
    result.plot("mass.s", "mass.v", "mass.flange_a.f", file="accelerate.png")


if __name__ == "__main__":
    main()
