"""Block triangular form of a square matrix, by its pattern alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motorik.dynamics.scaling import SingularMatrixError


def triangular_blocks(pattern: np.ndarray) -> list[tuple[list[int], list[int]]]:
    """Return rows and columns of the blocks that make a matrix block triangular.

    A block has entries only in its own columns and in those of blocks before it.
    """
    entries = [np.flatnonzero(line).tolist() for line in pattern]
    column_of, row_of = _matching(entries)
    blocks = _strongly_connected([[row_of[c] for c in line] for line in entries])
    return [(rows, [column_of[r] for r in rows]) for rows in map(sorted, blocks)]


def _matching(entries: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Return a column for each row and the reverse, by paths that free what is taken."""
    n = len(entries)
    column_of, row_of = [-1] * n, [-1] * n
    for start in range(n):
        came: dict[int, int] = {}  # the row from which a column was reached
        queue, end = [start], -1
        for row in queue:
            for c in entries[row]:
                if c in came:
                    continue
                came[c] = row
                if row_of[c] < 0:
                    end = c
                    break
                queue.append(row_of[c])
            if end >= 0:
                break
        if end < 0:
            raise SingularMatrixError(sorted(queue))
        while end >= 0:
            row = came[end]
            row_of[end], column_of[row], end = row, end, column_of[row]
    return column_of, row_of


def _strongly_connected(needs: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return sets of nodes that need one another, each after those that it needs (Tarjan)."""
    n = len(needs)
    found: list[list[int]] = []
    number, low, stack, on_stack = [-1] * n, [0] * n, [], [False] * n
    counter = 0
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
                    members = []
                    while not members or members[-1] != node:
                        members.append(stack.pop())
                        on_stack[members[-1]] = False
                    found.append(members)
    return found
