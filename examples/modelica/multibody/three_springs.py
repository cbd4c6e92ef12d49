"""ThreeSprings: three springs in series and parallel, with a point without mass.

The springs meet in a point; its position follows from the balance of their forces. Data of
Modelica.Mechanics.MultiBody.Examples.Elementary.ThreeSprings. Writes three_springs.png (plot) and
three_springs_pose.png (picture).
"""

import numpy as np

from motorik import Body, FixedTranslation, Model, World, connect, forces


class ThreeSprings(Model):
    """A body on three springs that meet in a point without mass."""

    def build(self) -> None:
        """Hang two springs on bars; the third joins their common point with the body."""
        self.world = World()
        self.body1 = Body(
            angles_fixed=True,
            r_0=(0.5, -0.3, 0),
            v_0=(0, 0, 0),
            w_0_fixed=True,
            m=0.8,
            r_CM=(0, -0.2, 0),
            I_11=0.1,
            I_22=0.1,
            I_33=0.1,
            sphereDiameter=0.2,
        )
        self.bar1 = FixedTranslation(r=(0.3, 0, 0))
        self.spring1 = forces.Spring(c=20.0, s_unstretched=0.1, width=0.1)
        self.bar2 = FixedTranslation(r=(0, 0, 0.3))
        self.spring2 = forces.Spring(c=40.0, s_unstretched=0.1, width=0.1)
        self.spring3 = forces.Spring(c=20.0, s_unstretched=0.1, width=0.1)
        connect(self.world.frame_b, self.bar1.frame_a, self.bar2.frame_a)
        self.bar1.frame_b >> self.spring1.frame_a
        self.bar2.frame_b >> self.spring3.frame_a
        self.spring2.frame_b >> self.body1.frame_a
        connect(self.spring3.frame_b, self.spring1.frame_b, self.spring2.frame_a)


def main() -> None:
    """Check the balance of forces in the common point."""
    result = ThreeSprings().simulate(10.0)
    rest = sum(result[f"spring{k}.frame_b.f"] for k in (1, 3)) + result["spring2.frame_a.f"]
    print(f"the forces in the common point add up to {np.abs(rest).max():.1g} N")
    print(f"energy kept within {np.ptp(result.energy()['total']):.1g} J")
    result.plot(
        "body1.r_0", "spring1.f", "spring2.f", "spring3.f", file="three_springs.png"
    )
    result.draw(1.0, trace="body1.frame_a", file="three_springs_pose.png")


if __name__ == "__main__":
    main()
