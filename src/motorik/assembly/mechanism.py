"""Mechanism: the tree of links that a model is assembled to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from motorik.algebra.dyad import Inertia
from motorik.algebra.pose import Pose
from motorik.algebra.vector import Vector
from motorik.components.contributions import (
    Demand,
    Gravity,
    JointBetween,
    LineForce,
    Mass,
    Rigid,
)
from motorik.components.ports import Port
from motorik.components.values import LiveScalar, Start
from motorik.elements.joint import Joint

WORLD = -1


@dataclass(frozen=True)
class State:
    """A coordinate or speed of the mechanism: its name, unit and start value."""

    name: str
    unit: str
    start: Start


@dataclass
class Link:
    """A rigid body of the tree: everything rigidly connected, behind one joint.

    Its frame is the frame in which the joint ends. `joint` leads from the parent (the world
    is −1), where it begins at X_pj; `inertia` is that of all masses in it, `heavy` each
    mass [kg] with its centre.
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
    edge: JointBetween | None
    is_reversed: bool = False
    root: Mass | None = None
    heavy: list[tuple[Any, Vector]] = field(default_factory=list)


@dataclass(frozen=True)
class Placed:
    """Where a node (a set of connected frames) is: a link and the pose in it."""

    link: int
    X: Pose


@dataclass(frozen=True)
class FlangeAt:
    """What a set of connected flanges is: standing at x, or the axis of a coordinate."""

    coordinate: int | None
    x: Any = 0.0


@dataclass(frozen=True)
class Branch:
    """A massless way from one node to the next in the tree: a rigid part or a joint."""

    near: Port
    far: Port
    near_node: Port
    far_node: Port
    rigid: Rigid | None
    X: Pose | None


@dataclass
class Mechanism:
    """A model assembled to a tree of links, ready to be traced.

    `links` stand in the order of evaluation: each needs only what stands before it.
    """

    name: str
    links: list[Link]
    coordinates: list[State]
    speeds: list[State]
    nodes: dict[Port, Placed]
    flanges: dict[Port, FlangeAt]
    gravity: Gravity
    lines: list[LineForce]
    masses: list[Mass]
    branches: list[Branch]
    measures: list[JointBetween]
    demands: list[Demand]
    parameters: list[LiveScalar]
    stock: Any = None
    reasons: list[str] = field(default_factory=list)

    @property
    def n_q(self) -> int:
        """The number of coordinates."""
        return len(self.coordinates)

    @property
    def n_u(self) -> int:
        """The number of speeds, the degree of freedom."""
        return len(self.speeds)

    @property
    def states(self) -> list[State]:
        """Coordinates, then speeds: the state vector."""
        return [*self.coordinates, *self.speeds]

    def start_values(self) -> tuple[list[float], list[float]]:
        """Return the start values of coordinates and speeds as given."""
        return _numbers(self.coordinates), _numbers(self.speeds)

    def children(self, link: int) -> list[Link]:
        """Return the links whose parent is this one."""
        return [other for other in self.links if other.parent == link]


def _numbers(states: Sequence[State]) -> list[float]:
    return [float(state.start.value) for state in states]  # type: ignore[arg-type]
