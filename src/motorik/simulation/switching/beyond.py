"""Resets of states that put something beyond a stop, or into what it touches."""

from __future__ import annotations

from math import inf

from motorik.compiler.kernels import Float, Int, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode
from motorik.simulation.methods.workspace import HEAD, Vec, Work
from motorik.simulation.switching.store import (
    PER_ASSIGNMENT,
    AssignedTo,
    Contact,
    Lcp,
    LogLine,
    box_at,
    contact_at,
    trigger_at,
    watched_at,
)
from motorik.simulation.switching.watch import look_at

AT_GAP = 5  # the place of the gap among what is watched of a row


@kernel
def resets_states(ev: Events) -> Int:
    """Return whether something that fires gives states other values, where rows have gaps."""
    found = 0
    if ev.table.triggers > 0 and ev.counts.contacts > 0:
        targets = tail(ev.table, trigger_at(ev.table.triggers))
        for a in range(ev.table.assignments):
            found = max(found, int(targets[PER_ASSIGNMENT * a] == AssignedTo.STATE))
    return found


@kernel(inline=False)
def least_gap(n: Int, w: Work, ode: Ode, ev: Events) -> Float:
    """Return the least gap of all rows at the present state, and note whose it is."""
    look_at(w, ode, ev, w.t, tail(w, HEAD + Vec.X * n))
    least = inf
    for k in range(ev.counts.contacts):
        gap = float(ev.memory[watched_at(k) + AT_GAP])
        if ev.counts[contact_at(k) + Contact.has_gap] > 0 and gap < least:
            least = gap
            ev.counts.worst = k
    return least


@kernel(inline=False)
def is_beyond(n: Int, w: Work, ode: Ode, ev: Events, before: Float) -> Int:
    """Return whether a gap has become negative, or more so than the least of all was before."""
    least, m = least_gap(n, w, ode, ev), ev.counts.contacts
    near = ev.memory[box_at(m) + Lcp.GAP_TOL * m + ev.counts.worst]
    return int(least < min(before, 0.0) - near)


@kernel(inline=False)
def keep_fired(ev: Events, first: Int) -> None:
    """Leave in the log, from a line on, only what has fired: the rest has not happened."""
    kept = first
    for k in range(first, ev.counts.log_next):
        row = ev.log[LogLine.SIZE * k + LogLine.SOURCE]
        if row >= ev.counts.contacts:
            for i in range(LogLine.SIZE):
                ev.log[LogLine.SIZE * kept + i] = ev.log[LogLine.SIZE * k + i]
            kept += 1
        elif row >= 0.0:
            ev.counts.events -= 1
    ev.counts.log_next = kept
