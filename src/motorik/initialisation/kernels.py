"""Kernels of native initialisation: branches of closed forms, and unwrapped angles."""

from __future__ import annotations

from math import fabs, floor, isfinite

from motorik.compiler.kernels import Float, Floats, Function, Int, Ints, kernel, lanes, tail
from motorik.numerics.tolerances import HALF_TURN_TIE

TURN = 6.283185307179586
COARSE = 1024.0  # references are multiples of 1 / COARSE rad
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
def nearest_signs(
    positions: Function,
    t: Floats,
    states: Floats,
    z: Floats,
    live: Floats,
    branch_parameters: Floats,
    values: Floats,
    n_q: Int,
    n_steps: Int,
    signs: Ints,
    counts: Ints,
    place: Ints,
    wanted: Floats,
    unit: Floats,
    farthest: Int,
    left: Floats,
) -> None:
    """Write the signs that lead nearest to wanted values, and the deviation of each step.

    The branch parameters begin with the signs of branches. `positions` writes coordinates and those
    of hinges, which follow each other in `values`; at the end they are those of these signs.
    """
    for k in lanes(n_steps):
        branch_parameters[k] = 1.0
    hinges = tail(values, n_q)
    first = 0
    for k in range(n_steps):
        count = counts[k]
        own, targets, units = tail(place, first), tail(wanted, first), tail(unit, first)
        first += count
        positions(t, states, z, live, branch_parameters, values, hinges)
        left[k] = missed(count, own, targets, units, values, farthest)
        if signs[k] > 1:
            branch_parameters[k] = -1.0
            positions(t, states, z, live, branch_parameters, values, hinges)
            other = missed(count, own, targets, units, values, farthest)
            if other < left[k]:
                left[k] = other
            else:
                branch_parameters[k] = 1.0
    positions(t, states, z, live, branch_parameters, values, hinges)


@kernel
def whole_turns(angle: Float) -> Float:
    """Return how many full turns an angle is, rounded.

    Halves count as one, whatever rounding made of them.
    """
    return float(floor(angle / TURN + 0.5 + HALF_TURN_TIE))


@kernel(inline=False)
def unwrap(
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
    """Write q near its start values, and references of unwrapped angles and cut joints.

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
