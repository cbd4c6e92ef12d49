"""CompareBrakingForce: four laws of a braking force.

Equal masses are braked from 100 m/s by forces that are constant, linear, quadratic and inverse
in the speed; all have 100 N at the start. Data of
Modelica.Mechanics.Translational.Examples.CompareBrakingForce. Writes compare_braking_force.png.
"""

from motorik import Model, translational


class CompareBrakingForce(Model):
    """Four masses, each with a brake of another law."""

    def build(self) -> None:
        """Connect each brake with its mass."""
        self.mass1 = translational.Mass(m=1.0, s=0.0, v=100.0)
        self.signForce = translational.SignForce(reg="Linear", f_nominal=-100.0, v0=1.0)
        self.mass2 = translational.Mass(m=1.0, s=0.0, v=100.0)
        self.linearSpeedDependentForce = translational.LinearSpeedDependentForce(
            f_nominal=-100.0, v_nominal=100.0, ForceDirection=False
        )
        self.mass3 = translational.Mass(m=1.0, s=0.0, v=100.0)
        self.quadraticSpeedDependentForce = translational.QuadraticSpeedDependentForce(
            f_nominal=-100.0, v_nominal=100.0, ForceDirection=False
        )
        self.mass4 = translational.Mass(m=1.0, s=0.0, v=100.0)
        self.inverseSpeedDependentForce = translational.InverseSpeedDependentForce(
            f_nominal=-100.0, v_nominal=100.0, ForceDirection=False, v0=1.0
        )
        self.signForce.flange >> self.mass1.flange_a
        self.linearSpeedDependentForce.flange >> self.mass2.flange_a
        self.quadraticSpeedDependentForce.flange >> self.mass3.flange_a
        self.inverseSpeedDependentForce.flange >> self.mass4.flange_a


def main() -> None:
    """Tell how far each mass runs until it is slow."""
    result = CompareBrakingForce().simulate(5.0, output=1000)
    laws = ("constant", "linear", "quadratic", "inverse")
    for k, law in enumerate(laws, start=1):
        path = result[f"mass{k}.s"][-1]
        print(f"{law:>9}: {path:6.1f} m until {result[f'mass{k}.v'][-1]:8.4f} m/s")
    result.plot(
        *(f"mass{k}.v" for k in (1, 2, 3, 4)),
        *(f"mass{k}.s" for k in (1, 2, 3, 4)),
        file="compare_braking_force.png",
    )


if __name__ == "__main__":
    main()
