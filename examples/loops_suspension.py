"""MacPherson suspension and Stewart platform: coupled loops in space.

The suspension is built twice, from plain joints and from the two assemblies of Otter et al.
2003 (figure 12); the wheel is steered to and fro while it bounces. The platform starts tilted
and settles. Writes loops_suspension.png (plot), loops_suspension_pose.png and
loops_platform_pose.png (pictures).
"""

from math import cos, radians, sin

import numpy as np

from motorik import (
    Body,
    BodyCylinder,
    BodyShape,
    Fixed,
    FixedRotation,
    FixedTranslation,
    Model,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
    World,
    blocks,
    guess,
    translational,
)
from motorik.assemblies import JointSSR, JointUPS
from motorik.forces import Spring
from motorik.joints import SphericalSpherical

# --- the suspension: points of a left front wheel [m], x forward, y outward, z up -------------

PIVOT = np.array([0.0, 0.35, 0.20])  # of the arm, on its axis along x
LOWER = np.array([0.0, 0.70, 0.18])  # ball joint between arm and wheel carrier
TOP = np.array([-0.02, 0.58, 0.80])  # mount of the strut on the chassis
RACK = np.array([-0.12, 0.36, 0.26])  # inner end of the tie rod
STEER = np.array([-0.14, 0.70, 0.25])  # outer end of the tie rod, on the carrier
HUB = np.array([0.0, 0.75, 0.28])  # middle of the wheel
STRUT_LENGTH = float(np.linalg.norm(TOP - LOWER))
ROD_LENGTH = float(np.linalg.norm(STEER - RACK))


class Suspension(Model):
    """The base of both suspensions: arm, steering rack, wheel carrier, spring and tyre.

    The chassis stands still. The arm turns about x and starts 0.06 rad below its design
    position, at rest; the rack moves along y by 20 mm · sin(π t). In the design position
    strut and tyre carry 3 kN.
    """

    def build(self) -> None:
        """Place what is fixed to the chassis, the arm, the rack and the wheel carrier."""
        self.world = World(g=9.81, n="-z")
        self.pivot, self.top = Fixed(r=tuple(PIVOT)), Fixed(r=tuple(TOP))
        self.inner_joint = Revolute(n="x", phi=-0.06, w=0.0)
        arm = LOWER - PIVOT
        self.arm = BodyShape(
            m=3.0, r=tuple(arm), r_CM=tuple(arm / 2), I_11=0.03, I_22=0.01, I_33=0.03
        )
        self.pivot.frame_b >> self.inner_joint.frame_a
        self.inner_joint.frame_b >> self.arm.frame_a

        self.guide, self.rack = Fixed(r=tuple(RACK)), Prismatic(n="y", useAxisFlange=True)
        self.steering = blocks.Sine(amplitude=0.02, f=0.5)
        self.rack_drive = translational.Position(exact=True)
        self.guide.frame_b >> self.rack.frame_a
        self.steering.y >> self.rack_drive.s_ref
        self.rack_drive.flange >> self.rack.axis

        self.carrier = Body(m=22.0, r_CM=tuple(HUB - LOWER), I_11=0.6, I_22=1.0, I_33=0.6)
        self.hub = FixedTranslation(r=tuple(HUB - LOWER))
        self.road = Fixed(r=(HUB[0], HUB[1], 0.0))
        self.tyre = Spring(c=200e3, s_unstretched=HUB[2] + 3000.0 / 200e3)
        self.spring = translational.SpringDamper(
            c=25e3, d=1500.0, s_rel0=STRUT_LENGTH + 3000.0 / 25e3
        )
        self.carrier.frame_a >> self.hub.frame_a
        self.road.frame_b >> self.tyre.frame_a
        self.tyre.frame_b >> self.hub.frame_b


class MacPherson(Suspension):
    """The suspension of plain joints: two coupled spatial loops, one degree of freedom.

    A ball joint connects the carrier with the arm, a slide and a ball joint with the top
    mount, and a tie rod with a ball joint at each end with the rack.
    """

    def build(self) -> None:
        """Connect the carrier with arm, chassis and rack."""
        super().build()
        self.ball, self.mount = Spherical(), Spherical()
        self.strut = Prismatic(
            n=tuple(TOP - LOWER), s=guess(STRUT_LENGTH), useAxisFlange=True
        )
        self.steering_arm = FixedTranslation(r=tuple(STEER - LOWER))
        self.tie_rod = SphericalSpherical(rodLength=ROD_LENGTH)
        self.arm.frame_b >> self.ball.frame_a
        self.ball.frame_b >> self.carrier.frame_a
        self.carrier.frame_a >> self.strut.frame_a
        self.strut.frame_b >> self.mount.frame_a
        self.mount.frame_b >> self.top.frame_b
        self.carrier.frame_a >> self.steering_arm.frame_a
        self.rack.frame_b >> self.tie_rod.frame_a
        self.tie_rod.frame_b >> self.steering_arm.frame_b
        self.strut.support >> self.spring.flange_a
        self.spring.flange_b >> self.strut.axis


class MacPhersonAnalytic(Suspension):
    """The suspension of two assemblies: a JointUPS as the strut, a JointSSR as rod and carrier.

    The universal joint of the one and the hinge of the other, with three axes through one
    point, are the ball joint on the arm.
    """

    def build(self) -> None:
        """Put the strut between arm and chassis, then the carrier between strut and rack."""
        super().build()
        axis = tuple(TOP - LOWER)
        self.jointUPS = JointUPS(n1_a="x", nAxis_ia=axis)
        self.jointSSR = JointSSR(
            rod1Length=ROD_LENGTH, n_b=axis, rRod2_ib=tuple(STEER - LOWER)
        )
        self.arm.frame_b >> self.jointUPS.frame_a
        self.jointUPS.frame_b >> self.top.frame_b
        self.rack.frame_b >> self.jointSSR.frame_a
        self.jointSSR.frame_b >> self.jointUPS.frame_ia
        self.jointSSR.frame_ib >> self.carrier.frame_a
        self.jointUPS.bearing >> self.spring.flange_a
        self.spring.flange_b >> self.jointUPS.axis


# --- the platform: six legs between two rings of points ---------------------------------------


def ring(radius: float, angles: tuple[float, ...]) -> np.ndarray:
    """Return points on a level circle [m] at these angles [°], one row each."""
    return np.array([(radius * cos(a), radius * sin(a), 0.0) for a in map(radians, angles)])


FEET = ring(1.0, (-10.0, 10.0, 110.0, 130.0, 230.0, 250.0))  # on the ground
SEATS = ring(0.6, (-50.0, 50.0, 70.0, 170.0, 190.0, 290.0))  # on the plate, from its middle
EXTENSIONS = (0.05, 0.0, 0.02, -0.04, 0.0, -0.03)  # m, of the legs at the start


class Leg(Model):
    """A leg from a foot on the ground to a seat on the plate: universal joint, slide, ball joint.

    It lies along the x axis of its frames, and its angles are zero where the plate is level
    and 1 m above the ground. Both halves are steel tubes; the slide is sprung.
    """

    def build(self, number: int = 0) -> None:
        """Join the halves by the slide that the spring acts on."""
        leg = SEATS[number] + (0.0, 0.0, 1.0) - FEET[number]
        length = float(np.linalg.norm(leg))
        x, y = tuple(leg), (-leg[1], leg[0], 0.0)
        self.foot = FixedRotation(
            r=tuple(FEET[number]), rotationType="TwoAxesVectors", n_x=x, n_y=y
        )
        self.cross = Universal(n_a="y", n_b="z")
        self.tube = BodyCylinder(r=(0.6, 0, 0), diameter=0.06, innerDiameter=0.05)
        self.slide = Prismatic(
            n="x", s=length + EXTENSIONS[number], v=0.0, useAxisFlange=True
        )
        self.piston = BodyCylinder(r=(-0.6, 0, 0), diameter=0.045, innerDiameter=0.03)
        self.ball = Spherical()
        self.seat = FixedRotation(
            r=tuple(SEATS[number]), rotationType="TwoAxesVectors", n_x=x, n_y=y
        )
        self.spring = translational.SpringDamper(c=5e4, d=300.0, s_rel0=length)
        self.foot.frame_b >> self.cross.frame_a
        self.cross.frame_b >> self.tube.frame_a
        self.cross.frame_b >> self.slide.frame_a
        self.slide.frame_b >> self.piston.frame_a
        self.slide.frame_b >> self.ball.frame_a
        self.ball.frame_b >> self.seat.frame_b
        self.slide.support >> self.spring.flange_a
        self.spring.flange_b >> self.slide.axis


class StewartPlatform(Model):
    """A plate of 100 kg on six legs: six degrees of freedom, five loops."""

    def build(self) -> None:
        """Stand the plate on its legs."""
        self.world = World(g=9.81, n="-z")
        self.plate = Body(m=100.0, I_11=9.0, I_22=9.0, I_33=18.0)
        for number in range(6):
            leg = Leg(number=number)
            setattr(self, f"leg{number + 1}", leg)
            self.world.frame_b >> leg.foot.frame_a
            leg.seat.frame_a >> self.plate.frame_a


def main() -> None:
    """Simulate all three."""
    suspension = MacPhersonAnalytic()
    print(suspension.explain())
    assembled = suspension.simulate(2.0, rtol=1e-9)
    jointed = MacPherson().simulate(2.0, rtol=1e-9)
    hub = "hub.frame_b.r_0"
    apart = np.abs(assembled[hub] - jointed[hub]).max()
    print(f"both suspensions move the wheel alike, within {apart:.1e} m")
    jointed.plot(
        "inner_joint.phi",
        "rack.s",
        "strut.s",
        "spring.f",
        f"{hub}[3]",
        file="loops_suspension.png",
    )
    jointed.draw(0.5, trace=hub, file="loops_suspension_pose.png")

    platform = StewartPlatform().simulate(1.0, rtol=1e-9)
    print(platform.summary())
    platform.draw(0.0, file="loops_platform_pose.png")


if __name__ == "__main__":
    main()
