"""Stops: times at which laws change, which no step passes."""

from __future__ import annotations

from math import fabs

from motorik.compiler.kernels import Floats, Int, kernel
from motorik.simulation.methods.arguments import Events
from motorik.simulation.methods.workspace import EPSILON, T_FROM, T_STOP, T_UPTO
from motorik.simulation.switching.store import (
    ASSIGNED,
    LOG_COUNT,
    LOG_NEXT,
    ROWS,
    STOP_COUNT,
    STOP_NEXT,
    TRIGGERS,
)

ASIDE = 8.0  # units in the last place by which laws are asked beside a time of change


@kernel
def can_happen(ev: Events) -> Int:
    """Return whether there are switching rows or triggers."""
    return int(ev.counts[ROWS] > 0 or ev.table[TRIGGERS] > 0)


@kernel
def has_room(ev: Events) -> Int:
    """Return whether the log has room for what one event may write."""
    most = 200 * ev.counts[ROWS] + 60 * (ev.table[TRIGGERS] + ev.table[ASSIGNED])
    return int(ev.counts[LOG_NEXT] + most < ev.counts[LOG_COUNT])


@kernel(inline=False)
def next_stop(w: Floats, ev: Events) -> Int:
    """Go from one time of change on to the next; return 0 if there is none any more.

    Between two of them laws are asked for times inside only, so that a stage at either end
    sees the side that it belongs to.
    """
    k = ev.counts[STOP_NEXT]
    if k + 1 >= ev.counts[STOP_COUNT]:
        return 0
    aside = ASIDE * EPSILON * fabs(ev.stops[k])
    w[T_FROM] = ev.stops[k] + aside
    k += 1
    ev.counts[STOP_NEXT] = k
    w[T_STOP] = ev.stops[k]
    w[T_UPTO] = ev.stops[k] - ASIDE * EPSILON * fabs(ev.stops[k])
    return 1
