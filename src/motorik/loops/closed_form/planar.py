"""Planar dyads: two bodies between known ones by three turns and slides in one plane.

The closure is written in complex numbers: with the known points A and B of the ends, the
turns k₁, r₁, r₂, k₂ of the four bodies, the arms a₁, a₂ in the two bodies and the slides s
along unit numbers d, it reads

    A + [k₁ d s] + r₁ a₁ + [r₁ d s] + r₂ a₂ + [r₂ d s] = B

where a term in brackets stands for a slide, over which the turn does not change.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.angle import Angle
from motorik.algebra.scalar import Scalar, add, mul, neg, sub
from motorik.algebra.vector import Vector, X, Y
from motorik.loops.closed_form.assur_group import (
    GroupSolution,
    Hinge,
    PoseOf,
    ValueOf,
    nothing_known,
)
from motorik.loops.closed_form.chain import Chain, ChainGroup, OrientedHinge, snapped
from motorik.loops.closed_form.plane import MotionPlane, PlaneNumber, basis
from motorik.loops.closed_form.rigid_groups import HingeCluster, RigidGroups, is_parallel
from motorik.loops.closed_form.roots import quotient, square_root
from motorik.numerics.tolerances import PARALLEL

if TYPE_CHECKING:
    from typing_extensions import Self


ONE = PlaneNumber(1.0)


@dataclass(frozen=True)
class Ends:
    """What is known of a planar chain: D = B − A, the end turns, the arms and the slides."""

    D: PlaneNumber
    k1: PlaneNumber
    k2: PlaneNumber
    arms: Sequence[PlaneNumber]
    slides: Sequence[PlaneNumber]


@dataclass(frozen=True)
class Closed:
    """A closed planar chain: turns of its bodies, slides of its P hinges in order, margin.

    `elbow` is the turn of the second body relative to the first, where it is cheaper.
    """

    turns: tuple[PlaneNumber, ...]
    slides: tuple[Scalar, ...] = ()
    margin: Scalar = 1.0
    elbow: PlaneNumber | None = None


@dataclass(frozen=True)
class PlanarStep(ChainGroup):
    """A planar chain between two known bodies.

    `start` are the vectors e₁, e₂ of the first body; those of the next bodies are the same
    carried on through each hinge at the turn by nothing. `signs` are ±1.0 for each hinge:
    whether it turns about the normal of the plane or against it. One turn may be a ball,
    which then moves like it; behind it the vectors are `restart`. `scale` is the largest
    distance of the ends at the assembled poses [m].
    """

    plane: MotionPlane
    start: tuple[Vector, Vector]
    signs: tuple[float, ...]
    scale: float = 1.0
    restart: tuple[Vector, Vector] = (X, Y)

    @property
    def bodies(self) -> tuple[int, ...]:
        """The known bodies at its ends, and the one that carries the plane."""
        ends = super().bodies
        return ends if self.plane.body in (None, *ends) else (*ends, self.plane.body)

    @abstractmethod
    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return turns and slides that close the chain."""

    def solve(
        self, pose: PoseOf, branch: Scalar, coordinate: ValueOf = nothing_known
    ) -> GroupSolution:
        """Return the coordinates of its hinges on one side."""
        ends = self.ends(pose, coordinate)
        closed = self.close(ends, branch)
        slides = iter(closed.slides)
        turns = (ends.k1, *closed.turns, ends.k2)
        found: dict[int, Angle | Scalar] = {}
        for i, way in enumerate(self.chain.ways):
            if way.hinge.kind == "P":
                found[way.hinge.index] = next(slides)
            elif way.hinge.kind == "R":
                turn = turns[i + 1].seen_from(turns[i])
                if i == 1 and closed.elbow is not None:
                    turn = closed.elbow
                sine = mul(self.signs[i], turn.im)
                found[way.hinge.index] = way.hinge.coordinate(sine, turn.re)
        return GroupSolution(found, closed.margin)

    def ends(self, pose: PoseOf, coordinate: ValueOf) -> Ends:
        """Return the geometry of the chain in its plane, from the poses of its ends."""
        ways = self.chain.ways
        first = self.plane.place(pose, self.chain.first_body)
        last = self.plane.place(pose, self.chain.last_body)
        k1 = self.plane.number(first.R @ self.start[0])
        A = first(ways[0].near.p)
        arms, slides, e = self._within(coordinate) if self.chain.inner else self._constant
        k2 = self.plane.number(last.R @ e)
        D = self.plane.number(last(ways[-1].far.p) - A)
        return Ends(D, k1, k2, arms, slides)

    @cached_property
    def _constant(self) -> tuple[list[PlaneNumber], list[PlaneNumber], Vector]:
        """Arms, slides and the last e₁ of a chain whose groups are single bodies."""
        return self._within(nothing_known)

    def _within(
        self, coordinate: ValueOf
    ) -> tuple[list[PlaneNumber], list[PlaneNumber], Vector]:
        """Return the arms and slides of the bodies, and e₁ carried on to the last of them."""
        ways = self.chain.ways
        e, f = self.start
        arms, slides = [], []
        for i, way in enumerate(ways):
            if way.hinge.kind == "P":
                d = way.sign * (way.near.R @ way.hinge.axis)
                slides.append(PlaneNumber(d.dot(e), d.dot(f)))
            e, f = self.restart if way.hinge.kind == "S" else map(way.carry, (e, f))
            if i + 1 < len(ways):
                X = self.chain.across(i, coordinate)
                arm = X(ways[i + 1].near.p) - way.far.p
                arms.append(PlaneNumber(arm.dot(e), arm.dot(f)))
                e, f = X.R.T @ e, X.R.T @ f
        return arms, slides, e

    def in_units(self, length: float) -> Self:
        """Return the same step, its largest distance in metres."""
        return replace(self, scale=self.scale * length)

    def with_hinges(self, table: Mapping[int, Hinge]) -> Self:
        """Return the same step on other hinges, by the indices of its own."""
        chain, plane = self.chain.with_hinges(table), self.plane
        if plane.body is not None:  # it is fixed in the first body
            plane = replace(plane, body=chain.first_body)
        return replace(self, chain=chain, plane=plane)


class RRR(PlanarStep):
    """Three turns: a triangle of two arms over the known distance D.

        V = r₁ a₁ = D (n + i σ w) / 2|D|²,   n = |D|² + |a₁|² − |a₂|²,   w² = 4|a₁|²|D|² − n²

    r₂ a₂ = D − V, and the elbow turns by r̄₁ r₂ = ½ (n − 2|a₁|² − i σ w) / ā₁ a₂. Side 1 has
    the elbow to the left of D. margin: sin² of the elbow's angle, w² / 4|a₁|²|a₂|².
    """

    label = "RRR dyad"
    names: ClassVar = ("elbow_up", "elbow_down")

    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return the turns of the two arms."""
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


class RRP(PlanarStep):
    """Two turns and a slide at one end: an arm a that meets a line.

        r a = E − s k d,   s = E · k d + σ w,   w² = |a|² − h²,   h = E × k d

    k turns the slide; against it the arm turns by k̄ r = −(σ w + i h) d / a. Side 1 is farther
    along the slide; margin: w²/|a|², cos² of the angle between arm and slide.
    """

    label = "RRP dyad"
    names: ClassVar = ("far", "near")

    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return the turns of arm and slide, and the slide."""
        slides_first = self.chain.ways[0].hinge.kind == "P"
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


class RPR(PlanarStep):
    """A slide between two turns, such as a hydraulic cylinder.

        r d (p + s + i h) = D with a₁ + a₂ = d (p + i h),   p + s = σ w,   w² = |D|² − h²

    Side 1 has the slide beyond the point where it would be nearest. margin: w² against the
    square of the largest distance at the assembled poses.
    """

    label = "RPR dyad"
    names: ClassVar = ("pushing", "pulling")

    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return the common turn and the slide."""
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


class PRP(PlanarStep):
    """A turn between two slides: d₁ s₁ + d₂ s₂ = E, margin (d₁ × d₂)²."""

    label = "PRP dyad"

    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return the two slides; the turns are those of the ends."""
        E = ends.D - ends.k1 * ends.arms[0] - ends.k2 * ends.arms[1]
        d1, d2 = ends.k1 * ends.slides[0], ends.k2 * ends.slides[1]
        slides, margin = _two_slides(d1, d2, E)
        return Closed((ends.k1, ends.k2), slides, margin)


class RPP(PlanarStep):
    """Two slides in a row, all turned by the same k: d₁ s₁ + d₂ s₂ = k̄ D − Σ a."""

    label = "RPP dyad"

    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return the two slides; the turns are those of the end that slides."""
        k = ends.k1 if self.chain.ways[0].hinge.kind == "P" else ends.k2
        E = ends.D.seen_from(k)
        for arm in ends.arms:
            E = E - arm
        slides, margin = _two_slides(ends.slides[0], ends.slides[1], E)
        return Closed((k,) * len(ends.arms), slides, margin)


class PP(RPP):
    """One body on two slides: d₁ s₁ + d₂ s₂ = k̄ D − a."""

    label = "PP link"


class RR(PlanarStep):
    """One body on two turns at a distance that is always right: r a = D."""

    label = "RR link"

    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return the turn of the body."""
        return Closed((ends.D.over(ends.arms[0]),))


class RP(PlanarStep):
    """One body on a turn and a slide with as much freedom as it needs: s = d · (k̄ D − a)."""

    label = "RP link"

    def close(self, ends: Ends, branch: Scalar) -> Closed:
        """Return the turn of the end that slides, and the slide."""
        k = ends.k1 if self.chain.ways[0].hinge.kind == "P" else ends.k2
        E = ends.D.seen_from(k) - ends.arms[0]
        return Closed((k,), (E.dot(ends.slides[0]),))


def _two_slides(
    d1: PlaneNumber, d2: PlaneNumber, E: PlaneNumber
) -> tuple[tuple[Scalar, Scalar], Scalar]:
    """Return s₁, s₂ with d₁ s₁ + d₂ s₂ = E, and (d₁ × d₂)²."""
    det = d1.cross(d2)
    per = quotient(1.0, det)
    return (mul(E.cross(d2), per), mul(d1.cross(E), per)), mul(det, det)


PLANAR_STEPS: dict[str, type[PlanarStep]] = {
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
"""The planar steps by the kinds of their hinges in order."""


# --- search for planar dyads --------------------------------------------------------------


def planar_groups(layout: RigidGroups) -> Iterator[PlanarStep]:
    """Yield the planar steps that can be taken next, single bodies before dyads."""
    for bodies in (1, 2):
        for ways in layout.hopeful(bodies):
            group = _planar_group(layout, ways)
            if group is not None:
                yield group


def _planar_group(layout: RigidGroups, ways: Sequence[OrientedHinge]) -> PlanarStep | None:
    """Return the step that closes these ways in a plane, if they lie in one.

    A turn keeps its axis in both its bodies, so axes that are parallel at one pose along the
    whole chain, rigid groups included, are parallel at all. Over a ball this does not hold:
    then the ends must keep to the plane by themselves.
    """
    kinds = "".join(way.hinge.kind for way in ways)
    kind = PLANAR_STEPS.get(kinds.replace("S", "R", 1))
    if kind is None:
        return None
    cluster = layout.cluster
    normal = _normal(cluster, ways)
    if normal is None:
        return None
    chain = layout.chain(ways)
    if not _lies_in_plane(cluster, chain, normal) or not _can_move(cluster, chain, normal):
        return None
    ends = {chain.first_body, chain.last_body}
    if "S" in kinds and len(ends) > 1 and not ends <= cluster.bodies_about(normal):
        return None
    chain, plane, start = _framed(cluster, chain, normal)
    signs = tuple(_sign(cluster, way, normal) for way in chain.ways)
    balls = (way for way in chain.ways if way.hinge.kind == "S")
    restarts = (basis(cluster.in_body(normal, way.far_body)) for way in balls)
    return kind(chain, plane, start, signs, _scale(cluster, chain), next(restarts, start))


def _normal(cluster: HingeCluster, ways: Sequence[OrientedHinge]) -> Vector | None:
    """Return the axis of the turns, or the normal of two slides, largest component positive."""
    turns = [cluster.axes[w.hinge.index] for w in ways if w.hinge.kind == "R"]
    slides = [cluster.axes[w.hinge.index] for w in ways if w.hinge.kind == "P"]
    if turns:
        axis = turns[0]
    elif len(slides) == 2 and not is_parallel(*slides):
        axis = slides[0].cross(slides[1]).normalized()
    else:
        return None
    return axis if max(axis.xyz, key=abs) > 0.0 else -axis


def _sign(cluster: HingeCluster, way: OrientedHinge, normal: Vector) -> float:
    """Return 1.0 if a hinge turns its far body about the normal, −1.0 if against it."""
    turns = way.hinge.kind == "R"
    along = cluster.axes[way.hinge.index].dot(normal) if turns else 1.0
    return way.sign if along > 0.0 else -way.sign


def _lies_in_plane(cluster: HingeCluster, chain: Chain, normal: Vector) -> bool:
    """Return whether turns are about the normal and the chain's slides across it."""
    inner = (way.hinge for run in chain.runs for way in run)
    axes = cluster.axes
    hinges = [way.hinge for way in chain.ways]
    return (
        all(is_parallel(axes[h.index], normal) for h in hinges if h.kind == "R")
        and all(abs(axes[h.index].dot(normal)) <= PARALLEL for h in hinges if h.kind == "P")
        and all(cluster.keeps(hinge, normal) for hinge in inner)
    )


def _can_move(cluster: HingeCluster, chain: Chain, normal: Vector) -> bool:
    """Return whether no two turns share their axis and no two slides their direction."""
    for way, after in pairwise(chain.ways):
        kinds = (way.hinge.kind + after.hinge.kind).replace("S", "R")
        arm = normal.cross(cluster.place(after) - cluster.place(way))
        if kinds == "RR" and arm.norm() <= PARALLEL * cluster.size:
            return False
        if kinds == "PP":
            one, two = (cluster.axes[w.hinge.index] for w in (way, after))
            if is_parallel(one, two):
                return False
    return True


def _framed(
    cluster: HingeCluster, chain: Chain, normal: Vector
) -> tuple[Chain, MotionPlane, tuple[Vector, Vector]]:
    """Return the chain from the end that is cheaper, its plane and the first body's vectors.

    The plane is fixed in the root where only turns about the normal and slides lead from
    there to an end, else in the first body of the chain.
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
    first, last = chain.ways[0], chain.ways[-1].reversed()
    poses = range(len(cluster.poses))
    gaps = (cluster.place(first, k) - cluster.place(last, k) for k in poses)
    return max(float(gap.norm()) for gap in gaps)
