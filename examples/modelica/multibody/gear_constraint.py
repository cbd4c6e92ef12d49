"""GearConstraint: a gear between two bodies, and the same as a drive line.

Data of Modelica.Mechanics.MultiBody.Examples.Rotational3DEffects.GearConstraint. Writes
gear_constraint.png (plot) and gear_constraint_pose.png (picture).
"""

import numpy as np

from motorik import (
    BodyCylinder,
    Fixed,
    Model,
    World,
    blocks,
    connect,
    forces,
    joints,
    parts,
    rotational,
)


def inertia(diameter: float) -> float:
    """Return the inertia [kg·m²] of a steel cylinder of 0.4 m about its axis."""
    radius = 0.5 * diameter
    return 0.5 * (7700.0 * np.pi * radius**2 * 0.4) * radius**2


class GearConstraint(Model):
    """Two cylinders coupled by a gear of ratio 10, and a drive line of the same inertias."""

    def build(self) -> None:
        """Drive the bodies and the line by the same torque."""
        self.world = World(g=0.0)
        self.gearConstraint = joints.GearConstraint(ratio=10.0, phi_b=0.0, w_b=0.0)
        self.cyl1 = BodyCylinder(r=(0.4, 0, 0), diameter=0.1, color="green")
        self.cyl2 = BodyCylinder(r=(0.4, 0, 0), diameter=0.2)
        self.torque1 = forces.Torque()
        self.sine = [blocks.Sine(amplitude=a) for a in (2.0, 0.0, 0.0)]
        self.fixed = Fixed()
        self.inertia1 = rotational.Inertia(J=inertia(0.1), phi=0.0, w=0.0)
        self.idealGear = rotational.IdealGear(ratio=10.0, useSupport=True)
        self.inertia2 = rotational.Inertia(J=inertia(0.2))
        self.torque2 = rotational.Torque(useSupport=True)
        self.mounting1D = parts.Mounting1D()
        connect(self.world.frame_b, self.gearConstraint.bearing, self.torque1.frame_a)
        self.cyl1.frame_b >> self.gearConstraint.frame_a
        self.gearConstraint.frame_b >> self.cyl2.frame_a
        self.torque1.frame_b >> self.cyl1.frame_a
        for k in range(3):
            self.sine[k].y >> self.torque1.torque[k]
        self.inertia1.flange_b >> self.idealGear.flange_a
        self.idealGear.flange_b >> self.inertia2.flange_a
        self.torque2.flange >> self.inertia1.flange_a
        self.sine[0].y >> self.torque2.tau
        connect(self.mounting1D.flange_b, self.idealGear.support, self.torque2.support)
        self.fixed.frame_b >> self.mounting1D.frame_a


def main() -> None:
    """Compare both motions."""
    result = GearConstraint().simulate(5.0)
    apart = np.abs(result["gearConstraint.phi_b"] - result["inertia2.phi"]).max()
    print(f"body and drive line turn alike, within {apart:.1g} rad")
    ratio = result["inertia1.w"][1:] / result["inertia2.w"][1:]
    print(f"the gear keeps a ratio of {np.median(ratio):.6f}")
    result.plot(
        "inertia1.w", "inertia2.w", "gearConstraint.w_b", file="gear_constraint.png"
    )
    result.draw(0.6, file="gear_constraint_pose.png")


if __name__ == "__main__":
    main()
