"""Graphs without mechanics: connected sets, and ways through trees."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from motorik.topology.graph import ConnectedSets, path_between

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


@given(pairs, st.integers(0, 12), st.integers(0, 12))
def test_a_way_is_connected_from_end_to_end_and_missing_only_if_there_is_none(edges, a, b):
    labelled = [(u, v, (u, v)) for u, v in edges]
    way = path_between(a, b, labelled)
    if not way:
        assert a == b or b not in reachable(a, edges)
        return
    at = a
    for u, v in way:
        assert at in (u, v)
        at = v if at == u else u
    assert at == b


def test_the_way_is_a_shortest_one():
    edges = [(0, 1, "a"), (1, 2, "b"), (2, 3, "c"), (0, 3, "short")]
    assert path_between(0, 3, edges) == ["short"]
    assert path_between(3, 1, edges) in (["short", "a"], ["c", "b"])
