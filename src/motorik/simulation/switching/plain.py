"""Kernels: a scaled box problem with bounds that are plain numbers."""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import Floats, Int, Ints, kernel, tail
from motorik.simulation.switching.descent import descend, share
from motorik.simulation.switching.faces import TOLERANCE
from motorik.simulation.switching.scaled import (
    ALL,
    BACKWARD,
    FORWARD,
    HIGH,
    LOW,
    NONE,
    RATE,
    SIZE,
    STICK,
    count_wrong,
    find_forces,
    sweep,
)

WORST, SHARED, METHOD = range(3)  # what `counts` holds
SWEEPS = 8  # before modes are changed in blocks
PATIENCE = 4  # turns of which none makes fewer rows wrong, before the descent begins


@kernel
def admit_modes(n: Int, w: Floats, way: Ints) -> None:
    """Change modes that rows cannot have: at an infinite bound, or between equal bounds."""
    low, high = tail(w, LOW * n), tail(w, HIGH * n)
    for k in range(n):
        if way[k] == STICK and low[k] == high[k]:
            way[k] = FORWARD
        if way[k] == FORWARD and not isfinite(low[k]):
            way[k] = STICK
        if way[k] == BACKWARD and not isfinite(high[k]):
            way[k] = STICK


@kernel
def count_still(n: Int, w: Floats, way: Ints) -> Int:
    """Return how many rows at one of two bounds have no rate."""
    low, high = tail(w, LOW * n), tail(w, HIGH * n)
    a, size = tail(w, RATE * n), tail(w, SIZE * n)
    still = 0
    for k in range(n):
        if way[k] != STICK and low[k] < high[k]:
            still += int(fabs(a[k]) <= TOLERANCE * size[k])
    return still


@kernel(inline=False)
def pivot_blocks(n: Int, w: Floats, way: Ints, counts: Ints) -> Int:
    """Change all modes that are wrong at once until none is; return how many stay wrong.

    Júdice and Pires: it need not end, so it stops where the number does not fall.
    `counts[SHARED]` are the redundant rows.
    """
    counts[SHARED] = find_forces(n, w, way)
    best = count_wrong(n, w, way, NONE, counts)
    if best > 0 and n > 2:
        sweep(n, w, way, SWEEPS)
        counts[SHARED] = find_forces(n, w, way)
        best = count_wrong(n, w, way, NONE, counts)
    patience = PATIENCE
    while best > 0 and patience > 0:
        count_wrong(n, w, way, ALL, counts)
        counts[SHARED] = find_forces(n, w, way)
        wrong = count_wrong(n, w, way, NONE, counts)
        patience -= 1
        if wrong < best:
            best, patience = wrong, PATIENCE
        if wrong == 0:
            return 0
    return best


@kernel(inline=False)
def solve_plain(n: Int, w: Floats, way: Ints, counts: Ints) -> Int:
    """Write forces and modes of a scaled problem, beginning with given modes; return 0.

    1 if there is no solution. `counts[SHARED]` is 1 if forces are not unique and shared,
    `counts[METHOD]` is 1 if the descent was needed.
    """
    admit_modes(n, w, way)
    counts[METHOD] = 0
    wrong = pivot_blocks(n, w, way, counts)
    if wrong > 0:
        counts[METHOD] = 1
        if wrong > n or descend(n, w, way, counts) != 0:
            return 1
        counts[SHARED] = 1
    if counts[SHARED] > 0 or count_still(n, w, way) > 0:
        counts[SHARED] = share(n, w, way, counts)
    return 0
