"""The loop around the steps of any method: stop time, output grid, record, budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import fabs, isfinite, sqrt

from motorik.compiler.kernels import Float, Floats, Function, Int, Ints, kernel, share, tail
from motorik.simulation.methods.arguments import (
    Advance,
    Attempt,
    Begin,
    Events,
    Interpolate,
    Measure,
    Ode,
    Output,
    Prepare,
    Sample,
)
from motorik.simulation.methods.common import (
    begin,
    copy,
    is_finite,
    is_missed,
    measure,
    next_row,
    project_state,
    smallest_step,
    weighted_norm,
    widen_range,
)
from motorik.simulation.methods.guard import is_safe
from motorik.simulation.methods.norm import widen_stretches
from motorik.simulation.methods.winding import STEP, make_winding
from motorik.simulation.methods.workspace import (
    ATOL,
    BEYOND,
    BUDGET,
    BY_RANGE,
    CUT,
    DENSE_READY,
    EPSILON,
    FAR,
    FIXED_COUNT,
    FOLLOW,
    GOING,
    GRID_COUNT,
    GRID_NEXT,
    GUARD_TRIPPED,
    H_ANEW,
    HEAD,
    JUMP_PENDING,
    KEPT,
    LOCAL_ERROR,
    LOG_FULL,
    MAX_STEP,
    MAX_STEPS,
    MIN_STEP,
    NOISE_NEXT,
    OWN_COUNTS,
    PAUSED,
    REACHED,
    RECORD_COUNT,
    RECORD_FULL,
    RECORD_NEXT,
    RTOL,
    SLIDES,
    STAGE,
    STARTED,
    STEP_TOO_SMALL,
    STEPS,
    STIFF,
    STIFF_AFTER,
    STIFF_CHECK,
    STIFF_HITS,
    T_BASE,
    T_OLD,
    T_STOP,
    T_TO,
    T_WANTED,
    TEARS,
    TOO_MANY_STEPS,
    TORN,
    UNSOLVED,
    WOUND,
    X_OLD,
    H,
    T,
    X,
)
from motorik.simulation.switching.beyond import (
    is_beyond,
    keep_fired,
    least_gap,
    resets_states,
)
from motorik.simulation.switching.creeping import bound_step
from motorik.simulation.switching.crossings import (
    take_again,
    time_to_crossing,
    time_to_unseen,
)
from motorik.simulation.switching.log import has_room, write_side
from motorik.simulation.switching.modes import make_change
from motorik.simulation.switching.sliding import find_sliding
from motorik.simulation.switching.stops import (
    can_happen,
    has_stop,
    next_stop,
    pass_visit,
    ticks_at,
)
from motorik.simulation.switching.store import (
    CREEPING,
    CROSSED,
    EVENTS,
    LOG_NEXT,
    MOMENT_NEXT,
    P_COUNT,
    P_FIRST,
    TRIGGERS,
)
from motorik.simulation.switching.triggers import TOLERANCE, begins_here
from motorik.simulation.switching.watch import WATCHING, make_watch

FEW = 64.0  # times the smallest step: no less is tried where two events are as near as rounding
AT_EVENT = 2.0 * TOLERANCE  # of the time: a row no further before an event is at it
SHORTER = 0.1  # the next step after one whose projection was too far
APART, PROBES = 256.0, 16  # states displaced by so many roundings, and put back …
MAGNIFIED = 100.0  # … and a projection at most so many times as far is rounding, too …
ROUNDED = 1e-4  # … if it is no farther than this part of the scale
EVENT_COST = 16  # steps that an event counts as between two looks at the clock
AHEAD = 2.0  # of the time since it last began: a method that begins anew goes no further at once


change = make_change()
share(change, write_side, next_stop, bound_step, ticks_at, begins_here, *WATCHING)
share(least_gap, is_beyond, keep_fired, time_to_crossing, time_to_unseen, find_sliding)


@kernel(inline=False)
def spread(of_lanes: Floats, lanes: Int, ode: Ode, ev: Events) -> None:
    """Give each lane the numbers of p that events change."""
    for place in range(ev.counts[P_FIRST], ev.counts[P_FIRST] + ev.counts[P_COUNT]):
        for lane in range(lanes):
            of_lanes[lanes * place + lane] = ode.p[place]


@kernel
def step_length(n: Int, w: Floats) -> Float:
    """Return how far the last step has moved the state, in tolerances."""
    x, x_old = tail(w, HEAD + X * n), tail(w, HEAD + X_OLD * n)
    change = tail(w, HEAD + STAGE * n)
    for i in range(n):
        change[i] = x[i] - x_old[i]
    return weighted_norm(n, w, change)


@kernel(inline=False)
def is_rounding(n: Int, w: Floats, ode: Ode) -> Int:
    """Return whether rounding alone explains how far the projection moves the new state.

    Near a singular position of the mechanism the projection magnifies rounding: it moves
    states far that are some roundings away from the beginning of the step, which was put
    back already. Before a constraint jumps, it does not.
    """
    if not w[FAR] * w[RTOL] <= ROUNDED:
        return 0
    x, atol = tail(w, HEAD + X_OLD * n), tail(w, HEAD + ATOL * n)
    near, other = tail(w, HEAD + LOCAL_ERROR * n), tail(w, HEAD + KEPT * n)
    farthest = 0.0
    for k in range(PROBES):
        size = APART * (1.0 + k) * EPSILON
        for i in range(n):
            sign = 1.0 - 2.0 * (((i + 1) * (k + 1) * (2 * k + 3) // 4) % 2)
            near[i] = x[i] + sign * size * max(fabs(x[i]), atol[i] / w[RTOL])
            other[i] = near[i]
        project_state(w, ode, w[T_OLD], other)
        total = 0.0
        for i in range(n):
            move = (other[i] - near[i]) / (atol[i] + w[RTOL] * fabs(x[i]))
            total += move * move
        if isfinite(total):
            farthest = max(farthest, sqrt(total / n))
    return int(w[FAR] <= MAGNIFIED * farthest)


@dataclass(frozen=True)
class Method:
    """A way to integrate ẋ = f(t, x, p), made of kernels.

    `advance` runs until something is to be reported, `advance_winding` also follows angles
    through their full turns, those with `events` stop at events and change modes there;
    `sample` interpolates the last step.
    """

    name: str
    title: str
    order: int
    adaptive: bool  # whether it chooses the step size by the error
    has_memory: bool  # whether it uses steps before the last one
    advance: Advance
    advance_winding: Advance
    advance_events: Advance
    advance_winding_events: Advance
    sample: Sample
    size: Callable[[int], int]  # doubles in the workspace of n states
    uses_jacobian: bool = False
    lanes: int = 1  # states that the right-hand side takes at once
    stages: int = 1  # evaluations of a step
    border: float = 1.0  # |h λ| at which explicit steps end to be stable

    def __repr__(self) -> str:
        return f"Method({self.name!r}: {self.title})"


def make_method(
    name: str,
    title: str,
    *,
    order: int,
    first_order: int | None = None,
    vectors: int,
    attempt: Attempt,
    prepare: Prepare,
    interpolate: Interpolate,
    adaptive: bool = True,
    has_memory: bool = False,
    uses_jacobian: bool = False,
    extra: Callable[[int], int] = lambda n: 0,
    begin: Begin = begin,
    measure: Measure = measure,
    lanes: int = 1,
    stages: int = 1,
    border: float = 1.0,
) -> Method:
    """Return the method whose steps are taken by `attempt`.

    `attempt` moves T, T_OLD, X and F by one step that was found good. `prepare` computes
    what `interpolate` needs between T_OLD and T; it is called only where an output is asked
    for.
    """
    start_order = order if first_order is None else first_order
    forgets, controls, explicit = int(has_memory), int(adaptive), int(not uses_jacobian)

    @kernel(inline=False)
    def interpolated(n: Int, w: Floats, m: Ints, ode: Ode, t: Float, row: Floats) -> None:
        if t == w[T]:
            copy(n, tail(w, HEAD + X * n), row)
        else:
            if m[DENSE_READY] == 0:
                prepare(n, w, m, ode)
                m[DENSE_READY] = 1
            interpolate(n, w, m, t, row)

    @kernel(inline=False)
    def sample(n: Int, w: Floats, m: Ints, ode: Ode, t: Float, row: Floats) -> None:
        interpolated(n, w, m, ode, t, row)
        if t != w[T]:
            project_state(w, ode, t, row)
            if ode.project is not None and is_finite(n, row) == 0:
                # equations that are not solved here, though they are at the ends of the step:
                # the interpolated state is as exact as the method
                interpolated(n, w, m, ode, t, row)

    look_anew, follow = make_winding(sample, vectors, lanes)
    watch = make_watch(sample, interpolated)

    def make_advance(winds: int, events: int) -> Advance:
        @kernel
        def advance(
            n: Int,
            w: Floats,
            m: Ints,
            ode: Ode,
            out: Output,
            guard: Function | None,
            memory: Floats,
            wind: Function | None,
            ev: Events,
        ) -> Int:
            while True:
                # what the last step has passed; it may end anywhere after T_OLD
                if winds > 0 and wind is not None:
                    follow(n, w, m, ode, out, wind, memory)
                g = m[GRID_NEXT]
                while g < m[GRID_COUNT]:
                    t = float(out.grid[g])
                    if t > w[T_TO]:
                        break
                    if events > 0:  # a row where something happens shows after
                        if m[CUT] > 0 and t >= w[T_TO] - AT_EVENT * fabs(w[T_TO]):
                            break
                        if t == w[T_TO] and t >= w[T_STOP] and has_stop(w, ev) > 0:
                            break
                        t = max(t, w[T_OLD])
                    sample(n, w, m, ode, t, tail(out.rows, g * n))
                    g += 1
                m[GRID_NEXT] = g
                # what happens where the step was cut, or at a time of change
                if events > 0:
                    if m[CUT] > 0:
                        m[CUT] = 0
                        m[BUDGET] -= EVENT_COST
                        is_stop = int(w[T_TO] >= w[T_STOP])
                        if is_stop > 0:
                            next_stop(w, ev)
                        status = happen(n, w, m, ode, out, ev, is_stop)
                        if status != GOING:
                            return status
                        continue
                    if has_room(ev) == 0:
                        return LOG_FULL
                # reasons to stop
                if w[T] >= w[T_STOP]:
                    if events > 0 and has_stop(w, ev) > 0:
                        m[CUT] = 1
                        continue
                    return REACHED
                if m[RECORD_COUNT] > 0 and m[RECORD_NEXT] >= m[RECORD_COUNT]:
                    return RECORD_FULL
                if m[BUDGET] <= 0:
                    return PAUSED
                if m[STEPS] >= m[MAX_STEPS]:
                    return TOO_MANY_STEPS
                if m[STIFF_CHECK] > 0 and m[STIFF_HITS] >= STIFF_AFTER:
                    return STIFF
                if events > 0 and ev.table[CROSSED] > 0 and m[JUMP_PENDING] == 0:
                    if m[STARTED] > 0 and find_sliding(n, w, ode, ev) > 0:
                        return SLIDES
                # one step more, after a jump from a new start
                if m[JUMP_PENDING] > 0:
                    m[JUMP_PENDING] = 0
                    m[STARTED] = 0
                    m[FIXED_COUNT] = 0
                    if forgets > 0:
                        m[OWN_COUNTS] = 0
                        w[H] = min(w[H_ANEW], AHEAD * (w[T] - w[T_BASE]))
                        if w[H_ANEW] > 0.0:
                            w[H] = max(w[H], FEW * smallest_step(w))
                    w[T_BASE] = w[T]
                    project_state(w, ode, w[T], tail(w, HEAD + X * n))
                    if winds > 0 and wind is not None:
                        look_anew(n, w, m, ode.p, wind, memory)
                status = GOING
                anew = int(m[STARTED] == 0)
                if anew > 0:
                    status = begin(n, w, m, ode, start_order)
                    m[STARTED] = int(status == GOING)
                    if controls > 0 and smallest_step(w) > w[MIN_STEP]:
                        w[H] = max(w[H], min(FEW * smallest_step(w), w[T_STOP] - w[T]))
                    if events > 0 and explicit > 0 and controls > 0:
                        if ev.counts[CREEPING] > 0:
                            bound_step(w, ev, forgets)
                    if status == GOING and is_missed(n, w, ode) > 0:
                        return UNSOLVED
                    if guard is not None:
                        if is_safe(n, w, m, guard, ode.p, memory, 1) == 0:
                            return GUARD_TRIPPED
                if controls > 0 and status == GOING and m[BY_RANGE] > 0:
                    if m[STEPS] >= m[NOISE_NEXT]:
                        measure(n, w, m, ode)
                if controls > 0 and status == GOING and w[H] < smallest_step(w):
                    if w[T] + w[H] < w[T_STOP]:
                        status = STEP_TOO_SMALL
                if status == GOING:
                    allowed, checks = float(w[MAX_STEP]), m[STIFF_CHECK]
                    if events > 0 and controls > 0 and ev.table[CROSSED] > 0:
                        room = time_to_crossing(n, w, ode, ev, explicit, anew)
                        if room < w[H]:
                            w[MAX_STEP] = min(allowed, room)
                            m[STIFF_CHECK] = 0  # it tells nothing of damping
                    m[DENSE_READY], w[T_WANTED] = 0, next_row(m, out)
                    if events > 0 and can_happen(ev) > 0:
                        w[T_WANTED] = w[T]
                    status = attempt(n, w, m, ode)
                    w[MAX_STEP], m[STIFF_CHECK] = allowed, checks
                if status != GOING:
                    return status
                if is_missed(n, w, ode) > 0:
                    m[TORN] = 2
                if m[TORN] == 2:
                    m[TORN] = 0
                    w[T_TO] = w[T]
                    return UNSOLVED
                if m[TORN] > 0:
                    m[TORN] = 0
                    if controls == 0 and w[FAR] <= step_length(n, w):
                        m[JUMP_PENDING] = 1  # long steps without control of their error
                    elif is_rounding(n, w, ode) > 0:
                        m[JUMP_PENDING] = 1  # shorter steps would not be put back less
                    else:
                        span = w[T] - w[T_OLD]
                        take_again(n, w, m, SHORTER * span)
                        if controls == 0 or span <= 2.0 * FEW * smallest_step(w):
                            return TEARS
                        continue
                if events > 0 and controls > 0 and ev.table[CROSSED] > 0:
                    span = time_to_unseen(n, w, ode, ev)
                    if span > 0.0:
                        take_again(n, w, m, span)
                        m[BUDGET] -= 1
                        continue
                m[STEPS] += 1
                m[BUDGET] -= 1
                widen_range(n, w)
                if m[BY_RANGE] > 0:
                    widen_stretches(n, w, m, ode)
                m[FOLLOW] = STEP
                w[T_TO] = w[T]
                if events > 0:
                    if can_happen(ev) > 0:
                        m[CUT] = watch(n, w, m, ode, ev)
                        if controls > 0 and m[CUT] == 2:
                            take_again(n, w, m, 1.01 * (w[T_TO] - w[T_OLD]))
                            m[BUDGET] -= 1
                            continue
                        m[CUT] = min(m[CUT], 1)
                        if explicit > 0 and controls > 0 and ev.counts[CREEPING] > 0:
                            bound_step(w, ev, forgets)
                        if m[CUT] == 0 and ev.table[TRIGGERS] > 0:
                            m[CUT] = begins_here(ode.p, ev)
                    if m[CUT] == 0 and w[T] >= w[T_STOP]:
                        pass_visit(w, ev)
                    if m[CUT] == 0 and w[T] >= w[T_STOP]:
                        m[CUT] = max(has_stop(w, ev), ticks_at(ev, float(w[T])))
                if m[RECORD_COUNT] > 0:
                    row = tail(out.record, m[RECORD_NEXT] * (n + 1 + m[WOUND]))
                    row[0] = w[T_TO]
                    sample(n, w, m, ode, w[T_TO], tail(row, 1))
                    m[RECORD_NEXT] += 1
                if guard is not None:
                    if is_safe(n, w, m, guard, ode.p, memory, 0) == 0:
                        return GUARD_TRIPPED

        return advance

    @kernel(inline=False)
    def happen(
        n: Int, w: Floats, m: Ints, ode: Ode, out: Output, ev: Events, is_stop: Int
    ) -> Int:
        """Go back to where the step was cut and let happen what happens there.

        Where laws change, at a stop, what has no mass jumps to its new balance.
        """
        if w[T_TO] < w[T]:
            state = tail(w, HEAD + STAGE * n)
            sample(n, w, m, ode, w[T_TO], state)
            copy(n, state, tail(w, HEAD + X * n))
            w[T] = w[T_TO]
        w[T_OLD] = w[T]
        m[JUMP_PENDING] = 1
        status = GOING
        if can_happen(ev) > 0:
            write_side(n, w, ode, ev, 0)
        if is_stop > 0:
            project_state(w, ode, w[T], tail(w, HEAD + X * n))
        if can_happen(ev) > 0:
            seen = ev.counts[EVENTS]
            resets, line = resets_states(ev), ev.counts[LOG_NEXT]
            x, before = tail(w, HEAD + X * n), tail(w, HEAD + X_OLD * n)
            copy(n, x, before)
            room = least_gap(n, w, ode, ev) if resets > 0 else 0.0
            status = change(n, w, m, ode, ev)
            if resets > 0 and is_beyond(n, w, ode, ev, room) > 0:
                status = BEYOND
                copy(n, before, x)
                keep_fired(ev, line)
            if lanes > 1:
                spread(tail(w, HEAD + vectors * n), lanes, ode, ev)
            write_side(n, w, ode, ev, 1)
            ev.counts[MOMENT_NEXT] += int(ev.counts[EVENTS] > seen)
        if m[RECORD_COUNT] > 0 and m[RECORD_NEXT] <= m[RECORD_COUNT]:
            width = n + 1 + m[WOUND]
            if m[STEPS] > 0:
                before = tail(out.record, (m[RECORD_NEXT] - 1) * width)
                copy(width, before, tail(out.record, m[RECORD_NEXT] * width))
                m[RECORD_NEXT] += 1
            row = tail(out.record, (m[RECORD_NEXT] - 1) * width)
            copy(n, tail(w, HEAD + X * n), tail(row, 1))
        return status

    def size(n: int) -> int:
        return HEAD + vectors * n + extra(n)

    return Method(
        name,
        title,
        order,
        adaptive,
        has_memory,
        make_advance(0, 0),
        make_advance(1, 0),
        make_advance(0, 1),
        make_advance(1, 1),
        sample,
        size,
        uses_jacobian,
        lanes,
        stages,
        border,
    )
