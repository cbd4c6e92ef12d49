"""Kernels: modes and impulses where limits are curved functions of the forces.

Friction in a bearing is bounded by μ times the norm of its reaction. The box problem is solved
with the tangents of the limits, at first without any force that switches, then at the forces
that were found, until these stay (Josephy and Newton): then the modes are those of the curved
limits. An impulse is a force that acts for a time so short that no other force matters.
"""

from __future__ import annotations

from math import fabs, inf, isfinite

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode
from motorik.simulation.methods.workspace import Work
from motorik.simulation.switching.choosing import ask, classify, hint_fired, is_linked
from motorik.simulation.switching.discs import choose, point_pairs
from motorik.simulation.switching.store import (
    Contact,
    ContactMode,
    Lcp,
    asked_at,
    box_at,
    contact_at,
    count_size,
    curved_at,
    held_at,
    slopes_at,
)
from motorik.system.switching_functions import ASKED, FED_BACK, SLOPES

MOST_TANGENTS = 40  # turns in which tangents follow the forces
WHOLE = 10  # of them with the whole step, then with half of it
SETTLED = 1e-10  # of all terms of a row: a change of its force less than this is none
ROUNDED = 1e-5  # of its limits, below which `SETTLED` parts of a force are rounding
FORCE_OF_IMPULSE = 1e20  # 1/s: impulses as forces, beside which others are lost to rounding


@kernel
def is_curved(ev: Events) -> Int:
    """Return whether limits are curved."""
    return int(ev.memory[curved_at(ev.counts.contacts)] > 0.0)


@kernel
def is_fed_back(ev: Events) -> Int:
    """Return whether accelerations are curved functions of the forces."""
    return int(ev.memory[curved_at(ev.counts.contacts)] == FED_BACK)


@kernel
def hold_readings(ev: Events) -> None:
    """Let D and slopes be those that impulses find: readings of curved laws are held."""
    m = ev.counts.contacts
    if is_fed_back(ev) > 0:
        D, held = (tail(ev.memory, asked_at(m) + ASKED * m), tail(ev.memory, held_at(m)))
        for k in range((1 + SLOPES) * m * m):
            D[k] = held[k]
        ev.counts.coupled_bounds = is_linked(ev)


@kernel
def read_nothing(ev: Events) -> None:
    """Let limits read no forces."""
    m = ev.counts.contacts
    slopes = tail(ev.memory, asked_at(m) + ASKED * m + m * m)
    for k in range(SLOPES * m * m):
        slopes[k] = 0.0
    ev.counts.coupled_bounds = is_linked(ev)


@kernel
def touch_at(ev: Events, p: Floats, factor: Float) -> None:
    """Let tangents be at the forces kept, times a factor."""
    m = ev.counts.contacts
    kept = tail(ev.memory, box_at(m) + Lcp.TANGENT * m)
    for k in range(m):
        place = ev.counts[contact_at(k) + Contact.at_force]
        p[place] = kept[k] * factor if factor > 0.0 else 0.0


@kernel(inline=False)
def ask_of_impulses(n: Int, w: Work, ode: Ode, ev: Events) -> None:
    """Ask for tangents at the impulses kept, beside which no other force matters.

    The accelerations stay those without any force that switches.
    """
    m = ev.counts.contacts
    asked, freely = (
        tail(ev.memory, asked_at(m)),
        tail(ev.memory, box_at(m) + Lcp.UNFORCED * m),
    )
    for k in range(m):
        freely[k] = asked[ASKED * k + ASKED - 1]
    touch_at(ev, ode.p, FORCE_OF_IMPULSE)
    ask(n, w, ode, ev)
    touch_at(ev, ode.p, 0.0)
    for k in range(m):
        asked[ASKED * k + ASKED - 1] = freely[k]
    hold_readings(ev)


@kernel
def terms_of(ev: Events, k: Int) -> Float:
    """Return the size of the terms of a row, as a force.

    What sticks has those of b + D λ, what is at a limit those of its force.
    """
    m = ev.counts.contacts
    box = tail(ev.memory, box_at(m))
    D, slopes = tail(ev.memory, asked_at(m) + ASKED * m), tail(ev.memory, slopes_at(m))
    own = fabs(D[k * (m + 1)])
    held, found = fabs(box[Lcp.B * m + k]), fabs(box[Lcp.FORCE * m + k])
    for side in range(2):  # what is lost beside its limits is no force
        limit = fabs(box[(Lcp.LOW + side) * m + k])
        found += ROUNDED * limit if isfinite(limit) else 0.0
    for j in range(m):
        force = fabs(box[Lcp.FORCE * m + j])
        held += fabs(D[k * m + j]) * force
        if ev.counts.coupled_bounds > 0:
            read = fabs(slopes[k * m + j]) + fabs(slopes[(m + k) * m + j])
            found += read * force
    sticks = ev.counts[count_size(m) + k] == ContactMode.STUCK
    return max(found, held / own) if sticks and own > 0.0 else found


@kernel(inline=False)
def move_tangents(ev: Events, part: Float) -> Float:
    """Move the forces kept by a part of the way to those found; return how far that was.

    That is the largest change of a force, against the terms of its row.
    """
    m = ev.counts.contacts
    box = tail(ev.memory, box_at(m))
    most = 0.0
    for k in range(m):
        change = float(box[Lcp.FORCE * m + k] - box[Lcp.TANGENT * m + k])
        box[Lcp.TANGENT * m + k] += part * change
        if change != 0.0:
            pair = ev.counts[contact_at(k) + Contact.pair]
            size = terms_of(ev, k)
            if pair != -1:
                size += terms_of(ev, pair if pair >= 0 else -2 - pair)
            far = fabs(change) / size if size > 0.0 else inf
            if far > most:
                most = far
                ev.counts.worst = k
    return most


@kernel
def begin_tangents(ev: Events) -> None:
    """Begin with no force that switches."""
    m = ev.counts.contacts
    for k in range(m):
        ev.memory[box_at(m) + Lcp.TANGENT * m + k] = 0.0


@kernel(inline=False)
def choose_all(n: Int, w: Work, ode: Ode, ev: Events, was_hit: Int) -> Int:
    """Choose the modes of all rows; return 0 if that is done."""
    begin_tangents(ev)
    for turn in range(MOST_TANGENTS):
        if turn > 0:
            touch_at(ev, ode.p, 1.0)
            ask(n, w, ode, ev)
            touch_at(ev, ode.p, 0.0)
        if ev.counts.cones > 0:
            point_pairs(ev, ode.p, was_hit)
        classify(ev, was_hit)
        hint_fired(ev)
        status = choose(ev, ode.p)
        if status != 0 or is_curved(ev) == 0:
            return status
        part = 1.0 if turn < WHOLE else 0.5
        if move_tangents(ev, part) <= SETTLED:
            return 0
    return 1
