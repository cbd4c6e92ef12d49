"""Impacts: impulses of all contacts at once, with restitution and friction (Moreau)."""

from __future__ import annotations

from math import fabs, inf

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, share, tail
from motorik.nonsmooth.application.joint_modes import complete_matrix
from motorik.nonsmooth.application.mode_selection import (
    FULL_STEPS,
    NEWTON_ITERATIONS,
    couple_bounds,
    drop_coupling,
    evaluate_impulse_lcp,
    evaluate_lcp,
    has_nonlinear_bounds,
    mode_hint,
    move_linearisation_point,
    reset_linearisation_point,
    set_bounds,
    solve_lcp,
)
from motorik.nonsmooth.detection.event_functions import still_speed
from motorik.nonsmooth.memory import (
    EVENT_FUNCTIONS,
    LCP_DATA,
    Contact,
    ContactMode,
    EventFunctions,
    ForceBound,
    Lcp,
    LcpData,
    bound_slopes_at,
    contact_at,
    lcp_at,
    lcp_data_at,
    scales_at,
    solver_modes_at,
)
from motorik.numerics.tolerances import (
    CLOSED_GAP,
    IMPACT_WORK,
    NO_DIRECTION,
    REBOUND,
    TANGENT_FORCE,
)
from motorik.simulation.stepping.workspace import EventArguments, Ode, Work

# --- sign cases of lossy gears -------------------------------------------------------------


CASE_ITERATIONS = 4  # switches of sign cases and directions, for each contact


@kernel
def sign_case_iterations(ev: EventArguments) -> Int:
    """Return how often sign cases may be switched in an impact, 0 without any."""
    count = 0
    for k in range(ev.counts.contacts):
        count += int(ev.counts[contact_at(k) + Contact.at_ahead] > 0)
    return CASE_ITERATIONS * count


@kernel(inline=False)
def couple_sign_cases(ev: EventArguments, k: Int) -> None:
    """Let a moving contact with sign cases oppose its motion; one at rest may move either way."""
    own = Contact.at(ev.counts, contact_at(k))
    if own.at_ahead == 0:
        return
    m = ev.counts.contacts
    chosen = tail(ev.counts, solver_modes_at(m) + m)
    if chosen[k] != ForceBound.FORWARD and chosen[k] != ForceBound.BACKWARD:
        chosen[k] = ForceBound.LOW
        if own.mode == ContactMode.FORWARD:
            chosen[k] = ForceBound.FORWARD
        elif own.mode == ContactMode.BACKWARD:
            chosen[k] = ForceBound.BACKWARD
    if chosen[k] == ForceBound.LOW:
        couple_bounds(ev, k, ForceBound.LOW, ForceBound.HIGH)
    else:
        couple_bounds(ev, k, chosen[k], chosen[k])


@kernel(inline=False)
def switch_sign_cases(ev: EventArguments, p: Floats) -> Int:
    """Switch sign cases whose impulses do not oppose the motion; return how many changed.

    An impulse opposes the mean of the speeds before and after the impact, so it dissipates.
    """
    m = ev.counts.contacts
    chosen = tail(ev.counts, solver_modes_at(m) + m)
    impulses = tail(ev.memory, lcp_at(m) + Lcp.FORCE * m)
    changed = 0
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        if own.at_ahead == 0:
            continue
        low, high = 0.0, 0.0
        slopes = tail(ev.memory, bound_slopes_at(m) + k * m)
        for j in range(m):
            low += slopes[j] * impulses[j]
            high += slopes[m * m + j] * impulses[j]
        mean, fast = mean_speed(ev, k), fabs(ev.memory[lcp_data_at(m) + LCP_DATA * k])
        mean = mean if fabs(mean) > NO_DIRECTION * fast else 0.0
        before = changed
        if chosen[k] == ForceBound.FORWARD and mean < 0.0:
            chosen[k] = ForceBound.BACKWARD
            changed += 1
        elif chosen[k] == ForceBound.BACKWARD and mean > 0.0:
            chosen[k] = ForceBound.FORWARD
            changed += 1
        if changed == before and chosen[k] != ForceBound.BACKWARD and low > 0.0:
            flip_sign_case(p, own, 0)
            changed += 1
        elif changed == before and chosen[k] != ForceBound.FORWARD and high < 0.0:
            flip_sign_case(p, own, 1)
            changed += 1
    return changed


@kernel
def flip_sign_case(p: Floats, own: Ints, side: Int) -> None:
    """Switch the sign case of a contact, forward (0) or backward (1), and note it."""
    place = own[Contact.at_ahead + side]
    p[place] = 1.0 - p[place]
    own[Contact.other_ahead + side] = 1 - own[Contact.other_ahead + side]


@kernel(inline=False)
def restore_sign_cases(ev: EventArguments, p: Floats) -> None:
    """Restore the sign cases before the impact: those after it follow from the forces."""
    for k in range(ev.counts.contacts):
        own = tail(ev.counts, contact_at(k))
        for side in range(2):
            if own[Contact.other_ahead + side] > 0:
                flip_sign_case(p, own, side)


# --- impulses ------------------------------------------------------------------------------


@kernel
def mean_speed(ev: EventArguments, k: Int) -> Float:
    """Return the mean of the speeds of a contact before and after the impulses.

    An impulse P does the work P (w⁻ + w⁺) / 2.
    """
    m = ev.counts.contacts
    data = tail(ev.memory, lcp_data_at(m))
    D = tail(data, LCP_DATA * m + k * m)
    impulses = tail(ev.memory, lcp_at(m) + Lcp.FORCE * m)
    speed = float(data[LCP_DATA * k])
    for j in range(m):
        speed += 0.5 * D[j] * impulses[j]
    return speed


# least height of a rebound, in rounding errors and tolerances of the gap
HIGHER, LOWEST = 2.0, 0.1
BISECTIONS = 40  # of the fraction of restitution


@kernel
def is_closed(ev: EventArguments, k: Int) -> Int:
    """Return whether a contact bears any closing impulse: a closed gap, a one-way clutch."""
    m = ev.counts.contacts
    contact = LcpData.at(ev.memory, lcp_data_at(m) + LCP_DATA * k)
    if ev.counts[contact_at(k) + Contact.has_gap] == 0:
        return int(contact.high == inf and contact.on > 0.0)
    return int(
        contact.gap
        <= CLOSED_GAP * ev.memory[scales_at(m) + EVENT_FUNCTIONS * k + EventFunctions.gap]
    )


@kernel
def is_impact(ev: EventArguments, k: Int) -> Int:
    """Return whether a closed contact is closing, or a one-way clutch runs backward."""
    speed = float(ev.memory[lcp_data_at(ev.counts.contacts) + LCP_DATA * k])
    return int(is_closed(ev, k) > 0 and speed < -still_speed(ev, k))


@kernel
def rebounds(ev: EventArguments, k: Int) -> Int:
    """Return whether the rebound is high enough to be distinguished from rounding."""
    m = ev.counts.contacts
    contact = LcpData.at(ev.memory, lcp_data_at(m) + LCP_DATA * k)
    lcp = tail(ev.memory, lcp_at(m))
    height = max(HIGHER * lcp[Lcp.GAP_ROUNDING * m + k], LOWEST * lcp[Lcp.GAP_TOL * m + k])
    speed = -contact.speed * contact.restitution
    if (
        speed
        <= REBOUND * ev.memory[scales_at(m) + EVENT_FUNCTIONS * k + EventFunctions.speed]
    ):
        return 0
    return int(speed * speed > 2.0 * height * fabs(contact.b))


@kernel(inline=False)
def set_impulse_bounds(n: Int, w: Work, ev: EventArguments) -> None:
    """Set the bounds of the impulses, and the rest times of skipped rebounds.

    All closed contacts take part. Bounded forces have no impulse, unless the bound depends on
    forces: then it depends on impulses.
    """
    m = ev.counts.contacts
    data = tail(ev.memory, lcp_data_at(m))
    scales = tail(ev.memory, scales_at(m))
    lcp = tail(ev.memory, lcp_at(m))
    later = tail(lcp, Lcp.REBOUND_TIME * m)
    modes = tail(ev.counts, solver_modes_at(m))
    for k in range(m):
        contact = LcpData.at(data, LCP_DATA * k)
        speed = contact.speed
        closing = is_impact(ev, k)
        scales[EVENT_FUNCTIONS * k + EventFunctions.speed] = max(
            scales[EVENT_FUNCTIONS * k + EventFunctions.speed], fabs(speed)
        )
        mode = ev.counts[contact_at(k) + Contact.mode]
        holds = mode == ContactMode.STUCK or mode == ContactMode.SATURATED
        set_bounds(ev, k, ForceBound.NONE, ForceBound.NONE)
        ev.counts[contact_at(k) + Contact.slip_phase] = 0
        lcp[Lcp.B * m + k], lcp[Lcp.REBOUND * m + k] = speed, 0.0
        lcp[Lcp.NOISE * m + k] = lcp[Lcp.FLOOR * m + k]
        modes[k] = 0 if closing > 0 else 1
        if ev.counts.coupled_bounds > 0 and contact.on > 0.0:
            couple_bounds(ev, k, ForceBound.LOW, ForceBound.HIGH)
            if ev.counts[contact_at(k) + Contact.pair] != -1:
                modes[m + k] = ForceBound.LOW
            couple_sign_cases(ev, k)
            modes[k] = 0 if closing > 0 else mode_hint(Contact.at(ev.counts, contact_at(k)))
        if holds and contact.low == -inf:
            lcp[Lcp.LOW * m + k] = -inf
        if (holds and contact.high == inf) or is_closed(ev, k) > 0:
            lcp[Lcp.HIGH * m + k] = inf
        later[k] = 0.0
        if closing > 0:
            if rebounds(ev, k) > 0:
                lcp[Lcp.REBOUND * m + k] = contact.restitution * speed
            elif contact.b < 0.0 and contact.restitution < 1.0:
                later[k] = (
                    2.0
                    * contact.restitution
                    * speed
                    / (contact.b * (1.0 - contact.restitution))
                )


@kernel(inline=False)
def solve_impact(ev: EventArguments, part: Float) -> Float:
    """Solve for the impulses with a fraction of the restitution; return the energy gained.

    Infinity without a solution.
    """
    m = ev.counts.contacts
    lcp = tail(ev.memory, lcp_at(m))
    for k in range(m):
        lcp[Lcp.B * m + k] = (
            ev.memory[lcp_data_at(m) + LCP_DATA * k] + part * lcp[Lcp.REBOUND * m + k]
        )
    if solve_lcp(ev) != 0:
        return inf
    gained, size = 0.0, 0.0
    for k in range(m):
        work = float(lcp[Lcp.FORCE * m + k]) * mean_speed(ev, k)
        gained += work
        size += fabs(work)
    return gained if gained > IMPACT_WORK * size else 0.0


@kernel(inline=False)
def solve_with_sign_cases(
    n: Int, w: Work, ode: Ode, ev: EventArguments, part: Float
) -> Float:
    """Solve for the impulses, with consistent sign cases of lossy gears.

    Return the kinetic energy gained, infinity without a solution.
    """
    gained = solve_impact(ev, part)
    for _ in range(sign_case_iterations(ev)):
        if gained == inf or switch_sign_cases(ev, ode.p) == 0:
            break
        evaluate_lcp(n, w, ode, ev)
        for k in range(ev.counts.contacts):
            couple_sign_cases(ev, k)
        gained = solve_impact(ev, part)
    restore_sign_cases(ev, ode.p)
    return gained


@kernel(inline=False)
def solve_dissipative(n: Int, w: Work, ode: Ode, ev: EventArguments) -> Float:
    """Solve for impulses that gain no energy; return the gain if they still do.

    Infinity without a solution. Where friction would convert sliding into rebounds, all
    restitution is reduced by one factor.
    """
    if solve_with_sign_cases(n, w, ode, ev, 1.0) <= 0.0:
        return 0.0
    lower, upper = 0.0, 1.0
    for _ in range(BISECTIONS):
        part = 0.5 * (lower + upper)
        if solve_with_sign_cases(n, w, ode, ev, part) > 0.0:
            upper = part
        else:
            lower = part
    return solve_with_sign_cases(n, w, ode, ev, lower)


@kernel(inline=False)
def find_impulses(n: Int, w: Work, ode: Ode, ev: EventArguments) -> Int:
    """Find the impulses of all contacts; return 0 on success.

    Nonlinear bounds have no tangent at zero impulse: the first iteration drops their coupling.
    Intermediate tangents may gain energy, the converged ones may not.
    """
    complete_matrix(n, w, ode, ev)
    reset_linearisation_point(ev)
    for iteration in range(NEWTON_ITERATIONS):
        if has_nonlinear_bounds(ev) > 0:
            evaluate_impulse_lcp(n, w, ode, ev)
            if iteration == 0:
                drop_coupling(ev)
        set_impulse_bounds(n, w, ev)
        gained = solve_dissipative(n, w, ode, ev)
        if gained == inf or has_nonlinear_bounds(ev) == 0:
            return int(gained > 0.0)
        part = 1.0 if iteration < FULL_STEPS else 0.5
        if move_linearisation_point(ev, part) <= TANGENT_FORCE and iteration > 0:
            return int(gained > 0.0)
    return 1


share(find_impulses, late=True)
