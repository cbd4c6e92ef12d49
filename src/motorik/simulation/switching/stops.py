"""Stops: times at which laws change, which no step passes."""

from __future__ import annotations

from math import fabs

from motorik.compiler.kernels import Floats, Int, kernel
from motorik.simulation.methods.arguments import Events
from motorik.simulation.methods.workspace import EPSILON, T_FROM, T_STOP, T_UPTO
from motorik.simulation.switching.store import (
    ROWS,
    STOP_COUNT,
    STOP_NEXT,
    TRIGGERS,
)
from motorik.system.corners import UNITS


@kernel
def can_happen(ev: Events) -> Int:
    """Return whether there are switching rows or triggers."""
    return int(ev.counts[ROWS] > 0 or ev.table[TRIGGERS] > 0)


@kernel
def has_stop(ev: Events) -> Int:
    """Return whether laws change at the present time to stop at, and the run goes on."""
    return int(ev.counts[STOP_NEXT] + 1 < ev.counts[STOP_COUNT])


@kernel(inline=False)
def next_stop(w: Floats, ev: Events) -> None:
    """Go from one time of change on to the next, if there is one.

    Between two of them laws are asked for times inside only, so that a stage at either end
    sees the side that it belongs to.
    """
    k = ev.counts[STOP_NEXT]
    if has_stop(ev) == 0:
        return
    aside = UNITS * EPSILON * fabs(ev.stops[k])
    w[T_FROM] = ev.stops[k] + aside
    k += 1
    ev.counts[STOP_NEXT] = k
    w[T_STOP] = ev.stops[k]
    w[T_UPTO] = ev.stops[k] - UNITS * EPSILON * fabs(ev.stops[k])
