"""Decomposition of clusters into Assur groups, and the spanning tree that suits them.

The joints of each cluster become hinges; equal clusters share one search. The spanning tree is
then grown again in the order of the groups, so that each group closes one loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector, Z
from motorik.components.base.contributions import JointBetween
from motorik.elements.distance import DistanceConstraint
from motorik.elements.joint import Joint
from motorik.elements.prismatic import PrismaticPair
from motorik.elements.revolute import RevolutePair
from motorik.elements.spherical import SphericalPair
from motorik.elements.spherical_by_angles import SphericalPairByAngles
from motorik.immutable import immutable
from motorik.loops.closed_form import AssurDecomposition, Hinge, find_decomposition, holds
from motorik.loops.clusters import Cluster
from motorik.loops.mobility import MobilityAnalysis
from motorik.loops.options import STRATEGIES, LoopStrategy
from motorik.numerics.tolerances import SAME_SAMPLE
from motorik.progress import working
from motorik.topology.assemble import order_of_joints
from motorik.topology.mechanism import WORLD, Mechanism
from motorik.topology.tree import LAST

# --- equal clusters -----------------------------------------------------------------------


DIGITS = 10  # decimals to which constants agree, in units of the cluster's length


@dataclass
class EqualCluster:
    """The decompositions of clusters equal to one, with their hinges and samples.

    `root` and `hinges` are those of the cluster that is being decomposed.
    """

    root: int
    hinges: Sequence[Hinge]
    found: list[tuple[Sequence[Hinge], np.ndarray, AssurDecomposition | str]] = field(
        default_factory=list
    )

    def known_at(self, samples: np.ndarray) -> AssurDecomposition | str | None:
        """Return the decomposition found at these samples, None if there is none."""
        for hinges, others, decomposition in self.found:
            is_same = samples.shape == others.shape and _near(samples, others)
            if is_same:
                return (
                    decomposition
                    if isinstance(decomposition, str)
                    else self._renamed(hinges, decomposition)
                )
        return None

    def one_that_holds(
        self,
        hinges: Sequence[Hinge],
        poses: Sequence[Mapping[int, Pose]],
        values: Sequence[Mapping[int, float]],
        length: float,
    ) -> AssurDecomposition | None:
        """Return a decomposition from other samples that holds at these with good margins."""
        for others, _, decomposition in self.found:
            if not isinstance(decomposition, str):
                own = self._renamed(others, decomposition)
                if holds(own, poses, values, length):
                    return own
        return None

    def note(
        self,
        hinges: Sequence[Hinge],
        samples: np.ndarray,
        decomposition: AssurDecomposition | str,
    ) -> None:
        """Store the decomposition of a cluster, or the reason why there is none."""
        self.found.append((hinges, samples, decomposition))

    def _renamed(
        self, hinges: Sequence[Hinge], decomposition: AssurDecomposition
    ) -> AssurDecomposition:
        pairs = zip(hinges, self.hinges, strict=True)
        return decomposition.on({old.index: new for old, new in pairs}, self.root)


def _near(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.abs(a - b).max(initial=0.0) <= SAME_SAMPLE)


class KnownDecompositions:
    """The decompositions of all clusters so far, by a key that equal clusters share."""

    def __init__(self) -> None:
        self._known: dict[
            object, list[tuple[Sequence[Hinge], np.ndarray, AssurDecomposition | str]]
        ] = {}

    def of(
        self, root: int, hinges: Sequence[Hinge], freedom: int, length: float
    ) -> EqualCluster:
        """Return the entry of a cluster whose hinges are numbers."""
        key = (freedom, *_signature(root, hinges, length))
        return EqualCluster(root, hinges, self._known.setdefault(key, []))


def _signature(
    root: int, hinges: Sequence[Hinge], length: float
) -> tuple[tuple[object, ...], bytes]:
    """Return the key of equal clusters: kinds, priorities and bodies of hinges, all constants.

    Bodies are numbered in the order of the hinges; positions on the root are relative to the
    first of them.
    """
    number = {root: 0}
    kinds: list[object] = []
    constants: list[float] = []
    origin: tuple[float, ...] | None = None
    for h in hinges:
        bodies = tuple(number.setdefault(body, len(number)) for body in (h.a, h.b))
        kinds.append((h.kind, h.state_priority, bodies))
        for body, X in zip(bodies, (h.X_a, h.X_b), strict=True):
            p = tuple(float(e) for e in X.p.xyz)
            if body == 0:
                origin = origin or p
                p = tuple(e - o for e, o in zip(p, origin, strict=True))
            constants += (float(e) for e in X.R.entries)
            constants += (e / length for e in p)
        constants += (float(e) for e in h.axis.xyz)
        constants += (float(h.offset), float(h.length) / length)
    rounded = np.round([*constants, np.log(length)], DIGITS) + 0.0
    return tuple(kinds), rounded.tobytes()


DISTANCE_HINGES = 1_000_000  # numbers of rods begin here
OTHER_HINGES = 2_000_000  # numbers of joints without closed forms begin here
PRESCRIBED, FAVOURED = 1000, 500  # additions to the priority as independent hinge
FIRST = -1e6  # order of the first joint of a decomposition


@immutable
class DecomposedCluster:
    """A cluster, its joints as hinges, and its decomposition, or the reason why there is none."""

    cluster: Cluster
    hinges: tuple[Hinge, ...]
    decomposition: AssurDecomposition | None
    reason: str = ""


@working("finding closed forms")
def decompose_clusters(
    mobility: MobilityAnalysis,
    options: LoopStrategy,
    favoured: frozenset[int] = frozenset(),
) -> tuple[DecomposedCluster, ...]:
    """Return the decomposition of each cluster into Assur groups, if it has one.

    Hinges in `favoured` are preferred as independent. Equal clusters are searched once.
    """
    found, twins = [], KnownDecompositions()
    joints = _Joints(mobility.mechanism, favoured)
    numeric = joints
    if mobility.numeric is not mobility.mechanism:
        numeric = _Joints(mobility.numeric, favoured)
    for cluster in mobility.clusters:
        hinges = joints.hinges(cluster)
        strategy = options.of_parts(cluster.names(mobility.mechanism))
        if not STRATEGIES[strategy].closed_forms:
            found.append(
                DecomposedCluster(cluster, hinges, None, "another strategy was requested")
            )
            continue
        values = hinges if numeric is joints else numeric.hinges(cluster)
        decomposition = _decompose(mobility, cluster, values, twins)
        if isinstance(decomposition, str):
            found.append(DecomposedCluster(cluster, hinges, None, decomposition))
        else:
            found.append(
                DecomposedCluster(cluster, hinges, decomposition.with_hinges(hinges))
            )
    return tuple(found)


def _decompose(
    mobility: MobilityAnalysis,
    cluster: Cluster,
    hinges: Sequence[Hinge],
    twins: KnownDecompositions,
) -> AssurDecomposition | str:
    """Return the decomposition of a numerical cluster, if possible that of an equal one."""
    lengths = mobility.scales.constraints[list(cluster.constraints)]
    length = float(max(lengths[lengths != 1.0], default=1.0))
    links = (mobility.mechanism.links[k] for k in cluster.links)
    own = [k for link in links for k in link.q]
    samples = np.array([q[own] for q in mobility.samples])
    samples /= mobility.scales.coordinates[own]
    twin = twins.of(cluster.root, hinges, cluster.freedom, length)
    known = twin.known_at(samples)
    if known is None:
        poses, values = _sampled(mobility, cluster.root, hinges)
        known = twin.one_that_holds(hinges, poses, values, length)
        if known is None:
            known = find_decomposition(
                cluster.root, hinges, poses, values, cluster.freedom, length=length
            )
        twin.note(hinges, samples, known)
    return known


def _sampled(
    mobility: MobilityAnalysis, root: int, hinges: Sequence[Hinge]
) -> tuple[list[dict[int, Pose]], list[dict[int, float]]]:
    """Return the poses of all bodies seen from the root, and all coordinates, at the samples."""
    joints, mechanism = mobility.numeric.inventory.joints, mobility.numeric
    bodies = {root} | {b for h in hinges for b in (h.a, h.b)}
    poses, values = [], []
    for q, placed in zip(mobility.samples, mobility.poses, strict=True):
        back = None if root == WORLD else placed[root].inverse()
        at = {
            b: _seen(back, IDENTITY_POSE if b == WORLD else placed[b])
            for b in bodies - {root}
        }
        at[root] = IDENTITY_POSE
        poses.append(at)
        own = {}
        for h in hinges:
            if h.has_coordinate:
                edge = joints[h.index]
                link = mechanism.link_of_part(edge.frame_a.owner)
                if link is not None:
                    own[h.index] = float(q[link.q[0]])
                else:
                    X_ab = (at[h.a] @ h.X_a).inverse() @ (at[h.b] @ h.X_b)
                    own[h.index] = float(edge.joint.fit(X_ab)[0])
        values.append(own)
    return poses, values


def _seen(back: Pose | None, X: Pose) -> Pose:
    return X if back is None else back @ X


# --- hinges -------------------------------------------------------------------------------


class _Joints:
    """The joints of a mechanism as hinges, numbered once for all clusters."""

    def __init__(self, mechanism: Mechanism, favoured: frozenset[int]) -> None:
        self.mechanism, self.favoured = mechanism, favoured
        self.number = {id(edge): k for k, edge in enumerate(mechanism.inventory.joints)}
        self.prescribed = self._prescribed()

    def hinges(self, cluster: Cluster) -> tuple[Hinge, ...]:
        """Return the joints of a cluster as hinges between links."""
        mechanism = self.mechanism
        edges = [mechanism.links[k].edge for k in cluster.links]
        edges += [mechanism.closures[k].edge for k in cluster.closures]
        hinges = []
        for edge in edges:
            if edge is not None:
                index = self.number[id(edge)]
                priority = PRESCRIBED * (index in self.prescribed)
                priority += FAVOURED * (index in self.favoured)
                hinges.append(_hinge_of_joint(mechanism, edge, index, priority))
        hinges += _hinges_of_constraints(mechanism, cluster)
        for k in cluster.links:
            link = mechanism.links[k]
            if link.edge is None and link.own is None:
                hinges.append(
                    Hinge(
                        OTHER_HINGES + k,
                        "O",
                        link.parent,
                        k,
                        IDENTITY_POSE,
                        IDENTITY_POSE,
                        name=link.part,
                    )
                )
        return tuple(hinges)

    def _prescribed(self) -> set[int]:
        """Return the joints with prescribed motion."""
        found = set()
        for relation in self.mechanism.relations:
            if len(relation.terms) == 1:
                link = self.mechanism.link_of_speed(relation.terms[0][0])
                if link.edge is not None:
                    found.add(self.number[id(link.edge)])
        return found


def _hinge_of_joint(
    mechanism: Mechanism, edge: JointBetween, index: int, priority: int
) -> Hinge:
    inventory = mechanism.inventory
    a, b = (mechanism.nodes[inventory.node(f)] for f in (edge.frame_a, edge.frame_b))
    kind, axis, offset = _kind(edge.joint)
    fixed = any(start.is_fixed for start in (*edge.starts, *edge.speed_starts))
    link = mechanism.link_of_joint.get(id(edge))
    own = edge.state_priority if link is None else mechanism.state_priority(link)
    priority += 10 * own + 4 * fixed + 2 * edge.keeps_coordinate
    name = edge.frame_a.owner.path
    return Hinge(index, kind, a.link, b.link, a.X, b.X, axis, offset, 0.0, priority, name)


def _hinges_of_constraints(mechanism: Mechanism, cluster: Cluster) -> list[Hinge]:
    """Return rods as hinges of kind D, and other constraints as kind O."""
    hinges = []
    for k in cluster.closures:
        closure = mechanism.closures[k]
        if closure.edge is not None or closure.is_weld:
            continue
        residual = closure.constraint.residual
        is_rod = isinstance(residual, DistanceConstraint) and len(closure.ends) == 2
        ends = [(end.link, end.X) for end in closure.ends] or [(WORLD, IDENTITY_POSE)]
        (a, X_a), (b, X_b) = ends[0], ends[-1]
        hinges.append(
            Hinge(
                DISTANCE_HINGES + k,
                "D" if is_rod else "O",
                a,
                b,
                X_a,
                X_b,
                length=residual.length if isinstance(residual, DistanceConstraint) else 0.0,
                name=closure.part,
            )
        )
    return hinges


def _kind(joint: Joint) -> tuple[str, Vector, Scalar]:
    if isinstance(joint, RevolutePair):
        return "R", joint.axis, joint.offset
    if isinstance(joint, PrismaticPair):
        return "P", joint.axis, 0.0
    return (
        ("S" if isinstance(joint, (SphericalPair, SphericalPairByAngles)) else "O"),
        Z,
        0.0,
    )


# --- spanning tree ------------------------------------------------------------------------


def spanning_tree_order(
    mechanism: Mechanism, decompositions: Sequence[AssurDecomposition]
) -> dict[int, float]:
    """Return the order in which joints enter the tree, so that each Assur group closes one loop."""
    joints = mechanism.inventory.joints
    order = dict(order_of_joints(mechanism.inventory))
    first = FIRST
    for decomposition in decompositions:
        depth, deepest = {decomposition.root: 0}, 0
        table = {hinge.index: hinge for hinge in decomposition.hinges}
        for index in decomposition.independent:
            order[index] = first
            first += 1.0
            deepest = max(deepest, _deepen(depth, table[index]))
        for group in decomposition.groups:
            bodies = (b for h in group.hinges for b in (table[h].a, table[h].b))
            known = {b: depth[b] for b in bodies if b in depth}
            farthest = deepest
            for index in group.hinges:
                hinge = table[index]
                place = 0.0
                if joints[index].flanges is None:
                    near = [known[b] for b in (hinge.a, hinge.b) if b in known]
                    depth_of = min(near) if near else 0.5
                    place = 0.1 + 0.8 * depth_of / (1 + farthest)
                order[index] = first + place
            for index in sorted(group.hinges, key=lambda h: order[h]):
                deepest = max(deepest, _deepen(depth, table[index]))
            first += 1.0
        for index, hinge in table.items():
            if not hinge.has_coordinate and index < DISTANCE_HINGES:
                order[index] = LAST
    return order


def _deepen(depth: dict[int, int], hinge: Hinge) -> int:
    """Store the number of hinges from the root to the bodies of a hinge; return the larger one."""
    near = [depth[body] for body in (hinge.a, hinge.b) if body in depth]
    for body in (hinge.a, hinge.b):
        depth.setdefault(body, min(near, default=0) + 1)
    return max(depth[hinge.a], depth[hinge.b])


def is_same_tree(one: Mechanism, other: Mechanism) -> bool:
    """Return whether two trees of one model have the same links and the same cut joints."""

    def shape(tree: Mechanism) -> tuple[object, ...]:
        links = [
            (id(link.edge), id(link.root), id(link.own), link.parent, link.is_reversed)
            for link in tree.links
        ]
        closures = [
            (closure.part, id(closure.edge), closure.base) for closure in tree.closures
        ]
        return links, closures

    return one is other or shape(one) == shape(other)
