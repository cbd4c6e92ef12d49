"""BevelGear1D: a bevel gear in a housing that turns in all directions.

Torques turn the housing about three axes; the gear and its two rotors act back on it. Data of
Modelica.Mechanics.MultiBody.Examples.Rotational3DEffects.BevelGear1D, but for the housing: its
inertia contains that of the rotors at rest, which Modelica's box of 8 kg does not, so that some
of its motions have no positive kinetic energy. Writes bevel_gear_1d.png (plot) and
bevel_gear_1d_pose.png (picture).
"""

import numpy as np

from motorik import (
    BodyShape,
    Model,
    Revolute,
    World,
    blocks,
    connect,
    parts,
    rotational,
    sensors,
)


class BevelGear1D(Model):
    """Two rotors and a bevel gear in a housing on three hinges."""

    def build(self) -> None:
        """Hang the housing on three hinges; a motor in it drives the first rotor."""
        self.world = World()
        self.inertia1 = parts.Rotor1D(J=1.1, phi=0.0, w=0.0)
        self.inertia2 = parts.Rotor1D(J=18.2, n="y")
        self.bevelGear = parts.BevelGear1D(ratio=10.0, n_b="y")
        self.revolute1 = Revolute(
            useAxisFlange=True, n="x", stateSelect="always", phi=0.0, w=0.0
        )
        self.revolute2 = Revolute(
            useAxisFlange=True, n="y", stateSelect="always", phi=0.0, w=0.0
        )
        self.revolute3 = Revolute(useAxisFlange=True, stateSelect="always", phi=0.0, w=0.0)
        self.torque1 = rotational.Torque()
        self.torque2 = rotational.Torque()
        self.torque3 = rotational.Torque()
        self.sine1 = blocks.Sine(amplitude=110.0, f=5.0)
        self.sine2 = blocks.Sine(amplitude=120.0, f=6.0)
        self.sine3 = blocks.Sine(amplitude=130.0, f=7.0)
        self.mounting1D = parts.Mounting1D()
        self.torque = rotational.Torque(useSupport=True)
        self.sine4 = blocks.Sine(amplitude=140.0, f=8.0)
        self.bodyBox = BodyShape(
            r=(0.1, 0.1, 0.1),
            m=7.7,
            r_CM=(0.05, 0.05, 0.05),
            I_11=10.3,
            I_22=18.8,
            I_33=9.7,
            width=0.02,
        )
        self.sensor1 = sensors.AbsoluteAngularVelocity()
        self.sensor2 = sensors.CutTorque()
        self.inertia1.flange_b >> self.bevelGear.flange_a
        self.bevelGear.flange_b >> self.inertia2.flange_a
        self.world.frame_b >> self.revolute1.frame_a
        self.revolute1.frame_b >> self.revolute2.frame_a
        self.revolute2.frame_b >> self.revolute3.frame_a
        self.torque1.flange >> self.revolute1.axis
        self.torque2.flange >> self.revolute2.axis
        self.torque3.flange >> self.revolute3.axis
        self.sine1.y >> self.torque1.tau
        self.sine2.y >> self.torque2.tau
        self.sine3.y >> self.torque3.tau
        self.torque.flange >> self.inertia1.flange_a
        self.mounting1D.flange_b >> self.torque.support
        connect(
            self.revolute3.frame_b,
            self.mounting1D.frame_a,
            self.bodyBox.frame_a,
            self.inertia1.frame_a,
            self.inertia2.frame_a,
            self.sensor2.frame_a,
        )
        self.sine4.y >> self.torque.tau
        connect(self.sensor2.frame_b, self.bevelGear.frame_a, self.sensor1.frame_a)


def main() -> None:
    """Check the ratio, and tell the torques of the gear on its housing."""
    result = BevelGear1D().simulate(1.0)
    ratio = result["inertia1.w"][1:] / result["inertia2.w"][1:]
    print(f"ratio {np.median(ratio):.6f}")
    most = [np.abs(result[f"bevelGear.flange_{end}.tau"]).max() for end in "ab"]
    print(
        f"the gear transmits up to {most[0]:.1f} N·m about x and {most[1]:.1f} N·m about y"
    )
    power = sum(
        result["sensor1.w"][:, k] * result["sensor2.torque"][:, k] for k in range(3)
    )
    for k, end in enumerate("ab"):
        spin = result[f"inertia{k + 1}.w"] + result["sensor1.w"][:, k]
        power = power + result[f"bevelGear.flange_{end}.tau"] * spin
    print(f"it takes no power: {np.abs(power).max():.0e} W")
    result.plot(
        "inertia1.w",
        "inertia2.w",
        "sensor1.w",
        "bevelGear.flange_b.tau",
        file="bevel_gear_1d.png",
    )
    result.draw(0.5, camera=(-40.0, 20.0), file="bevel_gear_1d_pose.png")


if __name__ == "__main__":
    main()
