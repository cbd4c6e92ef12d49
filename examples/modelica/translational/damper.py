"""Damper: a damper alone, beside a spring, and both as one part.

Three masses run with 10 m/s against a wall. Data of
Modelica.Mechanics.Translational.Examples.Damper. Writes damper.png.
"""

import numpy as np

from motorik import Model, connect, translational


class Damper(Model):
    """Three masses with a damper, a damper and a spring, and a spring-damper."""

    def build(self) -> None:
        """Connect each mass with the wall."""
        self.mass1 = translational.Mass(m=1.0, L=1.0, s=3.0, v=10.0)
        self.damper1 = translational.Damper(d=25.0)
        self.fixed1 = translational.Fixed(s0=4.5)
        self.mass2 = translational.Mass(m=1.0, L=1.0, s=3.0, v=10.0)
        self.damper2 = translational.Damper(d=25.0)
        self.fixed2 = translational.Fixed(s0=4.5)
        self.mass3 = translational.Mass(m=1.0, L=1.0, s=3.0, v=10.0)
        self.fixed3 = translational.Fixed(s0=4.5)
        self.spring2 = translational.Spring(s_rel0=1.0)
        self.springDamper3 = translational.SpringDamper(d=25.0, s_rel0=1.0)
        self.mass1.flange_b >> self.damper1.flange_a
        connect(self.mass2.flange_b, self.damper2.flange_a, self.spring2.flange_a)
        connect(self.damper2.flange_b, self.spring2.flange_b, self.fixed2.flange)
        self.mass3.flange_b >> self.springDamper3.flange_a
        self.damper1.flange_b >> self.fixed1.flange
        self.springDamper3.flange_b >> self.fixed3.flange


def main() -> None:
    """Compare the first motion with the exponential function, and the second with the third."""
    result = Damper().simulate(1.0)
    exact = 10.0 * np.exp(-25.0 * result.time)
    error = np.abs(result["mass1.v"] - exact).max()
    print(f"the speed of the first mass is 10 exp(−25 t) m/s, within {error:.1g} m/s")
    apart = np.abs(result["mass2.s"] - result["mass3.s"]).max()
    print(f"spring and damper apart or as one part: the same within {apart:.1g} m")
    result.plot(
        "mass1.v", "mass2.v", "mass3.v", "damper1.f", "springDamper3.f", file="damper.png"
    )


if __name__ == "__main__":
    main()
