"""Backlash: a shaft with backlash beside one without.

Three oscillators start at 90°: with a spring and damper, with a backlash of 45°, and with the
backlash of which the torque is continuous. Data of
Modelica.Mechanics.Rotational.Examples.Backlash. Writes backlash.png.
"""

import numpy as np

from motorik import Model, deg, rotational


class Backlash(Model):
    """Three inertias on springs and dampers, two of them with backlash."""

    def build(self) -> None:
        """Connect each spring with its inertia."""
        self.fixed1 = rotational.Fixed()
        self.springDamper = rotational.SpringDamper(c=2e4, d=50.0)
        self.inertia1 = rotational.Inertia(J=5.0, phi=deg(90), w=0.0)
        self.fixed2 = rotational.Fixed()
        self.elastoBacklash = rotational.ElastoBacklash(c=2e4, d=50.0, b=deg(45))
        self.inertia2 = rotational.Inertia(J=5.0, phi=deg(90), w=0.0)
        self.fixed3 = rotational.Fixed()
        self.elastoBacklash2 = rotational.ElastoBacklash2(c=2e4, d=50.0, b=deg(45))
        self.inertia3 = rotational.Inertia(J=5.0, phi=deg(90), w=0.0)
        self.springDamper.flange_b >> self.inertia1.flange_a
        self.elastoBacklash.flange_b >> self.inertia2.flange_a
        self.fixed1.flange >> self.springDamper.flange_a
        self.fixed2.flange >> self.elastoBacklash.flange_a
        self.elastoBacklash2.flange_b >> self.inertia3.flange_a
        self.fixed3.flange >> self.elastoBacklash2.flange_a


def main() -> None:
    """Compare the frequencies."""
    result = Backlash().simulate(1.0)
    for k, what in enumerate(
        ("without backlash", "backlash", "continuous torque"), start=1
    ):
        w = result[f"inertia{k}.w"]
        turns = np.count_nonzero(w[1:] * w[:-1] < 0.0)
        print(
            f"{what:>17}: turns back {turns} times, largest speed {np.abs(w).max():.1f} rad/s"
        )
    result.plot(
        "inertia1.phi",
        "inertia2.phi",
        "inertia3.phi",
        "springDamper.tau",
        "elastoBacklash.tau",
        "elastoBacklash2.tau",
        unit="deg",
        file="backlash.png",
    )


if __name__ == "__main__":
    main()
