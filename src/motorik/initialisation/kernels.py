"""Kernels of native starts: which side of each closed form, and where Newton's method leads."""

from __future__ import annotations

from math import fabs, floor, isfinite

from motorik.compiler.kernels import Float, Floats, Function, Int, Ints, kernel, lanes, tail
from motorik.numerics.lu import factorise, substitute
from motorik.numerics.tolerances import HALF_TURN_TIE, POSE_STEP
from motorik.numerics.vectors import largest

TURN = 6.283185307179586
COARSE = 1024.0  # references are multiples of 1 / COARSE rad
ITERATIONS = 30
CONTRACTS = 0.5  # each step against the one before: then only one solution is near
LONGEST = 1.0  # of a step, in scales: longer ones are shortened, which is not done here
INFINITE = float("inf")


@kernel
def missed(
    count: Int, place: Ints, wanted: Floats, unit: Floats, values: Floats, farthest: Int
) -> Float:
    """Return how far values are from those wanted: the farthest, or the sum of squares.

    `unit` 0 means an angle, which is taken within half a turn.
    """
    total = 0.0
    for i in range(count):
        apart = values[place[i]] - wanted[i]
        if not isfinite(apart):
            return INFINITE
        if unit[i] > 0.0:
            apart /= unit[i]
        else:
            apart -= TURN * floor(apart / TURN + 0.5)
        total = max(total, fabs(apart)) if farthest == 1 else total + apart * apart
    return total


@kernel(inline=False)
def nearest_sides(
    positions: Function,
    t: Floats,
    states: Floats,
    z: Floats,
    live: Floats,
    extra: Floats,
    unknown: Floats,
    values: Floats,
    n_q: Int,
    n_steps: Int,
    sides: Ints,
    counts: Ints,
    place: Ints,
    wanted: Floats,
    unit: Floats,
    farthest: Int,
    left: Floats,
) -> None:
    """Write the sides nearest to what is wanted, step by step, and what is left of each step.

    The first numbers of `extra` are the sides. `positions` writes coordinates and those of
    hinges, which follow each other in `values`; at the end they are those of these sides.
    """
    for k in lanes(n_steps):
        extra[k] = 1.0
    hinges = tail(values, n_q)
    first = 0
    for k in range(n_steps):
        count = counts[k]
        own, targets, units = tail(place, first), tail(wanted, first), tail(unit, first)
        first += count
        positions(t, states, z, live, extra, unknown, values, hinges)
        left[k] = missed(count, own, targets, units, values, farthest)
        if sides[k] > 1:
            extra[k] = -1.0
            positions(t, states, z, live, extra, unknown, values, hinges)
            other = missed(count, own, targets, units, values, farthest)
            if other < left[k]:
                left[k] = other
            else:
                extra[k] = 1.0
    positions(t, states, z, live, extra, unknown, values, hinges)


@kernel(inline=False)
def pose_step(
    n: Int, equations: Ints, nonzeros: Int, places: Ints, r: Floats, J: Floats, work: Floats
) -> Int:
    """Write the step of Newton's method, in scales, from n² numbers of `work` on; 0 if none."""
    a, s, pivots = tail(work, 0), tail(work, n * n), tail(work, n * n + n)
    for i in lanes(n * n):
        a[i] = 0.0
    for i in range(nonzeros):
        a[places[i]] = J[i]
    for i in range(n):
        s[i] = -r[equations[i]]
    if factorise(n, a, pivots) == 0:
        return 0
    substitute(n, a, pivots, s)
    return 1


@kernel(inline=False)
def close_pose(
    rows: Function,
    t: Floats,
    z: Floats,
    live: Floats,
    q: Floats,
    r: Floats,
    J: Floats,
    n_rows: Int,
    n: Int,
    unknowns: Ints,
    scale: Floats,
    equations: Ints,
    nonzeros: Int,
    places: Ints,
    closed: Float,
    work: Floats,
) -> Float:
    """Move the unknowns among q until all rows vanish; return what is left of them.

    Infinite if it is not certain that q is near this one solution: where a step would have
    to be shortened, or is not much shorter than the one before.
    """
    rows(q, t, z, live, r, J)
    size = largest(n_rows, r)
    if size < closed:
        return size
    s = tail(work, n * n)
    before = INFINITE
    for _ in range(ITERATIONS):
        if size < 1e-15:
            return size
        if pose_step(n, equations, nonzeros, places, r, J, work) == 0:
            return INFINITE
        length = largest(n, s)
        if length > LONGEST or (length > POSE_STEP and length > CONTRACTS * before):
            return INFINITE
        before = length
        for i in range(n):
            q[unknowns[i]] += s[i] * scale[i]
        rows(q, t, z, live, r, J)
        after = largest(n_rows, r)
        if length <= POSE_STEP or not after < size:
            return after
        size = after
    return INFINITE


@kernel
def whole_turns(angle: Float) -> Float:
    """Return how many full turns an angle is, rounded.

    Halves count as one, whatever rounding made of them.
    """
    return float(floor(angle / TURN + 0.5 + HALF_TURN_TIE))


@kernel(inline=False)
def wind(
    angles: Function,
    live: Floats,
    q: Floats,
    starts: Floats,
    n_turning: Int,
    turning: Ints,
    cut: Floats,
    cut_starts: Floats,
    counts: Ints,
    others: Ints,
    signs: Floats,
    references: Floats,
    n_free: Int,
    free: Ints,
    n_cut: Int,
) -> None:
    """Write q with least turns, and references of turning angles and of cut joints.

    The coordinates `free` come within half a turn of their start values, and so do the angles
    of cut joints, which `angles` writes; from each reference its terms ± q are taken off.
    """
    for i in range(n_free):
        k = int(free[i])
        q[k] += TURN * whole_turns(starts[k] - q[k])
    if n_cut > 0:
        angles(q, live, cut)
    at = 0
    for i in range(n_turning + n_cut):
        value = 0.0
        if i < n_turning:
            value = q[turning[i]]
        else:
            angle = cut[i - n_turning]
            value = angle + TURN * whole_turns(cut_starts[i - n_turning] - angle)
        total = 0.0
        for j in range(at, at + counts[i]):
            total += signs[j] * q[others[j]]
        at += counts[i]
        references[i] = float(floor((value - total) * COARSE + 0.5)) / COARSE
