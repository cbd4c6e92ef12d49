"""PointGravity: two bodies in the gravity field of a point.

Data of Modelica.Mechanics.MultiBody.Examples.Elementary.PointGravity. Writes point_gravity.png
(plot) and point_gravity_pose.png (picture).
"""

import numpy as np

from motorik import Body, Model, World


class PointGravity(Model):
    """Two bodies that fly around the centre of gravity."""

    def build(self) -> None:
        """Place the bodies with their start velocities."""
        self.world = World(gravityType="PointGravity", mu=1.0, gravitySphereDiameter=0.1)
        self.body1 = Body(
            angles_fixed=True,
            r_0=(0, 0.6, 0),
            v_0=(1.0, 0, 0),
            w_0_fixed=True,
            I_11=0.1,
            I_22=0.1,
            I_33=0.1,
            sphereDiameter=0.1,
        )
        self.body2 = Body(
            angles_fixed=True,
            r_0=(0.6, 0.6, 0),
            v_0=(0.6, 0, 0),
            w_0_fixed=True,
            I_11=0.1,
            I_22=0.1,
            I_33=0.1,
            sphereDiameter=0.1,
        )


def main() -> None:
    """Compare the energy of the first orbit with that of its ellipse."""
    result = PointGravity().simulate(5.0, rtol=1e-10, output=2000)
    r, v = (result[f"body1.{name}"] for name in ("r_0", "v_0"))
    energy = 0.5 * np.sum(v**2, axis=1) - 1.0 / np.linalg.norm(r, axis=1)
    axis = -0.5 / energy[0]  # m, half of the ellipse's length
    print(f"energy per mass {energy[0]:.6f} J/kg, kept within {np.ptp(energy):.1g} J/kg")
    print(f"ellipse of {2.0 * axis:.4f} m, period {2.0 * np.pi * axis**1.5:.4f} s")
    result.plot("body1.r_0[2]", x="body1.r_0[1]", file="point_gravity.png")
    result.draw(
        1.5,
        trace=("body1.frame_a", "body2.frame_a"),
        camera="front",
        file="point_gravity_pose.png",
    )


if __name__ == "__main__":
    main()
