"""Finding planar dyads: three hinges in a row that move in one plane."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from motorik.algebra.vector import Vector
from motorik.loops.closed_form.chain import Chain, Way, snapped
from motorik.loops.closed_form.layout import PARALLEL, HingeCluster, Layout, is_parallel
from motorik.loops.closed_form.planar import PLANAR_STEPS, PlanarStep
from motorik.loops.closed_form.plane import Plane, basis


def planar_steps(layout: Layout) -> Iterator[PlanarStep]:
    """Yield the planar steps that can be taken next, single bodies before dyads."""
    for bodies in (1, 2):
        for ways in layout.hopeful(bodies):
            step = _planar_step(layout, ways)
            if step is not None:
                yield step


def _planar_step(layout: Layout, ways: Sequence[Way]) -> PlanarStep | None:
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


def _normal(cluster: HingeCluster, ways: Sequence[Way]) -> Vector | None:
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


def _sign(cluster: HingeCluster, way: Way, normal: Vector) -> float:
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
) -> tuple[Chain, Plane, tuple[Vector, Vector]]:
    """Return the chain from the end that is cheaper, its plane and the first body's vectors.

    The plane is fixed in the root where only turns about the normal and slides lead from
    there to an end, else in the first body of the chain.
    """
    if chain.last_body == cluster.root:
        chain = chain.reversed()
    first, root = chain.first_body, cluster.root
    own = basis(cluster.in_body(normal, first))
    if first not in cluster.bodies_about(normal):
        return chain, Plane(first, *own), own
    shared = basis(snapped(normal))
    return chain, Plane(None, *shared), shared if first == root else own


def _scale(cluster: HingeCluster, chain: Chain) -> float:
    """Return the largest distance between the ends of a chain at the assembled poses [m]."""
    first, last = chain.ways[0], chain.ways[-1].reversed()
    poses = range(len(cluster.poses))
    gaps = (cluster.place(first, k) - cluster.place(last, k) for k in poses)
    return max(float(gap.norm()) for gap in gaps)
