"""PreLoad: a spool that is centred by one preloaded spring.

The spring sits between two plates, which a ring on the spool and the housing hold; the spool
moves only after the force exceeds the preload. Data of
Modelica.Mechanics.Translational.Examples.PreLoad. Writes pre_load.png.
"""

import numpy as np

from motorik import Model, blocks, connect, translational


class PreLoad(Model):
    """The spool of a valve, the plates of its spring, and the contacts between them."""

    def build(self) -> None:
        """Connect spool, plates, contacts and housing."""
        self.innerContactA = translational.ElastoGap(c=1e6, d=250.0, s_rel0=0.001)
        self.innerContactB = translational.ElastoGap(c=1e6, d=250.0, s_rel0=0.001)
        self.spool = translational.Mass(m=0.15, L=0.19, s=0.01475, v=0.0)
        self.fixedLe = translational.Fixed(s0=-0.0955)
        self.springPlateA = translational.Mass(m=0.01, L=0.002, s=-0.093, v=0.0)
        self.springPlateB = translational.Mass(m=0.01, L=0.002, s=-0.06925, v=0.0)
        self.spring = translational.Spring(c=2e4, s_rel0=0.025)
        self.outerContactA = translational.ElastoGap(c=1e6, d=250.0, s_rel0=0.0015)
        self.outerContactB = translational.ElastoGap(c=1e6, d=250.0, s_rel0=0.0015)
        self.rod1 = translational.Rod(L=0.007)
        self.friction = translational.Damper(d=2500.0)
        self.force = translational.Force()
        self.housing = translational.Rod(L=0.0305)
        self.rod3 = translational.Rod(L=0.00575)
        self.rod4 = translational.Rod(L=0.00575)
        self.rod2 = translational.Rod(L=0.007)
        self.sineForce = blocks.Sine(amplitude=150.0, f=0.01)
        self.outerContactA.flange_b >> self.springPlateA.flange_a
        connect(self.springPlateA.flange_b, self.spring.flange_a, self.rod1.flange_a)
        connect(self.spring.flange_b, self.springPlateB.flange_a, self.rod2.flange_b)
        self.springPlateB.flange_b >> self.outerContactB.flange_a
        self.outerContactB.flange_b >> self.housing.flange_b
        connect(self.friction.flange_b, self.innerContactA.flange_a, self.rod3.flange_a)
        self.innerContactA.flange_b >> self.rod1.flange_b
        self.rod2.flange_a >> self.innerContactB.flange_a
        self.rod4.flange_b >> self.innerContactB.flange_b
        connect(
            self.rod3.flange_b, self.rod4.flange_a, self.spool.flange_a, self.force.flange
        )
        self.sineForce.y >> self.force.f
        connect(
            self.fixedLe.flange,
            self.outerContactA.flange_a,
            self.housing.flange_a,
            self.friction.flange_a,
        )


def main() -> None:
    """Tell the force at which the spool begins to move."""
    result = PreLoad().simulate(100.0, output=2000)
    rest = result["spool.s"][0]
    moved = np.abs(result["spool.s"] - rest) > 1e-4
    preload = np.abs(result["sineForce.y"][moved][0])
    print(f"the spool leaves its centre at about {preload:.0f} N")
    print(f"it moves by up to {1e3 * np.abs(result['spool.s'] - rest).max():.2f} mm")
    result.plot("spool.s", x="force.f", file="pre_load.png")


if __name__ == "__main__":
    main()
