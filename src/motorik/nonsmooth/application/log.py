"""Event log: lines for events and parameter changes, and the state before and after each instant.

An instant is a line of `instants`: its time, then x and the changing numbers of p, before and after
the event. Log lines refer to their instant by its number.
"""

from __future__ import annotations

from motorik.compiler.kernels import Float, Int, kernel, tail
from motorik.nonsmooth.memory import LogLine, instant_size
from motorik.simulation.stepping.step_kernels import copy
from motorik.simulation.stepping.workspace import (
    HEAD,
    Counts,
    EventArguments,
    Ode,
    Vec,
    Work,
)


@kernel
def has_room(ev: EventArguments) -> Int:
    """Return whether the log has room for one more event."""
    most = 200 * ev.counts.contacts + 60 * (ev.table.triggers + ev.table.assignments)
    if most > 0 and ev.counts.instant_next >= ev.counts.instant_room:
        return 0
    return int(ev.counts.log_next + most < ev.counts.log_room)


@kernel
def write_line(
    m: Counts,
    ev: EventArguments,
    t: Float,
    source: Int,
    before: Int,
    after: Int,
    impulse: Float,
    lost: Float,
) -> None:
    """Write a line of the log."""
    line = tail(ev.log, LogLine.SIZE * ev.counts.log_next)
    line[LogLine.TIME] = t
    line[LogLine.SOURCE] = source
    line[LogLine.BEFORE] = before
    line[LogLine.AFTER] = after
    line[LogLine.IMPULSE] = impulse
    written = m.grid_next
    if m.record_count > 0:  # at the start, the sample already written is replaced
        written = m.record_next - int(m.steps == 0)
    line[LogLine.OUTPUT] = ev.counts.output_taken + written
    line[LogLine.ENERGY_LOST] = lost
    line[LogLine.INSTANT] = ev.counts.instant_next
    ev.counts.log_next += 1
    ev.counts.events += int(source >= 0)


@kernel(inline=False)
def write_instant(n: Int, w: Work, ode: Ode, ev: EventArguments, is_after: Int) -> None:
    """Write the state before (0) or after (1) the event at t."""
    count = ev.counts.p_count
    instant = tail(ev.instants, instant_size(n, count) * ev.counts.instant_next)
    instant[0] = w.t
    place = tail(instant, 1 + is_after * (n + count))
    copy(n, tail(w, HEAD + Vec.X * n), place)
    copy(count, tail(ode.p, ev.counts.p_first), tail(place, n))
