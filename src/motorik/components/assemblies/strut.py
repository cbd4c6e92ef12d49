"""Struts: a prismatic joint between a universal and a spherical joint."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.assemblies.base import PushedAssembly, passed
from motorik.components.base import kinds
from motorik.components.base.motion import Motion
from motorik.components.base.part import Values, Variable, frame, number_resolver, parameter
from motorik.components.base.ports import Port
from motorik.components.base.values import Derived
from motorik.components.base.visual_options import (
    AxisVisual,
    BallVisual,
    CylinderVisual,
    UniversalVisual,
)
from motorik.components.joints.compound import Universal
from motorik.components.joints.floating import Spherical
from motorik.components.joints.rods import across, check_rod

if TYPE_CHECKING:
    from typing_extensions import Self


class Strut(PushedAssembly, BallVisual, CylinderVisual, UniversalVisual, AxisVisual):
    """A prismatic joint between a universal and a spherical joint: a cylinder on two hinges.

    Its length is s + s_offset [m] and stays positive.
    """

    frame_ia = frame("frame at frame_a, fixed in the half of the strut there")
    frame_ib = frame("frame at frame_b, fixed in the half of the strut there")

    s_guess: kinds.OptionalPlainDistance = parameter(  # pyright: ignore[reportIncompatibleVariableOverride]
        "guess of s at the start; by default that of a length of 1 m", default=None
    )

    def start_length(self) -> float:
        """Return the guess of s [m] at the start."""
        if self.s_guess is None:
            return 1.0 - float(self.resolved(number_resolver).s_offset)
        return self.s_guess

    def make_strut(self, n1: str, axis: str, near: Port, inner: Port) -> None:
        """Make the strut from its universal joint, at the frame `near`, on."""
        far, beyond = (
            (self.frame_b, self.frame_ib)
            if near is self.frame_a
            else (self.frame_a, self.frame_ia)
        )
        self.universal = Universal(
            n_a=passed(self, n1),
            n_b=Derived(self, partial(_second_axis, n1, axis)),
            stateSelect="never",
        )
        self.prismatic = self.make_prismatic(axis)
        self.offset = self.make_offset(axis)
        self.spherical = Spherical()
        self.chain(near, self.universal.frame_a, self.universal.frame_b, inner)
        self.chain(inner, self.prismatic.frame_a)
        self.chain(self.prismatic.frame_b, self.offset.frame_a, self.offset.frame_b, beyond)
        self.chain(beyond, self.spherical.frame_a, self.spherical.frame_b, far)
        self.join_flanges()

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the motion of the prismatic joint, the length and the power balance."""

        def long(motion: Motion) -> Scalar:
            return (motion.pose(self.frame_b).p - motion.pose(self.frame_a).p).norm()

        return {**super().variables(p), "axisLength": Variable(long, "m", "length")}


class JointUPS(Strut):
    """Universal joint at frame_a, prismatic joint, spherical joint at frame_b.

    The first axis n1_a of the universal joint is fixed in frame_a, the second at right angles
    to it and to the strut, which leads from frame_a along nAxis_ia to frame_b.
    """

    n1_a: kinds.Axis = parameter("first axis, fixed in frame_a", default=(0, 0, 1))
    nAxis_ia: kinds.Axis = parameter("along the strut, in frame_ia", default=(1, 0, 0))

    def check(self, p: Self) -> None:
        """Refuse a strut along the first axis."""
        check_rod(self.label, p.n1_a, p.nAxis_ia, ("n1_a", "nAxis_ia"))

    def build(self) -> None:
        """Make the strut from frame_a to frame_b."""
        self.make_strut("n1_a", "nAxis_ia", self.frame_a, self.frame_ia)


class JointSPU(Strut):
    """Spherical joint at frame_a, prismatic joint, universal joint at frame_b.

    The first axis n1_b of the universal joint is fixed in frame_b, the second at right angles
    to it and to the strut, which leads from frame_b along nAxis_ib to frame_a.
    """

    n1_b: kinds.Axis = parameter("first axis, fixed in frame_b", default=(0, 0, 1))
    nAxis_ib: kinds.Axis = parameter("along the strut, in frame_ib", default=(-1, 0, 0))

    def check(self, p: Self) -> None:
        """Refuse a strut along the first axis."""
        check_rod(self.label, p.n1_b, p.nAxis_ib, ("n1_b", "nAxis_ib"))

    def build(self) -> None:
        """Make the strut from frame_b to frame_a."""
        self.make_strut("n1_b", "nAxis_ib", self.frame_b, self.frame_ib)


def _second_axis(n1: str, axis: str, p: Values) -> Vector:
    return across(getattr(p, n1), getattr(p, axis))
