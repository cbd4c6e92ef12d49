"""Kernels: a scaled box problem with bounds that are linear functions of the forces.

The bounds are low + L λ and high + H λ: contact friction has ∓μ of the normal force, a lossy
gear a part of the force of its mesh. With given modes, the forces solve linear equations that
are not symmetric: rates that vanish, forces that are their bounds. There may be several
solutions, or none (Painlevé).
"""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import Floats, Int, Ints, kernel, tail
from motorik.numerics.least_squares import pseudo_inverse, reached
from motorik.simulation.switching.faces import TOLERANCE, WEAK, dot
from motorik.simulation.switching.plain import LcpReport, count_still, solve_plain
from motorik.simulation.switching.scaled import (
    Pivoting,
    Scaled,
    count_wrong,
    find_rates,
    scaled_size,
)
from motorik.simulation.switching.store import ContactMode

STAGGERED = 20  # turns in which bounds follow forces
BLOCKS = 20  # turns in which all modes that are wrong change
SINGLES = 10  # turns for each row in which the first of them changes
TRIALS = 3000  # sets of modes that are tried one by one at most


def coupled_size(n: int) -> int:
    """Return the doubles of work space of a coupled problem of n rows, scaled problem included."""
    return scaled_size(n) + 7 * n * n + 6 * n + 1


@kernel
def reads_none(m: Int, slopes: Floats, k: Int) -> Int:
    """Return whether both bounds of a row are plain numbers."""
    for j in range(m):
        if slopes[k * m + j] != 0.0 or slopes[(m + k) * m + j] != 0.0:
            return 0
    return 1


@kernel
def is_given(n: Int, given: Floats, slopes: Floats, k: Int) -> Int:
    """Return whether both bounds of a row are the same: its force is given."""
    if given[k] != given[n + k]:
        return 0
    for j in range(n):
        if slopes[k * n + j] != slopes[(n + k) * n + j]:
            return 0
    return 1


@kernel
def follow(n: Int, w: Floats, slopes: Floats, given: Floats) -> None:
    """Write the bounds that forces give, and all rates.

    `given` are the bounds without what is read: all low ones, then all high ones.
    """
    x, low, high = tail(w, Scaled.X * n), tail(w, Scaled.LOW * n), tail(w, Scaled.HIGH * n)
    for k in range(n):
        low[k] = given[k] + dot(n, tail(slopes, k * n), x)
        high[k] = given[n + k] + dot(n, tail(slopes, (n + k) * n), x)
    find_rates(n, w)


@kernel(inline=False)
def coupled_forces(n: Int, w: Floats, way: Ints, slopes: Floats, given: Floats) -> Int:
    """Write forces and rates of given modes; return how many rows are redundant.

    −1 if that is not certain. A is stored column by column. Behind `given` is work space.
    """
    A, x, a = tail(w, Scaled.VECTORS * n), tail(w, Scaled.X * n), tail(w, Scaled.RATE * n)
    low, high = tail(w, Scaled.LOW * n), tail(w, Scaled.HIGH * n)
    r, change, told = tail(given, 2 * n), tail(given, 3 * n), tail(given, 4 * n)
    M = tail(told, 1)
    W, Z, rest = tail(M, n * n), tail(M, 2 * n * n), tail(M, 3 * n * n)
    for k in range(n):
        x[k] = 0.0
        own = tail(M, k * n)
        if way[k] == ContactMode.STUCK:
            for j in range(n):
                own[j] = A[j * n + k]
        else:
            line = tail(slopes, (k if way[k] == ContactMode.FORWARD else n + k) * n)
            for j in range(n):
                own[j] = -line[j]
            own[k] += 1.0
    told[0] = 1.0
    rank = pseudo_inverse(n, n, M, WEAK, W, Z, told, rest)
    if rank < 0:
        return -1
    for _ in range(3):
        follow(n, w, slopes, given)
        for k in range(n):
            r[k] = -a[k]
            if way[k] != ContactMode.STUCK:
                r[k] = (low[k] if way[k] == ContactMode.FORWARD else high[k]) - x[k]
        reached(n, n, rank, W, Z, r, change)
        for k in range(n):
            x[k] += change[k]
    for k in range(n):
        if way[k] != ContactMode.STUCK and reads_none(n, slopes, k) > 0:
            x[k] = given[k] if way[k] == ContactMode.FORWARD else given[n + k]
    follow(n, w, slopes, given)
    return n - rank


@kernel(inline=False)
def try_modes(
    n: Int, w: Floats, way: Ints, slopes: Floats, given: Floats, change: Int, counts: Ints
) -> Int:
    """Return how many rows are wrong with given modes, and change modes as `count_wrong`."""
    redundant = coupled_forces(n, w, way, slopes, given)
    if redundant < 0:
        return n + 1
    counts[LcpReport.SHARED] = int(redundant > 0)
    x, low, high = tail(w, Scaled.X * n), tail(w, Scaled.LOW * n), tail(w, Scaled.HIGH * n)
    size = tail(w, Scaled.SIZE * n)
    wrong = 0
    for k in range(n):
        edge = TOLERANCE * size[k]
        bound = low[k] if way[k] == ContactMode.FORWARD else high[k]
        missed = way[k] != ContactMode.STUCK and not -edge <= x[k] - bound <= edge
        crossed = way[k] == ContactMode.STUCK and low[k] - high[k] > edge
        if crossed or missed:
            counts[LcpReport.WORST] = k
            wrong += 1
    return wrong + count_wrong(n, w, way, change, counts)


@kernel
def choices_of(n: Int, given: Floats, slopes: Floats, k: Int) -> Int:
    """Return how many modes a row may have."""
    if is_given(n, given, slopes, k) > 0:
        return 1
    return 1 + int(isfinite(given[k])) + int(isfinite(given[n + k]))


@kernel(inline=False)
def try_all(
    n: Int, w: Floats, way: Ints, slopes: Floats, given: Floats, counts: Ints
) -> Int:
    """Try all modes one by one, if they are not too many; return 0 if some are right."""
    trials = 1
    for k in range(n):
        trials = min(trials * choices_of(n, given, slopes, k), TRIALS + 1)
    if trials > TRIALS:
        return 1
    # each trial is a number whose digits are the modes
    for trial in range(trials):
        number = trial
        for k in range(n):
            choices = choices_of(n, given, slopes, k)
            digit = number % choices
            number = number // choices
            way[k] = ContactMode.STUCK
            if choices == 1 or (digit == 1 and isfinite(given[k])):
                way[k] = ContactMode.FORWARD
            elif digit > 0:
                way[k] = ContactMode.BACKWARD
            if choices == 1 and not isfinite(given[k]):
                way[k] = ContactMode.STUCK
        if try_modes(n, w, way, slopes, given, Pivoting.NONE, counts) == 0:
            return 0
    return 1


@kernel
def admit_coupled(n: Int, way: Ints, slopes: Floats, given: Floats) -> None:
    """Change modes that rows cannot have: a force that is given, or an infinite bound."""
    for k in range(n):
        if is_given(n, given, slopes, k) > 0:
            way[k] = ContactMode.FORWARD if way[k] == ContactMode.STUCK else way[k]
        elif way[k] == ContactMode.FORWARD and not isfinite(given[k]):
            way[k] = ContactMode.STUCK
        elif way[k] == ContactMode.BACKWARD and not isfinite(given[n + k]):
            way[k] = ContactMode.STUCK


@kernel(inline=False)
def stagger(
    n: Int, w: Floats, way: Ints, slopes: Floats, given: Floats, counts: Ints
) -> Int:
    """Let bounds follow the forces of problems with plain bounds; return 0 if modes are right."""
    x, keep = tail(w, Scaled.X * n), tail(w, Scaled.KEEP * n)
    low, high = tail(w, Scaled.LOW * n), tail(w, Scaled.HIGH * n)
    for k in range(n):
        x[k] = 0.0
    for _ in range(STAGGERED):
        follow(n, w, slopes, given)
        for k in range(n):
            if low[k] > high[k]:
                low[k] = 0.5 * (low[k] + high[k])
                high[k] = low[k]
        if solve_plain(n, w, way, counts) != 0:
            return 1
        for k in range(n):
            keep[k] = x[k]
        admit_coupled(n, way, slopes, given)
        if try_modes(n, w, way, slopes, given, Pivoting.NONE, counts) == 0:
            return 0
        for k in range(n):
            x[k] = keep[k]
    return 1


@kernel(inline=False)
def solve_coupled(
    n: Int, w: Floats, way: Ints, slopes: Floats, given: Floats, counts: Ints
) -> Int:
    """Write forces and modes of a scaled problem, beginning with given modes; return 0.

    1 if no rule finds a solution: the given modes; bounds that follow the forces of problems
    with plain bounds; changes of modes in blocks, then one by one; all modes, if there are at
    most `TRIALS`: then there is none. Nothing is returned as solved that was not checked.
    """
    counts[LcpReport.METHOD] = 0
    admit_coupled(n, way, slopes, given)
    if try_modes(n, w, way, slopes, given, Pivoting.NONE, counts) == 0:
        return 0
    worst = counts[LcpReport.WORST]
    counts[LcpReport.METHOD] = 1
    if stagger(n, w, way, slopes, given, counts) == 0:
        counts[LcpReport.METHOD] = 1
        return 0
    counts[LcpReport.METHOD] = 2
    admit_coupled(n, way, slopes, given)
    for turn in range(BLOCKS + SINGLES * n):
        change = Pivoting.ALL if turn < BLOCKS else Pivoting.FIRST
        if try_modes(n, w, way, slopes, given, change, counts) == 0:
            return 0
    counts[LcpReport.METHOD] = 3
    if try_all(n, w, way, slopes, given, counts) == 0:
        return 0
    counts[LcpReport.WORST] = worst
    return 1


@kernel(inline=False)
def find_shared(
    n: Int, w: Floats, way: Ints, slopes: Floats, given: Floats, counts: Ints
) -> None:
    """Note whether forces are not unique where rows at their bounds without a rate stick as well.

    What sticks shares its load by compliance: such a row would then have another force than
    this solution, which may be beyond its bounds.
    """
    if counts[LcpReport.SHARED] > 0 or count_still(n, w, way) == 0:
        return
    low, high, keep = (
        tail(w, Scaled.LOW * n),
        tail(w, Scaled.HIGH * n),
        tail(w, Scaled.KEEP * n),
    )
    a, size = tail(w, Scaled.RATE * n), tail(w, Scaled.SIZE * n)
    for k in range(n):
        keep[k] = float(way[k])
    for k in range(n):
        if low[k] < high[k] and fabs(a[k]) <= TOLERANCE * size[k]:
            way[k] = ContactMode.STUCK
    counts[LcpReport.SHARED] = int(coupled_forces(n, w, way, slopes, given) != 0)
    for k in range(n):
        way[k] = int(keep[k])
    coupled_forces(n, w, way, slopes, given)


@kernel(inline=False)
def scale_coupled(n: Int, slopes: Floats, w: Floats, way: Ints, counts: Ints) -> Int:
    """Scale what bounds read, λ = scale · x, and solve; see `solve_coupled`."""
    low, high, scale = (
        tail(w, Scaled.LOW * n),
        tail(w, Scaled.HIGH * n),
        tail(w, Scaled.SCALE * n),
    )
    own = tail(w, (Scaled.VECTORS + 1 + 3 * n) * n)
    given = tail(own, 2 * n * n)
    for k in range(n):
        given[k], given[n + k] = low[k], high[k]
        for j in range(n):
            factor = scale[j] / scale[k]
            own[k * n + j] = slopes[k * n + j] * factor
            own[(n + k) * n + j] = slopes[(n + k) * n + j] * factor
    status = solve_coupled(n, w, way, own, given, counts)
    if status == 0:
        find_shared(n, w, way, own, given, counts)
    return status
