"""SpringWithMass: a spring that has a mass of its own.

Data of Modelica.Mechanics.MultiBody.Examples.Elementary.SpringWithMass. Writes
spring_with_mass.png (plot) and spring_with_mass_pose.png (picture).
"""

import numpy as np

from motorik import Body, Model, World, forces


class SpringWithMass(Model):
    """A body on a spring of 0.5 kg, whose mass sits in its middle."""

    def build(self) -> None:
        """Hang the body on the spring."""
        self.world = World()
        self.spring = forces.Spring(c=40.0, s_unstretched=0.2, m=0.5, width=0.1)
        self.body = Body(angles_fixed=True, r_0=(0, -0.3, 0), v_0=(0, 0, 0), w_0_fixed=True)
        self.world.frame_b >> self.spring.frame_a
        self.spring.frame_b >> self.body.frame_a


def main() -> None:
    """Compare the period with that of the body and a quarter of the spring's mass."""
    result = SpringWithMass().simulate(5.0, output=5000)
    v = result["body.v_0"][:, 1]
    crossings = result.time[1:][(v[1:] >= 0.0) & (v[:-1] < 0.0)]
    period = 2.0 * np.pi * np.sqrt((1.0 + 0.5 / 4.0) / 40.0)
    print(f"period {np.mean(np.diff(crossings)):.5f} s, expected {period:.5f} s")
    result.plot("body.r_0[2]", "spring.f", file="spring_with_mass.png")
    result.draw(0.4, camera="front", file="spring_with_mass_pose.png")


if __name__ == "__main__":
    main()
