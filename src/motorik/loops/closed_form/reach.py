"""The hinge coordinate that brings two points to a given distance.

With the points P seen from the near frame of the hinge and Q fixed in its far frame, and the
square of their distance LL,

    revolute, φ about e:  P · Rot(e, φ) Q = ½ (P² + Q² − LL),  A cos φ + B sin φ + C = 0
    prismatic, x along e:  x = e · (P − Q) ± w,   w² = LL − |e × (P − Q)|²
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING

from motorik.algebra.angle import Angle
from motorik.algebra.scalar import Scalar, add, mul, sub
from motorik.algebra.vector import Vector
from motorik.immutable import immutable
from motorik.loops.closed_form.assur_group import (
    GroupSolution,
    PoseOf,
    ValueOf,
    nothing_known,
)
from motorik.loops.closed_form.chain import Chain, ChainGroup, OrientedHinge
from motorik.loops.closed_form.roots import solve_harmonic, square_root

if TYPE_CHECKING:
    from typing_extensions import Self


@immutable
class SphericalGroup:
    """Consecutive revolute hinges whose axes meet in a point: two make a U, three an S.

    They are the hinges `first` to `last` of a chain; the point lies on the axis of the first and
    of the last at the distances `shifts` [m] from the frames of these hinges.
    """

    first: int
    last: int
    letter: str
    shifts: tuple[float, float] = (0.0, 0.0)

    def near(self, chain: Chain) -> Vector:
        """Return the point in the body before it."""
        oriented = chain.oriented_hinges[self.first]
        return oriented.near(self.shifts[0] * oriented.hinge.axis)

    def far(self, chain: Chain) -> Vector:
        """Return the point in the body after it."""
        oriented = chain.oriented_hinges[self.last]
        return oriented.far(self.shifts[1] * oriented.hinge.axis)


@immutable
class Reach(ChainGroup):
    """The coordinate of a hinge that brings two points to their distance.

    margin: sin² of the rotation from the dead centre, or w² of a displacement relative to the
    square of `scale` [m], the largest distance at the assembled poses.
    """

    scale: float

    @property
    @abstractmethod
    def moved(self) -> OrientedHinge:
        """The hinge that is solved for."""

    @property
    @abstractmethod
    def letters(self) -> str:
        """The letters of the chain, such as USR."""

    @abstractmethod
    def points(self, pose: PoseOf, coordinate: ValueOf) -> tuple[Vector, Vector, Scalar]:
        """Return P in the near frame, Q in the far frame, and the square of the distance."""

    @property
    def title(self) -> str:
        """Its name."""
        return f"reach of {self.letters}"

    @property
    def branch_names(self) -> tuple[str, ...]:
        """The names of its two branches."""
        return SIDE_NAMES[self.moved.hinge.kind]

    @property
    def hinges(self) -> tuple[int, ...]:
        """The hinge that is solved for."""
        return (self.moved.hinge.index,)

    def solve(
        self, pose: PoseOf, branch: Scalar, coordinate: ValueOf = nothing_known
    ) -> GroupSolution:
        """Return the coordinate on one branch."""
        P, Q, LL = self.points(pose, coordinate)
        oriented = self.moved
        solve = _turn if oriented.hinge.kind == "R" else _slide
        q, margin = solve(oriented, P, Q, LL, branch, self.scale)
        return GroupSolution({oriented.hinge.index: q}, margin)

    def in_units(self, length: float) -> Self:
        """Return the group with its largest distance in metres."""
        return replace(self, scale=self.scale * length)


SIDE_NAMES = {"R": ("elbow_up", "elbow_down"), "P": ("far", "near")}


def _turn(
    oriented: OrientedHinge, P: Vector, Q: Vector, LL: Scalar, branch: Scalar, scale: float
) -> tuple[Angle, Scalar]:
    """Return the rotation with |P − Rot(e, φ) Q|² = LL."""
    e = oriented.sign * oriented.hinge.axis
    both = mul(P.dot(e), Q.dot(e))
    A, B = sub(P.dot(Q), both), e.dot(Q.cross(P))
    C = sub(both, mul(0.5, sub(add(P.dot(P), Q.dot(Q)), LL)))
    sine, cosine, margin = solve_harmonic(A, B, C, branch)
    return oriented.hinge.coordinate(sine, cosine), margin


def _slide(
    oriented: OrientedHinge, P: Vector, Q: Vector, LL: Scalar, branch: Scalar, scale: float
) -> tuple[Scalar, Scalar]:
    """Return the displacement with |P − Q − x e|² = LL."""
    e, E = oriented.sign * oriented.hinge.axis, P - Q
    across = e.cross(E)
    ww = sub(LL, across.dot(across))
    return add(e.dot(E), mul(branch, square_root(ww))), mul(ww, 1.0 / scale**2)


@immutable
class ReachByRod(Reach):
    """SSR, SSP: a hinge on a known body, and a rod of given length to another."""

    @property
    def moved(self) -> OrientedHinge:
        """The first hinge of the chain; the second is the rod."""
        return self.chain.oriented_hinges[0]

    @property
    def letters(self) -> str:
        """The letters of the chain."""
        return "SS" + self.moved.hinge.kind

    def points(self, pose: PoseOf, coordinate: ValueOf) -> tuple[Vector, Vector, Scalar]:
        """Return the far end of the rod, its near end, and the square of its length."""
        oriented, rod = self.chain.oriented_hinges
        P = pose(rod.far_body)(rod.far.p)
        Q = self.chain.across(0, coordinate)(rod.near.p)
        LL = mul(rod.hinge.length, rod.hinge.length)
        return (
            oriented.near.back(pose(oriented.near_body).back(P)),
            oriented.far.back(Q),
            LL,
        )


@immutable
class ReachAtEnd(Reach):
    """USR, USP, SUR, SUP: a hinge on a known body, then two spherical joints on a rigid rod."""

    balls: tuple[SphericalGroup, SphericalGroup]

    @property
    def moved(self) -> OrientedHinge:
        """The first hinge of the chain."""
        return self.chain.oriented_hinges[0]

    @property
    def letters(self) -> str:
        """The letters of the chain, from the other end."""
        return self.balls[1].letter + self.balls[0].letter + self.moved.hinge.kind

    def points(self, pose: PoseOf, coordinate: ValueOf) -> tuple[Vector, Vector, Scalar]:
        """Return the known centre, the moving centre, and the square of the rod's length."""
        chain, (moving, known) = self.chain, self.balls
        oriented = self.moved
        P = pose(chain.last_body)(known.far(chain))
        Q = chain.across(0, coordinate)(moving.near(chain))
        rod = chain.across(moving.last, coordinate)(known.near(chain)) - moving.far(chain)
        P = oriented.near.back(pose(oriented.near_body).back(P))
        return P, oriented.far.back(Q), rod.dot(rod)


@immutable
class ReachBetween(Reach):
    """UPS, URS: a hinge between two spherical or universal joints of known position."""

    balls: tuple[SphericalGroup, SphericalGroup]

    @property
    def moved(self) -> OrientedHinge:
        """The hinge between the spherical joints."""
        return self.chain.oriented_hinges[self.balls[0].last + 1]

    @property
    def letters(self) -> str:
        """The letters of the chain."""
        return self.balls[0].letter + self.moved.hinge.kind + self.balls[1].letter

    def points(self, pose: PoseOf, coordinate: ValueOf) -> tuple[Vector, Vector, Scalar]:
        """Return the centres seen from the hinge, and the square of their known distance."""
        chain, (one, two), oriented = self.chain, self.balls, self.moved
        P = chain.across(one.last, coordinate).back(one.far(chain))
        Q = chain.across(one.last + 1, coordinate)(two.near(chain))
        D = pose(chain.last_body)(two.far(chain)) - pose(chain.first_body)(one.near(chain))
        return oriented.near.back(P), oriented.far.back(Q), D.dot(D)
