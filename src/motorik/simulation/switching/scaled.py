"""Kernels: the box problem with its rows scaled, and forces of given modes.

The problem is kept in one array `w` of doubles: vectors of n numbers (`Scaled`), the matrix A, and
work space of faces. Scaled, every row has A_kk = 1, so forces x and rates a = A x + b of a row
have one unit, and |b| + Σ |A x| is the size of both. `ContactMode` is `FORWARD` at the low bound
with a ≥ 0, `STUCK` between the bounds with a = 0, `BACKWARD` at the high bound with a ≤ 0.
"""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, tail
from motorik.simulation.switching.faces import (
    TIGHT,
    TOLERANCE,
    WEAK,
    decompose_face,
    dot,
    solve_face,
)
from motorik.simulation.switching.store import ContactMode


class Scaled:
    """Vectors of the scaled problem, n numbers each; behind them the matrix A."""

    B = 0  # rates without forces
    LOW = 1
    HIGH = 2
    X = 3  # forces
    RATE = 4  # a = A x + b
    SIZE = 5  # |b| + Σ |A x|
    SCALE = 6  # force by which x is multiplied
    ORDER = 7  # of the constraints that stick
    Y = 8
    KEEP = 9
    VECTORS = 10


class Pivoting:
    """Which constraints in a wrong mode change it."""

    NONE = 0
    ALL = 1
    FIRST = 2


LEAST = (
    1e-6  # part of the rate of a row that its force changes at least, in the scaled problem
)
SPOILED = 1e-3  # part of the sizes of other rows that a row has at least


def scaled_size(n: int) -> int:
    """Return the doubles of a scaled problem of n rows."""
    return 3 * n * n + (Scaled.VECTORS + 1) * n


@kernel
def plain_size(m: Int, D: Floats, b: Floats, low: Floats, high: Floats, k: Int) -> Float:
    """Return the size of the force of a row by its bounds, without what these read."""
    if isfinite(low[k]) and isfinite(high[k]):
        return max(fabs(low[k]), fabs(high[k]))
    own = D[k * (m + 1)]
    return fabs(b[k]) / own if own > 0.0 else 0.0


@kernel(inline=False)
def yielding(
    m: Int, D: Floats, b: Floats, low: Floats, high: Floats, slopes: Floats, k: Int
) -> Float:
    """Return the compliance by which a row is scaled whose bounds may read forces.

    That is its own, where its force has any effect on its rate. Where it has none, as at a dead
    centre, D is rounding and would make the force infinitely small beside those that it reads,
    and those that read it. A force that is none, as of an open stop, has the largest of all.
    """
    own = float(D[k * (m + 1)])
    if not (isfinite(low[k]) and isfinite(high[k])):
        return own
    size = float(plain_size(m, D, b, low, high, k))
    for j in range(m):
        slope = max(fabs(slopes[k * m + j]), fabs(slopes[(m + k) * m + j]))
        if slope > 0.0:
            size += slope * plain_size(m, D, b, low, high, j)
    if size > 0.0:
        return max(own, LEAST * fabs(b[k]) / size)
    for j in range(m):
        own = max(own, float(D[j * (m + 1)]))
    return own


@kernel(inline=False)
def find_terms(n: Int, w: Floats) -> None:
    """Write a = A x + b and the size |b| + Σ |A x| of each row."""
    A, b, x = tail(w, Scaled.VECTORS * n), tail(w, Scaled.B * n), tail(w, Scaled.X * n)
    a, size = tail(w, Scaled.RATE * n), tail(w, Scaled.SIZE * n)
    for k in range(n):
        a[k], size[k] = b[k], fabs(b[k])
    for j in range(n):
        force, column = x[j], tail(A, j * n)
        if force != 0.0:
            for k in range(n):
                term = column[k] * force
                a[k] += term
                size[k] += fabs(term)


@kernel(inline=False)
def spread_sizes(n: Int, w: Floats) -> Int:
    """Raise sizes to what rounding in rows beside them spoils; return whether any was raised."""
    A, size, total = (
        tail(w, Scaled.VECTORS * n),
        tail(w, Scaled.SIZE * n),
        tail(w, Scaled.Y * n),
    )
    for k in range(n):
        total[k] = 0.0
    for j in range(n):
        part, column = SPOILED * size[j], tail(A, j * n)
        if part != 0.0:
            for k in range(n):
                total[k] += fabs(column[k]) * part
    raised = 0
    for k in range(n):
        if total[k] > size[k]:
            size[k] = total[k]
            raised = 1
    return raised


@kernel(inline=False)
def find_rates(n: Int, w: Floats) -> None:
    """Write a and the sizes of all rows, none so small that other rows' rounding matters.

    A force that vanishes because large terms of its row cancel is known to rounding of these
    only, and spoils rows in which there is nothing else, and these the rows beside them.
    """
    find_terms(n, w)
    for _ in range(n):
        if spread_sizes(n, w) == 0:
            break


@kernel
def list_rows(n: Int, way: Ints, order: Floats) -> Int:
    """List the rows that stick; return how many."""
    count = 0
    for k in range(n):
        if way[k] == ContactMode.STUCK:
            order[count] = k
            count += 1
    return count


@kernel
def correct_forces(n: Int, w: Floats, count: Int, rank: Int) -> None:
    """Change the forces of the rows in order so that their rates vanish."""
    x, a, order = tail(w, Scaled.X * n), tail(w, Scaled.RATE * n), tail(w, Scaled.ORDER * n)
    y, L = tail(w, Scaled.Y * n), tail(w, (Scaled.VECTORS + n) * n)
    for i in range(count):
        y[i] = -a[int(order[i])]
    solve_face(count, rank, L, tail(L, (n + 1) * n), y)
    for i in range(count):
        x[int(order[i])] += y[i]


@kernel(inline=False)
def find_forces(n: Int, w: Floats, way: Ints) -> Int:
    """Write forces and rates of given modes; return how many rows that stick are redundant.

    Rows that contradict each other at the weaker limit of redundancy are asked once more.
    """
    A, L = tail(w, Scaled.VECTORS * n), tail(w, (Scaled.VECTORS + n) * n)
    low, high, x = tail(w, Scaled.LOW * n), tail(w, Scaled.HIGH * n), tail(w, Scaled.X * n)
    a, size, order = (
        tail(w, Scaled.RATE * n),
        tail(w, Scaled.SIZE * n),
        tail(w, Scaled.ORDER * n),
    )
    weak = WEAK
    while True:
        for k in range(n):
            x[k] = 0.0
            if way[k] != ContactMode.STUCK:
                x[k] = low[k] if way[k] == ContactMode.FORWARD else high[k]
        find_terms(n, w)
        count = list_rows(n, way, order)
        rank = decompose_face(n, A, count, order, weak, L, tail(L, (n + 1) * n))
        correct_forces(n, w, count, rank)
        find_terms(n, w)
        correct_forces(n, w, count, rank)
        find_rates(n, w)
        if rank == count or weak == TIGHT:
            return count - rank
        wrong = 0
        for i in range(count):
            k = int(order[i])
            wrong += int(fabs(a[k]) > TOLERANCE * size[k])
        if wrong == 0:
            return count - rank
        weak = TIGHT


@kernel
def excess(value: Float, size: Float) -> Float:
    """Return a value in sizes, zero if it is within the tolerance or negative."""
    return value / size if value > TOLERANCE * size else 0.0


@kernel
def judge(
    low: Float, high: Float, x: Float, a: Float, size: Float, way: Int, error: Floats
) -> Int:
    """Return the mode a row should change to, or its own; `error[0]` is how wrong it is."""
    error[0] = 0.0
    if way == ContactMode.FORWARD:
        error[0] = excess(-a, size)
        return ContactMode.STUCK if error[0] > 0.0 else way
    if way == ContactMode.BACKWARD:
        error[0] = excess(a, size)
        return ContactMode.STUCK if error[0] > 0.0 else way
    below = excess(low - x, fabs(low) + size) if isfinite(low) else 0.0
    above = excess(x - high, fabs(high) + size) if isfinite(high) else 0.0
    left = excess(fabs(a), size)
    error[0] = max(below, above, left)
    if below > 0.0 or (not above > 0.0 and left > 0.0 and a > 0.0 and isfinite(low)):
        return ContactMode.FORWARD
    if above > 0.0 or (left > 0.0 and a < 0.0 and isfinite(high)):
        return ContactMode.BACKWARD
    return way


@kernel(inline=False)
def count_wrong(n: Int, w: Floats, way: Ints, change: Int, counts: Ints) -> Int:
    """Return how many rows contradict their modes; `counts[0]` is the one that does most.

    The modes of all of them, of the first or of none change. A row without room between its
    bounds moves to the side that its rate tells.
    """
    low, high, x = tail(w, Scaled.LOW * n), tail(w, Scaled.HIGH * n), tail(w, Scaled.X * n)
    a, size, error = (
        tail(w, Scaled.RATE * n),
        tail(w, Scaled.SIZE * n),
        tail(w, Scaled.Y * n),
    )
    wrong = 0
    most = 0.0
    for k in range(n):
        if not isfinite(a[k]):
            counts[0] = k
            return n + 1
        if low[k] == high[k] and way[k] != ContactMode.STUCK:
            way[k] = ContactMode.FORWARD if a[k] >= 0.0 else ContactMode.BACKWARD
            continue
        following = judge(low[k], high[k], x[k], a[k], size[k], way[k], error)
        if error[0] > 0.0:
            if error[0] > most:
                most = error[0]
                counts[0] = k
            wrong += 1
            if change == Pivoting.ALL or (change == Pivoting.FIRST and wrong == 1):
                way[k] = following
    return wrong


@kernel(inline=False)
def sweep(n: Int, w: Floats, way: Ints, sweeps: Int) -> None:
    """Improve forces by sweeps of Gauss and Seidel within the bounds, and write the modes.

    Each change makes ½ xᵀ A x + bᵀ x smaller, or nothing changes.
    """
    A, b, x = tail(w, Scaled.VECTORS * n), tail(w, Scaled.B * n), tail(w, Scaled.X * n)
    low, high = tail(w, Scaled.LOW * n), tail(w, Scaled.HIGH * n)
    for k in range(n):
        x[k] = min(max(x[k], low[k]), high[k])
    for _ in range(sweeps):
        for k in range(n):
            a = b[k] + dot(n, tail(A, k * n), x)
            x[k] = min(max(x[k] - a, low[k]), high[k])
    for k in range(n):
        way[k] = ContactMode.STUCK
        if x[k] <= low[k]:
            way[k] = ContactMode.FORWARD
        elif x[k] >= high[k]:
            way[k] = ContactMode.BACKWARD
