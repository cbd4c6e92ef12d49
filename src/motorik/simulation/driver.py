"""The loop around the steps of any method: events, breakpoints, output grid, record, budget."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import fabs, isfinite, sqrt
from typing import TYPE_CHECKING, Any

from motorik.compiler.kernels import (
    Float,
    Floats,
    Function,
    Int,
    Kernel,
    kernel,
    share,
    tail,
)
from motorik.immutable import immutable
from motorik.numerics.tolerances import EPSILON, EVENT_ZERO
from motorik.simulation.stepping.guard import is_safe
from motorik.simulation.stepping.norm import widen_stretches
from motorik.simulation.stepping.past import (
    has_delays,
    has_jumped,
    is_past_full,
    make_storing,
)
from motorik.simulation.stepping.step_kernels import (
    begin,
    copy,
    is_finite,
    is_missed,
    measure,
    next_output_time,
    project_state,
    smallest_step,
    weighted_norm,
    widen_range,
)
from motorik.simulation.stepping.unwrapping import Unwrapping, make_unwrapping
from motorik.simulation.stepping.workspace import (
    HEAD,
    STIFF_AFTER,
    Counts,
    EventArguments,
    Ode,
    Output,
    Status,
    Vec,
    Work,
)

if TYPE_CHECKING:
    from motorik.nonsmooth.application.driver_kernels import (
        begins_here,
        bound_step,
        detect_sliding_mode,
        handle_event,
        has_breakpoint,
        has_events,
        has_room,
        is_tick,
        keep_trigger_lines,
        least_gap,
        next_breakpoint,
        pass_visit,
        penetrates,
        resets_states,
        time_to_condition,
        time_to_missed_condition,
        write_instant,
    )
    from motorik.simulation.stepping.workspace import (
        Advance,
        Attempt,
        Begin,
        Interpolate,
        Measure,
        Prepare,
        Sample,
    )


@kernel(inline=False)
def repeat_step(n: Int, w: Work, m: Counts, span: Float) -> None:
    """Return to the beginning of a step, to repeat it with another size."""
    copy(n, tail(w, HEAD + Vec.X_OLD * n), tail(w, HEAD + Vec.X * n))
    w.t = w.t_old
    w.t_valid = w.t
    w.h = span
    m.event_pending, m.started, m.unwrapping = 0, 0, Unwrapping.CURRENT
    m.method = 0
    m.rejected += 1


FEW = 64.0  # times the smallest step: least size between events as near as rounding
AT_EVENT = (
    2.0 * EVENT_ZERO
)  # of the time: an output sample no further before an event is at it
SHORTER = 0.1  # factor of the next step after too large a projection
APART, PROBES = 256.0, 16  # states displaced by so many ulps, and projected …
MAGNIFIED = 100.0  # … and a projection at most so many times as far is rounding …
ROUNDED = 1e-4  # … if it is within this part of the scale
EVENT_COST = 16  # steps that an event counts for the budget
AHEAD = 2.0  # of the time since the last start: first step of a restarted multistep method


def load_event_kernels() -> None:
    """Define the kernels of event handling in this module, which only runs with events call.

    Kernels are translated from the names around them, and branches for events are left out
    of a run without any: such a run does without all of these modules.
    """
    from motorik.nonsmooth.application import driver_kernels

    found = {name: getattr(driver_kernels, name) for name in driver_kernels.__all__}
    globals().update({name: own for name, own in found.items() if isinstance(own, Kernel)})


@kernel(inline=False)
def spread_to_lanes(of_lanes: Floats, lanes: Int, ode: Ode, ev: EventArguments) -> None:
    """Copy the parameters that events change to all lanes."""
    for place in range(ev.counts.p_first, ev.counts.p_first + ev.counts.p_count):
        for lane in range(lanes):
            of_lanes[lanes * place + lane] = ode.p[place]


@kernel
def step_length(n: Int, w: Work) -> Float:
    """Return the change of the state by the last step, in tolerances."""
    x, x_old = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.X_OLD * n)
    change = tail(w, HEAD + Vec.STAGE * n)
    for i in range(n):
        change[i] = x[i] - x_old[i]
    return weighted_norm(n, w, change)


@kernel(inline=False)
def is_rounding(n: Int, w: Work, ode: Ode) -> Int:
    """Return whether rounding alone explains how far the projection moves the new state.

    Near a singular position of the mechanism the projection magnifies rounding: it moves far
    states that are some ulps away from the beginning of the step, which is projected already.
    Before a constraint jumps, it does not.
    """
    if not w.projection_size * w.rtol <= ROUNDED:
        return 0
    x, atol = tail(w, HEAD + Vec.X_OLD * n), tail(w, HEAD + Vec.ATOL * n)
    near, other = tail(w, HEAD + Vec.LOCAL_ERROR * n), tail(w, HEAD + Vec.UNPROJECTED * n)
    farthest = 0.0
    for k in range(PROBES):
        size = APART * (1.0 + k) * EPSILON
        for i in range(n):
            sign = 1.0 - 2.0 * (((i + 1) * (k + 1) * (2 * k + 3) // 4) % 2)
            near[i] = x[i] + sign * size * max(fabs(x[i]), atol[i] / w.rtol)
            other[i] = near[i]
        project_state(w, ode, w.t_old, other)
        total = 0.0
        for i in range(n):
            move = (other[i] - near[i]) / (atol[i] + w.rtol * fabs(x[i]))
            total += move * move
        if isfinite(total):
            farthest = max(farthest, sqrt(total / n))
    return int(w.projection_size <= MAGNIFIED * farthest)


share(is_safe, is_rounding, repeat_step, spread_to_lanes)


@immutable
class StepFrame:
    """Kernels of all that happens between two steps, for runs of one kind.

    `leave` writes output samples of the last step, handles events and tells why a run stops;
    `enter` begins where the motion has no past; `aim` bounds the next step by what laws do within
    it and notes where the state is needed; `end` judges and counts a step that was taken, and
    `find_state` finds the states within it whose events are sampled.
    """

    leave: Kernel[..., Int]
    enter: Kernel[..., Int]
    aim: Kernel[..., None]
    end: Kernel[..., Int]
    find_state: Kernel[..., None]


@immutable
class Method:
    """A way to integrate ẋ = f(t, x, p), made of kernels.

    `advance` runs until something is to be reported, `sample` interpolates the last step.
    """

    name: str
    title: str
    order: int
    adaptive: bool  # whether it chooses the step size by the error
    has_memory: bool  # whether it uses steps before the last one
    make_advance: Callable[[int, int], Advance]
    make_frame: Callable[[int, int], StepFrame]
    sample: Sample
    size: Callable[[int], int]  # doubles in the workspace of n states
    uses_jacobian: bool = False
    lanes: int = 1  # states that the right-hand side takes at once
    stages: int = 1  # evaluations of a step
    border: float = 1.0  # |h λ| at the stability limit of explicit steps
    solves_along_freedoms: bool = False  # whether it takes the response to armatures

    def advance(self, unwraps: bool, has_events: bool) -> Advance:
        """Return the kernel that advances a run.

        It may unwrap angles through their full turns, and handle events where they occur.
        """
        return self.make_advance(int(unwraps), int(has_events))

    def __repr__(self) -> str:
        return f"Method({self.name!r}: {self.title})"


@kernel
def is_explicit_method(m: Counts) -> Int:
    """Return 1: all steps are explicit."""
    return 1


@kernel
def is_implicit_method(m: Counts) -> Int:
    """Return 0: no step is explicit."""
    return 0


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
    refine: Prepare | None = None,
    adaptive: bool = True,
    has_memory: bool = False,
    uses_jacobian: bool = False,
    extra: Callable[[int], int] = lambda n: 0,
    begin: Begin = begin,
    measure: Measure = measure,
    lanes: int = 1,
    stages: int = 1,
    border: float = 1.0,
    solves_along_freedoms: bool = False,
    is_explicit: Kernel[[Counts], Int] | None = None,
) -> Method:
    """Return the method whose steps are taken by `attempt`.

    `attempt` moves t, t_old, X and F by one accepted step. `prepare` computes
    what `interpolate` needs between t_old and t, `refine` mends that where it is less accurate
    than the step; both are called only where an output is asked for. `is_explicit` tells whether
    the last step was an explicit one, where that changes.
    """
    start_order = order if first_order is None else first_order
    forgets, controls = int(has_memory), int(adaptive)
    refined: Kernel[..., Any] = refine or prepare
    refines = int(refine is not None)
    explicit = is_explicit or (is_implicit_method if uses_jacobian else is_explicit_method)

    @kernel
    def interpolated(n: Int, w: Work, m: Counts, ode: Ode, t: Float, x: Floats) -> None:
        if t == w.t:
            copy(n, tail(w, HEAD + Vec.X * n), x)
        else:
            if m.dense_ready == 0:
                prepare(n, w, m, ode)
                m.dense_ready = 1
            interpolate(n, w, m, t, x)

    @kernel(inline=False)
    def glance(n: Int, w: Work, m: Counts, ode: Ode, t: Float, x: Floats) -> None:
        """Write the state at a time within the last step, as angles need it to be followed."""
        interpolated(n, w, m, ode, t, x)
        if t != w.t:
            project_state(w, ode, t, x)
            if ode.project is not None and is_finite(n, x) == 0:
                interpolated(n, w, m, ode, t, x)

    @kernel(inline=False)
    def read(n: Int, w: Work, m: Counts, ode: Ode, t: Float, x: Floats) -> None:
        """Write the state at a time within the last step, as accurately as the step is."""
        if refines > 0 and t != w.t and m.dense_ready < 2:
            if m.dense_ready == 0:
                prepare(n, w, m, ode)
            refined(n, w, m, ode)
            m.dense_ready = 2
        interpolated(n, w, m, ode, t, x)

    @kernel(inline=False)
    def sample(n: Int, w: Work, m: Counts, ode: Ode, t: Float, x: Floats) -> None:
        read(n, w, m, ode, t, x)
        if t != w.t:
            project_state(w, ode, t, x)
            if ode.project is not None and is_finite(n, x) == 0:
                # the projection fails here, though not at the ends of the step: the interpolated
                # state is as accurate as the method
                read(n, w, m, ode, t, x)

    resample, unwrap_to_present = make_unwrapping(sample, glance, vectors, lanes)

    @cache
    def make_frame(unwraps: int, events: int) -> StepFrame:
        search_step: Kernel[..., Any] = attempt  # never called without events
        store_past: Kernel[..., Any] = attempt
        find_state: Kernel[..., Any] = attempt
        if events > 0:
            store_past = make_storing(sample)
            from motorik.nonsmooth.application.driver_kernels import make_event_search

            load_event_kernels()
            search = make_event_search(sample, read, explicit)
            search_step, find_state = search.search, search.find_state

        @kernel
        def leave_step(
            n: Int,
            w: Work,
            m: Counts,
            ode: Ode,
            out: Output,
            memory: Floats,
            unwrap: Function | None,
            ev: EventArguments,
        ) -> Int:
            while True:
                # output samples of the last step, which may end anywhere after t_old
                if unwraps > 0 and unwrap is not None:
                    unwrap_to_present(n, w, m, ode, out, unwrap, memory)
                g = m.grid_next
                while g < m.grid_count:
                    t = float(out.grid[g])
                    if t > w.t_valid:
                        break
                    if events > 0:  # an output sample at an event shows the state after it
                        if m.event_pending > 0 and t >= w.t_valid - AT_EVENT * fabs(
                            w.t_valid
                        ):
                            break
                        if t == w.t_valid and t >= w.t_stop and has_breakpoint(w, ev) > 0:
                            break
                        t = max(t, w.t_old)
                    sample(n, w, m, ode, t, tail(out.samples, g * n))
                    g += 1
                m.grid_next = g
                # event where the step was cut, or at a breakpoint
                if events > 0:
                    if m.event_pending > 0:
                        m.event_pending = 0
                        m.budget -= EVENT_COST
                        is_stop = int(w.t_valid >= w.t_stop)
                        if is_stop > 0:
                            next_breakpoint(w, ev)
                        status = apply_event(n, w, m, ode, out, ev, is_stop)
                        if status != Status.GOING:
                            return status
                        if has_delays(ev) > 0:
                            return Status.PASSED
                        continue
                    if has_room(ev) == 0:
                        return Status.LOG_FULL
                    if has_delays(ev) > 0:
                        if is_past_full(ev) > 0:
                            return Status.PAST_FULL
                        if has_jumped(ev) > 0:
                            return Status.PASSED
                # reasons to stop
                if w.t >= w.t_stop:
                    if events > 0 and has_breakpoint(w, ev) > 0:
                        m.event_pending = 1
                        continue
                    return Status.REACHED
                if m.record_count > 0 and m.record_next >= m.record_count:
                    return Status.RECORD_FULL
                if m.budget <= 0:
                    return Status.PAUSED
                if m.steps >= m.max_steps:
                    return Status.TOO_MANY_STEPS
                if m.stiff_check > 0 and m.stiff_count >= STIFF_AFTER:
                    return Status.STIFF
                if events > 0 and ev.table.law_conditions > 0 and m.jump_pending == 0:
                    if m.started > 0 and detect_sliding_mode(n, w, ode, ev) > 0:
                        return Status.SLIDES
                # next step, restarted after a jump
                if m.jump_pending > 0:
                    m.jump_pending = 0
                    m.started = 0
                    m.fixed_count = 0
                    if forgets > 0:
                        m.method = 0
                        w.h = min(w.h_restart, AHEAD * (w.t - w.t_base))
                        if w.h_restart > 0.0:
                            w.h = max(w.h, FEW * smallest_step(w))
                    w.t_base = w.t
                    project_state(w, ode, w.t, tail(w, HEAD + Vec.X * n))
                    if unwraps > 0 and unwrap is not None:
                        if resample(n, w, m, ode.p, unwrap, memory) > 0:
                            return Status.LOST
                return Status.GOING

        @kernel
        def enter_step(
            n: Int,
            w: Work,
            m: Counts,
            ode: Ode,
            guard: Function | None,
            memory: Floats,
            ev: EventArguments,
        ) -> Int:
            status = Status.GOING
            if m.started == 0:
                status = begin(n, w, m, ode, start_order)
                m.started = int(status == Status.GOING)
                if controls > 0 and smallest_step(w) > w.min_step:
                    w.h = max(w.h, min(FEW * smallest_step(w), w.t_stop - w.t))
                if events > 0 and controls > 0 and explicit(m) > 0:
                    if ev.counts.onsets > 0:
                        bound_step(w, ev, forgets)
                if status == Status.GOING and is_missed(n, w, ode) > 0:
                    return Status.UNSOLVED
                if guard is not None:
                    if is_safe(n, w, m, guard, ode.p, memory, 1) == 0:
                        return Status.GUARD_TRIPPED
            if controls > 0 and status == Status.GOING and m.by_range > 0:
                if m.steps >= m.noise_next:
                    measure(n, w, m, ode)
            if controls > 0 and status == Status.GOING and w.h < smallest_step(w):
                if w.t + w.h < w.t_stop:
                    status = Status.STEP_TOO_SMALL
            return status

        @kernel
        def aim_step(
            n: Int,
            w: Work,
            m: Counts,
            ode: Ode,
            out: Output,
            ev: EventArguments,
            restarts: Int,
        ) -> None:
            if events > 0 and controls > 0 and ev.table.law_conditions > 0:
                room = time_to_condition(n, w, ode, ev, explicit(m), restarts)
                if room < w.h:
                    w.max_step = min(w.max_step, room)
                    m.stiff_check = 0  # a bounded step says nothing of damping
            m.dense_ready, w.t_output = 0, next_output_time(m, out)
            if events > 0 and has_events(ev) > 0:
                w.t_output = w.t

        @kernel
        def end_step(
            n: Int,
            w: Work,
            m: Counts,
            ode: Ode,
            out: Output,
            guard: Function | None,
            memory: Floats,
            ev: EventArguments,
        ) -> Int:
            if is_missed(n, w, ode) > 0:
                m.projection = 2
            if m.projection == 2:
                m.projection = 0
                w.t_valid = w.t
                return Status.UNSOLVED
            if m.projection > 0:
                m.projection = 0
                if controls == 0 and w.projection_size <= step_length(n, w):
                    m.jump_pending = 1  # long steps without control of their error
                elif is_rounding(n, w, ode) > 0:
                    m.jump_pending = 1  # shorter steps would not be projected less
                else:
                    span = w.t - w.t_old
                    repeat_step(n, w, m, SHORTER * span)
                    if controls == 0 or span <= 2.0 * FEW * smallest_step(w):
                        return Status.TEARS
                    return Status.GOING
            if events > 0 and controls > 0 and ev.table.law_conditions > 0:
                span = time_to_missed_condition(n, w, ode, ev)
                if span > 0.0:
                    repeat_step(n, w, m, span)
                    m.budget -= 1
                    return Status.GOING
            m.steps += 1
            m.budget -= 1
            widen_range(n, w)
            if m.by_range > 0:
                widen_stretches(n, w, m, ode)
            m.unwrapping = Unwrapping.STEP
            w.t_valid = w.t
            if events > 0:
                if has_events(ev) > 0:
                    m.event_pending = search_step(n, w, m, ode, ev)
                    if controls > 0 and m.event_pending == 2:
                        repeat_step(n, w, m, 1.01 * (w.t_valid - w.t_old))
                        m.budget -= 1
                        return Status.GOING
                    m.event_pending = min(m.event_pending, 1)
                    if controls > 0 and ev.counts.onsets > 0 and explicit(m) > 0:
                        bound_step(w, ev, forgets)
                    if m.event_pending == 0 and ev.table.triggers > 0:
                        m.event_pending = begins_here(ode.p, ev)
                if m.event_pending == 0 and w.t >= w.t_stop:
                    pass_visit(w, ev)
                if m.event_pending == 0 and w.t >= w.t_stop:
                    m.event_pending = max(has_breakpoint(w, ev), is_tick(ev, float(w.t)))
                if has_delays(ev) > 0:
                    store_past(n, w, m, ode, ev)
            if m.record_count > 0:
                line = tail(out.record, m.record_next * (n + 1 + m.unwrapped))
                line[0] = w.t_valid
                sample(n, w, m, ode, w.t_valid, tail(line, 1))
                m.record_next += 1
            if guard is not None:
                if is_safe(n, w, m, guard, ode.p, memory, 0) == 0:
                    return Status.GUARD_TRIPPED
            return Status.GOING

        return StepFrame(leave_step, enter_step, aim_step, end_step, find_state)

    @cache
    def make_advance(unwraps: int, events: int) -> Advance:
        frame = make_frame(unwraps, events)
        leave_step, enter_step = frame.leave, frame.enter
        aim_step, end_step = frame.aim, frame.end

        @kernel
        def advance(
            n: Int,
            w: Work,
            m: Counts,
            ode: Ode,
            out: Output,
            guard: Function | None,
            memory: Floats,
            unwrap: Function | None,
            ev: EventArguments,
        ) -> Int:
            while True:
                status = leave_step(n, w, m, ode, out, memory, unwrap, ev)
                if status != Status.GOING:
                    return status
                restarts = int(m.started == 0)
                status = enter_step(n, w, m, ode, guard, memory, ev)
                if status != Status.GOING:
                    return status
                allowed, checks = float(w.max_step), m.stiff_check
                aim_step(n, w, m, ode, out, ev, restarts)
                status = attempt(n, w, m, ode)
                w.max_step, m.stiff_check = allowed, checks
                if status != Status.GOING:
                    return status
                status = end_step(n, w, m, ode, out, guard, memory, ev)
                if status != Status.GOING:
                    return status

        return advance

    @kernel(inline=False)
    def apply_event(
        n: Int, w: Work, m: Counts, ode: Ode, out: Output, ev: EventArguments, is_stop: Int
    ) -> Int:
        """Return to the time where the step was cut and handle the event there.

        At a time event, massless bodies jump to their new equilibrium.
        """
        if w.t_valid < w.t:
            state = tail(w, HEAD + Vec.STAGE * n)
            sample(n, w, m, ode, w.t_valid, state)
            copy(n, state, tail(w, HEAD + Vec.X * n))
            w.t = w.t_valid
        w.t_old = w.t
        m.jump_pending = 1
        status = Status.GOING
        if has_events(ev) > 0:
            write_instant(n, w, ode, ev, 0)
        if is_stop > 0:
            project_state(w, ode, w.t, tail(w, HEAD + Vec.X * n))
        if has_events(ev) > 0:
            events_before = ev.counts.events
            resets, line = resets_states(ev), ev.counts.log_next
            x, before = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.X_OLD * n)
            copy(n, x, before)
            room = least_gap(n, w, ode, ev) if resets > 0 else 0.0
            status = handle_event(n, w, m, ode, ev)
            if resets > 0 and penetrates(n, w, ode, ev, room) > 0:
                status = Status.BEYOND
                copy(n, before, x)
                keep_trigger_lines(ev, line)
            if lanes > 1:
                spread_to_lanes(tail(w, HEAD + vectors * n), lanes, ode, ev)
            write_instant(n, w, ode, ev, 1)
            ev.counts.instant_next += int(ev.counts.events > events_before)
        if m.record_count > 0 and m.record_next <= m.record_count:
            width = n + 1 + m.unwrapped
            if m.steps > 0:
                before = tail(out.record, (m.record_next - 1) * width)
                copy(width, before, tail(out.record, m.record_next * width))
                m.record_next += 1
            last = tail(out.record, (m.record_next - 1) * width)
            copy(n, tail(w, HEAD + Vec.X * n), tail(last, 1))
        return status

    def size(n: int) -> int:
        return HEAD + vectors * n + extra(n)

    return Method(
        name,
        title,
        order,
        adaptive,
        has_memory,
        make_advance,
        make_frame,
        sample,
        size,
        uses_jacobian,
        lanes,
        stages,
        border,
        solves_along_freedoms,
    )
