"""Growth of the spanning tree: roots, rigid merging, directions of joints, cut joints."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import reduce
from typing import TypeVar

from motorik.algebra import scalar as s
from motorik.algebra.dyad import NO_INERTIA, Inertia
from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.components.base.contributions import ALWAYS, JointBetween, Mass, Rigid
from motorik.components.base.ports import FramePort, Port, PortKind
from motorik.elements.rigid import RigidPair
from motorik.errors import AssemblyError, LoopError, PortError
from motorik.immutable import mutable
from motorik.topology.graph import Ancestry
from motorik.topology.inventory import Inventory, ends_are_one
from motorik.topology.massless_points import find_points, neighbour_of
from motorik.topology.mechanism import WORLD, Closure, Link, MasslessLink, NodePose

E = TypeVar("E")
FLOATS = "floats freely: no joint leads from the world to it, so it is a root with"
OWN = "has coordinates of its own, as every body of the strategy 'absolute':"
HELD = "is held by forces alone, so it is a root with"
LAST = float("inf")  # order of a joint that is to be cut


@mutable
class Tree:
    """The links of a mechanism and where every set of connected frames is on them."""

    links: list[Link] = field(default_factory=list)
    nodes: dict[Port, NodePose] = field(default_factory=dict)
    branches: list[MasslessLink] = field(default_factory=list)
    measures: list[JointBetween] = field(default_factory=list)
    closures: list[Closure] = field(default_factory=list)
    massless: list[Link] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    ancestry: Ancestry = field(default_factory=Ancestry)

    def add(self, link: Link) -> None:
        """Add a link to an existing one, or to the world."""
        self.links.append(link)
        self.ancestry.add(link.parent)

    def base_of(self, links: Sequence[int]) -> int:
        """Return the last common ancestor of links."""
        return reduce(self.ancestry.common, links)


class TreeBuilder:
    """Builds the tree from the world outward; bodies without connection become free roots.

    Joints preferred as states come first, joints without constraints last. `order` gives joints
    (by number) another place; those at `LAST` are cut if possible. With `absolute` every body is
    a root and every joint between bodies is a closure; a body whose coordinates must be states is
    a root in any case.
    """

    def __init__(
        self,
        inventory: Inventory,
        order: Mapping[int, float] | None = None,
        absolute: bool = False,
    ) -> None:
        self.inventory = inventory
        self.order = order
        self.absolute = absolute
        self.tree = Tree()
        self.rigids = _by_node(
            inventory, [(r.frame_a, r.frame_b, r) for r in inventory.rigids]
        )
        self.joints = _by_node(
            inventory,
            [(j.frame_a, j.frame_b, (i, j)) for i, j in enumerate(inventory.joints)],
        )
        self.waiting: list[tuple[bool, float, int]] = []
        self.done: set[int] = set()

    def build(self) -> Tree:
        """Return the finished tree."""
        for ground in self.inventory.grounds:
            node = self.inventory.node(ground.frame)
            if node in self.tree.nodes:
                raise LoopError(
                    ground.frame.path,
                    "is fixed twice: rigid parts already connect it with the world.",
                    "Remove one of the fixed points or one of the rigid parts between them.",
                    port=ground.frame.name,
                )
            self._spread(node, WORLD, ground.pose, None)
        joined = self._joined_nodes() if self.absolute else set()
        for mass in self.inventory.masses:
            node = self.inventory.node(mass.frame)
            is_own = self.absolute and (_has_orientation(mass) or node not in joined)
            if (is_own or _is_required(mass)) and node not in self.tree.nodes:
                self._float(mass, OWN)
        self._grow()
        unplaced = [
            m
            for m in self.inventory.masses
            if self.inventory.node(m.frame) not in self.tree.nodes
        ]
        for mass in sorted(unplaced, key=lambda m: -m.priority):
            if self.inventory.node(mass.frame) not in self.tree.nodes:
                self._float(mass, OWN if self.absolute else FLOATS)
                self._grow()
        for point in find_points(self.inventory, self.tree.nodes):
            place = None
            if self.inventory.node(point.frame) in self.inventory.turning:
                place = neighbour_of(self.inventory, point, self.tree.nodes)
            self._float(point, HELD, place)
        self._check_all_placed()
        self._add_constraints()
        self._gather_inertia()
        return self.tree

    def _joined_nodes(self) -> set[Port]:
        """Return the nodes that joints or rigid parts join to others."""
        joined = (*self.inventory.joints, *self.inventory.rigids)
        return {
            self.inventory.node(port)
            for edge in joined
            for port in (edge.frame_a, edge.frame_b)
        }

    # --- growth ----------------------------------------------------------------------------

    def _grow(self) -> None:
        while self.waiting:
            _, _, index = heapq.heappop(self.waiting)
            if index in self.done:
                continue
            self.done.add(index)
            edge = self.inventory.joints[index]
            a, b = self.inventory.node(edge.frame_a), self.inventory.node(edge.frame_b)
            if a in self.tree.nodes and b in self.tree.nodes:
                self._close(edge)
            else:
                self._add_joint(edge, is_reversed=a not in self.tree.nodes)

    def _spread(self, entry: Port, link: int, X: Pose, by: Rigid | None) -> None:
        """Place a node and all nodes rigidly connected with it on a link."""
        stack: list[tuple[Port, Pose, Rigid | None]] = [(entry, X, by)]
        self.tree.nodes[entry] = NodePose(link, X)
        while stack:
            node, X_node, came_by = stack.pop()
            for index, edge in self.joints.get(node, ()):
                place = (
                    -edge.state_priority
                    if self.order is None
                    else self.order.get(index, LAST)
                )
                heapq.heappush(self.waiting, (edge.breakable, place, index))
            for rigid in self.rigids.get(node, ()):
                if rigid is came_by:
                    continue
                forward = self.inventory.node(rigid.frame_a) is node
                near, far = rigid.frame_a, rigid.frame_b
                X_far = rigid.X_ab
                if not forward:
                    near, far, X_far = far, near, X_far.inverse()
                far_node = self.inventory.node(far)
                if far_node in self.tree.nodes:
                    raise LoopError(
                        near.owner.path,
                        f"closes a loop of rigid parts between {near.path} and {far.path}.",
                        "Remove one of the rigid parts: they hold the same frames twice.",
                    )
                X_there = X_node @ X_far
                self.tree.nodes[far_node] = NodePose(link, X_there)
                self.tree.branches.append(
                    MasslessLink(near, far, node, far_node, rigid, X_far)
                )
                stack.append((far_node, X_there, rigid))

    def _add_joint(self, edge: JointBetween, is_reversed: bool) -> None:
        near, far = edge.frame_a, edge.frame_b
        if is_reversed:
            near, far = far, near
        place = self.tree.nodes[self.inventory.node(near)]
        index = len(self.tree.links)
        joint = edge.joint.reversed() if is_reversed else edge.joint
        part = edge.frame_a.owner.path
        self.tree.add(
            Link(
                index,
                place.link,
                joint,
                place.X,
                NO_INERTIA,
                part,
                far,
                range(0),
                range(0),
                edge,
                is_reversed,
            )
        )
        far_node = self.inventory.node(far)
        self.tree.branches.append(
            MasslessLink(near, far, self.inventory.node(near), far_node, None, None)
        )
        self._spread(far_node, index, IDENTITY_POSE, None)
        if is_reversed:
            self.tree.reasons.append(
                f"{part} is used from frame_b to frame_a: its frame_b is nearer to a root."
            )

    def _float(self, mass: Mass, why: str, place: NodePose | None = None) -> None:
        """Add a root; its coordinates are relative to a place on another link, if there is one."""
        index = len(self.tree.links)
        base = place or NodePose(WORLD, IDENTITY_POSE)
        part = mass.frame.owner.path
        self.tree.add(
            Link(
                index,
                base.link,
                mass.free,
                base.X,
                NO_INERTIA,
                part,
                mass.frame,
                range(0),
                range(0),
                None,
                root=mass,
            )
        )
        self.tree.reasons.append(f"{part} {why} {mass.free.freedom} freedoms.")
        self._spread(self.inventory.node(mass.frame), index, IDENTITY_POSE, None)

    def _close(self, edge: JointBetween) -> None:
        part = edge.frame_a.owner.path
        if edge.breakable:
            self.tree.measures.append(edge)
            self.tree.reasons.append(
                f"{part} only measures: its frame_b is connected otherwise, and it "
                "constrains nothing."
            )
            return
        if edge.keeps_coordinate:
            self._close_by_weld(edge)
            return
        ports = (edge.frame_a, edge.frame_b)
        nodes = tuple(self.inventory.node(port) for port in ports)
        ends = tuple(self.tree.nodes[node] for node in nodes)
        self.tree.closures.append(
            Closure(
                part,
                ports,
                ends,
                self.tree.base_of([end.link for end in ends]),
                edge.joint.constraint,
                edge=edge,
                nodes=nodes,
            )
        )

    def _close_by_weld(self, edge: JointBetween) -> None:
        """Keep a joint with a needed coordinate in the tree and weld its far end."""
        part, far = edge.frame_a.owner.path, edge.frame_b
        near_node, far_node = self.inventory.node(edge.frame_a), self.inventory.node(far)
        place = self.tree.nodes[near_node]
        index = len(self.tree.links)
        empty = range(0)
        self.tree.add(
            Link(
                index,
                place.link,
                edge.joint,
                place.X,
                NO_INERTIA,
                part,
                far,
                empty,
                empty,
                edge,
            )
        )
        behind = FramePort(far.owner, far.name)
        self.tree.nodes[behind] = NodePose(index, IDENTITY_POSE)
        self.tree.branches.append(
            MasslessLink(edge.frame_a, far, near_node, behind, None, None)
        )
        ends = (self.tree.nodes[behind], self.tree.nodes[far_node])
        self.tree.closures.append(
            Closure(
                part,
                (far, far),
                ends,
                self.tree.base_of([end.link for end in ends]),
                RigidPair().constraint,
                nodes=(behind, far_node),
                is_weld=True,
            )
        )
        acts = "drives it" if edge.flanges is not None else "has friction or stops"
        self.tree.reasons.append(
            f"{part} closes a loop and {acts}: it keeps its coordinate, and the loop is "
            "closed rigidly behind it."
        )

    def _add_constraints(self) -> None:
        for held in self.inventory.constraints:
            nodes = tuple(self.inventory.node(port) for port in held.frames)
            ends = tuple(self.tree.nodes[node] for node in nodes)
            links = [end.link for end in ends]
            is_common = len(links) > 1 and not held.in_world
            self.tree.closures.append(
                Closure(
                    held.part.path,
                    held.frames,
                    ends,
                    self.tree.base_of(links) if is_common else WORLD,
                    held.constraint,
                    held.flanges,
                    nodes=nodes,
                    design=held.design,
                )
            )

    # --- checks and sums -------------------------------------------------------------------

    def _check_all_placed(self) -> None:
        groups = self.inventory.ports.sets()
        for node, members in groups.items():
            if node.kind is not PortKind.FRAME or node in self.tree.nodes:
                continue
            port = min(members, key=lambda m: len(m.path))
            if len(members) == 1:
                raise PortError(
                    port.path,
                    "is connected to nothing, and no body or fixed point moves it.",
                    f"Connect it: `model.connect(model.{port.path}, …)`.",
                    port=port.name,
                    value=port,
                )
            raise AssemblyError(
                port.path,
                "leads neither to the world nor to a body, so its position is undetermined.",
                "Connect it with world.frame_b or a Fixed, or give it a Body.",
                port=port.name,
            )

    def _gather_inertia(self) -> None:
        self._check_points()
        for mass in self.inventory.masses:
            place = self.tree.nodes[self.inventory.node(mass.frame)]
            if place.link != WORLD:
                link = self.tree.links[place.link]
                link.inertia = link.inertia + mass.inertia.seen_from(place.X)
                m = mass.inertia.mass()
                link.point_masses.append((m, place.X(mass.inertia.first_moment() / m)))
        held = {end.link for closure in self.tree.closures for end in closure.ends}
        held |= self._gather_line_masses()
        heavy = [
            _has_inertia(link.inertia) or link.index in held for link in self.tree.links
        ]
        for link in reversed(self.tree.links):
            if link.parent != WORLD:
                heavy[link.parent] = heavy[link.parent] or heavy[link.index]
        self.tree.massless = [k for k in self.tree.links if not heavy[k.index]]

    def _gather_line_masses(self) -> set[int]:
        """Add masses on lines within one link to it; return the links coupled by others."""
        moved: set[int] = set()
        for mass in self.inventory.line_masses:
            a, b = (self.tree.nodes[self.inventory.node(port)] for port in mass.frames)
            if a.link != b.link:
                moved |= {a.link, b.link}
            elif a.link != WORLD:
                centre = mass.centre(a.X.p, b.X.p)
                link = self.tree.links[a.link]
                link.inertia = link.inertia + Inertia.of_body(mass.m, centre)
                link.point_masses.append((mass.m, centre))
        return moved

    def _check_points(self) -> None:
        """Refuse a floating point mass that carries parts, as its orientation is undetermined."""
        points = {
            link.index: link
            for link in self.tree.links
            if link.root is not None and not _has_orientation(link.root)
        }
        for branch in self.tree.branches if points else ():
            link = points.get(self.tree.nodes[branch.near_node].link)
            if link is not None:
                raise AssemblyError(
                    link.part,
                    f"floats and carries {branch.near.owner.path}, but a point mass does "
                    "not determine its orientation.",
                    "Give one of the parts a Body, or connect them with joints to the world.",
                )


def _has_orientation(mass: Mass) -> bool:
    """Return whether the free motion of a mass turns it: that of a point mass does not."""
    return any(speed.unit == "rad/s" for speed in mass.free.speeds)


def _is_required(mass: Mass) -> bool:
    """Return whether all six coordinates of a body must be states."""
    return mass.priority >= ALWAYS and mass.free.freedom == 6


def _by_node(
    inventory: Inventory, edges: list[tuple[Port, Port, E]]
) -> dict[Port, list[E]]:
    table: dict[Port, list[E]] = {}
    for a, b, edge in edges:
        table.setdefault(inventory.node(a), []).append(edge)
        if inventory.node(a) is not inventory.node(b):
            table.setdefault(inventory.node(b), []).append(edge)
        else:
            raise ends_are_one(a, b)
    return table


def _has_inertia(inertia: Inertia) -> bool:
    entries = (*inertia.M.entries, *inertia.J.entries)
    return not all(s.is_structural(e, 0.0) for e in entries)
