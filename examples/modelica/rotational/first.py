"""First: a drive train with a motor, a gear, an elastic shaft and a damper.

The housings of motor and gear are bolted to the ground by their supports. Data of
Modelica.Mechanics.Rotational.Examples.First. Writes first.png.
"""

import numpy as np

from motorik import Model, blocks, connect, rotational


class First(Model):
    """Motor inertia, gear and two load inertias on an elastic shaft; a sinusoidal torque drives."""

    def build(self) -> None:
        """Connect the train; the supports of motor and gear are fixed."""
        self.fixed = rotational.Fixed()
        self.torque = rotational.Torque(useSupport=True)
        self.inertia1 = rotational.Inertia(J=0.1)
        self.idealGear = rotational.IdealGear(ratio=10.0, useSupport=True)
        self.inertia2 = rotational.Inertia(J=2.0, phi=0.0, w=0.0)
        self.spring = rotational.Spring(c=1e4, phi_rel=0.0)
        self.inertia3 = rotational.Inertia(J=2.0, w=0.0)
        self.damper = rotational.Damper(d=10.0)
        self.sine = blocks.Sine(amplitude=10.0, f=5.0)
        self.inertia1.flange_b >> self.idealGear.flange_a
        self.idealGear.flange_b >> self.inertia2.flange_a
        connect(self.inertia2.flange_b, self.spring.flange_a, self.damper.flange_a)
        self.spring.flange_b >> self.inertia3.flange_a
        connect(
            self.damper.flange_b,
            self.fixed.flange,
            self.torque.support,
            self.idealGear.support,
        )
        self.sine.y >> self.torque.tau
        self.torque.flange >> self.inertia1.flange_a


def main() -> None:
    """Compare the frequency at which the shaft swings with that of two inertias on a spring."""
    result = First().simulate(1.0)
    J = 0.1 * 10.0**2 + 2.0  # kg·m², motor and gear as seen from the shaft
    frequency = np.sqrt(1e4 * (1.0 / J + 1.0 / 2.0)) / (2.0 * np.pi)
    twist = np.degrees(np.abs(result["spring.phi_rel"]).max())
    print(f"the shaft swings at {frequency:.1f} Hz and twists by up to {twist:.3f}°")
    print(f"the load turns with up to {np.max(result['inertia3.w']):.2f} rad/s")
    result.plot("inertia2.w", "inertia3.w", "spring.tau", "torque.tau", file="first.png")


if __name__ == "__main__":
    main()
