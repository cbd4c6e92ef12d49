"""Kernels: velocity jumps by impulses, and contacts that come to rest."""

from __future__ import annotations

from math import fabs

from motorik.compiler.kernels import Floats, Int, kernel, share, tail
from motorik.nonsmooth.application.joint_modes import stop_locked
from motorik.nonsmooth.application.mode_selection import (
    evaluate_lcp,
    freeze_loops,
    has_algebraic_loop,
    is_open,
    rest_speed,
)
from motorik.nonsmooth.complementarity.redundancy import solve_sticking
from motorik.nonsmooth.detection.event_functions import (
    disk_speed,
    resting_speed,
    stopping_speed,
)
from motorik.nonsmooth.memory import (
    LCP_DATA,
    Contact,
    ContactMode,
    ContactState,
    ForceBound,
    Lcp,
    LcpData,
    SlipPhase,
    contact_at,
    contact_state_at,
    lcp_at,
    lcp_data_at,
    solver_modes_at,
    work_at,
)
from motorik.simulation.stepping.step_kernels import project_state
from motorik.simulation.stepping.workspace import HEAD, EventArguments, Ode, Vec, Work


@kernel(inline=False)
def apply_impulses(n: Int, w: Work, ode: Ode, ev: EventArguments, impulses: Floats) -> None:
    """Change the state by impulses of the contacts."""
    x, change = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.STAGE * n)
    for k in range(ev.counts.contacts):
        ode.p[ev.counts[contact_at(k) + Contact.at_force]] = impulses[k]
    w.t_call = max(w.t, w.t_from)
    ev.impulse_response(tail(w, Work.t_call), x, ode.p, change)
    for i in range(n):
        x[i] += change[i]
    for k in range(ev.counts.contacts):
        ode.p[ev.counts[contact_at(k) + Contact.at_force]] = 0.0


@kernel(inline=False)
def close_loop_velocities(n: Int, w: Work, ode: Ode, ev: EventArguments) -> None:
    """Close the velocities of loops stabilised by gains, as impulses of their constraints would.

    Otherwise friction constraints on one degree of freedom stop one after another, within the
    error of the gains. Sticking contacts stay at rest.
    """
    if ev.velocity_closure is not None:
        x, change = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.STAGE * n)
        w.t_call = max(w.t, w.t_from)
        ev.velocity_closure(tail(w, Work.t_call), x, ode.p, change)
        for i in range(n):
            x[i] += change[i]
        project_state(w, ode, float(w.t), x)


@kernel(inline=False)
def stop_marked(n: Int, w: Work, ode: Ode, ev: EventArguments) -> Int:
    """Remove the speeds of all contacts marked where modes stand; return whether any moves."""
    m = ev.counts.contacts
    data, lcp = tail(ev.memory, lcp_data_at(m)), tail(ev.memory, lcp_at(m))
    stick = tail(ev.counts, solver_modes_at(m))
    moves = 0
    for k in range(m):
        speed = float(data[LCP_DATA * k])
        lcp[Lcp.B * m + k] = -speed if stick[k] > 0 else 0.0
        if stick[k] > 0 and speed != 0.0:
            moves = 1
    if moves > 0:
        if has_algebraic_loop(ev) > 0:
            evaluate_lcp(n, w, ode, ev)
            freeze_loops(ev)
        D, impulses = tail(data, LCP_DATA * m), tail(lcp, Lcp.FORCE * m)
        work = tail(ev.memory, work_at(m))
        solve_sticking(m, D, stick, tail(lcp, Lcp.B * m), impulses, work)
        apply_impulses(n, w, ode, ev, impulses)
    return moves


@kernel(inline=False)
def stop_sticking(n: Int, w: Work, ode: Ode, ev: EventArguments) -> None:
    """Remove the speeds of sticking contacts, and of disks that start to slide."""
    if ev.stopping is not None:
        stop_locked(n, w, ode, ev)
        return
    m = ev.counts.contacts
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        first = k if own.pair >= -1 else -2 - own.pair
        begins = (
            own.pair != -1
            and ev.counts[contact_at(first) + Contact.slip_phase] == SlipPhase.STARTS
        )
        ev.counts[solver_modes_at(m) + k] = int(own.mode == ContactMode.STUCK or begins)
    stop_marked(n, w, ode, ev)


@kernel(inline=False)
def mark_sticking(ev: EventArguments, had_impact: Int) -> None:
    """Mark sticking contacts; after an impact those that it leaves closed and at rest."""
    m = ev.counts.contacts
    stick = tail(ev.counts, solver_modes_at(m))
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        holds = own.mode == ContactMode.STUCK
        if had_impact > 0:
            contact = LcpData.at(ev.memory, lcp_data_at(m) + LCP_DATA * k)
            holds = holds or (own.has_gap > 0 and contact.on > 0.0)
            rests = fabs(contact.speed) <= rest_speed(ev, k)
            holds = holds and rests and own.pair == -1 and is_open(ev, k) == 0
        stick[k] = int(holds)


@kernel
def has_normal_force(ev: EventArguments, k: Int, had_impact: Int) -> Int:
    """Return whether a disk has any friction to come to rest.

    After an impact no forces are known yet: it has if its bound depends on a marked contact.
    """
    m = ev.counts.contacts
    if had_impact == 0:
        return int(ev.memory[contact_state_at(k) + ContactState.high] > 0.0)
    data, stick = tail(ev.memory, lcp_data_at(m)), tail(ev.counts, solver_modes_at(m))
    reads = tail(data, LCP_DATA * m + (ForceBound.HIGH * m + k) * m)
    pressed = int(data[LCP_DATA * k + ForceBound.HIGH] > 0.0)
    if ev.counts.coupled_bounds > 0:
        for j in range(m):
            if stick[j] > 0 and reads[j] > 0.0:
                pressed = 1
    return pressed


@kernel(inline=False)
def mark_slow(ode: Ode, ev: EventArguments, had_impact: Int) -> Int:
    """Mark sticking contacts and disks slow enough to rest; return the number of the latter."""
    m = ev.counts.contacts
    stick = tail(ev.counts, solver_modes_at(m))
    mark_sticking(ev, had_impact)
    slow = 0
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        slides = own.mode == ContactMode.FORWARD and not ode.p[own.at_pace] > 0.0
        if own.pair >= 0 and (slides or had_impact > 0):
            slowest = 2.0 * stopping_speed(ev, k, had_impact) + resting_speed(ev, k)
            slowest += ev.memory[lcp_at(m) + Lcp.FLOOR * m + k]
            # without a normal force there is no friction
            if disk_speed(ev, k) <= slowest and has_normal_force(ev, k, had_impact) > 0:
                stick[k], stick[own.pair] = 1, 1
                slow += 1
    return slow


@kernel(inline=False)
def end_onsets(p: Floats, ev: EventArguments) -> None:
    """End the onset of slip of disks whose speed jumped because others stopped."""
    m = ev.counts.contacts
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        if own.pair >= 0 and p[own.at_pace] > 0.0:
            change = 0.0
            for i in range(2):
                j = k if i == 0 else own.pair
                speed = ev.memory[lcp_data_at(m) + LCP_DATA * j]
                change = max(change, fabs(speed - ev.memory[contact_state_at(j)]))
            if change > resting_speed(ev, k):
                p[own.at_pace] = 0.0


@kernel(inline=False)
def stop_slow_disks(n: Int, w: Work, ode: Ode, ev: EventArguments, had_impact: Int) -> None:
    """Stop disks that slide negligibly slowly, and evaluate the LCP again.

    Redundant contacts of one body have consistent accelerations only if all that may rest do.
    A stopped contact may slow down others.
    """
    stopped, slow = 0, mark_slow(ode, ev, had_impact)
    while slow > stopped and stop_marked(n, w, ode, ev) > 0:
        evaluate_lcp(n, w, ode, ev)
        end_onsets(ode.p, ev)
        stopped = slow
        slow = mark_slow(ode, ev, had_impact)


share(stop_slow_disks, late=True)
