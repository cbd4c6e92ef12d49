"""Spatial Assur groups: a U that points a rod, R hinges that orient a body, a swivel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from motorik.algebra.matrix import Matrix
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_from_sine
from motorik.algebra.scalar import Scalar, mul, sub, total
from motorik.algebra.vector import Vector
from motorik.immutable import immutable
from motorik.loops.closed_form.assur_group import (
    AssurGroup,
    GroupSolution,
    Hinge,
    PoseOf,
    ValueOf,
    nothing_known,
)
from motorik.loops.closed_form.chain import Chain, ChainGroup, OrientedHinge
from motorik.loops.closed_form.reach import (
    Reach,
    ReachAtEnd,
    ReachBetween,
    ReachByRod,
    SphericalGroup,
)
from motorik.loops.closed_form.rigid_groups import LONGEST, HingeCluster, KnownGroups
from motorik.loops.closed_form.roots import quotient, solve_harmonic
from motorik.numerics.tolerances import PARALLEL

if TYPE_CHECKING:
    from typing_extensions import Self


def axis_of(oriented: OrientedHinge) -> Vector:
    """Return the axis about which the far frame rotates by +(q + offset), in the near frame."""
    return oriented.sign * oriented.hinge.axis


def turn_towards(e: Vector, v: Vector, t: Vector, tt: Scalar) -> tuple[Scalar, Scalar]:
    """Return sine and cosine of the rotation about e with Rot(e, φ) v = t.

    sin φ = e · (v × t) / tt,   cos φ = (v · t − (e · v)(e · t)) / tt,   tt = |e × t|²
    """
    per = quotient(1.0, tt)
    cosine = sub(v.dot(t), mul(e.dot(v), e.dot(t)))
    return mul(e.dot(v.cross(t)), per), mul(cosine, per)


def turn_to_height(
    e: Vector, g: Vector, v: Vector, height: Scalar, branch: Scalar
) -> tuple[Scalar, Scalar, Scalar]:
    """Return sine, cosine and margin of the rotation about e with g · Rot(e, φ) v = height."""
    both = mul(g.dot(e), e.dot(v))
    A, B = sub(g.dot(v), both), g.dot(e.cross(v))
    return solve_harmonic(A, B, sub(both, height), branch)


def between_frames(oriented: OrientedHinge, after: OrientedHinge) -> Matrix:
    """Return the constant rotation from the near frame of a hinge to the far frame before it."""
    return oriented.far.R.T @ after.near.R


@immutable
class Pointing(ChainGroup):
    """The two rotations of a U that point its rod at a point of known position.

    Rot(e₁, φ₁) M Rot(e₂, φ₂) p = t: φ₂ from the height e₁ · t, then φ₁. margin: sin² of the
    angle between the rod and the plane of the U's axes.
    """

    balls: tuple[SphericalGroup, SphericalGroup]

    label = "pointing of U"
    names: ClassVar = ("upright", "flipped")

    @property
    def hinges(self) -> tuple[int, ...]:
        """The two hinges of the U."""
        return tuple(oriented.hinge.index for oriented in self.chain.oriented_hinges[:2])

    def solve(
        self, pose: PoseOf, branch: Scalar, coordinate: ValueOf = nothing_known
    ) -> GroupSolution:
        """Return the two angles on one branch."""
        chain, (U, ball) = self.chain, self.balls
        one, two = chain.oriented_hinges[:2]
        e1, e2, M = axis_of(one), axis_of(two), between_frames(one, two)
        X = pose(chain.first_body)
        aim = X.R.T @ (pose(chain.last_body)(ball.far(chain)) - X(U.near(chain)))
        t = one.near.R.T @ aim
        rod = chain.across(1, coordinate)(ball.near(chain)) - U.far(chain)
        p = two.far.R.T @ rod
        height = e1.dot(t)
        s2, c2, margin = turn_to_height(e2, M.T @ e1, p, height, branch)
        v = M @ (rotation_from_sine(e2, s2, c2) @ p)
        s1, c1 = turn_towards(e1, v, t, sub(t.dot(t), mul(height, height)))
        found = {
            one.hinge.index: one.hinge.coordinate(s1, c1),
            two.hinge.index: two.hinge.coordinate(s2, c2),
        }
        return GroupSolution(found, margin)


def _turned(chain: Chain, pose: PoseOf) -> Matrix:
    """Return the rotation from the last far frame of a chain to its first near frame."""
    first, last = chain.oriented_hinges[0], chain.oriented_hinges[-1]
    near = pose(chain.first_body).R @ first.near.R
    return near.T @ (pose(chain.last_body).R @ last.far.R)


@immutable
class ThreeTurns(ChainGroup):
    """Three R hinges in a row between known bodies, such as those of a spherical joint.

    Rot(e₁, φ₁) M₁ Rot(e₂, φ₂) M₂ Rot(e₃, φ₃) = Q: φ₂ from e₁ · Q e₃, then φ₁ and φ₃.
    """

    label = "orientation by RRR"
    names: ClassVar = ("upright", "flipped")

    def solve(
        self, pose: PoseOf, branch: Scalar, coordinate: ValueOf = nothing_known
    ) -> GroupSolution:
        """Return the three angles on one branch."""
        one, two, three = self.chain.oriented_hinges
        e1, e2, e3 = map(axis_of, self.chain.oriented_hinges)
        M1, M2 = between_frames(one, two), between_frames(two, three)
        Q = _turned(self.chain, pose)
        t, w = Q @ e3, Q.T @ e1
        g, h = M1.T @ e1, M2 @ e3
        height = e1.dot(t)
        s2, c2, margin = turn_to_height(e2, g, h, height, branch)
        R2 = rotation_from_sine(e2, s2, c2)
        tt = sub(1.0, mul(height, height))
        s1, c1 = turn_towards(e1, M1 @ (R2 @ h), t, tt)
        s3, c3 = turn_towards(e3, w, M2.T @ (R2.T @ g), tt)
        pairs = ((one, s1, c1), (two, s2, c2), (three, s3, c3))
        found = {
            oriented.hinge.index: oriented.hinge.coordinate(s, c)
            for oriented, s, c in pairs
        }
        return GroupSolution(found, margin)


@immutable
class TwoTurns(ChainGroup):
    """Two R hinges in a row between known bodies: Rot(e₁, φ₁) M Rot(e₂, φ₂) = Q."""

    label = "orientation by RR"

    def solve(
        self, pose: PoseOf, branch: Scalar, coordinate: ValueOf = nothing_known
    ) -> GroupSolution:
        """Return the two angles."""
        one, two = self.chain.oriented_hinges
        e1, e2, M = axis_of(one), axis_of(two), between_frames(one, two)
        Q = _turned(self.chain, pose)
        t, g = Q @ e2, M.T @ e1
        cosine = g.dot(e2)
        tt = sub(1.0, mul(cosine, cosine))
        s1, c1 = turn_towards(e1, M @ e2, t, tt)
        s2, c2 = turn_towards(e2, Q.T @ e1, g, tt)
        pairs = ((one, s1, c1), (two, s2, c2))
        return GroupSolution({w.hinge.index: w.hinge.coordinate(s, c) for w, s, c in pairs})


@immutable
class Swivel(ChainGroup):
    """A body on two spherical joints of known position, rotated about their line until a rod fits.

    The chain leads from one joint to the other; `rod` is a hinge of kind D from the body to a
    known one. The group gives the pose of the body. margin: sin² of the rotation from the dead
    centre.
    """

    rod: Chain

    label = "swivel on two balls"
    names: ClassVar = ("one_side", "other_side")

    @property
    def hinges(self) -> tuple[int, ...]:
        """None: spherical hinges and rods have no coordinate here."""
        return ()

    @property
    def bodies(self) -> tuple[int, ...]:
        """The known bodies at the spherical joints and at the rod."""
        return (*super().bodies, self.rod.last_body)

    @property
    def inner(self) -> tuple[int, ...]:
        """The hinges inside its rigid group."""
        return (*self.chain.inner, *self.rod.inner)

    @property
    def placed(self) -> tuple[int, ...]:
        """The body at the first spherical joint."""
        return (self.chain.oriented_hinges[0].far_body,)

    def solve(
        self, pose: PoseOf, branch: Scalar, coordinate: ValueOf = nothing_known
    ) -> GroupSolution:
        """Return the pose of the body on one branch.

        In the frame with x along the line of the joints and y towards the rod's end, the end in the
        body is at (x, y, 0) and the known end at (u, v, 0); the angle φ about x between the two
        planes follows from −2 y v cos φ + (x − u)² + y² + v² − L² = 0.
        """
        first, last = self.chain.oriented_hinges
        rod = self.rod.oriented_hinges[1]
        A = pose(self.chain.first_body)(first.near.p)
        B = pose(self.chain.last_body)(last.far.p)
        a, E = first.far.p, pose(rod.far_body)(rod.far.p)
        b = self.chain.across(0, coordinate)(last.near.p)
        end = self.rod.across(0, coordinate)(rod.near.p)
        body, space = _aligned(a, b, end), _aligned(A, B, E)
        near, far = body.back(end), space.back(E)
        dx, y, v = sub(near.x, far.x), near.y, far.y
        L = rod.hinge.length
        rest = sub(total(mul(dx, dx), mul(y, y), mul(v, v)), mul(L, L))
        sine, cosine, margin = solve_harmonic(mul(-2.0, mul(y, v)), 0.0, rest, branch)
        R = rotation_from_sine(Vector(1.0, 0.0, 0.0), sine, cosine)
        X = space @ Pose(R) @ body.inverse()
        return GroupSolution({}, margin, {first.far_body: X})

    def with_hinges(self, table: Mapping[int, Hinge]) -> Self:
        """Return the same group on other hinges, looked up by the indices of its own."""
        return replace(
            self, chain=self.chain.with_hinges(table), rod=self.rod.with_hinges(table)
        )


def _aligned(a: Vector, b: Vector, towards: Vector) -> Pose:
    """Return the frame at a with x towards b and y in the plane of a third point."""
    x = (b - a).normalized()
    z = x.cross(towards - a).normalized()
    return Pose(Matrix.from_columns(x, z.cross(x), z), a)


# --- search for spatial groups ------------------------------------------------------------


def spatial_groups(layout: KnownGroups) -> Iterator[AssurGroup]:
    """Yield the spatial groups that can be solved next, those of short chains first."""
    for bodies in range(1, LONGEST):
        for oriented_hinges in layout.between(bodies):
            chain = layout.chain(oriented_hinges)
            for walked in (chain, chain.reversed()):
                yield from _spatial_groups(layout, walked)


def _spatial_groups(layout: KnownGroups, chain: Chain) -> Iterator[AssurGroup]:
    """Yield the groups at the first body of a chain."""
    cluster, kinds = layout.cluster, chain.kinds
    if kinds in ("RD", "PD"):
        yield ReachByRod(chain, chain.oriented_hinges[1].hinge.length)
    elif kinds == "SS":
        yield from _swivels(layout, chain)
    elif "D" not in kinds:
        if kinds == "RR" and not chain.inner:
            yield TwoTurns(chain)
        if kinds == "RRR" and not chain.inner:
            yield ThreeTurns(chain)
        yield from _pointings(cluster, chain)
        yield from _reaches(cluster, chain)


def _swivels(layout: KnownGroups, chain: Chain) -> Iterator[AssurGroup]:
    """Yield the swivel of a body for each rod that leads from it to a known body."""
    first = chain.oriented_hinges[0]
    for rod in layout.exits[layout.group[first.far_body]]:
        if rod.hinge.kind == "D" and layout.is_placed(rod.far_body):
            yield Swivel(chain, layout.chain([first, rod]))


def _pointings(cluster: HingeCluster, chain: Chain) -> Iterator[AssurGroup]:
    """Yield the U at the beginning of a chain that ends in a spherical joint."""
    U, rest = (
        ball(cluster, chain, 0, 1),
        ball(cluster, chain, 2, len(chain.oriented_hinges) - 1),
    )
    if U is not None and U.letter == "U" and rest is not None:
        yield Pointing(chain, (U, rest))


def _reaches(cluster: HingeCluster, chain: Chain) -> Iterator[Reach]:
    """Yield the R or P hinge at the beginning of a chain or between its spherical joints."""
    last = len(chain.oriented_hinges) - 1
    for k in range(1, last):
        one, two = ball(cluster, chain, 1, k), ball(cluster, chain, k + 1, last)
        if chain.kinds[0] in "RP" and one is not None and two is not None:
            yield ReachAtEnd(chain, _distance(cluster, chain, (k, k + 1)), (one, two))
    for k in range(1, last):
        one, two = ball(cluster, chain, 0, k - 1), ball(cluster, chain, k + 1, last)
        if chain.kinds[k] in "RP" and one is not None and two is not None:
            yield ReachBetween(chain, _distance(cluster, chain, (0, last)), (one, two))


def ball(
    cluster: HingeCluster, chain: Chain, first: int, last: int
) -> SphericalGroup | None:
    """Return the spherical joint formed by the hinges `first` to `last` of a chain, if any."""
    oriented_hinges = chain.oriented_hinges[first : last + 1]
    kinds = "".join(oriented.hinge.kind for oriented in oriented_hinges)
    if kinds == "S":
        return SphericalGroup(first, last, "S")
    if kinds not in ("RR", "RRR") or any(chain.runs[first:last]):
        return None
    shifts = meeting(cluster, oriented_hinges)
    letter = "U" if kinds == "RR" else "S"
    return None if shifts is None else SphericalGroup(first, last, letter, shifts)


def meeting(
    cluster: HingeCluster, oriented_hinges: Sequence[OrientedHinge]
) -> tuple[float, float] | None:
    """Return the distances [m] along the first and the last axis at which all axes meet.

    Neighbouring axes must not be parallel. Two neighbouring axes are fixed in the body between
    them, so axes that meet at one pose meet at all poses.
    """
    directions = [cluster.axes[oriented.hinge.index] for oriented in oriented_hinges]
    if any(abs(a.dot(b)) > 1.0 - 1e-9 for a, b in pairwise(directions)):
        return None
    axes = np.array([e.xyz for e in directions])
    places = np.array([cluster.place(oriented).xyz for oriented in oriented_hinges])
    # the point nearest to all lines: Σ (1 − e eᵀ)(x − r) = 0
    across = np.eye(3) - axes[:, :, None] * axes[:, None, :]
    point = np.linalg.solve(across.sum(0), np.einsum("nij,nj->i", across, places))
    if np.abs(np.einsum("nij,nj->ni", across, point - places)).max() > PARALLEL:
        return None
    first, last = axes[0] @ (point - places[0]), axes[-1] @ (point - places[-1])
    return _rounded(first), _rounded(last)


def _rounded(shift: float) -> float:
    return 0.0 if abs(shift) <= PARALLEL else float(shift)


def _distance(cluster: HingeCluster, chain: Chain, between: tuple[int, int]) -> float:
    """Return the largest distance of two hinges of a chain at the assembled poses [m]."""
    one, two = (
        chain.oriented_hinges[between[0]],
        chain.oriented_hinges[between[1]].reversed(),
    )
    poses = range(len(cluster.poses))
    gaps = (cluster.place(one, k) - cluster.place(two, k) for k in poses)
    return max(float(gap.norm()) for gap in gaps) or 1.0
