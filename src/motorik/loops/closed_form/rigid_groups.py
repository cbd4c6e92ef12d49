"""What is known of a cluster while a plan grows: bodies placed, rigid groups, paths."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, pairwise

from motorik.algebra.pose import Pose
from motorik.algebra.vector import Vector
from motorik.loops.closed_form.assur_group import Coordinate, Hinge
from motorik.loops.closed_form.chain import Chain, OrientedHinge, snapped
from motorik.numerics.tolerances import PARALLEL

FREEDOMS = {"R": 1, "P": 1, "S": 3, "D": 5}
"""How many freedoms a hinge leaves; that of a rod counts as two balls without its spin."""

LONGEST = 7
"""The freedoms of the longest chain: a turn or slide and two balls, a rod free to spin."""


def is_parallel(one: Vector, other: Vector) -> bool:
    """Return whether two unit vectors are parallel within rounding."""
    return one.cross(other).norm() <= PARALLEL


@dataclass(frozen=True)
class HingeCluster:
    """The hinges of a cluster, with the assembled poses and coordinates it was seen at."""

    root: int
    hinges: Mapping[int, Hinge]
    poses: Sequence[Mapping[int, Pose]]
    values: Sequence[Mapping[int, Coordinate]]

    @cached_property
    def ways(self) -> dict[int, list[OrientedHinge]]:
        """The ways that leave each body."""
        found: dict[int, list[OrientedHinge]] = {self.root: []}
        for hinge in self.hinges.values():
            found.setdefault(hinge.a, []).append(OrientedHinge(hinge, True))
            found.setdefault(hinge.b, []).append(OrientedHinge(hinge, False))
        return found

    @cached_property
    def axes(self) -> dict[int, Vector]:
        """The axes of the R and P hinges at the first pose, seen from the root."""
        return {
            h.index: self.poses[0][h.a].R @ (h.X_a.R @ h.axis)
            for h in self.hinges.values()
            if h.has_coordinate
        }

    def place(self, way: OrientedHinge, pose: int = 0) -> Vector:
        """Return where the near frame of a way is at an assembled pose."""
        return self.poses[pose][way.near_body](way.near.p)

    def in_body(self, direction: Vector, body: int) -> Vector:
        """Return a direction of the root's frame at the first pose as the body has it."""
        return snapped(self.poses[0][body].R.T @ direction)

    @cached_property
    def size(self) -> float:
        """The largest coordinate of a hinge's place, seen from the root [m]."""
        places = (self.place(way) for ways in self.ways.values() for way in ways)
        return max(abs(e) for place in places for e in place.xyz)

    def bodies_about(self, normal: Vector) -> frozenset[int]:
        """Return the bodies that only slide and turn about the normal, seen from the root."""
        for known, bodies in self._planes:
            if is_parallel(known, normal):
                return bodies
        reached, waiting = {self.root}, [self.root]
        while waiting:
            for way in self.ways[waiting.pop()]:
                if way.far_body not in reached and self.keeps(way.hinge, normal):
                    reached.add(way.far_body)
                    waiting.append(way.far_body)
        self._planes.append((normal, frozenset(reached)))
        return self._planes[-1][1]

    def keeps(self, hinge: Hinge, normal: Vector) -> bool:
        """Return whether a hinge keeps the normal: it slides, or turns about it."""
        turns_about = hinge.kind == "R" and is_parallel(self.axes[hinge.index], normal)
        return hinge.kind == "P" or turns_about

    @cached_property
    def _order(self) -> dict[tuple[int, bool], int]:
        ways = (way for leaving in self.ways.values() for way in leaving)
        return {(way.hinge.index, way.is_forward): k for k, way in enumerate(ways)}

    def place_of_way(self, way: OrientedHinge) -> int:
        """Return the place of a way in the order of bodies and of the ways that leave each."""
        return self._order[way.hinge.index, way.is_forward]

    def new_group(self) -> int:
        """Return a number that no group has had."""
        return next(self._groups)

    @cached_property
    def _groups(self) -> Iterator[int]:
        return count(1)

    @cached_property
    def hopeless(self) -> dict[tuple[int, int], frozenset[int]]:
        """From where no step was found: by count of groups and way, the groups met."""
        return {}

    @cached_property
    def _planes(self) -> list[tuple[Vector, frozenset[int]]]:
        return []


class RigidGroups:
    """The bodies of a cluster as rigid groups, joined by the hinges of known coordinate.

    Groups have numbers that are never given again to another set of bodies, but for 0, that
    of the root and of all that is placed. `exits` are the ways out of each group, in the order
    of the cluster's bodies.
    """

    def __init__(self, cluster: HingeCluster) -> None:
        self.cluster = cluster
        self.known: frozenset[int] = frozenset()
        self.group = {body: cluster.new_group() for body in cluster.ways}
        self.members = {group: [body] for body, group in self.group.items()}
        self.exits = {self.group[body]: leaving for body, leaving in cluster.ways.items()}
        self._merge([self.group[cluster.root]], 0)

    def with_known(self, hinges: Iterable[int], placed: Iterable[int] = ()) -> RigidGroups:
        """Return the layout with more hinges known and more bodies placed."""
        more = tuple(hinges)
        other = RigidGroups.__new__(RigidGroups)
        other.cluster, other.known = self.cluster, self.known.union(more)
        other.group, other.members = dict(self.group), dict(self.members)
        other.exits = dict(self.exits)
        for index in more:
            hinge = self.cluster.hinges[index]
            other._join((other.group[hinge.a], other.group[hinge.b]))
        for body in placed:
            other._join((other.group[body], 0))
        return other

    def _join(self, groups: tuple[int, int]) -> None:
        """Let two groups, which may be the same, be one, of which another hinge is known."""
        number = 0 if 0 in groups else self.cluster.new_group()
        self._merge(sorted(set(groups)), number)

    def _merge(self, groups: Sequence[int], number: int) -> None:
        members = [body for group in groups for body in self.members.pop(group)]
        exits = [way for group in groups for way in self.exits.pop(group)]
        exits = [way for way in exits if way.hinge.index not in self.known]
        if len(groups) > 1:
            exits.sort(key=self.cluster.place_of_way)
        self.members[number], self.exits[number] = members, exits
        self.group.update(dict.fromkeys(members, number))

    @property
    def count(self) -> int:
        """The number of groups."""
        return len(self.members)

    def is_placed(self, body: int) -> bool:
        """Return whether the pose of the body is known."""
        return self.group[body] == 0

    @cached_property
    def unknown(self) -> list[Hinge]:
        """The hinges whose coordinates are still unknown."""
        hinges = self.cluster.hinges.values()
        return [h for h in hinges if h.has_coordinate and h.index not in self.known]

    @property
    def open_balls(self) -> list[Hinge]:
        """The balls between different groups of bodies."""
        balls = (h for h in self.cluster.hinges.values() if h.kind == "S")
        return [h for h in balls if self.group[h.a] != self.group[h.b]]

    @property
    def is_complete(self) -> bool:
        """Whether every body is placed and every coordinate known."""
        return self.count == 1 and not self.unknown

    def chain(self, ways: Sequence[OrientedHinge]) -> Chain:
        """Return the chain through these ways, with the runs inside the groups between."""
        pairs = pairwise(ways)
        runs = (self._run(way.far_body, after.near_body) for way, after in pairs)
        return Chain(tuple(ways), tuple(runs))

    def _run(self, start: int, end: int) -> tuple[OrientedHinge, ...]:
        """Return the shortest way between two bodies of one group, by known hinges."""
        before: dict[int, OrientedHinge | None] = {start: None}
        queue = deque([start])
        while end not in before:
            for way in self.cluster.ways[queue.popleft()]:
                if way.hinge.index in self.known and way.far_body not in before:
                    before[way.far_body] = way
                    queue.append(way.far_body)
        run: list[OrientedHinge] = []
        while (way := before[end]) is not None:
            run.append(way)
            end = way.near_body
        return tuple(reversed(run))

    def between(self, count: int) -> Iterator[list[OrientedHinge]]:
        """Yield the ways from the placed group through `count` others back to it, each once.

        They have no more freedoms than the longest chain.
        """
        for start in self.exits[0]:
            yield from self._onward([start], [0], count, set())

    def hopeful(self, count: int) -> Iterator[list[OrientedHinge]]:
        """Yield the same ways, without those from where nothing was found and nothing changed.

        It must be asked on until a step is found, and for steps only that do not depend on
        groups beside the ways.
        """
        hopeless = self.cluster.hopeless
        for start in self.exits[0]:
            key = (count, self.cluster.place_of_way(start))
            seen = hopeless.get(key)
            if seen is not None and all(group in self.members for group in seen):
                continue
            visited: set[int] = set()
            yield from self._onward([start], [0], count, visited)
            hopeless[key] = frozenset(visited)

    def _onward(
        self, ways: list[OrientedHinge], groups: list[int], count: int, visited: set[int]
    ) -> Iterator[list[OrientedHinge]]:
        group = self.group[ways[-1].far_body]
        if sum(FREEDOMS[way.hinge.kind] for way in ways) > LONGEST:
            return
        visited.add(group)
        if group == 0:
            if len(groups) == count + 1 and ways[0].hinge.index < ways[-1].hinge.index:
                yield ways
            return
        if group in groups or len(groups) > count:
            return
        for way in self.exits[group]:
            if way.hinge is not ways[-1].hinge:
                yield from self._onward([*ways, way], [*groups, group], count, visited)
