"""Finding spatial steps: rods, balls made of turns that meet, and what lies between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from motorik.loops.closed_form.chain import Chain, Way
from motorik.loops.closed_form.layout import LONGEST, PARALLEL, HingeCluster, Layout
from motorik.loops.closed_form.reach import (
    Ball,
    Reach,
    ReachAtEnd,
    ReachBetween,
    ReachByRod,
)
from motorik.loops.closed_form.spatial import Pointing, Swivel, ThreeTurns, TwoTurns
from motorik.loops.closed_form.step import Step


def spatial_steps(layout: Layout) -> Iterator[Step]:
    """Yield the spatial steps that can be taken next, those of short chains first."""
    for bodies in range(1, LONGEST):
        for ways in layout.between(bodies):
            chain = layout.chain(ways)
            for walked in (chain, chain.reversed()):
                yield from _steps(layout, walked)


def _steps(layout: Layout, chain: Chain) -> Iterator[Step]:
    """Yield the steps that begin at the first body of a chain."""
    cluster, kinds = layout.cluster, chain.kinds
    if kinds in ("RD", "PD"):
        yield ReachByRod(chain, chain.ways[1].hinge.length)
    elif kinds == "SS":
        yield from _swivels(layout, chain)
    elif "D" not in kinds:
        if kinds == "RR" and not chain.inner:
            yield TwoTurns(chain)
        if kinds == "RRR" and not chain.inner:
            yield ThreeTurns(chain)
        yield from _pointings(cluster, chain)
        yield from _reaches(cluster, chain)


def _swivels(layout: Layout, chain: Chain) -> Iterator[Step]:
    """Yield the body on two balls with each rod that leads from it to a known body."""
    first = chain.ways[0]
    for rod in layout.exits[layout.group[first.far_body]]:
        if rod.hinge.kind == "D" and layout.is_placed(rod.far_body):
            yield Swivel(chain, layout.chain([first, rod]))


def _pointings(cluster: HingeCluster, chain: Chain) -> Iterator[Step]:
    """Yield the U at the beginning of a chain that a ball ends."""
    U, rest = ball(cluster, chain, 0, 1), ball(cluster, chain, 2, len(chain.ways) - 1)
    if U is not None and U.letter == "U" and rest is not None:
        yield Pointing(chain, (U, rest))


def _reaches(cluster: HingeCluster, chain: Chain) -> Iterator[Reach]:
    """Yield the single turn or slide at the beginning of a chain or between its balls."""
    last = len(chain.ways) - 1
    for k in range(1, last):
        one, two = ball(cluster, chain, 1, k), ball(cluster, chain, k + 1, last)
        if chain.kinds[0] in "RP" and one is not None and two is not None:
            yield ReachAtEnd(chain, _distance(cluster, chain, (k, k + 1)), (one, two))
    for k in range(1, last):
        one, two = ball(cluster, chain, 0, k - 1), ball(cluster, chain, k + 1, last)
        if chain.kinds[k] in "RP" and one is not None and two is not None:
            yield ReachBetween(chain, _distance(cluster, chain, (0, last)), (one, two))


def ball(cluster: HingeCluster, chain: Chain, first: int, last: int) -> Ball | None:
    """Return the ball that the hinges `first` to `last` of a chain make, if they do."""
    ways = chain.ways[first : last + 1]
    kinds = "".join(way.hinge.kind for way in ways)
    if kinds == "S":
        return Ball(first, last, "S")
    if kinds not in ("RR", "RRR") or any(chain.runs[first:last]):
        return None
    shifts = meeting(cluster, ways)
    letter = "U" if kinds == "RR" else "S"
    return None if shifts is None else Ball(first, last, letter, shifts)


def meeting(cluster: HingeCluster, ways: Sequence[Way]) -> tuple[float, float] | None:
    """Return how far along the first and the last axis [m] all axes meet in one point.

    Neighbours must not be parallel. Two axes keep their places in the body between them, so
    what meets at one pose meets at all.
    """
    directions = [cluster.axes[way.hinge.index] for way in ways]
    if any(abs(a.dot(b)) > 1.0 - 1e-9 for a, b in pairwise(directions)):
        return None
    axes = np.array([e.xyz for e in directions])
    places = np.array([cluster.place(way).xyz for way in ways])
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
    one, two = chain.ways[between[0]], chain.ways[between[1]].reversed()
    poses = range(len(cluster.poses))
    gaps = (cluster.place(one, k) - cluster.place(two, k) for k in poses)
    return max(float(gap.norm()) for gap in gaps) or 1.0
