"""Mechanism: the spanning tree of links that a model is assembled to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from motorik.algebra.dyad import Inertia
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base import contributions
from motorik.components.base.part import Part
from motorik.components.base.ports import Port
from motorik.components.base.values import LiveScalar
from motorik.elements.constraint import Constraint
from motorik.elements.distance import Between, Towards
from motorik.elements.joint import Joint
from motorik.immutable import immutable, mutable
from motorik.topology.graph import Ancestry
from motorik.topology.state_variables import StateVariableSpec

if TYPE_CHECKING:
    from motorik.topology.inventory import Inventory
    from motorik.topology.signals import Signals

WORLD = -1


@mutable
class Link:
    """A rigid body of the tree: everything rigidly connected, behind one joint.

    Its frame is frame b of its joint. `joint` connects it to the parent (the world is −1), where
    it begins at X_pj; `inertia` is that of all masses in it, `point_masses` each mass [kg] with
    its centre. `armature` is the inertia [kg·m² or kg] of drive lines on its one freedom. `part`
    owns its states. If it `is_massless`, its velocity follows from static equilibrium.
    """

    index: int
    parent: int
    joint: Joint
    X_pj: Pose
    inertia: Inertia
    part: str
    entry: Port
    q: range
    u: range
    edge: contributions.JointBetween | None
    is_reversed: bool = False
    root: contributions.Mass | None = None
    point_masses: list[tuple[Scalar, Vector]] = field(default_factory=list)
    armature: Scalar = 0.0
    own: contributions.FlangeInertia | None = None
    is_massless: bool = False


@immutable
class NodePose:
    """The position of a node (a set of connected frames): a link and the pose in it."""

    link: int
    X: Pose


@immutable
class FlangeAt:
    """The position of a set of connected flanges: factor · q + x, q a coordinate.

    Without a coordinate it is fixed at x, or q is an unknown of a network: position and speed
    are then the signals `network`.
    """

    coordinate: int | None
    x: Scalar = 0.0
    factor: Scalar = 1.0
    network: tuple[Port, Port] | None = None


@immutable
class Relation:
    """A linear relation of coordinates, by the numbers of their speeds: Σ cᵢ qᵢ = offset.

    With a `motion` its law of time and signals is added to the offset.
    """

    part: str
    terms: tuple[tuple[int, Scalar], ...]
    offset: Scalar = 0.0
    motion: contributions.Prescribed | None = None


@immutable
class MasslessLink:
    """A massless connection between two nodes of the tree: a rigid part or a joint."""

    near: Port
    far: Port
    near_node: Port
    far_node: Port
    rigid: contributions.Rigid | None
    X: Pose | None


@immutable
class Closure:
    """A constraint between links that the tree connects already.

    `constraint` is a function of the poses of `ends` seen from the link `base` and of the
    positions of `flanges`. `edge` is the joint that was cut, if any; `is_weld` is true where a
    joint with a needed coordinate stays in the tree and its far end is welded. `design` is the
    live number of a distance that follows from the design pose.
    """

    part: str
    ports: tuple[Port, ...]
    ends: tuple[NodePose, ...]
    base: int
    constraint: Constraint
    flanges: tuple[Port, ...] = ()
    edge: contributions.JointBetween | None = None
    nodes: tuple[Port, ...] = ()
    is_weld: bool = False
    design: LiveScalar | None = None


@immutable
class CoupledMass:
    """A point mass m [kg] on a line from one link to another, which couples them.

    `links` are their numbers, `points` the ends of the line, each in the frame of its link.
    """

    m: Scalar
    place: Between | Towards
    links: tuple[int, int]
    points: tuple[Vector, Vector]


Acting = (
    contributions.FrameForce
    | contributions.LineMass
    | contributions.TorqueThroughBody
    | Closure
)
"""A contribution with forces on bodies at several frames."""

Taken = MasslessLink | contributions.Mass | contributions.Ground | tuple[Acting, int]
"""A contribution that transmits force at a frame, or one end of a force element."""


@mutable
class Mechanism:
    """A model assembled to a tree of links, with closures, drive lines and signals.

    `links` stand in the order of evaluation: each needs only links before it.
    """

    name: str
    links: list[Link]
    coordinates: list[StateVariableSpec]
    speeds: list[StateVariableSpec]
    nodes: dict[Port, NodePose]
    flanges: dict[Port, FlangeAt]
    gravity: contributions.Gravity
    lines: list[contributions.LineForce]
    masses: list[contributions.Mass]
    branches: list[MasslessLink]
    measures: list[contributions.JointBetween]
    initial_conditions: list[contributions.InitialCondition]
    parameters: list[LiveScalar]
    signals: Signals
    inventory: Inventory
    closures: list[Closure] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    forces: list[contributions.FrameForce] = field(default_factory=list)
    line_masses: list[contributions.LineMass] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    locks: list[str] = field(default_factory=list)

    @property
    def n_q(self) -> int:
        """The number of coordinates."""
        return len(self.coordinates)

    @property
    def n_u(self) -> int:
        """The number of speeds of the tree: without loops, the degree of freedom."""
        return len(self.speeds)

    @property
    def states(self) -> list[StateVariableSpec]:
        """Coordinates, then speeds: the state vector."""
        return [*self.coordinates, *self.speeds]

    def start_values(self) -> tuple[list[float], list[float]]:
        """Return the start values of coordinates and speeds as given."""
        return _numbers(self.coordinates), _numbers(self.speeds)

    @property
    def has_loops(self) -> bool:
        """Whether there are constraints besides the joints of the tree."""
        return bool(self.closures or self.relations)

    @cached_property
    def massless(self) -> tuple[int, ...]:
        """The speeds of massless links, which move in static equilibrium."""
        return tuple(k for link in self.links if link.is_massless for k in link.u)

    @cached_property
    def coupled_masses(self) -> tuple[CoupledMass, ...]:
        """The masses on lines between two links; those within one are part of its inertia."""
        found = []
        for mass in self.line_masses:
            a, b = (self.nodes[self.inventory.node(port)] for port in mass.frames)
            if a.link != b.link:
                ends = (a.link, b.link), (a.X.p, b.X.p)
                found.append(CoupledMass(mass.m, mass.place, *ends))
        return tuple(found)

    @cached_property
    def ancestry(self) -> Ancestry:
        """The ancestry of the links: depths and common bases."""
        return Ancestry(link.parent for link in self.links)

    def base_of(self, a: int, b: int) -> int:
        """Return the last common ancestor of two links, the world if there is none."""
        return self.ancestry.common(a, b)

    def pose_from(self, base: int, end: NodePose, q: Sequence[Scalar]) -> Pose:
        """Return the pose of a place on a link seen from the link `base`, an ancestor of it."""
        X, at = end.X, end.link
        while at != base:
            link = self.links[at]
            X = link.X_pj @ link.joint.pose(*(q[k] for k in link.q)) @ X
            at = link.parent
        return X

    @cached_property
    def _links_of_speeds(self) -> list[Link]:
        return [link for link in self.links for _ in link.u]

    @cached_property
    def _links_of_coordinates(self) -> list[Link]:
        return [link for link in self.links for _ in link.q]

    def link_of_speed(self, speed: int) -> Link:
        """Return the link that a speed moves."""
        return self._links_of_speeds[speed]

    def link_of_coordinate(self, coordinate: int) -> Link:
        """Return the link that a coordinate moves."""
        return self._links_of_coordinates[coordinate]

    def state_priority(self, link: Link) -> int:
        """Return the priority of a link's coordinates as states, with the inertias on its shaft."""
        edge = link.edge
        if edge is None or edge.flanges is None:
            return (
                edge.state_priority if edge else link.own.state_priority if link.own else -1
            )
        of_shaft = self._priorities_of_shafts.get(link.u[0])
        return (
            edge.state_priority if of_shaft is None else max(edge.state_priority, of_shaft)
        )

    @cached_property
    def _priorities_of_shafts(self) -> dict[int, int]:
        """The highest state priority of the inertias preferred as states, by their speed."""
        found: dict[int, int] = {}
        for inertia in self.inventory.flange_inertias:
            at = self.flanges[self.inventory.node(inertia.flange)].coordinate
            if at is not None and inertia.state_priority > 0:
                found[at] = max(found.get(at, 0), inertia.state_priority)
        return found

    @cached_property
    def link_of_joint(self) -> dict[int, Link]:
        """The link of each joint of the tree, by the identity of the joint."""
        return {id(link.edge): link for link in self.links if link.edge is not None}

    def coordinate_of_speed(self, speed: int) -> int:
        """Return the coordinate whose rate a speed is."""
        link = self._links_of_speeds[speed]
        return link.q[speed - link.u[0]]

    @cached_property
    def _children(self) -> dict[int, list[Link]]:
        table: dict[int, list[Link]] = {}
        for link in self.links:
            table.setdefault(link.parent, []).append(link)
        return table

    def children(self, link: int) -> list[Link]:
        """Return the links whose parent is this one."""
        return self._children.get(link, [])

    @cached_property
    def _link_of_part(self) -> dict[Part, Link]:
        table: dict[Part, Link] = {}
        for link in self.links:
            if link.edge is not None:
                table.setdefault(link.edge.frame_a.owner, link)
            elif link.own is not None:
                table.setdefault(link.own.part, link)
        return table

    def link_of_part(self, part: Part) -> Link | None:
        """Return the link that a joint or an inertia of a shaft moves, None if there is none."""
        return self._link_of_part.get(part)

    @cached_property
    def _taken_at(self) -> dict[Port, list[Taken]]:
        table: dict[Port, list[Taken]] = {}
        for branch in self.branches:
            table.setdefault(branch.near, []).append(branch)
            table.setdefault(branch.far, []).append(branch)
        for force in (*self.forces, *self.line_masses, *self.inventory.passed_torques):
            for k, port in enumerate(force.frames):
                table.setdefault(port, []).append((force, k))
        for closure in self.closures:
            for k, port in enumerate(closure.ports):
                table.setdefault(port, []).append((closure, k))
        for only in (*self.masses, *self.inventory.grounds):
            table.setdefault(only.frame, [only])
        return table

    def taken_at(self, port: Port) -> list[Taken]:
        """Return the contribution that transmits force at a frame; else its mass or ground."""
        return self._taken_at.get(port, [])

    @cached_property
    def _families(self) -> dict[str, list[int]]:
        table: dict[str, list[int]] = {}
        for k, state in enumerate(self.coordinates):
            name, bracket, index = state.name.rpartition("[")
            if bracket and index[:-1].isdecimal():
                table.setdefault(name, []).append(k)
        return table

    def coordinates_named(self, name: str) -> list[int]:
        """Return the numbers of the coordinates name[1], name[2], …."""
        return self._families.get(name, [])

    @cached_property
    def _joined_in(self) -> dict[Part, dict[Port, list[Port]]]:
        return {}

    def joined_in(self, model: Part) -> dict[Port, list[Port]]:
        """Return the ports to which each port is connected directly, within a model."""
        if model not in self._joined_in:
            joined = self._joined_in[model] = {}
            for a, b in self.inventory.connections[model]:
                joined.setdefault(a, []).append(b)
                joined.setdefault(b, []).append(a)
        return self._joined_in[model]

    @cached_property
    def _cut_of_part(self) -> dict[Part, Closure]:
        edges = ((closure, closure.edge) for closure in self.closures)
        return {e.frame_a.owner: closure for closure, e in edges if e is not None}

    def cut_of_part(self, part: Part) -> Closure | None:
        """Return the closure of a cut joint, None if the joint is in the tree."""
        return self._cut_of_part.get(part)


def _numbers(states: Sequence[StateVariableSpec]) -> list[float]:
    return [float(state.start.value) for state in states]  # type: ignore[arg-type]
