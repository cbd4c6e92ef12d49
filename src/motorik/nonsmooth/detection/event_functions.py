"""Event functions of contacts: each is positive while the mode of its contact is consistent."""

from __future__ import annotations

from math import fabs, inf, sqrt

from motorik.compiler.kernels import Float, Int, kernel, tail
from motorik.nonsmooth.memory import (
    EVENT_FUNCTIONS,
    LCP_DATA,
    Contact,
    ContactMode,
    ContactState,
    EventFunctions,
    Lcp,
    contact_at,
    contact_state_at,
    event_functions_at,
    lcp_at,
    lcp_data_at,
    load_shares_at,
    scales_at,
    unarmed_at,
)
from motorik.numerics.tolerances import AT_REST, AT_REST_IN_PLANE, PASSED_GAP
from motorik.simulation.stepping.workspace import EventArguments

SLOWEST = 8.0  # tolerances of speed: a turning, sliding disk that is slower may stop …
COARSE = 64.0  # … and one slower than this, where friction stops it within a step
TURNS = 0.05  # angle [rad] by which it turns then
SLACK = 1e-3  # hysteresis of load shares, against chattering from integration error


@kernel
def write_event_functions(
    mode: Int, has_gap: Int, values: ContactState, functions: EventFunctions
) -> None:
    """Write the event functions of a contact in its mode.

    Of a saturated contact, `write_saturated` has replaced gap and speed.
    """
    if mode == ContactMode.STUCK:
        functions.above_low = values.force - values.low
        functions.below_high = values.high - values.force
        functions.on = values.on
    elif mode == ContactMode.FREE:
        if has_gap > 0:
            functions.gap = values.gap
        else:
            functions.on = -values.on
    elif mode == ContactMode.IDLE or mode == ContactMode.SATURATED:
        functions.resting = -fabs(values.speed)
        if mode == ContactMode.SATURATED:
            functions.above_low = values.gap
            functions.on = values.on
    else:
        functions.speed = -values.speed if mode == ContactMode.BACKWARD else values.speed
        functions.on = values.on


@kernel
def onset_speed(ev: EventArguments, k: Int) -> Float:
    """Return the regularisation speed of a disk at the onset of slip, else 0; see `slip_onset`."""
    m = ev.counts.contacts
    lcp = tail(ev.memory, lcp_at(m))
    return lcp[Lcp.PACE * m + k] * (ev.memory.t_sample - lcp[Lcp.SINCE * m + k])


@kernel
def onset_error(ev: EventArguments, k: Int) -> Float:
    """Return the error of the regularised friction relative to its tolerance; see `slip_onset`."""
    m = ev.counts.contacts
    along = ev.memory[contact_state_at(k)]
    creeps = onset_speed(ev, k)
    if not creeps > max(along, 0.0) or ev.memory.fixed_step > 0.0:
        return 0.0
    lcp = tail(ev.memory, lcp_at(m))
    across = ev.memory[contact_state_at(ev.counts[contact_at(k) + Contact.pair])]
    turned = fabs(across) / creeps
    share = (ev.memory.t_sample - lcp[Lcp.SINCE * m + k]) / ev.memory.duration
    return (creeps - along) * turned * max(turned, share) / lcp[Lcp.LAG * m + k]


@kernel
def stopping_speed(ev: EventArguments, k: Int, had_impact: Int) -> Float:
    """Return the speed of a sliding disk below which steps may oscillate.

    Explicit steps overshoot where friction stops a contact within one of them; the error control
    tolerates that, and the contact would never come to rest.
    """
    m = ev.counts.contacts
    lag = float(ev.memory[lcp_at(m) + Lcp.LAG * m + k])
    D = float(ev.memory[lcp_data_at(m) + LCP_DATA * m + k * (m + 1)])
    stopped = ev.memory.step_size * D * ev.memory[contact_state_at(k) + ContactState.high]
    return (
        SLOWEST * lag if had_impact > 0 else max(SLOWEST * lag, min(stopped, COARSE * lag))
    )


@kernel
def disk_speed(ev: EventArguments, k: Int) -> Float:
    """Return the speed of a disk in the LCP data."""
    m = ev.counts.contacts
    data = tail(ev.memory, lcp_data_at(m))
    along, across = (
        data[LCP_DATA * k],
        data[LCP_DATA * ev.counts[contact_at(k) + Contact.pair]],
    )
    return sqrt(along * along + across * across)


@kernel
def resting_speed(ev: EventArguments, k: Int) -> Float:
    """Return the speed up to which a disk is at rest: rounding error."""
    return (
        AT_REST_IN_PLANE
        * ev.memory[
            scales_at(ev.counts.contacts) + EVENT_FUNCTIONS * k + EventFunctions.speed
        ]
    )


@kernel
def stop_threshold(ev: EventArguments, k: Int) -> Float:
    """Return the speed at which a sliding disk has an event, 0 if it does not turn."""
    m = ev.counts.contacts
    lcp = tail(ev.memory, lcp_at(m))
    if lcp[Lcp.PACE * m + k] > 0.0 or lcp[Lcp.LAG * m + k] == 0.0:
        return 0.0
    ahead = max(float(ev.memory[contact_state_at(k)]), 0.0)
    across = fabs(ev.memory[contact_state_at(ev.counts[contact_at(k) + Contact.pair])])
    turned = across / (TURNS * ahead) if across < TURNS * ahead else 1.0
    return turned * stopping_speed(ev, k, 0)


@kernel(inline=False)
def write_disk_functions(ev: EventArguments, k: Int, functions: EventFunctions) -> None:
    """Write the event functions of a disk: of force while sticking, of speed while sliding.

    The velocity may turn by 45° from the direction of the disk, which is then rotated; at the
    onset of slip the regularisation speed takes the place of the speed, and its error is
    bounded. A sliding contact that turns has an event where it is as slow as tolerances:
    friction turns it the faster the slower it is, and explicit steps would follow for ever.
    Without friction there is no event.
    """
    m = ev.counts.contacts
    mode = ev.counts[contact_at(k) + Contact.mode]
    values = ContactState.at(ev.memory, contact_state_at(k))
    across = ContactState.at(
        ev.memory, contact_state_at(ev.counts[contact_at(k) + Contact.pair])
    )
    lcp = tail(ev.memory, lcp_at(m))
    if mode == ContactMode.STUCK:
        functions.above_low = values.high - sqrt(
            values.force * values.force + across.force * across.force
        )
    elif mode == ContactMode.FORWARD and values.high > 0.0:
        ahead = max(float(values.speed), onset_speed(ev, k))
        backward = values.speed + lcp[Lcp.SLOW * m + k]
        functions.speed = min(backward - stop_threshold(ev, k), ahead - fabs(across.speed))
        if lcp[Lcp.PACE * m + k] > 0.0:
            functions.resting = 1.0 - onset_error(ev, k)


@kernel(inline=False)
def evaluate_event_functions(ev: EventArguments) -> None:
    """Write the event functions of all contacts; infinity where the mode has none."""
    m = ev.counts.contacts
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        functions = EventFunctions.at(
            ev.memory, event_functions_at(m) + EVENT_FUNCTIONS * k
        )
        for j in range(EVENT_FUNCTIONS):
            functions[j] = inf
        if own.pair == -1:
            values = ContactState.at(ev.memory, contact_state_at(k))
            write_event_functions(own.mode, own.has_gap, values, functions)
        elif own.pair >= 0:
            write_disk_functions(ev, k, functions)


@kernel
def still_speed(ev: EventArguments, k: Int) -> Float:
    """Return the speed up to which a contact is at rest."""
    m = ev.counts.contacts
    fast = ev.memory[scales_at(m) + EVENT_FUNCTIONS * k + EventFunctions.speed]
    return AT_REST * fast + ev.memory[lcp_at(m) + Lcp.FLOOR * m + k]


@kernel
def gap_function(ev: EventArguments, k: Int, gap: Float, size: Float) -> Float:
    """Return a gap relative to its scale; 0 for a penetration by rounding that is no impact.

    An impact closes faster than the speed that counts as rest. A gap that has opened and has not
    left its tolerance band is known to tolerances only; if it opened at rest, so is its speed.
    """
    if size == 0.0:
        return 0.0
    m = ev.counts.contacts
    lcp = tail(ev.memory, lcp_at(m))
    still, deep = (
        float(still_speed(ev, k)),
        max(PASSED_GAP * size, lcp[Lcp.GAP_ROUNDING * m + k]),
    )
    below, far = (
        float(ev.memory[unarmed_at(m) + EVENT_FUNCTIONS * k + EventFunctions.gap]),
        gap,
    )
    if lcp[Lcp.LIFTED * m + k] > 0.0:
        still, deep = max(still, float(lcp[Lcp.SPEED_TOL * m + k])), max(deep, below)
    elif below > 0.0:
        far = gap + below - float(lcp[Lcp.GAP_TOL * m + k])  # from where it opened
        deep = max(deep, below)
    closes = ev.memory[contact_state_at(k)] < -still
    return far / size if far >= 0.0 or closes or far < -deep else 0.0


@kernel(inline=False)
def write_saturated(ev: EventArguments) -> None:
    """Write the load-share function of saturated contacts and zero their resting speeds.

    They replace gap and speed in the `ContactState`.
    """
    m = ev.counts.contacts
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        if own.mode == ContactMode.SATURATED:
            values = ContactState.at(ev.memory, contact_state_at(k))
            shares = tail(ev.memory, load_shares_at(m) + k * m)
            beyond = float(values.force)
            for j in range(m):
                if shares[j] != 0.0:
                    beyond -= (
                        shares[j] * ev.memory[contact_state_at(j) + ContactState.force]
                    )
            values.gap = beyond * own.bound + SLACK * fabs(values.force)
            if not values.low < values.high:  # its force is prescribed
                values.gap = inf
            if (
                fabs(values.speed)
                <= still_speed(ev, k) + ev.memory[lcp_at(m) + Lcp.SLOW * m + k]
            ):
                values.speed = 0.0
