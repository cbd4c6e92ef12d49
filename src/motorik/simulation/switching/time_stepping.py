"""Kernels: time stepping of the same complementarity laws, on speeds and impulses (Moreau–Jean).

A step has no events. Free motion leads to its end; the impulses of all unilateral and friction
constraints over the step are found at once, by the same D, restitution and bounds as events use:

    w⁺ = w + h b + D P,   w⁺ + e w⁻ ≥ 0 ⊥ P ≥ 0 where a gap closes within the step,
    P within h times the bounds of friction, or within its cone,

and positions go on with the mean of the speeds before and after. So the step passes what
accumulates, whatever happens within. Each step is taken once whole and once in two halves: their
difference is the estimate of the error.

Bounds that are curved are tangents at the mean forces P / h, found by iteration. Readings that
are fed back are those under the forces of the modes of the step, found by iteration as well.
Clocks tick, and conditions act, at ends of steps; a step in which a condition begins to hold is
as short as steps may be.
"""

from __future__ import annotations

from math import fabs, inf, isfinite, sqrt

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode
from motorik.simulation.methods.common import copy, project_state
from motorik.simulation.methods.workspace import ATOL, HEAD, RTOL, STAGE, T_CALL, T, X
from motorik.simulation.switching.choosing import (
    AT_HIGH,
    AT_LOW,
    GOES_BACKWARD,
    GOES_FORWARD,
    NONE,
    ask,
    bound,
    run_box,
)
from motorik.simulation.switching.log import write_line, write_side
from motorik.simulation.switching.stopping import push
from motorik.simulation.switching.stops import tick_after, ticks_at
from motorik.simulation.switching.store import (
    AT_FORCE,
    AT_HELD,
    AT_PACE,
    AT_STICK,
    AT_WAY,
    BACKWARD,
    BEGINS,
    CONDITION,
    DISCS,
    FLAG,
    FLOOR,
    FORCE,
    FORWARD,
    FREE,
    HAS_GAP,
    HIGH,
    IS_EVENT,
    KIND,
    LIMIT,
    LOW,
    MODE,
    MOMENT_NEXT,
    NOISE,
    PAIR,
    PENDING,
    PER_ROW,
    PER_TRIGGER,
    ROW,
    ROWS,
    START,
    STOPPED_BY,
    STUCK,
    TANGENT,
    TRIGGER,
    TRIGGERS,
    VALUE,
    B,
    asked_at,
    box_at,
    count_size,
)
from motorik.simulation.switching.tangents import (
    begin_tangents,
    hold_readings,
    is_curved,
    is_fed_back,
    touch_at,
)
from motorik.simulation.switching.triggers import ask_conditions, holds_now, make_fire
from motorik.system.switching_functions import ASKED, WATCHED

CALM = 20  # steps in a row after which no mode changes any more
SMALLER, LARGER = 0.2, 2.0  # times the last step, at least and at most
RESTING = 1e-9  # of the change of speed by a step: slower is at rest

TURNS = 40  # in which tangents of curved bounds follow the mean forces …
WHOLE = 10  # … of them with the whole change, then with half of it
SETTLED = 1e-8  # of its terms: a mean force that changes by no more stays
MODE_TURNS = 4  # in which readings that are fed back follow the modes
NARROWER = 0.25  # times a step in which a condition begins to hold: the next trial
MOST_FIRED = 20  # conditions that act one after another at one time

# what it comes to
PASSED, WENT_ON, NO_IMPULSES, FIRES = range(4)
# what firing comes to
FIRED, CALLS, ENDS, NOT_FINITE, UNDONE = range(5)


@kernel(inline=False)
def bound_impulses(ev: Events, h: Float, before: Floats) -> None:
    """Set the bounds of the impulses over a step of size h; `before` are the speeds before it."""
    m = ev.counts[ROWS]
    asked, box = tail(ev.memory, asked_at(m)), tail(ev.memory, box_at(m))
    modes = tail(ev.counts, count_size(m))
    for k in range(m):
        row, own = tail(asked, ASKED * k), tail(ev.counts, ROW + PER_ROW * k)
        speed = float(row[0])
        own[BEGINS] = 0
        bound(ev, k, NONE, NONE)
        box[B * m + k], box[NOISE * m + k] = speed, box[FLOOR * m + k]
        modes[k] = 0
        if not row[5] > 0.0:
            continue
        if own[HAS_GAP] > 0:
            if row[6] + 0.5 * h * speed <= 0.0:
                bound(ev, k, AT_LOW, AT_HIGH)
                box[B * m + k] = speed + row[7] * min(float(before[k]), 0.0)
            else:
                modes[k] = FORWARD
        elif own[PAIR] != -1 or own[MODE] == STUCK:
            bound(ev, k, AT_LOW, AT_HIGH)
        else:
            bound(ev, k, GOES_FORWARD, GOES_BACKWARD)
            if box[HIGH * m + k] < box[LOW * m + k]:
                bound(ev, k, AT_LOW, AT_HIGH)
        if box[LOW * m + k] > -inf:
            box[LOW * m + k] *= h
        if box[HIGH * m + k] < inf:
            box[HIGH * m + k] *= h


@kernel(inline=False)
def move_forces(ev: Events, h: Float, part: Float) -> Float:
    """Move the forces kept by a part of the way to the mean forces P / h; return how far that is.

    That is the largest change of a force, against the terms of its constraint.
    """
    m = ev.counts[ROWS]
    box, D = tail(ev.memory, box_at(m)), tail(ev.memory, asked_at(m) + ASKED * m)
    most = 0.0
    for k in range(m):
        force = float(box[FORCE * m + k]) / h
        change = force - float(box[TANGENT * m + k])
        box[TANGENT * m + k] += part * change
        size, own = fabs(force), fabs(D[k * (m + 1)])
        terms = fabs(box[B * m + k]) / h
        for j in range(m):
            terms += fabs(D[k * m + j] * box[FORCE * m + j]) / h
        if own > 0.0:
            size += terms / own
        if change != 0.0:
            most = max(most, fabs(change) / size if size > 0.0 else inf)
    return most


@kernel(inline=False)
def solve_impulses(
    n: Int, w: Floats, ode: Ode, ev: Events, h: Float, before: Floats
) -> Int:
    """Find the impulses over a step of size h, at whose end free motion has come to X."""
    begin_tangents(ev)
    for turn in range(TURNS):
        if turn > 0:
            touch_at(ev, ode.p, 1.0)
            ask(n, w, ode, ev)
            touch_at(ev, ode.p, 0.0)
        hold_readings(ev)
        bound_impulses(ev, h, before)
        if run_box(ev) != 0:
            return NO_IMPULSES
        if is_curved(ev) == 0:
            return PASSED
        if move_forces(ev, h, 1.0 if turn < WHOLE else 0.5) <= SETTLED:
            return PASSED
    return NO_IMPULSES


@kernel(inline=False)
def rates_without_forces(
    n: Int, w: Floats, ode: Ode, ev: Events, x: Floats, f: Floats
) -> None:
    """Write the rates at a state without forces that switch.

    Readings that are fed back are those under the forces that the present modes have there.
    """
    ode.rhs(tail(w, T_CALL), x, ode.p, f)
    if is_fed_back(ev) == 0:
        return
    m = ev.counts[ROWS]
    change, read = tail(w, HEAD + STAGE * n), tail(w, HEAD + X * n)
    set_modes(ev, ode.p, 1)
    ode.rhs(tail(w, T_CALL), x, ode.p, read)
    ev.watched(tail(w, T_CALL), x, ode.p, tail(ev.memory, START))
    set_modes(ev, ode.p, 0)
    for k in range(m):
        place = ev.counts[ROW + PER_ROW * k + AT_FORCE]
        ode.p[place] = ev.memory[START + WATCHED * k + 1]
    ev.pushed(tail(w, T_CALL), x, ode.p, change)
    for k in range(m):
        ode.p[ev.counts[ROW + PER_ROW * k + AT_FORCE]] = 0.0
    is_known = 1
    for i in range(n):
        if not isfinite(read[i] - change[i]):
            is_known = 0
    if is_known > 0:
        for i in range(n):
            f[i] = read[i] - change[i]


@kernel(inline=False)
def note_modes(ev: Events, before: Floats) -> Int:
    """Write what each constraint does over the step: open or closed, at rest or sliding.

    Return how many do otherwise than before.
    """
    m = ev.counts[ROWS]
    changed = 0
    asked, box = tail(ev.memory, asked_at(m)), tail(ev.memory, box_at(m))
    D = tail(asked, ASKED * m)
    for k in range(m):
        own = tail(ev.counts, ROW + PER_ROW * k)
        mode = own[MODE]
        speed = float(asked[ASKED * k])
        change = fabs(speed - before[k])
        for j in range(m):
            term = D[k * m + j] * box[FORCE * m + j]
            speed += term
            change += fabs(term)
        if own[HAS_GAP] > 0:
            own[MODE] = STUCK if box[FORCE * m + k] > 0.0 else FREE
        elif not asked[ASKED * k + 5] > 0.0:
            own[MODE] = FREE
        elif fabs(speed) <= RESTING * change + box[FLOOR * m + k]:
            own[MODE] = STUCK
        else:
            own[MODE] = FORWARD if speed > 0.0 else BACKWARD
        changed += int(own[MODE] != mode)
    return changed


@kernel(inline=False)
def set_modes(ev: Events, p: Floats, shows: Int) -> None:
    """Write the modes of the last step into p, or, without `shows`, those of free motion."""
    for k in range(ev.counts[ROWS]):
        own = tail(ev.counts, ROW + PER_ROW * k)
        mode = own[MODE] if shows > 0 else FREE
        slides = (mode == FORWARD or mode == BACKWARD) and own[PAIR] == -1
        p[own[AT_STICK]] = 1.0 if mode == STUCK else 0.0
        p[own[AT_WAY]] = float(mode) if slides else 0.0


@kernel(inline=False)
def set_flags(ode: Ode, ev: Events) -> None:
    """Set the flags of conditions that only say how laws act, after a step.

    Which side of a lossy gear drives is such a condition.
    """
    count = ev.table[TRIGGERS]
    for k in range(count):
        own = tail(ev.table, TRIGGER + PER_TRIGGER * k)
        value = ev.values[VALUE * count + k]
        if own[KIND] == CONDITION and own[IS_EVENT] == 0 and value != 0.0:
            ode.p[own[FLAG]] = 1.0 if value > 0.0 else 0.0


@kernel(inline=False)
def see_conditions(w: Floats, ode: Ode, ev: Events, t: Float, x: Floats) -> Int:
    """Ask for all conditions at the end of a step; return whether one is an event there."""
    count = ev.table[TRIGGERS]
    if count == 0:
        return 0
    set_modes(ev, ode.p, 1)
    ask_conditions(w, ode, ev, t, x)
    set_modes(ev, ode.p, 0)
    for k in range(count):
        own = tail(ev.table, TRIGGER + PER_TRIGGER * k)
        if own[KIND] == CONDITION and own[IS_EVENT] > 0:
            holds = holds_now(ev, k)
            held = int(ode.p[own[FLAG]] > 0.0)
            if holds != held and (holds > 0 or ev.values[VALUE * count + k] != 0.0):
                return 1
    return 0


@kernel(inline=False)
def impulse_step(
    n: Int,
    first: Int,
    w: Floats,
    ode: Ode,
    ev: Events,
    t: Float,
    h: Float,
    x: Floats,
    y: Floats,
    work: Floats,
) -> Int:
    """Take a step of size h from x at t to y; speeds begin at the place `first`."""
    m = ev.counts[ROWS]
    now, asked = tail(w, HEAD + X * n), tail(ev.memory, asked_at(m))
    f, middle, before = tail(work, 0), tail(work, n), tail(work, 2 * n)
    w[T] = t + 0.5 * h
    w[T_CALL] = t
    ode.rhs(tail(w, T_CALL), x, ode.p, f)
    for i in range(n):
        middle[i] = x[i] + 0.5 * h * f[i]
    project_state(w, ode, float(w[T]), middle)
    w[T_CALL] = w[T]
    for i in range(n):
        now[i] = middle[i] if i < first else x[i]
    ask(n, w, ode, ev)
    for k in range(m):
        before[k] = asked[ASKED * k]
    if is_fed_back(ev) > 0 and ev.counts[DISCS] > 0:
        return NO_IMPULSES  # readings under friction in planes that slides are not known
    for _ in range(MODE_TURNS if is_fed_back(ev) > 0 else 1):
        w[T_CALL] = w[T]
        rates_without_forces(n, w, ode, ev, middle, f)
        for i in range(n):
            now[i] = middle[i] if i < first else x[i] + h * f[i]
        ask(n, w, ode, ev)
        status = solve_impulses(n, w, ode, ev, h, before)
        if status != PASSED:
            return status
        if note_modes(ev, before) == 0:
            break
    push(n, w, ode, ev, tail(ev.memory, box_at(m) + FORCE * m))
    copy(n, now, y)
    for i in range(first, n):
        now[i] = 0.5 * (x[i] + y[i])
    w[T_CALL] = w[T]
    ode.rhs(tail(w, T_CALL), now, ode.p, f)
    for i in range(first):
        y[i] = x[i] + h * f[i]
    project_state(w, ode, t + h, y)
    return PASSED


@kernel
def step_through(
    n: Int,
    first: Int,
    last: Int,
    w: Floats,
    ode: Ode,
    ev: Events,
    state: Floats,
    until: Float,
    least: Float,
    finest: Float,
    most: Int,
    record: Floats,
    errors: Floats,
    work: Floats,
) -> Int:
    """Step on to `until`, or until no mode changes any more, but at least to `least`.

    `state` holds the time, the size of the next step, how many steps were calm, the number of
    records, and then x; `record` of each step its time, x and modes. Speeds stand from `first` to
    before `last`: they jump, so the error is that of all other states. Steps shorter than
    `finest` are not tried; `errors` sums the estimates of all states. It returns `FIRES` where a
    clock ticks or a condition acts.
    """
    m = ev.counts[ROWS]
    for k in range(m):  # free motion
        own = tail(ev.counts, ROW + PER_ROW * k)
        if m > 1:
            ode.p[own[AT_HELD]] = 0.0
        own[LIMIT] = 0
        if own[PAIR] >= 0:
            ode.p[own[AT_PACE]] = 0.0
    set_modes(ev, ode.p, 0)
    x, atol = tail(state, 4), tail(w, HEAD + ATOL * n)
    whole, half, end = tail(work, 0), tail(work, n), tail(work, 2 * n)
    rest = tail(work, 3 * n)
    modes = tail(rest, 2 * n + m)
    count = 0
    while state[0] < until and count < most:
        for k in range(m):
            modes[k] = ev.counts[ROW + PER_ROW * k + MODE]
        t = float(state[0])
        upto = min(until, tick_after(ev, t))
        planned = float(state[1])
        h = min(planned, upto - t)
        status = impulse_step(n, first, w, ode, ev, t, h, x, whole, rest)
        for k in range(m):
            ev.counts[ROW + PER_ROW * k + MODE] = int(modes[k])
        if status == PASSED:
            status = impulse_step(n, first, w, ode, ev, t, 0.5 * h, x, half, rest)
        if status == PASSED:
            middle = t + 0.5 * h
            status = impulse_step(n, first, w, ode, ev, middle, 0.5 * h, half, end, rest)
        if status != PASSED:
            return status
        error = 0.0
        for i in range(n):
            if i < first or i >= last:
                scale = atol[i] + w[RTOL] * fabs(x[i])
                error = max(error, fabs(end[i] - whole[i]) / scale)
                # rows of output lie on straight lines between steps
                error = max(error, fabs(half[i] - 0.5 * (x[i] + end[i])) / scale)
        if not error < inf:
            return NO_IMPULSES
        change = min(LARGER, max(SMALLER, 0.9 / sqrt(error + 1e-30)))
        if error > 1.0 and h > finest:
            state[1] = max(h * change, finest)
            for k in range(m):
                ev.counts[ROW + PER_ROW * k + MODE] = int(modes[k])
            continue
        crosses = see_conditions(w, ode, ev, t + h, end)
        if crosses > 0 and h > finest:
            state[1] = max(NARROWER * h, finest)
            for k in range(m):
                ev.counts[ROW + PER_ROW * k + MODE] = int(modes[k])
            continue
        calm = 1
        for k in range(m):
            if float(ev.counts[ROW + PER_ROW * k + MODE]) != modes[k]:
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
        row = tail(record, count * (1 + n + m))
        row[0] = state[0]
        copy(n, x, tail(row, 1))
        for k in range(m):
            row[1 + n + k] = ev.counts[ROW + PER_ROW * k + MODE]
        count += 1
        state[3] = count
        if crosses > 0 or ticks_at(ev, float(state[0])) > 0:
            state[2] = 0.0
            return FIRES
        if state[2] >= float(CALM) and state[0] >= least:
            return PASSED
    return PASSED if state[0] >= until else WENT_ON


@kernel(inline=False)
def set_number(
    n: Int, w: Floats, m: Ints, ode: Ode, ev: Events, place: Int, value: Float
) -> None:
    """Change a number of p, and write that down."""
    if ode.p[place] != value:
        write_line(m, ev, w[T], -1 - place, 0, 0, value, 0.0)
        ode.p[place] = value


_fire = make_fire(set_number)


@kernel
def fire_after_step(
    n: Int,
    w: Floats,
    m: Ints,
    ode: Ode,
    ev: Events,
    state: Floats,
    impulses: Floats,
) -> Int:
    """Let clocks tick and conditions act at the end of a step, until none is left that does."""
    rows, now, x = ev.counts[ROWS], tail(w, HEAD + X * n), tail(state, 4)
    w[T] = state[0]
    copy(n, x, now)
    set_modes(ev, ode.p, 1)
    write_side(n, w, ode, ev, 0)
    status = UNDONE
    for _ in range(MOST_FIRED):
        for k in range(rows):
            impulses[k] = 0.0
        fired = _fire(n, w, m, ode, ev, impulses)
        if fired < 0:
            status = NOT_FINITE
            break
        if fired == 0:
            status = FIRED
            break
        push(n, w, ode, ev, impulses)
    write_side(n, w, ode, ev, 1)
    ev.counts[MOMENT_NEXT] += 1
    set_modes(ev, ode.p, 0)
    project_state(w, ode, float(w[T]), now)
    copy(n, now, x)
    if status != FIRED:
        return status
    if ev.table[STOPPED_BY] > 0:
        return ENDS
    for k in range(ev.table[TRIGGERS]):
        if ev.table[TRIGGER + PER_TRIGGER * k + PENDING] > 0:
            return CALLS
    return FIRED
