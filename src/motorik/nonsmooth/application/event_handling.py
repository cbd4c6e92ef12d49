"""Event handling: impacts, triggers and the modes of all contacts after an event."""

from __future__ import annotations

from math import fabs

from motorik.compiler.kernels import Float, Int, Kernel, kernel, tail
from motorik.nonsmooth.application.impacts import find_impulses, is_impact, mean_speed
from motorik.nonsmooth.application.log import write_line
from motorik.nonsmooth.application.mode_selection import (
    evaluate_lcp,
    evaluate_lcp_data,
    measure_speed_rounding,
    mode_of_solution,
    select_all_modes,
)
from motorik.nonsmooth.application.slip_onset import (
    adapt_onsets,
    begin_onset,
    negligible_speed,
    tolerated_speed,
)
from motorik.nonsmooth.application.triggers import STATES_JUMP, make_triggers
from motorik.nonsmooth.application.velocity_jumps import (
    apply_impulses,
    close_loop_velocities,
    stop_slow_disks,
    stop_sticking,
)
from motorik.nonsmooth.detection.arming import disarm, update_force_scales, update_scales
from motorik.nonsmooth.detection.event_search import restart_samples, sample_contacts
from motorik.nonsmooth.detection.tolerances import measure_tolerances
from motorik.nonsmooth.detection.trigger_conditions import evaluate_conditions
from motorik.nonsmooth.memory import (
    LCP_DATA,
    Contact,
    ContactMode,
    Lcp,
    LcpData,
    SlipPhase,
    TriggerEntry,
    contact_at,
    lcp_at,
    lcp_data_at,
    trigger_at,
)
from motorik.numerics.tolerances import (
    CROWDED_EVENTS,
    EARLIEST_TIME,
    EVENT_ROUNDING,
    LONGEST_LOOKAHEAD,
)
from motorik.simulation.stepping.workspace import (
    HEAD,
    Counts,
    EventArguments,
    Ode,
    Status,
    Vec,
    Work,
)

MOST_IMPACTS = 100  # at one instant
MOST_TRIGGER_CHAINS = 20  # triggers that fire one after another at one instant
FEW_IN_PLACE = 2  # events at one time, after which modes are selected by extrapolation
MOST_IN_PLACE = 50  # events within rounding of one time …
MOST_CROWDED = 2000  # … and within `CROWDED_EVENTS`


@kernel
def loss_fraction(ev: EventArguments) -> Float:
    """Return the energy loss of an impact relative to the losses of the dissipating contacts.

    Impulses act simultaneously. Some may do work that others dissipate; the total loss is shared
    by those that dissipate.
    """
    m = ev.counts.contacts
    all_lost, taken = 0.0, 0.0
    for k in range(m):
        lost = 0.0 - float(ev.memory[lcp_at(m) + Lcp.FORCE * m + k]) * mean_speed(ev, k)
        all_lost += lost
        taken += max(lost, 0.0)
    return max(all_lost, 0.0) / taken if taken > 0.0 else 0.0


@kernel(inline=False)
def apply_impacts(n: Int, w: Work, counts: Counts, ode: Ode, ev: EventArguments) -> Int:
    """Apply the impulses of all closing contacts at once; return 1, 0 if none, −1 if unsolvable.

    Moreau: w⁺ = w⁻ + D P, 0 ≤ w⁺ + e w⁻ ⊥ P ≥ 0, with friction impulses in their disks. If
    friction would convert tangential speed into rebounds and gain energy, all restitution is
    reduced by one factor, the largest without a gain. Rebounds too low to be distinguished from
    rounding are skipped: they would accumulate within the time 2 e w / (b (1 − e)), at which
    rest is logged.
    """
    m = ev.counts.contacts
    lcp = tail(ev.memory, lcp_at(m))
    impacts = 0
    for k in range(m):
        impacts += is_impact(ev, k)
    if impacts == 0:
        return 0
    if find_impulses(n, w, ode, ev) != 0:
        return -1
    apply_impulses(n, w, ode, ev, tail(lcp, Lcp.FORCE * m))
    share = loss_fraction(ev)
    for k in range(m):
        impulse = float(lcp[Lcp.FORCE * m + k])
        if impulse != 0.0:
            lcp[Lcp.LIFTED * m + k] = 0.0
            mode = ev.counts[contact_at(k) + Contact.mode]
            lost = share * max(0.0 - impulse * mean_speed(ev, k), 0.0)
            write_line(counts, ev, w.t, k, mode, mode, impulse, lost)
    return 1


@kernel
def lookahead_time(w: Work, ev: EventArguments) -> Float:
    """Return by how much later [s] undecided contacts are solved; 0 if there are none.

    Modes are selected by present values. Where they do not last for a resolvable time, forces and
    accelerations of some contacts vanish together, and only their continuation decides: the same
    problem a little later, as early as possible.
    """
    turns = ev.counts.without_progress - FEW_IN_PLACE
    if turns <= 0:
        return 0.0
    span = EVENT_ROUNDING * max(fabs(w.t), EARLIEST_TIME * (w.t_stop - w.t_start))
    for _ in range(turns):
        span = 2.0 * span
    return min(span, LONGEST_LOOKAHEAD * (w.t_stop - w.t_start))


@kernel
def mode_shown(mode: Int) -> Int:
    """Return a mode as results show it: a saturated contact is stuck."""
    return ContactMode.STUCK if mode == ContactMode.SATURATED else mode


@kernel
def is_at_rest(ev: EventArguments, k: Int) -> Int:
    """Return whether gap and speed are zero within tolerances."""
    m = ev.counts.contacts
    lcp, contact = (
        tail(ev.memory, lcp_at(m)),
        LcpData.at(ev.memory, lcp_data_at(m) + LCP_DATA * k),
    )
    closed = contact.gap <= lcp[Lcp.GAP_TOL * m + k]
    return int(closed and fabs(contact.speed) <= lcp[Lcp.SPEED_TOL * m + k])


@kernel
def makes_progress(w: Work, ev: EventArguments) -> Int:
    """Count an event; return 0 if events accumulate without progress of time."""
    rounding = EVENT_ROUNDING * fabs(w.t)
    if w.t - ev.memory.t_event <= rounding and ev.counts.modes_known > 0:
        ev.counts.without_progress += 1
    else:
        ev.counts.without_progress = 0
    ev.memory.t_event = w.t
    if w.t - ev.memory.t_mark > CROWDED_EVENTS * (w.t_stop - w.t_start):
        ev.memory.t_mark = w.t
        ev.counts.recent_events = 0
    ev.counts.recent_events += 1
    return int(
        ev.counts.without_progress <= MOST_IN_PLACE
        and ev.counts.recent_events <= MOST_CROWDED
    )


def make_event_handler() -> Kernel[[Int, Work, Counts, Ode, EventArguments], Int]:
    """Return the kernel that handles an event at t: triggers, impacts, modes, sticking at rest."""

    @kernel(inline=False)
    def write_parameter(
        n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments, place: Int, value: Float
    ) -> None:
        """Change a number of p, and log it."""
        write_line(m, ev, w.t, -1 - place, 0, 0, value, 0.0)
        ode.p[place] = value

    @kernel(inline=False)
    def set_parameter(
        n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments, place: Int, value: Float
    ) -> None:
        """Change a number of p if it differs, and log it."""
        if ode.p[place] != value:
            write_parameter(n, w, m, ode, ev, place, value)

    trigger = make_triggers(set_parameter)

    @kernel(inline=False)
    def apply_modes(
        n: Int, w: Work, counts: Counts, ode: Ode, ev: EventArguments, had_impact: Int
    ) -> None:
        """Apply the selected modes; log those that change."""
        m = ev.counts.contacts
        ev.counts.sticking, ev.counts.saturated = 0, 0
        for k in range(m):
            own = Contact.at(ev.counts, contact_at(k))
            before = mode_shown(own.mode)
            own.mode = mode_of_solution(ev, k)
            mode = mode_shown(own.mode)
            if mode != before or ev.counts.modes_known == 0:
                time = w.t
                if mode == ContactMode.STUCK:
                    time += ev.memory[lcp_at(m) + Lcp.REBOUND_TIME * m + k]
                write_line(counts, ev, time, k, before, mode, 0.0, 0.0)
            if own.has_gap > 0 and (
                before == ContactMode.STUCK or ev.counts.modes_known == 0
            ):
                at_rest = had_impact == 0 and is_at_rest(ev, k) > 0
                lifted = 1.0 if mode == ContactMode.FREE and at_rest else 0.0
                ev.memory[lcp_at(m) + Lcp.LIFTED * m + k] = lifted
            direction = (
                mode if mode == ContactMode.FORWARD or mode == ContactMode.BACKWARD else 0
            )
            sticks = 1.0 if own.mode == ContactMode.STUCK else 0.0
            ev.counts.sticking += int(own.mode == ContactMode.STUCK)
            limit = 0.0
            if own.pair == -1:
                ev.memory[lcp_at(m) + Lcp.SLOW * m + k] = 0.0
            if own.mode == ContactMode.SATURATED:
                ev.counts.saturated += 1
                limit = float(own.bound)
                speed = tolerated_speed(n, w, ode, ev, k)
                ev.memory[lcp_at(m) + Lcp.SLOW * m + k] = speed
            set_parameter(n, w, counts, ode, ev, own.at_stick, sticks)
            set_parameter(n, w, counts, ode, ev, own.at_direction, float(direction))
            if m > 1:
                set_parameter(n, w, counts, ode, ev, own.at_saturated, limit)

    @kernel(inline=False)
    def apply_directions(n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments) -> None:
        """Log the numbers of the disks; disks that start to slide are regularised."""
        contacts = ev.counts.contacts
        lcp = tail(ev.memory, lcp_at(contacts))
        ev.counts.onsets = 0
        for k in range(contacts):
            own = Contact.at(ev.counts, contact_at(k))
            if own.pair < 0:
                continue
            slides_on = (
                own.mode == ContactMode.FORWARD and own.slip_phase != SlipPhase.STARTS
            )
            if own.slip_phase > 0 and not (slides_on and lcp[Lcp.LAG * contacts + k] > 0.0):
                lcp[Lcp.LAG * contacts + k] = negligible_speed(n, w, ode, ev, k)
            if own.slip_phase == SlipPhase.STARTS:
                begin_onset(w, ode, ev, k)
            elif own.slip_phase != SlipPhase.ONSET:
                ode.p[own.at_pace] = 0.0
                lcp[Lcp.SLOW * contacts + k] = 0.0
            ev.counts.onsets += int(ode.p[own.at_pace] > 0.0)
            for place in range(Contact.at_cosine, Contact.at_sine + 1):
                write_parameter(n, w, m, ode, ev, own[place], float(ode.p[own[place]]))
            for number in range(3):
                value, kept = (
                    float(ode.p[own[Contact.at_pace + number]]),
                    (Lcp.PACE + number) * contacts + k,
                )
                if value != lcp[kept]:
                    write_parameter(n, w, m, ode, ev, own[Contact.at_pace + number], value)
                    lcp[kept] = value

    @kernel(inline=False)
    def change_contacts(
        n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments, jumps: Int
    ) -> Int:
        x = tail(w, HEAD + Vec.X * n)
        ev.memory.duration = max(ev.memory.duration, w.t_stop - w.t_start)
        close_loop_velocities(n, w, ode, ev)
        sample_contacts(w, ode, ev, w.t, x)
        if ev.counts.onsets > 0:
            adapt_onsets(ev, ode.p)
        evaluate_lcp_data(n, w, ode, ev)
        measure_tolerances(n, w, ode, ev)
        measure_speed_rounding(w, ev)
        had_impact = jumps  # sticking contacts may move now
        checks_slow = int(
            ev.counts.cones > 0
        )  # slow contacts may stop, which may cause impacts
        for _ in range(MOST_IMPACTS):
            impacts = apply_impacts(n, w, m, ode, ev)
            if impacts < 0:
                return Status.NO_MODES
            if impacts > 0:
                had_impact = 1
                evaluate_lcp(n, w, ode, ev)
            elif checks_slow > 0:
                stop_slow_disks(n, w, ode, ev, had_impact)
                checks_slow = 0
            else:
                break
        ev.memory.lookahead = lookahead_time(w, ev)
        if ev.memory.lookahead > 0.0:
            evaluate_lcp_data(n, w, ode, ev)
        status = select_all_modes(n, w, ode, ev, had_impact)
        ev.memory.lookahead = 0.0
        if status != 0:
            return Status.NO_MODES
        if ev.counts.cones > 0:
            apply_directions(n, w, m, ode, ev)
        apply_modes(n, w, m, ode, ev, had_impact)
        update_force_scales(ev)
        stop_sticking(n, w, ode, ev)
        return Status.GOING

    @kernel(inline=False)
    def handle(n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments) -> Int:
        x = tail(w, HEAD + Vec.X * n)
        contacts = ev.counts.contacts
        if makes_progress(w, ev) == 0:
            return Status.CHATTERS
        impulses, later = (
            tail(ev.memory, lcp_at(contacts) + Lcp.IMPULSE * contacts),
            tail(ev.memory, lcp_at(contacts) + Lcp.REBOUND_TIME * contacts),
        )
        for iteration in range(MOST_TRIGGER_CHAINS):
            for k in range(contacts):
                impulses[k] = 0.0
                later[k] = 0.0
            triggered = 0
            if ev.table.triggers > 0:
                triggered = trigger(n, w, m, ode, ev, impulses)
                if triggered < 0:
                    return Status.NOT_FINITE
            if iteration > 0 and triggered == 0:
                break
            if contacts > 0:
                if triggered > 0:
                    apply_impulses(n, w, ode, ev, impulses)
                status = change_contacts(n, w, m, ode, ev, int(triggered >= STATES_JUMP))
                if status != Status.GOING:
                    return status
            ev.counts.modes_known = 1
            if ev.table.triggers == 0:
                break
            if iteration == MOST_TRIGGER_CHAINS - 1:
                return Status.CHATTERS
        if contacts > 0:
            sample_contacts(w, ode, ev, w.t, x)
            disarm(ev)
        if ev.table.triggers > 0:
            evaluate_conditions(w, ode, ev, w.t, x)
        update_scales(ev)
        restart_samples(ev, w.t)
        if ev.table.stopped_by > 0:
            return Status.ENDED
        for k in range(ev.table.triggers):
            if ev.table[trigger_at(k) + TriggerEntry.pending] > 0:
                return Status.TICKED
        return Status.GOING

    return handle
