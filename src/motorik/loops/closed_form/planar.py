"""Planar Assur groups: one or two bodies between known ones, by R and P hinges in one plane.

The closure is written in complex numbers: with the known points A and B of the ends, the
rotations k₁, r₁, r₂, k₂ of the four bodies, the arms a₁, a₂ in the two bodies and the
displacements s along unit numbers d, it reads

    A + [k₁ d s] + r₁ a₁ + [r₁ d s] + r₂ a₂ + [r₂ d s] = B

where a term in brackets stands for a prismatic hinge, which does not change the rotation.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.angle import Angle
from motorik.algebra.scalar import Scalar, add, mul, neg, sub
from motorik.algebra.vector import Vector, X, Y
from motorik.immutable import immutable
from motorik.loops.closed_form.assur_group import (
    GroupSolution,
    Hinge,
    PoseOf,
    ValueOf,
    nothing_known,
)
from motorik.loops.closed_form.chain import Chain, ChainGroup, OrientedHinge, snapped
from motorik.loops.closed_form.plane import MotionPlane, PlaneNumber, basis
from motorik.loops.closed_form.rigid_groups import HingeCluster, KnownGroups, is_parallel
from motorik.loops.closed_form.roots import quotient, square_root
from motorik.numerics.tolerances import PARALLEL

if TYPE_CHECKING:
    from typing_extensions import Self


ONE = PlaneNumber(1.0)


@immutable
class Ends:
    """The known data of a planar chain: D = B − A, the end rotations, arms and slide directions."""

    D: PlaneNumber
    k1: PlaneNumber
    k2: PlaneNumber
    arms: Sequence[PlaneNumber]
    slides: Sequence[PlaneNumber]


@immutable
class Closed:
    """A closed planar chain: rotations of its bodies, displacements of its P hinges, margin.

    `elbow` is the rotation of the second body relative to the first, where it is cheaper.
    """

    turns: tuple[PlaneNumber, ...]
    slides: tuple[Scalar, ...] = ()
    margin: Scalar = 1.0
    elbow: PlaneNumber | None = None


@immutable
class PlanarGroup(ChainGroup):
    """A planar chain between two known bodies.

    `start` are the vectors e₁, e₂ of the first body; those of the next bodies are the same,
    transferred through each hinge at zero rotation. `signs` are ±1.0 for each hinge: whether it
    rotates about the normal of the plane or against it. One R hinge may be a spherical one, which
    then moves like it; behind it the vectors are `restart`. `scale` is the largest distance of
    the ends at the assembled poses [m].
    """

    plane: MotionPlane
    start: tuple[Vector, Vector]
    signs: tuple[float, ...]
    scale: float = 1.0
    restart: tuple[Vector, Vector] = (X, Y)

    @property
    def bodies(self) -> tuple[int, ...]:
        """The known bodies at its ends, and the one in which the plane is fixed."""
        ends = super().bodies
        return ends if self.plane.body in (None, *ends) else (*ends, self.plane.body)

    @abstractmethod
    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return the rotations and displacements that close the chain."""

    def solve(
        self, pose: PoseOf, branch: Scalar, coordinate: ValueOf = nothing_known
    ) -> GroupSolution:
        """Return the coordinates of its hinges on one branch."""
        ends = self.ends(pose, coordinate)
        closed = self.close(ends, branch)
        slides = iter(closed.slides)
        turns = (ends.k1, *closed.turns, ends.k2)
        found: dict[int, Angle | Scalar] = {}
        for i, oriented in enumerate(self.chain.oriented_hinges):
            if oriented.hinge.kind == "P":
                found[oriented.hinge.index] = next(slides)
            elif oriented.hinge.kind == "R":
                turn = turns[i + 1].seen_from(turns[i])
                if i == 1 and closed.elbow is not None:
                    turn = closed.elbow
                sine = mul(self.signs[i], turn.im)
                found[oriented.hinge.index] = oriented.hinge.coordinate(sine, turn.re)
        return GroupSolution(found, closed.margin)

    def ends(self, pose: PoseOf, coordinate: ValueOf) -> Ends:
        """Return the geometry of the chain in its plane, from the poses of its ends."""
        oriented_hinges = self.chain.oriented_hinges
        first = self.plane.place(pose, self.chain.first_body)
        last = self.plane.place(pose, self.chain.last_body)
        k1 = self.plane.number(first.R @ self.start[0])
        A = first(oriented_hinges[0].near.p)
        arms, slides, e = self._within(coordinate) if self.chain.inner else self._constant
        k2 = self.plane.number(last.R @ e)
        D = self.plane.number(last(oriented_hinges[-1].far.p) - A)
        return Ends(D, k1, k2, arms, slides)

    @cached_property
    def _constant(self) -> tuple[list[PlaneNumber], list[PlaneNumber], Vector]:
        """Arms, slide directions and the last e₁, where rigid groups are single bodies."""
        return self._within(nothing_known)

    def _within(
        self, coordinate: ValueOf
    ) -> tuple[list[PlaneNumber], list[PlaneNumber], Vector]:
        """Return arms and slide directions of the bodies, and e₁ transferred to the last body."""
        oriented_hinges = self.chain.oriented_hinges
        e, f = self.start
        arms, slides = [], []
        for i, oriented in enumerate(oriented_hinges):
            if oriented.hinge.kind == "P":
                d = oriented.sign * (oriented.near.R @ oriented.hinge.axis)
                slides.append(PlaneNumber(d.dot(e), d.dot(f)))
            e, f = (
                self.restart if oriented.hinge.kind == "S" else map(oriented.carry, (e, f))
            )
            if i + 1 < len(oriented_hinges):
                X = self.chain.across(i, coordinate)
                arm = X(oriented_hinges[i + 1].near.p) - oriented.far.p
                arms.append(PlaneNumber(arm.dot(e), arm.dot(f)))
                e, f = X.R.T @ e, X.R.T @ f
        return arms, slides, e

    def in_units(self, length: float) -> Self:
        """Return the group with its largest distance in metres."""
        return replace(self, scale=self.scale * length)

    def with_hinges(self, table: Mapping[int, Hinge]) -> Self:
        """Return the same group on other hinges, looked up by the indices of its own."""
        chain, plane = self.chain.with_hinges(table), self.plane
        if plane.body is not None:  # it is fixed in the first body
            plane = replace(plane, body=chain.first_body)
        return replace(self, chain=chain, plane=plane)


class RRR(PlanarGroup):
    """Three revolute hinges: a triangle of two arms over the known distance D.

        V = r₁ a₁ = D (n + i σ w) / 2|D|²,   n = |D|² + |a₁|² − |a₂|²,   w² = 4|a₁|²|D|² − n²

    r₂ a₂ = D − V, and the elbow rotates by r̄₁ r₂ = ½ (n − 2|a₁|² − i σ w) / ā₁ a₂. Branch 1 has
    the elbow to the left of D. margin: sin² of the elbow's angle, w² / 4|a₁|²|a₂|².
    """

    label = "RRR dyad"
    names: ClassVar = ("elbow_up", "elbow_down")

    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return the rotations of the two arms."""
        D, (a1, a2) = ends.D, ends.arms
        DD, l1, l2 = D.square(), a1.square(), a2.square()
        n = add(DD, sub(l1, l2))
        ww = sub(mul(mul(4.0, l1), DD), mul(n, n))
        w = mul(branch, square_root(ww))
        half_per = quotient(0.5, DD)
        V = D * PlaneNumber(mul(n, half_per), mul(w, half_per))
        turned = PlaneNumber(sub(n, mul(2.0, l1)), neg(w))
        elbow = turned.over(a2.seen_from(a1).times(2.0))
        margin = mul(ww, quotient(1.0, mul(4.0, mul(l1, l2))))
        return Closed((V.over(a1), (D - V).over(a2)), (), margin, elbow)


class RRP(PlanarGroup):
    """Two revolute hinges and a prismatic one at an end: an arm a that meets a line.

        r a = E − s k d,   s = E · k d + σ w,   w² = |a|² − h²,   h = E × k d

    k is the rotation of the slide; relative to it the arm rotates by k̄ r = −(σ w + i h) d / a.
    Branch 1 is farther along the slide; margin: w²/|a|², cos² of the angle between arm and slide.
    """

    label = "RRP dyad"
    names: ClassVar = ("far", "near")

    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return the rotations of arm and slide, and the displacement."""
        slides_first = self.chain.oriented_hinges[0].hinge.kind == "P"
        k = ends.k1 if slides_first else ends.k2
        carried, a = ends.arms if slides_first else ends.arms[::-1]
        E, d = ends.D - k * carried, ends.slides[0]
        seen = (k * d).seen_from(E)
        along, h, ll = seen.re, seen.im, a.square()
        ww = sub(ll, mul(h, h))
        w = mul(branch, square_root(ww))
        turn = PlaneNumber(w, h) * (-d).over(a)
        slide, margin = (add(along, w),), mul(ww, quotient(1.0, ll))
        if slides_first:
            return Closed((k, k * turn), slide, margin, turn)
        return Closed((k * turn, k), slide, margin, turn.conjugate())


class RPR(PlanarGroup):
    """A prismatic hinge between two revolute ones, such as a hydraulic cylinder.

        r d (p + s + i h) = D with a₁ + a₂ = d (p + i h),   p + s = σ w,   w² = |D|² − h²

    Branch 1 has the slide beyond its point of least distance. margin: w² relative to the square
    of the largest distance at the assembled poses.
    """

    label = "RPR dyad"
    names: ClassVar = ("pushing", "pulling")

    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return the common rotation and the displacement."""
        D, d = ends.D, ends.slides[0]
        c = (ends.arms[0] + ends.arms[1]).seen_from(d)
        DD = D.square()
        ww = sub(DD, mul(c.im, c.im))
        w = mul(branch, square_root(ww))
        per = quotient(1.0, DD)
        turn = D * PlaneNumber(mul(w, per), neg(mul(c.im, per)))
        turn = turn.seen_from(d)
        margin = mul(ww, 1.0 / self.scale**2)
        return Closed((turn, turn), (sub(w, c.re),), margin)


class PRP(PlanarGroup):
    """A revolute hinge between two prismatic ones: d₁ s₁ + d₂ s₂ = E, margin (d₁ × d₂)²."""

    label = "PRP dyad"

    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return the two displacements; the rotations are those of the ends."""
        E = ends.D - ends.k1 * ends.arms[0] - ends.k2 * ends.arms[1]
        d1, d2 = ends.k1 * ends.slides[0], ends.k2 * ends.slides[1]
        slides, margin = _two_slides(d1, d2, E)
        return Closed((ends.k1, ends.k2), slides, margin)


class RPP(PlanarGroup):
    """Two prismatic hinges in a row, all rotated by the same k: d₁ s₁ + d₂ s₂ = k̄ D − Σ a."""

    label = "RPP dyad"

    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return the two displacements; the rotations are those of the end with the slide."""
        k = ends.k1 if self.chain.oriented_hinges[0].hinge.kind == "P" else ends.k2
        E = ends.D.seen_from(k)
        for arm in ends.arms:
            E = E - arm
        slides, margin = _two_slides(ends.slides[0], ends.slides[1], E)
        return Closed((k,) * len(ends.arms), slides, margin)


class PP(RPP):
    """One body on two prismatic hinges: d₁ s₁ + d₂ s₂ = k̄ D − a."""

    label = "PP link"


class RR(PlanarGroup):
    """One body on two revolute hinges at their constant distance: r a = D."""

    label = "RR link"

    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return the rotation of the body."""
        return Closed((ends.D.over(ends.arms[0]),))


class RP(PlanarGroup):
    """One body on a revolute and a prismatic hinge, free to follow both: s = d · (k̄ D − a)."""

    label = "RP link"

    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return the rotation of the end with the slide, and the displacement."""
        k = ends.k1 if self.chain.oriented_hinges[0].hinge.kind == "P" else ends.k2
        E = ends.D.seen_from(k) - ends.arms[0]
        return Closed((k,), (E.dot(ends.slides[0]),))


def _two_slides(
    d1: PlaneNumber, d2: PlaneNumber, E: PlaneNumber
) -> tuple[tuple[Scalar, Scalar], Scalar]:
    """Return s₁, s₂ with d₁ s₁ + d₂ s₂ = E, and (d₁ × d₂)²."""
    det = d1.cross(d2)
    per = quotient(1.0, det)
    return (mul(E.cross(d2), per), mul(d1.cross(E), per)), mul(det, det)


PLANAR_STEPS: dict[str, type[PlanarGroup]] = {
    "RRR": RRR,
    "RRP": RRP,
    "PRR": RRP,
    "RPR": RPR,
    "PRP": PRP,
    "RPP": RPP,
    "PPR": RPP,
    "RR": RR,
    "RP": RP,
    "PR": RP,
    "PP": PP,
}
"""The planar groups by the kinds of their hinges in order."""


# --- search for planar dyads --------------------------------------------------------------


def planar_groups(layout: KnownGroups) -> Iterator[PlanarGroup]:
    """Yield the planar groups that can be solved next, single bodies before dyads."""
    for bodies in (1, 2):
        for oriented_hinges in layout.hopeful(bodies):
            group = _planar_group(layout, oriented_hinges)
            if group is not None:
                yield group


def _planar_group(
    layout: KnownGroups, oriented_hinges: Sequence[OrientedHinge]
) -> PlanarGroup | None:
    """Return the group that closes these oriented hinges in a plane, if they lie in one.

    A revolute axis is fixed in both its bodies, so axes that are parallel at one pose along the
    whole chain, rigid groups included, are parallel at all poses. With a spherical hinge this
    does not hold: the ends must then stay in the plane by themselves.
    """
    kinds = "".join(oriented.hinge.kind for oriented in oriented_hinges)
    kind = PLANAR_STEPS.get(kinds.replace("S", "R", 1))
    if kind is None:
        return None
    cluster = layout.cluster
    normal = _normal(cluster, oriented_hinges)
    if normal is None:
        return None
    chain = layout.chain(oriented_hinges)
    if not _lies_in_plane(cluster, chain, normal) or not _can_move(cluster, chain, normal):
        return None
    ends = {chain.first_body, chain.last_body}
    if "S" in kinds and len(ends) > 1 and not ends <= cluster.bodies_about(normal):
        return None
    chain, plane, start = _framed(cluster, chain, normal)
    signs = tuple(_sign(cluster, oriented, normal) for oriented in chain.oriented_hinges)
    balls = (oriented for oriented in chain.oriented_hinges if oriented.hinge.kind == "S")
    restarts = (basis(cluster.in_body(normal, oriented.far_body)) for oriented in balls)
    return kind(chain, plane, start, signs, _scale(cluster, chain), next(restarts, start))


def _normal(
    cluster: HingeCluster, oriented_hinges: Sequence[OrientedHinge]
) -> Vector | None:
    """Return the common revolute axis, or the normal of two slides, largest component positive."""
    turns = [cluster.axes[w.hinge.index] for w in oriented_hinges if w.hinge.kind == "R"]
    slides = [cluster.axes[w.hinge.index] for w in oriented_hinges if w.hinge.kind == "P"]
    if turns:
        axis = turns[0]
    elif len(slides) == 2 and not is_parallel(*slides):
        axis = slides[0].cross(slides[1]).normalized()
    else:
        return None
    return axis if max(axis.xyz, key=abs) > 0.0 else -axis


def _sign(cluster: HingeCluster, oriented: OrientedHinge, normal: Vector) -> float:
    """Return 1.0 if a hinge rotates its far body about the normal, −1.0 if against it."""
    turns = oriented.hinge.kind == "R"
    along = cluster.axes[oriented.hinge.index].dot(normal) if turns else 1.0
    return oriented.sign if along > 0.0 else -oriented.sign


def _lies_in_plane(cluster: HingeCluster, chain: Chain, normal: Vector) -> bool:
    """Return whether revolute axes are along the normal and slides perpendicular to it."""
    inner = (oriented.hinge for run in chain.runs for oriented in run)
    axes = cluster.axes
    hinges = [oriented.hinge for oriented in chain.oriented_hinges]
    return (
        all(is_parallel(axes[h.index], normal) for h in hinges if h.kind == "R")
        and all(abs(axes[h.index].dot(normal)) <= PARALLEL for h in hinges if h.kind == "P")
        and all(cluster.keeps(hinge, normal) for hinge in inner)
    )


def _can_move(cluster: HingeCluster, chain: Chain, normal: Vector) -> bool:
    """Return whether no two revolute axes coincide and no two slides are parallel."""
    for oriented, after in pairwise(chain.oriented_hinges):
        kinds = (oriented.hinge.kind + after.hinge.kind).replace("S", "R")
        arm = normal.cross(cluster.place(after) - cluster.place(oriented))
        if kinds == "RR" and arm.norm() <= PARALLEL * cluster.size:
            return False
        if kinds == "PP":
            one, two = (cluster.axes[w.hinge.index] for w in (oriented, after))
            if is_parallel(one, two):
                return False
    return True


def _framed(
    cluster: HingeCluster, chain: Chain, normal: Vector
) -> tuple[Chain, MotionPlane, tuple[Vector, Vector]]:
    """Return the chain from its cheaper end, its plane and the vectors of the first body.

    The plane is fixed in the root where only prismatic hinges and revolute ones about the normal
    lead from there to an end, else in the first body of the chain.
    """
    if chain.last_body == cluster.root:
        chain = chain.reversed()
    first, root = chain.first_body, cluster.root
    own = basis(cluster.in_body(normal, first))
    if first not in cluster.bodies_about(normal):
        return chain, MotionPlane(first, *own), own
    shared = basis(snapped(normal))
    return chain, MotionPlane(None, *shared), shared if first == root else own


def _scale(cluster: HingeCluster, chain: Chain) -> float:
    """Return the largest distance between the ends of a chain at the assembled poses [m]."""
    first, last = chain.oriented_hinges[0], chain.oriented_hinges[-1].reversed()
    poses = range(len(cluster.poses))
    gaps = (cluster.place(first, k) - cluster.place(last, k) for k in poses)
    return max(float(gap.norm()) for gap in gaps)
