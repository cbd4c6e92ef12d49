"""Resets of states that put something beyond a stop, or into what it touches."""

from __future__ import annotations

from math import inf

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode
from motorik.simulation.methods.workspace import HEAD, T, X
from motorik.simulation.switching.store import (
    ASSIGNED,
    AT_X,
    EVENTS,
    GAP_TOL,
    HAS_GAP,
    LINE,
    LOG_NEXT,
    PER_ASSIGNMENT,
    PER_ROW,
    PER_TRIGGER,
    ROW,
    ROWS,
    START,
    TRIGGER,
    TRIGGERS,
    WORST,
    box_at,
)
from motorik.simulation.switching.watch import look_at
from motorik.system.switching_functions import WATCHED

AT_GAP = 5  # the place of the gap among what is watched of a row


@kernel
def resets_states(ev: Events) -> Int:
    """Return whether something that fires gives states other values, where rows have gaps."""
    found = 0
    if ev.table[TRIGGERS] > 0 and ev.counts[ROWS] > 0:
        targets = tail(ev.table, TRIGGER + PER_TRIGGER * ev.table[TRIGGERS])
        for a in range(ev.table[ASSIGNED]):
            found = max(found, int(targets[PER_ASSIGNMENT * a] == AT_X))
    return found


@kernel(inline=False)
def least_gap(n: Int, w: Floats, ode: Ode, ev: Events) -> Float:
    """Return the least gap of all rows at the present state, and note whose it is."""
    look_at(w, ode, ev, w[T], tail(w, HEAD + X * n))
    least = inf
    for k in range(ev.counts[ROWS]):
        gap = float(ev.memory[START + WATCHED * k + AT_GAP])
        if ev.counts[ROW + PER_ROW * k + HAS_GAP] > 0 and gap < least:
            least = gap
            ev.counts[WORST] = k
    return least


@kernel(inline=False)
def is_beyond(n: Int, w: Floats, ode: Ode, ev: Events, before: Float) -> Int:
    """Return whether a gap has become negative, or more so than the least of all was before."""
    least, m = least_gap(n, w, ode, ev), ev.counts[ROWS]
    near = ev.memory[box_at(m) + GAP_TOL * m + ev.counts[WORST]]
    return int(least < min(before, 0.0) - near)


@kernel(inline=False)
def keep_fired(ev: Events, first: Int) -> None:
    """Leave in the log, from a line on, only what has fired: the rest has not happened."""
    kept = first
    for k in range(first, ev.counts[LOG_NEXT]):
        row = ev.log[LINE * k + 1]
        if row >= ev.counts[ROWS]:
            for i in range(LINE):
                ev.log[LINE * kept + i] = ev.log[LINE * k + i]
            kept += 1
        elif row >= 0.0:
            ev.counts[EVENTS] -= 1
    ev.counts[LOG_NEXT] = kept
