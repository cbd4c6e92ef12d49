"""Planar joint assemblies: three joints with parallel turning axes, for planar loops.

Their names are those of the joints from frame_a to frame_b: R revolute, P prismatic at right
angles to the turning axis.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import atan2
from typing import TYPE_CHECKING

from motorik.algebra.vector import Vector
from motorik.components.assemblies.base import (
    Assembly,
    PushedAssembly,
    TurnedAssembly,
    frame_variables,
    measured_variables,
    passed,
)
from motorik.components.base import kinds
from motorik.components.base.part import Variable, frame, number_resolver, parameter
from motorik.components.base.ports import FramePort, connect
from motorik.components.base.visual_options import BoxVisual, CylinderVisual, RodVisual
from motorik.components.joints.simple import Prismatic, Revolute
from motorik.components.parts.rigid import FixedRotation, FixedTranslation
from motorik.elements.closure import perpendicular
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


class PlanarAssembly(Assembly, CylinderVisual, RodVisual):
    """Three joints and two rods in a plane at right angles to the turning axis.

    Rod 1 leads from frame_ia to the joint in the middle, rod 2 from frame_ib there. Where all
    angles are zero the frames are parallel. A turning axis has the same coordinates in all of
    them; where frame_a and frame_b are not parallel in that position, n_turn is the axis
    resolved in the other end frame.
    """

    frame_ia = frame("frame behind the joint at frame_a, fixed in rod 1")
    frame_ib = frame("frame behind the joint at frame_b, fixed in rod 2")
    frame_im = frame("frame behind the joint in the middle, fixed in rod 2")

    rRod1_ia: kinds.Position = parameter("from frame_ia to the middle", default=(1, 0, 0))
    rRod2_ib: kinds.Position = parameter("from frame_ib to the middle", default=(-1, 0, 0))
    n_turn: kinds.OptionalAxis = parameter(
        "turning axis in the other end frame; by default the same components", default=None
    )

    def make_rods(self, middle: Revolute | Prismatic, beyond: FramePort) -> None:
        """Connect rod 1 with the middle joint, and rod 2 with the port behind that joint."""
        self.rod1 = FixedTranslation(r=passed(self, "rRod1_ia"))
        self.rod2 = FixedTranslation(r=passed(self, "rRod2_ib"))
        self.chain(self.frame_ia, self.rod1.frame_a, self.rod1.frame_b, middle.frame_a)
        self.chain(beyond, self.frame_im, self.frame_im, self.rod2.frame_b)
        self.chain(self.rod2.frame_a, self.frame_ib)

    def realigned(self, port: FramePort, axis: str) -> FramePort:
        """Return the port behind a fixed rotation that takes n_turn to the turning axis."""
        p = self.resolved(number_resolver)
        if p.n_turn is None:
            return port
        near, far = getattr(p, axis), p.n_turn
        turn = far.cross(near)
        angle = atan2(float(turn.norm()), float(near.dot(far)))
        if float(turn.norm()) < 1e-12:
            turn = perpendicular(near)[0]
        self.alignment = FixedRotation(n=turn, angle=angle)
        connect(port, self.alignment.frame_a)
        return self.alignment.frame_b

    def check_in_plane(self, normal: Vector, **directions: Vector) -> None:
        """Refuse directions of sliding that do not lie in the plane."""
        for name, direction in directions.items():
            if abs(float(normal.dot(direction))) > 1e-9:
                raise ParameterError(
                    self.label,
                    f"{name} = {direction.xyz} is not at right angles to the turning axis "
                    f"{normal.xyz}.",
                    "Give a direction in the plane of motion.",
                    parameter=name,
                    value=direction.xyz,
                )


class JointRRR(TurnedAssembly, PlanarAssembly):
    """Three revolute joints about n_a; phi is the angle of the one at frame_b.

    phi is the angle of frame_ib relative to frame_b, about the turning axis.
    """

    n_a: kinds.Axis = parameter("turning axis, in frame_a", default=(0, 0, 1))

    def build(self) -> None:
        """Make the joints and the rods, and connect them."""
        n_a = passed(self, "n_a")
        self.revolute_a = Revolute(n=n_a, stateSelect="never")
        self.revolute_m = Revolute(n=n_a, stateSelect="never")
        self.revolute = self.make_revolute("n_a" if self.n_turn is None else "n_turn")
        self.chain(self.frame_a, self.revolute_a.frame_a)
        self.chain(self.revolute_a.frame_b, self.frame_ia)
        self.make_rods(self.revolute_m, self.realigned(self.revolute_m.frame_b, "n_a"))
        self.chain(
            self.frame_b, self.revolute.frame_a, self.revolute.frame_b, self.frame_ib
        )
        self.join_flanges()

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return phi, w, a, tau, the power balance, and the names used within JointUSR."""
        places = {
            "frame_b": self.frame_b,
            "frame_ia": self.frame_ia,
            "frame_im": self.frame_im,
            "revolute.frame_b": self.revolute.frame_b,
            "rod1.frame_b": self.revolute_m.frame_b,
            "rod1.frame_ia": self.frame_ia,
            "rod2.frame_b": self.rod2.frame_b,
        }
        shown = {**super().variables(p), **measured_variables(self, p, "jointUSR.")}
        for name, port in places.items():
            shown |= frame_variables(f"jointUSR.{name}", port)
        return shown


class JointRRP(PushedAssembly, PlanarAssembly, BoxVisual):
    """Revolute joints at frame_a and in the middle, about n_a; a prismatic one at frame_b.

    It slides along n_b, fixed in frame_b; s + s_offset is the distance from frame_b to frame_ib.
    """

    n_a: kinds.Axis = parameter("turning axis, in frame_a", default=(0, 0, 1))
    n_b: kinds.Axis = parameter("direction of sliding, in frame_b", default=(-1, 0, 0))

    def check(self, p: Self) -> None:
        """Refuse sliding out of the plane."""
        self.check_in_plane(p.n_a if p.n_turn is None else p.n_turn, n_b=p.n_b)

    def build(self) -> None:
        """Make the joints and the rods, and connect them."""
        n_a = passed(self, "n_a")
        self.revolute_a = Revolute(n=n_a, stateSelect="never")
        self.revolute_m = Revolute(n=n_a, stateSelect="never")
        self.prismatic = self.make_prismatic("n_b")
        self.offset = self.make_offset("n_b")
        self.chain(self.frame_a, self.revolute_a.frame_a)
        self.chain(self.revolute_a.frame_b, self.frame_ia)
        self.make_rods(self.revolute_m, self.realigned(self.revolute_m.frame_b, "n_a"))
        self.chain(self.frame_b, self.prismatic.frame_a)
        self.chain(self.prismatic.frame_b, self.offset.frame_a)
        self.chain(self.offset.frame_b, self.frame_ib)
        self.join_flanges()


class JointPRR(TurnedAssembly, PlanarAssembly, BoxVisual):
    """A prismatic joint at frame_a; revolute joints in the middle and at frame_b, about n_b.

    It slides along n_a, fixed in frame_a; phi is the angle of the joint at frame_b.
    """

    n_a: kinds.Axis = parameter("direction of sliding, in frame_a", default=(1, 0, 0))
    n_b: kinds.Axis = parameter("turning axis, in frame_b", default=(0, 0, 1))

    def check(self, p: Self) -> None:
        """Refuse sliding out of the plane."""
        self.check_in_plane(p.n_b if p.n_turn is None else p.n_turn, n_a=p.n_a)

    def build(self) -> None:
        """Make the joints and the rods, and connect them."""
        self.prismatic_a = Prismatic(n=passed(self, "n_a"), stateSelect="never")
        turn = "n_b" if self.n_turn is None else "n_turn"
        self.revolute_m = Revolute(n=passed(self, turn), stateSelect="never")
        self.revolute = self.make_revolute("n_b")
        self.chain(self.frame_a, self.prismatic_a.frame_a)
        self.chain(self.prismatic_a.frame_b, self.frame_ia)
        self.make_rods(self.revolute_m, self.revolute_m.frame_b)
        self.chain(self.frame_b, self.revolute.frame_a)
        self.chain(self.realigned(self.revolute.frame_b, "n_b"), self.frame_ib)
        self.join_flanges()


class JointRPR(PushedAssembly, PlanarAssembly, BoxVisual):
    """Revolute joints at frame_a and at frame_b, about n_a; a prismatic one in the middle.

    It slides along nAxis_ia, fixed in frame_ia: a cylinder on two hinges. Rod 1 leads from
    frame_ia to its beginning; frame_im is s + s_offset further along.
    """

    n_a: kinds.Axis = parameter("turning axis, in frame_a", default=(0, 0, 1))
    nAxis_ia: kinds.Axis = parameter("direction of sliding, in frame_ia", default=(1, 0, 0))
    rRod1_ia: kinds.Position = parameter("from frame_ia to the middle", default=(0, 0, 0))
    rRod2_ib: kinds.Position = parameter("from frame_ib to the middle", default=(0, 0, 0))

    def check(self, p: Self) -> None:
        """Refuse sliding out of the plane."""
        self.check_in_plane(p.n_a, nAxis_ia=p.nAxis_ia)

    def build(self) -> None:
        """Make the joints and the rods, and connect them."""
        n_a = passed(self, "n_a")
        self.revolute_a = Revolute(n=n_a, stateSelect="never")
        self.prismatic = self.make_prismatic("nAxis_ia")
        self.offset = self.make_offset("nAxis_ia")
        self.revolute_b = Revolute(n=n_a, stateSelect="never")
        self.chain(self.frame_a, self.revolute_a.frame_a)
        self.chain(self.revolute_a.frame_b, self.frame_ia)
        self.chain(self.prismatic.frame_b, self.offset.frame_a)
        self.make_rods(self.prismatic, self.offset.frame_b)
        self.chain(self.frame_ib, self.revolute_b.frame_a)
        self.chain(self.realigned(self.revolute_b.frame_b, "n_a"), self.frame_b)
        self.join_flanges()


class JointRPP(PushedAssembly, PlanarAssembly, BoxVisual):
    """A revolute joint at frame_a, about n_a; prismatic ones in the middle and at frame_b.

    They slide along nAxis_ia, fixed in frame_ia, and along n_b, fixed in frame_b; s + s_offset
    is the distance from frame_b to frame_ib. All frames but frame_a stay parallel.
    """

    n_a: kinds.Axis = parameter("turning axis, in frame_a", default=(0, 0, 1))
    nAxis_ia: kinds.Axis = parameter("first direction of sliding", default=(0, 1, 0))
    n_b: kinds.Axis = parameter("direction of sliding, in frame_b", default=(-1, 0, 0))

    def check(self, p: Self) -> None:
        """Refuse sliding out of the plane or twice in the same direction."""
        self.check_in_plane(p.n_a, nAxis_ia=p.nAxis_ia, n_b=p.n_b)
        if float(p.nAxis_ia.cross(p.n_b).norm()) < 1e-9:
            raise ParameterError(
                self.label,
                f"nAxis_ia = {p.nAxis_ia.xyz} and n_b = {p.n_b.xyz} are parallel.",
                "Give two different directions.",
                parameter="n_b",
                value=p.n_b.xyz,
            )

    def build(self) -> None:
        """Make the joints and the rods, and connect them."""
        self.revolute_a = Revolute(n=passed(self, "n_a"), stateSelect="never")
        self.prismatic_m = Prismatic(n=passed(self, "nAxis_ia"), stateSelect="never")
        self.prismatic = self.make_prismatic("n_b")
        self.offset = self.make_offset("n_b")
        self.chain(self.frame_a, self.revolute_a.frame_a)
        self.chain(self.revolute_a.frame_b, self.frame_ia)
        self.make_rods(self.prismatic_m, self.prismatic_m.frame_b)
        self.chain(self.frame_b, self.prismatic.frame_a)
        self.chain(self.prismatic.frame_b, self.offset.frame_a)
        self.chain(self.offset.frame_b, self.frame_ib)
        self.join_flanges()
