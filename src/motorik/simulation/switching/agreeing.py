"""Kernels: whether two looks tell what happened between them.

Steps are as long as the states allow. What switches may change faster than these: a joint that is
driven, an angle that grows at a constant speed, a force that follows them. Values and rates at two
looks give a cubic; where the mean of the rates is far from what the values say, or a force
at rest, whose rate is not known, is far from the line through the two looks before, something
swings between them, and the looks have to be closer.
"""

from __future__ import annotations

from math import fabs

from motorik.compiler.kernels import Float, Int, kernel, tail
from motorik.simulation.methods.arguments import Events
from motorik.simulation.switching.store import (
    ABOVE_LOW,
    BACKWARD,
    CONDITION,
    FLOOR,
    FORWARD,
    FREE,
    GAP,
    HAS_GAP,
    KIND,
    MARGINS,
    MODE,
    OLD,
    OLD_GAP,
    OLD_LOW,
    OLD_RATE,
    OLD_SPEED,
    OLDER_LOW,
    PACE,
    PAIR,
    PER_ROW,
    PER_TRIGGER,
    RATE,
    RATE_OLD,
    ROW,
    ROWS,
    SCALE,
    SPEED,
    START,
    STUCK,
    T_KEPT,
    T_KEPT_BEFORE,
    TRIGGER,
    TRIGGERS,
    VALUE_OLD,
    box_at,
    margins_at,
    old_at,
    scales_at,
)
from motorik.system.switching_functions import WATCHED

PART = 0.25  # of the values, by which two looks may differ from a motion without swings
FAINT, WEAK = 1e-6, 1e-2  # of the largest value seen, and force: swings below this are none


@kernel
def swings(h: Float, a: Float, a_rate: Float, b: Float, b_rate: Float, faint: Float) -> Int:
    """Return whether values and rates at both ends of a time h do not belong together."""
    apart = fabs(b - a - 0.5 * h * (a_rate + b_rate))
    return int(apart > PART * max(fabs(a), fabs(b)) + faint)


@kernel(inline=False)
def force_swings(ev: Events, k: Int, t: Float) -> Int:
    """Return whether a force at rest bends more than it is."""
    m = ev.counts[ROWS]
    t0, t1 = float(ev.memory[T_KEPT_BEFORE]), float(ev.memory[T_KEPT])
    if not t0 < t1:
        return 0
    old = tail(ev.memory, old_at(m) + OLD * k)
    seen = tail(ev.memory, margins_at(m) + MARGINS * k + ABOVE_LOW)
    for side in range(2):
        before, last = float(old[OLDER_LOW + side]), float(old[OLD_LOW + side])
        margin = float(seen[side])
        line = last + (last - before) * (t - t1) / (t1 - t0)
        size = max(fabs(before), max(fabs(last), fabs(margin)))
        scale = ev.memory[scales_at(m) + MARGINS * k + ABOVE_LOW + side]
        if fabs(margin - line) > 4.0 * PART * size + WEAK * scale:
            return 1
    return 0


@kernel(inline=False)
def row_swings(ev: Events, k: Int, t: Float, h: Float) -> Int:
    """Return whether a row does more since the look before, h ago, than can be told."""
    m = ev.counts[ROWS]
    own = tail(ev.counts, ROW + PER_ROW * k)
    values = tail(ev.memory, START + WATCHED * k)
    old = tail(ev.memory, old_at(m) + OLD * k)
    mode = own[MODE]
    if mode == STUCK:
        return force_swings(ev, k, t)
    a, b = float(old[OLD_SPEED]), float(values[0])
    noise = (1.0 + h) * ev.memory[box_at(m) + FLOOR * m + k]
    if mode == FREE and own[HAS_GAP] > 0:
        noise += FAINT * ev.memory[scales_at(m) + MARGINS * k + GAP]
        return swings(h, float(old[OLD_GAP]), a, float(values[5]), b, noise)
    first = k if own[PAIR] >= -1 else -2 - own[PAIR]
    creeps = own[PAIR] != -1 and ev.memory[box_at(m) + PACE * m + first] > 0.0
    if (mode == FORWARD or mode == BACKWARD) and not creeps:
        noise += FAINT * ev.memory[scales_at(m) + MARGINS * first + SPEED]
        return swings(h, a, float(old[OLD_RATE]), b, float(values[6]), noise)
    return 0


@kernel(inline=False)
def agree(ev: Events, t: Float, before: Float) -> Int:
    """Return whether the look at t and the one before tell all that happened between them."""
    h = t - before
    for k in range(ev.counts[ROWS]):
        if row_swings(ev, k, t, h) > 0:
            return 0
    count = ev.table[TRIGGERS]
    for k in range(count):
        if ev.table[TRIGGER + PER_TRIGGER * k + KIND] == CONDITION:
            a, b = float(ev.values[VALUE_OLD * count + k]), float(ev.values[k])
            a_rate = float(ev.values[RATE_OLD * count + k])
            b_rate = float(ev.values[RATE * count + k])
            faint = FAINT * float(ev.values[SCALE * count + k])
            if swings(h, a, a_rate, b, b_rate, faint) > 0:
                return 0
    return 1
