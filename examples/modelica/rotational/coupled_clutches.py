"""CoupledClutches: three clutches between four inertias, closed one after another.

The number of degrees of freedom changes with each clutch that sticks or slips. Data of
Modelica.Mechanics.Rotational.Examples.CoupledClutches. Writes coupled_clutches.png.
"""

import numpy as np

from motorik import Model, blocks, deg, rotational


class CoupledClutches(Model):
    """Four inertias in a row with clutches between them; the first is driven."""

    def build(self) -> None:
        """Connect the row; signals press the clutches."""
        self.J1 = rotational.Inertia(J=1.0, phi=0.0, w=10.0)
        self.torque = rotational.Torque(useSupport=True)
        self.clutch1 = rotational.Clutch(peak=1.1, fn_max=20.0)
        self.sin1 = blocks.Sine(amplitude=10.0, f=5.0)
        self.step1 = blocks.Step(startTime=0.4)
        self.J2 = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
        self.clutch2 = rotational.Clutch(peak=1.1, fn_max=20.0)
        self.J3 = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
        self.clutch3 = rotational.Clutch(peak=1.1, fn_max=20.0)
        self.J4 = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
        self.sin2 = blocks.Sine(f=0.2, phase=deg(90))
        self.step2 = blocks.Step(startTime=0.9)
        self.fixed = rotational.Fixed()
        self.torque.flange >> self.J1.flange_a
        self.J1.flange_b >> self.clutch1.flange_a
        self.clutch1.flange_b >> self.J2.flange_a
        self.J2.flange_b >> self.clutch2.flange_a
        self.clutch2.flange_b >> self.J3.flange_a
        self.J3.flange_b >> self.clutch3.flange_a
        self.clutch3.flange_b >> self.J4.flange_a
        self.sin1.y >> self.torque.tau
        self.sin2.y >> self.clutch1.f_normalized
        self.step1.y >> self.clutch2.f_normalized
        self.step2.y >> self.clutch3.f_normalized
        self.fixed.flange >> self.torque.support


def main() -> None:
    """Show the speeds, and the clutches as they close."""
    result = CoupledClutches().simulate(1.5)
    print(result.events)
    spread = np.ptp([result[f"J{k}.w"][-1] for k in (1, 2, 3, 4)])
    print(f"in the end the speeds differ by {spread:.2g} rad/s")
    result.plot(
        "J1.w",
        "J2.w",
        "J3.w",
        "J4.w",
        "clutch1.tau",
        "clutch2.tau",
        "clutch3.tau",
        file="coupled_clutches.png",
    )


if __name__ == "__main__":
    main()
