"""Breakpoints of time: time events of laws and clocks, and mesh points that steps end at."""

from __future__ import annotations

from math import fabs, inf

from motorik.compiler.kernels import Float, Int, kernel
from motorik.nonsmooth.detection.trigger_conditions import is_due
from motorik.nonsmooth.memory import (
    Breakpoint,
    TriggerEntry,
    TriggerValue,
    trigger_at,
)
from motorik.numerics.tolerances import TIME_ROUNDING
from motorik.simulation.stepping.workspace import EventArguments, Work


@kernel
def has_events(ev: EventArguments) -> Int:
    """Return whether there are contacts or triggers."""
    return int(ev.counts.contacts > 0 or ev.table.triggers > 0)


@kernel
def has_breakpoint(w: Work, ev: EventArguments) -> Int:
    """Return whether t_stop is a breakpoint within the run, not its end."""
    return int(w.t_stop < ev.breakpoints[ev.counts.breakpoints - 1])


@kernel(inline=False)
def next_tick(ev: EventArguments, t: Float) -> Float:
    """Return the next clock tick after t, by count; infinity without any."""
    count = ev.table.triggers
    first = inf
    for k in range(count):
        period = float(ev.values[TriggerValue.CLOCKS * count + 2 * k])
        if period > 0.0:
            offset = float(ev.values[TriggerValue.CLOCKS * count + 2 * k + 1])
            ticks = ev.table[trigger_at(k) + TriggerEntry.ticks]
            tick = offset + ticks * period
            if tick <= t + TIME_ROUNDING * fabs(t):
                tick = offset + (ticks + 1) * period
            first = min(first, tick)
    return first


@kernel(inline=False)
def is_tick(ev: EventArguments, t: Float) -> Int:
    """Return whether a clock ticks at a time."""
    count = ev.table.triggers
    found = 0
    for k in range(count):
        if ev.values[TriggerValue.CLOCKS * count + 2 * k] > 0.0:
            found = max(found, is_due(ev, k, t))
    return found


@kernel(inline=False)
def next_breakpoint(w: Work, ev: EventArguments) -> None:
    """Advance to the next breakpoint, a time event or a clock tick.

    Between two breakpoints, laws are evaluated at times strictly inside, so that no stage
    straddles a discontinuity. A tick within rounding of a time event coincides with it.
    """
    if has_breakpoint(w, ev) == 0:
        return
    here = float(w.t_stop)
    least = float(ev.breakpoints[2 * ev.counts.breakpoints])
    w.t_from = here + TIME_ROUNDING * max(fabs(here), least)
    if here >= ev.breakpoints[ev.counts.breakpoint_next]:
        ev.counts.breakpoint_next += 1
    there = float(ev.breakpoints[ev.counts.breakpoint_next])
    tick = next_tick(ev, here)
    if tick < there - TIME_ROUNDING * fabs(there):
        there = tick
    w.t_stop = there
    w.t_upto = there - TIME_ROUNDING * max(fabs(there), least)


@kernel
def pass_visit(w: Work, ev: EventArguments) -> None:
    """Advance to the next breakpoint if the present one is a mesh point.

    Laws do not change there, so they may still be evaluated before it, as for output samples
    within the last step.
    """
    k = ev.counts.breakpoint_next
    if has_breakpoint(w, ev) > 0 and w.t_stop == ev.breakpoints[k]:
        if ev.breakpoints[ev.counts.breakpoints + k] == Breakpoint.VISIT:
            if is_tick(ev, float(w.t_stop)) == 0:
                begun = float(w.t_from)
                next_breakpoint(w, ev)
                w.t_from = begun
