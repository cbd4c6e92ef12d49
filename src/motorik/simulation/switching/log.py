"""Log: a line for each thing that happens, and the state on both sides of each instant.

An instant is a row of `moments`: its time, then x and the numbers of p that events change,
before and after. Lines name their instant by its number.
"""

from __future__ import annotations

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode
from motorik.simulation.methods.common import copy
from motorik.simulation.methods.workspace import (
    GRID_NEXT,
    HEAD,
    RECORD_COUNT,
    RECORD_NEXT,
    STEPS,
    T,
    X,
)
from motorik.simulation.switching.store import (
    ASSIGNED,
    EVENTS,
    FORCE,
    LINE,
    LOG_COUNT,
    LOG_NEXT,
    MOMENT_COUNT,
    MOMENT_NEXT,
    P_COUNT,
    P_FIRST,
    ROWS,
    TRIGGERS,
    WRITTEN,
    asked_at,
    box_at,
)
from motorik.system.switching_functions import ASKED


@kernel
def has_room(ev: Events) -> Int:
    """Return whether there is room for what one event may write."""
    most = 200 * ev.counts[ROWS] + 60 * (ev.table[TRIGGERS] + ev.table[ASSIGNED])
    if most > 0 and ev.counts[MOMENT_NEXT] >= ev.counts[MOMENT_COUNT]:
        return 0
    return int(ev.counts[LOG_NEXT] + most < ev.counts[LOG_COUNT])


@kernel
def write_line(
    m: Ints,
    ev: Events,
    t: Float,
    row: Int,
    before: Int,
    after: Int,
    impulse: Float,
    lost: Float,
) -> None:
    """Write a line of the log."""
    line = tail(ev.log, LINE * ev.counts[LOG_NEXT])
    line[0] = t
    line[1] = row
    line[2] = before
    line[3] = after
    line[4] = impulse
    written = m[GRID_NEXT]
    if m[RECORD_COUNT] > 0:  # at the start, the row that is written is put right
        written = m[RECORD_NEXT] - int(m[STEPS] == 0)
    line[5] = ev.counts[WRITTEN] + written
    line[6] = lost
    line[7] = ev.counts[MOMENT_NEXT]
    ev.counts[LOG_NEXT] += 1
    ev.counts[EVENTS] += int(row >= 0)


@kernel
def mean_speed(ev: Events, k: Int) -> Float:
    """Return the mean of the speeds of a row before and after the impulses of a hit.

    An impulse P does the work P (w⁻ + w⁺) / 2.
    """
    m = ev.counts[ROWS]
    asked = tail(ev.memory, asked_at(m))
    D = tail(asked, ASKED * m + k * m)
    impulses = tail(ev.memory, box_at(m) + FORCE * m)
    speed = float(asked[ASKED * k])
    for j in range(m):
        speed += 0.5 * D[j] * impulses[j]
    return speed


@kernel
def moment_size(n: Int, count: Int) -> Int:
    """Return the numbers of an instant: n states and so many numbers of p on both sides."""
    return 1 + 2 * (n + count)


@kernel(inline=False)
def write_side(n: Int, w: Floats, ode: Ode, ev: Events, side: Int) -> None:
    """Write the state before (side 0) or after (1) what happens at T."""
    count = ev.counts[P_COUNT]
    moment = tail(ev.moments, moment_size(n, count) * ev.counts[MOMENT_NEXT])
    moment[0] = w[T]
    place = tail(moment, 1 + side * (n + count))
    copy(n, tail(w, HEAD + X * n), place)
    copy(count, tail(ode.p, ev.counts[P_FIRST]), tail(place, n))
