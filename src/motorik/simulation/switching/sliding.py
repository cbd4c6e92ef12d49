"""Kernels: conditions of laws that may slide, seen from their rates on both sides.

Where a step leads over the border of a case, and the rates on both sides point at the border, the
motion may slide along it. Python decides then, by rates at the border itself.
"""

from __future__ import annotations

from math import fabs

from motorik.compiler.kernels import Int, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode
from motorik.simulation.methods.common import copy
from motorik.simulation.methods.workspace import Work
from motorik.simulation.switching.crossings import LawCondition, kept_at, look

# kept last of conditions: alarms to pass over, steps that come nearer and stay short
PASSED, STALLED = (
    LawCondition.TIME + 4,
    LawCondition.TIME + 5,
)  # vectors, three numbers further on
AFTER_TIME = 3
STALLS, NEARER = 6, 0.7  # steps in a row that come by this factor nearer to a border


@kernel(inline=False)
def find_sliding(n: Int, w: Work, ode: Ode, ev: Events) -> Int:
    """Return whether a condition may slide at T, and note which.

    Steps that are rejected where they lead over a border that both sides push to, or implicit
    ones, for which there is no solution, get shorter instead.
    """
    count, found = ev.table.law_conditions, tail(ev.values, kept_at(ev))
    if found[LawCondition.TIME * count] != w.t:
        copy(2 * count, found, tail(found, LawCondition.VALUE_OLD * count))
        look(n, w, ode, ev)
    passed = tail(found, PASSED * count + AFTER_TIME)
    stalled = tail(found, STALLED * count + AFTER_TIME)
    for k in range(count):
        kind = found[LawCondition.IS_POSITION * count + k]
        if kind == 0.0 or kind == 1.0:
            continue
        a, b = (
            float(found[LawCondition.VALUE_OLD * count + k]),
            float(found[LawCondition.VALUE * count + k]),
        )
        da = float(found[LawCondition.RATE_OLD * count + k])
        db = float(found[LawCondition.RATE * count + k])
        comes = a * da < 0.0 and b * db < 0.0
        if comes and a * b > 0.0 and fabs(b * da) < NEARER * fabs(a * db):
            stalled[k] += 1.0
        else:
            stalled[k] = 0.0
        leaves = a == 0.0 and b * db < 0.0  # from the border, and back at once
        if leaves or (comes and (a * b < 0.0 or stalled[k] >= float(STALLS))):
            stalled[k] = 0.0
            if passed[k] > 0.0:
                passed[k] -= 1.0
            else:
                ev.counts.worst = k
                return 1
    return 0
