"""Kernels: linear least squares with bounds, by an active set (Stark and Parker 1995).

    |G y − h| is least,   low ≤ y ≤ high

An unknown that reaches a bound stays there until moving it inwards makes the sum of squares
smaller; then it is free again. Each step either makes the sum smaller or fixes an unknown, so
that no set of bounds comes twice. Matrices are stored row by row.
"""

from __future__ import annotations

from math import sqrt

from motorik.compiler.kernels import Floats, Int, Ints, kernel, lanes, tail
from motorik.numerics.least_squares import apply_inverse, pseudo_inverse
from motorik.numerics.tolerances import BOUND_SLOPE, BOUNDED_RANK
from motorik.numerics.vectors import dot

ROUNDS = 10  # for each unknown, and some more: far more than are ever needed


class Bound:
    """Where an unknown is."""

    FREE = 0
    LOW = 1
    HIGH = 2


def bounded_size(m: int, n: int) -> int:
    """Return the numbers of work space that `bounded_least_squares` needs."""
    least = min(m, n)
    return (2 * m + n) * (least + 1) + m * n + m + n + least * least + 2


@kernel(inline=False)
def take_free(
    m: Int, n: Int, G: Floats, h: Floats, y: Floats, at: Ints, own: Floats, left: Floats
) -> Int:
    """Write the columns of the free unknowns, and h less G y of the others; return their count."""
    free, place = 0, 0
    for k in range(n):
        if at[k] == Bound.FREE:
            free += 1
    for i in lanes(m):
        left[i] = h[i]
    for k in range(n):
        if at[k] == Bound.FREE:
            for i in range(m):
                own[i * free + place] = G[i * n + k]
            place += 1
        else:
            for i in range(m):
                left[i] -= G[i * n + k] * y[k]
    return free


@kernel(inline=False)
def fit_free(
    m: Int, n: Int, G: Floats, h: Floats, y: Floats, at: Ints, z: Floats, work: Floats
) -> None:
    """Write z, the shortest least-squares solution of the free unknowns; others as in y."""
    own, left = tail(work, 0), tail(work, m * n)
    found, rest = tail(work, m * n + m), tail(work, m * n + m + n)
    moving = take_free(m, n, G, h, y, at, own, left)
    for k in lanes(n):
        z[k] = y[k]
    if moving == 0:
        return
    least = min(m, moving)
    w, columns, report = tail(rest, 2), tail(rest, 2 + m * least), tail(rest, 0)
    room = tail(rest, 2 + (m + moving) * least)
    rank = pseudo_inverse(m, moving, own, BOUNDED_RANK, w, columns, report, room)
    apply_inverse(m, moving, rank, w, columns, left, found)
    place = 0
    for k in range(n):
        if at[k] == Bound.FREE:
            z[k] = found[place]
            place += 1


@kernel(inline=False)
def release_one(m: Int, n: Int, G: Floats, left: Floats, low: Floats, high: Floats,
    at: Ints, kept: Int) -> Int:  # fmt: skip
    """Free the unknown whose way inwards lessens the residuals most; return it, −1 if none does."""
    size = sqrt(dot(m, left, left))
    best, most = -1, BOUND_SLOPE * size
    for k in range(n):
        if at[k] != Bound.FREE and low[k] < high[k] and k != kept:
            slope, length = 0.0, 0.0
            for i in range(m):
                entry = G[i * n + k]
                slope += entry * left[i]
                length += entry * entry
            if at[k] == Bound.HIGH:
                slope = -slope
            if slope > most * sqrt(length):
                best, most = k, slope / sqrt(length)
    if best >= 0:
        at[best] = Bound.FREE
    return best


@kernel(inline=False)
def bounded_least_squares(
    m: Int,
    n: Int,
    G: Floats,
    h: Floats,
    low: Floats,
    high: Floats,
    y: Floats,
    at: Ints,
    work: Floats,
) -> Int:
    """Move y to the least |G y − h| within bounds; return 0 if it has not come to an end.

    `at` tells which unknowns begin and end at a `Bound`.
    """
    z, left, rest = tail(work, 0), tail(work, n), tail(work, n + m)
    for k in range(n):
        y[k] = min(max(y[k], low[k]), high[k])
        if not low[k] < high[k]:
            at[k] = Bound.LOW
    released = -1
    for _ in range(ROUNDS * (n + 1)):
        fit_free(m, n, G, h, y, at, z, rest)
        part, first = 1.0, -1
        for k in range(n):
            if z[k] < low[k] or z[k] > high[k]:
                limit = low[k] if z[k] < low[k] else high[k]
                own = max(0.0, (limit - y[k]) / (z[k] - y[k]))
                if own < part or first < 0:
                    part, first = own, k
        for k in lanes(n):
            y[k] += part * (z[k] - y[k])
        if first >= 0:
            y[first] = low[first] if z[first] < low[first] else high[first]
            at[first] = Bound.LOW if z[first] < low[first] else Bound.HIGH
            if first != released or part > 0.0:
                released = -1
            continue
        for i in range(m):
            left[i] = h[i] - dot(n, tail(G, i * n), y)
        released = release_one(m, n, G, left, low, high, at, released)
        if released < 0:
            return 1
    return 0
