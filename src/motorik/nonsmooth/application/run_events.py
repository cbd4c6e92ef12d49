"""Events of a run: the tables and memory that native event handling needs, and its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from motorik.compiler.addresses import Native, Numbers, address_of, start_of
from motorik.components.base.contributions import (
    Assignment,
    NonsmoothConstraint,
    Trigger,
)
from motorik.components.base.internal import DiskState, NonsmoothForce, single_number
from motorik.components.base.values import LiveScalar
from motorik.components.blocks.discrete import When
from motorik.errors import AssemblyError, SampledFunctionError, suggest
from motorik.immutable import immutable
from motorik.nonsmooth.complementarity.box_lcp import box_lcp_size
from motorik.nonsmooth.complementarity.friction_cones import cones_size
from motorik.nonsmooth.complementarity.reduction import reduced_size
from motorik.nonsmooth.complementarity.redundancy import sticking_size
from motorik.nonsmooth.detection.law_conditions import law_condition_size
from motorik.nonsmooth.laws.time_events import AHEAD, find_aside, find_least
from motorik.nonsmooth.memory import (
    CONTACT,
    LCP_DATA,
    MESH_PARTS,
    PER_ASSIGNMENT,
    PER_CONTACT,
    PER_TRIGGER,
    AssignedTo,
    Breakpoint,
    Contact,
    ContactMode,
    EventCounts,
    EventMemory,
    Lcp,
    LogLine,
    TriggerEntry,
    TriggerKind,
    TriggerTable,
    TriggerValue,
    contact_at,
    instant_size,
    lcp_at,
    lcp_data_at,
    solver_modes_at,
    trigger_at,
    work_at,
)
from motorik.numerics.tolerances import REDUNDANT_STICKING, TIME_ROUNDING

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.components.base.contributions import Trigger
    from motorik.nonsmooth.application.pasts import Pasts


# --- triggers ------------------------------------------------------------------------------


NEVER = 2**40  # ticks of a clock: more than there are


@immutable
class UserFunction:
    """A function of the user that is called at clock ticks."""

    number: int
    trigger: Trigger
    inputs: slice
    places: tuple[int, ...]

    def call(self, time: float, inputs: Sequence[float]) -> list[float]:
        """Return the values of the function, one number for each output."""
        assert self.trigger.function is not None
        name = self.trigger.part.path
        shown = ", ".join(
            f"{key} = {value:.6g}"
            for key, value in zip(self.trigger.names, inputs, strict=True)
        )
        seen = f"at t = {time:.9g} s" + (f" with {shown}" if shown else "")
        try:
            given = self.trigger.function(time, *inputs)
        except Exception as error:
            raise SampledFunctionError(
                name,
                f"its function raised {type(error).__name__}: {error} {seen}.",
                "Mend the function; the result so far is kept.",
            ) from error
        return self._numbers(name, seen, given)

    def _numbers(self, name: str, seen: str, given: object) -> list[float]:
        wanted = len(self.places)
        try:
            array = np.atleast_1d(np.asarray(given, dtype=float))
        except (TypeError, ValueError):
            array = np.full(0, np.nan)
        if array.shape != (wanted,) or not np.isfinite(array).all():
            raise SampledFunctionError(
                name,
                f"its function returned {given!r} {seen}, not {wanted} finite number(s).",
                "Return one finite number for each output, in their order.",
            )
        return array.tolist()


def reset_functions(system: CompiledModel) -> None:
    """Reset functions of the user that have a method `reset`."""
    for trigger in system.mechanism.inventory.triggers:
        reset = getattr(trigger.function, "reset", None)
        if callable(reset):
            reset()


class TriggerTables:
    """The triggers of a model: `table` and `values` for native code, functions for Python."""

    def __init__(self, system: CompiledModel, t0: float) -> None:
        self.triggers = tuple(system.mechanism.inventory.triggers)
        self.system = system
        self.functions: list[UserFunction] = []
        count = len(self.triggers)
        assignments = [a for trigger in self.triggers for a in trigger.assignments]
        size = trigger_at(count) + PER_ASSIGNMENT * len(assignments) + 1
        self.table = np.zeros(size, dtype=np.int64).view(TriggerTable)
        self.values: Numbers = np.zeros(
            TriggerValue.ASSIGNED * count + len(assignments) + 1
        )
        self.table.triggers, self.table.assignments = count, len(assignments)
        live = system.layout.position
        first, begin = 0, 0
        for k, trigger in enumerate(self.triggers):
            place = trigger_at(k)
            kind, flag = TriggerKind.CLOCK, 0
            if trigger.condition is not None:
                kind, flag = (
                    TriggerKind.CONDITION,
                    live[single_number(trigger.part.internal(), trigger.flag)],
                )
            elif trigger.function is not None:
                kind = TriggerKind.FUNCTION
            own = len(trigger.assignments)
            ticks = 0
            if trigger.period:
                ticks = max(0, int(np.ceil((t0 - trigger.offset) / trigger.period - 1e-9)))
            acts = trigger.condition is None or own or trigger.stops
            is_event = int(bool(acts) or isinstance(trigger.part, When))
            at_start = int(trigger.acts_at_start)
            entry = kind, flag, first, own, int(trigger.stops), ticks, 0, is_event, at_start
            self.table[place : place + PER_TRIGGER] = entry
            clock = TriggerValue.CLOCKS * count + 2 * k
            self.values[clock : clock + 2] = trigger.period, trigger.offset
            targets = [_target(system, live, trigger, a) for a in trigger.assignments]
            for a, target in enumerate(targets):
                at = trigger_at(count)
                at += PER_ASSIGNMENT * (first + a)
                self.table[at : at + PER_ASSIGNMENT] = target
            if trigger.function is not None:
                end = begin + len(trigger.inputs)
                places = tuple(place for _, place in targets)
                self.functions.append(UserFunction(k, trigger, slice(begin, end), places))
                begin = end
            first += own

    def tick_after(self, time: float) -> float:
        """Return the next time after another at which a clock ticks; infinity without any."""
        near = TIME_ROUNDING * abs(time)
        first = np.inf
        for k, trigger in enumerate(self.triggers):
            if trigger.period:
                ticks = self.table[trigger_at(k) + TriggerEntry.ticks]
                tick = trigger.offset + ticks * trigger.period
                if tick <= time + near:
                    tick = trigger.offset + (ticks + 1) * trigger.period
                first = min(first, float(tick))
        return first

    def skip_functions(self) -> None:
        """Let no function of the user be called."""
        for function in self.functions:
            place = trigger_at(function.number) + TriggerEntry.ticks
            self.table[place] = NEVER

    def ticks_at(self, time: float) -> bool:
        """Return whether a clock is to tick at a time that was reached before."""
        for k, trigger in enumerate(self.triggers):
            ticks = self.table[trigger_at(k) + TriggerEntry.ticks]
            tick = trigger.offset + ticks * trigger.period
            if trigger.period and time >= tick - TIME_ROUNDING * abs(tick):
                return True
        return False

    def due(self) -> list[UserFunction]:
        """Return the functions whose clocks have ticked, and take their marks away."""
        found = []
        for function in self.functions:
            place = trigger_at(function.number) + TriggerEntry.pending
            if self.table[place]:
                self.table[place] = 0
                found.append(function)
        return found

    @property
    def ticks(self) -> np.ndarray:
        """How often clocks have ticked, a copy."""
        return np.asarray(self.table)[self._tick_places].copy()

    @property
    def _tick_places(self) -> list[int]:
        return [trigger_at(k) + TriggerEntry.ticks for k in range(len(self.triggers))]

    def take_ticks(self, ticks: np.ndarray) -> None:
        """Take over how often clocks have ticked, from `ticks` of another run."""
        self.table[self._tick_places] = ticks

    def go_on(self) -> None:
        """Forget the trigger that ended the last call."""
        self.table.stopped_by = 0

    @property
    def stopped_by(self) -> str:
        """The name of the trigger that ended the run, or the last call of it."""
        number = int(self.table.stopped_by)
        return self.triggers[number - 1].part.path if number else ""


def _target(
    system: CompiledModel,
    live: dict[LiveScalar, int],
    trigger: Trigger,
    assignment: Assignment,
) -> tuple[int, int]:
    """Return the target of an assignment: a place in p or x, or the impulse of a contact."""
    target = assignment.target
    if isinstance(target, str):
        names = list(system.layout.state_names)
        if target not in names:
            raise AssemblyError(
                trigger.part.path,
                f"resets {target!r}, which is no state.",
                f"{suggest(target, names)} `model.explain()` lists the states.",
                parameter="reset",
                value=target,
            )
        return AssignedTo.STATE, names.index(target)
    place = live[target]
    forces = system.layout.nonsmooth.columns.force.tolist()
    if place in forces:
        return AssignedTo.IMPULSE, forces.index(place)
    return AssignedTo.PARAMETER, place


# --- tables of contacts --------------------------------------------------------------------


@immutable
class ConstraintEntry:
    """A nonsmooth constraint in the table: its name, places in p, unit of its force.

    `at` are the positions in p of its force and mode, `disk` those of the state of its disk.
    `pair` is the other constraint of its disk, −1 without one, of that one −2 − the first;
    `pressed` names the unilateral constraint of its normal force, "" without one; `sign_cases`
    are the positions of its sign cases, 0 without any.
    """

    name: str
    has_gap: bool
    at: NonsmoothForce[int]
    unit: str = "N"
    pair: int = -1
    disk: DiskState[int] | None = None
    sign_cases: tuple[int, int] = (0, 0)
    pressed: str = ""
    is_sliding_mode: bool = False  # multiplier of a sliding mode

    @property
    def is_across(self) -> bool:
        """Whether it is the second constraint of a disk."""
        return self.pair < -1


class ConstraintTable:
    """The nonsmooth constraints of a model, made once for all its runs.

    `counts` are the initial integers of a run, `doubles` the size of its memory.
    """

    def __init__(self, entries: Sequence[ConstraintEntry] = ()) -> None:
        self.entries = tuple(entries)
        m = len(self.entries)
        doubles, integers = box_lcp_size(m) if m else (0, 0)
        doubles = max(doubles, sticking_size(m), cones_size(m)) if m else 0
        room, more = reduced_size(m)
        self.doubles = int(work_at(m)) + room + doubles
        size = int(solver_modes_at(m)) + 2 * m + integers + more + 1
        self.counts = np.zeros(size, dtype=np.int64).view(EventCounts)
        self.counts.contacts = m
        self.counts.cones = sum(entry.pair >= 0 for entry in self.entries)
        for k, entry in enumerate(self.entries):
            place = contact_at(k)
            own = self.counts[place : place + PER_CONTACT].view(Contact)
            own.mode, own.has_gap, own.pair = ContactMode.FREE, entry.has_gap, entry.pair
            own.at_force, own.at_stick = entry.at.force, entry.at.stick
            own.at_direction, own.at_saturated = entry.at.direction, entry.at.saturated
            own.at_ahead, own.at_back = entry.sign_cases
            if entry.disk is not None:
                own.at_cosine, own.at_sine = entry.disk.cosine, entry.disk.sine
                own.at_pace, own.at_since = entry.disk.pace, entry.disk.since
                own.at_softness = entry.disk.softness
        self._last_stops: tuple[Numbers, Numbers, tuple[float, float], Numbers] | None = (
            None
        )
        first = CONTACT + Contact.mode
        self.modes_at = slice(first, first + PER_CONTACT * m, PER_CONTACT)

    def breakpoints(
        self, changes: Numbers, visits: Numbers, until: float, least: float
    ) -> Numbers:
        """Return the sorted breakpoints, then their kinds, and `least`.

        That is the least time [s] whose rounding counts, see `find_least`. Those of the last run
        are cached: the next one often has the same.
        """
        last = self._last_stops
        if (
            last is not None
            and last[0] is changes
            and last[1] is visits
            and last[2] == (until, least)
        ):
            return last[3]
        laws = set(changes.tolist())
        times = sorted({*laws, *visits.tolist(), until})
        kinds = [Breakpoint.DISCONTINUITY if t in laws else Breakpoint.VISIT for t in times]
        made = np.array([*times, *kinds, least], dtype=np.float64)
        self._last_stops = changes, visits, (until, least), made
        return made

    def modes(self, p: Numbers) -> list[int]:
        """Return the modes in p."""
        numbers = p.tolist()
        return [
            ContactMode.STUCK
            if numbers[entry.at.stick] or numbers[entry.at.saturated]
            else int(numbers[entry.at.direction]) or ContactMode.FREE
            for entry in self.entries
        ]


# --- events of a run -----------------------------------------------------------------------


Times: TypeAlias = Callable[[float, float], Numbers]  # those between two others
LOG_LINES = 4096  # before native code returns for more room
NO_TIMES = np.zeros(0)
NO_PASTS = np.zeros(1), np.zeros(1)
NOTHING_READY = np.zeros(1)
NO_TRIGGERS, NO_VALUES = np.zeros(4, dtype=np.int64), np.zeros(1)
INSTANTS = 1024  # stored before native code returns for more room


@immutable
class LoggedEvent:
    """A line of the log: time, source, mode before and after, impulse and energy loss.

    `impulse` [N·s or N·m·s] and `lost`, the kinetic energy lost [J], are zero without an impact.
    `instant` is the number of the instant, whose states before and after are stored.
    """

    time: float
    source: ConstraintEntry | Trigger
    before: int
    after: int
    impulse: float
    lost: float
    instant: int


@immutable
class Instants:
    """The states before and after each instant: times, states, and parameters.

    States and parameters have the axes instant, before or after, number.
    """

    times: Numbers
    states: Numbers
    numbers: Numbers


@immutable
class Locks:
    """Constraints along joints, each w = factor u of one speed u at a place of the n states.

    `stopping` is the native change of the state that stops what sticks.
    """

    n_states: int
    places: np.ndarray
    factors: np.ndarray
    stopping: Native


class EventRecord:
    """The native log of a run: lines and instants, in the chunks in which they were written.

    `begun` are the numbers of p at the start, `changing` how many of them events change.
    """

    def __init__(
        self,
        entries: Sequence[ConstraintEntry],
        triggers: Sequence[Trigger],
        begun: Numbers,
        changing: int,
        chunks: Sequence[tuple[Numbers, Numbers]],
    ) -> None:
        self.entries = tuple(entries)
        self._sources = [*entries, *triggers]
        self._begun, self._n_changing, self._chunks = begun, changing, chunks

    @property
    def has_events(self) -> bool:
        """Whether anything depends on the state: constraints, or triggers."""
        return bool(self._sources)

    def chunks(self) -> Sequence[tuple[Numbers, Numbers]]:
        """Return lines and instants of all chunks; each counts instants from its first."""
        return self._chunks

    @property
    def lines(self) -> Numbers:
        """The log, see `LogLine`; instants are counted from the first."""
        found, passed = [np.empty((0, LogLine.SIZE))], 0
        for lines, instants in self.chunks():
            lines = lines.copy()
            lines[:, LogLine.INSTANT] += passed
            passed += len(instants)
            found.append(lines)
        return np.concatenate(found)

    def logged(self) -> list[LoggedEvent]:
        """Return the events so far, the initial modes included."""
        return [
            LoggedEvent(
                t, self._sources[int(k)], int(a), int(b), impulse, lost, int(instant)
            )
            for t, k, a, b, impulse, _, lost, instant in self.lines.tolist()
            if k >= 0.0
        ]

    def sides(self, n: int) -> Instants:
        """Return the states before and after all instants so far, of n states."""
        count, kept = self._n_changing, max(n, 1)  # without states, one that rests
        width = int(instant_size(kept, count))
        own = (instants.reshape(-1, width) for _, instants in self.chunks())
        table = np.concatenate([np.empty((0, width)), *own])
        both = table[:, 1:].reshape(len(table), 2, kept + count)
        return Instants(table[:, 0], both[:, :, :n], both[:, :, kept:])

    def parameters_of_samples(self, count: int) -> dict[int, Numbers]:
        """Return the parameters that events changed at output samples, by their places."""
        lines = self.lines
        found: dict[int, Numbers] = {}
        sources = lines[:, LogLine.SOURCE]
        for entry in np.unique(sources[sources < 0.0]):
            own = lines[sources == entry]
            place = int(-1 - entry)
            values = np.concatenate([[self._begun[place]], own[:, LogLine.IMPULSE]])
            found[place] = values[
                np.searchsorted(own[:, LogLine.OUTPUT], np.arange(count), side="right")
            ]
        return found


class RunEvents(EventRecord):
    """Events of an integration: nonsmooth constraints, triggers, time events, law conditions.

    `functions` are `contact_state`, `contact_lcp` and `impulse_response`, native functions of
    (t, x, p), see `laws.event_functions`; None without constraints. `time_events(begin, end)` are
    the times [s] between two others at which laws change, `visits` mesh points at which steps end
    though nothing changes, `fineness` begin and length of the parts of the mesh and its spacing in
    each. `changing` are the places in p of numbers that events change, `ahead` is the number of
    calls whose time events are found at once, `crossed` are the law conditions and their number;
    `slides(t, x, p, k)` decides whether a sliding mode of condition k begins. `closing` closes the
    velocities of loops that are stabilised by gains. `pasts` are those of delayed signals, `locks`
    what constraints along joints need.
    """

    def __init__(
        self,
        table: ConstraintTable,
        functions: tuple[Native, Native, Native] | None = None,
        time_events: Times | None = None,
        visits: Times | None = None,
        trigger_tables: TriggerTables | None = None,
        projects: bool = True,
        changing: slice | None = None,
        fineness: Callable[[float, float], tuple[float, float, Numbers]] | None = None,
        ahead: float = 1.0,
        crossed: tuple[Native, int] | None = None,
        slides: Callable[[float, Numbers, Numbers, int], bool] | None = None,
        closing: Native | None = None,
        pasts: Pasts | None = None,
        locks: Locks | None = None,
    ) -> None:
        triggers = () if trigger_tables is None else trigger_tables.triggers
        super().__init__(table.entries, triggers, NO_TIMES, 0, [])
        self.pasts, self._locks = pasts, locks
        self._table, self.functions = table, functions
        self._time_events, self._visits, self._ahead = time_events, visits, ahead
        self.trigger_tables, self._changing, self._fineness = (
            trigger_tables,
            changing,
            fineness,
        )
        self._crossed, self._own = None, (NO_TRIGGERS, NO_VALUES)
        if crossed is not None:
            self._crossed, count = crossed
            room = np.zeros(law_condition_size(count))
            room[1 + 7 * count] = np.nan  # not evaluated yet
            self._own = NO_TRIGGERS.copy(), room
            self._own[0][TriggerTable.law_conditions] = count
            if trigger_tables is not None:
                trigger_tables.values = np.append(trigger_tables.values, room[1:])
                trigger_tables.table.law_conditions = count
        self._closing = closing
        self._slides, self._false_alarms = slides, dict[int, int]()
        room = 0 if locks is None else locks.n_states
        self.memory = np.zeros(table.doubles + room).view(EventMemory)
        self.counts = table.counts.copy()
        if locks is not None:
            m = len(self.entries)
            at = Contact.at_speed + contact_at(0)
            self.counts[at : at + PER_CONTACT * m : PER_CONTACT] = locks.places
            at = int(lcp_at(m)) + Lcp.FACTOR * m
            self.memory[at : at + m] = locks.factors
        self.breakpoints = np.zeros(1)
        own = 0 if trigger_tables is None else int(trigger_tables.table[:2].sum())
        self._room = max(LOG_LINES, 400 * len(self.entries) + 200 * own)
        self.log = np.empty((self._room, LogLine.SIZE))
        self.instants = NO_TIMES
        self._kept: list[tuple[Numbers, Numbers]] = []
        self.counts.log_room = self._room
        self.counts.projects = projects

    def arguments(self) -> list[int | None]:
        """Return the addresses that native code takes."""
        given: list[Native | None] = [*(self.functions or (None, None, None))]
        trigger_tables = self.trigger_tables
        table, values = self._own
        if trigger_tables is not None:
            given += [
                trigger_tables.system.trigger_conditions,
                trigger_tables.system.assignments,
            ]
            table, values = trigger_tables.table, trigger_tables.values
        given += [None] * (5 - len(given))
        stopping = None if self._locks is None else self._locks.stopping
        given += [self._crossed, self._closing, stopping]
        given.append(None if self.pasts is None else self.pasts.native)
        pasts = NO_PASTS if self.pasts is None else self.pasts.arrays
        arrays = (
            NOTHING_READY,
            *pasts,
            self.breakpoints,
            self.memory,
            self.counts,
            table,
            values,
        )
        return [*map(address_of, given), *map(start_of, (*arrays, self.log, self.instants))]

    @property
    def is_native(self) -> bool:
        """Whether no event calls a function of the user or looks into the past."""
        calls = self.trigger_tables is not None and bool(self.trigger_tables.functions)
        return self.pasts is None and not calls

    @property
    def is_timed(self) -> bool:
        """Whether laws change at times, which may depend on parameters."""
        own = self._time_events, self._visits, self._fineness
        return any(function is not None for function in own)

    @property
    def first(self) -> tuple[np.ndarray, ...]:
        """Memory, counts, table and values, as they are before a run."""
        table, values = self._own
        if self.trigger_tables is not None:
            table, values = self.trigger_tables.table, self.trigger_tables.values
        return self.memory, self.counts, table, values

    def read(
        self, begun: Numbers, chunks: Sequence[tuple[Numbers, Numbers]]
    ) -> EventRecord:
        """Return the record of a run like this one, which began with these parameters."""
        return EventRecord(self.entries, self.triggers, begun, self._n_changing, chunks)

    @property
    def triggers(self) -> tuple[Trigger, ...]:
        """The triggers, which follow the constraints in the log."""
        return () if self.trigger_tables is None else self.trigger_tables.triggers

    def names(self) -> list[str]:
        """Return the names of the constraints, and then of the parts of the triggers."""
        return [
            *(entry.name for entry in self.entries),
            *(t.part.path for t in self.triggers),
        ]

    def start(self, n: int, p: Numbers, step: float) -> None:
        """Start with the modes in p, and prepare to store the instants of n states.

        `step` is the fixed step size [s], 0 without one.
        """
        from motorik.nonsmooth.application.driver_kernels import link_needed

        self.begin(p)
        self.memory.fixed_step = step
        link_needed(
            len(self.entries),
            self.counts.cones,
            has_triggers=self.trigger_tables is not None,
            has_conditions=self._crossed is not None,
        )
        if not self.has_events:
            return
        first, last, _ = (self._changing or slice(None)).indices(p.size)
        self.counts.p_first, self.counts.p_count = first, last - first
        self._n_changing = last - first
        self.counts.instant_room = INSTANTS
        self.instants = np.empty((INSTANTS, int(instant_size(n, last - first))))

    def is_sliding(self, t: float, x: Numbers, p: Numbers) -> bool:
        """Return whether a sliding mode begins at the condition native code has noted.

        After each false alarm twice as many are skipped.
        """
        k = int(self.counts.worst)
        if self._slides is not None and self._slides(t, x, p, k):
            return True
        passed = self._false_alarms[k] = 2 * self._false_alarms.get(k, 0) + 1
        values = self._own[1] if self.trigger_tables is None else self.trigger_tables.values
        count = int(self._own[0][TriggerTable.law_conditions])
        values[values.size - 2 * count + k] = passed
        return False

    def forget_alarms(self) -> None:
        """Forget which conditions have begun no sliding mode."""
        self._false_alarms.clear()

    def begin(self, p: Numbers) -> None:
        """Take the modes in p as the initial ones."""
        if self.entries:
            self.counts[self._table.modes_at] = self._table.modes(p)
        if self._begun is NO_TIMES:
            self._begun = p.copy()
        self.counts.modes_known = 0

    def modes(self) -> list[int]:
        """Return the present modes."""
        return self.counts[self._table.modes_at].tolist()

    def set_breakpoints(self, time: float, until: float) -> None:
        """Set the breakpoints of the next call: time events and mesh points up to `until`."""
        if self._fineness is not None:
            fine = self._fineness(time, until)
            self.memory[EventMemory.mesh_start : EventMemory.mesh] = fine[:2]
            self.memory[EventMemory.mesh : EventMemory.contact_state] = fine[2]
        inside = NO_TIMES if self._time_events is None else self._time_events(time, until)
        if self.pasts is not None:
            inside = np.union1d(inside, self.pasts.returns(time, until))
        visits = NO_TIMES if self._visits is None else self._visits(time, until)
        self.breakpoints = self._table.breakpoints(
            inside, visits, until, find_least(time, until, self._ahead)
        )
        self.counts.breakpoint_next, self.counts.breakpoints = (
            0,
            self.breakpoints.size // 2,
        )

    def aside(self, time: float) -> float:
        """Return how far [s] beside a time event laws are evaluated."""
        is_smooth = self._time_events is None and self.pasts is None
        least = 0.0 if is_smooth else float(self.breakpoints[-1])
        return find_aside(time, least)

    def first_breakpoint(self, time: float) -> float:
        """Return the first breakpoint of the next call: a time event, or a clock tick."""
        there = float(self.breakpoints[0])
        tick = (
            np.inf if self.trigger_tables is None else self.trigger_tables.tick_after(time)
        )
        return tick if tick < there - TIME_ROUNDING * abs(there) else there

    def make_room(self) -> None:
        """Take the log away and give native code an empty one.

        Of parameters that change again before the next output sample the last value is kept.
        """
        lines, instants = self._written()
        self._kept.append((_seen_by_samples(lines), instants.copy()))
        self.counts.log_next = self.counts.instant_next = 0

    def chunks(self) -> list[tuple[Numbers, Numbers]]:
        """Return lines and instants of all chunks, those of the present log at the end."""
        return [*self._kept, self._written()]

    def take_log(self) -> list[tuple[Numbers, Numbers]]:
        """Take the whole log away, and return its chunks."""
        lines, instants = self._written()
        found = [*self._kept, (lines.copy(), instants.copy())]
        self._kept.clear()
        self.counts.log_next = self.counts.instant_next = 0
        return found

    def _written(self) -> tuple[Numbers, Numbers]:
        """Return the lines and the instants since the log was taken away last."""
        lines = self.log[: self.counts.log_next]
        return lines, self.instants[: self.counts.instant_next]

    def note(self, time: float, written: int, place: int, value: float) -> None:
        """Log that a function of the user has changed a number of p."""
        entries = float(self.counts.output_taken + written)
        instant = float(self.counts.instant_next)
        line = (time, -1.0 - place, 0.0, 0.0, value, entries, 0.0, instant)
        self.log[self.counts.log_next] = line
        self.counts.log_next += 1

    @property
    def worst(self) -> str:
        """The name of the constraint that could not be solved."""
        return self.names()[self.worst_index] if self.entries else ""

    @property
    def worst_index(self) -> int:
        """The number of the constraint that could not be solved."""
        return int(self.counts.worst)

    def sharing(self) -> dict[str, list[str]]:
        """Return with which others each sticking constraint shares its load.

        Their forces are not unique: those of minimum norm are taken.
        """
        m, resting = len(self.entries), (ContactMode.STUCK, ContactMode.SATURATED)
        first = int(lcp_data_at(m)) + LCP_DATA * m
        D = np.asarray(self.memory)[first : first + m * m].reshape(m, m)
        stuck = [
            k for k, mode in enumerate(self.modes()) if mode in resting and D[k, k] > 0.0
        ]
        if len(stuck) < 2:
            return {}
        size = np.sqrt(np.diag(D)[stuck])
        values, vectors = np.linalg.eigh(D[np.ix_(stuck, stuck)] / np.outer(size, size))
        idle = vectors[:, values < REDUNDANT_STICKING]
        together, names = np.abs(idle @ idle.T) > REDUNDANT_STICKING, self.names()
        return {
            names[k]: [names[stuck[int(j)]] for j in np.flatnonzero(together[i]) if j != i]
            for i, k in enumerate(stuck)
            if together[i].sum() > 1
        }

    def busiest(self) -> str:
        """Return the names of the constraints of the last events."""
        entries = self.lines[:, LogLine.SOURCE]
        last = entries[entries >= 0.0][-20:].astype(int)
        names = self.names()
        return ", ".join(dict.fromkeys(names[k] for k in last))


def _seen_by_samples(lines: Numbers) -> Numbers:
    """Return all events of a log, and the parameter changes that output samples see."""
    kept = lines[:, LogLine.SOURCE] >= 0.0
    if kept.all():
        return lines.copy()
    # the parameter, and the output samples before it
    last = lines[::-1, LogLine.SOURCE] + 1j * lines[::-1, LogLine.OUTPUT]
    _, first = np.unique(last, return_index=True)
    kept[len(lines) - 1 - first] = True
    return lines[kept]


# --- events of the runs of a model ---------------------------------------------------------


def names_in_log(constraints: Sequence[NonsmoothConstraint]) -> list[str]:
    """Return the names of constraints in the log of events: of the part, of several the force."""
    count = Counter(own.part.path for own in constraints)
    return [
        own.part.path if count[own.part.path] == 1 else f"{own.part.path}.{own.force}"
        for own in constraints
    ]


def make_constraint_table(system: CompiledModel) -> ConstraintTable:
    """Return the nonsmooth constraints of a model as native code reads them."""
    assert system.nonsmooth is not None
    layout, constraints = system.layout.nonsmooth, system.nonsmooth.constraints
    names = names_in_log(constraints)
    found: list[ConstraintEntry] = []
    for k, constraint in enumerate(constraints):
        path, pair = constraint.part.path, layout.pairs[k]
        first = constraints[-2 - pair] if pair < -1 else constraint
        normal = "" if first.disk is None else first.disk.normal
        found.append(
            ConstraintEntry(
                name=names[k],
                has_gap=constraint.gap is not None,
                at=layout.forces[k],
                unit=constraint.force_block().force.parameter.unit,
                pair=pair,
                disk=layout.disks[k],
                sign_cases=layout.sign_cases[k],
                pressed=f"{path}.{normal}" if normal else "",
                is_sliding_mode=constraint.is_sliding_mode,
            )
        )
    return ConstraintTable(found)


@cache
def no_constraints() -> ConstraintTable:
    """Return the table of a system without nonsmooth constraints."""
    return ConstraintTable()


def find_run_events(
    system: CompiledModel,
    begin: float,
    end: float,
    p: np.ndarray,
    visits: bool = True,
    pasts: Pasts | None = None,
) -> RunEvents | None:
    """Return the events of a run of a model from `begin` to `end` [s], None without any.

    With `visits` steps end at the mesh points of time functions, and discontinuities of laws
    that depend on the state are detected.
    """
    mesh, crossed = system.time_events.mesh, None
    if visits or system.sliding_conditions:
        crossed = system.state_events
    is_whole = np.isfinite(end)
    find_visits = mesh.times if is_whole else mesh.next_times
    find_changes = system.time_events.times if is_whole else system.time_events.next_times
    ahead = 1.0 if is_whole else AHEAD

    def changes_between(begin: float, end: float) -> np.ndarray:
        return find_changes(begin, end, p)

    def visits_between(begin: float, end: float) -> np.ndarray:
        return find_visits(begin, end, p)

    def fineness(begin: float, end: float) -> tuple[float, float, np.ndarray]:
        first, last = (begin, end) if is_whole else mesh.window(begin, end)
        apart = mesh.fineness(first, last, p)
        return first, (last - first) / MESH_PARTS, apart

    changes = changes_between if system.time_events.count else None
    seen = visits_between if visits and mesh.count else None
    trigger_tables = (
        TriggerTables(system, begin) if system.mechanism.inventory.triggers else None
    )
    if system.nonsmooth is None and trigger_tables is None:
        both = changes, seen
        times = [own for own in both if own is not None]
        has_times = not is_whole or any(own(begin, end).size for own in times)
        has_times = has_times or system.time_events.are_at(begin, end, p)
        if not (times and has_times) and crossed is None and pasts is None:
            return None
        own = {
            "ahead": ahead,
            "crossed": crossed,
            "slides": sliding_test(system, end - begin),
            "pasts": pasts,
        }
        return RunEvents(no_constraints(), None, *both, **own)
    projects = system.form.projects_states
    changing = system.layout.changing
    fine = fineness if mesh.count else None
    given = changes, seen, trigger_tables, projects, changing, fine, ahead, crossed
    given = *given, sliding_test(system, end - begin)
    if system.nonsmooth is None:
        return RunEvents(no_constraints(), None, *given, pasts=pasts)
    functions = system.contact_state, system.contact_lcp, system.impulse_response
    closing = system.velocity_closure if system.form.closes_at_events else None
    locks, joints = None, system.form.joint_constraints
    if joints is not None:
        places, n = joints.native_places, system.layout.n_x
        locks = Locks(n, places, np.array(joints.factors), system.stopping)
    return RunEvents(system.constraint_table, functions, *given, closing, pasts, locks)


def sliding_test(
    system: CompiledModel, duration: float
) -> Callable[[float, Numbers, Numbers, int], bool] | None:
    """Return the test for a sliding mode of a condition, a function of (t, x, p, k).

    None if no condition can have one.
    """
    if not system.sliding_conditions:
        return None
    from motorik.nonsmooth.application.sliding_modes import is_attracting

    return partial(is_attracting, system, duration if np.isfinite(duration) else 1.0)
