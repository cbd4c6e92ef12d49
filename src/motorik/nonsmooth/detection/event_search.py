"""Event search: samples event functions within a step and finds the first that becomes negative."""

from __future__ import annotations

from math import fabs, inf, isfinite

from motorik.compiler.kernels import Float, Floats, Int, Kernel, kernel, tail
from motorik.immutable import immutable
from motorik.nonsmooth.detection.arming import arm, update_scales
from motorik.nonsmooth.detection.event_functions import (
    evaluate_event_functions,
    gap_function,
    write_saturated,
)
from motorik.nonsmooth.detection.root_finding import first_zero, make_root_finder
from motorik.nonsmooth.detection.sampling import (
    first_extremum,
    first_force_minimum,
    is_resolved,
)
from motorik.nonsmooth.detection.trigger_conditions import (
    evaluate_conditions,
    nearest_condition,
    store_conditions,
)
from motorik.nonsmooth.memory import (
    CONTACT_STATE,
    EVENT_FUNCTIONS,
    MESH_PARTS,
    ContactState,
    EventFunctions,
    EventMemory,
    Lcp,
    OldSample,
    ReadySamples,
    contact_state_at,
    event_functions_at,
    lcp_at,
    old_sample_at,
    ready_size,
    scales_at,
    unarmed_at,
)
from motorik.numerics.tolerances import EPSILON, EVENT_ZERO, FINEST_SAMPLE, TIME_ROUNDING
from motorik.simulation.stepping.step_kernels import copy
from motorik.simulation.stepping.workspace import (
    HEAD,
    Counts,
    EventArguments,
    Ode,
    Sample,
    Vec,
    Work,
)

EXPLICIT_SAMPLES = 2  # within a step of an explicit method, which may be of high order
SAMPLES_OF_FORCES = 2  # times as many samples within a step with sticking contacts
FIRST_INTERVAL = (
    0.76  # of the others: equal intervals might sample one phase of a vibration
)
REFINEMENT = 0.38  # of the distance to the sample before, where samples are too coarse
SLIVER = 0.5  # of an interval: a shorter rest of the step is joined to the last
FEW = 64.0  # ulps of time: no interval is split nearer to its begin
MOST_SAMPLES = 20000  # in a step; with more it is repeated, shorter
MOST_DIVISIONS = 12  # of an interval, and of the search for a minimum
SAFETY = 2.0  # times the error of the last parabola: a minimum above this is positive
FIT_ERROR = 1e-3  # of the least value: no parabola is better
LEAST_SPACING = 1e-4  # of an interval: distance of two samples near a minimum
MOST_EARLIER = 8  # events before the one found first
LONG, NEAR, DOUBT = 0.9, 1e-4, 1e4  # when a step cut by an event is repeated, shorter


@kernel(inline=False)
def least_event_function(ev: EventArguments) -> Float:
    """Return the least event function relative to its scale, plus `EVENT_ZERO`."""
    m = ev.counts.contacts
    least = inf
    scales, unarmed = tail(ev.memory, scales_at(m)), tail(ev.memory, unarmed_at(m))
    functions = tail(ev.memory, event_functions_at(m))
    for k in range(m):
        for j in range(EVENT_FUNCTIONS):
            place = EVENT_FUNCTIONS * k + j
            margin = float(functions[place])
            if isfinite(margin):
                size = max(float(scales[place]), fabs(margin))
                if j == EventFunctions.gap:
                    least = min(least, gap_function(ev, k, margin, size))
                elif size > 0.0:
                    least = min(least, (margin + unarmed[place]) / size + EVENT_ZERO)
            elif margin != inf:
                least = -1.0  # not a number
    return least


@kernel
def sample_contacts(w: Work, ode: Ode, ev: EventArguments, t: Float, x: Floats) -> None:
    """Evaluate the contact states and their event functions."""
    w.t_call = min(max(t, w.t_from), w.t_upto)
    ev.contact_state(
        tail(w, Work.t_call), x, ode.p, tail(ev.memory, EventMemory.contact_state)
    )
    ev.memory.t_sample = w.t_call
    if ev.counts.saturated > 0:
        write_saturated(ev)
    evaluate_event_functions(ev)


@kernel(inline=False)
def nearest_event(p: Floats, ev: EventArguments) -> Float:
    """Return the least event function of the last sample, negative behind an event."""
    least = inf
    if ev.counts.contacts > 0:
        least = least_event_function(ev)
    if ev.table.triggers > 0:
        least = min(least, nearest_condition(p, ev))
    return least


@kernel(inline=False)
def sample_events(w: Work, ode: Ode, ev: EventArguments, t: Float, x: Floats) -> None:
    """Evaluate contact states and trigger conditions at a state."""
    if ev.counts.contacts > 0:
        sample_contacts(w, ode, ev, t, x)
    if ev.table.triggers > 0:
        evaluate_conditions(w, ode, ev, t, x)


@kernel(inline=False)
def take_ready(w: Work, ode: Ode, ev: EventArguments, t: Float) -> Int:
    """Take the sample at a time if it is at hand; return whether it is."""
    m, count = ev.counts.contacts, ev.table.triggers
    size = ready_size(m, count)
    for k in range(int(ev.ready[ReadySamples.COUNT])):
        own = tail(ev.ready, ReadySamples.FIRST + size * k)
        if own[0] == t:
            w.t_call = min(max(t, w.t_from), w.t_upto)
            if m > 0:
                copy(
                    CONTACT_STATE * m,
                    tail(own, 1),
                    tail(ev.memory, EventMemory.contact_state),
                )
                ev.memory.t_sample = w.t_call
                if ev.counts.saturated > 0:
                    write_saturated(ev)
                evaluate_event_functions(ev)
            copy(2 * count, tail(own, 1 + CONTACT_STATE * m), ev.values)
            return 1
    return 0


@kernel(inline=False)
def store_sample(ev: EventArguments, t: Float) -> None:
    """Store the last sample, at the time t, as the one before."""
    m = ev.counts.contacts
    ev.memory.t_sample_older = ev.memory.t_sample_old
    ev.memory.t_sample_old = t
    for k in range(m):
        old = tail(ev.memory, old_sample_at(m) + OldSample.SIZE * k)
        values = ContactState.at(ev.memory, contact_state_at(k))
        functions = tail(ev.memory, event_functions_at(m) + EVENT_FUNCTIONS * k)
        for i in range(CONTACT_STATE):
            old[OldSample.VALUES + i] = values[i]
        for j in range(EventFunctions.above_low, EventFunctions.on + 1):
            old[OldSample.OLDER_EVENT_FUNCTIONS + j] = old[OldSample.EVENT_FUNCTIONS + j]
        for j in range(EVENT_FUNCTIONS):
            old[OldSample.EVENT_FUNCTIONS + j] = functions[j]
    store_conditions(ev)


@kernel
def restart_samples(ev: EventArguments, t: Float) -> None:
    """Store the last sample as the first of a motion."""
    store_sample(ev, t)
    ev.memory.t_sample_older = t


@kernel(inline=False)
def velocity_mismatch(ev: EventArguments, span: Float) -> Float:
    """Return by how much differences of speeds deviate from accelerations, in scales."""
    m = ev.counts.contacts
    worst = 0.0
    for k in range(m):
        values = ContactState.at(ev.memory, contact_state_at(k))
        old = tail(ev.memory, old_sample_at(m) + OldSample.SIZE * k)
        scale = ev.memory[scales_at(m) + EVENT_FUNCTIONS * k + EventFunctions.speed]
        if scale > ev.memory[lcp_at(m) + Lcp.FLOOR * m + k]:  # it has moved
            rate = (values.speed - old[OldSample.VALUES]) / span
            mean = 0.5 * (
                values.acceleration + old[OldSample.VALUES + ContactState.acceleration]
            )
            worst = max(worst, fabs(rate - mean) / scale)
    return worst


@kernel(inline=False)
def mesh_intervals(ev: EventArguments, begin: Float, end: Float) -> Int:
    """Return the number of intervals of a step that resolves the functions of time."""
    part = float(ev.memory.mesh_part)
    first = (begin - ev.memory.mesh_start) / part
    last = (end - ev.memory.mesh_start) / part
    fine = inf
    for k in range(int(max(first, 0.0)), int(min(last, MESH_PARTS - 1.0)) + 1):
        fine = min(fine, float(ev.memory[EventMemory.mesh + k]))
    return int((end - begin) / fine) + 1


@kernel
def sample_intervals(ev: EventArguments, begin: Float, end: Float, least: Int) -> Int:
    """Return the number of sampling intervals of a step: at least `least`.

    Gaps and speeds have rates; forces of sticking contacts do not, and need more samples. So do
    functions of time, which step control does not see while their load is at rest.
    """
    parts = SAMPLES_OF_FORCES * least if ev.counts.sticking > 0 else least
    if ev.memory.mesh_part > 0.0:
        parts = max(parts, mesh_intervals(ev, begin, end))
    return parts


@kernel
def next_interval(ev: EventArguments, most: Float) -> Float:
    """Return the next sampling interval: at most twice the last that was dense enough."""
    resolved = 2.0 * ev.memory.sampling
    return resolved if 0.0 < resolved and resolved < most else most


# kernels that do not depend on the method
SHARED_KERNELS = (
    *(
        sample_events,
        take_ready,
        nearest_event,
        store_sample,
        first_extremum,
        velocity_mismatch,
        first_zero,
        first_force_minimum,
    ),
    *(is_resolved, arm, update_scales, mesh_intervals),
)


@kernel
def first_interval(w: Work, ev: EventArguments, most: Float) -> Float:
    """Return the first sampling interval of a step in which others are at most `most`."""
    return min(FIRST_INTERVAL * most, next_interval(ev, most))


@kernel
def end_of_interval(w: Work, a: Float, width: Float) -> Float:
    """Return where a sampling interval ends that begins at a: a short rest is joined to it."""
    b = a + width
    return float(w.t) if w.t - b < SLIVER * width else b


@kernel(inline=False)
def plan_samples(w: Work, ev: EventArguments) -> None:
    """Note the times at which the search samples a step if all intervals are resolved."""
    size = ready_size(ev.counts.contacts, ev.table.triggers)
    most = (w.t - w.t_old) / sample_intervals(ev, w.t_old, w.t, EXPLICIT_SAMPLES)
    kept, a, count = float(ev.memory.sampling), float(w.t_old), 0
    width = first_interval(w, ev, most)
    while a < w.t and count < ReadySamples.MOST:
        b = end_of_interval(w, a, width)
        ev.memory.sampling = max(ev.memory.sampling, b - a)
        width = next_interval(ev, most)
        ev.ready[ReadySamples.FIRST + size * count] = b
        a = b
        count += 1
    ev.ready[ReadySamples.COUNT] = float(count)
    ev.memory.sampling = kept


@immutable
class EventSearch:
    """Kernels of the search: of a step, and of the state that is sampled at a time."""

    search: Kernel[[Int, Work, Counts, Ode, EventArguments], Int]
    find_state: Kernel[[Int, Work, Counts, Ode, EventArguments, Float, Floats], None]


def make_event_search(
    sample: Sample, interpolated: Sample, is_explicit: Kernel[[Counts], Int]
) -> EventSearch:
    """Return the kernel that searches the last step for an event, and that of sampled states.

    It returns 1 and cuts the step (`t_valid`) just behind the first event, if there is one; 2
    if the step must be repeated up to `t_valid`, because it was much longer and inaccurate
    there, or needed too many samples. Sampled states are projected only where loops or
    quaternions need it.
    """

    @kernel(inline=False)
    def find_state(
        n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments, t: Float, state: Floats
    ) -> None:
        """Find the state at t, projected if it must be."""
        if ev.counts.projects > 0:
            sample(n, w, m, ode, t, state)
        else:
            interpolated(n, w, m, ode, t, state)

    @kernel(inline=False)
    def sample_at(
        n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments, t: Float
    ) -> None:
        """Sample the state at t."""
        if ev.ready[ReadySamples.COUNT] > 0.0:
            if take_ready(w, ode, ev, t) > 0:
                return
        state = tail(w, HEAD + Vec.STAGE * n)
        find_state(n, w, m, ode, ev, t, state)
        sample_events(w, ode, ev, t, state)

    @kernel
    def nearest_at(
        n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments, t: Float
    ) -> Float:
        """Sample the state at t and return the least event function."""
        sample_at(n, w, m, ode, ev, t)
        return nearest_event(ode.p, ev)

    find_root = make_root_finder(nearest_at)

    @kernel(inline=False)
    def find_earlier(
        n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments, a: Float, at_a: Float
    ) -> Float:
        """Return the time of an event before that found at `t_valid`, or `t_valid`."""
        t = w.t_valid
        for _ in range(MOST_EARLIER):
            before = t - 4.0 * EPSILON * max(fabs(a), fabs(t))
            if not before > a:
                break
            sample_at(n, w, m, ode, ev, before)
            at = min(
                a + first_extremum(ode.p, ev, before - a) * (before - a),
                first_force_minimum(ev, before, a),
            )
            if at >= before:
                break
            value = nearest_at(n, w, m, ode, ev, at)
            if value >= 0.0:
                break
            t = find_root(n, w, m, ode, ev, a, at_a, at, value)
        return t

    @kernel(inline=False)
    def find_minimum(
        n: Int,
        w: Work,
        m: Counts,
        ode: Ode,
        ev: EventArguments,
        begin: Float,
        middle: Float,
        least: Float,
        end: Float,
    ) -> Float:
        """Return where event functions are least between two times, or negative.

        `least` is their value at a time between. By successive parabolic interpolation, until the
        minimum is positive by more than the error of the fit.
        """
        a, b, c, error = begin, middle, end, inf
        at_a, at_b = nearest_at(n, w, m, ode, ev, a), least
        at_c = nearest_at(n, w, m, ode, ev, c)
        for _ in range(MOST_DIVISIONS):
            first, second = (at_b - at_a) / (b - a), (at_c - at_b) / (c - b)
            curvature = (second - first) / (c - a)
            if not curvature > 0.0:
                break
            t = 0.5 * (a + b) - 0.5 * first / curvature
            low = at_a + (t - a) * (first + (t - b) * curvature)
            span = LEAST_SPACING * (c - a)
            if fabs(t - b) < span:
                t = b + span if t > b else b - span
            if low > SAFETY * error or not (t > a and t < c):
                break
            low = at_a + (t - a) * (first + (t - b) * curvature)
            value = nearest_at(n, w, m, ode, ev, t)
            if value < 0.0:
                return t
            error = fabs(value - low) + FIT_ERROR * at_b
            if value < at_b:
                if t > b:
                    a, at_a = b, at_b
                else:
                    c, at_c = b, at_b
                b, at_b = t, value
            elif t > b:
                c, at_c = t, value
            else:
                a, at_a = t, value
        return b

    @kernel(inline=False)
    def next_sample(
        n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments, a: Float, width: Float
    ) -> Float:
        """Sample the next time, so near that the interval since a is resolved; return it."""
        b = end_of_interval(w, a, width)
        sample_at(n, w, m, ode, ev, b)
        far, resolved, divided = b, max(ev.memory.sampling, b - a), 0.0
        least = max(FINEST_SAMPLE * (w.t - w.t_old), TIME_ROUNDING * fabs(w.t))
        while is_resolved(ev, b, a) == 0:
            b = a + REFINEMENT * (b - a)
            resolved, divided = b - a, 1.0
            if resolved <= least:  # unresolved at any spacing: noise
                b, resolved, divided = far, float(ev.memory.sampling), 0.0
            sample_at(n, w, m, ode, ev, b)
            if b == far:
                break
        ev.memory.sampling = resolved
        ev.memory.divided = max(ev.memory.divided, divided)
        return b

    @kernel(inline=False)
    def split_at_extremum(
        n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments, a: Float, end: Float
    ) -> Float:
        """Shorten an interval to its first minimum that may be an event; return its new end.

        The last sample is that at the end of the interval, before and after.
        """
        b = end
        for _ in range(MOST_DIVISIONS):
            t = a + first_extremum(ode.p, ev, b - a) * (b - a)
            finest = FEW * EPSILON * fabs(t)
            if not (t < b and t - a > finest):
                break
            b = t
            if nearest_at(n, w, m, ode, ev, b) < 0.0:
                break
        return b

    @kernel(inline=False)
    def search_step(n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments) -> Int:
        ev.memory.step_size, ev.memory.divided = w.t - w.t_old, 0.0
        # steps of backward differentiation are short against the motions that they resolve
        least = EXPLICIT_SAMPLES if is_explicit(m) > 0 else 1
        most = (w.t - w.t_old) / sample_intervals(ev, w.t_old, w.t, least)
        a, b, width = w.t_old, w.t_old, first_interval(w, ev, most)
        at_a, at_b, samples = EVENT_ZERO, EVENT_ZERO, 0
        while b < w.t:
            a, at_a = b, at_b
            samples += 1
            if samples > MOST_SAMPLES and ev.memory.fixed_step == 0.0:
                w.t_valid = a  # resolved up to here
                sample_at(n, w, m, ode, ev, w.t_old)
                restart_samples(ev, w.t_old)
                return 2
            b = next_sample(n, w, m, ode, ev, a, width)
            at_b = nearest_event(ode.p, ev)
            if at_b < 0.0:
                break
            width = next_interval(ev, most)
            end = split_at_extremum(n, w, m, ode, ev, a, b)
            if end < b:
                b, at_b = end, nearest_event(ode.p, ev)
                if at_b < 0.0:
                    break
            t = first_force_minimum(ev, b, w.t_old)
            if t < b:
                value = nearest_at(n, w, m, ode, ev, t)
                first, kept = float(ev.memory.t_sample_older), float(ev.memory.t_sample_old)
                before, after = kept, b
                if t <= kept:
                    before, after = first, kept
                if value >= 0.0:
                    middle = t
                    if kept > w.t_old:
                        at_kept = nearest_at(n, w, m, ode, ev, kept)
                        if at_kept < value:  # the minimum is near the sample itself
                            if t <= kept:
                                before, after = t, b
                            else:
                                before, after = first, t
                            middle, value = kept, at_kept
                    t = find_minimum(
                        n, w, m, ode, ev, max(before, w.t_old), middle, value, after
                    )
                    value = nearest_at(n, w, m, ode, ev, t)
                if value < 0.0:
                    b, at_b, a = t, value, before
                    at_a = nearest_at(n, w, m, ode, ev, a)
                    restart_samples(ev, a)
                    sample_at(n, w, m, ode, ev, b)
                    break
                at_b = nearest_at(n, w, m, ode, ev, b)
            update_scales(ev)
            store_sample(ev, b)
        if at_b >= 0.0:
            arm(ev)
            return 0
        w.t_valid = find_root(n, w, m, ode, ev, a, at_a, b, at_b)
        if ev.counts.contacts + ev.table.triggers > 1:
            w.t_valid = find_earlier(n, w, m, ode, ev, a, at_a)
        h = w.t_valid - w.t_old
        if h < LONG * (w.t - w.t_old) and h > 0.0:
            sample_at(n, w, m, ode, ev, w.t_valid - NEAR * h)
            store_sample(ev, w.t_valid - NEAR * h)
            sample_at(n, w, m, ode, ev, w.t_valid)
            apart = velocity_mismatch(ev, NEAR * h) * h
            if ev.memory.divided > 0.0 or apart > DOUBT * w.rtol:
                sample_at(n, w, m, ode, ev, w.t_old)
                restart_samples(ev, w.t_old)
                return 2
        return 1

    return EventSearch(search_step, find_state)
