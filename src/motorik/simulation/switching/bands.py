"""The scale table: by how much tolerances and rounding change speed and gap of each constraint.

Every constraint has its own scales, in its own unit. States beside the present one, by the
tolerances of all states with signs that differ from one to the next, tell how far its speed and
its gap are known: Σ |∂g/∂x_i| (atol_i + rtol |x_i|) without any derivative of g. States that g does
not read have no part in it, however large they are. Rounding is that part of it by which numbers
are finer than tolerances; and the time is known to some units in its last place only, within which
forces change speeds, and speeds change gaps.
"""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode
from motorik.simulation.methods.workspace import (
    ATOL,
    EPSILON,
    HEAD,
    RTOL,
    STAGE,
    T_CALL,
    T_FROM,
    T_UPTO,
    T,
    X,
)
from motorik.simulation.switching.store import (
    GAP_GRAIN,
    GAP_TOL,
    KNOWN,
    PROBES,
    ROWS,
    SPEED_GRAIN,
    SPEED_TOL,
    asked_at,
    box_at,
    probed_at,
)
from motorik.system.switching_functions import ASKED, WATCHED

UNITS = 16.0  # in the last place: what states and the time are known to
AT_START = 4  # probes before the first event; one more follows at each event
FADES = 0.9  # of a scale is left where the next probe shows less
GOLDEN, PLASTIC = 0.6180339887498949, 0.7548776662466927  # evenly spread fractions
SURE = 2.0  # a sum of sizes against one of terms with signs that differ


@kernel
def shift_of(i: Int, number: Int) -> Float:
    """Return by how many tolerances a probe changes a state: 3/4 to 1, up or down."""
    spread = (i + 1) * GOLDEN + (number + 1) * PLASTIC
    spread -= float(int(spread))
    return 0.5 + 0.5 * spread if spread >= 0.5 else -0.75 - 0.5 * spread


@kernel(inline=False)
def probe_state(n: Int, w: Floats, number: Int) -> None:
    """Write the present state, changed by tolerances, into STAGE."""
    x, atol = tail(w, HEAD + X * n), tail(w, HEAD + ATOL * n)
    beside = tail(w, HEAD + STAGE * n)
    for i in range(n):
        beside[i] = x[i] + shift_of(i, number) * (atol[i] + w[RTOL] * fabs(x[i]))


@kernel
def fineness(w: Floats) -> Float:
    """Return the rounding of a state against its tolerance."""
    return UNITS * EPSILON / max(float(w[RTOL]), UNITS * EPSILON)


@kernel
def widened(known: Float, change: Float) -> Float:
    """Return a scale that takes in what a probe shows."""
    return max(FADES * known, SURE * fabs(change)) if isfinite(change) else known


@kernel(inline=False)
def find_bands(n: Int, w: Floats, ode: Ode, ev: Events) -> None:
    """Write the scale table at the present state; the coupling was asked for there."""
    m = ev.counts[ROWS]
    box, asked = tail(ev.memory, box_at(m)), tail(ev.memory, asked_at(m))
    probed = tail(ev.memory, probed_at(m))
    w[T_CALL] = min(max(w[T], w[T_FROM]), w[T_UPTO])
    for _ in range(1 if ev.counts[KNOWN] > 0 else AT_START):
        probe_state(n, w, ev.counts[PROBES])
        ev.counts[PROBES] += 1
        ev.watched(tail(w, T_CALL), tail(w, HEAD + STAGE * n), ode.p, probed)
        for k in range(m):
            speed, gap = probed[WATCHED * k], probed[WATCHED * k + 5]
            at = SPEED_TOL * m + k
            box[at] = widened(float(box[at]), speed - asked[ASKED * k])
            at = GAP_TOL * m + k
            box[at] = widened(float(box[at]), gap - asked[ASKED * k + 6])
    find_grains(w, ev)


@kernel(inline=False)
def find_grains(w: Floats, ev: Events) -> None:
    """Write what rounding of states and of the time leaves of speeds and gaps."""
    m = ev.counts[ROWS]
    box, asked = tail(ev.memory, box_at(m)), tail(ev.memory, asked_at(m))
    fine, instant = fineness(w), UNITS * EPSILON * fabs(w[T])
    for k in range(m):
        row = tail(asked, ASKED * k)
        rate = fabs(row[8])
        for side in range(1, 3):
            if isfinite(row[side]):
                rate = max(rate, fabs(row[side] * asked[ASKED * m + k * (m + 1)]))
        box[SPEED_GRAIN * m + k] = max(fine * box[SPEED_TOL * m + k], instant * rate)
        box[GAP_GRAIN * m + k] = max(fine * box[GAP_TOL * m + k], instant * fabs(row[0]))
