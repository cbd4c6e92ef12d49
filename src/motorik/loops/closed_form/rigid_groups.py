"""Knowledge about a cluster during the decomposition: bodies placed, rigid groups, paths."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count, pairwise

from motorik.algebra.pose import Pose
from motorik.algebra.vector import Vector
from motorik.immutable import immutable
from motorik.loops.closed_form.assur_group import Coordinate, Hinge
from motorik.loops.closed_form.chain import Chain, OrientedHinge, snapped
from motorik.numerics.tolerances import PARALLEL

FREEDOMS = {"R": 1, "P": 1, "S": 3, "D": 5}
"""Degrees of freedom of each kind of hinge; a rod counts as two spherical ones without spin."""

LONGEST = 7
"""Freedoms of the longest chain: an R or P hinge and two spherical ones, a rod free to spin."""


def is_parallel(one: Vector, other: Vector) -> bool:
    """Return whether two unit vectors are parallel within rounding."""
    return one.cross(other).norm() <= PARALLEL


@immutable
class HingeCluster:
    """The hinges of a cluster, with assembled poses and coordinates."""

    root: int
    hinges: Mapping[int, Hinge]
    poses: Sequence[Mapping[int, Pose]]
    values: Sequence[Mapping[int, Coordinate]]

    @cached_property
    def oriented_hinges(self) -> dict[int, list[OrientedHinge]]:
        """The hinges that leave each body, oriented outward."""
        found: dict[int, list[OrientedHinge]] = {self.root: []}
        for hinge in self.hinges.values():
            found.setdefault(hinge.a, []).append(OrientedHinge(hinge, True))
            found.setdefault(hinge.b, []).append(OrientedHinge(hinge, False))
        return found

    @cached_property
    def axes(self) -> dict[int, Vector]:
        """The axes of the R and P hinges at the first pose, resolved in the root."""
        return {
            h.index: self.poses[0][h.a].R @ (h.X_a.R @ h.axis)
            for h in self.hinges.values()
            if h.has_coordinate
        }

    def place(self, oriented: OrientedHinge, pose: int = 0) -> Vector:
        """Return the position of the near frame of an oriented hinge at an assembled pose."""
        return self.poses[pose][oriented.near_body](oriented.near.p)

    def in_body(self, direction: Vector, body: int) -> Vector:
        """Return a direction, resolved in the root at the first pose, resolved in a body."""
        return snapped(self.poses[0][body].R.T @ direction)

    @cached_property
    def size(self) -> float:
        """The largest coordinate of the position of a hinge, seen from the root [m]."""
        places = (
            self.place(oriented)
            for oriented_hinges in self.oriented_hinges.values()
            for oriented in oriented_hinges
        )
        return max(abs(e) for place in places for e in place.xyz)

    def bodies_about(self, normal: Vector) -> frozenset[int]:
        """Return the bodies in planar motion with this normal, relative to the root."""
        for known, bodies in self._planes:
            if is_parallel(known, normal):
                return bodies
        reached, waiting = {self.root}, [self.root]
        while waiting:
            for oriented in self.oriented_hinges[waiting.pop()]:
                if oriented.far_body not in reached and self.keeps(oriented.hinge, normal):
                    reached.add(oriented.far_body)
                    waiting.append(oriented.far_body)
        self._planes.append((normal, frozenset(reached)))
        return self._planes[-1][1]

    def keeps(self, hinge: Hinge, normal: Vector) -> bool:
        """Return whether a hinge keeps the normal: prismatic, or revolute about it."""
        turns_about = hinge.kind == "R" and is_parallel(self.axes[hinge.index], normal)
        return hinge.kind == "P" or turns_about

    @cached_property
    def _order(self) -> dict[tuple[int, bool], int]:
        oriented_hinges = (
            oriented for leaving in self.oriented_hinges.values() for oriented in leaving
        )
        return {
            (oriented.hinge.index, oriented.is_forward): k
            for k, oriented in enumerate(oriented_hinges)
        }

    def number_of(self, oriented: OrientedHinge) -> int:
        """Return the number of an oriented hinge, in the order of the bodies they leave."""
        return self._order[oriented.hinge.index, oriented.is_forward]

    def new_group(self) -> int:
        """Return an unused number for a rigid group."""
        return next(self._groups)

    @cached_property
    def _groups(self) -> Iterator[int]:
        return count(1)

    @cached_property
    def hopeless(self) -> dict[tuple[int, int], frozenset[int]]:
        """Starts of chains without a solution, by length and first hinge: the groups visited."""
        return {}

    @cached_property
    def _planes(self) -> list[tuple[Vector, frozenset[int]]]:
        return []


class KnownGroups:
    """The bodies of a cluster in rigid groups, joined by hinges of known coordinate.

    The number of a group is never used again for another set of bodies, except 0, the group of the
    root and of all placed bodies. `exits` are the oriented hinges that leave each group, in the
    order of the cluster's bodies.
    """

    def __init__(self, cluster: HingeCluster) -> None:
        self.cluster = cluster
        self.known: frozenset[int] = frozenset()
        self.group = {body: cluster.new_group() for body in cluster.oriented_hinges}
        self.members = {group: [body] for body, group in self.group.items()}
        self.exits = {
            self.group[body]: leaving for body, leaving in cluster.oriented_hinges.items()
        }
        self._merge([self.group[cluster.root]], 0)

    def with_known(self, hinges: Iterable[int], placed: Iterable[int] = ()) -> KnownGroups:
        """Return the groups with more hinges known and more bodies placed."""
        more = tuple(hinges)
        other = KnownGroups.__new__(KnownGroups)
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
        """Merge two groups; if they are the same, it gets a new number."""
        number = 0 if 0 in groups else self.cluster.new_group()
        self._merge(sorted(set(groups)), number)

    def _merge(self, groups: Sequence[int], number: int) -> None:
        members = [body for group in groups for body in self.members.pop(group)]
        exits = [oriented for group in groups for oriented in self.exits.pop(group)]
        exits = [oriented for oriented in exits if oriented.hinge.index not in self.known]
        if len(groups) > 1:
            exits.sort(key=self.cluster.number_of)
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
    def open_spherical(self) -> list[Hinge]:
        """The spherical hinges between different groups."""
        balls = (h for h in self.cluster.hinges.values() if h.kind == "S")
        return [h for h in balls if self.group[h.a] != self.group[h.b]]

    @property
    def is_complete(self) -> bool:
        """Whether every body is placed and every coordinate known."""
        return self.count == 1 and not self.unknown

    def chain(self, oriented_hinges: Sequence[OrientedHinge]) -> Chain:
        """Return the chain of these oriented hinges, with the paths inside the groups between."""
        pairs = pairwise(oriented_hinges)
        runs = (self._run(oriented.far_body, after.near_body) for oriented, after in pairs)
        return Chain(tuple(oriented_hinges), tuple(runs))

    def _run(self, start: int, end: int) -> tuple[OrientedHinge, ...]:
        """Return the shortest path of known hinges between two bodies of one group."""
        before: dict[int, OrientedHinge | None] = {start: None}
        queue = deque([start])
        while end not in before:
            for oriented in self.cluster.oriented_hinges[queue.popleft()]:
                if oriented.hinge.index in self.known and oriented.far_body not in before:
                    before[oriented.far_body] = oriented
                    queue.append(oriented.far_body)
        run: list[OrientedHinge] = []
        while (oriented := before[end]) is not None:
            run.append(oriented)
            end = oriented.near_body
        return tuple(reversed(run))

    def between(self, count: int) -> Iterator[list[OrientedHinge]]:
        """Yield the chains from the placed group through `count` other groups back to it.

        They have no more freedoms than the longest chain, and each is listed in one direction.
        """
        for start in self.exits[0]:
            yield from self._onward([start], [0], count, set())

    def hopeful(self, count: int) -> Iterator[list[OrientedHinge]]:
        """Yield the same chains, except those tried in vain whose groups have not changed.

        It must be exhausted unless a group is found, and may be used only for kinds of Assur groups
        that depend on no bodies outside of the chain.
        """
        hopeless = self.cluster.hopeless
        for start in self.exits[0]:
            key = (count, self.cluster.number_of(start))
            seen = hopeless.get(key)
            if seen is not None and all(group in self.members for group in seen):
                continue
            visited: set[int] = set()
            yield from self._onward([start], [0], count, visited)
            hopeless[key] = frozenset(visited)

    def _onward(
        self,
        oriented_hinges: list[OrientedHinge],
        groups: list[int],
        count: int,
        visited: set[int],
    ) -> Iterator[list[OrientedHinge]]:
        group = self.group[oriented_hinges[-1].far_body]
        if sum(FREEDOMS[oriented.hinge.kind] for oriented in oriented_hinges) > LONGEST:
            return
        visited.add(group)
        if group == 0:
            if (
                len(groups) == count + 1
                and oriented_hinges[0].hinge.index < oriented_hinges[-1].hinge.index
            ):
                yield oriented_hinges
            return
        if group in groups or len(groups) > count:
            return
        for oriented in self.exits[group]:
            if oriented.hinge is not oriented_hinges[-1].hinge:
                yield from self._onward(
                    [*oriented_hinges, oriented], [*groups, group], count, visited
                )
