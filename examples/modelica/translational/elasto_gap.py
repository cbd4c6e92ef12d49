"""ElastoGap: a mass between two elastic stops, beside one between springs.

Data of Modelica.Mechanics.Translational.Examples.ElastoGap. Writes elasto_gap.png.
"""

import numpy as np

from motorik import Model, connect, guess, translational


class ElastoGap(Model):
    """One mass between two spring-dampers, one between two stops with play."""

    def build(self) -> None:
        """Connect both masses with the rods at the wall."""
        self.fixed = translational.Fixed()
        self.rod1 = translational.Rod(L=2.0)
        self.rod2 = translational.Rod(L=2.0)
        self.springDamper1 = translational.SpringDamper(
            c=10.0, d=1.5, s_rel0=1.0, s_rel=guess(1.0)
        )
        self.springDamper2 = translational.SpringDamper(
            c=10.0, d=1.5, s_rel0=1.0, s_rel=guess(1.0)
        )
        self.mass1 = translational.Mass(m=1.0, s=2.0, v=0.0)
        self.elastoGap1 = translational.ElastoGap(
            c=10.0, d=1.5, s_rel0=1.5, s_rel=guess(1.5)
        )
        self.elastoGap2 = translational.ElastoGap(
            c=10.0, d=1.5, s_rel0=1.5, s_rel=guess(1.5)
        )
        self.mass2 = translational.Mass(m=1.0, s=2.0, v=0.0)
        connect(self.rod1.flange_b, self.fixed.flange, self.rod2.flange_a)
        connect(self.springDamper1.flange_a, self.rod1.flange_a, self.elastoGap1.flange_a)
        connect(self.springDamper2.flange_b, self.rod2.flange_b, self.elastoGap2.flange_b)
        self.springDamper1.flange_b >> self.mass1.flange_a
        self.mass1.flange_b >> self.springDamper2.flange_a
        self.elastoGap1.flange_b >> self.mass2.flange_a
        self.mass2.flange_b >> self.elastoGap2.flange_a


def main() -> None:
    """Tell how long the second mass touches its stops."""
    result = ElastoGap().simulate(5.0)
    touches = np.mean(np.abs(result["elastoGap1.f"]) + np.abs(result["elastoGap2.f"]) > 0.0)
    print(f"the mass with play touches a stop {100.0 * touches:.0f} % of the time")
    result.plot("mass1.s", "mass2.s", "elastoGap1.f", "elastoGap2.f", file="elasto_gap.png")


if __name__ == "__main__":
    main()
