"""Spatial joint assemblies: a rod with spherical or universal ends, and one driven joint.

Their names are those of the joints from frame_a to frame_b: S spherical, U universal,
R revolute, P prismatic.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, is_structural
from motorik.algebra.vector import Vector
from motorik.components.assemblies.base import (
    Assembly,
    PushedAssembly,
    TurnedAssembly,
    measured_variables,
    passed,
)
from motorik.components.base import kinds
from motorik.components.base.motion import Motion
from motorik.components.base.part import Part, Values, Variable, frame, parameter
from motorik.components.base.ports import FramePort
from motorik.components.base.values import Derived
from motorik.components.base.visual_options import (
    BallVisual,
    BoxVisual,
    CylinderVisual,
    RevoluteAtBVisual,
    TwoRodsVisual,
    UniversalVisual,
)
from motorik.components.joints.compound import Universal
from motorik.components.joints.floating import Spherical
from motorik.components.joints.rods import (
    SphericalSpherical,
    UniversalSpherical,
    across,
    check_rod,
)
from motorik.components.parts.rigid import FixedTranslation

if TYPE_CHECKING:
    from typing_extensions import Self


class TwoRods(Assembly, BallVisual, TwoRodsVisual):
    """An assembly of rod 1 from frame_a to the middle and rod 2 on to the joint at frame_b."""

    frame_ib = frame("frame behind the joint at frame_b, fixed in rod 2")
    frame_im = frame("frame in the middle, fixed in rod 2, parallel to frame_ib")

    rRod2_ib: kinds.Position = parameter("from frame_ib to the middle", default=(-1, 0, 0))

    def build(self) -> None:
        """Make the two rods and the joint, and connect them."""
        self.rod2 = FixedTranslation(r=passed(self, "rRod2_ib"))
        self.chain(self.rod2.frame_a, self.frame_ib, self.rod2.frame_b, self.frame_im)
        self.make_rod1()
        self.make_joint(self.rod2.frame_a)
        self.join_flanges()

    def make_rod1(self) -> None:
        """Make the connection from frame_a to frame_im."""
        raise NotImplementedError


class SphericalRod(TwoRods):
    """An assembly whose rod 1 has a spherical joint at either end."""

    rod1Length: kinds.Length = parameter("length of rod 1", default=1.0)
    rod1Mass: kinds.Mass = parameter("mass in the middle of rod 1", default=0.0)
    rRod2_ib: kinds.Position = parameter("from frame_ib to the middle", default=(1, 0, 0))

    def make_rod1(self) -> None:
        """Make rod 1, with its mass if it has one."""
        self.rod1 = SphericalSpherical(m=self.rod1Mass)
        self.share(self.rod1, rodLength="rod1Length")
        if not is_structural(self.rod1Mass, 0.0):
            self.share(self.rod1, m="rod1Mass")
        self.chain(self.frame_a, self.rod1.frame_a, self.frame_im, self.rod1.frame_b)

    def taken(self, motion: Motion) -> Scalar:
        """Return the power [W] that the mass of rod 1 absorbs."""
        return self.rod1.mass.power(motion) if "mass" in self.rod1.parts else 0.0

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the motion of the driven joint, the force in rod 1 and the power balance."""
        shown = measured_variables(self, p) | rod_force(self.rod1)
        return {**super().variables(p), **shown}


class UniversalRod(TwoRods, CylinderVisual, UniversalVisual):
    """An assembly whose rod 1 has a universal joint at frame_a, a spherical one in the middle.

    The first axis n1_a of the universal joint is fixed in frame_a, the second at right angles
    to it and to rod 1.
    """

    frame_ia = frame("frame at frame_a, fixed in rod 1")

    n1_a: kinds.Axis = parameter("first axis, fixed in frame_a", default=(0, 0, 1))
    rRod1_ia: kinds.Position = parameter("from frame_a to the middle", default=(1, 0, 0))

    def check(self, p: Self) -> None:
        """Refuse a rod without length or along the first axis."""
        check_rod(self.label, p.n1_a, p.rRod1_ia, ("n1_a", "rRod1_ia"))

    def make_rod1(self) -> None:
        """Make rod 1."""
        self.rod1 = UniversalSpherical(
            n1_a=passed(self, "n1_a"), rRod_ia=passed(self, "rRod1_ia")
        )
        self.chain(self.frame_a, self.rod1.frame_a, self.frame_im, self.rod1.frame_b)
        self.chain(self.frame_ia, self.rod1.frame_ia)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the motion of the driven joint, the force in rod 1 and the power balance."""
        shown = measured_variables(self, p) | rod_force(self.rod1)
        return {**super().variables(p), **shown}


class RodToUniversal(TwoRods, CylinderVisual, UniversalVisual):
    """An assembly whose rod 1 has a spherical joint at frame_a, a universal one in the middle.

    The first axis n1_im of the universal joint is fixed in frame_im, the second at right
    angles to it and to rod 1.
    """

    frame_ia = frame("frame at frame_a, fixed in rod 1")

    n1_im: kinds.Axis = parameter("first axis, fixed in frame_im", default=(0, 0, 1))
    rRod1_ia: kinds.Position = parameter("from frame_a to the middle", default=(1, 0, 0))

    def check(self, p: Self) -> None:
        """Refuse a rod without length or along the first axis."""
        check_rod(self.label, p.n1_im, p.rRod1_ia, ("n1_im", "rRod1_ia"))

    def make_rod1(self) -> None:
        """Make rod 1 from its universal joint to its spherical one."""
        self.universal = Universal(
            n_a=passed(self, "n1_im"), n_b=Derived(self, _across_rod1), stateSelect="never"
        )
        self.rod1 = FixedTranslation(r=Derived(self, _back_along_rod1))
        self.spherical = Spherical()
        self.chain(self.frame_im, self.universal.frame_a)
        self.chain(self.universal.frame_b, self.rod1.frame_a)
        self.chain(self.rod1.frame_b, self.frame_ia, self.frame_ia, self.spherical.frame_b)
        self.chain(self.frame_a, self.spherical.frame_a)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the motion of the driven joint, the force in rod 1 and the power balance."""

        def force(motion: Motion) -> Scalar:
            along = motion.pose(self.frame_ia).R @ p.rRod1_ia.normalized()
            f_0 = motion.pose(self.frame_a).R @ motion.reaction_at(self.frame_a).resultant
            return f_0.dot(along)

        shown = {
            "f_rod": Variable(force, "N", "force along rod 1; positive in compression")
        }
        return {**super().variables(p), **shown}


class RevoluteAtB(TurnedAssembly, TwoRods, RevoluteAtBVisual):
    """A two-rod assembly with a revolute joint at frame_b, about n_b fixed in frame_b."""

    n_b: kinds.Axis = parameter("axis of the revolute joint", default=(0, 0, 1))

    def make_joint(self, end: FramePort) -> None:
        """Make the revolute joint, which carries rod 2."""
        self.revolute = self.make_revolute("n_b")
        self.chain(self.frame_b, self.revolute.frame_a, self.revolute.frame_b, end)


class PrismaticAtB(PushedAssembly, TwoRods, BoxVisual):
    """A two-rod assembly with a prismatic joint at frame_b, along n_b fixed in frame_b."""

    n_b: kinds.Axis = parameter("axis of the prismatic joint", default=(-1, 0, 0))

    def make_joint(self, end: FramePort) -> None:
        """Make the prismatic joint, which carries rod 2."""
        self.prismatic = self.make_prismatic("n_b")
        self.offset = self.make_offset("n_b")
        self.chain(self.frame_b, self.prismatic.frame_a)
        self.chain(self.prismatic.frame_b, self.offset.frame_a, self.offset.frame_b, end)


class JointSSR(RevoluteAtB, SphericalRod):
    """Spherical, spherical and revolute joint: rod 1 between the spherical ones."""


class JointSSP(PrismaticAtB, SphericalRod):
    """Spherical, spherical and prismatic joint: rod 1 between the spherical ones."""

    n_b: kinds.Axis = parameter("axis of the prismatic joint", default=(0, 0, 1))


class JointUSR(RevoluteAtB, UniversalRod):
    """Universal joint at frame_a, spherical joint in the middle, revolute joint at frame_b."""


class JointUSP(PrismaticAtB, UniversalRod):
    """Universal joint at frame_a, spherical in the middle, prismatic joint at frame_b."""


class JointSUR(RevoluteAtB, RodToUniversal):
    """Spherical joint at frame_a, universal joint in the middle, revolute joint at frame_b."""


class JointSUP(PrismaticAtB, RodToUniversal):
    """Spherical joint at frame_a, universal in the middle, prismatic joint at frame_b."""


def rod_force(rod: Part) -> dict[str, Variable]:
    """Return the force in rod 1 [N], positive in compression."""
    text = "force in rod 1; positive in compression"
    return {"f_rod": Variable(lambda motion: motion.variable(rod, "f_rod"), "N", text)}


def _back_along_rod1(p: Values) -> Vector:
    return -p.rRod1_ia


def _across_rod1(p: Values) -> Vector:
    return across(p.n1_im, p.rRod1_ia)
