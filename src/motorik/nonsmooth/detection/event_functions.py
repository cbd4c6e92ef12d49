"""Margins of nonsmooth constraints: none may become negative while its mode lasts."""

from __future__ import annotations

from math import fabs, inf, sqrt

from motorik.compiler.kernels import Float, Int, kernel, tail
from motorik.nonsmooth.memory import (
    ASKED,
    EVENT_FUNCTIONS,
    Contact,
    ContactMode,
    ContactState,
    EventFunctions,
    Lcp,
    asked_at,
    box_at,
    contact_at,
    margins_at,
    scales_at,
    shares_at,
    unarmed_at,
    watched_at,
)
from motorik.simulation.stepping.arguments import Events

PASSED = 1e-9  # of the largest gap seen: what is passed by more was hit on the way
STILL = 1e-11  # of the largest speed seen: this slow is at rest
STILL_TURNING = 1e-9  # … what slides in a plane and may turn
SLOWEST = 8.0  # tolerances of speed: what slides in a plane, turns and is slower may stop …
COARSE = 64.0  # … and what is slower than this, where friction stops it within a step
TURNS = 0.05  # it turns by more than this
SLACK = 1e-3  # of its limit, by which the share of what is held falls before it is taken up


@kernel
def write_margins(
    mode: Int, has_gap: Int, values: ContactState, seen: EventFunctions
) -> None:
    """Write the margins that a row has in its mode.

    `values` are its speed, force, limits, whether it is there, and its gap, or what
    `see_held` writes of what is held.
    """
    if mode == ContactMode.STUCK:
        seen.above_low = values.force - values.low
        seen.below_high = values.high - values.force
        seen.on = values.on
    elif mode == ContactMode.FREE:
        if has_gap > 0:
            seen.gap = values.gap
        else:
            seen.on = -values.on
    elif mode == ContactMode.IDLE or mode == ContactMode.HELD:
        seen.resting = -fabs(values.speed)
        if mode == ContactMode.HELD:
            seen.above_low = values.gap
            seen.on = values.on
    else:
        seen.speed = -values.speed if mode == ContactMode.BACKWARD else values.speed
        seen.on = values.on


@kernel
def creeping_speed(ev: Events, k: Int) -> Float:
    """Return the speed up to which a pair creeps, 0 if it does not; see `creeping`."""
    m = ev.counts.contacts
    box = tail(ev.memory, box_at(m))
    return box[Lcp.PACE * m + k] * (ev.memory.t_sample - box[Lcp.SINCE * m + k])


@kernel
def lag_of(ev: Events, k: Int) -> Float:
    """Return what lags of a pair that creeps, against what may; see `creeping`."""
    m = ev.counts.contacts
    along = ev.memory[watched_at(k)]
    creeps = creeping_speed(ev, k)
    if not creeps > max(along, 0.0) or ev.memory.fixed_step > 0.0:
        return 0.0
    box = tail(ev.memory, box_at(m))
    across = ev.memory[watched_at(ev.counts[contact_at(k) + Contact.pair])]
    turned = fabs(across) / creeps
    share = (ev.memory.t_sample - box[Lcp.SINCE * m + k]) / ev.memory.duration
    return (creeps - along) * turned * max(turned, share) / box[Lcp.LAG * m + k]


@kernel
def stopping_speed(ev: Events, k: Int, was_hit: Int) -> Float:
    """Return the speed of a pair that slides, below which steps may leave it to and fro.

    Explicit steps overshoot where friction stops a pair within one of them; their error
    control allows some tolerances of that, and the pair would never come to rest.
    """
    m = ev.counts.contacts
    lag = float(ev.memory[box_at(m) + Lcp.LAG * m + k])
    D = float(ev.memory[asked_at(m) + ASKED * m + k * (m + 1)])
    stopped = ev.memory.step_size * D * ev.memory[watched_at(k) + ContactState.high]
    return SLOWEST * lag if was_hit > 0 else max(SLOWEST * lag, min(stopped, COARSE * lag))


@kernel
def pair_speed(ev: Events, k: Int) -> Float:
    """Return the speed of a pair of rows that was asked."""
    m = ev.counts.contacts
    asked = tail(ev.memory, asked_at(m))
    along, across = (
        asked[ASKED * k],
        asked[ASKED * ev.counts[contact_at(k) + Contact.pair]],
    )
    return sqrt(along * along + across * across)


@kernel
def resting_speed(ev: Events, k: Int) -> Float:
    """Return the speed up to which a pair is at rest: rounding."""
    return (
        STILL_TURNING
        * ev.memory[
            scales_at(ev.counts.contacts) + EVENT_FUNCTIONS * k + EventFunctions.speed
        ]
    )


@kernel
def slowest(ev: Events, k: Int) -> Float:
    """Return the speed at which a pair that slides is looked at, 0 if it does not turn."""
    m = ev.counts.contacts
    box = tail(ev.memory, box_at(m))
    if box[Lcp.PACE * m + k] > 0.0 or box[Lcp.LAG * m + k] == 0.0:
        return 0.0
    ahead = max(float(ev.memory[watched_at(k)]), 0.0)
    across = fabs(ev.memory[watched_at(ev.counts[contact_at(k) + Contact.pair])])
    turned = across / (TURNS * ahead) if across < TURNS * ahead else 1.0
    return turned * stopping_speed(ev, k, 0)


@kernel(inline=False)
def write_pair_margins(ev: Events, k: Int, seen: EventFunctions) -> None:
    """Write the margins of a pair of rows: of a disc while it sticks, of its speed while it slips.

    The speed may turn by an eighth of a turn from the direction, which then is turned, too;
    what creeps has another speed by which it turns, and may not lag. What slides and turns is
    looked at where it is as slow as tolerances: friction turns it the faster the slower it is, so
    that explicit steps would follow it on and on. Without any friction there is none.
    """
    m = ev.counts.contacts
    mode = ev.counts[contact_at(k) + Contact.mode]
    values = ContactState.at(ev.memory, watched_at(k))
    across = ContactState.at(ev.memory, watched_at(ev.counts[contact_at(k) + Contact.pair]))
    box = tail(ev.memory, box_at(m))
    if mode == ContactMode.STUCK:
        seen.above_low = values.high - sqrt(
            values.force * values.force + across.force * across.force
        )
    elif mode == ContactMode.FORWARD and values.high > 0.0:
        ahead = max(float(values.speed), creeping_speed(ev, k))
        backward = values.speed + box[Lcp.SLOW * m + k]
        seen.speed = min(backward - slowest(ev, k), ahead - fabs(across.speed))
        if box[Lcp.PACE * m + k] > 0.0:
            seen.resting = 1.0 - lag_of(ev, k)


@kernel(inline=False)
def see_margins(ev: Events) -> None:
    """Write all margins of what was looked at: infinity where a row has no such margin now."""
    m = ev.counts.contacts
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        seen = EventFunctions.at(ev.memory, margins_at(m) + EVENT_FUNCTIONS * k)
        for j in range(EVENT_FUNCTIONS):
            seen[j] = inf
        if own.pair == -1:
            values = ContactState.at(ev.memory, watched_at(k))
            write_margins(own.mode, own.has_gap, values, seen)
        elif own.pair >= 0:
            write_pair_margins(ev, k, seen)


@kernel
def still_speed(ev: Events, k: Int) -> Float:
    """Return the speed of a row up to which it is at rest."""
    m = ev.counts.contacts
    fast = ev.memory[scales_at(m) + EVENT_FUNCTIONS * k + EventFunctions.speed]
    return STILL * fast + ev.memory[box_at(m) + Lcp.FLOOR * m + k]


@kernel
def closing(ev: Events, k: Int, gap: Float, size: Float) -> Float:
    """Return a gap against its scale; one passed by rounding that does not hit is no less than 0.

    What hits closes faster than the speed that counts as rest. A gap that has opened, and has not
    left its band yet, is known to tolerances only; if it opened at rest, so is its speed.
    """
    if size == 0.0:
        return 0.0
    m = ev.counts.contacts
    box = tail(ev.memory, box_at(m))
    still, deep = (
        float(still_speed(ev, k)),
        max(PASSED * size, box[Lcp.GAP_ROUNDING * m + k]),
    )
    below, far = (
        float(ev.memory[unarmed_at(m) + EVENT_FUNCTIONS * k + EventFunctions.gap]),
        gap,
    )
    if box[Lcp.LIFTED * m + k] > 0.0:
        still, deep = max(still, float(box[Lcp.SPEED_TOL * m + k])), max(deep, below)
    elif below > 0.0:
        far = gap + below - float(box[Lcp.GAP_TOL * m + k])  # from where it opened
        deep = max(deep, below)
    hits = ev.memory[watched_at(k)] < -still
    return far / size if far >= 0.0 or hits or far < -deep else 0.0


@kernel(inline=False)
def see_held(ev: Events) -> None:
    """Write of rows that others hold by how much they would give more, and no speed at rest.

    Both stand where gap and speed are.
    """
    m = ev.counts.contacts
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        if own.mode == ContactMode.HELD:
            values = ContactState.at(ev.memory, watched_at(k))
            shares = tail(ev.memory, shares_at(m) + k * m)
            beyond = float(values.force)
            for j in range(m):
                if shares[j] != 0.0:
                    beyond -= shares[j] * ev.memory[watched_at(j) + ContactState.force]
            values.gap = beyond * own.bound + SLACK * fabs(values.force)
            if not values.low < values.high:  # no other force is within its limits
                values.gap = inf
            if (
                fabs(values.speed)
                <= still_speed(ev, k) + ev.memory[box_at(m) + Lcp.SLOW * m + k]
            ):
                values.speed = 0.0
