"""Clusters: loops that share links, with their freedom and the rows that count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motorik.loops.rows import ConstraintRows
from motorik.topology.graph import ConnectedSets
from motorik.topology.mechanism import WORLD, Closure, Mechanism

DEPENDENT = 1e-8  # singular values below this part of the largest are zero
ALMOST_AS_FAR = 0.5  # rows within this part of the farthest are taken in their order


@dataclass(frozen=True)
class Cluster:
    """Loops that share links: they can only be solved together.

    `root` is the link they all hang on, `links` those that move in them, `closures` what
    closes them (by number), `rows` their constraint rows, of which `active` are independent
    of one another and `redundant` follow from these. `freedom` is the count of independent
    speeds that the loops leave.
    """

    root: int
    links: tuple[int, ...]
    closures: tuple[int, ...]
    speeds: tuple[int, ...]
    rows: tuple[int, ...] = ()
    active: tuple[int, ...] = ()
    redundant: tuple[int, ...] = ()
    freedom: int = 0

    def names(self, mechanism: Mechanism) -> list[str]:
        """Return the parts whose joints are in the loops, those that close them last."""
        names = [mechanism.links[k].part for k in self.links]
        names += [mechanism.closures[k].part for k in self.closures]
        return list(dict.fromkeys(names))


def loop_links(mechanism: Mechanism, closure: Closure) -> list[int]:
    """Return the links between the base of a loop and the places where it is closed."""
    found: dict[int, None] = {}
    for end in closure.ends:
        at = end.link
        while at != closure.base:
            found.setdefault(at)
            at = mechanism.links[at].parent
    for port in closure.flanges:
        at_flange = mechanism.flanges[mechanism.stock.node(port)]
        if at_flange.coordinate is not None:
            found.setdefault(mechanism.link_of_speed(at_flange.coordinate).index)
    return list(found)


def find_clusters(mechanism: Mechanism) -> tuple[Cluster, ...]:
    """Return the clusters of a mechanism's loops; their rows are found by `with_rows`."""
    sets: ConnectedSets[int] = ConnectedSets()
    closing = [loop_links(mechanism, closure) for closure in mechanism.closures]
    for links in closing:
        for link in links:
            sets.unite(links[0], link)
    of_set: dict[int, list[int]] = {}
    for k, links in enumerate(closing):
        if links:
            of_set.setdefault(sets.find(links[0]), []).append(k)
    clusters: list[Cluster] = []
    for first, members in sets.sets().items():
        links = tuple(sorted(members))
        speeds = tuple(u for k in links for u in mechanism.links[k].u)
        root = _root(mechanism, links)
        clusters.append(Cluster(root, links, tuple(of_set[first]), speeds))
    return tuple(sorted(clusters, key=lambda cluster: cluster.links[0]))


def _root(mechanism: Mechanism, links: Sequence[int]) -> int:
    """Return the last link that all links of a cluster hang on and that is not one of them."""
    inside = set(links)
    ways = []
    for k in links:
        way = [mechanism.links[k].parent]
        while way[-1] != WORLD:
            way.append(mechanism.links[way[-1]].parent)
        ways.append([at for at in reversed(way) if at not in inside])
    root = WORLD
    for stage in zip(*ways, strict=False):
        if any(at != stage[0] for at in stage):
            break
        root = stage[0]
    return root


def with_rows(
    clusters: Sequence[Cluster], rows: ConstraintRows, matrices: Sequence[np.ndarray]
) -> tuple[Cluster, ...]:
    """Return the clusters with their rows, which of them are independent, and their freedom.

    `matrices` are G without units at assembled poses, the first at the start. At a singular
    pose fewer rows are independent than elsewhere; the largest count holds in motion.
    """
    of_closure: dict[int, list[int]] = {}
    for k, row in enumerate(rows.rows):
        if row.closure is not None:
            of_closure.setdefault(row.closure, []).append(k)
    found = []
    for cluster in clusters:
        own = sorted(k for c in cluster.closures for k in of_closure.get(c, ()))
        parts = [G[np.ix_(own, cluster.speeds)] for G in matrices]
        active = tuple(own[k] for k in independent_rows(parts))
        taken = set(active)
        found.append(
            replace(
                cluster,
                rows=tuple(own),
                active=active,
                redundant=tuple(k for k in own if k not in taken),
                freedom=len(cluster.speeds) - len(active),
            )
        )
    return tuple(found)


def rank(G: np.ndarray) -> int:
    """Return the numerical rank of a matrix without units."""
    if not G.size:
        return 0
    s = np.linalg.svd(G, compute_uv=False)
    return int(np.sum(s > DEPENDENT * max(float(s[0]), 1e-300)))


def independent_rows(matrices: Sequence[np.ndarray]) -> list[int]:
    """Return rows that are independent at all given poses as well as may be."""
    wanted = max((rank(G) for G in matrices), default=0)
    if not wanted:
        return []
    candidates: list[list[int]] = []
    for G in matrices:
        rows = _pivoted_rows(G, wanted)
        if len(rows) == wanted and rows not in candidates:
            candidates.append(rows)

    def weakest(rows: list[int]) -> float:
        return min(float(np.linalg.svd(G[rows], compute_uv=False)[-1]) for G in matrices)

    return sorted(max(candidates, key=weakest))


def _pivoted_rows(G: np.ndarray, count: int) -> list[int]:
    """Return up to `count` rows, each time the one farthest from the span of those taken.

    Rows that are almost as far are taken in their order, so that the choice is a stable one.
    """
    left = G.copy()
    least = DEPENDENT * 1e-4 * float(np.linalg.norm(G, axis=1).max(initial=0.0))
    taken: list[int] = []
    for _ in range(count):
        sizes = np.linalg.norm(left, axis=1)
        largest = float(sizes.max(initial=0.0))
        if largest <= least:
            break
        k = int(np.flatnonzero(sizes > ALMOST_AS_FAR * largest)[0])
        taken.append(k)
        direction = left[k] / sizes[k]
        left = left - np.outer(left @ direction, direction)
        left[taken] = 0.0
    return taken
