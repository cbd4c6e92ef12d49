"""Clusters: loops that share links, with their freedom and the rows that count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from motorik.loops.rows import ConstraintRows
from motorik.topology.graph import ConnectedSets
from motorik.topology.mechanism import WORLD, Closure, Mechanism

DEPENDENT = 1e-8  # singular values below this part of the largest are zero


@dataclass
class Cluster:
    """Loops that share links: they can only be solved together.

    `root` is the link they all hang on, `links` those that move in them, `closures` and
    `relations` what closes them (by number), `rows` their constraint rows, of which `active`
    are independent of one another and `redundant` follow from these. `freedom` is the count
    of independent speeds that are left.
    """

    root: int
    links: list[int]
    closures: list[int]
    relations: list[int]
    speeds: list[int]
    rows: list[int] = field(default_factory=list)
    active: list[int] = field(default_factory=list)
    redundant: list[int] = field(default_factory=list)
    freedom: int = 0

    def names(self, mechanism: Mechanism) -> list[str]:
        """Return the parts whose joints are in the loops, those that close them last."""
        names = [mechanism.links[k].part for k in self.links]
        names += [mechanism.closures[k].part for k in self.closures]
        names += [mechanism.relations[k].part for k in self.relations]
        return list(dict.fromkeys(names))


def loop_links(mechanism: Mechanism, closure: Closure) -> list[int]:
    """Return the links between the base of a loop and the places where it is closed."""
    found: list[int] = []
    for end in closure.ends:
        at = end.link
        while at != closure.base:
            if at not in found:
                found.append(at)
            at = mechanism.links[at].parent
    for port in closure.flanges:
        at_flange = mechanism.flanges[mechanism.stock.node(port)]
        if at_flange.coordinate is not None:
            found.append(link_of_speed(mechanism, at_flange.coordinate))
    return found


def link_of_speed(mechanism: Mechanism, speed: int) -> int:
    """Return the link that a speed moves."""
    for link in mechanism.links:
        if speed in link.u:
            return link.index
    raise IndexError(speed)


def find_clusters(mechanism: Mechanism, with_relations: bool = True) -> list[Cluster]:
    """Return the clusters of a mechanism's loops, with or without relations of coordinates."""
    sets: ConnectedSets[int] = ConnectedSets()
    closing = [loop_links(mechanism, closure) for closure in mechanism.closures]
    relating = [
        [link_of_speed(mechanism, speed) for speed, _ in relation.terms]
        for relation in (mechanism.relations if with_relations else ())
    ]
    for links in (*closing, *relating):
        for link in links:
            sets.unite(links[0], link)
    clusters: list[Cluster] = []
    for members in sets.sets().values():
        links = sorted(members)
        closures = [k for k, ls in enumerate(closing) if ls and ls[0] in members]
        relations = [k for k, ls in enumerate(relating) if ls[0] in members]
        speeds = [u for k in links for u in mechanism.links[k].u]
        clusters.append(
            Cluster(_root(mechanism, links), links, closures, relations, speeds)
        )
    return sorted(clusters, key=lambda cluster: cluster.links[0])


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


def count_freedoms(
    clusters: Sequence[Cluster],
    rows: ConstraintRows,
    matrices: Sequence[np.ndarray],
) -> None:
    """Find the rows of each cluster, which of them are independent, and its freedom.

    `matrices` are G at assembled poses, the first at the start. At a singular pose fewer rows
    are independent than elsewhere; the largest count is the one that holds in motion.
    """
    for cluster in clusters:
        cluster.rows = [
            k
            for k, row in enumerate(rows.rows)
            if (row.closure in cluster.closures and row.closure is not None)
            or (row.relation in cluster.relations and row.relation is not None)
        ]
        parts = [G[np.ix_(cluster.rows, cluster.speeds)] for G in matrices]
        chosen = independent_rows(parts)
        cluster.active = [cluster.rows[k] for k in chosen]
        cluster.redundant = [k for k in cluster.rows if k not in cluster.active]
        cluster.freedom = len(cluster.speeds) - len(chosen)


def rank(G: np.ndarray) -> int:
    """Return the numerical rank of a matrix."""
    if not G.size:
        return 0
    s = np.linalg.svd(G, compute_uv=False)
    return int(np.sum(s > DEPENDENT * max(float(s[0]), 1e-300)))


def independent_rows(matrices: Sequence[np.ndarray]) -> list[int]:
    """Return rows that are independent at all given poses as well as may be."""
    wanted = max((rank(G) for G in matrices), default=0)
    candidates = []
    for G in matrices:
        rows = _pivoted_rows(G, wanted)
        if rows not in candidates:
            candidates.append(rows)

    def weakest(rows: list[int]) -> float:
        sizes = [np.linalg.svd(G[rows], compute_uv=False)[-1] for G in matrices]
        return float(min(sizes))

    usable = [rows for rows in candidates if len(rows) == wanted] or [[]]
    if not wanted:
        return []
    return sorted(max(usable, key=weakest))


def _pivoted_rows(G: np.ndarray, count: int) -> list[int]:
    """Return up to `count` rows, each time the one farthest from the span of those taken.

    Rows that are almost as far are taken in their order, so that the choice is a stable one.
    """
    left = G.copy()
    taken: list[int] = []
    for _ in range(count):
        sizes = np.linalg.norm(left, axis=1)
        largest = float(sizes.max(initial=0.0))
        if largest < 1e-12:
            break
        k = int(np.flatnonzero(sizes > 0.5 * largest)[0])
        taken.append(k)
        direction = left[k] / sizes[k]
        left = left - np.outer(left @ direction, direction)
        left[taken] = 0.0
    return taken
