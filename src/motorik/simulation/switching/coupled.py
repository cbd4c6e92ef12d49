"""Kernels: a scaled box problem with bounds that read the forces of other rows.

Contact friction has bounds −(c + μ λⱼ) and c + μ λⱼ, with the normal force λⱼ; where it slides,
its force is given, λ = c − μ λⱼ. With given modes, the forces that stick solve linear equations
that are not symmetric. There may be several solutions, or none (Painlevé).
"""

from __future__ import annotations

from math import isfinite

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, tail
from motorik.simulation.switching.faces import TOLERANCE, WEAK
from motorik.simulation.switching.plain import METHOD, SHARED, WORST, solve_plain
from motorik.simulation.switching.scaled import (
    ALL,
    BACKWARD,
    FIRST,
    FORWARD,
    HIGH,
    KEEP,
    LOW,
    NONE,
    ORDER,
    RATE,
    SCALE,
    SIZE,
    STICK,
    VECTORS,
    X,
    count_wrong,
    find_rates,
    list_rows,
    scaled_size,
)
from motorik.start.least import pseudo_inverse, reached

STAGGERED = 20  # turns in which bounds follow forces
BLOCKS = 20  # turns in which all modes that are wrong change
SINGLES = 10  # turns for each row in which the first of them changes
TRIALS = 3000  # sets of modes that are tried one by one at most


def coupled_size(n: int) -> int:
    """Return the doubles of work space of a coupled problem of n rows, scaled problem included."""
    return scaled_size(n) + 5 * n * n + 7 * n + 1


@kernel
def read_row(reads: Int) -> Int:
    """Return the row that a row reads; −1 if none."""
    return reads if reads >= -1 else -2 - reads


@kernel
def slope(way: Int, reads: Int, nu: Float) -> Float:
    """Return how the force of a row at its bound grows with that of the row that it reads."""
    return nu if way == BACKWARD and reads >= 0 else -nu


@kernel
def follow(n: Int, w: Floats, way: Ints, reads: Ints, nu: Floats, given: Floats) -> None:
    """Write the bounds that forces give, forces at bounds, and all rates.

    `given` are the bounds without what is read: all low ones, then all high ones.
    """
    x, low, high = tail(w, X * n), tail(w, LOW * n), tail(w, HIGH * n)
    for plain in range(2):
        for k in range(n):
            j = read_row(reads[k])
            if int(j < 0) != plain:
                force = x[j] if j >= 0 else 0.0
                low[k] = given[k] - nu[k] * force
                high[k] = given[n + k] + nu[k] * force
                if reads[k] < -1:
                    high[k] = low[k]
                if way[k] != STICK:
                    x[k] = low[k] if way[k] == FORWARD else high[k]
    find_rates(n, w)


@kernel(inline=False)
def coupled_forces(
    n: Int, w: Floats, way: Ints, reads: Ints, nu: Floats, given: Floats
) -> Int:
    """Write forces and rates of given modes; return how many rows that stick are redundant.

    −1 if that is not certain. Behind `given` is work space.
    """
    A, x, a = tail(w, VECTORS * n), tail(w, X * n), tail(w, RATE * n)
    order = tail(w, ORDER * n)
    r, place, change = tail(given, 2 * n), tail(given, 3 * n), tail(given, 4 * n)
    told = tail(given, 5 * n)
    M = tail(told, 1)
    W, Z, rest = tail(M, n * n), tail(M, 2 * n * n), tail(M, 3 * n * n)
    count = list_rows(n, way, order)
    for i in range(count):
        k = int(order[i])
        place[k] = i
        x[k] = 0.0
        for j in range(count):
            M[i * count + j] = A[k * n + int(order[j])]
    for k in range(n):
        j = read_row(reads[k])
        if way[k] != STICK and j >= 0:
            if way[j] == STICK:
                factor = slope(way[k], reads[k], nu[k])
                for i in range(count):
                    M[i * count + int(place[j])] += factor * A[int(order[i]) * n + k]
    follow(n, w, way, reads, nu, given)
    if count == 0:
        return 0
    told[0] = 1.0
    rank = pseudo_inverse(count, count, M, WEAK, W, Z, told, rest)
    if rank < 0:
        return -1
    for _ in range(2):
        for i in range(count):
            r[i] = -a[int(order[i])]
        reached(count, count, rank, W, Z, r, change)
        for i in range(count):
            x[int(order[i])] += change[i]
        follow(n, w, way, reads, nu, given)
    return count - rank


@kernel(inline=False)
def try_modes(
    n: Int,
    w: Floats,
    way: Ints,
    reads: Ints,
    nu: Floats,
    given: Floats,
    change: Int,
    counts: Ints,
) -> Int:
    """Return how many rows are wrong with given modes, and change modes as `count_wrong`."""
    redundant = coupled_forces(n, w, way, reads, nu, given)
    if redundant < 0:
        return n + 1
    counts[SHARED] = int(redundant > 0)
    low, high, size = tail(w, LOW * n), tail(w, HIGH * n), tail(w, SIZE * n)
    wrong = count_wrong(n, w, way, change, counts)
    for k in range(n):
        if low[k] - high[k] > TOLERANCE * size[k]:
            counts[WORST] = k
            wrong += 1
    return wrong


@kernel(inline=False)
def try_all(
    n: Int, w: Floats, way: Ints, reads: Ints, nu: Floats, given: Floats, counts: Ints
) -> Int:
    """Try all modes one by one, if they are not too many; return 0 if some are right."""
    last = tail(given, n)
    trials = 1
    for k in range(n):
        fixed = reads[k] < -1 or (reads[k] == -1 and given[k] == last[k])
        choices = 1 if fixed else 1 + int(isfinite(given[k])) + int(isfinite(last[k]))
        trials = min(trials * choices, TRIALS + 1)
    if trials > TRIALS:
        return 1
    # each trial is a number whose digits are the modes
    for trial in range(trials):
        number = trial
        for k in range(n):
            fixed = reads[k] < -1 or (reads[k] == -1 and given[k] == last[k])
            below, above = int(isfinite(given[k])), int(isfinite(last[k]))
            choices = 1 if fixed else 1 + below + above
            digit = number % choices
            number = number // choices
            way[k] = STICK
            if fixed or (digit == 1 and below == 1):
                way[k] = FORWARD
            elif digit > 0:
                way[k] = BACKWARD
        if try_modes(n, w, way, reads, nu, given, NONE, counts) == 0:
            return 0
    return 1


@kernel
def admit_coupled(n: Int, way: Ints, reads: Ints, given: Floats) -> None:
    """Change modes that rows cannot have: a force that is given, or an infinite bound."""
    for k in range(n):
        if reads[k] < -1 or (reads[k] == -1 and given[k] == given[n + k]):
            way[k] = FORWARD if way[k] == STICK else way[k]
        elif way[k] == FORWARD and not isfinite(given[k]):
            way[k] = STICK
        elif way[k] == BACKWARD and not isfinite(given[n + k]):
            way[k] = STICK


@kernel(inline=False)
def stagger(
    n: Int, w: Floats, way: Ints, reads: Ints, nu: Floats, given: Floats, counts: Ints
) -> Int:
    """Let bounds follow the forces of problems with plain bounds; return 0 if modes are right."""
    x, keep = tail(w, X * n), tail(w, KEEP * n)
    low, high = tail(w, LOW * n), tail(w, HIGH * n)
    for k in range(n):
        x[k] = 0.0
    for _ in range(STAGGERED):
        for k in range(n):
            j = read_row(reads[k])
            force = x[j] if j >= 0 else 0.0
            if reads[k] >= 0:
                force = max(force, 0.0)
            low[k] = given[k] - nu[k] * force
            high[k] = low[k] if reads[k] < -1 else given[n + k] + nu[k] * force
        if solve_plain(n, w, way, counts) != 0:
            return 1
        for k in range(n):
            keep[k] = x[k]
        if try_modes(n, w, way, reads, nu, given, NONE, counts) == 0:
            return 0
        for k in range(n):
            x[k] = keep[k]
    return 1


@kernel(inline=False)
def solve_coupled(
    n: Int, w: Floats, way: Ints, reads: Ints, nu: Floats, given: Floats, counts: Ints
) -> Int:
    """Write forces and modes of a scaled problem, beginning with given modes; return 0.

    1 if no rule finds a solution: the given modes; bounds that follow the forces of problems
    with plain bounds; changes of modes in blocks, then one by one; all modes, if there are at
    most `TRIALS`: then there is none. Nothing is returned as solved that was not checked.
    """
    counts[METHOD] = 0
    admit_coupled(n, way, reads, given)
    if try_modes(n, w, way, reads, nu, given, NONE, counts) == 0:
        return 0
    worst = counts[WORST]
    counts[METHOD] = 1
    if stagger(n, w, way, reads, nu, given, counts) == 0:
        counts[METHOD] = 1
        return 0
    counts[METHOD] = 2
    admit_coupled(n, way, reads, given)
    for turn in range(BLOCKS + SINGLES * n):
        change = ALL if turn < BLOCKS else FIRST
        if try_modes(n, w, way, reads, nu, given, change, counts) == 0:
            return 0
    counts[METHOD] = 3
    if try_all(n, w, way, reads, nu, given, counts) == 0:
        return 0
    counts[WORST] = worst
    return 1


@kernel(inline=False)
def scale_coupled(
    n: Int, reads: Ints, mu: Floats, w: Floats, way: Ints, counts: Ints
) -> Int:
    """Scale what bounds read, λ = scale · x, and solve; see `solve_coupled`."""
    low, high, scale = tail(w, LOW * n), tail(w, HIGH * n), tail(w, SCALE * n)
    nu = tail(w, (VECTORS + 1 + 3 * n) * n)
    given = tail(nu, n)
    for k in range(n):
        j = read_row(reads[k])
        nu[k] = mu[k] * scale[j] / scale[k] if j >= 0 else 0.0
        given[k], given[n + k] = low[k], high[k]
    return solve_coupled(n, w, way, reads, nu, given, counts)
