"""MovingActuatedDrive: drives on a base that is itself turned.

The axis of the rotor is turned about y by a given motion; its gyroscopic torque acts on the base.
Data of Modelica.Mechanics.MultiBody.Examples.Rotational3DEffects.MovingActuatedDrive. Writes
moving_actuated_drive.png (plot) and moving_actuated_drive_pose.png (picture).
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


class MovingActuatedDrive(Model):
    """An axis as a body on a hinge and as a Rotor1D, both on turning bases."""

    def build(self) -> None:
        """Turn both bases by the same motion and drive both axes by the same torque."""
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
        self.sine1 = [blocks.Sine(amplitude=a) for a in (1.0, 0.0, 0.0)]
        self.rotor1D = parts.Rotor1D(J=2.0, phi=0.0, w=0.0)
        self.torque1 = rotational.Torque(useSupport=True)
        self.mounting1D = parts.Mounting1D()
        self.r1 = Revolute(useAxisFlange=True, n="y")
        self.position1 = rotational.Position(useSupport=True, w=0.0)
        self.sine2 = blocks.Sine(amplitude=2.0)
        self.mounting1D1 = parts.Mounting1D(n="y")
        self.r2 = Revolute(useAxisFlange=True, n="y")
        self.position2 = rotational.Position(useSupport=True, w=0.0)
        self.mounting1D2 = parts.Mounting1D(n="y")
        self.fixed = Fixed()
        self.revolute.frame_b >> self.bodyCylinder.frame_a
        self.torque.frame_b >> self.bodyCylinder.frame_b
        for k in range(3):
            self.sine1[k].y >> self.torque.torque[k]
        self.torque1.flange >> self.rotor1D.flange_a
        self.mounting1D.flange_b >> self.torque1.support
        connect(self.world.frame_b, self.r1.frame_a, self.mounting1D1.frame_a)
        self.position1.flange >> self.r1.axis
        self.mounting1D1.flange_b >> self.position1.support
        connect(self.sine2.y, self.position1.phi_ref, self.position2.phi_ref)
        connect(self.r1.frame_b, self.revolute.frame_a, self.torque.frame_a)
        self.position2.flange >> self.r2.axis
        self.mounting1D2.flange_b >> self.position2.support
        connect(self.fixed.frame_b, self.r2.frame_a, self.mounting1D2.frame_a)
        connect(self.r2.frame_b, self.rotor1D.frame_a, self.mounting1D.frame_a)
        self.sine1[0].y >> self.torque1.tau


def main() -> None:
    """Compare both motions and the torques that the bases need."""
    result = MovingActuatedDrive().simulate(1.1)
    apart = np.abs(result["revolute.phi"] - result["rotor1D.phi"]).max()
    print(f"both turn alike, within {apart:.1g} rad")
    needed = [result[f"r{k}.frame_a.t"] for k in (1, 2)]
    print(
        f"the bases carry torques that differ by {np.abs(needed[0] - needed[1]).max():.1g} N·m"
    )
    result.plot("revolute.phi", "r1.phi", "r1.frame_a.t", file="moving_actuated_drive.png")
    result.draw(0.8, file="moving_actuated_drive_pose.png")


if __name__ == "__main__":
    main()
