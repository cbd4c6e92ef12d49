"""Graphs without mechanics: connected sets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from motorik.topology.graph import ConnectedSets

pairs = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=20)


def reachable(start: int, edges: list[tuple[int, int]]) -> set[int]:
    """Return everything that can be reached, by spreading until nothing is new."""
    found = {start}
    while True:
        more = {b for a, b in edges if a in found} | {a for a, b in edges if b in found}
        if more <= found:
            return found
        found |= more


@given(pairs)
def test_connected_sets_are_what_can_be_reached(edges):
    sets: ConnectedSets[int] = ConnectedSets()
    for thing in range(13):
        sets.add(thing)
    for a, b in edges:
        sets.unite(a, b)
    for representative, members in sets.sets().items():
        assert set(members) == reachable(representative, edges)
        assert all(sets.find(member) == representative for member in members)
