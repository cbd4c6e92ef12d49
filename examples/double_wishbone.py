"""Double wishbone suspension of a quarter car that drives over a bump.

Two wishbones are hinged to the chassis; the upright is guided by a ball joint on each of them and
by the tie rod of the steering. These are spatial loops, found and closed automatically. A spring
with a damper acts on the lower wishbone, the tyre is a spring to the road. x points forward, y to
the left, z up. Writes double_wishbone.png (plot) and double_wishbone_pose.png (picture).
"""

import numpy as np

from motorik import (
    Body,
    BodyShape,
    FixedTranslation,
    Model,
    Prismatic,
    Revolute,
    SolverOptions,
    Spherical,
    World,
    blocks,
    forces,
    guess,
    joints,
    translational,
    where,
)
from motorik.visualizers import VoluminousWheel

#: Points of the suspension [m], from the middle of the front axle.
LOWER_ARM, LOWER_BALL = np.array((0.0, 0.25, 0.20)), np.array((0.0, 0.70, 0.18))
UPPER_ARM, UPPER_BALL = np.array((0.0, 0.35, 0.48)), np.array((-0.02, 0.66, 0.50))
RACK, STEERING_ARM = np.array((-0.12, 0.28, 0.22)), np.array((-0.12, 0.68, 0.21))
WHEEL = np.array((0.0, 0.75, 0.30))
SPRING_FOOT, SPRING_HEAD = np.array((0.0, 0.50, 0.20)), np.array((0.0, 0.42, 0.62))


class DoubleWishbone(Model):
    """A quarter of a car on a double wishbone suspension."""

    def build(self, c=30_000.0, d=5_000.0):
        """Connect the wishbones, the upright and the tie rod with the chassis."""
        self.world = World(n="-z")
        self.heave = Prismatic(n="z", s=guess(0.0))
        self.chassis = Body(m=350.0, r_CM=(0, 0, 0.4))
        self.connect(self.world.frame_b, self.heave.frame_a)
        self.connect(self.heave.frame_b, self.chassis.frame_a)
        self.build_arms()
        self.build_upright()
        self.build_springs(c, d)
        self.build_road()

    def on_chassis(self, point):
        """Return a frame on the chassis."""
        place = FixedTranslation(r=tuple(point), animation=False)
        setattr(self, f"place{len(self.parts)}", place)
        self.connect(self.chassis.frame_a, place.frame_a)
        return place.frame_b

    def build_arms(self):
        """Build both wishbones on their bearings along x."""
        self.lower_bearing, self.upper_bearing = Revolute(n="x"), Revolute(n="x")
        to_lower, to_upper = LOWER_BALL - LOWER_ARM, UPPER_BALL - UPPER_ARM
        self.lower = BodyShape(r=tuple(to_lower), r_CM=tuple(to_lower / 2), m=6.0)
        self.upper = BodyShape(r=tuple(to_upper), r_CM=tuple(to_upper / 2), m=4.0)
        self.connect(self.on_chassis(LOWER_ARM), self.lower_bearing.frame_a)
        self.connect(self.on_chassis(UPPER_ARM), self.upper_bearing.frame_a)
        self.connect(self.lower_bearing.frame_b, self.lower.frame_a)
        self.connect(self.upper_bearing.frame_b, self.upper.frame_a)

    def build_upright(self):
        """Build the upright with the wheel between ball joints and the tie rod."""
        self.lower_ball, self.upper_ball = Spherical(), Spherical()
        self.upright = BodyShape(
            r=tuple(UPPER_BALL - LOWER_BALL), r_CM=tuple(WHEEL - LOWER_BALL), m=40.0,
            I_11=0.6, I_22=1.0, I_33=0.6,
        )  # fmt: skip
        self.hub = FixedTranslation(r=tuple(WHEEL - LOWER_BALL))
        self.wheel = VoluminousWheel(rTire=0.3, rRim=0.2, width=0.2, opacity=0.3)
        self.lever = FixedTranslation(r=tuple(STEERING_ARM - LOWER_BALL))
        length = float(np.linalg.norm(STEERING_ARM - RACK))
        self.tie_rod = joints.SphericalSpherical(rodLength=length)
        self.connect(self.lower.frame_b, self.lower_ball.frame_a)
        self.connect(self.lower_ball.frame_b, self.upright.frame_a)
        self.connect(self.upright.frame_b, self.upper_ball.frame_b)
        self.connect(self.upper_ball.frame_a, self.upper.frame_b)
        self.connect(self.upright.frame_a, self.hub.frame_a, self.lever.frame_a)
        self.connect(self.hub.frame_b, self.wheel.frame_a)
        self.connect(self.on_chassis(RACK), self.tie_rod.frame_a)
        self.connect(self.tie_rod.frame_b, self.lever.frame_b)

    def build_springs(self, c, d):
        """Put spring and damper between the lower wishbone and the chassis."""
        self.foot = FixedTranslation(r=tuple(SPRING_FOOT - LOWER_ARM))
        self.strut = forces.SpringDamperParallel(c=c, s_unstretched=0.62, d=d)
        self.connect(self.lower.frame_a, self.foot.frame_a)
        self.connect(self.foot.frame_b, self.strut.frame_a)
        self.connect(self.strut.frame_b, self.on_chassis(SPRING_HEAD))

    def build_road(self):
        """Put the tyre, a spring, between wheel and road."""
        self.lift = Prismatic(n="z", useAxisFlange=True)
        self.drive = translational.Position(exact=True)
        self.bump = blocks.TimeFunction(f=bump)
        self.patch = Body(m=1.0, r_CM=(0, 0, 0))
        self.road = FixedTranslation(r=(0.0, float(WHEEL[1]), 0.0))
        self.tyre = forces.SpringDamperParallel(c=220_000.0, s_unstretched=0.32, d=300.0)
        self.connect(self.world.frame_b, self.road.frame_a)
        self.connect(self.road.frame_b, self.lift.frame_a)
        self.connect(self.lift.frame_b, self.patch.frame_a, self.tyre.frame_a)
        self.connect(self.tyre.frame_b, self.hub.frame_b)
        self.connect(self.bump.y, self.drive.s_ref)
        self.connect(self.drive.flange, self.lift.axis)


def bump(t):
    """Return the height of the road [m]: a smooth bump of 50 mm between 2 and 2.3 s."""
    x = (t - 2.0) / 0.3
    inside = 0.05 * (4.0 * x * (1.0 - x)) ** 3
    return where(x > 0.0, where(x < 1.0, inside, 0.0), 0.0)


def main() -> None:
    """Drive over the bump; show how the wheel is guided."""
    car = DoubleWishbone()
    print(car.explain())
    result = car.simulate(4.0, rtol=1e-8, solver=SolverOptions(max_step=0.05))
    print(result.summary())
    metres, radians = result.constraint_violation()
    print(f"the loops stay closed within {metres:.1e} m and {radians:.1e} rad")
    travel = result["strut.s"]
    print(f"the strut works over {1e3 * np.ptp(travel):.0f} mm")
    result.plot(
        "bump.y", "heave.s", "lower_bearing.phi", "strut.f", "tyre.f", "tie_rod.f_rod",
        file="double_wishbone.png",
    )  # fmt: skip
    result.draw(0.0, trace="hub.frame_b.r_0", file="double_wishbone_pose.png")


if __name__ == "__main__":
    main()
