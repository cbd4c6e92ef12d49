"""SignConvention: which way a positive force moves a mass.

A force pushes along the positive direction, on whichever flange it acts; against a support it
moves the mass alike. Data of Modelica.Mechanics.Translational.Examples.SignConvention. Writes
sign_convention.png.
"""

from motorik import Model, blocks, translational


class SignConvention(Model):
    """Three masses of 1 kg, pushed by 1 N at flange_a, at flange_b and against a support."""

    def build(self) -> None:
        """Connect each force with its mass."""
        self.mass1 = translational.Mass(m=1.0, L=1.0, s=0.0, v=0.0)
        self.force1 = translational.Force()
        self.constant1 = blocks.Constant(k=1.0)
        self.mass2 = translational.Mass(m=1.0, L=1.0, s=0.0, v=0.0)
        self.force2 = translational.Force()
        self.constant2 = blocks.Constant(k=1.0)
        self.mass3 = translational.Mass(m=1.0, L=1.0, s=0.0, v=0.0)
        self.force3 = translational.Force(useSupport=True)
        self.constant3 = blocks.Constant(k=1.0)
        self.fixed = translational.Fixed()
        self.constant1.y >> self.force1.f
        self.constant2.y >> self.force2.f
        self.constant3.y >> self.force3.f
        self.force1.flange >> self.mass1.flange_a
        self.force2.flange >> self.mass2.flange_b
        self.mass3.flange_b >> self.force3.flange
        self.fixed.flange >> self.force3.support


def main() -> None:
    """Compare the three positions with t² / 2."""
    result = SignConvention().simulate(1.0)
    for k in (1, 2, 3):
        print(f"mass{k} is at {result[f'mass{k}.s'][-1]:.6f} m after 1 s; t²/2 = 0.5 m")
    result.plot("mass1.s", "mass2.s", "mass3.s", "mass1.v", file="sign_convention.png")


if __name__ == "__main__":
    main()
