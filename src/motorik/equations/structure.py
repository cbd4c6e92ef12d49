"""Structure of equations: matching, Pantelides' algorithm, strongly connected components."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from motorik.immutable import immutable

Edges = Sequence[Iterable[int]]
"""For each equation the numbers of the unknowns that it contains."""


def maximum_matching(edges: Edges, n: int) -> tuple[list[int], list[int]]:
    """Return the unknown of each equation and the equation of each of n unknowns, −1 for none."""
    unknown_of, equation_of = [-1] * len(edges), [-1] * n
    for i, own in enumerate(edges):  # a cheap beginning
        for j in own:
            if equation_of[j] < 0:
                unknown_of[i], equation_of[j] = j, i
                break
    for i in range(len(edges)):
        if unknown_of[i] < 0:
            augment(i, edges.__getitem__, unknown_of, equation_of)
    return unknown_of, equation_of


def augment(
    start: int,
    edges: Callable[[int], Iterable[int]],
    unknown_of: list[int],
    equation_of: list[int],
) -> tuple[list[int], list[int]]:
    """Match one more equation along an augmenting path.

    Return the equations and unknowns that were reached in vain, none if a path was found.
    """
    came: dict[int, int] = {}
    queue = [start]
    for i in queue:
        for j in edges(i):
            if j in came:
                continue
            came[j] = i
            if equation_of[j] >= 0:
                queue.append(equation_of[j])
                continue
            while j >= 0:
                i = came[j]
                equation_of[j], unknown_of[i], j = i, j, unknown_of[i]
            return [], []
    return queue, list(came)


def reachable(start: Iterable[int], edges: Callable[[int], Iterable[int]]) -> list[int]:
    """Return everything that edges lead to, the start included."""
    found = list(dict.fromkeys(start))
    seen = set(found)
    for i in found:
        for j in edges(i):
            if j not in seen:
                seen.add(j)
                found.append(j)
    return found


@immutable
class Offsets:
    """How often each equation is differentiated, and the highest derivative of each unknown.

    `unknown_of` matches each equation, differentiated, with an unknown's highest derivative.
    """

    equations: list[int]
    unknowns: list[int]
    unknown_of: list[int]


def pantelides(orders: Sequence[Mapping[int, int]], n: int) -> Offsets:
    """Return the offsets by Pantelides' algorithm; a matching of any order must exist.

    `orders` are for each equation the highest derivatives of the unknowns in it. Where an equation
    finds no unknown, all equations reached on the way are differentiated once more.
    """
    c = [0] * len(orders)
    d = [-1] * n
    for own in orders:
        for j, order in own.items():
            d[j] = max(d[j], order)
    unknown_of, equation_of = [-1] * len(orders), [-1] * n

    def edges(i: int) -> list[int]:
        return [j for j, order in orders[i].items() if order + c[i] == d[j]]

    for i in range(len(orders)):
        while unknown_of[i] < 0:
            reached, unknowns = augment(i, edges, unknown_of, equation_of)
            for k in reached:
                c[k] += 1
            for j in unknowns:
                d[j] += 1
    return Offsets(c, d, unknown_of)


def strong_components(needs: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the strongly connected components, each after those it needs (Tarjan)."""
    n, counter = len(needs), 0
    number, low, on_stack = [-1] * n, [0] * n, [False] * n
    stack: list[int] = []
    found: list[list[int]] = []
    for root in range(n):
        if number[root] >= 0:
            continue
        work = [(root, iter(needs[root]))]
        number[root] = low[root] = counter
        counter += 1
        stack.append(root)
        on_stack[root] = True
        while work:
            node, others = work[-1]
            for other in others:
                if number[other] < 0:
                    number[other] = low[other] = counter
                    counter += 1
                    stack.append(other)
                    on_stack[other] = True
                    work.append((other, iter(needs[other])))
                    break
                if on_stack[other]:
                    low[node] = min(low[node], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    members: list[int] = []
                    while not members or members[-1] != node:
                        members.append(stack.pop())
                        on_stack[members[-1]] = False
                    found.append(sorted(members))
    return found


def connected_groups(
    edges: Mapping[int, Iterable[int]],
) -> list[tuple[list[int], list[int]]]:
    """Return equations and unknowns of each connected part of a graph of both."""
    of_unknown: dict[int, list[int]] = {}
    for i, own in edges.items():
        for j in own:
            of_unknown.setdefault(j, []).append(i)
    seen: set[int] = set()
    groups: list[tuple[list[int], list[int]]] = []
    for start in edges:
        if start in seen:
            continue
        members = reachable([start], lambda i: (k for j in edges[i] for k in of_unknown[j]))
        seen.update(members)
        unknowns = dict.fromkeys(j for i in members for j in edges[i])
        groups.append((sorted(members), sorted(unknowns)))
    return groups
