"""Scales of margins: the largest values seen, and what counts as zero since the last event.

Only what the motion has come to counts. A step that is looked at may be cut by an event, and what
would be behind it, however large, has never been.
"""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import kernel, tail
from motorik.simulation.methods.arguments import Events
from motorik.simulation.switching.margins import creeping_speed
from motorik.simulation.switching.store import (
    CONDITION,
    CREEPING,
    KIND,
    MARGINS,
    PER_TRIGGER,
    ROWS,
    SCALE,
    SLOW,
    SPEED,
    START,
    TRIGGER,
    TRIGGERS,
    bases_at,
    box_at,
    margins_at,
    scales_at,
)
from motorik.system.switching_functions import WATCHED

FASTER = 4.0  # times the speed up to which it creeps: what is faster slides


@kernel(inline=False)
def widen(ev: Events) -> None:
    """Let scales take in what was looked at last, as the motion has come there."""
    m = ev.counts[ROWS]
    scales = tail(ev.memory, scales_at(m))
    for k in range(m):
        speed = float(ev.memory[START + WATCHED * k])
        scales[MARGINS * k + SPEED] = max(scales[MARGINS * k + SPEED], fabs(speed))
        creeps = creeping_speed(ev, k) if ev.counts[CREEPING] > 0 else 0.0
        if speed > FASTER * creeps and creeps > 0.0:  # from here on it may stop
            ev.memory[box_at(m) + SLOW * m + k] = 0.0
    seen = tail(ev.memory, margins_at(m))
    for place in range(MARGINS * m):
        if isfinite(seen[place]):
            scales[place] = max(scales[place], fabs(seen[place]))
    count = ev.table[TRIGGERS]
    for k in range(count):
        value = float(ev.values[k])
        if ev.table[TRIGGER + PER_TRIGGER * k + KIND] == CONDITION and isfinite(value):
            at = SCALE * count + k
            ev.values[at] = max(ev.values[at], fabs(value))


@kernel(inline=False)
def rebase(ev: Events) -> None:
    """Let margins that are negative by rounding count as zero from here on."""
    m = ev.counts[ROWS]
    bases, seen = tail(ev.memory, bases_at(m)), tail(ev.memory, margins_at(m))
    for place in range(MARGINS * m):
        bases[place] = min(0.0, float(seen[place])) if isfinite(seen[place]) else 0.0


@kernel(inline=False)
def release(ev: Events) -> None:
    """Let margins that have become positive count as they are.

    Not before a step is taken whole: were it cut, they might not be positive yet.
    """
    m = ev.counts[ROWS]
    bases, seen = tail(ev.memory, bases_at(m)), tail(ev.memory, margins_at(m))
    for place in range(MARGINS * m):
        if seen[place] > 0.0:
            bases[place] = 0.0
