"""Stops: times that no step passes. Laws change there, or else they are only visited."""

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
from motorik.simulation.stepping.arguments import Events
from motorik.simulation.stepping.workspace import Work


@kernel
def has_events(ev: Events) -> Int:
    """Return whether there are nonsmooth constraints or triggers."""
    return int(ev.counts.contacts > 0 or ev.table.triggers > 0)


@kernel
def has_breakpoint(w: Work, ev: Events) -> Int:
    """Return whether laws change, or clocks tick, at the time to stop at, and the run goes on."""
    return int(w.t_stop < ev.breakpoints[ev.counts.breakpoints - 1])


@kernel(inline=False)
def next_tick(ev: Events, t: Float) -> Float:
    """Return the next time after t at which a clock ticks, by count; infinity without any."""
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
def is_tick(ev: Events, t: Float) -> Int:
    """Return whether a clock is to tick at a time."""
    count = ev.table.triggers
    found = 0
    for k in range(count):
        if ev.values[TriggerValue.CLOCKS * count + 2 * k] > 0.0:
            found = max(found, is_due(ev, k, t))
    return found


@kernel(inline=False)
def next_breakpoint(w: Work, ev: Events) -> None:
    """Go from one time of change on to the next, if there is one: a corner, or a tick.

    Between two of them laws are asked for times inside only, so that a stage at either end
    sees the side that it belongs to. A tick within rounding of a corner is one with it.
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
def pass_visit(w: Work, ev: Events) -> None:
    """Go on to the next time to stop at if the present one was only to be visited.

    Laws are the same on both sides of it, so they may still be asked for times before it, as
    rows of output within the last step do.
    """
    k = ev.counts.breakpoint_next
    if has_breakpoint(w, ev) > 0 and w.t_stop == ev.breakpoints[k]:
        if ev.breakpoints[ev.counts.breakpoints + k] == Breakpoint.VISIT:
            if is_tick(ev, float(w.t_stop)) == 0:
                begun = float(w.t_from)
                next_breakpoint(w, ev)
                w.t_from = begun
