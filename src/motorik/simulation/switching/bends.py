"""Kernels: forces at rest that may have passed a limit and come back between two looks.

Gaps and speeds know their rates, forces do not. Three margins in a row, at times that need not be
equidistant, tell a parabola; where its lowest place is nearer to zero than it is below them, the
margin is looked at there.
"""

from __future__ import annotations

from math import inf

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.simulation.methods.arguments import Events
from motorik.simulation.switching.store import (
    ABOVE_LOW,
    BELOW_HIGH,
    MARGINS,
    MODE,
    OLD,
    OLD_HIGH,
    OLD_LOW,
    OLDER_HIGH,
    OLDER_LOW,
    PER_ROW,
    ROW,
    ROWS,
    STICKING,
    STUCK,
    T_KEPT,
    T_KEPT_BEFORE,
    margins_at,
    old_at,
)


@kernel
def lowest(t0: Float, a: Float, t1: Float, b: Float, t2: Float, c: Float) -> Float:
    """Return when the parabola through three margins is lowest, if it may be below zero there.

    Infinity if it is not, or not between the first and the last time.
    """
    least, most = min(a, min(b, c)), max(a, max(b, c))
    far = 2.0 * least  # what bends by less than it is away from zero stays above
    if not (most > far and most < inf):
        return inf
    first, second = (b - a) / (t1 - t0), (c - b) / (t2 - t1)
    bend = (second - first) / (t2 - t0)
    if not bend > 0.0:
        return inf
    t = 0.5 * (t0 + t1) - 0.5 * first / bend
    if t <= t0 or t >= t2:
        return inf
    value = a + (t - t0) * (first + (t - t1) * bend)
    return t if value < least - value else inf


@kernel(inline=False)
def suspect(ev: Events, t: Float, begin: Float) -> Float:
    """Return the first time since the look before the last at which a force may pass a limit.

    What was looked at is the state at t. Infinity if there is no such time after `begin`.
    """
    m = ev.counts[ROWS]
    t0, t1 = float(ev.memory[T_KEPT_BEFORE]), float(ev.memory[T_KEPT])
    found = inf
    if ev.counts[STICKING] == 0 or not (t0 < t1 and t1 < t):
        return found
    for k in range(m):
        if ev.counts[ROW + PER_ROW * k + MODE] == STUCK:
            old = tail(ev.memory, old_at(m) + OLD * k)
            seen = tail(ev.memory, margins_at(m) + MARGINS * k + ABOVE_LOW)
            for side in range(2):
                before, last = old[OLDER_LOW + side], old[OLD_LOW + side]
                at = lowest(t0, float(before), t1, float(last), t, float(seen[side]))
                if at > begin:
                    found = min(found, at)
    return found


@kernel
def keep_margins(ev: Events, k: Int, old: Floats) -> None:
    """Keep the margins of the force of a row that sticks, and those before."""
    old[OLDER_LOW], old[OLDER_HIGH] = old[OLD_LOW], old[OLD_HIGH]
    if ev.counts[ROW + PER_ROW * k + MODE] == STUCK:
        seen = tail(ev.memory, margins_at(ev.counts[ROWS]) + MARGINS * k)
        old[OLD_LOW], old[OLD_HIGH] = seen[ABOVE_LOW], seen[BELOW_HIGH]
