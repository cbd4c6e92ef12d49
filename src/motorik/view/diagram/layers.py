"""Layers: nodes of a graph in columns, in an order with few crossings (Sugiyama 1981)."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

SWEEPS = 12

N = TypeVar("N", bound=Hashable)
Edge = tuple[N, N]


def find_layers(
    nodes: Sequence[N], edges: Sequence[Edge[N]], first: Sequence[N]
) -> dict[N, int]:
    """Return the layer of each node: its distance from the `first` ones, as far as wires go.

    What no wire reaches is a part of its own, from layer 0 on.
    """
    near: dict[N, list[N]] = {node: [] for node in nodes}
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    layer: dict[N, int] = {}
    for roots in (first, *([node] for node in nodes)):
        waiting = deque(node for node in roots if node not in layer)
        layer.update(dict.fromkeys(waiting, 0))
        while waiting:
            node = waiting.popleft()
            for other in near[node]:
                if other not in layer:
                    layer[other] = layer[node] + 1
                    waiting.append(other)
    return layer


def with_bends(
    layer: Mapping[N, int], edges: Sequence[Edge[N]]
) -> tuple[list[list[N | tuple[int, int]]], list[list[N | tuple[int, int]]]]:
    """Return columns of nodes and bends, and the way of each edge through them.

    An edge over several layers has a bend (its number, the layer) in each that it passes.
    """
    columns: list[list[N | tuple[int, int]]] = [
        [] for _ in range(1 + max(layer.values(), default=0))
    ]
    for node, at in layer.items():
        columns[at].append(node)
    ways: list[list[N | tuple[int, int]]] = []
    for number, (a, b) in enumerate(edges):
        low, high = sorted((layer[a], layer[b]))
        bends: list[N | tuple[int, int]] = [(number, at) for at in range(low + 1, high)]
        for bend, at in zip(bends, range(low + 1, high), strict=True):
            columns[at].append(bend)
        ways.append([a, *(bends if layer[a] <= layer[b] else bends[::-1]), b])
    return columns, ways


def order_columns(
    columns: Sequence[Sequence[N]], ways: Sequence[Sequence[N]]
) -> list[list[N]]:
    """Return the columns with few crossings: each node at the mean of its neighbours."""
    at = {node: k for k, column in enumerate(columns) for node in column}
    left: dict[N, list[N]] = {node: [] for node in at}
    right: dict[N, list[N]] = {node: [] for node in at}
    for way in ways:
        for a, b in pairwise(way):
            if at[a] < at[b]:
                right[a].append(b)
                left[b].append(a)
            elif at[b] < at[a]:
                right[b].append(a)
                left[a].append(b)
    now = [list(column) for column in columns]
    best, fewest = [list(column) for column in now], crossings(now, right)
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        order = range(1, len(now)) if forward else range(len(now) - 2, -1, -1)
        for k in order:
            beside = now[k - 1] if forward else now[k + 1]
            place = {node: i for i, node in enumerate(beside)}
            near = left if forward else right
            own = {node: i for i, node in enumerate(now[k])}

            def mean(node: N, near=near, place=place, own=own) -> float:
                found = [place[other] for other in near[node]]
                return sum(found) / len(found) if found else own[node]

            now[k].sort(key=mean)
        count = crossings(now, right)
        if count < fewest:
            best, fewest = [list(column) for column in now], count
    return best


def crossings(columns: Sequence[Sequence[N]], right: Mapping[N, Sequence[N]]) -> int:
    """Return how many pairs of wires between neighbouring columns cross."""
    total = 0
    for column, following in pairwise(columns):
        place = {node: i for i, node in enumerate(following)}
        ends = [at for node in column for at in sorted(place[b] for b in right[node])]
        total += sum(a > b for i, a in enumerate(ends) for b in ends[i + 1 :])
    return total


def place_rows(
    columns: Sequence[Sequence[N]],
    ways: Sequence[Sequence[N]],
    heights: Mapping[N, float],
    gap: float,
) -> dict[N, float]:
    """Return the height y of the middle of each node: near its neighbours, none over another."""
    at = {node: k for k, column in enumerate(columns) for node in column}
    near: dict[N, list[N]] = {node: [] for node in at}
    for way in ways:
        for a, b in pairwise(way):
            if at[a] != at[b]:
                near[a].append(b)
                near[b].append(a)
    y: dict[N, float] = {}
    for column in columns:
        below = 0.0
        for node in column:
            y[node] = below + heights[node] / 2
            below += heights[node] + gap
    for turn in range(24):
        for column in columns if turn % 2 == 0 else reversed(columns):
            wish = {
                node: sum(y[other] for other in near[node]) / len(near[node])
                if near[node]
                else y[node]
                for node in column
            }
            y.update(_spaced(column, wish, heights, gap))
    top = min((y[node] - heights[node] / 2 for node in at), default=0.0)
    return {node: value - top for node, value in y.items()}


def _spaced(
    column: Sequence[N], wish: Mapping[N, float], heights: Mapping[N, float], gap: float
) -> dict[N, float]:
    """Return heights nearest to wishes in the sense of squares, in order and apart.

    Nodes that would overlap form blocks, each at the mean wish of its members.
    """
    blocks: list[
        tuple[list[N], float, float]
    ] = []  # members, sum of wishes for the first, count
    offset = {}
    for node in column:
        members, total, count = [node], wish[node], 1.0
        offset[node] = 0.0
        while blocks:
            before, sum_before, n_before = blocks[-1]
            last = before[-1]
            step = offset[last] + (heights[last] + heights[members[0]]) / 2 + gap
            if sum_before / n_before + step <= total / count:
                break
            blocks.pop()
            for member in members:
                offset[member] += step
            members = before + members
            total, count = sum_before + total - count * step, n_before + count
        blocks.append((members, total, count))
    return {
        node: total / count + offset[node]
        for members, total, count in blocks
        for node in members
    }
