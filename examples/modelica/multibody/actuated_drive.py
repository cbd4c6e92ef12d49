"""ActuatedDrive: a body driven by a torque, and a rotor by a drive line.

Data of Modelica.Mechanics.MultiBody.Examples.Rotational3DEffects.ActuatedDrive. Writes
actuated_drive.png (plot) and actuated_drive_pose.png (picture).
"""

import numpy as np

from motorik import (
    BodyShape,
    Fixed,
    Model,
    Revolute,
    World,
    blocks,
    connect,
    forces,
    parts,
    rotational,
)


class ActuatedDrive(Model):
    """An axis with an inertia of 2 kg·m² as a body on a hinge, and as a Rotor1D."""

    def build(self) -> None:
        """Drive both by the same sinusoidal torque."""
        self.world = World(g=0.0)
        self.bodyCylinder = BodyShape(
            r=(0.5, 0, 0),
            m=0.0,
            I_11=2.0,
            I_22=0.0,
            I_33=0.0,
            physical=False,
            animateSphere=False,
            r_shape=(0.1, 0, 0),
            width=0.1,
            shapeType="cylinder",
        )
        self.revolute = Revolute(n="x", phi=0.0, w=0.0)
        self.torque = forces.Torque()
        self.sine = [blocks.Sine(amplitude=a) for a in (1.0, 0.0, 0.0)]
        self.fixed = Fixed()
        self.rotor1D = parts.Rotor1D(J=2.0, phi=0.0, w=0.0)
        self.torque1 = rotational.Torque(useSupport=True)
        self.mounting1D = parts.Mounting1D()
        connect(self.world.frame_b, self.revolute.frame_a, self.torque.frame_a)
        self.revolute.frame_b >> self.bodyCylinder.frame_a
        self.torque.frame_b >> self.bodyCylinder.frame_b
        for k in range(3):
            self.sine[k].y >> self.torque.torque[k]
        connect(self.fixed.frame_b, self.rotor1D.frame_a, self.mounting1D.frame_a)
        self.torque1.flange >> self.rotor1D.flange_a
        self.mounting1D.flange_b >> self.torque1.support
        self.sine[0].y >> self.torque1.tau


def main() -> None:
    """Compare both motions and the torques on the ground."""
    result = ActuatedDrive().simulate(1.1)
    apart = np.abs(result["revolute.phi"] - result["rotor1D.phi"]).max()
    print(f"both turn alike, within {apart:.1g} rad")
    exact = (result.time - np.sin(2.0 * np.pi * result.time) / (2.0 * np.pi)) / (
        4.0 * np.pi
    )
    error = np.abs(result["rotor1D.phi"] - exact).max()
    print(f"and as the integrals of the torque say, within {error:.1g} rad")
    result.plot(
        "revolute.phi",
        "rotor1D.phi",
        "revolute.w",
        "torque1.tau",
        file="actuated_drive.png",
    )
    result.draw(0.8, file="actuated_drive_pose.png")


if __name__ == "__main__":
    main()
