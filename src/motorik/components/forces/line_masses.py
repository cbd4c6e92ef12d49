"""Point masses on the line between two frames, for rods and springs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from motorik.algebra.dyad import Inertia
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    ConstraintBetween,
    Contribution,
    FreeStart,
    Mass,
)
from motorik.components.base.motion import Motion
from motorik.components.base.part import DeclaredPart, Values, Variable, frame, parameter
from motorik.components.base.values import Start
from motorik.components.parts.bodies import mass_variables
from motorik.elements.distance import Between, Towards
from motorik.elements.translation import Translation

if TYPE_CHECKING:
    from typing_extensions import Self


STILL = Start((0.0, 0.0, 0.0))


class MassOnLine(DeclaredPart):
    """A point mass on the line between two frames, without inertia about itself."""

    frame_a = frame("one end of the line")
    frame_b = frame("the other end")
    frame_m = frame("frame at the mass, parallel to the world")

    m: kinds.PositiveMass = parameter("mass", default=1.0)

    def place(self, p: Values) -> Between | Towards:
        """Return the residual of the position of the mass [m]."""
        raise NotImplementedError

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a point mass and its position."""
        start = FreeStart(STILL, STILL, STILL)
        yield Mass(self.frame_m, Inertia.of_body(p.m), Translation(), start, priority=-1)
        frames = (self.frame_a, self.frame_b, self.frame_m)
        yield ConstraintBetween(self, frames, self.place(p).constraint)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return motion, gravity, energies and momenta of the mass."""
        return mass_variables(self.frame_m, Inertia.of_body(p.m), p.m, Vector())

    def power(self, motion: Motion) -> Scalar:
        """Return the power m (a − g) · v that the mass absorbs [W]."""
        m = motion.parameters_of(self).m
        g = motion.gravity(motion.pose(self.frame_m).p)
        a = motion.acceleration_0(self.frame_m) - g
        return m * a.dot(motion.velocity_0(self.frame_m))


class MassBetween(MassOnLine):
    """A point mass that divides the line by lengthFraction: 0 at frame_a, 1 at frame_b."""

    lengthFraction: kinds.Factor = parameter(
        "position on the line: 0 at frame_a, 1 at frame_b", default=0.5
    )

    def place(self, p: Self) -> Between:
        """Return p_m − p_a − h (p_b − p_a)."""
        return Between(p.lengthFraction)


class MassTowards(MassOnLine):
    """A point mass at the distance L from frame_a towards frame_b."""

    L: kinds.Distance = parameter("distance from frame_a", default=0.0)

    def place(self, p: Self) -> Towards:
        """Return p_m − p_a − L e."""
        return Towards(p.L)
