"""Places of frames: on the links of an assembled model, or where start values put them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_by_sequence
from motorik.algebra.vector import Vector
from motorik.components.base import contributions
from motorik.components.base.composite import Composite
from motorik.components.base.part import Known, Part, number_resolver
from motorik.components.base.ports import Port, PortKind
from motorik.components.base.values import LiveScalar
from motorik.components.joints.rods import MasslessRod
from motorik.errors import MotorikError
from motorik.immutable import immutable
from motorik.system.rigid_groups import RigidGroups
from motorik.topology.graph import ConnectedSets
from motorik.topology.mechanism import WORLD, Mechanism
from motorik.view.scene.place import ScenePoint, ScenePose, SceneSpan, Triple, triple
from motorik.view.visuals.line_layout import FlangeFacts, flanges_of

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel

OPEN = 1e-9  # of lengths and angles: less is rounding error
Ways = dict[Port, list[tuple[Port, Callable[[], Pose]]]]
"""From a set of connected frames: the frames beyond, and their poses in it."""


@immutable
class MechanismPlaces:
    """The frames of a mechanism on its rigid groups; `start` are their poses at the start.

    `mechanism` has numbers for live parameters, `live` are their values.
    """

    mechanism: Mechanism
    groups: RigidGroups
    start: np.ndarray
    live: Mapping[LiveScalar, float] = field(default_factory=dict)
    q: tuple[float, ...] | None = None
    known: dict[Port, ScenePose] = field(
        default_factory=dict, repr=False
    )  # by connected set
    posed: dict[ScenePose, Pose] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(system: CompiledModel, p: np.ndarray, start: np.ndarray) -> MechanismPlaces:
        """Return the places of a system at values p of its parameters."""
        live = p[: len(system.layout.live)]
        values = dict(zip(system.layout.live, live.tolist(), strict=True))
        return MechanismPlaces(
            system.numeric_at(live), system.equations.rigid_groups, start, values
        )

    def place(self, port: Port) -> ScenePose:
        """Return the place of a frame."""
        node = self.mechanism.inventory.node(port)
        if node not in self.known:
            at = self.mechanism.nodes[node]
            number = 0 if at.link == WORLD else self.groups.links[at.link]
            self.known[node] = ScenePose.of(number, at.X)
        return self.known[node]

    def mass(self, part: Part) -> ScenePose:
        """Return the place of a mass on a line."""
        return ScenePose(self.groups.masses[part])

    def values(self, part: Part) -> SimpleNamespace:
        """Return the parameters of a part as numbers."""
        return self.mechanism.inventory.parameters_of(part)

    def flange_facts(self) -> FlangeFacts:
        """Return the connections and places of the flanges of drive lines."""
        inventory = self.mechanism.inventory
        nodes = {port: inventory.node(port) for port in _flanges(inventory.resolved)}
        at = {node: float(self.start[k - 1, 0]) for node, k in self.groups.flanges.items()}
        return FlangeFacts(nodes, self.groups.flanges, at, tuple(inventory.joints))

    def stays_in(self, normal: Triple) -> bool:
        """Return whether no joint of the tree can leave the plane with this normal."""
        if self.q is None:
            return True
        n = Vector(*normal)
        for link in self.mechanism.links:
            if link.own is not None:
                continue
            R = self.pose_now(ScenePose(self.groups.links[link.index])).R
            for screw in link.joint.screws(*(self.q[k] for k in link.q)):
                turn, slide = R @ screw.resultant, R @ screw.moment
                if float(n.cross(turn).norm()) > 1e-9 or abs(float(n.dot(slide))) > 1e-9:
                    return False
        return True

    def number(self, live: LiveScalar) -> float:
        """Return the value of a live number."""
        return self.live.get(live, live.value)

    def pose_now(self, place: ScenePose) -> Pose:
        """Return where a place is in the world at the start."""
        found = self.posed.get(place)
        if found is None:
            found = place.pose
            if place.group:
                x, y, z, *q = self.start[place.group - 1].tolist()
                found = ScenePose(0, (x, y, z), (q[0], q[1], q[2], q[3])).pose @ found
            self.posed[place] = found
        return found


@immutable
class OpenJoint:
    """A joint that is left open: where its second frame would be if it held, and where it is."""

    part: Part
    held: Pose
    found: Pose

    @property
    def is_open(self) -> bool:
        """Whether the poses differ by more than rounding."""
        a, b = self.held, self.found
        turned = float(np.abs(a.R.numpy() - b.R.numpy()).max())
        return turned > OPEN or not _meet(a.p, b.p)

    def drawn(self, at: SceneSpan) -> SceneSpan:
        """Return a span that ends where the joint would hold, not across the gap."""
        begin, end = (
            ScenePoint(0, triple(self.held.p.numpy()))
            if _meet(Vector(*one.r), self.found.p)
            else one
            for one in (at.begin, at.end)
        )
        return SceneSpan(begin, end, at.share)


@dataclass
class LoosePlaces:
    """Frames where the start values of joints put them, from the world outward.

    Nothing has to fit: a joint that would close a loop is left open, unconnected parts
    stands at the origin or at its own start values. All is on rigid group 0, the world.
    """

    model: Composite
    known: Known = field(default_factory=Known)
    faults: list[MotorikError] = field(default_factory=list)

    @cached_property
    def _values(self) -> dict[Part, SimpleNamespace]:
        return {
            part: part.resolved(number_resolver, self.known) for part in self.model.walk()
        }

    @cached_property
    def _said(self) -> list[contributions.Contribution]:
        said: list[contributions.Contribution] = []
        for part in self.model.walk():
            try:
                said += part.contributions(self._values[part])
            except MotorikError as error:
                self.faults.append(error)
        return said

    @cached_property
    def _nodes(self) -> ConnectedSets[Port]:
        nodes: ConnectedSets[Port] = ConnectedSets()
        for part in self.model.walk():
            for port in part.ports():
                nodes.add(port)
            for a, b in part.connections:
                nodes.unite(a, b)
        return nodes

    @cached_property
    def _poses(self) -> dict[Port, Pose]:
        """The poses of sets of connected frames, found by walking from the ground outward.

        Frames fixed in the world stand there, with all that is rigidly attached to them:
        two such sets are not moved together. A joint between frames that both stand already
        is left open, see `gaps`; rigid connections are never opened.
        """
        rigid: Ways = {}
        joints: Ways = {}
        for one in self._said:
            ways = joints if isinstance(one, contributions.JointBetween) else rigid
            for near, far, pose in _steps(one):
                ways.setdefault(self._nodes.find(near), []).append((far, pose))
        found: dict[Port, Pose] = {}
        fixed = [self._settle(root, X, found, rigid) for root, X in self._grounds()]
        for nodes in fixed:
            self._walk(nodes, found, rigid, joints)
        for root, X in self._others():
            self._walk(self._settle(root, X, found, rigid), found, rigid, joints)
        return found

    def _settle(
        self, frame: Port, X: Pose, found: dict[Port, Pose], rigid: Ways
    ) -> list[Port]:
        """Place a frame with all that is rigidly attached to it; return the placed frames."""
        node = self._nodes.find(frame)
        if node in found:
            return []
        found[node] = X
        placed = [node]
        for at in placed:  # it grows
            for far, pose in rigid.get(at, ()):
                beyond = self._nodes.find(far)
                if beyond not in found:
                    found[beyond] = found[at] @ pose()
                    placed.append(beyond)
        return placed

    def _walk(
        self, nodes: list[Port], found: dict[Port, Pose], rigid: Ways, joints: Ways
    ) -> None:
        """Place the frames behind joints, at their start values, from the world outward."""
        waiting = deque(nodes)
        while waiting:
            at = waiting.popleft()
            for far, pose in joints.get(at, ()):
                waiting += self._settle(far, found[at] @ pose(), found, rigid)

    @cached_property
    def gaps(self) -> list[OpenJoint]:
        """The joints and rods that are left open."""
        found: list[OpenJoint] = []
        for one in self._said:
            if isinstance(one, contributions.JointBetween) and not one.breakable:
                a, b = self._pose(one.frame_a), self._pose(one.frame_b)
                held = a @ one.joint.pose(*one.joint.fit(a.inverse() @ b))
                gap = OpenJoint(one.frame_b.owner, held, b)
            elif isinstance(one, contributions.ConstraintBetween):
                if not isinstance(one.part, MasslessRod) or one.design is not None:
                    continue
                gap = self._rod(one.part)
            else:
                continue
            if gap.is_open:
                found.append(gap)
        return found

    def _rod(self, part: MasslessRod) -> OpenJoint:
        """Return where the end of a rod is that points to where it should be."""
        a, b = self._pose(part.frame_a), self._pose(part.frame_b)
        way = b.p - a.p
        far, length = float(way.norm()), float(self._values[part].rodLength)
        way = way * (length / far) if far > 0.0 else Vector(length, 0.0, 0.0)
        return OpenJoint(part, Pose(b.R, a.p + way), b)

    def _pose(self, frame: Port) -> Pose:
        return self._poses[self._nodes.find(frame)]

    def _grounds(self) -> Iterable[tuple[Port, Pose]]:
        """Yield the frames that are fixed in the world."""
        for one in self._said:
            if isinstance(one, contributions.Ground):
                yield one.frame, one.pose

    def _others(self) -> Iterable[tuple[Port, Pose]]:
        """Yield where the walk begins besides: free bodies, then whatever is left."""
        masses = [one for one in self._said if isinstance(one, contributions.Mass)]
        for one in sorted(masses, key=lambda mass: -mass.priority):
            start = one.start
            R = rotation_by_sequence(start.sequence, start.angles)
            yield one.frame, Pose(R, Vector(*map(float, start.r_0.value)))  # type: ignore[arg-type]
        for part in self.model.walk():
            for port in part.ports():
                if port.kind is PortKind.FRAME:
                    yield port, Pose()

    def place(self, port: Port) -> ScenePose:
        """Return the place of a frame."""
        return ScenePose.of(0, self._poses[self._nodes.find(port)])

    def mass(self, part: Part) -> ScenePose:
        """Return the place of a mass on a line."""
        for one in self._said:
            if isinstance(one, contributions.LineMass) and one.part is part:
                a, b = (self.place(port).pose.p for port in one.frames)
                return ScenePose.of(0, Pose(p=one.centre(a, b)))
        return ScenePose()

    def values(self, part: Part) -> SimpleNamespace:
        """Return the parameters of a part as numbers."""
        return self._values[part]

    def flange_facts(self) -> FlangeFacts:
        """Return the flanges of drive lines, of which none moves."""
        nodes = {port: self._nodes.find(port) for port in _flanges(self.model.walk())}
        still = dict.fromkeys(nodes.values(), 0)
        joints = tuple(
            one for one in self._said if isinstance(one, contributions.JointBetween)
        )
        return FlangeFacts(nodes, still, dict.fromkeys(still, 0.0), joints)

    def stays_in(self, normal: Triple) -> bool:
        """Return that nothing moves."""
        return True

    def number(self, live: LiveScalar) -> float:
        """Return the value of a live number."""
        return live.value

    def pose_now(self, place: ScenePose) -> Pose:
        """Return where a place is in the world."""
        return place.pose


def _flanges(parts: Iterable[Part]) -> Iterable[Port]:
    return (port for part in parts for port in flanges_of(part))


def _steps(
    one: contributions.Contribution,
) -> Iterable[tuple[Port, Port, Callable[[], Pose]]]:
    """Yield the ways across a contribution, both ways: from frame, to frame, pose."""
    if isinstance(one, contributions.Rigid):
        yield one.frame_a, one.frame_b, lambda: one.X_ab
        yield one.frame_b, one.frame_a, lambda: one.X_ab.inverse()
    elif isinstance(one, contributions.JointBetween):
        yield one.frame_a, one.frame_b, lambda: _joint_pose(one)
        yield one.frame_b, one.frame_a, lambda: _joint_pose(one).inverse()


def _meet(a: Vector, b: Vector) -> bool:
    """Return whether two points are one but for rounding."""
    return float((a - b).norm()) <= OPEN * (float(a.norm()) + float(b.norm()))


def _joint_pose(one: contributions.JointBetween) -> Pose:
    return one.joint.pose(*(float(start.value) for start in one.starts))  # type: ignore[arg-type]
