"""Happenings: what native code needs for events, and the log that it writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from motorik.simulation.integration_options import Numbers
from motorik.simulation.native_functions import Native, address_of, start_of
from motorik.simulation.switching import store
from motorik.simulation.switching.box import box_size
from motorik.simulation.switching.faces import masked_size
from motorik.simulation.switching.log import moment_size

if TYPE_CHECKING:
    from motorik.components.base.contributions import Trigger
    from motorik.simulation.switching.firing import Firing

LOG_LINES = 1024  # lines of the log before native code returns for more room
MOMENTS = 256  # instants whose two sides are kept before native code returns for more room


@dataclass(frozen=True)
class SwitchedRow:
    """A switching row: its name, whether it has a gap, its places in p, its force's unit.

    `pair` is the row across it, −1 without one, or of that row −2 − the other; `direction` the
    places in p of the cosine and sine of its direction, and of the speed up to which it is kept.
    """

    name: str
    has_gap: bool
    force: int
    stick: int
    way: int
    unit: str = "N"
    pair: int = -1
    direction: tuple[int, int, int] = (0, 0, 0)


@dataclass(frozen=True)
class Happened:
    """A line of the log: when, of what, its mode before and after, what a hit does.

    `impulse` [N·s or N·m·s] and `lost`, the kinetic energy lost [J], are zero if nothing
    hits. `moment` is the number of the instant, whose two sides are kept.
    """

    time: float
    source: SwitchedRow | Trigger
    before: int
    after: int
    impulse: float
    lost: float
    moment: int


@dataclass(frozen=True)
class Moments:
    """The two sides, before and after, of each instant: times, states, and numbers of p.

    States and numbers have the axes instant, side, number.
    """

    times: Numbers
    states: Numbers
    numbers: Numbers


class Happenings:
    """Events of an integration: switching rows and times at which laws change.

    `watched`, `coupling` and `pushed` are native functions of (t, x, p), see
    `switching_functions`; without rows there are none. `corners(begin, end)` tells the times
    [s] between two others at which laws change. `changing` are the places in p of what
    events and full turns change.
    """

    def __init__(
        self,
        rows: Sequence[SwitchedRow] = (),
        functions: tuple[Native, Native, Native] | None = None,
        corners: Callable[[float, float], Numbers] | None = None,
        firing: Firing | None = None,
        projects: bool = True,
        changing: slice | None = None,
    ) -> None:
        self.rows, self.functions = tuple(rows), functions
        self._corners, self.firing, self._changing = corners, firing, changing
        m = len(self.rows)
        doubles, integers = box_size(m) if m else (0, 0)
        doubles = max(doubles, masked_size(m) if m else 0)
        self.memory = np.zeros(int(store.work_at(m)) + doubles)
        self.counts = np.zeros(
            int(store.count_size(m)) + 2 * m + integers + 1, dtype=np.int64
        )
        self.stops = np.zeros(1)
        own = 0 if firing is None else int(firing.table[:2].sum())
        self._room = max(LOG_LINES, 400 * m + 200 * own)
        self.log = np.zeros((self._room, store.LINE))
        self.moments = np.zeros((1, 1))
        self._kept: list[tuple[Numbers, Numbers]] = []
        self._begun = np.empty(0)  # the numbers of p at the start
        self.counts[store.ROWS], self.counts[store.LOG_COUNT] = m, self._room
        self.counts[store.PROJECTS] = projects
        for k, row in enumerate(self.rows):
            place = store.ROW + store.PER_ROW * k
            own = (
                *(store.FREE, row.has_gap, row.force, row.stick, row.way),
                *(row.pair, *row.direction, 0),
            )
            self.counts[place : place + store.PER_ROW] = own

    def arguments(self) -> list[int | None]:
        """Return the addresses that native code takes."""
        given: list[Native | None] = [*(self.functions or (None, None, None))]
        firing = self.firing
        table, values = np.zeros(4, dtype=np.int64), np.zeros(1)
        if firing is not None:
            given += [firing.system.conditions, firing.system.assigned]
            table, values = firing.table, firing.values
        self._empty = table, values  # kept alive for native code
        given += [None] * (5 - len(given))
        arrays = self.stops, self.memory, self.counts, table, values
        return [*map(address_of, given), *map(start_of, (*arrays, self.log, self.moments))]

    @property
    def can_happen(self) -> bool:
        """Whether anything depends on the state: rows, or triggers."""
        return bool(self.rows) or self.firing is not None

    @property
    def triggers(self) -> tuple[Trigger, ...]:
        """The triggers, which follow the rows in the log."""
        return () if self.firing is None else self.firing.triggers

    def names(self) -> list[str]:
        """Return the parts of the rows, and then of the triggers."""
        return [*(row.name for row in self.rows), *(t.part.path for t in self.triggers)]

    def start(self, n: int, p: Numbers) -> None:
        """Start with the modes in p, and prepare to keep both sides of instants, of n states."""
        self.begin(p)
        if not self.can_happen:
            return
        first, last, _ = (self._changing or slice(None)).indices(p.size)
        self.counts[store.P_FIRST], self.counts[store.P_COUNT] = first, last - first
        self.counts[store.MOMENT_COUNT] = MOMENTS
        self.moments = np.zeros((MOMENTS, int(moment_size(n, last - first))))

    def begin(self, p: Numbers) -> None:
        """Take the modes that stand in p as those to begin with."""
        for k, row in enumerate(self.rows):
            way = int(p[row.way])
            mode = store.STUCK if p[row.stick] else way if way else store.FREE
            self.counts[store.ROW + store.PER_ROW * k + store.MODE] = mode
        if not self._begun.size:
            self._begun = p.copy()
        self.counts[store.KNOWN] = 0

    def modes(self) -> list[int]:
        """Return the present modes."""
        first = store.ROW + store.MODE
        end = first + store.PER_ROW * len(self.rows)
        return self.counts[first : end : store.PER_ROW].tolist()

    def set_stops(self, time: float, until: float) -> None:
        """Let the next call stop at all corners on the way to `until`."""
        inside = np.empty(0) if self._corners is None else self._corners(time, until)
        if self.firing is not None:
            ticks = self.firing.clock_times(time, until)
            inside = np.unique(np.concatenate([inside, ticks])) if ticks.size else inside
        self.stops = np.array([*inside, until])
        self.counts[store.STOP_NEXT], self.counts[store.STOP_COUNT] = 0, self.stops.size

    def make_room(self) -> None:
        """Take the log away and give native code an empty one."""
        self._kept.append(self._written())
        self.log = np.zeros_like(self.log)
        self.moments = np.zeros_like(self.moments)
        self.counts[store.LOG_NEXT] = self.counts[store.MOMENT_NEXT] = 0

    def _written(self) -> tuple[Numbers, Numbers]:
        """Return the lines and the instants since the log was taken away last."""
        lines = self.log[: self.counts[store.LOG_NEXT]]
        return lines, self.moments[: self.counts[store.MOMENT_NEXT]]

    @property
    def lines(self) -> Numbers:
        """The log, as `store.LINE` has it; instants are counted from the first."""
        found, passed = [], 0
        for lines, moments in (*self._kept, self._written()):
            lines = lines.copy()
            lines[:, 7] += passed
            passed += len(moments)
            found.append(lines)
        return np.concatenate(found)

    def told(self) -> list[Happened]:
        """Return the events so far, the choice of the first modes included."""
        sources = [*self.rows, *self.triggers]
        return [
            Happened(t, sources[int(k)], int(a), int(b), impulse, lost, int(moment))
            for t, k, a, b, impulse, _, lost, moment in self.lines.tolist()
            if k >= 0.0
        ]

    def sides(self, n: int) -> Moments:
        """Return both sides of all instants so far, of n states."""
        table = np.concatenate([moments for _, moments in (*self._kept, self._written())])
        count = int(self.counts[store.P_COUNT])
        both = table[:, 1:].reshape(len(table), 2, table.shape[1] // 2)
        return Moments(table[:, 0], both[:, :, :n], both[:, :, both.shape[2] - count :])

    def numbers_of_rows(self, count: int) -> dict[int, Numbers]:
        """Return the numbers of p that events changed, at rows of output, by their places."""
        lines = self.lines
        found: dict[int, Numbers] = {}
        for row in np.unique(lines[lines[:, 1] < 0.0, 1]):
            own = lines[lines[:, 1] == row]
            place = int(-1 - row)
            values = np.concatenate([[self._begun[place]], own[:, 4]])
            found[place] = values[
                np.searchsorted(own[:, 5], np.arange(count), side="right")
            ]
        return found

    def note(self, time: float, written: int, place: int, value: float) -> None:
        """Write down that a function of the user has changed a number of p."""
        rows = float(self.counts[store.WRITTEN] + written)
        moment = float(self.counts[store.MOMENT_NEXT])
        line = (time, -1.0 - place, 0.0, 0.0, value, rows, 0.0, moment)
        self.log[self.counts[store.LOG_NEXT]] = line
        self.counts[store.LOG_NEXT] += 1

    @property
    def worst(self) -> str:
        """The name of the row that could not be solved."""
        return self.names()[int(self.counts[store.WORST])] if self.rows else ""

    def busiest(self) -> str:
        """Return the names of the rows of the last events."""
        rows = self.lines[:, 1]
        last = rows[rows >= 0.0][-20:].astype(int)
        names = self.names()
        return ", ".join(dict.fromkeys(names[k] for k in last))


class _NoEvents(Happenings):
    """What native code is given where nothing happens: it does not look at it."""

    def __init__(self) -> None:
        super().__init__()
        self._given = super().arguments()

    def arguments(self) -> list[int | None]:
        """Return the same addresses each time."""
        return self._given


@cache
def no_events() -> Happenings:
    """Return the events of a run without any, one and the same for all."""
    return _NoEvents()
