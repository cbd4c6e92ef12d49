"""Workspaces of lanes, and the runs that they make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler.addresses import address_of, start_of
from motorik.compiler.kernels import native
from motorik.immutable import immutable
from motorik.nonsmooth.memory import (
    EventCounts,
    EventMemory,
    LogLine,
    ReadySamples,
    TriggerTable,
    instant_size,
    ready_size,
)
from motorik.simulation.integration import MOST_STANDING, NO_EVENTS
from motorik.simulation.lanes.events import CHUNK, LaneEvents, Schedule
from motorik.simulation.lanes.kernels import (
    COST,
    Runs,
    Workspaces,
    make_lane_kernel,
)
from motorik.simulation.lanes.layout import MOST, NONE, Queue, side_size
from motorik.simulation.methods import TABLES
from motorik.simulation.stepping.workspace import Counts, EventArguments, Status

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.compiler import NativeFunction
    from motorik.compiler.addresses import Numbers
    from motorik.nonsmooth.application.run_events import RunEvents
    from motorik.simulation.integration import Integration, Statistics

ROUNDS = 20_000.0  # operations of rounds in one call, in states: some milliseconds
LEAST_ROUNDS = 16
LINE = 8  # numbers of a line of the cache


def suits_lanes(system: CompiledModel, own: Integration) -> bool:
    """Return whether an integration of a system can be made in lanes.

    Its method is a table of stages, no event calls Python or looks into the past, and its
    equations are straight-line code, or rolled.
    """
    is_table = own.method.name in TABLES and own.method.lanes == 1
    is_native = own.run_events is None or own.run_events.is_native
    return is_table and own.n > 0 and is_native and not system.facts.responds


@immutable
class RunTable:
    """Runs to be made: starts, parameters and tolerances of each, and what has become of it."""

    method: str
    starts: Numbers
    parameters: Numbers
    atol: Numbers
    scales: Numbers
    samples: Numbers  # of each run, all numbers of its output
    ends: Numbers  # parameters at the ends of runs with events …
    schedules: np.ndarray  # … and the schedule of each, as its thread counts them
    status: np.ndarray  # `Status`, 0 as long as it is not over
    cost: np.ndarray

    @classmethod
    def empty(cls, count: int, own: Integration) -> RunTable:
        """Return the table of so many runs like an integration that was kept."""
        rows, width = own.grid.size, own.output_width
        return cls(
            own.method.name,
            np.zeros((count, own.n)),
            np.zeros((count, own.p.size)),
            np.zeros((count, own.n)),
            np.zeros((count, own.n_stretches)),
            np.full((count, rows * width), np.nan),
            np.zeros((count if own.run_events is not None else 0, own.p.size)),
            np.zeros(count if own.run_events is not None else 0, dtype=np.int64),
            np.zeros(count, dtype=np.int64),
            np.zeros((count, COST), dtype=np.int64),
        )


# places among the arguments: of the stretches, of the breakpoints, and of their schedules
STRETCHES = 2 + 5
READY = [f.name for f in fields(EventArguments)].index("ready")
BREAKPOINTS = -7 - len(fields(Workspaces)) - len(fields(Runs)) - len(fields(LaneEvents))
SCHEDULES = [f.name for f in fields(LaneEvents)].index("schedules") - len(
    fields(LaneEvents)
)
SAMPLED_FROM = 500  # operations from which it pays to sample events in lanes
JOURNAL = 4  # times as many logs as there are lanes have room in the journal
INSTANTS = 64  # of a lane, before they go into the journal
NO_LANE_EVENTS: list[int | None] = [None] * len(fields(LaneEvents))


class Schedules:
    """The breakpoints of the runs of a thread, a `Schedule` for all runs that share them.

    `numbers` has a line for each schedule, `places` says where its breakpoints begin and how many
    they are.
    """

    def __init__(self, system: CompiledModel, own: Integration) -> None:
        self._system, self._own = system, own
        self._begin, self._end = own.time, own.until
        self._known: dict[bytes, int] = {}
        self.numbers: list[Numbers] = []
        self.places: list[int] = []
        self.breakpoints: list[Numbers] = []

    def find(self, parameters: Numbers) -> list[int]:
        """Return the numbers of the schedules of runs with these parameters."""
        own = self._own.run_events
        assert own is not None
        size = self._system.layout.n_live if own.is_timed else 0
        keys = [row.tobytes() for row in parameters[:, :size]]
        for key, p in zip(keys, parameters, strict=True):
            if key not in self._known:
                self._known[key] = len(self.numbers)
                self._add(p)
        return [self._known[key] for key in keys]

    def _add(self, p: Numbers) -> None:
        """Find the breakpoints of runs with these parameters."""
        from motorik.nonsmooth.application.run_events import find_run_events

        begin, end = self._begin, self._end
        adaptive = self._own.method.adaptive
        own = find_run_events(self._system, begin, end, p, adaptive)
        points, line = np.array([end, 0.0, 0.0]), np.zeros(Schedule.SIZE)
        line[: Schedule.MESH] = end, -np.inf, np.inf
        if own is not None:
            own.set_breakpoints(begin, end)
            points, first = own.breakpoints, own.first_breakpoint(begin)
            near = first - own.aside(first)
            line[: Schedule.MESH] = first, begin + own.aside(begin), near
            mesh = slice(EventMemory.mesh_start, EventMemory.contact_state)
            line[Schedule.MESH :] = own.memory[mesh]
        self.numbers.append(line)
        self.places += [sum(map(len, self.breakpoints)), points.size // 2]
        self.breakpoints.append(points)

    def arrays(self) -> tuple[Numbers, np.ndarray, Numbers]:
        """Return the numbers and places of all schedules, and their breakpoints."""
        places = np.array(self.places, dtype=np.int64)
        return np.concatenate(self.numbers), places, np.concatenate(self.breakpoints)


Chunk = tuple[np.ndarray, np.ndarray]  # lines of a log, and their instants


class EventRoom:
    """The memory of the events of all lanes of a thread, and the journal of their logs.

    `logs` are those of the runs that are over, by their lines in the table.
    """

    def __init__(self, own: RunEvents, table: RunTable, n: int, lanes: int) -> None:
        self.logs: dict[int, list[Chunk]] = {}
        memory, counts, trigger_table, values = (a.copy() for a in own.first)
        counts = counts.view(EventCounts)
        rules = trigger_table.view(TriggerTable)
        most = 200 * counts.contacts + 60 * (rules.triggers + rules.assignments)
        counts.log_room = lines = 2 * int(most) + 64
        counts.instant_room = INSTANTS
        width = int(instant_size(n, int(counts.p_count)))
        room = JOURNAL * lanes
        self._lines = np.empty((room * lines, LogLine.SIZE))
        self._instants = np.empty((room * INSTANTS, width))
        self._chunks = np.zeros((room, CHUNK), dtype=np.int64)
        first = memory, counts, trigger_table, values
        sample = int(ready_size(int(counts.contacts), int(rules.triggers)))
        self.ready_size = ReadySamples.FIRST + ReadySamples.MOST * sample
        self.sizes = (
            *(a.size for a in first), LogLine.SIZE * lines, INSTANTS * width,
        )  # fmt: skip
        self.of_lanes = (
            np.zeros(1),
            *(np.tile(np.asarray(a), lanes) for a in first),
            np.empty(lanes * LogLine.SIZE * lines),
            np.empty(lanes * INSTANTS * width),
        )
        self.beside = LaneEvents(
            *first,
            np.zeros(1),
            np.zeros(1, dtype=np.int64),
            table.schedules,
            table.ends,
            self._lines,
            self._instants,
            self._chunks,
            np.zeros(lanes * sample),
        )
        self.ready = np.zeros(lanes * self.ready_size)

    def take(self, lane: int, run: int) -> None:
        """Take the log of a lane whose run goes on."""
        counts = self.of_lanes[2].reshape(-1, self.sizes[1])[lane].view(EventCounts)
        width = self._instants.shape[1]
        lines = self.of_lanes[5].reshape(-1, self.sizes[4])[lane].reshape(-1, LogLine.SIZE)
        sides = self.of_lanes[6].reshape(-1, self.sizes[5])[lane].reshape(-1, width)
        own = lines[: counts.log_next].copy(), sides[: counts.instant_next].copy()
        self.logs.setdefault(run, []).append(own)
        counts.log_next = counts.instant_next = 0

    def prepare(self, queue: Queue) -> None:
        """Write sizes into the integers of the loop."""
        begin = Queue.event_memory_size
        queue[begin : begin + len(self.sizes)] = self.sizes
        queue.lines_room, queue.instants_room = len(self._lines), len(self._instants)
        queue.chunks_room = len(self._chunks)
        queue.ready_size = self.ready_size

    def read(self, queue: Queue) -> None:
        """Take the journal away."""
        chunks = self._chunks[: queue.chunks_next].tolist()
        for run, line, lines, instant, instants in chunks:
            log = self._lines[line : line + lines].copy()
            sides = self._instants[instant : instant + instants].copy()
            self.logs.setdefault(run, []).append((log, sides))
        queue.lines_next = queue.instants_next = queue.chunks_next = 0


class LaneRuns:
    """Lanes that make the runs of a table, for one thread."""

    def __init__(
        self,
        system: CompiledModel,
        own: Integration,
        table: RunTable,
        make: Callable[[], Integration | None] = lambda: None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.table, self._own = table, own
        self._make, self._is_stopped = make, is_stopped
        self._singles: dict[int, tuple[int, Integration]] = {}  # of lanes: run, integration
        # the cost of runs that changed their method
        self.changes: dict[int, Statistics] = {}
        audits = system.audited is not None and own.audits_rates
        end = system.audited_batch if audits else system.derivative_batch
        unwraps = int(own.output_width > own.n)
        in_lanes = bool(own.n_stretches) and own.method.adaptive and not system.is_rolled
        stretches = system.relative_coordinates_batch if in_lanes else None
        follows = bool(unwraps) and not (system.is_rolled or system.layout.n_guesses)
        follows = follows and system.project is None
        angles = system.unwrapped_angles_batch if follows else None
        projects = system.project is not None and not system.is_rolled
        project = system.project_batch if projects else None
        places = None if project is None else project.replace_address
        self._functions = system.derivative_batch, end, stretches, angles, places
        self._project = project  # whose code must stay in memory
        self.width = width = system.derivative_batch.width
        has_events = int(own.run_events is not None)
        kernel = make_lane_kernel(own.method.name, unwraps, has_events, width)
        self._advance = native(kernel.advance).entry
        first = own.first_workspace
        w, m, memory, y = first
        n, p_size = own.n, own.p.size
        self._queue = queue = np.zeros(Queue.SIZE, dtype=np.int64).view(Queue)
        queue[Queue.run : Queue.run + MOST] = NONE
        queue.is_open = 1
        queue.w_size, queue.m_size, queue.memory_size = w.size, m.size, memory.size
        queue.stretches, queue.p_size = own.n_stretches, p_size
        queue.finds_stretches, queue.finds_angles = int(in_lanes), int(follows)
        queue.projects = int(projects)
        queue.samples_size, queue.audits = table.samples.shape[-1], int(audits)
        self._workspaces = Workspaces(
            w=np.tile(w, width),
            m=np.tile(pausing(m), width),
            memory=np.tile(memory, width),
            p=np.zeros(width * p_size),
            w_first=w,
            m_first=pausing(m),
            memory_first=memory,
            y_first=y,
            side=aligned_zeros(side_size(n, kernel.vectors, width)),
            p_side=np.zeros(width * p_size),
            stretch_side=aligned_zeros(3 * width * own.n_stretches),
            angle_side=aligned_zeros(2 * width * system.layout.n_unwrapped),
        )
        self._stretches = np.tile(y, width)
        events, lane_events = NO_EVENTS, NO_LANE_EVENTS
        self._events: EventRoom | None = None
        if own.run_events is not None:
            self._events = EventRoom(own.run_events, table, n, width)
            self._schedules = Schedules(system, own)
            self._events.prepare(queue)
            functions = own.run_events.arguments()[: -len(self._events.of_lanes)]
            events = [*functions, *map(start_of, self._events.of_lanes)]
            events[READY] = start_of(self._events.ready)
            lane_events = [
                start_of(getattr(self._events.beside, f.name)) for f in fields(LaneEvents)
            ]
        runs = Runs(*(getattr(table, own.name) for own in fields(Runs)))
        self._arguments = [
            n,
            start_of(queue),
            *own.equations,
            *own.output_arguments(start_of(table.samples) if table.samples.size else 0),
            *own.conditions,
            *map(address_of, (*self._functions, *self._sampled(system))),
            *events,
            *(start_of(getattr(self._workspaces, f.name)) for f in fields(Workspaces)),
            *(start_of(getattr(runs, f.name)) for f in fields(Runs)),
            *lane_events,
        ]
        self._arguments[STRETCHES] = start_of(self._stretches)
        self._budget = max(int(ROUNDS / n), LEAST_ROUNDS)

    def _sampled(
        self, system: CompiledModel
    ) -> tuple[NativeFunction | None, NativeFunction | None]:
        """Return the native functions that sample events in lanes, if that pays."""
        own = self._own.run_events
        if own is None:
            return None, None
        found: list[NativeFunction | None] = [None, None]
        if own.entries and system.contact_state.n_instructions >= SAMPLED_FROM:
            found[0] = system.contact_state_batch
        if own.trigger_tables is not None:
            if found[0] or system.trigger_conditions.n_instructions >= SAMPLED_FROM:
                found[1] = system.trigger_conditions_batch
        if not all(f is None or f.width == self.width for f in found):
            return None, None
        if own.entries and found[0] is None:  # all of a sample is at hand, or nothing
            return None, None
        self._samplers = found
        return found[0], found[1]

    @property
    def usage(self) -> tuple[int, int]:
        """How many rounds there were, and how many lanes were busy in all of them."""
        return int(self._queue.rounds), int(self._queue.busy_rounds)

    @property
    def done(self) -> int:
        """How many runs are over."""
        return int(self._queue.done)

    def take(self, first: int, end: int) -> None:
        """Take the runs from `first` to before `end` of the table as the next ones."""
        self._queue.next, self._queue.end = first, end
        if self._events is not None and end > first:
            own = self._schedules
            self.table.schedules[first:end] = own.find(self.table.parameters[first:end])
            self._breakpoints = own.arrays()
            numbers, places, points = map(start_of, self._breakpoints)
            self._arguments[SCHEDULES], self._arguments[SCHEDULES + 1] = numbers, places
            self._arguments[BREAKPOINTS] = points

    def close(self) -> None:
        """Expect no more runs: those in lanes are brought to their ends."""
        self._queue.is_open = 0

    @property
    def logs(self) -> dict[int, list[Chunk]]:
        """The logs of the runs that are over, by their lines in the table."""
        if self._events is None:
            return {}
        self._events.read(self._queue)
        return self._events.logs

    def go(self) -> bool:
        """Go on for some milliseconds; return whether lanes wait for more runs."""
        queue = self._queue
        queue.budget = self._budget
        status = self._advance(*self._arguments)
        if status == Status.LOG_FULL and self._events is not None:
            self._events.read(queue)
        if queue.waits:
            waiting = np.asarray(queue)[Queue.waiting : Queue.waiting + self.width]
            for lane in np.flatnonzero(waiting).tolist():
                self._answer(lane, int(waiting[lane]))
            waiting[:] = queue.waits = 0
        return status == Status.REACHED

    # --- lanes that wait for Python ------------------------------------------------------------

    def _answer(self, lane: int, status: int) -> None:
        """Answer a lane as a single run is answered; it takes its place again, or ends."""
        queue, run = self._queue, int(self._queue[Queue.run + lane])
        single = self._single(lane, run)
        if single is None:
            self._end(lane, run, status)
            return
        places = self._memory_of(lane)
        self._keep_log(lane, run)
        for own, place in zip(single.run_memory, places, strict=True):
            own[:] = place
        if not single.answer(status):
            self._end(lane, run, status)
            return
        method = self._own.method
        if single.method is not method:
            status = self._go_on_alone(single, run)
            if single.method is not method or status != Status.PAUSED:
                self._end(lane, run, status, single)
                return
        for own, place in zip(single.run_memory, places, strict=True):
            place[:] = own
        count, p = queue.p_size, single.p
        self._workspaces.p_side.reshape(count, self.width)[:, lane] = p
        queue[Queue.accepted + lane] = 1

    def _single(self, lane: int, run: int) -> Integration | None:
        """Return the integration that answers the run of a lane, made when it is first needed."""
        known = self._singles.get(lane)
        if known is not None and known[0] == run:
            return known[1]
        own = None if known is None else known[1]
        if own is None or own.method is not self._own.method:
            own = self._make()
        if own is None:
            return None
        own.renew()
        self._singles[lane] = run, own
        return own

    def _memory_of(self, lane: int) -> list[np.ndarray]:
        """Return the memory of a lane, in the order of `Integration.run_memory`."""
        own = self._workspaces
        arrays = [own.w, own.m, own.memory, self._stretches.reshape(-1), own.p]
        if self._events is not None:
            arrays += self._events.of_lanes[1:5]
        return [array.reshape(self.width, -1)[lane] for array in arrays]

    def _keep_log(self, lane: int, run: int) -> None:
        """Take the log of a lane away."""
        if self._events is not None:
            self._events.read(self._queue)
            self._events.take(lane, run)

    def _go_on_alone(self, single: Integration, run: int) -> int:
        """Go on with a method that has no lanes, until it ends or is that of the lanes again."""
        breakpoints = None
        if self._events is not None:
            own = self._schedules
            breakpoints = own.breakpoints[int(self.table.schedules[run])]
        method = self._own.method
        samples = self.table.samples[run]
        status = single.go_on_alone(
            samples, breakpoints, lambda own: own.method is method or self._is_stopped()
        )
        if self._events is not None and single.run_events is not None:
            self._events.logs.setdefault(run, []).extend(single.run_events.take_log())
        self.changes[run] = single.statistics
        return status

    def _end(
        self, lane: int, run: int, status: int, single: Integration | None = None
    ) -> None:
        """End the run of a lane with a status."""
        self.table.status[run] = status
        if single is not None:
            self.table.cost[run] = single.counted
            if self._events is not None:
                self.table.ends[run] = single.p
        self._queue[Queue.run + lane] = NONE
        self._queue.done += 1


def aligned_zeros(count: int) -> Numbers:
    """Return zeros that begin where a line of the cache does: registers are filled from one."""
    room = np.zeros(count + LINE)
    first = -(room.ctypes.data // room.itemsize) % LINE
    return room[first : first + count]


def pausing(m: np.ndarray) -> np.ndarray:
    """Return the integers of a workspace whose run pauses to be asked whether it stands still."""
    own = m.copy()
    own[Counts.budget] = MOST_STANDING
    return own
