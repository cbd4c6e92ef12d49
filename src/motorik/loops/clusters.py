"""Clusters: loops that share links, with their constraint equations and their mobility."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motorik.errors import LoopError
from motorik.immutable import immutable
from motorik.loops.constraint_equations import ConstraintEquations
from motorik.loops.rank_analysis import RowSelection, rank
from motorik.numerics.sparse_matrix import SparseMatrix
from motorik.topology.graph import ConnectedSets
from motorik.topology.mechanism import WORLD, Closure, Mechanism


@immutable
class Cluster:
    """Loops that share links and must be solved together.

    `root` is the link on which they are all mounted, `links` are the links that move in them,
    `closures` the numbers of their closures. Of their constraint equations `constraints`, the
    `active` ones are linearly independent and the `redundant` ones depend on these. `freedom`
    is the degree of freedom that remains: speeds minus active constraints.
    """

    root: int
    links: tuple[int, ...]
    closures: tuple[int, ...]
    speeds: tuple[int, ...]
    constraints: tuple[int, ...] = ()
    active: tuple[int, ...] = ()
    redundant: tuple[int, ...] = ()
    freedom: int = 0

    def names(self, mechanism: Mechanism) -> list[str]:
        """Return the parts whose joints are in the loops, cut joints last."""
        names = [mechanism.links[k].part for k in self.links]
        names += [mechanism.closures[k].part for k in self.closures]
        return list(dict.fromkeys(names))

    def rank(self, G: np.ndarray) -> int:
        """Return the rank of its own constraints, by the Jacobian G of all without units."""
        return rank(G[np.ix_(self.constraints, self.speeds)])


def loop_links(mechanism: Mechanism, closure: Closure) -> list[int]:
    """Return the links between the base of a loop and the ends of its closure."""
    found: dict[int, None] = {}
    for end in closure.ends:
        at = end.link
        while at != closure.base:
            found.setdefault(at)
            at = mechanism.links[at].parent
    for port in closure.flanges:
        at_flange = mechanism.flanges[mechanism.inventory.node(port)]
        if at_flange.coordinate is not None:
            found.setdefault(mechanism.link_of_speed(at_flange.coordinate).index)
    return list(found)


def find_clusters(mechanism: Mechanism) -> tuple[Cluster, ...]:
    """Return the clusters of a mechanism; `with_constraints` adds their constraints."""
    sets: ConnectedSets[int] = ConnectedSets()
    closing = [loop_links(mechanism, closure) for closure in mechanism.closures]
    for links, closure in zip(closing, mechanism.closures, strict=True):
        if not links:
            _refuse_rigid(closure)
        for link in links:
            sets.unite(links[0], link)
    of_set: dict[int, list[int]] = {}
    for k, links in enumerate(closing):
        of_set.setdefault(sets.find(links[0]), []).append(k)
    clusters: list[Cluster] = []
    depth = depths(mechanism)
    for first, members in sets.sets().items():
        links = tuple(sorted(members))
        speeds = tuple(u for k in links for u in mechanism.links[k].u)
        root = _root(mechanism, links, depth)
        clusters.append(Cluster(root, links, tuple(of_set[first]), speeds))
    return tuple(sorted(clusters, key=lambda cluster: cluster.links[0]))


def _refuse_rigid(closure: Closure) -> None:
    """Raise `LoopError` for a closure between points of one rigid body."""
    ports = (*closure.ports, *closure.flanges)
    names = " and ".join(dict.fromkeys(port.path for port in ports))
    body = "the world" if closure.base == WORLD else "one rigid body"
    raise LoopError(
        closure.part,
        f"closes a loop in which nothing moves: {names} are fixed to {body}.",
        "Remove it, or connect one of its frames with a body that moves."
        if closure.ports
        else "Remove it, or connect one of its flanges with a shaft that moves.",
    )


def depths(mechanism: Mechanism) -> list[int]:
    """Return the number of joints between the world and each link."""
    found: list[int] = []
    for link in mechanism.links:
        found.append(1 if link.parent == WORLD else found[link.parent] + 1)
    return found


def _root(mechanism: Mechanism, links: Sequence[int], depth: Sequence[int]) -> int:
    """Return the last common ancestor of all links of a cluster that is not one of them."""
    inside = set(links)
    feet = dict.fromkeys(mechanism.links[k].parent for k in links)
    root: int | None = None
    for foot in feet:
        if foot not in inside:
            root = foot if root is None else _common(mechanism, root, foot, depth)
    assert root is not None
    while root in inside:
        root = mechanism.links[root].parent
    return root


def _common(mechanism: Mechanism, a: int, b: int, depth: Sequence[int]) -> int:
    """Return the last common ancestor of two links, which may be one of them."""
    links = mechanism.links
    while a != b:
        if a != WORLD and (b == WORLD or depth[a] >= depth[b]):
            a = links[a].parent
        else:
            b = links[b].parent
    return a


def with_constraints(
    clusters: Sequence[Cluster],
    constraints: ConstraintEquations,
    matrices: Sequence[SparseMatrix],
) -> tuple[Cluster, ...]:
    """Return the clusters with their constraints, the independent ones and the freedom.

    `matrices` are G without units at assembled poses, the first at the start. At a singular
    pose the rank is lower than elsewhere; the largest rank holds in motion.
    """
    of_closure: dict[int, list[int]] = {}
    for k, equation in enumerate(constraints.equations):
        if equation.closure is not None:
            of_closure.setdefault(equation.closure, []).append(k)
    found, choice = [], RowSelection(matrices)
    for cluster in clusters:
        own = sorted(k for c in cluster.closures for k in of_closure.get(c, ()))
        active = tuple(choice.among(own, cluster.speeds))
        taken = set(active)
        found.append(
            replace(
                cluster,
                constraints=tuple(own),
                active=active,
                redundant=tuple(k for k in own if k not in taken),
                freedom=len(cluster.speeds) - len(active),
            )
        )
    return tuple(found)
