"""Triggers: conditions and clocks that fire, and the numbers that they change."""

from __future__ import annotations

from math import fabs, inf, isfinite

from motorik.compiler.kernels import Float, Floats, Int, Kernel, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode
from motorik.simulation.methods.workspace import EPSILON, HEAD, Counts, Vec, Work
from motorik.simulation.switching.log import write_line
from motorik.simulation.switching.store import (
    PER_ASSIGNMENT,
    AssignedTo,
    TriggerEntry,
    TriggerKind,
    TriggerValue,
    trigger_at,
)
from motorik.system.corners import UNITS

# added to the number of changes where a reset or an impulse makes states jump
JUMPS = 1 << 20
TOLERANCE = 1e-13  # of the largest value seen: a margin or condition is passed beyond it


@kernel
def ask_conditions(w: Work, ode: Ode, ev: Events, t: Float, x: Floats) -> None:
    """Compute the values of all conditions."""
    w.t_call = min(max(t, w.t_from), w.t_upto)
    ev.conditions(tail(w, Work.t_call), x, ode.p, ev.values)


@kernel
def turns_back(ev: Events, k: Int) -> Int:
    """Return whether a condition holds by rounding only, and falls: what it did undid it."""
    count = ev.table.triggers
    near = 2.0 * TOLERANCE * ev.values[TriggerValue.SCALE * count + k]
    return int(
        ev.values[TriggerValue.VALUE * count + k] <= near
        and ev.values[TriggerValue.RATE * count + k] < 0.0
    )


@kernel
def holds_now(ev: Events, k: Int) -> Int:
    """Return whether a condition holds from now on: it is positive, or zero and rising.

    Zero is what is no further below than two tolerances.
    """
    count = ev.table.triggers
    value = float(ev.values[TriggerValue.VALUE * count + k])
    if ev.values[TriggerValue.RATE * count + k] > 0.0:
        return int(value >= -2.0 * TOLERANCE * ev.values[TriggerValue.SCALE * count + k])
    return int(value > 0.0 and turns_back(ev, k) == 0)


@kernel(inline=False)
def least_condition(p: Floats, ev: Events) -> Float:
    """Return how far the nearest condition is from changing, against its scale."""
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
                if not holds and turns_back(ev, k) > 0:
                    margin = 0.0
                least = min(least, margin / size + TOLERANCE)
    return least


@kernel(inline=False)
def begins_here(p: Floats, ev: Events) -> Int:
    """Return whether a condition rises through zero just where a step ends, but for rounding."""
    count = ev.table.triggers
    for k in range(count):
        own = TriggerEntry.at(ev.table, trigger_at(k))
        if own.kind == TriggerKind.CONDITION and p[own.flag] == 0.0:
            near = TOLERANCE * ev.values[TriggerValue.SCALE * count + k]
            if ev.values[TriggerValue.VALUE_OLD * count + k] >= -near:
                if ev.values[TriggerValue.RATE_OLD * count + k] > 0.0:
                    return 1
    return 0


@kernel
def is_due(ev: Events, k: Int, t: Float) -> Int:
    """Return whether a clock ticks at a time."""
    count = ev.table.triggers
    own = TriggerEntry.at(ev.table, trigger_at(k))
    clock = tail(ev.values, TriggerValue.CLOCKS * count + 2 * k)
    tick = clock[1] + own.ticks * clock[0]
    return int(t >= tick - UNITS * EPSILON * fabs(tick))


@kernel
def keep_conditions(ev: Events) -> None:
    """Keep what was looked at last as what was before."""
    count = ev.table.triggers
    for k in range(2 * count):
        ev.values[TriggerValue.VALUE_OLD * count + k] = ev.values[k]


def make_fire(
    set_number: Kernel[[Int, Work, Counts, Ode, Events, Int, Float], None],
) -> Kernel[[Int, Work, Counts, Ode, Events, Floats], Int]:
    """Return the kernel that lets fire what does at T; it returns how many numbers changed.

    It is `JUMPS` more if states jump, so that what sticks may move.
    Values are computed before any is changed, so all that fire together see the same state.
    `impulses` takes what is to be given to rows. It returns −1 if a value is not finite.
    """

    @kernel(inline=False)
    def decide(n: Int, w: Work, m: Counts, ode: Ode, ev: Events) -> Int:
        """Mark in `values` which triggers act; return how many flags or acts there are."""
        count = ev.table.triggers
        acts = tail(ev.values, TriggerValue.ACTS * count)
        changes = 0
        for k in range(count):
            own = TriggerEntry.at(ev.table, trigger_at(k))
            acts[k] = 0.0
            if own.kind == TriggerKind.CONDITION:
                value, flag = float(ev.values[k]), float(ode.p[own.flag])
                holds = 1.0 if holds_now(ev, k) > 0 else 0.0
                if ev.counts.modes_known == 0:
                    # zero holds where it did before, as where a run goes on
                    begins = 1.0 if value > 0.0 or (value == 0.0 and flag > 0.0) else 0.0
                    set_number(n, w, m, ode, ev, own.flag, begins)
                elif holds != flag and (holds > 0.0 or value != 0.0):
                    set_number(n, w, m, ode, ev, own.flag, holds)
                    if holds > 0.0:
                        write_line(m, ev, w.t, ev.counts.contacts + k, 0, 1, 0.0, 0.0)
                    acts[k] = holds
                    changes += 1
            elif is_due(ev, k, w.t) > 0:
                own.ticks += 1
                if own.kind == TriggerKind.CLOCK:
                    acts[k] = 1.0
                    changes += 1
                if own.kind == TriggerKind.FUNCTION:
                    own.pending = 1
            if acts[k] > 0.0 and own.stops > 0:
                ev.table.stopped_by = k + 1
        return changes

    @kernel(inline=False)
    def fire(n: Int, w: Work, m: Counts, ode: Ode, ev: Events, impulses: Floats) -> Int:
        x = tail(w, HEAD + Vec.X * n)
        count = ev.table.triggers
        acts = tail(ev.values, TriggerValue.ACTS * count)
        ask_conditions(w, ode, ev, w.t, x)
        if ev.counts.modes_known == 0:  # what holds at the start is told by the time itself
            w.t_call = w.t
            ev.conditions(tail(w, Work.t_call), x, ode.p, ev.values)
        changes = decide(n, w, m, ode, ev)
        acting = 0
        for k in range(count):
            if acts[k] > 0.0:
                acting = 1
        if acting == 0:
            return changes
        found = tail(ev.values, TriggerValue.ASSIGNED * count)
        w.t_call = max(w.t, w.t_from)
        ev.assigned(tail(w, Work.t_call), x, ode.p, found)
        targets = tail(ev.table, trigger_at(count))
        for k in range(count):
            own = TriggerEntry.at(ev.table, trigger_at(k))
            if acts[k] > 0.0:
                for a in range(own.first, own.first + own.count):
                    if not isfinite(found[a]):
                        changes = -1
                    kind, place = (
                        targets[PER_ASSIGNMENT * a],
                        targets[PER_ASSIGNMENT * a + 1],
                    )
                    if kind == AssignedTo.PARAMETER:
                        set_number(n, w, m, ode, ev, place, float(found[a]))
                    elif kind == AssignedTo.STATE:
                        x[place] = found[a]
                    else:
                        impulses[place] += found[a]
                    if kind != AssignedTo.PARAMETER and changes >= 0 and changes < JUMPS:
                        changes += JUMPS
        return changes

    return fire
