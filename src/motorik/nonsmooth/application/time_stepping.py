"""Kernels: time stepping of the same complementarity problem, on speeds and impulses (Moreau–Jean).

A step has no events. Free motion leads to its end; the impulses of all unilateral and friction
constraints over the step are found at once, with the same D, restitution and bounds as at events:

    w⁺ = w + h b + D P,   0 ≤ w⁺ + e w⁻ ⊥ P ≥ 0 where a gap closes within the step,
    P within h times the bounds of friction, or within its cone,

and positions advance with the mean of the speeds before and after. So the step passes accumulating
events, whatever happens within. Each step is taken once whole and once in two halves: their
difference estimates the error.

Nonlinear bounds are linearised at the mean forces P / h, by iteration. Algebraic loops are solved
under the forces of the modes of the step, by iteration as well. Clocks tick and conditions act at
ends of steps; a step in which a condition begins to hold is as short as steps may be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import fabs, inf, isfinite, sqrt
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler.addresses import address_of, start_of
from motorik.compiler.kernels import Float, Floats, Int, kernel, native_group, tail
from motorik.immutable import immutable
from motorik.nonsmooth.application.log import write_instant, write_line
from motorik.nonsmooth.application.mode_selection import (
    evaluate_lcp,
    freeze_loops,
    has_algebraic_loop,
    has_nonlinear_bounds,
    reset_linearisation_point,
    set_bounds,
    set_linearisation_point,
    solve_lcp,
)
from motorik.nonsmooth.application.run_events import find_run_events
from motorik.nonsmooth.application.triggers import make_triggers
from motorik.nonsmooth.application.velocity_jumps import apply_impulses
from motorik.nonsmooth.detection.breakpoints import is_tick, next_tick
from motorik.nonsmooth.detection.trigger_conditions import evaluate_conditions, holds_now
from motorik.nonsmooth.memory import (
    LCP_DATA,
    Contact,
    ContactMode,
    ContactState,
    EventMemory,
    ForceBound,
    Lcp,
    LcpData,
    TriggerEntry,
    TriggerKind,
    TriggerValue,
    contact_at,
    contact_state_at,
    lcp_at,
    lcp_data_at,
    solver_modes_at,
    trigger_at,
)
from motorik.numerics.tolerances import AT_REST_IN_STEP, TANGENT_STEP
from motorik.simulation.stepping.step_kernels import copy, project_state
from motorik.simulation.stepping.workspace import (
    HEAD,
    Counts,
    EventArguments,
    Ode,
    Vec,
    Work,
)

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.compiler.kernels import NativeKernel
    from motorik.nonsmooth.application.run_events import RunEvents, TriggerTables


CALM_STEPS = 20  # in succession without a change of modes: end of time stepping
SMALLER, LARGER = 0.2, 2.0  # times the last step, at least and at most

BOUND_ITERATIONS = 40  # of the linearisation point …
FULL_STEPS = 10  # … of them with the full step, then with half of it
MODE_ITERATIONS = 4  # of algebraic loops
CONDITION_STEP = 0.25  # reduction of a step in which a condition begins to hold
MOST_TRIGGER_CHAINS = 20  # triggers that fire one after another at one time


class SteppingStatus:
    """Result of time stepping."""

    PASSED = 0
    CONTINUES = 1
    NO_IMPULSES = 2
    TRIGGERS = 3


class TriggerStatus:
    """Result of triggers at the end of a step."""

    DONE = 0
    CALLS = 1  # functions of the user are due
    ENDS = 2  # the run ends
    NOT_FINITE = 3
    UNDONE = 4


@kernel(inline=False)
def bound_impulses(ev: EventArguments, h: Float, before: Floats) -> None:
    """Set the bounds of the impulses over a step h; `before` are the speeds before it."""
    m = ev.counts.contacts
    data, lcp = tail(ev.memory, lcp_data_at(m)), tail(ev.memory, lcp_at(m))
    modes = tail(ev.counts, solver_modes_at(m))
    for k in range(m):
        contact, own = LcpData.at(data, LCP_DATA * k), Contact.at(ev.counts, contact_at(k))
        speed = float(contact.speed)
        own.slip_phase = 0
        set_bounds(ev, k, ForceBound.NONE, ForceBound.NONE)
        lcp[Lcp.B * m + k], lcp[Lcp.NOISE * m + k] = speed, lcp[Lcp.FLOOR * m + k]
        modes[k] = 0
        if not contact.on > 0.0:
            continue
        if own.has_gap > 0:
            if contact.gap + 0.5 * h * speed <= 0.0:
                set_bounds(ev, k, ForceBound.LOW, ForceBound.HIGH)
                lcp[Lcp.B * m + k] = speed + contact.restitution * min(
                    float(before[k]), 0.0
                )
            else:
                modes[k] = ContactMode.FORWARD
        elif own.pair != -1 or own.mode == ContactMode.STUCK:
            set_bounds(ev, k, ForceBound.LOW, ForceBound.HIGH)
        else:
            set_bounds(ev, k, ForceBound.FORWARD, ForceBound.BACKWARD)
            if lcp[Lcp.HIGH * m + k] < lcp[Lcp.LOW * m + k]:
                set_bounds(ev, k, ForceBound.LOW, ForceBound.HIGH)
        if lcp[Lcp.LOW * m + k] > -inf:
            lcp[Lcp.LOW * m + k] *= h
        if lcp[Lcp.HIGH * m + k] < inf:
            lcp[Lcp.HIGH * m + k] *= h


@kernel(inline=False)
def move_forces(ev: EventArguments, h: Float, part: Float) -> Float:
    """Move the linearisation point towards the mean forces P / h; return the distance.

    That is the largest change of a force, relative to the terms of its contact.
    """
    m = ev.counts.contacts
    lcp, D = tail(ev.memory, lcp_at(m)), tail(ev.memory, lcp_data_at(m) + LCP_DATA * m)
    most = 0.0
    for k in range(m):
        force = float(lcp[Lcp.FORCE * m + k]) / h
        change = force - float(lcp[Lcp.TANGENT * m + k])
        lcp[Lcp.TANGENT * m + k] += part * change
        size, own = fabs(force), fabs(D[k * (m + 1)])
        terms = fabs(lcp[Lcp.B * m + k]) / h
        for j in range(m):
            terms += fabs(D[k * m + j] * lcp[Lcp.FORCE * m + j]) / h
        if own > 0.0:
            size += terms / own
        if change != 0.0:
            most = max(most, fabs(change) / size if size > 0.0 else inf)
    return most


@kernel(inline=False)
def solve_impulses(
    n: Int, w: Work, ode: Ode, ev: EventArguments, h: Float, before: Floats
) -> Int:
    """Find the impulses over a step h, at whose end free motion has reached X."""
    reset_linearisation_point(ev)
    for iteration in range(BOUND_ITERATIONS):
        if iteration > 0:
            set_linearisation_point(ev, ode.p, 1.0)
            evaluate_lcp(n, w, ode, ev)
            set_linearisation_point(ev, ode.p, 0.0)
        freeze_loops(ev)
        bound_impulses(ev, h, before)
        if solve_lcp(ev) != 0:
            return SteppingStatus.NO_IMPULSES
        if has_nonlinear_bounds(ev) == 0:
            return SteppingStatus.PASSED
        if move_forces(ev, h, 1.0 if iteration < FULL_STEPS else 0.5) <= TANGENT_STEP:
            return SteppingStatus.PASSED
    return SteppingStatus.NO_IMPULSES


@kernel(inline=False)
def rates_without_forces(
    n: Int, w: Work, ode: Ode, ev: EventArguments, x: Floats, f: Floats
) -> None:
    """Write the rates at a state without contact forces.

    Algebraic loops have their solution under the forces of the present modes.
    """
    ode.rhs(tail(w, Work.t_call), x, ode.p, f)
    if has_algebraic_loop(ev) == 0:
        return
    m = ev.counts.contacts
    change, read = tail(w, HEAD + Vec.STAGE * n), tail(w, HEAD + Vec.X * n)
    set_modes(ev, ode.p, 1)
    ode.rhs(tail(w, Work.t_call), x, ode.p, read)
    ev.contact_state(
        tail(w, Work.t_call), x, ode.p, tail(ev.memory, EventMemory.contact_state)
    )
    set_modes(ev, ode.p, 0)
    for k in range(m):
        place = ev.counts[contact_at(k) + Contact.at_force]
        ode.p[place] = ev.memory[contact_state_at(k) + ContactState.force]
    ev.impulse_response(tail(w, Work.t_call), x, ode.p, change)
    for k in range(m):
        ode.p[ev.counts[contact_at(k) + Contact.at_force]] = 0.0
    is_known = 1
    for i in range(n):
        if not isfinite(read[i] - change[i]):
            is_known = 0
    if is_known > 0:
        for i in range(n):
            f[i] = read[i] - change[i]


@kernel(inline=False)
def note_modes(ev: EventArguments, before: Floats) -> Int:
    """Write the modes over the step: open or closed, at rest or sliding.

    Return how many differ from those before.
    """
    m = ev.counts.contacts
    changed = 0
    data, lcp = tail(ev.memory, lcp_data_at(m)), tail(ev.memory, lcp_at(m))
    D = tail(data, LCP_DATA * m)
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        mode = own.mode
        speed = float(data[LCP_DATA * k])
        change = fabs(speed - before[k])
        for j in range(m):
            term = D[k * m + j] * lcp[Lcp.FORCE * m + j]
            speed += term
            change += fabs(term)
        if own.has_gap > 0:
            own.mode = (
                ContactMode.STUCK if lcp[Lcp.FORCE * m + k] > 0.0 else ContactMode.FREE
            )
        elif not data[LCP_DATA * k + LcpData.on] > 0.0:
            own.mode = ContactMode.FREE
        elif fabs(speed) <= AT_REST_IN_STEP * change + lcp[Lcp.FLOOR * m + k]:
            own.mode = ContactMode.STUCK
        else:
            own.mode = ContactMode.FORWARD if speed > 0.0 else ContactMode.BACKWARD
        changed += int(own.mode != mode)
    return changed


@kernel(inline=False)
def set_modes(ev: EventArguments, p: Floats, shows: Int) -> None:
    """Write the modes of the last step into p, or, without `shows`, those of free motion."""
    for k in range(ev.counts.contacts):
        own = Contact.at(ev.counts, contact_at(k))
        mode = own.mode if shows > 0 else ContactMode.FREE
        slides = (
            mode == ContactMode.FORWARD or mode == ContactMode.BACKWARD
        ) and own.pair == -1
        p[own.at_stick] = 1.0 if mode == ContactMode.STUCK else 0.0
        p[own.at_direction] = float(mode) if slides else 0.0


@kernel(inline=False)
def set_flags(ode: Ode, ev: EventArguments) -> None:
    """Set the flags of conditions that only select a branch of a law, after a step.

    The driving side of a lossy gear is such a condition.
    """
    count = ev.table.triggers
    for k in range(count):
        own = TriggerEntry.at(ev.table, trigger_at(k))
        value = ev.values[TriggerValue.VALUE * count + k]
        if own.kind == TriggerKind.CONDITION and own.is_event == 0 and value != 0.0:
            ode.p[own.flag] = 1.0 if value > 0.0 else 0.0


@kernel(inline=False)
def evaluate_end_conditions(
    w: Work, ode: Ode, ev: EventArguments, t: Float, x: Floats
) -> Int:
    """Evaluate all conditions at the end of a step; return whether one is an event there."""
    count = ev.table.triggers
    if count == 0:
        return 0
    set_modes(ev, ode.p, 1)
    evaluate_conditions(w, ode, ev, t, x)
    set_modes(ev, ode.p, 0)
    for k in range(count):
        own = TriggerEntry.at(ev.table, trigger_at(k))
        if own.kind == TriggerKind.CONDITION and own.is_event > 0:
            holds = holds_now(ev, k)
            held = int(ode.p[own.flag] > 0.0)
            if holds != held and (
                holds > 0 or ev.values[TriggerValue.VALUE * count + k] != 0.0
            ):
                return 1
    return 0


@kernel(inline=False)
def impulse_step(
    n: Int,
    first: Int,
    w: Work,
    ode: Ode,
    ev: EventArguments,
    t: Float,
    h: Float,
    x: Floats,
    y: Floats,
    work: Floats,
) -> Int:
    """Take a step h from x at t to y; speeds begin at the place `first`."""
    m = ev.counts.contacts
    now, data = tail(w, HEAD + Vec.X * n), tail(ev.memory, lcp_data_at(m))
    f, middle, before = tail(work, 0), tail(work, n), tail(work, 2 * n)
    w.t = t + 0.5 * h
    w.t_call = t
    ode.rhs(tail(w, Work.t_call), x, ode.p, f)
    for i in range(n):
        middle[i] = x[i] + 0.5 * h * f[i]
    project_state(w, ode, float(w.t), middle)
    w.t_call = w.t
    for i in range(n):
        now[i] = middle[i] if i < first else x[i]
    evaluate_lcp(n, w, ode, ev)
    for k in range(m):
        before[k] = data[LCP_DATA * k]
    if has_algebraic_loop(ev) > 0 and ev.counts.cones > 0:
        return (
            SteppingStatus.NO_IMPULSES
        )  # algebraic loops under sliding disks are not solved
    for _ in range(MODE_ITERATIONS if has_algebraic_loop(ev) > 0 else 1):
        w.t_call = w.t
        rates_without_forces(n, w, ode, ev, middle, f)
        for i in range(n):
            now[i] = middle[i] if i < first else x[i] + h * f[i]
        evaluate_lcp(n, w, ode, ev)
        status = solve_impulses(n, w, ode, ev, h, before)
        if status != SteppingStatus.PASSED:
            return status
        if note_modes(ev, before) == 0:
            break
    apply_impulses(n, w, ode, ev, tail(ev.memory, lcp_at(m) + Lcp.FORCE * m))
    copy(n, now, y)
    for i in range(first, n):
        now[i] = 0.5 * (x[i] + y[i])
    w.t_call = w.t
    ode.rhs(tail(w, Work.t_call), now, ode.p, f)
    for i in range(first):
        y[i] = x[i] + h * f[i]
    project_state(w, ode, t + h, y)
    return SteppingStatus.PASSED


@kernel
def step_through(
    n: Int,
    first: Int,
    last: Int,
    w: Work,
    ode: Ode,
    ev: EventArguments,
    state: Floats,
    until: Float,
    least: Float,
    finest: Float,
    most: Int,
    record: Floats,
    errors: Floats,
    work: Floats,
) -> Int:
    """Step to `until`, or until no mode changes any more, but at least to `least`.

    `state` holds the time, the size of the next step, the number of calm steps, the number of
    records, and then x; `record` of each step its time, x and modes. Speeds, from `first` to
    before `last`, jump: the error is that of all other states. Steps are not shorter than
    `finest`; `errors` sums the estimates of all states. Returns a `SteppingStatus`: `TRIGGERS`
    where a clock ticks or a condition acts.
    """
    m = ev.counts.contacts
    for k in range(m):  # free motion
        own = Contact.at(ev.counts, contact_at(k))
        if m > 1:
            ode.p[own.at_saturated] = 0.0
        own.bound = 0
        if own.pair >= 0:
            ode.p[own.at_pace] = 0.0
    set_modes(ev, ode.p, 0)
    x, atol = tail(state, 4), tail(w, HEAD + Vec.ATOL * n)
    whole, half, end = tail(work, 0), tail(work, n), tail(work, 2 * n)
    rest = tail(work, 3 * n)
    modes = tail(rest, 2 * n + m)
    count = 0
    while state[0] < until and count < most:
        for k in range(m):
            modes[k] = ev.counts[contact_at(k) + Contact.mode]
        t = float(state[0])
        upto = min(until, next_tick(ev, t))
        planned = float(state[1])
        h = min(planned, upto - t)
        status = impulse_step(n, first, w, ode, ev, t, h, x, whole, rest)
        for k in range(m):
            ev.counts[contact_at(k) + Contact.mode] = int(modes[k])
        if status == SteppingStatus.PASSED:
            status = impulse_step(n, first, w, ode, ev, t, 0.5 * h, x, half, rest)
        if status == SteppingStatus.PASSED:
            middle = t + 0.5 * h
            status = impulse_step(n, first, w, ode, ev, middle, 0.5 * h, half, end, rest)
        if status != SteppingStatus.PASSED:
            return status
        error = 0.0
        for i in range(n):
            if i < first or i >= last:
                scale = atol[i] + w.rtol * fabs(x[i])
                error = max(error, fabs(end[i] - whole[i]) / scale)
                # output samples are interpolated linearly
                error = max(error, fabs(half[i] - 0.5 * (x[i] + end[i])) / scale)
        if not error < inf:
            return SteppingStatus.NO_IMPULSES
        change = min(LARGER, max(SMALLER, 0.9 / sqrt(error + 1e-30)))
        if error > 1.0 and h > finest:
            state[1] = max(h * change, finest)
            for k in range(m):
                ev.counts[contact_at(k) + Contact.mode] = int(modes[k])
            continue
        crosses = evaluate_end_conditions(w, ode, ev, t + h, end)
        if crosses > 0 and h > finest:
            state[1] = max(CONDITION_STEP * h, finest)
            for k in range(m):
                ev.counts[contact_at(k) + Contact.mode] = int(modes[k])
            continue
        calm = 1
        for k in range(m):
            if float(ev.counts[contact_at(k) + Contact.mode]) != modes[k]:
                calm = 0
        state[2] = state[2] + 1.0 if calm > 0 else 0.0
        for i in range(n):
            errors[i] += fabs(end[i] - whole[i])
        copy(n, end, x)
        set_flags(ode, ev)
        state[0] = upto if h >= upto - t else t + h
        state[1] = max(h * change, finest)
        if h < planned and change >= 1.0:
            state[1] = max(float(state[1]), planned)
        sample = tail(record, count * (1 + n + m))
        sample[0] = state[0]
        copy(n, x, tail(sample, 1))
        for k in range(m):
            sample[1 + n + k] = ev.counts[contact_at(k) + Contact.mode]
        count += 1
        state[3] = count
        if crosses > 0 or is_tick(ev, float(state[0])) > 0:
            state[2] = 0.0
            return SteppingStatus.TRIGGERS
        if state[2] >= float(CALM_STEPS) and state[0] >= least:
            return SteppingStatus.PASSED
    return SteppingStatus.PASSED if state[0] >= until else SteppingStatus.CONTINUES


@kernel(inline=False)
def set_parameter(
    n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments, place: Int, value: Float
) -> None:
    """Change a number of p if it differs, and log it."""
    if ode.p[place] != value:
        write_line(m, ev, w.t, -1 - place, 0, 0, value, 0.0)
        ode.p[place] = value


_trigger = make_triggers(set_parameter)


@kernel
def trigger_after_step(
    n: Int,
    w: Work,
    m: Counts,
    ode: Ode,
    ev: EventArguments,
    state: Floats,
    impulses: Floats,
) -> Int:
    """Fire clocks and conditions at the end of a step, until none is left."""
    contacts, now, x = ev.counts.contacts, tail(w, HEAD + Vec.X * n), tail(state, 4)
    w.t = state[0]
    copy(n, x, now)
    set_modes(ev, ode.p, 1)
    write_instant(n, w, ode, ev, 0)
    status = TriggerStatus.UNDONE
    for _ in range(MOST_TRIGGER_CHAINS):
        for k in range(contacts):
            impulses[k] = 0.0
        triggered = _trigger(n, w, m, ode, ev, impulses)
        if triggered < 0:
            status = TriggerStatus.NOT_FINITE
            break
        if triggered == 0:
            status = TriggerStatus.DONE
            break
        apply_impulses(n, w, ode, ev, impulses)
    write_instant(n, w, ode, ev, 1)
    ev.counts.instant_next += 1
    set_modes(ev, ode.p, 0)
    project_state(w, ode, float(w.t), now)
    copy(n, now, x)
    if status != TriggerStatus.DONE:
        return status
    if ev.table.stopped_by > 0:
        return TriggerStatus.ENDS
    for k in range(ev.table.triggers):
        if ev.table[trigger_at(k) + TriggerEntry.pending] > 0:
            return TriggerStatus.CALLS
    return TriggerStatus.DONE


# --- intervals of a run --------------------------------------------------------------------


LEAST = 1e-4  # of the duration: so far it leads at least, twice as far each time
FINEST = 1e-4  # of that: no steps are shorter
JUMP = 1e-3  # of the largest speed: forces change speeds by less in the shortest step
AT_ONCE = 256  # steps of a native call
HALF = 0.5  # of the room of the log: if more is used, it is taken away
BY_STEPS = "by time stepping (Moreau-Jean)"


@immutable
class SteppedInterval:
    """An interval of a run that was passed by time stepping.

    From `begin` to `end` [s]; `error` is the estimated error of the state `name` at its end, in
    its `unit`: of all states the one that is worst against its tolerance.
    """

    begin: float
    end: float
    steps: int
    error: float
    name: str
    unit: str

    def __str__(self) -> str:
        return (
            f"from {self.begin:.9g} s to {self.end:.9g} s {BY_STEPS} in {self.steps} steps, "
            f"error about {self.error:.2g} {self.unit} of {self.name}"
        )


@dataclass
class SteppedMotion:
    """Result of time stepping: its end, its steps, and the modes in each of them.

    `numbers` are the parameters p from some times on, `trigger_tables` the clocks at its end,
    `triggered` the events of clocks and conditions, None without any; `ended_by` is the condition
    that ended the run, if one did.
    """

    t: float
    x: np.ndarray
    p: np.ndarray
    times: np.ndarray
    states: np.ndarray
    modes: np.ndarray
    interval: SteppedInterval
    numbers: list[tuple[float, np.ndarray]]
    trigger_tables: TriggerTables | None
    triggered: RunEvents | None
    ended_by: str

    def jumps(self, system: CompiledModel) -> bool:
        """Return whether speeds jump at its very beginning: no finite forces continue from there.

        The impulses of Painlevé's paradox do so however short the step is.
        """
        first = len(system.layout.state_q)
        last = first + len(system.layout.state_u)
        before, after = self.states[0, first:last], self.states[1, first:last]
        return bool(np.abs(after - before).max() > JUMP * np.abs(before).max())

    def at(self, time: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return state, modes and parameters at a time within, after a jump at that time."""
        k = int(np.searchsorted(self.times, time, side="right"))
        k = min(max(k, 1), self.times.size - 1)
        a, b = self.times[k - 1], self.times[k]
        part = (time - a) / (b - a) if b > a else 1.0
        p = next(p for begin, p in reversed(self.numbers) if begin <= time)
        return (1.0 - part) * self.states[k - 1] + part * self.states[k], self.modes[k], p


def step_interval(
    system: CompiledModel,
    at: tuple[float, np.ndarray, np.ndarray],
    tolerances: tuple[float, np.ndarray],
    stop: float,
    span: float,
    watch: Callable[[], bool] | None = None,
    finest: float | None = None,
    before: TriggerTables | None = None,
) -> SteppedMotion | None:
    """Step from (t, x, p) by at least `span` [s], until no mode changes any more.

    `tolerances` are rtol and atol, `stop` the end of the run. `finest` [s] is the shortest step,
    by default a small part of the span; `before` are the clocks so far. None if there are no
    consistent impulses, if conditions undo each other, or if `watch` ends it.
    """
    t, x, p = at
    n, m = x.size, len(system.nonsmooth.constraints) if system.nonsmooth is not None else 0
    own = find_run_events(system, t, stop, p, False)
    assert own is not None
    p = p.copy()
    own.start(n, p, 0.0)
    own.counts.modes_known = 1
    if own.trigger_tables is not None and before is not None:
        own.trigger_tables.take_ticks(before.ticks)
    w = np.zeros(HEAD + Vec.K * n).view(Work)
    w.rtol, w.t_from, w.t_upto = tolerances[0], -np.inf, np.inf
    w[HEAD + Vec.ATOL * n : HEAD + (Vec.ATOL + 1) * n] = tolerances[1]
    finest = FINEST * span if finest is None else finest
    state = np.concatenate([[t, finest, 0.0, 0.0], x])
    record, errors = np.empty((AT_ONCE, 1 + n + m)), np.zeros(n)
    work, impulses = np.zeros(5 * n + 2 * m + 1), np.zeros(m)
    counts = np.zeros(Counts.kind, dtype=np.int64)
    first = len(system.layout.state_q)
    last = first + len(system.layout.state_u)
    project = system.project
    owners = system.derivative, None, project.replace_address if project else None
    stretches = np.zeros(1)  # steps have no norm of stretches
    ode = [
        *map(address_of, owners),
        start_of(p),
        None,
        start_of(stretches),
        None,
        None,
        None,
    ]
    given = *ode, *own.arguments()
    places = [n, first, last, start_of(w), *given, start_of(state)]
    trigger_arguments = [
        n,
        start_of(w),
        start_of(counts),
        *given,
        start_of(state),
        start_of(impulses),
    ]
    lines = [np.concatenate([[t], x, np.zeros(m)])[None]]
    numbers = [(-np.inf, p.copy())]
    buffers = [start_of(a) for a in (record, errors, work)]
    step, trigger = _kernels()
    has_triggered = False
    is_due = own.trigger_tables is not None and own.trigger_tables.ticks_at(t)
    while True:
        status = SteppingStatus.TRIGGERS
        if not is_due:
            until = stop, min(t + span, stop), finest, AT_ONCE
            status = step.entry(*places, *until, *buffers)
            lines.append(record[: int(state[3])].copy())
            state[3] = 0.0
        is_due = False
        if status == SteppingStatus.TRIGGERS:
            triggered = trigger.entry(*trigger_arguments)
            if triggered not in (
                TriggerStatus.DONE,
                TriggerStatus.CALLS,
                TriggerStatus.ENDS,
            ):
                return None
            here, modes = state[4:].copy(), lines[-1][-1, 1 + n :]
            if triggered == TriggerStatus.CALLS:
                _call_functions(system, own, float(state[0]), here, p, modes)
            lines.append(np.concatenate([[state[0]], here, modes])[None])
            numbers.append((float(state[0]), p.copy()))
            if own.counts.log_next > HALF * len(own.log) or (
                own.counts.instant_next >= own.counts.instant_room
            ):
                own.make_room()
            has_triggered = True
            if triggered == TriggerStatus.ENDS or state[0] >= stop:
                break
        elif status != SteppingStatus.CONTINUES:
            break
        if watch is not None and watch():
            return None
    if status not in (SteppingStatus.PASSED, SteppingStatus.TRIGGERS):
        return None
    table = np.concatenate(lines)
    end = float(state[0])
    moved = system.layout.integrated
    size = errors / (tolerances[1] + tolerances[0] * np.abs(state[4:]))
    size[first:last] = 0.0
    worst = int(np.argmax(size))
    shown = system.layout.motion[moved[worst]]
    taken = len(table) - len(numbers)
    interval = SteppedInterval(t, end, taken, float(errors[worst]), shown.name, shown.unit)
    parts = table[:, 0], table[:, 1 : 1 + n], table[:, 1 + n :]
    events = own if has_triggered else None
    ended_by = own.trigger_tables.stopped_by if own.trigger_tables is not None else ""
    own_events = numbers, own.trigger_tables, events, ended_by
    return SteppedMotion(end, state[4:].copy(), p, *parts, interval, *own_events)


def _call_functions(
    system: CompiledModel,
    own: RunEvents,
    t: float,
    x: np.ndarray,
    p: np.ndarray,
    modes: np.ndarray,
) -> None:
    """Call the functions of the user that are due, and assign their values."""
    assert own.trigger_tables is not None
    inputs = system.sampled_inputs(np.array([t]), x, with_modes(system, p, modes))
    for function in own.trigger_tables.due():
        given = function.call(t, inputs[function.inputs].tolist())
        for place, value in zip(function.places, given, strict=True):
            own.note(t, 0, place, value)
            p[place] = value


def with_modes(system: CompiledModel, p: np.ndarray, modes: np.ndarray) -> np.ndarray:
    """Return parameters with modes of all constraints; sliding disks have none."""
    found = p.copy()
    layout = system.layout.nonsmooth
    in_plane = np.array(layout.pairs, dtype=int) != -1
    found[layout.columns.stick] = modes == ContactMode.STUCK
    slides = np.abs(modes) == ContactMode.FORWARD
    found[layout.columns.direction] = np.where(slides & ~in_plane, modes, 0.0)
    return found


@cache
def _kernels() -> tuple[NativeKernel, ...]:
    return native_group(step_through, trigger_after_step)
