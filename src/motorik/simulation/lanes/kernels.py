"""The native loop over lanes: a step of each of several runs by one evaluation of all stages."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from motorik.compiler.kernels import (
    Float,
    Floats,
    Function,
    Int,
    Ints,
    Kernel,
    function_at,
    kernel,
    lanes,
    tail,
    unroll,
)
from motorik.immutable import immutable
from motorik.nonsmooth.memory import (
    CONTACT_STATE,
    EventCounts,
    EventMemory,
    ReadySamples,
    TriggerTable,
    ready_size,
)
from motorik.simulation.integration import begin_again
from motorik.simulation.lanes.events import (
    LaneEvents,
    breakpoints_at,
    has_journal_room,
    is_sparse,
    keep_end,
    load_events,
    write_journal,
)
from motorik.simulation.lanes.gathered import TrialOutcome, make_gathered_kernels
from motorik.simulation.lanes.layout import NONE, Queue, Side, put, take
from motorik.simulation.methods import METHODS, TABLES
from motorik.simulation.methods.runge_kutta import (
    HERMITE,
    NOTICEABLE,
    choice_of,
    end_trial,
    find_explosion,
    find_first,
    make_step_kernels,
    plan_fixed_step,
    plan_step,
)
from motorik.simulation.stepping.norm import (
    Relative,
    corrected,
    error_norm,
    larger,
    weigh,
)
from motorik.simulation.stepping.step_kernels import (
    accept_projection,
    copy,
    put_back,
)
from motorik.simulation.stepping.unwrapping import AHEAD, AngleMemory, parts_of_step
from motorik.simulation.stepping.workspace import (
    HEAD,
    Counts,
    EventArguments,
    Ode,
    Output,
    Status,
    Vec,
    Work,
)

FEW = 4  # part of the lanes that is too few to be sampled side by side
COST = 5  # numbers of the cost of a run, `Counts.steps` and on


@immutable
class Runs:
    """Data of the runs, one line for each: starts, parameters, tolerances; samples and cost."""

    starts: Floats
    parameters: Floats
    atol: Floats
    scales: Floats
    samples: Floats
    status: Ints
    cost: Ints


@immutable
class Workspaces:
    """Workspaces of all lanes end to end, and what they are filled with before each run."""

    w: Floats
    m: Ints
    memory: Floats
    p: Floats
    w_first: Floats
    m_first: Ints
    memory_first: Floats
    y_first: Floats
    side: Floats
    p_side: Floats
    stretch_side: Floats  # relative coordinates at new states, and at those off by errors
    angle_side: Floats  # unwrapped angles and their speeds


@kernel(inline=False)
def load_run(
    width: Int, n: Int, lane: Int, queue: Queue, ode: Ode, own: Workspaces, runs: Runs
) -> None:
    """Begin the next run of the queue in a lane."""
    r = queue.next
    queue.next += 1
    queue[Queue.run + lane] = r
    size, count = queue.p_size, queue.stretches
    p = tail(own.p, lane * size)
    for k in range(size):
        p[k] = runs.parameters[r * size + k]
    put(width, size, lane, p, own.p_side)
    w, y = Work.at(own.w, lane * queue.w_size), ode.stretches
    begin_again(
        n,
        n,
        queue.w_size,
        own.w_first,
        w,
        queue.m_size,
        own.m_first,
        Counts.at(own.m, lane * queue.m_size),
        queue.memory_size,
        own.memory_first,
        tail(own.memory, lane * queue.memory_size),
        ode.stretch,
        count,
        own.y_first,
        y,
        tail(runs.starts, r * n),
        p,
    )
    for i in range(n):
        w[HEAD + Vec.ATOL * n + i] = runs.atol[r * n + i]
    for k in range(count):
        y[Relative.SCALE * count + k] = runs.scales[r * count + k]


@kernel(inline=False)
def unload_run(lane: Int, queue: Queue, m: Counts, runs: Runs, status: Int) -> None:
    """Note why the run of a lane stops, and what it has cost."""
    r = queue[Queue.run + lane]
    runs.status[r] = status
    for k in range(COST):
        runs.cost[COST * r + k] = m[Counts.steps + k]
    queue[Queue.run + lane] = NONE
    queue.done += 1


@kernel
def show_references(width: Int, lane: Int, m: Counts, p: Floats, p_side: Floats) -> None:
    """Copy what changes in the parameters of a lane."""
    for k in range(m.unwrapped_at, m.unwrapped_at + m.unwrapped):
        p_side[width * k + lane] = p[k]


@kernel
def is_request(status: Int) -> Int:
    """Return whether a run may go on once Python has answered."""
    asks = int(status == Status.GUARD_TRIPPED or status == Status.STIFF)
    asks = max(asks, int(status == Status.LOST or status == Status.SLIDES))
    return max(asks, int(status == Status.PAUSED))


@immutable
class LaneKernel:
    """The loop over lanes, and how many vectors it needs."""

    advance: Kernel[..., Int]
    vectors: int


@cache
def make_lane_kernel(name: str, unwraps: int, events: int, L: int) -> LaneKernel:
    """Return the loop over L lanes of a method that has a table, by its name.

    Its runs may have angles that are unwrapped, and events.
    """
    table, method = TABLES[name], METHODS[name]
    frame = method.make_frame(unwraps, events)
    leave_step, enter_step = frame.leave, frame.enter
    aim_step, end_step, find_state = frame.aim, frame.end, frame.find_state
    plan_samples: Kernel[..., Any] = end_step
    if events > 0:
        from motorik.nonsmooth.application.driver_kernels import plan_samples
    controls = int(method.adaptive)
    C, A, B, D = table.nodes, table.stages, table.weights, table.dense
    DC, DA = table.dense_nodes, table.dense_stages
    E = tuple(table.errors.values()) if method.adaptive else ()
    FIRST = tuple(find_first(row) for row in A)
    END, STAGES = len(B), len(A)
    is_known = int(table.reuses_last_rate and method.adaptive)
    n_errors, n_extra = len(E), len(DC)
    F = Side.K + END + n_extra + HERMITE + len(D)  # the rate at the end, the last vector
    DENSE = Side.K + END + n_extra
    dense = make_step_kernels(table, method.adaptive).dense
    n_dense = HERMITE + len(D)
    choice = choice_of(table)
    shorten, lengthen = choice.shorten, choice.lengthen
    plan = plan_step if method.adaptive else plan_fixed_step
    gathered = make_gathered_kernels(table, method.adaptive, F, L)
    gather, release = gathered.gather, gathered.release
    judge, follow = gathered.judge, gathered.follow

    @kernel(inline=False)
    def next_step(
        n: Int,
        lane: Int,
        queue: Queue,
        w: Work,
        m: Counts,
        ode: Ode,
        out: Output,
        guard: Function | None,
        memory: Floats,
        unwrap: Function | None,
        ev: EventArguments,
        p_side: Floats,
    ) -> Int:
        status = leave_step(n, w, m, ode, out, memory, unwrap, ev)
        restarts = int(m.started == 0)
        if status == Status.GOING:
            status = enter_step(n, w, m, ode, guard, memory, ev)
        if status == Status.GOING:
            allowed = float(w.max_step)
            queue[Queue.checks + lane] = m.stiff_check
            aim_step(n, w, m, ode, out, ev, restarts)
            plan(n, w, m)
            w.max_step = allowed
            if events > 0 and restarts > 0:  # an event may have changed them
                put(L, queue.p_size, lane, ode.p, p_side)
        return status

    @kernel(inline=False)
    def end_run(
        n: Int,
        lane: Int,
        queue: Queue,
        m: Counts,
        p: Floats,
        runs: Runs,
        status: Int,
        ev: EventArguments,
        lane_events: LaneEvents,
    ) -> None:
        """End the run of a lane, or let it wait for Python; without room for its log, it failed."""
        if is_request(status) > 0:
            queue[Queue.waiting + lane] = status
            queue.waits += 1
            return
        if events > 0 and status == Status.REACHED:
            keep_end(lane, queue, p, lane_events)
            if write_journal(n, lane, queue, ev, lane_events) == 0:
                unload_run(lane, queue, m, runs, Status.LOG_FULL)
                return
        unload_run(lane, queue, m, runs, status)

    @kernel(inline=False)
    def seat_lanes(
        n: Int,
        queue: Queue,
        ode: Ode,
        out: Output,
        guard: Function | None,
        unwrap: Function | None,
        ev: EventArguments,
        own: Workspaces,
        runs: Runs,
        gathers: Int,
        lane_events: LaneEvents,
    ) -> Int:
        """Bring every lane to its next trial; return how many there are."""
        busy = 0
        width = L * n
        x_old = tail(own.side, Side.HEAD + Side.X_OLD * width)
        first = tail(own.side, Side.HEAD + Side.K * width)
        for lane in range(L):
            if queue[Queue.gathered + lane] > 0:
                busy += 1
                continue
            w, m = (
                Work.at(own.w, lane * queue.w_size),
                Counts.at(own.m, lane * queue.m_size),
            )
            memory = tail(own.memory, lane * queue.memory_size)
            p = tail(own.p, lane * queue.p_size)
            y = tail(ode.stretches, lane * queue.stretches * Relative.COUNT)
            while queue[Queue.run + lane] != NONE or queue.next < queue.end:
                if queue[Queue.run + lane] == NONE:
                    if events > 0 and has_journal_room(L, queue, ev) == 0:
                        break
                    load_run(
                        L,
                        n,
                        lane,
                        queue,
                        replace(ode, p=p, stretches=y),
                        own,
                        runs,
                    )
                    if events > 0:
                        load_events(lane, queue, w, p, ev, lane_events)
                elif queue[Queue.accepted + lane] == 0:
                    break  # the same step again, a shorter one
                queue[Queue.accepted + lane] = 0
                samples = tail(out.samples, queue[Queue.run + lane] * queue.samples_size)
                status = Status.GOING
                if events > 0:
                    status = next_step(
                        n,
                        lane,
                        queue,
                        w,
                        m,
                        replace(ode, p=p, stretches=y),
                        replace(out, samples=samples),
                        guard,
                        memory,
                        unwrap,
                        replace(
                            ev,
                            breakpoints=tail(
                                ev.breakpoints, breakpoints_at(lane, queue, lane_events)
                            ),
                            memory=EventMemory.at(
                                ev.memory, lane * queue.event_memory_size
                            ),
                            counts=EventCounts.at(
                                ev.counts, lane * queue.event_counts_size
                            ),
                            table=TriggerTable.at(ev.table, lane * queue.table_size),
                            values=tail(ev.values, lane * queue.values_size),
                            ready=tail(ev.ready, lane * queue.ready_size),
                            log=tail(ev.log, lane * queue.log_size),
                            instants=tail(ev.instants, lane * queue.instants_size),
                        ),
                        own.p_side,
                    )
                    if status == Status.LOG_FULL:
                        if is_sparse(lane, queue, w, ev, lane_events) > 0:
                            if write_journal(n, lane, queue, ev, lane_events) > 0:
                                queue[Queue.accepted + lane] = 1
                                continue
                else:
                    status = next_step(
                        n,
                        lane,
                        queue,
                        w,
                        m,
                        replace(ode, p=p, stretches=y),
                        replace(out, samples=samples),
                        guard,
                        memory,
                        unwrap,
                        ev,
                        own.p_side,
                    )
                if status == Status.GOING:
                    put(L, n, lane, tail(w, HEAD + Vec.X_OLD * n), x_old)
                    put(L, n, lane, tail(w, HEAD + Vec.K * n), first)
                    show_references(L, lane, m, p, own.p_side)
                    break
                end_run(n, lane, queue, m, p, runs, status, ev, lane_events)
                if queue[Queue.waiting + lane] != 0:
                    break
            is_busy = int(queue[Queue.run + lane] != NONE)
            is_busy = min(is_busy, int(queue[Queue.waiting + lane] == 0))
            own.side[Side.BUSY + lane] = float(is_busy)
            if is_busy > 0:
                busy += 1
                own.side[Side.H + lane] = w.h_tried
                own.side[Side.START + lane] = w.t
                own.side[Side.FROM + lane] = w.t_from
                own.side[Side.UPTO + lane] = w.t_upto
                if gathers > 0 and w.t_tried < min(w.t_output, w.t_stop):
                    gather(n, lane, queue, w, m, own.side)
        return busy

    @kernel(inline=False)
    def try_stages(n: Int, side: Floats, rhs: Function, p: Floats) -> None:
        """Compute all stages, the new state as the point, and its errors."""
        width = L * n
        h, start, time = tail(side, Side.H), tail(side, Side.START), tail(side, Side.TIME)
        x = tail(side, Side.HEAD + Side.X_OLD * width)
        point = tail(side, Side.HEAD + Side.POINT * width)
        last = tail(side, Side.HEAD + Side.LAST * width)
        k = tail(side, Side.HEAD + Side.K * width)
        for s in unroll(STAGES):
            at_stage = last if s == STAGES - 1 else point
            for i in range(n):
                for l in lanes(L):
                    at = L * i + l
                    slope = A[s][FIRST[s]] * k[FIRST[s] * width + at]
                    for j in unroll(FIRST[s] + 1, s + 1):
                        if A[s][j] != 0.0:
                            slope += A[s][j] * k[j * width + at]
                    at_stage[at] = x[at] + h[l] * slope
            for l in lanes(L):
                time[l] = start[l] + C[s] * h[l]
                if events > 0:
                    time[l] = min(max(time[l], side[Side.FROM + l]), side[Side.UPTO + l])
            rhs(time, at_stage, p, tail(k, (s + 1) * width))
        for i in range(n):
            for l in lanes(L):
                at = L * i + l
                slope = B[0] * k[at]
                for j in unroll(1, END):
                    if B[j] != 0.0:
                        slope += B[j] * k[j * width + at]
                point[at] = x[at] + h[l] * slope
        for l in lanes(L):
            time[l] = start[l] + h[l]
            if events > 0:
                time[l] = min(max(time[l], side[Side.FROM + l]), side[Side.UPTO + l])

    @kernel(inline=False)
    def find_errors(n: Int, side: Floats) -> None:
        """Compute the error estimates of all lanes."""
        width = L * n
        k = tail(side, Side.HEAD + Side.K * width)
        f = tail(side, Side.HEAD + F * width)
        for e in unroll(n_errors):
            error = tail(side, Side.HEAD + (Side.ERROR + e) * width)
            for i in range(n):
                for l in lanes(L):
                    at = L * i + l
                    slope = E[e][0] * k[at]
                    for j in unroll(1, END):
                        if E[e][j] != 0.0:
                            slope += E[e][j] * k[j * width + at]
                    for j in unroll(END, len(E[e])):
                        slope += E[e][j] * f[at]
                    error[at] = slope

    @kernel(inline=False)
    def prepare_dense(n: Int, side: Floats, rhs: Function, p: Floats) -> None:
        """Compute the coefficients of the interpolation, towards the new states."""
        width = L * n
        h, start, time = tail(side, Side.H), tail(side, Side.START), tail(side, Side.TIME)
        x = tail(side, Side.HEAD + Side.X_OLD * width)
        point = tail(side, Side.HEAD + Side.POINT * width)
        k = tail(side, Side.HEAD + Side.K * width)
        f = tail(side, Side.HEAD + F * width)
        d = tail(side, Side.HEAD + DENSE * width)
        for i in range(n):
            for l in lanes(L):
                at = L * i + l
                change = point[at] - x[at]
                d[at] = change
                d[width + at] = h[l] * k[at] - change
                d[2 * width + at] = 2.0 * change - h[l] * (k[at] + f[at])
        for s in unroll(n_extra):
            for i in range(n):
                for l in lanes(L):
                    at = L * i + l
                    slope = DA[s][0] * k[at] + DA[s][END] * f[at]
                    for j in unroll(1, len(DA[s])):
                        if j != END and DA[s][j] != 0.0:
                            slope += DA[s][j] * k[(j if j < END else j - 1) * width + at]
                    point[at] = x[at] + h[l] * slope
            for l in lanes(L):
                time[l] = start[l] + DC[s] * h[l]
                if events > 0:
                    time[l] = min(max(time[l], side[Side.FROM + l]), side[Side.UPTO + l])
            rhs(time, point, p, tail(k, (END + s) * width))
        for r in unroll(len(D)):
            for i in range(n):
                for l in lanes(L):
                    at = L * i + l
                    slope = D[r][0] * k[at] + D[r][END] * f[at]
                    for j in unroll(1, len(D[r])):
                        if j != END and D[r][j] != 0.0:
                            slope += D[r][j] * k[(j if j < END else j - 1) * width + at]
                    d[(HERMITE + r) * width + at] = h[l] * slope

    @kernel(inline=False)
    def find_stretches(
        n: Int, queue: Queue, stretch_lanes: Function, own: Workspaces, p: Floats
    ) -> None:
        """Compute relative coordinates of all lanes, at the new states and off by the errors."""
        width, size = L * n, L * queue.stretches
        side, found = own.side, own.stretch_side
        time, h = tail(side, Side.TIME), tail(side, Side.H)
        for lane in range(L):
            if queue[Queue.run + lane] != NONE:
                w = Work.at(own.w, lane * queue.w_size)
                time[lane] = min(max(w.t_tried, w.t_from), w.t_upto)
        point = tail(side, Side.HEAD + Side.POINT * width)
        other = tail(side, Side.HEAD + DENSE * width)
        stretch_lanes(time, point, p, found)
        for e in unroll(n_errors):
            error = tail(side, Side.HEAD + (Side.ERROR + e) * width)
            for i in range(n):
                for l in lanes(L):
                    at = L * i + l
                    other[at] = point[at] - h[l] * error[at]
            stretch_lanes(time, other, p, tail(found, (1 + e) * size))

    @kernel
    def take_stretches(
        lane: Int, queue: Queue, number: Int, found: Floats, y: Floats, place: Int
    ) -> None:
        """Take relative coordinates out of a lane, where they were found for all."""
        count = queue.stretches
        if queue.finds_stretches > 0:
            own = tail(found, number * L * count)
            take(L, count, lane, own, tail(y, place * count))

    @kernel(inline=False)
    def judge_trial(
        n: Int,
        lane: Int,
        queue: Queue,
        w: Work,
        m: Counts,
        ode: Ode,
        side: Floats,
        found: Floats,
    ) -> Float:
        """Take the new state and its errors out of a lane; return the error in tolerances."""
        width, y = L * n, ode.stretches
        x = tail(w, HEAD + Vec.X * n)
        take(L, n, lane, tail(side, Side.HEAD + Side.POINT * width), x)
        m.evaluations += STAGES + is_known
        if controls == 0:
            return 0.0
        t, h, error = w.t_tried, w.h_tried, tail(w, HEAD + Vec.LOCAL_ERROR * n)
        take_stretches(lane, queue, 0, found, y, Relative.NOW)
        weigh(n, w, m, ode, t, h, tail(w, HEAD + Vec.X_OLD * n), x)
        take(L, n, lane, tail(side, Side.HEAD + Side.ERROR * width), error)
        take_stretches(lane, queue, 1, found, y, Relative.OTHER)
        size = error_norm(n, w, m, ode, t, x, error, h)
        if n_errors == 2:
            states, stretches = float(w.state_error), float(w.relative_coordinate_error)
            take(L, n, lane, tail(side, Side.HEAD + (Side.ERROR + 1) * width), error)
            take_stretches(lane, queue, 2, found, y, Relative.OTHER)
            error_norm(n, w, m, ode, t, x, error, h)
            states = corrected(states, w.state_error)
            size = larger(states, corrected(stretches, w.relative_coordinate_error))
        return size

    @kernel(inline=False)
    def project_lanes(n: Int, queue: Queue, own: Workspaces, project: Function) -> None:
        """Project the new states of all lanes."""
        width = L * n
        side, time = own.side, tail(own.side, Side.TIME)
        point = tail(side, Side.HEAD + Side.POINT * width)
        projected = tail(side, Side.HEAD + Side.PROJECTED * width)
        for i in range(n):
            for l in lanes(L):
                projected[L * i + l] = point[L * i + l]
        for lane in range(L):
            if queue[Queue.run + lane] != NONE:
                w = Work.at(own.w, lane * queue.w_size)
                time[lane] = min(max(w.t_tried, w.t_from), w.t_upto)
        project(time, projected, own.p_side)

    @kernel(inline=False)
    def judge_lanes(
        n: Int,
        queue: Queue,
        ode: Ode,
        own: Workspaces,
        runs: Runs,
    ) -> Int:
        """Judge all trials; return 2 if rates at the ends are to be found, 1 if any is good."""
        found = 0
        stretch = function_at(0) if queue.finds_stretches > 0 else ode.stretch
        width = L * n
        point = tail(own.side, Side.HEAD + Side.POINT * width)
        for lane in range(L):
            if queue[Queue.run + lane] == NONE or queue[Queue.gathered + lane] > 0:
                continue
            w, m = (
                Work.at(own.w, lane * queue.w_size),
                Counts.at(own.m, lane * queue.m_size),
            )
            p = tail(own.p, lane * queue.p_size)
            y = tail(ode.stretches, lane * queue.stretches * Relative.COUNT)
            error = judge_trial(
                n,
                lane,
                queue,
                w,
                m,
                replace(ode, p=p, stretches=y, stretch=stretch),
                own.side,
                own.stretch_side,
            )
            own.side[Side.TIME + lane] = min(max(w.t_tried, w.t_from), w.t_upto)
            if error <= 1.0:
                queue[Queue.accepted + lane] = 1
                own.side[Side.ERROR_SIZE + lane] = error
                x, far = tail(w, HEAD + Vec.X * n), 0.0
                if queue.projects > 0:
                    copy(n, x, tail(w, HEAD + Vec.UNPROJECTED * n))
                    projected = tail(own.side, Side.HEAD + Side.PROJECTED * width)
                    take(L, n, lane, projected, x)
                    far = accept_projection(n, w, m, x)
                elif ode.project is not None:
                    far = put_back(
                        n,
                        w,
                        m,
                        replace(ode, p=p, stretches=y),
                        w.t_tried,
                        x,
                    )
                if is_known == 0 or not far < NOTICEABLE:
                    put(L, n, lane, x, point)
                    m.evaluations += 1
                    found = 2
                found = max(found, 1)
            else:
                status = shorten(n, w, m, error)
                if status != Status.GOING:
                    unload_run(lane, queue, m, runs, status)
        return found

    @kernel
    def wants_dense(w: Work, m: Counts, memory: Floats) -> Int:
        """Return whether samples or angles are interpolated in the step that was tried."""
        wants = int(w.t_output < w.t_tried)
        if unwraps > 0:
            wants = max(wants, int(parts_of_step(w, m, w.t_tried - w.t, memory) > 1))
        return wants

    @kernel(inline=False)
    def take_rates(n: Int, queue: Queue, own: Workspaces, samples: Int) -> Int:
        """Take the rates at the ends of good steps; return whether any is interpolated."""
        interpolates = 0
        width = L * n
        f = tail(own.side, Side.HEAD + F * width)
        point = tail(own.side, Side.HEAD + Side.POINT * width)
        k = tail(own.side, Side.HEAD + Side.K * width)
        for lane in range(L):
            if queue[Queue.accepted + lane] == 0 or queue[Queue.run + lane] == NONE:
                continue
            w, m = (
                Work.at(own.w, lane * queue.w_size),
                Counts.at(own.m, lane * queue.m_size),
            )
            take(L, n, lane, f, tail(w, HEAD + Vec.F * n))
            if m.stiff_check > 0:
                end = END - 1
                take(L, n, lane, tail(k, end * width), tail(w, HEAD + (Vec.K + end) * n))
                last = tail(own.side, Side.HEAD + Side.LAST * width)
                take(L, n, lane, last, tail(w, HEAD + Vec.STAGE * n))
            if queue.audits > 0:
                w.rate_residual = f[width + lane]
            memory = tail(own.memory, lane * queue.memory_size)
            interpolates = max(interpolates, wants_dense(w, m, memory))
            if samples > 0:  # the step may be sampled
                for s in range(1, END):
                    take(L, n, lane, tail(k, s * width), tail(w, HEAD + (Vec.K + s) * n))
            put(L, n, lane, tail(w, HEAD + Vec.X * n), point)
        return interpolates

    @kernel(inline=False)
    def take_dense(n: Int, queue: Queue, own: Workspaces) -> None:
        """Take the coefficients of the interpolation out of the lanes that need them."""
        width = L * n
        d = tail(own.side, Side.HEAD + DENSE * width)
        for lane in range(L):
            if queue[Queue.accepted + lane] == 0 or queue[Queue.run + lane] == NONE:
                continue
            w, m = (
                Work.at(own.w, lane * queue.w_size),
                Counts.at(own.m, lane * queue.m_size),
            )
            if wants_dense(w, m, tail(own.memory, lane * queue.memory_size)) > 0:
                m.dense_ready = 1
                m.evaluations += n_extra
                for r in range(n_dense):
                    take(L, n, lane, tail(d, r * width), tail(w, HEAD + (dense + r) * n))

    @kernel
    def is_good(queue: Queue, lane: Int) -> Int:
        """Return whether a run is in a lane and its trial is good."""
        return min(queue[Queue.accepted + lane], int(queue[Queue.run + lane] != NONE))

    @kernel
    def ends_part(m: Counts, quarter: Int) -> Int:
        """Return whether a part of the step, sampled for its angles, ends at this quarter."""
        return min(m.angles_ready, int(quarter * m.angles_ready % AHEAD == 0))

    @kernel(inline=False)
    def find_angles(
        n: Int, queue: Queue, unwrap_lanes: Function, own: Workspaces, p: Floats
    ) -> None:
        """Compute angles and speeds of all lanes at the ends of the parts of their steps."""
        width, side, found = L * n, own.side, own.angle_side
        time, h, start = tail(side, Side.TIME), tail(side, Side.H), tail(side, Side.START)
        x = tail(side, Side.HEAD + Side.X_OLD * width)
        state = tail(side, Side.HEAD + Side.POINT * width)
        d = tail(side, Side.HEAD + DENSE * width)
        for quarter in unroll(1, AHEAD + 1):
            wanted = 0
            for lane in range(L):
                if is_good(queue, lane) > 0:
                    w = Work.at(own.w, lane * queue.w_size)
                    m = Counts.at(own.m, lane * queue.m_size)
                    if quarter == 1:
                        memory = tail(own.memory, lane * queue.memory_size)
                        parts = parts_of_step(w, m, w.t_tried - w.t, memory)
                        m.angles_ready = parts if parts <= AHEAD else 0
                    if quarter == AHEAD:
                        put(L, n, lane, tail(w, HEAD + Vec.X * n), state)
                    wanted += ends_part(m, quarter)
            if wanted == 0:
                continue
            theta, rest = quarter / AHEAD, 1.0 - quarter / AHEAD
            if quarter < AHEAD:
                for i in range(n):
                    for l in lanes(L):
                        at = L * i + l
                        value = d[(n_dense - 1) * width + at]
                        for r in unroll(n_dense - 2, -1, -1):
                            factor = rest if r % 2 == 0 else theta
                            value = d[r * width + at] + factor * value
                        state[at] = x[at] + theta * value
            for l in lanes(L):
                time[l] = start[l] + theta * h[l]
                if events > 0:
                    time[l] = min(max(time[l], side[Side.FROM + l]), side[Side.UPTO + l])
            unwrap_lanes(time, state, p, found)
            for lane in range(L):
                if is_good(queue, lane) > 0:
                    m = Counts.at(own.m, lane * queue.m_size)
                    count = m.unwrapped
                    if ends_part(m, quarter) > 0:
                        place = AngleMemory.STATE * count + n + 2 * count * (quarter - 1)
                        memory = tail(own.memory, lane * queue.memory_size)
                        ahead = tail(memory, 4 * m.guarded + place)
                        take(L, 2 * count, lane, found, ahead)

    @kernel(inline=False)
    def take_steps(
        n: Int,
        queue: Queue,
        ev: EventArguments,
        own: Workspaces,
        runs: Runs,
        lane_events: LaneEvents,
    ) -> None:
        """Move all lanes whose trial was good to the ends of their steps."""
        for lane in range(L):
            if queue[Queue.accepted + lane] == 0 or queue[Queue.run + lane] == NONE:
                continue
            w, m = (
                Work.at(own.w, lane * queue.w_size),
                Counts.at(own.m, lane * queue.m_size),
            )
            status = Status.GOING
            if controls == 0:
                status = find_explosion(n, w, m)
            if status == Status.GOING:
                end_trial(w)
                if controls > 0:
                    lengthen(n, w, m, own.side[Side.ERROR_SIZE + lane])
                m.stiff_check = queue[Queue.checks + lane]
            else:
                p = tail(own.p, lane * queue.p_size)
                end_run(n, lane, queue, m, p, runs, status, ev, lane_events)

    @kernel(inline=False)
    def sample_lanes(
        n: Int,
        queue: Queue,
        ode: Ode,
        ev: EventArguments,
        own: Workspaces,
        lane_events: LaneEvents,
        contacts: Function | None,
        conditions: Function | None,
    ) -> None:
        """Sample events side by side, at the times at which the search of each step will ask."""
        width = L * n
        count, triggers = ev.counts.contacts, ev.table.triggers
        size, states = ready_size(count, triggers), CONTACT_STATE * count
        time, found = tail(own.side, Side.TIME), lane_events.found
        point = tail(own.side, Side.HEAD + Side.POINT * width)
        for lane in range(L):
            ready = tail(ev.ready, lane * queue.ready_size)
            ready[ReadySamples.COUNT] = 0.0
            if queue[Queue.accepted + lane] > 0 and queue[Queue.run + lane] != NONE:
                plan_samples(
                    Work.at(own.w, lane * queue.w_size),
                    replace(
                        ev,
                        ready=ready,
                        memory=EventMemory.at(ev.memory, lane * queue.event_memory_size),
                        counts=EventCounts.at(ev.counts, lane * queue.event_counts_size),
                    ),
                )
        for k in range(ReadySamples.MOST):
            place, busy = ReadySamples.FIRST + size * k, 0
            for lane in range(L):
                busy += int(ev.ready[lane * queue.ready_size] > k)
            for lane in range(L):
                ready = tail(ev.ready, lane * queue.ready_size)
                if ready[ReadySamples.COUNT] > k and busy * FEW < L:
                    ready[ReadySamples.COUNT] = float(k)
                if ready[ReadySamples.COUNT] > k:
                    w = Work.at(own.w, lane * queue.w_size)
                    state = tail(w, HEAD + Vec.STAGE * n)
                    p = tail(own.p, lane * queue.p_size)
                    y = tail(ode.stretches, lane * queue.stretches * Relative.COUNT)
                    find_state(
                        n,
                        w,
                        Counts.at(own.m, lane * queue.m_size),
                        replace(ode, p=p, stretches=y),
                        ev,
                        float(ready[place]),
                        state,
                    )
                    put(L, n, lane, state, point)
                    time[lane] = min(max(float(ready[place]), w.t_from), w.t_upto)
            if busy * FEW < L:
                break
            if contacts is not None:
                contacts(time, point, own.p_side, found)
            if conditions is not None:
                conditions(time, point, own.p_side, tail(found, L * states))
            for lane in range(L):
                ready = tail(ev.ready, lane * queue.ready_size)
                if ready[ReadySamples.COUNT] > k:
                    take(L, states, lane, found, tail(ready, place + 1))
                    others = tail(found, L * states)
                    take(L, 2 * triggers, lane, others, tail(ready, place + 1 + states))

    @kernel(inline=False)
    def end_lanes(
        n: Int,
        queue: Queue,
        ode: Ode,
        out: Output,
        guard: Function | None,
        ev: EventArguments,
        own: Workspaces,
        runs: Runs,
        lane_events: LaneEvents,
    ) -> None:
        """End the steps of all lanes whose trial was good."""
        # those of the new states are known, unless these have been put back
        keeps = min(queue.finds_stretches, int(ode.project is None))
        stretch = function_at(0) if keeps > 0 else ode.stretch
        for lane in range(L):
            if queue[Queue.accepted + lane] == 0 or queue[Queue.run + lane] == NONE:
                continue
            w, m = (
                Work.at(own.w, lane * queue.w_size),
                Counts.at(own.m, lane * queue.m_size),
            )
            p = tail(own.p, lane * queue.p_size)
            y = tail(ode.stretches, lane * queue.stretches * Relative.COUNT)
            status = Status.GOING
            memory = tail(own.memory, lane * queue.memory_size)
            if events > 0:
                status = end_step(
                    n,
                    w,
                    m,
                    replace(ode, p=p, stretches=y, stretch=stretch),
                    out,
                    guard,
                    memory,
                    replace(
                        ev,
                        breakpoints=tail(
                            ev.breakpoints, breakpoints_at(lane, queue, lane_events)
                        ),
                        memory=EventMemory.at(ev.memory, lane * queue.event_memory_size),
                        counts=EventCounts.at(ev.counts, lane * queue.event_counts_size),
                        table=TriggerTable.at(ev.table, lane * queue.table_size),
                        values=tail(ev.values, lane * queue.values_size),
                        ready=tail(ev.ready, lane * queue.ready_size),
                        log=tail(ev.log, lane * queue.log_size),
                        instants=tail(ev.instants, lane * queue.instants_size),
                    ),
                )
            else:
                status = end_step(
                    n,
                    w,
                    m,
                    replace(ode, p=p, stretches=y, stretch=stretch),
                    out,
                    guard,
                    memory,
                    ev,
                )
            if status != Status.GOING:
                end_run(n, lane, queue, m, p, runs, status, ev, lane_events)

    @kernel
    def advance_lanes(
        n: Int,
        queue: Queue,
        ode: Ode,
        out: Output,
        guard: Function | None,
        unwrap: Function | None,
        rhs_lanes: Function,
        end_rate: Function,
        stretch_lanes: Function,
        unwrap_lanes: Function,
        project: Function,
        contacts: Function | None,
        conditions: Function | None,
        ev: EventArguments,
        own: Workspaces,
        runs: Runs,
        lane_events: LaneEvents,
    ) -> Int:
        side, p = own.side, own.p_side
        width = L * n
        time, point = tail(side, Side.TIME), tail(side, Side.HEAD + Side.POINT * width)
        f = tail(side, Side.HEAD + F * width)
        shared = Counts.at(own.m_first, 0)
        samples = int(unwraps > 0 or guard is not None)
        gathers = int(unwraps == 0 and guard is None and ode.project is None)
        gathers = min(gathers, int(shared.relative_coordinates == 0))
        if events > 0:  # of contacts and triggers every step is searched
            if ev.counts.contacts + ev.table.triggers + ev.table.law_conditions > 0:
                gathers = 0
        while queue.budget > 0:
            if events > 0 and has_journal_room(2 * L, queue, ev) == 0:
                return Status.LOG_FULL
            busy = seat_lanes(
                n, queue, ode, out, guard, unwrap, ev, own, runs, gathers, lane_events
            )
            if queue.waits > 0:
                return Status.PAUSED
            if busy == 0 or (busy < L and queue.is_open > 0):
                return Status.REACHED if queue.next == queue.end else Status.LOG_FULL
            others = 0
            has_rates = is_known
            while others == 0 and queue.budget > 0:
                queue.budget -= 1
                queue.rounds += 1
                queue.busy_rounds += busy
                others, has_rates = busy, is_known
                try_stages(n, side, rhs_lanes, p)
                if is_known > 0:
                    end_rate(time, point, p, f)
                if gathers > 0:
                    if judge(n, shared, side) > 0 and is_known == 0:
                        end_rate(time, point, p, f)
                        has_rates = 1
                    others = follow(n, queue, shared, side)
            if others == 0:
                break
            for lane in range(L):
                if gathers > 0 and queue[Queue.gathered + lane] > 0:
                    if side[Side.OUTCOME + lane] == TrialOutcome.OTHER:
                        w = Work.at(own.w, lane * queue.w_size)
                        m = Counts.at(own.m, lane * queue.m_size)
                        release(n, lane, queue, w, m, side)
            find_errors(n, side)
            if queue.finds_stretches > 0:
                find_stretches(n, queue, stretch_lanes, own, p)
            if queue.projects > 0:
                project_lanes(n, queue, own, project)
            found = judge_lanes(n, queue, ode, own, runs)
            if found == 0:
                continue
            if found == 2 and (has_rates == 0 or ode.project is not None):
                end_rate(time, point, p, f)
            if take_rates(n, queue, own, samples) > 0:
                prepare_dense(n, side, rhs_lanes, p)
                take_dense(n, queue, own)
            if unwraps > 0 and queue.finds_angles > 0:
                find_angles(n, queue, unwrap_lanes, own, p)
            take_steps(n, queue, ev, own, runs, lane_events)
            if events > 0:
                if contacts is not None or conditions is not None:
                    sample_lanes(n, queue, ode, ev, own, lane_events, contacts, conditions)
            end_lanes(n, queue, ode, out, guard, ev, own, runs, lane_events)
            if queue.waits > 0:
                return Status.PAUSED
        return Status.PAUSED

    return LaneKernel(advance_lanes, F + 1)
