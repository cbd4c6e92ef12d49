"""FreeBody: a body that hangs on two springs.

It moves in all six degrees of freedom. Data of
Modelica.Mechanics.MultiBody.Examples.Elementary.FreeBody. Writes free_body.png (plot) and
free_body_pose.png (picture).
"""

import numpy as np

from motorik import BodyShape, FixedTranslation, Model, World, connect, deg, forces


class FreeBody(Model):
    """A bar between two springs."""

    def build(self) -> None:
        """Hang the bar on two places of the ceiling."""
        self.world = World()
        self.bar2 = FixedTranslation(r=(0.8, 0, 0))
        self.spring1 = forces.Spring(c=20.0, width=0.1)
        self.body = BodyShape(
            angles_fixed=True,
            angles_start=deg((10, 10, 10)),
            r_0=(0.2, -0.5, 0.1),
            v_0=(0, 0, 0),
            w_0_fixed=True,
            r=(0.4, 0, 0),
            r_CM=(0.2, 0, 0),
            I_11=1.0,
            I_22=1.0,
            I_33=1.0,
            width=0.05,
        )
        self.spring2 = forces.Spring(c=20.0, width=0.1)
        connect(self.world.frame_b, self.bar2.frame_a, self.spring1.frame_a)
        self.spring1.frame_b >> self.body.frame_a
        self.bar2.frame_b >> self.spring2.frame_a
        self.body.frame_b >> self.spring2.frame_b


def main() -> None:
    """Check that the energy is kept."""
    result = FreeBody().simulate(10.0, rtol=1e-9)
    energy = result.energy()
    moved = np.ptp(energy["kinetic"])
    print(f"energy kept within {np.ptp(energy['total']) / moved:.1g} of the kinetic energy")
    result.plot("body.r_0", "spring1.f", "spring2.f", file="free_body.png")
    result.draw(2.0, trace=("body.frame_a", "body.frame_b"), file="free_body_pose.png")


if __name__ == "__main__":
    main()
