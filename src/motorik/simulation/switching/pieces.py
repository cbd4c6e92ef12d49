"""Pieces: limits that read forces in one of two ways, as a lossy gear does by the side that drives.

In a hit the impulses decide which side drives, whatever the forces were before.
"""

from __future__ import annotations

from math import fabs

from motorik.compiler.kernels import Floats, Int, Ints, kernel, tail
from motorik.simulation.methods.arguments import Events
from motorik.simulation.switching.choosing import link
from motorik.simulation.switching.log import mean_speed
from motorik.simulation.switching.store import (
    Contact,
    ContactMode,
    ForceLimit,
    Lcp,
    asked_at,
    box_at,
    contact_at,
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
    for k in range(ev.counts.contacts):
        count += int(ev.counts[contact_at(k) + Contact.at_ahead] > 0)
    return MOST_TURNS * count


@kernel(inline=False)
def link_pieces(ev: Events, k: Int) -> None:
    """Let a row with pieces that moves resist as it moves; one at rest may move either way."""
    own = Contact.at(ev.counts, contact_at(k))
    if own.at_ahead == 0:
        return
    m = ev.counts.contacts
    chosen = tail(ev.counts, count_size(m) + m)
    if chosen[k] != ForceLimit.FORWARD and chosen[k] != ForceLimit.BACKWARD:
        chosen[k] = ForceLimit.LOW
        if own.mode == ContactMode.FORWARD:
            chosen[k] = ForceLimit.FORWARD
        elif own.mode == ContactMode.BACKWARD:
            chosen[k] = ForceLimit.BACKWARD
    if chosen[k] == ForceLimit.LOW:
        link(ev, k, ForceLimit.LOW, ForceLimit.HIGH)
    else:
        link(ev, k, chosen[k], chosen[k])


@kernel(inline=False)
def turn_pieces(ev: Events, p: Floats) -> Int:
    """Take the other piece of rows whose impulses do not resist; return how many changed.

    A row resists along the mean of its speeds before and after the hit, so it takes energy.
    """
    m = ev.counts.contacts
    chosen = tail(ev.counts, count_size(m) + m)
    impulses = tail(ev.memory, box_at(m) + Lcp.FORCE * m)
    changed = 0
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        if own.at_ahead == 0:
            continue
        low, high = 0.0, 0.0
        slopes = tail(ev.memory, slopes_at(m) + k * m)
        for j in range(m):
            low += slopes[j] * impulses[j]
            high += slopes[m * m + j] * impulses[j]
        mean, fast = mean_speed(ev, k), fabs(ev.memory[asked_at(m) + ASKED * k])
        mean = mean if fabs(mean) > STILL * fast else 0.0
        before = changed
        if chosen[k] == ForceLimit.FORWARD and mean < 0.0:
            chosen[k] = ForceLimit.BACKWARD
            changed += 1
        elif chosen[k] == ForceLimit.BACKWARD and mean > 0.0:
            chosen[k] = ForceLimit.FORWARD
            changed += 1
        if changed == before and chosen[k] != ForceLimit.BACKWARD and low > 0.0:
            take_other(p, own, 0)
            changed += 1
        elif changed == before and chosen[k] != ForceLimit.FORWARD and high < 0.0:
            take_other(p, own, 1)
            changed += 1
    return changed


@kernel
def take_other(p: Floats, own: Ints, side: Int) -> None:
    """Take the other piece of a row, forward (0) or backward (1), and note that."""
    place = own[Contact.at_ahead + side]
    p[place] = 1.0 - p[place]
    own[Contact.other_ahead + side] = 1 - own[Contact.other_ahead + side]


@kernel(inline=False)
def restore_pieces(ev: Events, p: Floats) -> None:
    """Take the pieces of before a hit: those after it are chosen by the forces there."""
    for k in range(ev.counts.contacts):
        own = tail(ev.counts, contact_at(k))
        for side in range(2):
            if own[Contact.other_ahead + side] > 0:
                take_other(p, own, side)
