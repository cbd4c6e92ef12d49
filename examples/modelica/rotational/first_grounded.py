"""FirstGrounded: the drive train of First without supports.

Parts without `useSupport` stand on the ground by themselves: the motion is that of First.
Data of Modelica.Mechanics.Rotational.Examples.FirstGrounded. Writes first_grounded.png.
"""

import numpy as np

from motorik import Model, blocks, connect, rotational


class FirstGrounded(Model):
    """Motor inertia, gear and two load inertias on an elastic shaft; a sinusoidal torque drives."""

    def build(self) -> None:
        """Connect the train; motor and gear stand on the ground."""
        self.fixed = rotational.Fixed()
        self.torque = rotational.Torque()
        self.inertia1 = rotational.Inertia(J=0.1)
        self.idealGear = rotational.IdealGear(ratio=10.0)
        self.inertia2 = rotational.Inertia(J=2.0, phi=0.0, w=0.0)
        self.spring = rotational.Spring(c=1e4, phi_rel=0.0)
        self.inertia3 = rotational.Inertia(J=2.0, w=0.0)
        self.damper = rotational.Damper(d=10.0)
        self.sine = blocks.Sine(amplitude=10.0, f=5.0)
        self.inertia1.flange_b >> self.idealGear.flange_a
        self.idealGear.flange_b >> self.inertia2.flange_a
        connect(self.inertia2.flange_b, self.spring.flange_a, self.damper.flange_a)
        self.spring.flange_b >> self.inertia3.flange_a
        self.damper.flange_b >> self.fixed.flange
        self.sine.y >> self.torque.tau
        self.torque.flange >> self.inertia1.flange_a


def main() -> None:
    """Compare the power of the motor with the power that the damper takes."""
    result = FirstGrounded().simulate(1.0, interval=1e-3)
    driven = np.trapezoid(result["torque.tau"] * result["inertia1.w"], result.time)
    lost = np.trapezoid(10.0 * result["damper.w_rel"] ** 2, result.time)
    print(f"the motor does {driven:.3f} J of work, the damper takes {lost:.3f} J")
    result.plot(
        "inertia2.w", "inertia3.w", "spring.tau", "torque.tau", file="first_grounded.png"
    )


if __name__ == "__main__":
    main()
