"""Kernels: time stepping of the same complementarity laws, on speeds and impulses (Moreau–Jean).

A step has no events. Free motion leads to its end; the impulses of all unilateral and friction
constraints over the step are found at once, by the same D, restitution and bounds as events use:

    w⁺ = w + h b + D P,   w⁺ + e w⁻ ≥ 0 ⊥ P ≥ 0 where a gap closes within the step,
    P within h times the bounds of friction, or within its cone,

and positions go on with the mean of the speeds before and after. So the step passes what
accumulates, whatever happens within. Each step is taken once whole and once in two halves: their
difference is the estimate of the error.
"""

from __future__ import annotations

from math import fabs, inf, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode
from motorik.simulation.methods.common import copy, project_state
from motorik.simulation.methods.workspace import ATOL, HEAD, RTOL, T_CALL, T, X
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
from motorik.simulation.switching.stopping import push
from motorik.simulation.switching.store import (
    AT_HELD,
    AT_PACE,
    AT_STICK,
    AT_WAY,
    BACKWARD,
    BEGINS,
    FLAG,
    FLOOR,
    FORCE,
    FORWARD,
    FREE,
    HAS_GAP,
    HIGH,
    LIMIT,
    LOW,
    MODE,
    NOISE,
    PAIR,
    PER_ROW,
    PER_TRIGGER,
    ROW,
    ROWS,
    STUCK,
    TRIGGER,
    TRIGGERS,
    VALUE,
    B,
    asked_at,
    box_at,
    count_size,
)
from motorik.simulation.switching.tangents import is_curved
from motorik.simulation.switching.triggers import ask_conditions
from motorik.system.switching_functions import ASKED

CALM = 20  # steps in a row after which no mode changes any more
SMALLER, LARGER = 0.2, 2.0  # times the last step, at least and at most
RESTING = 1e-9  # of the change of speed by a step: slower is at rest

# what it comes to
PASSED, WENT_ON, NO_IMPULSES, CURVED = range(4)


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
def note_modes(ev: Events, before: Floats) -> None:
    """Write what each constraint does over the step: open or closed, at rest or sliding."""
    m = ev.counts[ROWS]
    asked, box = tail(ev.memory, asked_at(m)), tail(ev.memory, box_at(m))
    D = tail(asked, ASKED * m)
    for k in range(m):
        own = tail(ev.counts, ROW + PER_ROW * k)
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
def set_flags(w: Floats, ode: Ode, ev: Events, t: Float, x: Floats) -> None:
    """Set the flags of conditions, such as which side of a lossy gear drives, after a step."""
    count = ev.table[TRIGGERS]
    if count == 0:
        return
    set_modes(ev, ode.p, 1)
    ask_conditions(w, ode, ev, t, x)
    set_modes(ev, ode.p, 0)
    for k in range(count):
        value = ev.values[VALUE * count + k]
        if value != 0.0:
            ode.p[ev.table[TRIGGER + PER_TRIGGER * k + FLAG]] = 1.0 if value > 0.0 else 0.0


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
    ode.rhs(tail(w, T_CALL), middle, ode.p, f)
    for i in range(n):
        now[i] = middle[i] if i < first else x[i]
    ask(n, w, ode, ev)
    if is_curved(ev) > 0:
        return CURVED
    for k in range(m):
        before[k] = asked[ASKED * k]
    for i in range(first, n):
        now[i] = x[i] + h * f[i]
    ask(n, w, ode, ev)
    bound_impulses(ev, h, before)
    if run_box(ev) != 0:
        return NO_IMPULSES
    note_modes(ev, before)
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
    `finest` are not tried; `errors` sums the estimates of all states.
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
        h = min(float(state[1]), until - t)
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
        calm = 1
        for k in range(m):
            if float(ev.counts[ROW + PER_ROW * k + MODE]) != modes[k]:
                calm = 0
        state[2] = state[2] + 1.0 if calm > 0 else 0.0
        for i in range(n):
            errors[i] += fabs(end[i] - whole[i])
        copy(n, end, x)
        set_flags(w, ode, ev, t + h, x)
        state[0] = until if t + h >= until else t + h
        state[1] = max(h * change, finest)
        row = tail(record, count * (1 + n + m))
        row[0] = state[0]
        copy(n, x, tail(row, 1))
        for k in range(m):
            row[1 + n + k] = ev.counts[ROW + PER_ROW * k + MODE]
        count += 1
        state[3] = count
        if state[2] >= float(CALM) and state[0] >= least:
            return PASSED
    return PASSED if state[0] >= until else WENT_ON
