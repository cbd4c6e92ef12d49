"""PointGravityWithPointMasses: point masses in the gravity field of a point.

Two fly alone, two are joined by a spring. Data of
Modelica.Mechanics.MultiBody.Examples.Elementary.PointGravityWithPointMasses. Writes
point_gravity_with_point_masses.png (plot) and point_gravity_with_point_masses_pose.png (picture).
"""

import numpy as np

from motorik import Model, PointMass, World, forces


class PointGravityWithPointMasses(Model):
    """Four point masses, two of them joined by a spring."""

    def build(self) -> None:
        """Place the masses with their start velocities."""
        self.world = World(gravityType="PointGravity", mu=1.0, gravitySphereDiameter=0.1)
        self.body1 = PointMass(m=1.0, r_0=(0, 0.6, 0), v_0=(1.0, 0, 0), sphereDiameter=0.1)
        self.body2 = PointMass(
            m=1.0, r_0=(0.6, 0.6, 0), v_0=(0.6, 0, 0), sphereDiameter=0.1
        )
        self.body3 = PointMass(m=1.0, r_0=(0, 0.8, 0), v_0=(0.6, 0, 0), sphereDiameter=0.1)
        self.body4 = PointMass(
            m=1.0, r_0=(0.3, 0.8, 0), v_0=(0.6, 0, 0), sphereDiameter=0.1
        )
        self.spring = forces.Spring(c=10.0)
        self.spring.frame_a >> self.body3.frame_a
        self.spring.frame_b >> self.body4.frame_a


def main() -> None:
    """Check energy and angular momentum."""
    result = PointGravityWithPointMasses().simulate(2.0, rtol=1e-10, output=1000)
    momenta = [np.cross(result[f"body{k}.r_0"], result[f"body{k}.v_0"]) for k in (3, 4)]
    total = np.sum(momenta, axis=0)[:, 2]
    print(
        f"angular momentum of the pair {total[0]:.6f} N·m·s, kept within {np.ptp(total):.1g}"
    )
    print(f"energy kept within {np.ptp(result.energy()['total']):.1g} J")
    result.plot(
        "spring.f", "spring.s", "body3.v_0", file="point_gravity_with_point_masses.png"
    )
    paths = tuple(f"body{k}.frame_a" for k in (1, 2, 3, 4))
    result.draw(
        1.5, trace=paths, camera="front", file="point_gravity_with_point_masses_pose.png"
    )


if __name__ == "__main__":
    main()
