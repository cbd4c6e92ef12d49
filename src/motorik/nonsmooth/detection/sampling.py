"""Kernels: whether samples of event functions are dense enough.

Steps are as long as the states allow. Event functions may change faster: a driven joint, an angle
that grows at constant speed, a brake pressed by a cam. Values and rates at two samples define a
Hermite cubic. Where the mean rate disagrees with the difference of the values, the interval is not
resolved, and samples must be denser. Where a function decreases at one end of an interval and
increases at the other, it has a minimum inside; unless the cubic stays well away from zero there,
the function is sampled at that minimum, and the interval is split.

Forces of sticking contacts have no rates. Three samples define a parabola instead.
"""

from __future__ import annotations

from math import fabs, inf, isfinite, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.nonsmooth.memory import (
    EVENT_FUNCTIONS,
    Contact,
    ContactMode,
    ContactState,
    EventFunctions,
    Lcp,
    OldSample,
    TriggerEntry,
    TriggerKind,
    TriggerValue,
    contact_at,
    contact_state_at,
    event_functions_at,
    lcp_at,
    old_sample_at,
    scales_at,
    trigger_at,
    unarmed_at,
)
from motorik.numerics.tolerances import EVENT_ZERO, FAINT_OSCILLATION
from motorik.simulation.stepping.workspace import EventArguments

RESOLUTION = 0.25  # of the values, by which mean rate and difference may disagree
NEGLIGIBLE_FORCE = 1e-2  # of the largest force so far: smaller oscillations are ignored
CLEARANCE = 0.25  # of its larger end: a cubic with a minimum above this is positive
INTERIOR = 0.02  # of an interval: minima no further from its ends count as the ends
FINEST = 16.0  # tolerances of a function, within which intervals are not split


@kernel
def is_unresolved(
    h: Float, a: Float, a_rate: Float, b: Float, b_rate: Float, faint: Float
) -> Int:
    """Return whether values and rates at both ends of an interval h are inconsistent."""
    apart = fabs(b - a - 0.5 * h * (a_rate + b_rate))
    return int(apart > RESOLUTION * max(fabs(a), fabs(b)) + faint)


@kernel
def minimum_of_cubic(
    h: Float, a: Float, a_rate: Float, b: Float, b_rate: Float, fine: Float
) -> Float:
    """Return where in [0, 1] the cubic has its minimum, if it may be negative there.

    1 if it has no minimum inside, or both ends are within `fine` of zero.
    """
    if a_rate >= 0.0 or b_rate <= 0.0 or b < 0.0 or max(a, b) <= fine:
        return 1.0
    slope_a, slope_b = h * a_rate, h * b_rate
    u = 3.0 * (b - a) - 2.0 * slope_a - slope_b
    v = slope_a + slope_b - 2.0 * (b - a)
    root = u * u - 3.0 * v * slope_a
    if root <= 0.0:
        return 1.0
    s = -slope_a / (u + sqrt(root))
    if s <= 0.0 or s >= 1.0:
        return 1.0
    low = a + s * (slope_a + s * (u + s * v))
    near = low < CLEARANCE * max(fabs(a), fabs(b)) and s > INTERIOR and s < 1.0 - INTERIOR
    return s if low < 0.0 or near else 1.0


@kernel
def sign_of(own_mode: Int, j: Int) -> Float:
    """Return the sign with which an event function takes a number of the `ContactState`."""
    if j == EventFunctions.speed:
        return float(own_mode)
    return -1.0 if j == EventFunctions.on and own_mode == ContactMode.FREE else 1.0


@kernel
def rate_of(mode: Int, j: Int, values: ContactState) -> Float:
    """Return the rate of an event function."""
    rate = float(values.speed)  # of a gap
    if j == EventFunctions.speed:
        rate = float(values.acceleration)
    elif j == EventFunctions.on:
        rate = float(values.on_rate)
    return sign_of(mode, j) * rate


@kernel
def value_of(
    mode: Int, pair: Int, j: Int, values: ContactState, functions: Floats
) -> Float:
    """Return an event function that has a rate; of a sliding disk, the speed ahead."""
    is_speed = j == EventFunctions.speed and pair != -1
    return float(mode) * values.speed if is_speed else float(functions[j])


@kernel
def moving_function(own: Contact) -> Int:
    """Return the event function of a contact that changes with its motion, −1 without one."""
    mode = own.mode
    if mode == ContactMode.FORWARD or mode == ContactMode.BACKWARD:
        return EventFunctions.speed
    return EventFunctions.gap if mode == ContactMode.FREE and own.has_gap > 0 else -1


@kernel
def has_on_rate(old: Floats, values: ContactState) -> Int:
    """Return whether the condition of contact has a rate."""
    return int(old[OldSample.VALUES + ContactState.on_rate] != 0.0 or values.on_rate != 0.0)


@kernel
def is_at_onset(ev: EventArguments, k: Int) -> Int:
    """Return whether a contact is in a disk at the onset of slip."""
    pair = ev.counts[contact_at(k) + Contact.pair]
    first = k if pair >= -1 else -2 - pair
    m = ev.counts.contacts
    return int(pair != -1 and ev.memory[lcp_at(m) + Lcp.PACE * m + first] > 0.0)


@kernel
def is_unresolved_in(ev: EventArguments, k: Int, j: Int, h: Float) -> Int:
    """Return whether an event function is unresolved since the sample before."""
    m = ev.counts.contacts
    own = Contact.at(ev.counts, contact_at(k))
    mode, pair = own.mode, own.pair
    old = tail(ev.memory, old_sample_at(m) + OldSample.SIZE * k)
    values = ContactState.at(ev.memory, contact_state_at(k))
    functions = tail(ev.memory, event_functions_at(m) + EVENT_FUNCTIONS * k)
    b = value_of(mode, pair, j, values, functions)
    a = value_of(
        mode,
        pair,
        j,
        ContactState.at(old, OldSample.VALUES),
        tail(old, OldSample.EVENT_FUNCTIONS),
    )
    a_rate = rate_of(mode, j, ContactState.at(old, OldSample.VALUES))
    b_rate = rate_of(mode, j, values)
    # infinite or undefined values and rates
    if not isfinite(fabs(a) + fabs(b) + fabs(a_rate) + fabs(b_rate)):
        return 0
    first = k if pair >= -1 else -2 - pair
    faint = FAINT_OSCILLATION * ev.memory[scales_at(m) + EVENT_FUNCTIONS * first + j]
    if j != EventFunctions.on:
        faint += (1.0 + h) * ev.memory[lcp_at(m) + Lcp.FLOOR * m + k]
    return is_unresolved(h, a, a_rate, b, b_rate, faint)


@kernel(inline=False)
def is_motion_unresolved(ev: EventArguments, k: Int, h: Float) -> Int:
    """Return whether speed, gap or condition of a contact is unresolved over h."""
    m = ev.counts.contacts
    j = moving_function(Contact.at(ev.counts, contact_at(k)))
    if j >= 0 and not (j == EventFunctions.speed and is_at_onset(ev, k) > 0):
        if is_unresolved_in(ev, k, j, h) > 0:
            return 1
    old, values = (
        tail(ev.memory, old_sample_at(m) + OldSample.SIZE * k),
        ContactState.at(ev.memory, contact_state_at(k)),
    )
    return (
        is_unresolved_in(ev, k, EventFunctions.on, h) if has_on_rate(old, values) > 0 else 0
    )


@kernel(inline=False)
def is_force_unresolved(ev: EventArguments, k: Int, t: Float) -> Int:
    """Return whether an event function without a rate deviates too far from a straight line."""
    m = ev.counts.contacts
    t0, t1 = float(ev.memory.t_sample_older), float(ev.memory.t_sample_old)
    if not t0 < t1:
        return 0
    old = tail(ev.memory, old_sample_at(m) + OldSample.SIZE * k)
    functions = tail(ev.memory, event_functions_at(m) + EVENT_FUNCTIONS * k)
    knows = isfinite(
        ev.memory[contact_state_at(k) + ContactState.on_rate]
    )  # the rate of `on`
    for j in range(
        EventFunctions.above_low, EventFunctions.on if knows else EventFunctions.on + 1
    ):
        before, last = (
            float(old[OldSample.OLDER_EVENT_FUNCTIONS + j]),
            float(old[OldSample.EVENT_FUNCTIONS + j]),
        )
        margin = float(functions[j])
        line = last + (last - before) * (t - t1) / (t1 - t0)
        size = max(fabs(before), max(fabs(last), fabs(margin)))
        scale = ev.memory[scales_at(m) + EVENT_FUNCTIONS * k + j]
        if fabs(margin - line) > 4.0 * RESOLUTION * size + NEGLIGIBLE_FORCE * scale:
            return 1
    return 0


@kernel(inline=False)
def is_resolved(ev: EventArguments, t: Float, before: Float) -> Int:
    """Return whether the samples at t and before resolve all event functions between them."""
    h = t - before
    for k in range(ev.counts.contacts):
        if is_motion_unresolved(ev, k, h) > 0:
            return 0
        if (
            ev.counts[contact_at(k) + Contact.mode] == ContactMode.STUCK
            and is_force_unresolved(ev, k, t) > 0
        ):
            return 0
    count = ev.table.triggers
    for k in range(count):
        if ev.table[trigger_at(k) + TriggerEntry.kind] == TriggerKind.CONDITION:
            a, b = float(ev.values[TriggerValue.VALUE_OLD * count + k]), float(ev.values[k])
            a_rate = float(ev.values[TriggerValue.RATE_OLD * count + k])
            b_rate = float(ev.values[TriggerValue.RATE * count + k])
            faint = FAINT_OSCILLATION * float(ev.values[TriggerValue.SCALE * count + k])
            if is_unresolved(h, a, a_rate, b, b_rate, faint) > 0:
                return 0
    return 1


@kernel(inline=False)
def extremum_of_conditions(p: Floats, ev: EventArguments, h: Float) -> Float:
    """Return where within h a trigger condition may have an extremum at zero, else 1."""
    count = ev.table.triggers
    first = 1.0
    for k in range(count):
        own = TriggerEntry.at(ev.table, trigger_at(k))
        if own.kind == TriggerKind.CONDITION:
            sign = 1.0 if p[own.flag] > 0.0 else -1.0
            at = minimum_of_cubic(
                h,
                sign * float(ev.values[TriggerValue.VALUE_OLD * count + k]),
                sign * float(ev.values[TriggerValue.RATE_OLD * count + k]),
                sign * float(ev.values[k]),
                sign * float(ev.values[TriggerValue.RATE * count + k]),
                FINEST * EVENT_ZERO * float(ev.values[TriggerValue.SCALE * count + k]),
            )
            first = min(first, at)
    return first


@kernel
def extremum_of(ev: EventArguments, k: Int, j: Int, h: Float) -> Float:
    """Return where within h an event function may have a minimum below zero, else 1."""
    m = ev.counts.contacts
    own = Contact.at(ev.counts, contact_at(k))
    mode, pair = own.mode, own.pair
    old = tail(ev.memory, old_sample_at(m) + OldSample.SIZE * k)
    values = ContactState.at(ev.memory, contact_state_at(k))
    functions = tail(ev.memory, event_functions_at(m) + EVENT_FUNCTIONS * k)
    a_rate, b_rate = (
        rate_of(mode, j, ContactState.at(old, OldSample.VALUES)),
        rate_of(mode, j, values),
    )
    if not (a_rate < 0.0 and b_rate > 0.0 and isfinite(b_rate - a_rate)):
        return 1.0
    b = value_of(mode, pair, j, values, functions)
    a = value_of(
        mode,
        pair,
        j,
        ContactState.at(old, OldSample.VALUES),
        tail(old, OldSample.EVENT_FUNCTIONS),
    )
    if not isfinite(fabs(a) + fabs(b)):
        return 1.0
    place = EVENT_FUNCTIONS * k + j
    below = ev.memory[unarmed_at(m) + place]
    fine = FINEST * EVENT_ZERO * ev.memory[scales_at(m) + place]
    return minimum_of_cubic(h, a + below, a_rate, b + below, b_rate, fine)


@kernel(inline=False)
def first_extremum(p: Floats, ev: EventArguments, h: Float) -> Float:
    """Return the first place within h of a minimum that may be an event, else 1."""
    m = ev.counts.contacts
    first = extremum_of_conditions(p, ev, h)
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        if own.pair < -1:
            continue
        j = moving_function(own)
        if j >= 0:
            first = min(first, extremum_of(ev, k, j, h))
        old = tail(ev.memory, old_sample_at(m) + OldSample.SIZE * k)
        if has_on_rate(old, ContactState.at(ev.memory, contact_state_at(k))) > 0:
            first = min(first, extremum_of(ev, k, EventFunctions.on, h))
    return first


@kernel
def minimum_of_parabola(
    t0: Float, a: Float, t1: Float, b: Float, t2: Float, c: Float
) -> Float:
    """Return the time of the minimum of a parabola through three samples, if it may be negative.

    Infinity if not, or if it is not between the first and the last time.
    """
    least, most = min(a, min(b, c)), max(a, max(b, c))
    # curvature smaller than the distance to zero
    if not (most > 2.0 * least and most < inf and least >= 0.0):
        return inf
    first, second = (b - a) / (t1 - t0), (c - b) / (t2 - t1)
    curvature = (second - first) / (t2 - t0)
    if not curvature > 0.0:
        return inf
    t = 0.5 * (t0 + t1) - 0.5 * first / curvature
    # the fit is rough: a minimum just behind the last sample is sampled before it
    beside = INTERIOR * (t2 - t0)
    if t <= t0 - beside or t >= t2 + (t2 - t1):
        return inf
    t = min(max(t, t0 + beside), t2 - beside)
    value = a + (t - t0) * (first + (t - t1) * curvature)
    return t if value < CLEARANCE * most else inf


@kernel(inline=False)
def first_force_minimum(ev: EventArguments, t: Float, begin: Float) -> Float:
    """Return the first time since two samples ago at which a force may violate its bounds.

    The last sample is at t. Infinity if there is no such time after `begin`.
    """
    m = ev.counts.contacts
    t0, t1 = float(ev.memory.t_sample_older), float(ev.memory.t_sample_old)
    found = inf
    if not (t0 < t1 and t1 < t):
        return found
    for k in range(m):
        if ev.counts[contact_at(k) + Contact.pair] < -1:
            continue
        old = tail(ev.memory, old_sample_at(m) + OldSample.SIZE * k)
        functions = tail(ev.memory, event_functions_at(m) + EVENT_FUNCTIONS * k)
        knows = isfinite(
            ev.memory[contact_state_at(k) + ContactState.on_rate]
        )  # the rate of `on`
        for j in range(
            EventFunctions.above_low, EventFunctions.on if knows else EventFunctions.on + 1
        ):
            if not isfinite(functions[j]):
                continue
            before, last = (
                float(old[OldSample.OLDER_EVENT_FUNCTIONS + j]),
                float(old[OldSample.EVENT_FUNCTIONS + j]),
            )
            at = minimum_of_parabola(t0, before, t1, last, t, float(functions[j]))
            if at > begin:
                found = min(found, at)
    return found
