"""ForceAndTorque: a force and a torque between two frames, given in a third.

Data of Modelica.Mechanics.MultiBody.Examples.Elementary.ForceAndTorque. Writes
force_and_torque.png (plot) and force_and_torque_pose.png (picture).
"""

import numpy as np

from motorik import (
    BodyCylinder,
    Fixed,
    FixedRotation,
    Model,
    Revolute,
    World,
    blocks,
    connect,
    deg,
    forces,
)


class ForceAndTorque(Model):
    """A cylinder on two hinges, pulled and turned by a force and a torque."""

    def build(self) -> None:
        """Hang the cylinder on a universal joint of two hinges; force and torque act on its end."""
        self.world = World()
        self.body = BodyCylinder(r=(1.0, 0, 0))
        self.fixed1 = Fixed(r=(0, -0.5, 0), width=0.03)
        self.fixedRotation = FixedRotation(n="z", angle=deg(30))
        self.forceAndTorque = forces.ForceAndTorque(
            useFrameResolve=True, resolveInFrame="frame_resolve"
        )
        self.revolute2 = Revolute(n="y", phi=0.0, w=0.0)
        self.torque = [blocks.Constant(k=k) for k in (-100.0, 100.0, 0.0)]
        self.revolute1 = Revolute(phi=0.0, w=0.0)
        self.fixed2 = Fixed(r=(1.5, 0.25, 0), width=0.03)
        self.force = [blocks.Constant(k=k) for k in (0.0, 1000.0, 0.0)]
        self.revolute2.frame_b >> self.body.frame_a
        self.forceAndTorque.frame_b >> self.body.frame_b
        connect(self.fixed1.frame_b, self.revolute1.frame_a, self.fixedRotation.frame_a)
        self.revolute1.frame_b >> self.revolute2.frame_a
        self.fixed2.frame_b >> self.forceAndTorque.frame_a
        self.fixedRotation.frame_b >> self.forceAndTorque.frame_resolve
        for k in range(3):
            self.force[k].y >> self.forceAndTorque.force[k]
        for k in range(3):
            self.torque[k].y >> self.forceAndTorque.torque[k]


def main() -> None:
    """Show the motion and the cut force in the first hinge."""
    result = ForceAndTorque().simulate(1.01)
    turned = np.degrees([result["revolute1.phi"][-1], result["revolute2.phi"][-1]])
    print(f"after 1.01 s the hinges have turned by {turned[0]:.2f}° and {turned[1]:.2f}°")
    most = np.linalg.norm(result["revolute1.frame_a.f"], axis=1).max()
    print(f"the first hinge carries up to {most / 1e3:.2f} kN")
    result.plot(
        "revolute1.phi", "revolute2.phi", "revolute1.frame_a.f", file="force_and_torque.png"
    )
    result.draw(0.3, file="force_and_torque_pose.png")


if __name__ == "__main__":
    main()
