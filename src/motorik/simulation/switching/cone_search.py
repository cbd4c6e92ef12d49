"""Kernels: how forces within bounds and discs are found, and the modes they tell; see `cones`."""

from __future__ import annotations

from math import sqrt

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, tail
from motorik.simulation.switching.cones import (
    EXACT,
    SOLVED,
    SWEEPS,
    Cones,
    approach,
    find_map,
    is_near,
    sweep_cones,
)
from motorik.simulation.switching.plain import LcpReport
from motorik.simulation.switching.scaled import yielding
from motorik.simulation.switching.store import ContactMode
from motorik.system.linked import SHARED

EDGE = 1e-10  # this near to a border a row may be inside or at it
STARTS = 4  # of Newton's method, each after more sweeps
PATH = 30  # values of ε, from 1 on, tenfold smaller where that succeeds
PATIENCE, SOFT = 20, 1e-2  # turns, and ε, where that path ends
COARSE = 0.05  # down to this ε sweeps help
CORRECTIONS = 8  # of what ε leaves


@kernel(inline=False)
def find_cones(n: Int, w: Floats, pair: Ints, mode: Ints, counts: Ints) -> Int:
    """Solve for the forces with the least ε; return whether that is done.

    Where that fails at once, ε falls from 1 on: first rows are like springs, which always
    have a solution, and then ever stiffer.
    """
    x, before = tail(w, Cones.X * n), tail(w, Cones.BEFORE * n)
    for k in range(n):
        x[k], before[k] = 0.0, 0.0
    found = tail(w, Cones.FOUND * n)
    for turn in range(STARTS):
        sweep_cones(n, w, pair, SHARED, (1 + turn * turn) * SWEEPS)
        for k in range(n):
            found[k] = x[k]
        if approach(n, w, pair, SHARED, mode, 0, counts) > 0:
            return 1
        for k in range(n):
            x[k] = found[k]
    for k in range(n):
        x[k] = 0.0
    reached, factor = 10.0, 0.1
    for _ in range(PATH):
        for k in range(n):
            found[k] = x[k]
        eps = max(factor * reached, SHARED)
        sweep_cones(n, w, pair, eps, SWEEPS if eps > COARSE else 0)
        if approach(n, w, pair, eps, mode, 0, counts) > 0:
            if eps == SHARED:
                return 1
            reached, factor = eps, max(0.1, factor * factor)
        else:
            for k in range(n):
                x[k] = found[k]
            factor = sqrt(factor)
    return 0


@kernel(inline=False)
def find_any(n: Int, w: Floats, pair: Ints, mode: Ints, counts: Ints) -> Int:
    """Find any of the solutions, however the load is shared; return whether there is one."""
    x, before = tail(w, Cones.X * n), tail(w, Cones.BEFORE * n)
    for turn in range(2 * PATIENCE):
        for k in range(n):
            before[k] = x[k]
        eps = SOFT if turn < PATIENCE else 0.1 * SOFT
        sweep_cones(n, w, pair, eps, SWEEPS)
        approach(n, w, pair, eps, mode, 0, counts)
        find_map(n, w, pair, 0.0, mode, 0)
        if is_near(n, w, 0.1 * EDGE, counts) > 0:
            return 1
    return 0


@kernel
def side_of(n: Int, w: Floats, pair: Ints, k: Int, edge: Float, hint: Int) -> Int:
    """Return the mode of a row: the hint, where it is nearer to a border than `edge` sizes.

    A disc without any radius slips.
    """
    y, low, high = tail(w, Cones.Y * n), tail(w, Cones.LOW * n), tail(w, Cones.HIGH * n)
    near = edge * w[Cones.SIZE * n + k]
    if pair[k] >= 0:
        own, its = y[k], y[pair[k]]
        inside = high[k] - sqrt(own * own + its * its)
        if high[k] <= near or inside < -near:
            return ContactMode.FORWARD
        return (
            ContactMode.STUCK
            if inside > near or hint == ContactMode.STUCK
            else ContactMode.FORWARD
        )
    if low[k] == high[k] or y[k] < low[k] - near:
        return ContactMode.FORWARD
    if y[k] > high[k] + near:
        return ContactMode.BACKWARD
    if y[k] <= low[k] + near and hint == ContactMode.FORWARD:
        return ContactMode.FORWARD
    if y[k] >= high[k] - near and hint == ContactMode.BACKWARD:
        return ContactMode.BACKWARD
    return ContactMode.STUCK


@kernel(inline=False)
def take_sides(n: Int, w: Floats, pair: Ints, edge: Float, mode: Ints) -> None:
    """Write the modes of all rows; those near a border take what was expected."""
    for k in range(n):
        if pair[k] >= -1:
            mode[k] = side_of(n, w, pair, k, edge, mode[k])
    for k in range(n):
        if pair[k] < -1:
            mode[k] = mode[-2 - pair[k]]


@kernel(inline=False)
def scale_cones(
    m: Int,
    D: Floats,
    b: Floats,
    low: Floats,
    high: Floats,
    slopes: Floats,
    noise: Floats,
    pair: Ints,
    w: Floats,
) -> None:
    """Write the scaled problem; both rows of a disc have one scale."""
    scale = tail(w, Cones.SCALE * m)
    A, L, H = (
        tail(w, Cones.VECTORS * m),
        tail(w, (Cones.VECTORS + m) * m),
        tail(w, (Cones.VECTORS + 2 * m) * m),
    )
    for k in range(m):
        first = k if pair[k] >= -1 else -2 - pair[k]
        other = pair[first] if pair[first] >= 0 else first
        own = 0.5 * (D[first * (m + 1)] + D[other * (m + 1)])
        if first == other:
            own = yielding(m, D, b, low, high, slopes, k)
        scale[k] = 1.0 / sqrt(own) if own > 0.0 else 1.0
    for k in range(m):
        unit = scale[k]
        w[Cones.B * m + k], w[Cones.PART * m + k] = unit * b[k], 1.0
        w[Cones.NOISE * m + k] = unit * noise[k]
        w[Cones.BELOW * m + k], w[Cones.ABOVE * m + k] = low[k] / unit, high[k] / unit
        for j in range(m):
            A[k * m + j] = unit * D[k * m + j] * scale[j]
            L[k * m + j] = slopes[k * m + j] * scale[j] / unit
            H[k * m + j] = slopes[(m + k) * m + j] * scale[j] / unit


@kernel(inline=False)
def correct_cones(
    n: Int, w: Floats, pair: Ints, mode: Ints, fixed: Int, counts: Ints
) -> Int:
    """Take away what ε leaves, keeping the modes or not; return whether all laws hold."""
    x, before = tail(w, Cones.X * n), tail(w, Cones.BEFORE * n)
    for _ in range(CORRECTIONS):
        for k in range(n):
            before[k] = x[k]
        if approach(n, w, pair, SHARED, mode, fixed, counts) == 0:
            return 0
        find_map(n, w, pair, 0.0, mode, 0)
        if is_near(n, w, EXACT, counts) > 0:
            return 1
    return is_near(n, w, SOLVED, counts)


@kernel(inline=False)
def leave_bounds(n: Int, w: Floats, pair: Ints, mode: Ints) -> Int:
    """Let rows that stick and are beyond their bounds stay there; return whether there are any."""
    x, low, high = tail(w, Cones.X * n), tail(w, Cones.LOW * n), tail(w, Cones.HIGH * n)
    changed = 0
    for k in range(n):
        near = EDGE * w[Cones.SIZE * n + k]
        if pair[k] == -1 and mode[k] == ContactMode.STUCK:
            if x[k] < low[k] - near:
                mode[k] = ContactMode.FORWARD
                changed = 1
            elif x[k] > high[k] + near:
                mode[k] = ContactMode.BACKWARD
                changed = 1
    return changed


@kernel(inline=False)
def solve_cones(
    m: Int,
    D: Floats,
    b: Floats,
    low: Floats,
    high: Floats,
    slopes: Floats,
    noise: Floats,
    pair: Ints,
    mode: Ints,
    lam: Floats,
    work: Floats,
    counts: Ints,
) -> Int:
    """Write λ and the modes of m rows; return 0, or 1 if no solution is found.

    As `solve_box`, whose bounds read forces; besides, `pair[k]` ≥ 0 is the row with which row
    k is in a disc of the radius `high` of row k, that row has −2 − k, and rows without a disc
    −1. Rows of discs have the mode 0 where they stick, else 1. Where a row is at its border
    and has no rate, it takes the mode that was expected. `noise` tells how far b is known:
    rows that are redundant agree no better. Nothing is returned as solved that
    was not checked.
    """
    scale_cones(m, D, b, low, high, slopes, noise, pair, work)
    x, found = tail(work, Cones.X * m), tail(work, Cones.FOUND * m)
    hint = tail(work, Cones.GIVEN * m)
    for k in range(m):
        hint[k] = mode[k]
    counts[LcpReport.METHOD] = 0
    if find_cones(m, work, pair, mode, counts) == 0:
        counts[LcpReport.METHOD] = 1
        if find_any(m, work, pair, mode, counts) == 0:
            return 1
    shared = counts[1]
    if counts[LcpReport.METHOD] == 0:
        take_sides(m, work, pair, EDGE, mode)
    for k in range(m):
        found[k] = x[k]
    done = 0
    for _ in range(m if counts[LcpReport.METHOD] == 0 else 0):
        done = correct_cones(m, work, pair, mode, 1, counts)
        # what presses with ε may pull without
        if done > 0 or leave_bounds(m, work, pair, mode) == 0:
            break
        for k in range(m):
            x[k] = found[k]
    if done > 0:  # what sticks with ε may be at its border without
        for k in range(m):
            if mode[k] == ContactMode.STUCK:
                mode[k] = int(hint[k])
        take_sides(m, work, pair, EDGE, mode)
    else:
        for k in range(m):
            x[k] = found[k]
        if correct_cones(m, work, pair, mode, 0, counts) == 0:
            return 1
        for k in range(m):
            found[k] = mode[k]
        take_sides(m, work, pair, EDGE, mode)
        # loads may be shared otherwise than they will be: what was expected to slip does
        for k in range(m):
            if pair[k] != -1 and found[k] != 0.0:
                mode[k] = ContactMode.FORWARD
    counts[1] = shared
    for k in range(m):
        lam[k] = work[Cones.SCALE * m + k] * x[k]
    return 0
