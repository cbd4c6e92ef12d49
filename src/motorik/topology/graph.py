"""Graphs without mechanics: sets of connected things."""

from __future__ import annotations

from collections.abc import Hashable
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
