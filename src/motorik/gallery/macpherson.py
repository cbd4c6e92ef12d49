"""MacPherson suspension: arm, strut and steered wheel carrier, of joints or of assemblies."""

from __future__ import annotations

import numpy as np

from motorik import (
    Body,
    BodyShape,
    Fixed,
    FixedTranslation,
    Prismatic,
    Revolute,
    Spherical,
    World,
    blocks,
    guess,
    translational,
)
from motorik.assemblies import JointSSR, JointUPS
from motorik.components.joints.rods import SphericalSpherical
from motorik.forces import Spring
from motorik.model import Model

# points of a left front wheel in its design position [m]: x forward, y outward, z up
PIVOT = np.array([0.0, 0.35, 0.20])  # of the arm, on its axis along x
LOWER = np.array([0.0, 0.70, 0.18])  # ball between arm and carrier
TOP = np.array([-0.02, 0.58, 0.80])  # mount of the strut on the chassis
RACK = np.array([-0.12, 0.36, 0.26])  # inner end of the tie rod
STEER = np.array([-0.14, 0.70, 0.25])  # outer end of the tie rod, on the carrier
HUB = np.array([0.0, 0.75, 0.28])  # middle of the wheel

PRELOAD, STRUT, SHOCK, TYRE = 3000.0, 25e3, 1500.0, 200e3  # N, N/m, N·s/m, N/m


class Suspension(Model):
    """Common part of both suspensions: arm, steering rack, wheel carrier and tyre.

    The chassis is fixed. The arm turns about x and starts at `bounce` [rad] from its
    design position, at rest; the rack moves along y by `steering` · sin(π t) [m]. The strut's
    spring and the tyre balance each other with 3 kN in the design position. The data are not
    those of a real car.
    """

    def build(self, bounce: float = -0.06, steering: float = 0.02) -> None:
        """Place the points of the chassis, and the arm."""
        self.world = World(g=9.81, n="-z")
        self.pivot, self.top = place(PIVOT), place(TOP)
        self.inner_joint = Revolute(n="x", phi=bounce, w=0.0)
        self.arm = BodyShape(
            m=3.0,
            r=tuple(LOWER - PIVOT),
            r_CM=tuple((LOWER - PIVOT) / 2),
            I_11=0.03,
            I_22=0.01,
            I_33=0.03,
        )
        self.guide, self.rack = place(RACK), Prismatic(n="y", useAxisFlange=True)
        self.steering_signal = blocks.Sine(amplitude=steering, f=0.5)
        self.rack_drive = translational.Position(exact=True)
        self.carrier = Body(m=22.0, r_CM=tuple(HUB - LOWER), I_11=0.6, I_22=1.0, I_33=0.6)
        self.hub = FixedTranslation(r=tuple(HUB - LOWER))
        self.road = place(HUB - (0, 0, HUB[2]))
        self.tyre = Spring(c=TYRE, s_unstretched=HUB[2] + PRELOAD / TYRE)
        length = float(np.linalg.norm(TOP - LOWER))
        self.spring = translational.SpringDamper(
            c=STRUT, d=SHOCK, s_rel0=length + PRELOAD / STRUT
        )
        self.pivot.frame_b >> self.inner_joint.frame_a
        self.inner_joint.frame_b >> self.arm.frame_a
        self.guide.frame_b >> self.rack.frame_a
        self.steering_signal.y >> self.rack_drive.s_ref
        self.rack_drive.flange >> self.rack.axis
        self.carrier.frame_a >> self.hub.frame_a
        self.road.frame_b >> self.tyre.frame_a
        self.tyre.frame_b >> self.hub.frame_b


class MacPherson(Suspension):
    """A MacPherson suspension of plain joints; two coupled spatial loops, one freedom.

    The carrier sits on the arm by a ball, slides along the strut to the ball in its top
    mount, and is steered by a tie rod with a ball at each end.
    """

    def build(self, bounce: float = -0.06, steering: float = 0.02) -> None:
        """Connect the carrier by the strut with the chassis, and by the rod with the rack."""
        super().build(bounce, steering)
        axis = TOP - LOWER
        self.ball = Spherical()
        self.strut = Prismatic(
            n=tuple(axis), s=guess(float(np.linalg.norm(axis))), useAxisFlange=True
        )
        self.mount = Spherical()
        self.steering_arm = FixedTranslation(r=tuple(STEER - LOWER))
        self.tie_rod = SphericalSpherical(rodLength=float(np.linalg.norm(STEER - RACK)))
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
    """The same of two assemblies (Otter et al. 2003, figure 12).

    The strut is a JointUPS, rod and carrier a JointSSR on it: the cross of the one and the
    hinge of the other, with three axes through one point, are the ball on the arm.
    """

    def build(self, bounce: float = -0.06, steering: float = 0.02) -> None:
        """Put the strut between arm and chassis, then the carrier between strut and rack."""
        super().build(bounce, steering)
        axis = tuple(TOP - LOWER)
        self.jointUPS = JointUPS(n1_a="x", nAxis_ia=axis)
        self.jointSSR = JointSSR(
            rod1Length=float(np.linalg.norm(STEER - RACK)),
            n_b=axis,
            rRod2_ib=tuple(STEER - LOWER),
        )
        self.arm.frame_b >> self.jointUPS.frame_a
        self.jointUPS.frame_b >> self.top.frame_b
        self.rack.frame_b >> self.jointSSR.frame_a
        self.jointSSR.frame_b >> self.jointUPS.frame_ia
        self.jointSSR.frame_ib >> self.carrier.frame_a
        self.jointUPS.bearing >> self.spring.flange_a
        self.spring.flange_b >> self.jointUPS.axis


def place(point: np.ndarray) -> Fixed:
    """Return a place on the chassis at a point [m]."""
    return Fixed(r=tuple(point))
