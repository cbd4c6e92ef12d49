"""Four-bar, connected in a ring: how its loop is solved, its branches and dead centres.

Writes loops_four_bar.png (plot) and loops_four_bar_pose.png (picture).
"""

import numpy as np

from motorik import BodyBox, Fixed, Model, Revolute, World, guess


class FourBar(Model):
    """Crank, coupler and rocker on a base; the crank starts at 60° with 5 rad/s."""

    def build(self):
        """Connect the bars in a ring; the joint that closes the loop is chosen automatically."""
        self.world = World()
        self.bearing = Revolute(n="z", phi=np.pi / 3, w=5.0)
        self.crank = BodyBox(r=(0.3, 0, 0), width=0.04)
        self.pin = Revolute(n="z", phi=guess(-0.8))
        self.coupler = BodyBox(r=(1.0, 0, 0), width=0.04)
        self.base = Fixed(r=(0.9, 0, 0))
        self.pivot = Revolute(n="z", phi=guess(1.4))
        self.rocker = BodyBox(r=(0.7, 0, 0), width=0.04)
        self.knuckle = Revolute(n="z")
        self.world.frame_b >> self.bearing.frame_a
        self.bearing.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.pin.frame_a
        self.pin.frame_b >> self.coupler.frame_a
        self.base.frame_b >> self.pivot.frame_a
        self.pivot.frame_b >> self.rocker.frame_a
        self.rocker.frame_b >> self.knuckle.frame_a
        self.knuckle.frame_b >> self.coupler.frame_b


def main() -> None:
    """Simulate by closed forms and by projection; plot the force in the closing hinge."""
    four_bar = FourBar()
    print(four_bar.explain())
    result = four_bar.simulate(3.0, rtol=1e-9)
    print(result.summary())
    metres, radians = result.constraint_violation()
    print(f"the loop stays closed within {metres:.1e} m and {radians:.1e} rad")
    middle = "coupler.body.r_CM_0"
    for strategy in ("projected", "baumgarte", "absolute"):
        other = four_bar.simulate(3.0, rtol=1e-9, strategy=strategy)
        apart = np.abs(other[middle] - result[middle]).max()
        print(f"{strategy:9} moves the coupler alike, within {apart:.1e} m")
    result.plot("bearing.phi", "pivot.phi", "knuckle.frame_a.f", file="loops_four_bar.png")
    result.draw(1.0, trace=middle, file="loops_four_bar_pose.png")


if __name__ == "__main__":
    main()
