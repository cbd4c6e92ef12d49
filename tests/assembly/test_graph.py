"""Graphs without mechanics: connected sets, ways through trees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motorik.topology.graph import Ancestry, ConnectedSets

pairs = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=20)


def reachable(start: int, edges: list[tuple[int, int]]) -> set[int]:
    """Return everything that can be reached, by spreading until nothing is new."""
    found = {start}
    while True:
        more = {b for a, b in edges if a in found} | {a for a, b in edges if b in found}
        if more <= found:
            return found
        found |= more


@pytest.mark.slow
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


def way_to(node: int, parents: list[int]) -> list[int]:
    """Return the nodes from the root (−1) to a node."""
    way = [node]
    while way[-1] != -1:
        way.append(parents[way[-1]])
    return way[::-1]


@st.composite
def trees(draw):
    """Draw the parents of nodes that are added one after another, long chains among them."""
    count = draw(st.integers(1, 60))
    back = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    return [max(-1, k - 1 - step) for k, step in enumerate(back)]


@pytest.mark.slow
@given(trees(), st.data())
def test_ways_meet_where_walking_finds_it(parents, data):
    ancestry = Ancestry(parents)
    nodes = st.integers(-1, len(parents) - 1)
    for _ in range(10):
        a, b = data.draw(nodes), data.draw(nodes)
        one, two = way_to(a, parents), way_to(b, parents)
        shared = [x for x, y in zip(one, two, strict=False) if x == y]
        assert ancestry.common(a, b) == shared[-1]
        assert ancestry.depth(a) == len(one) - 1
        for depth, node in enumerate(one):
            assert ancestry.at_depth(a, depth) == node


def test_a_climb_takes_few_leaps():
    ancestry, asked = Ancestry(range(-1, 4095)), 0

    class Counted(list):
        def __getitem__(self, index):
            nonlocal asked
            asked += 1
            return super().__getitem__(index)

    ancestry._leap = Counted(ancestry._leap)
    assert ancestry.at_depth(4094, 1) == 0
    assert asked < 30
