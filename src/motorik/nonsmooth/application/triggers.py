"""Triggers: actions of conditions and clocks, and resets into penetration."""

from __future__ import annotations

from math import inf, isfinite

from motorik.compiler.kernels import Float, Floats, Int, Kernel, kernel, tail
from motorik.nonsmooth.application.log import write_line
from motorik.nonsmooth.detection.event_search import sample_contacts
from motorik.nonsmooth.detection.trigger_conditions import (
    evaluate_conditions,
    holds_now,
    is_due,
)
from motorik.nonsmooth.memory import (
    PER_ASSIGNMENT,
    AssignedTo,
    Contact,
    ContactState,
    Lcp,
    LogLine,
    TriggerEntry,
    TriggerKind,
    TriggerValue,
    contact_at,
    contact_state_at,
    lcp_at,
    trigger_at,
)
from motorik.simulation.stepping.workspace import (
    HEAD,
    Counts,
    EventArguments,
    Ode,
    Vec,
    Work,
)

# added to the number of changes where a reset or an impulse makes states jump
STATES_JUMP = 1 << 20


def make_triggers(
    set_parameter: Kernel[[Int, Work, Counts, Ode, EventArguments, Int, Float], None],
) -> Kernel[[Int, Work, Counts, Ode, EventArguments, Floats], Int]:
    """Return the kernel that fires the triggers due at t; it returns how many parameters changed.

    `STATES_JUMP` is added if states jump, so that sticking contacts may move. Values are computed
    before any is assigned: simultaneous triggers see the same state. `impulses` receives the
    impulses of contacts. Returns −1 if a value is not finite.
    """

    @kernel(inline=False)
    def mark_triggers(n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments) -> Int:
        """Mark in `values` which triggers act; return how many flags or actions there are."""
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
                    # at zero a condition keeps its value, as in a continued run
                    begins = 1.0 if value > 0.0 or (value == 0.0 and flag > 0.0) else 0.0
                    set_parameter(n, w, m, ode, ev, own.flag, begins)
                    if begins > 0.0 and own.acts_at_start > 0:
                        acts[k] = 1.0
                        changes += 1
                elif holds != flag and (holds > 0.0 or value != 0.0):
                    set_parameter(n, w, m, ode, ev, own.flag, holds)
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
    def trigger(
        n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments, impulses: Floats
    ) -> Int:
        x = tail(w, HEAD + Vec.X * n)
        count = ev.table.triggers
        acts = tail(ev.values, TriggerValue.ACTS * count)
        evaluate_conditions(w, ode, ev, w.t, x)
        if ev.counts.modes_known == 0:  # at the start conditions are evaluated at t itself
            w.t_call = w.t
            ev.trigger_conditions(tail(w, Work.t_call), x, ode.p, ev.values)
        changes = mark_triggers(n, w, m, ode, ev)
        acting = 0
        for k in range(count):
            if acts[k] > 0.0:
                acting = 1
        if acting == 0:
            return changes
        found = tail(ev.values, TriggerValue.ASSIGNED * count)
        w.t_call = max(w.t, w.t_from)
        ev.assignments(tail(w, Work.t_call), x, ode.p, found)
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
                        set_parameter(n, w, m, ode, ev, place, float(found[a]))
                    elif kind == AssignedTo.STATE:
                        x[place] = found[a]
                    else:
                        impulses[place] += found[a]
                    if (
                        kind != AssignedTo.PARAMETER
                        and changes >= 0
                        and changes < STATES_JUMP
                    ):
                        changes += STATES_JUMP
        return changes

    return trigger


# --- resets into penetration ---------------------------------------------------------------


@kernel
def resets_states(ev: EventArguments) -> Int:
    """Return whether a trigger assigns states while there are unilateral contacts."""
    found = 0
    if ev.table.triggers > 0 and ev.counts.contacts > 0:
        targets = tail(ev.table, trigger_at(ev.table.triggers))
        for a in range(ev.table.assignments):
            found = max(found, int(targets[PER_ASSIGNMENT * a] == AssignedTo.STATE))
    return found


@kernel(inline=False)
def least_gap(n: Int, w: Work, ode: Ode, ev: EventArguments) -> Float:
    """Return the least gap at the present state, and note its contact."""
    sample_contacts(w, ode, ev, w.t, tail(w, HEAD + Vec.X * n))
    least = inf
    for k in range(ev.counts.contacts):
        gap = float(ev.memory[contact_state_at(k) + ContactState.gap])
        if ev.counts[contact_at(k) + Contact.has_gap] > 0 and gap < least:
            least = gap
            ev.counts.worst = k
    return least


@kernel(inline=False)
def penetrates(n: Int, w: Work, ode: Ode, ev: EventArguments, before: Float) -> Int:
    """Return whether a gap has become negative, or more negative than the least before."""
    least, m = least_gap(n, w, ode, ev), ev.counts.contacts
    near = ev.memory[lcp_at(m) + Lcp.GAP_TOL * m + ev.counts.worst]
    return int(least < min(before, 0.0) - near)


@kernel(inline=False)
def keep_trigger_lines(ev: EventArguments, first: Int) -> None:
    """Remove contact events from the log from a line on: the reset did not take place."""
    kept = first
    for k in range(first, ev.counts.log_next):
        source = ev.log[LogLine.SIZE * k + LogLine.SOURCE]
        if source >= ev.counts.contacts:
            for i in range(LogLine.SIZE):
                ev.log[LogLine.SIZE * kept + i] = ev.log[LogLine.SIZE * k + i]
            kept += 1
        elif source >= 0.0:
            ev.counts.events -= 1
    ev.counts.log_next = kept
