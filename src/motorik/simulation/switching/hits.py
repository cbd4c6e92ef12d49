"""Hits: what closes at speed, and the impulses of all rows at once."""

from __future__ import annotations

from math import fabs, inf

from motorik.compiler.kernels import Float, Int, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode
from motorik.simulation.methods.workspace import Work
from motorik.simulation.switching.choosing import CLOSED, ask, bound, code_of, link, run_box
from motorik.simulation.switching.log import mean_speed
from motorik.simulation.switching.margins import still_speed
from motorik.simulation.switching.pieces import (
    link_pieces,
    pieces_in_hit,
    restore_pieces,
    turn_pieces,
)
from motorik.simulation.switching.store import (
    EVENT_FUNCTIONS,
    Contact,
    ContactMode,
    EventFunctions,
    ForceLimit,
    Lcp,
    asked_at,
    box_at,
    contact_at,
    count_size,
    scales_at,
)
from motorik.simulation.switching.tangents import (
    MOST_TANGENTS,
    SETTLED,
    WHOLE,
    ask_of_impulses,
    begin_tangents,
    is_curved,
    move_tangents,
    read_nothing,
)
from motorik.system.switching_functions import ASKED

RESTS = 1e-8  # of the largest speed seen: a rebound slower than this is none
GAINED = 1e-12  # part of the work of impulses that is rounding
# a rebound has to be higher than these parts of what rounding and tolerances leave of a gap
HIGHER, LOWEST = 2.0, 0.1
HALVINGS = 40  # of the part of rebounds that gains no energy


@kernel
def is_closed(ev: Events, k: Int) -> Int:
    """Return whether a row bears any impulse against its closing: a closed stop, a free wheel."""
    m = ev.counts.contacts
    row = tail(ev.memory, asked_at(m) + ASKED * k)
    if ev.counts[contact_at(k) + Contact.has_gap] == 0:
        return int(row[2] == inf and row[5] > 0.0)
    return int(
        row[6]
        <= CLOSED * ev.memory[scales_at(m) + EVENT_FUNCTIONS * k + EventFunctions.gap]
    )


@kernel
def is_hit(ev: Events, k: Int) -> Int:
    """Return whether a stop is closed and closing further, or a free wheel runs backward."""
    speed = float(ev.memory[asked_at(ev.counts.contacts) + ASKED * k])
    return int(is_closed(ev, k) > 0 and speed < -still_speed(ev, k))


@kernel
def rebounds(ev: Events, k: Int) -> Int:
    """Return whether what hits a stop leaves it again, by a height that can be told."""
    m = ev.counts.contacts
    row = tail(ev.memory, asked_at(m) + ASKED * k)
    box = tail(ev.memory, box_at(m))
    height = max(HIGHER * box[Lcp.GAP_ROUNDING * m + k], LOWEST * box[Lcp.GAP_TOL * m + k])
    speed = -row[0] * row[7]
    if (
        speed
        <= RESTS * ev.memory[scales_at(m) + EVENT_FUNCTIONS * k + EventFunctions.speed]
    ):
        return 0
    return int(speed * speed > 2.0 * height * fabs(row[8]))


@kernel(inline=False)
def prepare_hit(n: Int, w: Work, ev: Events) -> None:
    """Set the bounds of impulses, and what is left of rebounds that are too low.

    All that is closed takes part. Forces that have a bound give no impulse, unless the bound
    reads forces: then it reads impulses.
    """
    m = ev.counts.contacts
    asked = tail(ev.memory, asked_at(m))
    scales = tail(ev.memory, scales_at(m))
    box = tail(ev.memory, box_at(m))
    later = tail(box, Lcp.REBOUND_TIME * m)
    modes = tail(ev.counts, count_size(m))
    for k in range(m):
        row = tail(asked, ASKED * k)
        speed = row[0]
        closing = is_hit(ev, k)
        scales[EVENT_FUNCTIONS * k + EventFunctions.speed] = max(
            scales[EVENT_FUNCTIONS * k + EventFunctions.speed], fabs(speed)
        )
        mode = ev.counts[contact_at(k) + Contact.mode]
        holds = mode == ContactMode.STUCK or mode == ContactMode.HELD
        bound(ev, k, ForceLimit.NONE, ForceLimit.NONE)
        ev.counts[contact_at(k) + Contact.slip_phase] = 0
        box[Lcp.B * m + k], box[Lcp.REBOUND * m + k] = speed, 0.0
        box[Lcp.NOISE * m + k] = box[Lcp.FLOOR * m + k]
        modes[k] = 0 if closing > 0 else 1
        if ev.counts.coupled_bounds > 0 and row[5] > 0.0:
            link(ev, k, ForceLimit.LOW, ForceLimit.HIGH)
            if ev.counts[contact_at(k) + Contact.pair] != -1:
                modes[m + k] = ForceLimit.LOW
            link_pieces(ev, k)
            modes[k] = 0 if closing > 0 else code_of(Contact.at(ev.counts, contact_at(k)))
        if holds and row[1] == -inf:
            box[Lcp.LOW * m + k] = -inf
        if (holds and row[2] == inf) or is_closed(ev, k) > 0:
            box[Lcp.HIGH * m + k] = inf
        later[k] = 0.0
        if closing > 0:
            if rebounds(ev, k) > 0:
                box[Lcp.REBOUND * m + k] = row[7] * speed
            elif row[8] < 0.0 and row[7] < 1.0:
                later[k] = 2.0 * row[7] * speed / (row[8] * (1.0 - row[7]))


@kernel(inline=False)
def solve_hit(ev: Events, part: Float) -> Float:
    """Solve for impulses, with a part of all rebounds; return the kinetic energy gained.

    Infinity if no solution is found.
    """
    m = ev.counts.contacts
    box = tail(ev.memory, box_at(m))
    for k in range(m):
        box[Lcp.B * m + k] = (
            ev.memory[asked_at(m) + ASKED * k] + part * box[Lcp.REBOUND * m + k]
        )
    if run_box(ev) != 0:
        return inf
    gained, size = 0.0, 0.0
    for k in range(m):
        work = float(box[Lcp.FORCE * m + k]) * mean_speed(ev, k)
        gained += work
        size += fabs(work)
    return gained if gained > GAINED * size else 0.0


@kernel(inline=False)
def solve_pieces(n: Int, w: Work, ode: Ode, ev: Events, part: Float) -> Float:
    """Solve for impulses, with the side from which each lossy gear is driven by them.

    Return the kinetic energy gained, infinity if no solution is found.
    """
    gained = solve_hit(ev, part)
    for _ in range(pieces_in_hit(ev)):
        if gained == inf or turn_pieces(ev, ode.p) == 0:
            break
        ask(n, w, ode, ev)
        for k in range(ev.counts.contacts):
            link_pieces(ev, k)
        gained = solve_hit(ev, part)
    restore_pieces(ev, ode.p)
    return gained


@kernel(inline=False)
def solve_without_gain(n: Int, w: Work, ode: Ode, ev: Events) -> Float:
    """Solve for impulses that gain no energy; return what they gain, if even so they do.

    Infinity if no solution is found. Where friction would turn sliding into rebounds, all of
    these are lowered by one factor.
    """
    if solve_pieces(n, w, ode, ev, 1.0) <= 0.0:
        return 0.0
    lower, upper = 0.0, 1.0
    for _ in range(HALVINGS):
        part = 0.5 * (lower + upper)
        if solve_pieces(n, w, ode, ev, part) > 0.0:
            upper = part
        else:
            lower = part
    return solve_pieces(n, w, ode, ev, lower)


@kernel(inline=False)
def find_impulses(n: Int, w: Work, ode: Ode, ev: Events) -> Int:
    """Find the impulses of all rows at a hit; return 0 if that is done.

    Curved limits have no tangent where no impulse is: the first turn is without what they read.
    Tangents on the way may gain energy, those that are settled may not.
    """
    begin_tangents(ev)
    for turn in range(MOST_TANGENTS):
        if is_curved(ev) > 0:
            ask_of_impulses(n, w, ode, ev)
            if turn == 0:
                read_nothing(ev)
        prepare_hit(n, w, ev)
        gained = solve_without_gain(n, w, ode, ev)
        if gained == inf or is_curved(ev) == 0:
            return int(gained > 0.0)
        part = 1.0 if turn < WHOLE else 0.5
        if move_tangents(ev, part) <= SETTLED and turn > 0:
            return int(gained > 0.0)
    return 1
