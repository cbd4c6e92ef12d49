"""Friction: a clutch slips, then a brake stops the drive train.

The motor torque pulsates, so that the clutch slips; after 0.5 s the motor is off and the brake
grips. Data of Modelica.Mechanics.Rotational.Examples.Friction. Writes friction.png.
"""

from math import pi

from motorik import Model, blocks, connect, rotational


class Friction(Model):
    """Motor, clutch, elastic shaft and a brake on the load."""

    def build(self) -> None:
        """Connect the train; motor and brake stand on the ground."""
        self.torque = rotational.Torque(useSupport=True)
        self.inertia3 = rotational.Inertia(J=1.0, phi=0.0, w=100.0)
        self.clutch = rotational.Clutch(fn_max=160.0)
        self.inertia2 = rotational.Inertia(J=0.05, phi=0.0, w=90.0)
        self.spring = rotational.SpringDamper(c=160.0, d=1.0)
        self.inertia1 = rotational.Inertia(J=1.0, phi=0.0, w=90.0)
        self.brake = rotational.Brake(useSupport=True, fn_max=1600.0)
        self.const = blocks.Constant(k=1.0)
        self.step = blocks.Step(startTime=0.5)
        self.step2 = blocks.Step(offset=1.0, startTime=0.5, height=-1.0)
        self.sine = blocks.Sine(amplitude=200.0, f=50.0 / pi)
        self.product = blocks.Product()
        self.fixed = rotational.Fixed()
        self.torque.flange >> self.inertia3.flange_a
        self.inertia3.flange_b >> self.clutch.flange_a
        self.clutch.flange_b >> self.inertia2.flange_a
        self.inertia2.flange_b >> self.spring.flange_a
        self.spring.flange_b >> self.brake.flange_a
        self.brake.flange_b >> self.inertia1.flange_a
        self.sine.y >> self.product.u1
        self.step2.y >> self.product.u2
        self.product.y >> self.torque.tau
        self.const.y >> self.clutch.f_normalized
        self.step.y >> self.brake.f_normalized
        connect(self.fixed.flange, self.torque.support, self.brake.support)


def main() -> None:
    """List when clutch and brake stick or slip."""
    result = Friction().simulate(3.0)
    print(result.events)
    stopped = next(e.time for e in result.events if (e.part, e.what) == ("brake", "sticks"))
    print(f"the brake stops the load within {1e3 * (stopped - 0.5):.1f} ms")
    result.plot(
        "inertia3.w",
        "inertia2.w",
        "inertia1.w",
        "clutch.tau",
        "brake.tau",
        file="friction.png",
    )


if __name__ == "__main__":
    main()
