"""Four-bar mechanisms: Modelica's, in space and in a plane, plain and with assemblies."""

from __future__ import annotations

from math import pi, sqrt

from motorik import (
    Body,
    BodyBox,
    BodyCylinder,
    FixedTranslation,
    Prismatic,
    Revolute,
    World,
    blocks,
    guess,
    rotational,
)
from motorik.assemblies import JointRRR, JointSSP
from motorik.components.joints.rods import UniversalSpherical
from motorik.model import Model

SPEED = 5 * pi / 3  # rad/s, 300 degrees per second
ROD = (-1.0, 0.3, 0.1)  # m, from the slider's arm to the crank
BASE = (1.2, 0.0, 0.0)  # m, from the crank's bearing to the rail


class SpatialFourbar(Model):
    """Common part of the spatial four-bars: a crank that turns about x, and a base for a rail.

    The crank `b1` hangs on the hinge `j1` that starts at phi = 0 with 300°/s; the rail lies
    along x behind `base`. Steel bars of 50 mm; gravity along −y.
    """

    def build(self) -> None:
        """Hang the crank on its hinge."""
        self.world = World()
        self.j1 = Revolute(n="x", phi=0.0, w=SPEED, stateSelect="always")
        self.b1 = BodyCylinder(r=(0, 0.5, 0.1), diameter=0.05)
        self.base = FixedTranslation(r=BASE)
        self.world.frame_b >> self.j1.frame_a
        self.j1.frame_b >> self.b1.frame_a
        self.world.frame_b >> self.base.frame_a

    def _slider(self, s) -> None:
        """Put an arm that slides along x on the base."""
        self.j2 = Prismatic(n="x", s=s)
        self.b2 = BodyCylinder(r=(0, 0.2, 0), diameter=0.05)
        self.base.frame_b >> self.j2.frame_a
        self.j2.frame_b >> self.b2.frame_a


class Fourbar1(SpatialFourbar):
    """A spatial four-bar of one prismatic and six revolute joints (Modelica's Fourbar1).

    The rod `b3` is joined to the slider by a cross of two hinges, to the crank by three.
    """

    def build(self) -> None:
        """Connect slider and crank with both ends of the rod, hinge after hinge."""
        super().build()
        self._slider(guess(-0.2))
        self.b3 = BodyCylinder(r=ROD, diameter=0.05)
        self.rev, self.rev1 = Revolute(n="y"), Revolute(n="z")
        self.j3, self.j4, self.j5 = Revolute(n="x"), Revolute(n="y"), Revolute(n="z")
        self.b2.frame_b >> self.rev.frame_a
        self.rev.frame_b >> self.rev1.frame_a
        self.rev1.frame_b >> self.b3.frame_a
        self.b1.frame_b >> self.j3.frame_a
        self.j3.frame_b >> self.j4.frame_a
        self.j4.frame_b >> self.j5.frame_a
        self.j5.frame_b >> self.b3.frame_b


class Fourbar2(SpatialFourbar):
    """The same with a massless rod that ends in a cross and a ball (Modelica's Fourbar2)."""

    def build(self) -> None:
        """Connect slider and crank by the rod."""
        super().build()
        self._slider(guess(-0.2))
        self.rod = UniversalSpherical(n1_a="y", rRod_ia=ROD, computeRodLength=True)
        self.b2.frame_b >> self.rod.frame_a
        self.rod.frame_b >> self.b1.frame_b


class FourbarAnalytic(SpatialFourbar):
    """The same with rod and slider as one assembly (Modelica's Fourbar_analytic)."""

    def build(self) -> None:
        """Put the assembly between crank and base; its arm carries a bar."""
        super().build()
        self.jointSSP = JointSSP(
            rod1Length=sqrt(sum(x * x for x in ROD)),
            n_b="x",
            s_offset=-0.2,
            rRod2_ib=(0, 0.2, 0),
        )
        self.b2 = BodyCylinder(r=(0, 0.2, 0), diameter=0.05)
        self.b1.frame_b >> self.jointSSP.frame_a
        self.base.frame_b >> self.jointSSP.frame_b
        self.b2.frame_a >> self.jointSSP.frame_ib


class PlanarFourbar(Model):
    """Four bars in a plane, four hinges about z, one of them damped (Modelica's).

    `body3` is the frame, `body1` the crank, `body2` the coupler, `body4` the rocker; released
    from rest. The four axes are parallel, so three of the constraint equations are redundant.
    """

    def build(self, damping: float = 0.1) -> None:
        """Close the ring of bars."""
        r1, r2, r3 = (0.4, 0, 0), (0.1, 1.1, 0), (-0.15, 1.0, 0)
        r4 = tuple(a + b - c for a, b, c in zip(r1, r2, r3, strict=True))
        width = 0.05
        self.world = World()
        self.revolute1 = Revolute(phi=0.0, w=0.0, useAxisFlange=True, stateSelect="always")
        self.body1 = BodyBox(r=r1, width=width)
        self.revolute2 = Revolute()
        self.body2 = BodyBox(r=r2, width=width)
        self.body3 = BodyBox(r=r3, width=width)
        self.revolute3 = Revolute()
        self.body4 = BodyBox(r=r4, width=width)
        self.revolute4 = Revolute()
        self.damper = rotational.Damper(d=damping)
        self.world.frame_b >> self.revolute1.frame_a
        self.revolute1.frame_b >> self.body1.frame_a
        self.body1.frame_b >> self.revolute2.frame_a
        self.revolute2.frame_b >> self.body2.frame_a
        self.world.frame_b >> self.body3.frame_a
        self.body3.frame_b >> self.revolute3.frame_a
        self.revolute3.frame_b >> self.body4.frame_a
        self.body4.frame_b >> self.revolute4.frame_a
        self.revolute4.frame_b >> self.body2.frame_b
        self.revolute1.support >> self.damper.flange_a
        self.damper.flange_b >> self.revolute1.axis


class PlanarLoopsAnalytic(Model):
    """Three planar loops, one driving the next (Modelica's PlanarLoops_analytic).

    A crank is moved by 0.7 rad · sin(2π t); three assemblies of two rods hang on it one after
    another, each with a body of 1 kg in the middle of its first rod.
    """

    def build(self) -> None:
        """Hang each pair of rods on the joint in the middle of the one before."""
        across, up = (0.5, 0.0, 0.0), (0.0, 0.5, 0.0)
        uprights = (up, (0.1, 0.5, 0.0), (0.1, 0.6, 0.0), (0.0, 0.55, 0.0))
        self.world = World()
        self.rev = Revolute(n="z", useAxisFlange=True)
        self.rod1 = FixedTranslation(r=up)
        self.world.frame_b >> self.rev.frame_a
        self.rev.frame_b >> self.rod1.frame_a
        foot, middle = self.world.frame_b, self.rod1.frame_b
        for i in (1, 2, 3):
            before, behind = uprights[i - 1], uprights[i]
            span = tuple(c + a - b for a, b, c in zip(across, before, behind, strict=True))
            base, pair = (
                FixedTranslation(r=across),
                JointRRR(rRod1_ia=span, rRod2_ib=behind),
            )
            body = Body(m=1.0, r_CM=tuple(x / 2 for x in span))
            setattr(self, f"rod{i + 1}", base)
            setattr(self, f"jointRRR{i}", pair)
            setattr(self, f"body{i}", body)
            foot >> base.frame_a
            base.frame_b >> pair.frame_b
            middle >> pair.frame_a
            pair.frame_ia >> body.frame_a
            foot, middle = base.frame_b, pair.frame_im

        self.sine = blocks.Sine(amplitude=0.7, f=1.0)
        self.position = rotational.Position()
        self.sine.y >> self.position.phi_ref
        self.position.flange >> self.rev.axis
