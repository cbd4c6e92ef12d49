"""Graphs without mechanics: sets of connected things, and trees that span them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class ConnectedSets(Generic[T]):
    """Disjoint sets of things, united by connections."""

    def __init__(self) -> None:
        self._above: dict[T, T] = {}

    def add(self, thing: T) -> None:
        """Make the thing known, alone at first."""
        self._above.setdefault(thing, thing)

    def find(self, thing: T) -> T:
        """Return the thing that stands for the set."""
        root = thing
        while self._above[root] != root:
            root = self._above[root]
        while self._above[thing] != root:
            self._above[thing], thing = root, self._above[thing]
        return root

    def unite(self, a: T, b: T) -> None:
        """Unite the sets of two things; the first one's representative stands for both."""
        self.add(a)
        self.add(b)
        self._above[self.find(b)] = self.find(a)

    def sets(self) -> dict[T, list[T]]:
        """Return the members of each set by its representative."""
        groups: dict[T, list[T]] = {}
        for thing in self._above:
            groups.setdefault(self.find(thing), []).append(thing)
        return groups


def path_between(a: T, b: T, edges: Iterable[tuple[T, T, object]]) -> list[object]:
    """Return the labels of the edges on a way from a to b, empty if there is none."""
    near: dict[T, list[tuple[T, object]]] = {}
    for u, v, label in edges:
        near.setdefault(u, []).append((v, label))
        near.setdefault(v, []).append((u, label))
    came: dict[T, tuple[T, object] | None] = {a: None}
    queue = [a]
    for u in queue:
        for v, label in near.get(u, ()):
            if v not in came:
                came[v] = (u, label)
                queue.append(v)
    labels: list[object] = []
    if b not in came:
        return labels
    step = came[b]
    while step is not None:
        labels.append(step[1])
        step = came[step[0]]
    return labels[::-1]
