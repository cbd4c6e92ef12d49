"""Conditions and clocks of triggers: their values, and when they change."""

from __future__ import annotations

from math import fabs, inf, isfinite

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.nonsmooth.memory import (
    TriggerEntry,
    TriggerKind,
    TriggerValue,
    trigger_at,
)
from motorik.numerics.tolerances import EVENT_ZERO, TIME_ROUNDING
from motorik.simulation.stepping.workspace import EventArguments, Ode, Work


@kernel
def evaluate_conditions(w: Work, ode: Ode, ev: EventArguments, t: Float, x: Floats) -> None:
    """Evaluate all trigger conditions and their rates."""
    w.t_call = min(max(t, w.t_from), w.t_upto)
    ev.trigger_conditions(tail(w, Work.t_call), x, ode.p, ev.values)


@kernel
def falls_back(ev: EventArguments, k: Int) -> Int:
    """Return whether a condition holds by rounding only, and decreases: its own action undid it."""
    count = ev.table.triggers
    near = 2.0 * EVENT_ZERO * ev.values[TriggerValue.SCALE * count + k]
    return int(
        ev.values[TriggerValue.VALUE * count + k] <= near
        and ev.values[TriggerValue.RATE * count + k] < 0.0
    )


@kernel
def holds_now(ev: EventArguments, k: Int) -> Int:
    """Return whether a condition holds from now on: it is positive, or zero and increasing.

    Zero is within two tolerances.
    """
    count = ev.table.triggers
    value = float(ev.values[TriggerValue.VALUE * count + k])
    if ev.values[TriggerValue.RATE * count + k] > 0.0:
        return int(value >= -2.0 * EVENT_ZERO * ev.values[TriggerValue.SCALE * count + k])
    return int(value > 0.0 and falls_back(ev, k) == 0)


@kernel(inline=False)
def nearest_condition(p: Floats, ev: EventArguments) -> Float:
    """Return the least distance of a condition from its change, relative to its scale."""
    count = ev.table.triggers
    scales = tail(ev.values, TriggerValue.SCALE * count)
    least = inf
    for k in range(count):
        own = TriggerEntry.at(ev.table, trigger_at(k))
        if own.kind == TriggerKind.CONDITION:
            value = float(ev.values[k])
            size = max(float(scales[k]), fabs(value))
            holds = p[own.flag] > 0.0
            margin = value if holds else -value
            if not isfinite(value):
                least = -1.0
            elif size > 0.0:
                if not holds and falls_back(ev, k) > 0:
                    margin = 0.0
                least = min(least, margin / size + EVENT_ZERO)
    return least


@kernel(inline=False)
def begins_here(p: Floats, ev: EventArguments) -> Int:
    """Return whether a condition increases through zero at the end of a step, up to rounding."""
    count = ev.table.triggers
    for k in range(count):
        own = TriggerEntry.at(ev.table, trigger_at(k))
        if own.kind == TriggerKind.CONDITION and p[own.flag] == 0.0:
            near = EVENT_ZERO * ev.values[TriggerValue.SCALE * count + k]
            if ev.values[TriggerValue.VALUE_OLD * count + k] >= -near:
                if ev.values[TriggerValue.RATE_OLD * count + k] > 0.0:
                    return 1
    return 0


@kernel
def is_due(ev: EventArguments, k: Int, t: Float) -> Int:
    """Return whether a clock ticks at a time."""
    count = ev.table.triggers
    own = TriggerEntry.at(ev.table, trigger_at(k))
    clock = tail(ev.values, TriggerValue.CLOCKS * count + 2 * k)
    tick = clock[1] + own.ticks * clock[0]
    return int(t >= tick - TIME_ROUNDING * fabs(tick))


@kernel
def store_conditions(ev: EventArguments) -> None:
    """Store the last sample as the one before."""
    count = ev.table.triggers
    for k in range(2 * count):
        ev.values[TriggerValue.VALUE_OLD * count + k] = ev.values[k]
