"""Pieces: limits that read forces in one of two ways, as a lossy gear does by the side that drives.

In a hit the impulses decide which side drives, whatever the forces were before.
"""

from __future__ import annotations

from math import fabs

from motorik.compiler.kernels import Floats, Int, Ints, kernel, tail
from motorik.simulation.methods.arguments import Events
from motorik.simulation.switching.choosing import (
    AT_HIGH,
    AT_LOW,
    GOES_BACKWARD,
    GOES_FORWARD,
    link,
)
from motorik.simulation.switching.log import mean_speed
from motorik.simulation.switching.store import (
    AT_AHEAD,
    BACKWARD,
    FORCE,
    FORWARD,
    MODE,
    OTHER_AHEAD,
    PER_ROW,
    ROW,
    ROWS,
    asked_at,
    box_at,
    count_size,
    slopes_at,
)
from motorik.system.switching_functions import ASKED

STILL = 1e-9  # of the speed before: a mean this slow has no direction
MOST_TURNS = 4  # of pieces and directions, for each row


@kernel
def pieces_in_hit(ev: Events) -> Int:
    """Return how often pieces may be chosen anew in a hit, 0 if no row has any."""
    count = 0
    for k in range(ev.counts[ROWS]):
        count += int(ev.counts[ROW + PER_ROW * k + AT_AHEAD] > 0)
    return MOST_TURNS * count


@kernel(inline=False)
def link_pieces(ev: Events, k: Int) -> None:
    """Let a row with pieces that moves resist as it moves; one at rest may move either way."""
    own = tail(ev.counts, ROW + PER_ROW * k)
    if own[AT_AHEAD] == 0:
        return
    m = ev.counts[ROWS]
    chosen = tail(ev.counts, count_size(m) + m)
    if chosen[k] != GOES_FORWARD and chosen[k] != GOES_BACKWARD:
        chosen[k] = AT_LOW
        if own[MODE] == FORWARD:
            chosen[k] = GOES_FORWARD
        elif own[MODE] == BACKWARD:
            chosen[k] = GOES_BACKWARD
    if chosen[k] == AT_LOW:
        link(ev, k, AT_LOW, AT_HIGH)
    else:
        link(ev, k, chosen[k], chosen[k])


@kernel(inline=False)
def turn_pieces(ev: Events, p: Floats) -> Int:
    """Take the other piece of rows whose impulses do not resist; return how many changed.

    A row resists along the mean of its speeds before and after the hit, so it takes energy.
    """
    m = ev.counts[ROWS]
    chosen = tail(ev.counts, count_size(m) + m)
    impulses = tail(ev.memory, box_at(m) + FORCE * m)
    changed = 0
    for k in range(m):
        own = tail(ev.counts, ROW + PER_ROW * k)
        if own[AT_AHEAD] == 0:
            continue
        low, high = 0.0, 0.0
        slopes = tail(ev.memory, slopes_at(m) + k * m)
        for j in range(m):
            low += slopes[j] * impulses[j]
            high += slopes[m * m + j] * impulses[j]
        mean, fast = mean_speed(ev, k), fabs(ev.memory[asked_at(m) + ASKED * k])
        mean = mean if fabs(mean) > STILL * fast else 0.0
        before = changed
        if chosen[k] == GOES_FORWARD and mean < 0.0:
            chosen[k] = GOES_BACKWARD
            changed += 1
        elif chosen[k] == GOES_BACKWARD and mean > 0.0:
            chosen[k] = GOES_FORWARD
            changed += 1
        if changed == before and chosen[k] != GOES_BACKWARD and low > 0.0:
            take_other(p, own, 0)
            changed += 1
        elif changed == before and chosen[k] != GOES_FORWARD and high < 0.0:
            take_other(p, own, 1)
            changed += 1
    return changed


@kernel
def take_other(p: Floats, own: Ints, side: Int) -> None:
    """Take the other piece of a row, forward (0) or backward (1), and note that."""
    place = own[AT_AHEAD + side]
    p[place] = 1.0 - p[place]
    own[OTHER_AHEAD + side] = 1 - own[OTHER_AHEAD + side]


@kernel(inline=False)
def restore_pieces(ev: Events, p: Floats) -> None:
    """Take the pieces of before a hit: those after it are chosen by the forces there."""
    for k in range(ev.counts[ROWS]):
        own = tail(ev.counts, ROW + PER_ROW * k)
        for side in range(2):
            if own[OTHER_AHEAD + side] > 0:
                take_other(p, own, side)
