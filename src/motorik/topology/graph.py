"""Graphs without mechanics: sets of connected items, and paths through growing trees."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class ConnectedSets(Generic[T]):
    """Disjoint sets (union–find)."""

    def __init__(self) -> None:
        self._above: dict[T, T] = {}

    def add(self, thing: T) -> None:
        """Add an item as a set of its own."""
        self._above.setdefault(thing, thing)

    def __contains__(self, thing: object) -> bool:
        """Return whether an item is in one of the sets."""
        return thing in self._above

    def find(self, thing: T) -> T:
        """Return the representative of the set of an item."""
        root = thing
        while self._above[root] != root:
            root = self._above[root]
        while self._above[thing] != root:
            self._above[thing], thing = root, self._above[thing]
        return root

    def unite(self, a: T, b: T) -> None:
        """Unite the sets of two items; the representative of the first is kept."""
        self.add(a)
        self.add(b)
        self._above[self.find(b)] = self.find(a)

    def sets(self) -> dict[T, list[T]]:
        """Return the members of each set by its representative."""
        groups: dict[T, list[T]] = {}
        for thing in self._above:
            groups.setdefault(self.find(thing), []).append(thing)
        return groups


class Ancestry:
    """A tree that grows at its ends: the depth of each node, and where two paths meet.

    Nodes are numbered 0, 1, … as they are added; −1 is the root. Each has its parent and
    one ancestor further up, chosen so that a climb of d nodes takes about log d leaps
    (Myers 1983, "An applicative random-access stack").
    """

    def __init__(self, parents: Iterable[int] = ()) -> None:
        self._parent, self._leap, self._depth = [-1], [-1], [0]  # of the root, then of all
        for parent in parents:
            self.add(parent)

    def add(self, parent: int) -> None:
        """Add a node to a parent that is there already."""
        near = self._leap[parent + 1]
        far = self._leap[near + 1]
        depths = [self._depth[node + 1] for node in (parent, near, far)]
        evenly = depths[0] - depths[1] == depths[1] - depths[2]
        self._parent.append(parent)
        self._leap.append(far if evenly else parent)
        self._depth.append(depths[0] + 1)

    def depth(self, node: int) -> int:
        """Return the number of nodes from the root to a node, itself included."""
        return self._depth[node + 1]

    def at_depth(self, node: int, depth: int) -> int:
        """Return the node of this depth on the path to a node."""
        while self._depth[node + 1] > depth:
            leap = self._leap[node + 1]
            node = leap if self._depth[leap + 1] >= depth else self._parent[node + 1]
        return node

    def common(self, a: int, b: int) -> int:
        """Return the last common node of the paths to both."""
        depth = min(self.depth(a), self.depth(b))
        a, b = self.at_depth(a, depth), self.at_depth(b, depth)
        while a != b:
            far_a, far_b = self._leap[a + 1], self._leap[b + 1]
            if far_a != far_b:
                a, b = far_a, far_b
            else:
                a, b = self._parent[a + 1], self._parent[b + 1]
        return a
