"""How far a step may go before a function of the user changes by a case."""

from __future__ import annotations

from math import fabs, inf

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode
from motorik.simulation.methods.common import smallest_step
from motorik.simulation.methods.workspace import HEAD, T_CALL, T_FROM, T_OLD, T_UPTO, T, X
from motorik.simulation.switching.store import ASSIGNED, CROSSED, NUMBERS, TRIGGERS

BEYOND = 1.001  # of the time to a crossing: so far a step leads, to end behind it
SHORTER, LONGER = 0.1, 2.0  # times the last step is allowed, the latter behind a crossing
BEFORE, NEAR, WELL_BEYOND = 0.9, 0.2, 1.5  # of the time, and of the last step
FEW = 64.0  # times the smallest step: no less is asked for


@kernel(inline=False)
def time_to_crossing(n: Int, w: Floats, ode: Ode, ev: Events, explicit: Int) -> Float:
    """Return how long a step may be that ends where the first condition becomes zero.

    Conditions go on at their rates. An implicit step cannot end at a case that its own end
    decides: it stops before it, and then leads well beyond.

    Steps that end there come nearer, as Newton's method does, and then pass by little; so no
    step leads from one side of a short case to the other. What the last step has passed may
    be passed again by longer steps: a force that keeps changing its sign at rest is followed as
    far as the error allows.
    """
    count = ev.table[CROSSED]
    found = tail(ev.values, NUMBERS * ev.table[TRIGGERS] + ev.table[ASSIGNED] + 1)
    w[T_CALL] = min(max(w[T], w[T_FROM]), w[T_UPTO])
    ev.crossed(tail(w, T_CALL), tail(w, HEAD + X * n), ode.p, found)
    room, last = inf, w[T] - w[T_OLD]
    for k in range(count):
        value, rate = float(found[k]), float(found[count + k])
        if value * rate < 0.0:
            ahead = fabs(value / rate)
            step = max(BEYOND * ahead, SHORTER * last)
            if explicit == 0:
                step = (BEFORE if ahead > NEAR * last else WELL_BEYOND) * ahead
            if value * found[2 * count + k] < 0.0:
                step = max(step, LONGER * last)
            room = min(room, step)
        found[2 * count + k] = value
    return max(room, FEW * smallest_step(w))
