"""Kernels: a scaled box problem with bounds that are plain numbers."""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import Floats, Int, Ints, kernel, tail
from motorik.simulation.switching.descent import descend, share
from motorik.simulation.switching.faces import TOLERANCE
from motorik.simulation.switching.scaled import (
    Pivoting,
    Scaled,
    count_wrong,
    find_forces,
    sweep,
)
from motorik.simulation.switching.store import ContactMode


class LcpReport:
    """What `counts` holds."""

    WORST = 0  # constraint with the largest error
    SHARED = 1  # whether forces are not unique
    METHOD = 2  # that found the solution, see `solve_box`


SWEEPS = 8  # before modes are changed in blocks
PATIENCE = 4  # turns of which none makes fewer rows wrong, before the descent begins


@kernel
def admit_modes(n: Int, w: Floats, way: Ints) -> None:
    """Change modes that rows cannot have: at an infinite bound, or between equal bounds."""
    low, high = tail(w, Scaled.LOW * n), tail(w, Scaled.HIGH * n)
    for k in range(n):
        if way[k] == ContactMode.STUCK and low[k] == high[k]:
            way[k] = ContactMode.FORWARD
        if way[k] == ContactMode.FORWARD and not isfinite(low[k]):
            way[k] = ContactMode.STUCK
        if way[k] == ContactMode.BACKWARD and not isfinite(high[k]):
            way[k] = ContactMode.STUCK


@kernel
def count_still(n: Int, w: Floats, way: Ints) -> Int:
    """Return how many rows at one of two bounds have no rate."""
    low, high = tail(w, Scaled.LOW * n), tail(w, Scaled.HIGH * n)
    a, size = tail(w, Scaled.RATE * n), tail(w, Scaled.SIZE * n)
    still = 0
    for k in range(n):
        if way[k] != ContactMode.STUCK and low[k] < high[k]:
            still += int(fabs(a[k]) <= TOLERANCE * size[k])
    return still


@kernel(inline=False)
def pivot_blocks(n: Int, w: Floats, way: Ints, counts: Ints) -> Int:
    """Change all modes that are wrong at once until none is; return how many stay wrong.

    Júdice and Pires: it need not end, so it stops where the number does not fall.
    `counts[SHARED]` are the redundant rows.
    """
    counts[LcpReport.SHARED] = find_forces(n, w, way)
    best = count_wrong(n, w, way, Pivoting.NONE, counts)
    if best > 0 and n > 2:
        sweep(n, w, way, SWEEPS)
        counts[LcpReport.SHARED] = find_forces(n, w, way)
        best = count_wrong(n, w, way, Pivoting.NONE, counts)
    patience = PATIENCE
    while best > 0 and patience > 0:
        count_wrong(n, w, way, Pivoting.ALL, counts)
        counts[LcpReport.SHARED] = find_forces(n, w, way)
        wrong = count_wrong(n, w, way, Pivoting.NONE, counts)
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
    counts[LcpReport.METHOD] = 0
    wrong = pivot_blocks(n, w, way, counts)
    if wrong > 0:
        counts[LcpReport.METHOD] = 1
        if wrong > n or descend(n, w, way, counts) != 0:
            return 1
        counts[LcpReport.SHARED] = 1
    if counts[LcpReport.SHARED] > 0 or count_still(n, w, way) > 0:
        counts[LcpReport.SHARED] = share(n, w, way, counts)
    return 0
