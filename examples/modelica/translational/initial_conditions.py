"""InitialConditions: start values of masses or of springs.

Two equal chains of springs and masses: one starts with given positions of its masses, the other
with given lengths of its springs. Data of
Modelica.Mechanics.Translational.Examples.InitialConditions. Writes initial_conditions.png.
"""

from motorik import Model, translational


class InitialConditions(Model):
    """Two chains of a spring, a mass, a spring with damper and a mass."""

    def build(self) -> None:
        """Build the chain with start values of masses, then that with start values of springs."""
        self.fixed2 = translational.Fixed(s0=1.0)
        self.s2 = translational.Spring(c=1000.0, s_rel0=2.0)
        self.m3 = translational.Mass(m=1.0, L=3.0, s=4.5, v=0.0)
        self.sd2 = translational.SpringDamper(c=111.0, s_rel0=4.0)
        self.m4 = translational.Mass(m=1.0, L=5.0, s=12.5, v=0.0)
        self.fixed1 = translational.Fixed(s0=-1.0)
        self.s1 = translational.Spring(c=1000.0, s_rel0=1.0, s_rel=0.5)
        self.m1 = translational.Mass(m=1.0, L=1.0, v=0.0)
        self.sd1 = translational.SpringDamper(c=111.0, s_rel0=1.0, s_rel=1.0, v_rel=0.0)
        self.m2 = translational.Mass(m=1.0, L=2.0)
        self.fixed2.flange >> self.s2.flange_a
        self.fixed1.flange >> self.s1.flange_a
        self.s1.flange_b >> self.m1.flange_a
        self.m1.flange_b >> self.sd1.flange_a
        self.sd1.flange_b >> self.m2.flange_a
        self.sd2.flange_b >> self.m4.flange_a
        self.m3.flange_b >> self.sd2.flange_a
        self.s2.flange_b >> self.m3.flange_a


def main() -> None:
    """Tell the start positions that follow from the lengths."""
    result = InitialConditions().simulate(5.0, output=2000)
    for name in ("m1", "m2", "m3", "m4"):
        print(f"{name}.s starts at {result[f'{name}.s'][0]:7.3f} m")
    result.plot(
        "m1.s", "m2.s", "m3.s", "m4.s", "sd1.f", "sd2.f", file="initial_conditions.png"
    )


if __name__ == "__main__":
    main()
