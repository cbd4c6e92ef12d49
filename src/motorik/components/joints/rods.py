"""Rods: two points a fixed length apart, by spherical and universal joints at the ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from motorik.algebra.motor import power
from motorik.algebra.scalar import Scalar, is_structural
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.composite import DeclaredComposite
from motorik.components.base.contributions import ConstraintBetween, Contribution
from motorik.components.base.motion import Motion
from motorik.components.base.part import (
    DeclaredPart,
    Known,
    Part,
    Resolve,
    Values,
    Variable,
    frame,
    parameter,
)
from motorik.components.base.ports import Port, connect
from motorik.components.base.two_frames import two_frames
from motorik.components.base.values import (
    Derived,
    LiveScalar,
    Parameter,
    guess,
    number_of,
)
from motorik.components.base.visual_options import (
    BallVisual,
    BeadsVisual,
    CylinderVisual,
    RodVisual,
    UniversalRodVisual,
)
from motorik.components.forces.line_masses import MassBetween
from motorik.components.joints.compound import Universal
from motorik.components.joints.floating import Spherical
from motorik.components.joints.simple import Prismatic
from motorik.components.parts.rigid import FixedTranslation
from motorik.elements.distance import DistanceConstraint
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


class MasslessRod(DeclaredPart, BallVisual, RodVisual):
    """A massless rod between two points; it takes force only along itself.

    With ``computeRodLength=True`` its length follows from the design pose, that of the start
    values of the other parts of the model; start values of a run do not change it.
    """

    frame_a = frame("one end")
    frame_b = frame("the other end")

    rodLength: kinds.Length = parameter("distance between the ends", default=1.0)
    computeRodLength: kinds.Boolean = parameter(
        "whether the length follows from the design pose", default=False
    )

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the distance between the origins: given, or that of the design pose."""
        frames, rod = (self.frame_a, self.frame_b), DistanceConstraint(p.rodLength)
        (design,) = self._designed() or (None,)
        yield ConstraintBetween(self, frames, rod.constraint, design=design)

    def _designed(self) -> tuple[LiveScalar, ...]:
        """Return the length, if it follows from the design pose."""
        if not self.computeRodLength:
            return ()
        if "_length" not in self.__dict__:
            length = Parameter(number_of(self.rodLength), unit="m")
            length.is_designed = True
            self.__dict__["_length"] = length
        own: Parameter = self.__dict__["_length"]
        own.name = f"{self.path}.rodLength"
        return own.elements

    def resolved(self, resolve: Resolve, known: Known | None = None) -> Values:
        """Return the parameters, a computed length replaced by `resolve` of it."""
        p = super().resolved(resolve, known)
        for scalar in self._designed():
            p.rodLength = resolve(scalar)
        return p


class SphericalSpherical(DeclaredComposite, BallVisual, RodVisual, BeadsVisual):
    """A rod with a spherical joint at each end: the origins are rodLength apart.

    It may carry a point mass m in its middle. f_rod [N], the force along it at frame_a, is
    positive in compression. With ``computeRodLength=True`` its length follows from the
    other start values.
    """

    is_open = False
    frame_a = frame("one end")
    frame_b = frame("the other end")

    rodLength: kinds.Length = parameter("distance between the ends", default=1.0)
    m: kinds.Mass = parameter("mass, in the middle", default=0.0)
    computeRodLength: kinds.Boolean = parameter(
        "whether the length follows from the design pose", default=False
    )

    def build(self) -> None:
        """Build it from a massless rod and, if m is given, a mass in the middle."""
        self.rod = MasslessRod()
        self.share(self.rod, rodLength="rodLength", computeRodLength="computeRodLength")
        connect(self.frame_a, self.rod.frame_a)
        connect(self.frame_b, self.rod.frame_b)
        if not is_structural(self.m, 0.0):
            self.mass = MassBetween()
            self.share(self.mass, m="m")
            connect(self.frame_a, self.mass.frame_a)
            connect(self.frame_b, self.mass.frame_b)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the rod's vector, its force, the motion of its middle and the power balance."""

        def total(motion: Motion) -> Scalar:
            taken = self.mass.power(motion) if "mass" in self.parts else 0.0
            return power_into(motion, (self.frame_a, self.frame_b)) - taken

        return rod_variables(self, "a") | {
            "r_CM_0": Variable(lambda motion: middle(self, motion)[0], "m", "middle"),
            "v_CM_0": Variable(
                lambda motion: middle(self, motion)[1], "m/s", "its velocity"
            ),
            "totalPower": Variable(
                total, "W", "power into the part minus power stored: zero"
            ),
        }


class UniversalSpherical(DeclaredComposite, BallVisual, CylinderVisual, UniversalRodVisual):
    """A rod with a universal joint at frame_a and a spherical joint at frame_b.

    The first axis n1_a of the universal joint is fixed in frame_a, the second at right angles
    to it and to the rod. frame_ia, at the origin of frame_a, turns with the rod; it is
    parallel to frame_a where both angles are zero. rRod_ia [m] leads along the rod to frame_b;
    with ``computeRodLength=True`` it gives only the direction. f_rod [N] is positive
    in compression.
    """

    is_open = False
    frame_a = frame("frame of the universal joint")
    frame_b = frame("frame of the spherical joint")
    frame_ia = frame("frame at frame_a, fixed in the rod")

    n1_a: kinds.Axis = parameter("first axis, fixed in frame_a", default=(0, 0, 1))
    rRod_ia: kinds.Position = parameter(
        "from frame_a to frame_b, in frame_ia", default=(1, 0, 0)
    )
    computeRodLength: kinds.Boolean = parameter(
        "whether the length follows from the design pose", default=False
    )

    def check(self, p: Self) -> None:
        """Refuse a rod without length or along the first axis."""
        check_rod(self.label, p.n1_a, p.rRod_ia, ("n1_a", "rRod_ia"))

    def build(self) -> None:
        """Build it from a universal joint, a rod and a spherical joint."""
        self.universal = Universal(
            n_a=Derived(self, attrgetter("n1_a")),
            n_b=Derived(self, _second_axis),
            stateSelect="never",
        )
        self.spherical = Spherical()
        connect(self.frame_a, self.universal.frame_a)
        connect(self.frame_ia, self.universal.frame_b)
        connect(self.frame_b, self.spherical.frame_b)
        if self.computeRodLength:
            long = float(self.resolved(lambda live: live.value).rRod_ia.norm())
            self.rod = Prismatic(
                n=Derived(self, _along), s=guess(long), stateSelect="never"
            )
            self.hold = MasslessRod(computeRodLength=True)
            connect(self.hold.frame_a, self.rod.frame_a)
            connect(self.hold.frame_b, self.rod.frame_b)
        else:
            self.rod = FixedTranslation(r=Derived(self, attrgetter("rRod_ia")))
        connect(self.universal.frame_b, self.rod.frame_a)
        connect(self.rod.frame_b, self.spherical.frame_a)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the rod's vector, its force, its axes and the power balance."""
        frames = (self.frame_a, self.frame_b, self.frame_ia)
        return rod_variables(self, "b") | {
            "eRod_ia": Variable(
                lambda motion: _along(p), "1", "along the rod, in frame_ia"
            ),
            "e2_ia": Variable(lambda motion: _second_axis(p), "1", "second axis"),
            "totalPower": Variable(
                lambda motion: power_into(motion, frames),
                "W",
                "total power into the part: zero",
            ),
        }


def _along(p: UniversalSpherical) -> Vector:
    return p.rRod_ia.normalized()


def _second_axis(p: UniversalSpherical) -> Vector:
    return across(p.n1_a, p.rRod_ia)


def across(n1: Vector, rod: Vector) -> Vector:
    """Return the second axis of a universal joint: the unit vector along n₁ × rod."""
    return n1.cross(rod).normalized()


def check_rod(part: str, n1: Vector, rod: Vector, names: tuple[str, str]) -> None:
    """Refuse a rod without length or along the first axis of its universal joint."""
    axis, vector = names
    if float(rod.norm()) < 1e-12:
        raise ParameterError(
            part,
            f"{vector} = {rod.xyz} m has no length.",
            "Give the vector from one end of the rod to the other.",
            parameter=vector,
            value=rod.xyz,
        )
    if float(n1.cross(rod).norm()) < 1e-6 * float(rod.norm()):
        raise ParameterError(
            part,
            f"the rod {vector} = {rod.xyz} m lies along {axis} = {n1.xyz}: the universal joint "
            "has no second axis.",
            f"Give {axis} at right angles to the rod.",
            parameter=axis,
            value=n1.xyz,
        )


def rod_variables(part: Part, end: str) -> dict[str, Variable]:
    """Return vector, length and force of a rod, the force read off at one end."""
    a, b = two_frames(part)

    def vector(motion: Motion) -> Vector:
        return motion.pose(b).p - motion.pose(a).p

    def in_a(motion: Motion) -> Vector:
        return motion.pose(a).R.T @ vector(motion)

    def force(motion: Motion) -> Scalar:
        port, sign = (a, 1.0) if end == "a" else (b, -1.0)
        f_0 = motion.pose(port).R @ motion.reaction_at(port).resultant
        return sign * f_0.dot(vector(motion).normalized())

    return {
        "rRod_0": Variable(vector, "m", "from frame_a to frame_b, in the world"),
        "rRod_a": Variable(in_a, "m", "from frame_a to frame_b, in frame_a"),
        "eRod_a": Variable(lambda motion: in_a(motion).normalized(), "1", "its direction"),
        "rodLength": Variable(lambda motion: vector(motion).norm(), "m", "its length"),
        "f_rod": Variable(force, "N", "force along the rod; positive in compression"),
    }


def middle(part: Part, motion: Motion) -> tuple[Vector, Vector]:
    """Return position and velocity of the point midway between frame_a and frame_b."""
    a, b = two_frames(part)
    return (
        0.5 * (motion.pose(a).p + motion.pose(b).p),
        0.5 * (motion.velocity_0(a) + motion.velocity_0(b)),
    )


def power_into(
    motion: Motion, frames: Sequence[Port], flanges: Sequence[Port] = ()
) -> Scalar:
    """Return the power [W] that enters a part through frames and flanges."""
    total: Scalar = 0.0
    for port in frames:
        total = total + power(motion.reaction_at(port), motion.velocity(port))
    for port in flanges:
        total = total + motion.flange_force(port) * motion.flange(port)[1]
    return total
