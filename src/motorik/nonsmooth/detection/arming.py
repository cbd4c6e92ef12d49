"""Scales of event functions, and arming.

An event leaves event functions at zero: a gap that opens, a speed from rest. Such a function is
armed only after it has left its tolerance band; within the band its sign changes are no events.

Scales use only values the motion has reached. A step that is searched may be cut by an event, and
values beyond it, however large, never occurred.
"""

from __future__ import annotations

from math import fabs, inf, isfinite, sqrt

from motorik.compiler.kernels import Float, Int, kernel, tail
from motorik.nonsmooth.detection.event_functions import onset_speed
from motorik.nonsmooth.detection.tolerances import has_no_matrix, sum_of_terms
from motorik.nonsmooth.memory import (
    EVENT_FUNCTIONS,
    LCP_DATA,
    Contact,
    ContactMode,
    EventFunctions,
    Lcp,
    TriggerEntry,
    TriggerKind,
    TriggerValue,
    contact_at,
    contact_state_at,
    event_functions_at,
    lcp_at,
    lcp_data_at,
    scales_at,
    trigger_at,
    unarmed_at,
)
from motorik.simulation.stepping.workspace import EventArguments

FORCE_MARGIN = (
    2.0  # times its violation after an event: tolerated violation of a force bound
)
PAST_ONSET = 4.0  # times the regularisation speed: end of the onset of slip


@kernel(inline=False)
def update_scales(ev: EventArguments) -> None:
    """Enlarge the scales by the last sample, which the motion has reached."""
    m = ev.counts.contacts
    scales = tail(ev.memory, scales_at(m))
    for k in range(m):
        speed = float(ev.memory[contact_state_at(k)])
        scales[EVENT_FUNCTIONS * k + EventFunctions.speed] = max(
            scales[EVENT_FUNCTIONS * k + EventFunctions.speed], fabs(speed)
        )
        creeps = onset_speed(ev, k) if ev.counts.onsets > 0 else 0.0
        if speed > PAST_ONSET * creeps and creeps > 0.0:  # from here on it may stop
            ev.memory[lcp_at(m) + Lcp.SLOW * m + k] = 0.0
    functions = tail(ev.memory, event_functions_at(m))
    for place in range(EVENT_FUNCTIONS * m):
        if isfinite(functions[place]):
            scales[place] = max(scales[place], fabs(functions[place]))
    count = ev.table.triggers
    for k in range(count):
        value = float(ev.values[k])
        if ev.table[
            trigger_at(k) + TriggerEntry.kind
        ] == TriggerKind.CONDITION and isfinite(value):
            at = TriggerValue.SCALE * count + k
            ev.values[at] = max(ev.values[at], fabs(value))


@kernel(inline=False)
def update_force_scales(ev: EventArguments) -> None:
    """Enlarge the scales of forces by the terms they were computed from.

    A force that vanishes by cancellation is known to the rounding error of its terms only.
    """
    m = ev.counts.contacts
    D, lcp = tail(ev.memory, lcp_data_at(m) + LCP_DATA * m), tail(ev.memory, lcp_at(m))
    scales = tail(ev.memory, scales_at(m))
    along_joints = has_no_matrix(ev)
    terms = sum_of_terms(ev) if along_joints > 0 else 0.0
    for k in range(m):
        own, size = fabs(D[k * (m + 1)]), fabs(lcp[Lcp.B * m + k])
        if along_joints > 0:
            size += sqrt(own) * terms
        else:
            for j in range(m):
                size += fabs(D[k * m + j] * lcp[Lcp.FORCE * m + j])
        if own > 0.0 and isfinite(size):
            for side in range(EventFunctions.above_low, EventFunctions.below_high + 1):
                place = EVENT_FUNCTIONS * k + side
                scales[place] = max(scales[place], size / own)


@kernel
def tolerance_of(ev: EventArguments, k: Int, j: Int) -> Float:
    """Return how far an event function must be from zero to be armed."""
    m = ev.counts.contacts
    lcp = tail(ev.memory, lcp_at(m))
    if j == EventFunctions.gap:
        return float(lcp[Lcp.GAP_TOL * m + k])
    return float(lcp[Lcp.FLOOR * m + k]) if j == EventFunctions.speed else 0.0


@kernel(inline=False)
def disarm(ev: EventArguments) -> None:
    """Disarm event functions within their tolerance bands.

    Saturated contacts may share a load in many ways with the same motion. One whose load share
    asks for another force than the selected modes give has no event until it no longer does.
    """
    m = ev.counts.contacts
    unarmed, functions = (
        tail(ev.memory, unarmed_at(m)),
        tail(ev.memory, event_functions_at(m)),
    )
    for k in range(m):
        for j in range(EVENT_FUNCTIONS):
            place = EVENT_FUNCTIONS * k + j
            margin, band = float(functions[place]), tolerance_of(ev, k, j)
            unarmed[place] = 0.0
            if isfinite(margin) and margin <= band:
                is_force = j == EventFunctions.above_low or j == EventFunctions.below_high
                unarmed[place] = band + (FORCE_MARGIN if is_force else 1.0) * max(
                    -margin, 0.0
                )
                is_held = ev.counts[contact_at(k) + Contact.mode] == ContactMode.SATURATED
                if is_held and j == EventFunctions.above_low and margin < 0.0:
                    unarmed[place] = inf


@kernel(inline=False)
def arm(ev: EventArguments) -> None:
    """Arm event functions that have left their tolerance bands.

    Only after a complete step: had it been cut, they might not have left them.
    """
    m = ev.counts.contacts
    unarmed, functions = (
        tail(ev.memory, unarmed_at(m)),
        tail(ev.memory, event_functions_at(m)),
    )
    for k in range(m):
        for j in range(EVENT_FUNCTIONS):
            place = EVENT_FUNCTIONS * k + j
            if unarmed[place] > 0.0 and functions[place] > tolerance_of(ev, k, j):
                unarmed[place] = 0.0
        lifted = lcp_at(m) + Lcp.LIFTED * m + k
        if ev.memory[lifted] > 0.0 and functions[
            EVENT_FUNCTIONS * k + EventFunctions.gap
        ] > tolerance_of(ev, k, EventFunctions.gap):
            ev.memory[lifted] = 0.0
