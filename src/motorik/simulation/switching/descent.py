"""Kernels: forces that always solve a box problem, and how redundant rows share their load."""

from __future__ import annotations

from math import fabs

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, tail
from motorik.simulation.switching.faces import (
    TIGHT,
    TOLERANCE,
    WEAK,
    decompose_face,
    solve_face,
    take_idle,
)
from motorik.simulation.switching.scaled import (
    Pivoting,
    Scaled,
    correct_forces,
    count_wrong,
    find_rates,
    find_terms,
    list_rows,
    sweep,
)
from motorik.simulation.switching.store import ContactMode

TURNS = 20  # of the descent, and as many again for each row
SWEEPS = 3  # of each turn
SHARED = 1e-9  # part of the forces up to which shares of a load need not be the least
INFINITE = float("inf")


@kernel(inline=False)
def advance_forces(n: Int, w: Floats, way: Ints, count: Int, limit: Float) -> Float:
    """Move the rows in order along y as far as bounds allow, at most `limit` times y.

    A row that arrives at a bound stays there. Returns how far it was, in y.
    """
    low, high, x = tail(w, Scaled.LOW * n), tail(w, Scaled.HIGH * n), tail(w, Scaled.X * n)
    order, y = tail(w, Scaled.ORDER * n), tail(w, Scaled.Y * n)
    part = limit
    last = -1
    for i in range(count):
        k = int(order[i])
        room = INFINITE
        if y[i] < 0.0:
            room = (low[k] - x[k]) / y[i]
        elif y[i] > 0.0:
            room = (high[k] - x[k]) / y[i]
        if room < part:
            part = max(room, 0.0)
            last = i
    if part == INFINITE:
        return part
    for i in range(count):
        k = int(order[i])
        x[k] = min(max(x[k] + part * y[i], low[k]), high[k])
        if i == last:
            x[k] = low[k] if y[i] < 0.0 else high[k]
            way[k] = ContactMode.FORWARD if y[i] < 0.0 else ContactMode.BACKWARD
    return part


@kernel(inline=False)
def fall(n: Int, w: Floats, way: Ints, counts: Ints) -> Int:
    """Go down to the lowest point of the rows that stick; rows that reach a bound stay there.

    Returns 0, or 1 if a force may grow for ever: `counts[0]` is that row.
    """
    A, L = tail(w, Scaled.VECTORS * n), tail(w, (Scaled.VECTORS + n) * n)
    gram = tail(L, (n + 1) * n)
    order, y = tail(w, Scaled.ORDER * n), tail(w, Scaled.Y * n)
    a, size = tail(w, Scaled.RATE * n), tail(w, Scaled.SIZE * n)
    for _ in range(n + 1):
        count = list_rows(n, way, order)
        rank = decompose_face(n, A, count, order, TIGHT, L, gram)
        find_rates(n, w)
        for i in range(count):
            y[i] = -a[int(order[i])]
        solve_face(count, rank, L, gram, y)
        if advance_forces(n, w, way, count, 1.0) < 1.0:
            continue
        find_rates(n, w)
        wrong = 0
        for i in range(count):
            k = int(order[i])
            y[i] = -a[k]
            wrong += int(fabs(a[k]) > TOLERANCE * size[k])
        if wrong == 0 or rank == count:
            return 0
        take_idle(count, rank, L, gram, y)
        if advance_forces(n, w, way, count, INFINITE) == INFINITE:
            most = 0
            for i in range(count):
                if fabs(y[i]) > fabs(y[most]):
                    most = i
            counts[0] = int(order[most])
            return 1
    return 0


@kernel(inline=False)
def descend(n: Int, w: Floats, way: Ints, counts: Ints) -> Int:
    """Solve the box problem by descent; return 0, or 1 if it has no solution.

    The forces are the minimum of f = ½ xᵀ A x + bᵀ x within the bounds. Each turn sweeps,
    which makes f smaller unless the problem is solved, and then goes down to the lowest point
    of the rows that are between their bounds, of which at most n can arrive at one. f falls
    from turn to turn, so no set of modes comes back, and there are finitely many: the descent
    ends for every A that is positive semidefinite.
    """
    for _ in range(TURNS * (n + 1)):
        sweep(n, w, way, SWEEPS)
        if fall(n, w, way, counts) != 0:
            return 1
        find_rates(n, w)
        if count_wrong(n, w, way, Pivoting.NONE, counts) == 0:
            return 0
    return 1


@kernel(inline=False)
def release(n: Int, w: Floats, way: Ints, count: Int, rank: Int, least: Int) -> Int:
    """Let the row stick that makes the forces shorter most; return 0 if there is none.

    Of a row at its bound that has no rate, g = x − A A⁺ x, the rows that stick being in A⁺,
    is how the square of the forces grows with its own. `least`: the first, not the best.
    """
    A, L = tail(w, Scaled.VECTORS * n), tail(w, (Scaled.VECTORS + n) * n)
    low, high, x = tail(w, Scaled.LOW * n), tail(w, Scaled.HIGH * n), tail(w, Scaled.X * n)
    a, size = tail(w, Scaled.RATE * n), tail(w, Scaled.SIZE * n)
    order, y = tail(w, Scaled.ORDER * n), tail(w, Scaled.Y * n)
    for i in range(count):
        y[i] = x[int(order[i])]
    solve_face(count, rank, L, tail(L, (n + 1) * n), y)
    best = -1
    most = SHARED
    for k in range(n):
        if (
            way[k] != ContactMode.STUCK
            and low[k] < high[k]
            and fabs(a[k]) <= TOLERANCE * size[k]
        ):
            g, sizes = x[k], fabs(x[k])
            for i in range(count):
                term = A[k * n + int(order[i])] * y[i]
                g -= term
                sizes += fabs(term)
            gain = -g if way[k] == ContactMode.FORWARD else g
            if gain > most * sizes and not (least == 1 and best >= 0):
                best = k
                most = gain / sizes if least == 0 else most
    if best >= 0:
        way[best] = ContactMode.STUCK
        return 1
    return 0


@kernel(inline=False)
def is_redundant(n: Int, w: Floats, way: Ints) -> Int:
    """Return 1 if the forces of the rows that have no rate are not unique."""
    A, L = tail(w, Scaled.VECTORS * n), tail(w, (Scaled.VECTORS + n) * n)
    low, high, order = (
        tail(w, Scaled.LOW * n),
        tail(w, Scaled.HIGH * n),
        tail(w, Scaled.ORDER * n),
    )
    a, size = tail(w, Scaled.RATE * n), tail(w, Scaled.SIZE * n)
    count = 0
    for k in range(n):
        still = low[k] < high[k] and fabs(a[k]) <= TOLERANCE * size[k]
        if way[k] == ContactMode.STUCK or still:
            order[count] = k
            count += 1
    rank = decompose_face(n, A, count, order, WEAK, L, tail(L, (n + 1) * n))
    return 1 if rank < count else 0


@kernel(inline=False)
def share(n: Int, w: Floats, way: Ints, counts: Ints) -> Int:
    """Make Σ x² of a solution the least that rates and bounds allow; return 1 if it was not unique.

    What would spoil the solution is not done.
    """
    if is_redundant(n, w, way) == 0:
        return 0
    A, L = tail(w, Scaled.VECTORS * n), tail(w, (Scaled.VECTORS + n) * n)
    gram, order = tail(L, (n + 1) * n), tail(w, Scaled.ORDER * n)
    x, y, keep = tail(w, Scaled.X * n), tail(w, Scaled.Y * n), tail(w, Scaled.KEEP * n)
    kept = tail(way, n)
    for k in range(n):
        keep[k], kept[k] = x[k], way[k]
    for turn in range(TURNS + 4 * n):
        count = list_rows(n, way, order)
        rank = decompose_face(n, A, count, order, WEAK, L, gram)
        if rank < count:
            for i in range(count):
                y[i] = x[int(order[i])]
            take_idle(count, rank, L, gram, y)
            for i in range(count):
                y[i] = -y[i]
            if advance_forces(n, w, way, count, 1.0) < 1.0:
                continue
        if release(n, w, way, count, rank, int(turn > 2 * n)) == 0:
            break
    # forces were larger, and have left rounding that is now seen
    count = list_rows(n, way, order)
    rank = decompose_face(n, A, count, order, WEAK, L, gram)
    for _ in range(2):
        find_terms(n, w)
        correct_forces(n, w, count, rank)
    find_rates(n, w)
    if count_wrong(n, w, way, Pivoting.NONE, counts) > 0:
        for k in range(n):
            x[k], way[k] = keep[k], kept[k]
        find_rates(n, w)
    return 1
