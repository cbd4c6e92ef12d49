"""GyroscopicEffects: a rotor as a body and as a drive line with 3-D effects.

A wheel spins on a pendulum: once of bodies and a hinge, once as a body that does not spin with a
Rotor1D, 0.6 m beside it. Data of
Modelica.Mechanics.MultiBody.Examples.Rotational3DEffects.GyroscopicEffects. Writes
gyroscopic_effects.png (plot) and gyroscopic_effects_pose.png (picture).
"""

import numpy as np

from motorik import (
    BodyCylinder,
    Fixed,
    FixedRotation,
    FixedTranslation,
    Model,
    Revolute,
    Spherical,
    World,
    connect,
    deg,
    parts,
)

# kg·m², of the wheel: steel, 0.1 m in diameter, 0.2 m long
INERTIA = 0.5 * (7700.0 * np.pi * 0.05**2 * 0.2) * 0.05**2
BESIDE = (0.0, 0.0, -0.6)  # m, the second pendulum


class GyroscopicEffects(Model):
    """Two pendulums on ball joints, one with a spinning wheel, one with a Rotor1D."""

    def build(self) -> None:
        """Build the pendulum of bodies (blue), then that with the rotor (green)."""
        self.world = World()
        self.spherical1 = Spherical(angles_fixed=True, w_rel_a_fixed=True)
        self.bodyCylinder1 = BodyCylinder(r=(0.25, 0, 0), diameter=0.05)
        self.fixedRotation1 = FixedRotation(n="y", angle=deg(45))
        self.revolute = Revolute(n="x", phi=0.0, w=10.0)
        self.fixedTranslation = FixedTranslation(r=(-0.1, 0, 0))
        self.bodyCylinder2 = BodyCylinder(r=(0.2, 0, 0), diameter=0.1)
        self.fixed = Fixed(r=BESIDE)
        self.spherical2 = Spherical(angles_fixed=True, w_rel_a_fixed=True)
        self.bodyCylinder3 = BodyCylinder(r=(0.25, 0, 0), diameter=0.05, color="green")
        self.fixedRotation2 = FixedRotation(n="y", angle=deg(45))
        self.fixedTranslation1 = FixedTranslation(r=(-0.1, 0, 0))
        self.bodyCylinder4 = BodyCylinder(r=(0.2, 0, 0), diameter=0.1, color="green")
        self.rotor1D = parts.Rotor1D(J=INERTIA, phi=0.0, w=10.0)
        self.world.frame_b >> self.spherical1.frame_a
        self.spherical1.frame_b >> self.bodyCylinder1.frame_a
        self.bodyCylinder1.frame_b >> self.fixedRotation1.frame_a
        self.fixedRotation1.frame_b >> self.revolute.frame_a
        self.revolute.frame_b >> self.fixedTranslation.frame_a
        self.fixedTranslation.frame_b >> self.bodyCylinder2.frame_a
        self.spherical2.frame_b >> self.bodyCylinder3.frame_a
        self.bodyCylinder3.frame_b >> self.fixedRotation2.frame_a
        self.fixed.frame_b >> self.spherical2.frame_a
        self.fixedTranslation1.frame_b >> self.bodyCylinder4.frame_a
        connect(
            self.fixedRotation2.frame_b,
            self.fixedTranslation1.frame_a,
            self.rotor1D.frame_a,
        )


def main() -> None:
    """Compare both motions."""
    result = GyroscopicEffects().simulate(5.0, rtol=1e-9)
    way = result["bodyCylinder3.frame_b.r_0"] - result["bodyCylinder1.frame_b.r_0"]
    print(f"both pendulums move alike, within {np.abs(way - BESIDE).max():.1g} m")
    spin = result["revolute.w"]
    print(f"the wheel spins with {spin.min():.3f} to {spin.max():.3f} rad/s")
    result.plot(
        "revolute.w",
        "rotor1D.w",
        "bodyCylinder1.frame_b.r_0",
        file="gyroscopic_effects.png",
    )
    result.draw(
        1.0,
        trace=("bodyCylinder2.frame_b", "bodyCylinder4.frame_b"),
        file="gyroscopic_effects_pose.png",
    )


if __name__ == "__main__":
    main()
