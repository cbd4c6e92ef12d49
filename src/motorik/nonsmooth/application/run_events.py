"""Events of a run: the tables and memory that native event handling needs, and its log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from motorik.immutable import immutable
from motorik.nonsmooth.application.log import instant_size
from motorik.nonsmooth.complementarity.box_lcp import box_lcp_size
from motorik.nonsmooth.complementarity.friction_cones import cones_size
from motorik.nonsmooth.complementarity.reduction import reduced_size
from motorik.nonsmooth.complementarity.redundancy import sticking_size
from motorik.nonsmooth.detection.law_conditions import law_condition_size
from motorik.nonsmooth.laws.time_events import find_aside, find_least
from motorik.nonsmooth.memory import (
    CONTACT,
    LCP_DATA,
    NO_DISK,
    PER_CONTACT,
    Breakpoint,
    Contact,
    ContactMode,
    EventCounts,
    EventMemory,
    LogLine,
    TriggerTable,
    contact_at,
    lcp_data_at,
    solver_modes_at,
    work_at,
)
from motorik.numerics.tolerances import REDUNDANT_STICKING, TIME_ROUNDING
from motorik.simulation.stepping.native_functions import (
    Native,
    Numbers,
    address_of,
    start_of,
)

if TYPE_CHECKING:
    from motorik.components.base.contributions import Trigger
    from motorik.nonsmooth.application.trigger_tables import TriggerTables


# --- tables of contacts --------------------------------------------------------------------


@immutable
class ConstraintEntry:
    """A nonsmooth constraint in the table: its name, places in p, unit of its force.

    `pair` is the other constraint of its disk, −1 without one, of that one −2 − the first; `disk`
    the places in p of the numbers of the disk; `pressed` names the unilateral constraint of its
    normal force, "" without one; `sign_cases` are the places of its sign cases.
    """

    name: str
    has_gap: bool
    force: int
    stick: int
    direction: int
    saturated: int
    unit: str = "N"
    pair: int = -1
    disk: tuple[int, ...] = NO_DISK
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
            self.counts[place : place + PER_CONTACT] = (
                *(
                    ContactMode.FREE,
                    entry.has_gap,
                    entry.force,
                    entry.stick,
                    entry.direction,
                ),
                *(entry.pair, *entry.disk, 0, *entry.sign_cases, 0, 0, entry.saturated, 0),
            )
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
            if numbers[entry.stick] or numbers[entry.saturated]
            else int(numbers[entry.direction]) or ContactMode.FREE
            for entry in self.entries
        ]


# --- events of a run -----------------------------------------------------------------------


Times: TypeAlias = Callable[[float, float], Numbers]  # those between two others
LOG_LINES = 4096  # before native code returns for more room
NO_TIMES = np.zeros(0)
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


class RunEvents:
    """Events of an integration: nonsmooth constraints, triggers, time events, law conditions.

    `functions` are `contact_state`, `contact_lcp` and `impulse_response`, native functions of
    (t, x, p), see `laws.event_functions`; None without constraints. `time_events(begin, end)` are
    the times [s] between two others at which laws change, `visits` mesh points at which steps end
    though nothing changes, `fineness` begin and length of the parts of the mesh and its spacing in
    each. `changing` are the places in p of numbers that events change, `ahead` is the number of
    calls whose time events are found at once, `crossed` are the law conditions and their number;
    `slides(t, x, p, k)` decides whether a sliding mode of condition k begins. `closing` closes the
    velocities of loops that are stabilised by gains.
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
    ) -> None:
        self._table, self.entries, self.functions = table, table.entries, functions
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
        self.memory = np.zeros(table.doubles).view(EventMemory)
        self.counts = table.counts.copy()
        self.breakpoints = np.zeros(1)
        own = 0 if trigger_tables is None else int(trigger_tables.table[:2].sum())
        self._room = max(LOG_LINES, 400 * len(self.entries) + 200 * own)
        self.log = np.empty((self._room, LogLine.SIZE))
        self.instants = NO_TIMES
        self._kept: list[tuple[Numbers, Numbers]] = []
        self._begun = NO_TIMES  # the numbers of p at the start
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
        given += [self._crossed, self._closing]
        arrays = self.breakpoints, self.memory, self.counts, table, values
        return [*map(address_of, given), *map(start_of, (*arrays, self.log, self.instants))]

    @property
    def has_events(self) -> bool:
        """Whether anything depends on the state: constraints, or triggers."""
        return bool(self.entries) or self.trigger_tables is not None

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
        self.begin(p)
        self.memory.fixed_step = step
        if not self.has_events:
            return
        first, last, _ = (self._changing or slice(None)).indices(p.size)
        self.counts.p_first, self.counts.p_count = first, last - first
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
        least = 0.0 if self._time_events is None else float(self.breakpoints[-1])
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
        lines, moments = self._written()
        self._kept.append((_seen_by_samples(lines), moments.copy()))
        self.counts.log_next = self.counts.instant_next = 0

    def _written(self) -> tuple[Numbers, Numbers]:
        """Return the lines and the instants since the log was taken away last."""
        lines = self.log[: self.counts.log_next]
        return lines, self.instants[: self.counts.instant_next]

    @property
    def lines(self) -> Numbers:
        """The log, see `LogLine`; instants are counted from the first."""
        found, passed = [], 0
        for lines, moments in (*self._kept, self._written()):
            lines = lines.copy()
            lines[:, LogLine.INSTANT] += passed
            passed += len(moments)
            found.append(lines)
        return np.concatenate(found)

    def logged(self) -> list[LoggedEvent]:
        """Return the events so far, the initial modes included."""
        sources = [*self.entries, *self.triggers]
        return [
            LoggedEvent(t, sources[int(k)], int(a), int(b), impulse, lost, int(instant))
            for t, k, a, b, impulse, _, lost, instant in self.lines.tolist()
            if k >= 0.0
        ]

    def sides(self, n: int) -> Instants:
        """Return the states before and after all instants so far, of n states."""
        table = np.concatenate([moments for _, moments in (*self._kept, self._written())])
        count = int(self.counts.p_count)
        both = table[:, 1:].reshape(len(table), 2, table.shape[1] // 2)
        return Instants(table[:, 0], both[:, :, :n], both[:, :, both.shape[2] - count :])

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
