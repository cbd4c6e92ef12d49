"""Hits: what closes at speed, and the impulses of all rows at once."""

from __future__ import annotations

from math import fabs, inf

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, tail
from motorik.nonsmooth.application.mode_selection import (
    CLOSED,
    MOST_TANGENTS,
    SETTLED,
    WHOLE,
    ask,
    ask_of_impulses,
    begin_tangents,
    bound,
    code_of,
    is_curved,
    link,
    move_tangents,
    read_nothing,
    run_box,
)
from motorik.nonsmooth.detection.event_functions import still_speed
from motorik.nonsmooth.memory import (
    ASKED,
    EVENT_FUNCTIONS,
    Contact,
    ContactMode,
    EventFunctions,
    ForceLimit,
    Lcp,
    LcpData,
    asked_at,
    box_at,
    contact_at,
    count_size,
    scales_at,
    slopes_at,
)
from motorik.simulation.stepping.arguments import Events, Ode
from motorik.simulation.stepping.workspace import Work

# --- sign cases of lossy gears -------------------------------------------------------------


NO_DIRECTION = 1e-9  # of the speed before: a mean this slow has no direction
CASE_ITERATIONS = 4  # of pieces and directions, for each row


@kernel
def pieces_in_hit(ev: Events) -> Int:
    """Return how often pieces may be chosen anew in a hit, 0 if no row has any."""
    count = 0
    for k in range(ev.counts.contacts):
        count += int(ev.counts[contact_at(k) + Contact.at_ahead] > 0)
    return CASE_ITERATIONS * count


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
        mean = mean if fabs(mean) > NO_DIRECTION * fast else 0.0
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


# --- impulses ------------------------------------------------------------------------------


@kernel
def mean_speed(ev: Events, k: Int) -> Float:
    """Return the mean of the speeds of a row before and after the impulses of a hit.

    An impulse P does the work P (w⁻ + w⁺) / 2.
    """
    m = ev.counts.contacts
    asked = tail(ev.memory, asked_at(m))
    D = tail(asked, ASKED * m + k * m)
    impulses = tail(ev.memory, box_at(m) + Lcp.FORCE * m)
    speed = float(asked[ASKED * k])
    for j in range(m):
        speed += 0.5 * D[j] * impulses[j]
    return speed


RESTS = 1e-8  # of the largest speed seen: a rebound slower than this is none
GAINED = 1e-12  # part of the work of impulses that is rounding
# a rebound has to be higher than these parts of what rounding and tolerances leave of a gap
HIGHER, LOWEST = 2.0, 0.1
HALVINGS = 40  # of the part of rebounds that gains no energy


@kernel
def is_closed(ev: Events, k: Int) -> Int:
    """Return whether a row bears any impulse against its closing: a closed stop, a free wheel."""
    m = ev.counts.contacts
    row = LcpData.at(ev.memory, asked_at(m) + ASKED * k)
    if ev.counts[contact_at(k) + Contact.has_gap] == 0:
        return int(row.high == inf and row.on > 0.0)
    return int(
        row.gap
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
    row = LcpData.at(ev.memory, asked_at(m) + ASKED * k)
    box = tail(ev.memory, box_at(m))
    height = max(HIGHER * box[Lcp.GAP_ROUNDING * m + k], LOWEST * box[Lcp.GAP_TOL * m + k])
    speed = -row.speed * row.restitution
    if (
        speed
        <= RESTS * ev.memory[scales_at(m) + EVENT_FUNCTIONS * k + EventFunctions.speed]
    ):
        return 0
    return int(speed * speed > 2.0 * height * fabs(row.b))


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
        row = LcpData.at(asked, ASKED * k)
        speed = row.speed
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
        if ev.counts.coupled_bounds > 0 and row.on > 0.0:
            link(ev, k, ForceLimit.LOW, ForceLimit.HIGH)
            if ev.counts[contact_at(k) + Contact.pair] != -1:
                modes[m + k] = ForceLimit.LOW
            link_pieces(ev, k)
            modes[k] = 0 if closing > 0 else code_of(Contact.at(ev.counts, contact_at(k)))
        if holds and row.low == -inf:
            box[Lcp.LOW * m + k] = -inf
        if (holds and row.high == inf) or is_closed(ev, k) > 0:
            box[Lcp.HIGH * m + k] = inf
        later[k] = 0.0
        if closing > 0:
            if rebounds(ev, k) > 0:
                box[Lcp.REBOUND * m + k] = row.restitution * speed
            elif row.b < 0.0 and row.restitution < 1.0:
                later[k] = 2.0 * row.restitution * speed / (row.b * (1.0 - row.restitution))


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
