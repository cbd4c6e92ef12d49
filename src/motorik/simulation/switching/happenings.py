"""Happenings: what native code needs for events, and the log that it writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motorik.simulation.integration_options import Numbers
from motorik.simulation.native_functions import Native, address_of, start_of
from motorik.simulation.switching import store
from motorik.simulation.switching.box import box_size
from motorik.simulation.switching.faces import masked_size
from motorik.simulation.switching.log import moment_size

LOG_LINES = 1024  # lines of the log before native code returns for more room
MOMENTS = 256  # instants whose two sides are kept before native code returns for more room


@dataclass(frozen=True)
class SwitchedRow:
    """A switching row: its name, whether it has a gap, its places in p, its force's unit."""

    name: str
    has_gap: bool
    force: int
    stick: int
    way: int
    unit: str = "N"


@dataclass(frozen=True)
class Happened:
    """A line of the log: when, to which row, its mode before and after, what a hit does.

    `impulse` [N·s or N·m·s] and `lost`, the kinetic energy lost [J], are zero if nothing
    hits. `moment` is the number of the instant, whose two sides are kept.
    """

    time: float
    row: SwitchedRow
    before: int
    after: int
    impulse: float
    lost: float
    moment: int

    @property
    def name(self) -> str:
        """The name of the row."""
        return self.row.name


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
        changing: slice | None = None,
    ) -> None:
        self.rows, self.functions = tuple(rows), functions
        self._corners, self._changing = corners, changing
        m = len(self.rows)
        doubles, integers = box_size(m) if m else (0, 0)
        doubles = max(doubles, masked_size(m) if m else 0)
        self.memory = np.zeros(int(store.work_at(m)) + doubles)
        self.counts = np.zeros(
            int(store.count_size(m)) + 2 * m + integers + 1, dtype=np.int64
        )
        self.stops = np.zeros(1)
        self._room = max(LOG_LINES, 400 * m + 1)
        self.log = np.zeros((self._room, store.LINE))
        self.moments = np.zeros((1, 1))
        self._kept: list[tuple[Numbers, Numbers]] = []
        self.counts[store.ROWS], self.counts[store.LOG_COUNT] = m, self._room
        for k, row in enumerate(self.rows):
            place = store.ROW + store.PER_ROW * k
            own = store.FREE, row.has_gap, row.force, row.stick, row.way
            self.counts[place : place + store.PER_ROW] = own

    def arguments(self) -> list[int | None]:
        """Return the addresses that native code takes."""
        given = self.functions or (None, None, None)
        arrays = self.stops, self.memory, self.counts, self.log, self.moments
        return [*map(address_of, given), *map(start_of, arrays)]

    def keep(self, n: int, size: int) -> None:
        """Prepare to keep both sides of instants, of n states and a p of this size."""
        if not self.rows:
            return
        first, last, _ = (self._changing or slice(None)).indices(size)
        self.counts[store.P_FIRST], self.counts[store.P_COUNT] = first, last - first
        self.counts[store.MOMENT_COUNT] = MOMENTS
        self.moments = np.zeros((MOMENTS, int(moment_size(n, last - first))))

    def begin(self, p: Numbers) -> None:
        """Take the modes that stand in p as those to begin with."""
        for k, row in enumerate(self.rows):
            way = int(p[row.way])
            mode = store.STUCK if p[row.stick] else way if way else store.FREE
            self.counts[store.ROW + store.PER_ROW * k + store.MODE] = mode
        self.counts[store.KNOWN] = 0

    def modes(self) -> list[int]:
        """Return the present modes."""
        first = store.ROW + store.MODE
        end = first + store.PER_ROW * len(self.rows)
        return self.counts[first : end : store.PER_ROW].tolist()

    def set_stops(self, time: float, until: float) -> None:
        """Let the next call stop at all corners on the way to `until`."""
        inside = np.empty(0) if self._corners is None else self._corners(time, until)
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
        return [
            Happened(t, self.rows[int(k)], int(a), int(b), impulse, lost, int(moment))
            for t, k, a, b, impulse, _, lost, moment in self.lines.tolist()
        ]

    def sides(self, n: int) -> Moments:
        """Return both sides of all instants so far, of n states."""
        table = np.concatenate([moments for _, moments in (*self._kept, self._written())])
        count = int(self.counts[store.P_COUNT])
        both = table[:, 1:].reshape(len(table), 2, -1)
        return Moments(table[:, 0], both[:, :, :n], both[:, :, both.shape[2] - count :])

    def modes_of_rows(self, count: int) -> tuple[Numbers, NDArray[np.intp]]:
        """Return the numbers of all modes at rows of output, and their places in p."""
        lines = self.lines
        columns: list[Numbers] = []
        for k in range(len(self.rows)):
            own = lines[(lines[:, 1] == k) & (lines[:, 4] == 0.0)]
            last = np.searchsorted(own[:, 5], np.arange(count), side="right") - 1
            mode = own[np.maximum(last, 0), 3]
            columns.append((mode == store.STUCK).astype(float))
            columns.append(np.where(np.abs(mode) == 1.0, mode, 0.0))
        places = [place for row in self.rows for place in (row.stick, row.way)]
        return np.stack(columns, axis=1), np.array(places, dtype=np.intp)

    @property
    def worst(self) -> str:
        """The name of the row that could not be solved."""
        return self.rows[int(self.counts[store.WORST])].name if self.rows else ""

    def busiest(self) -> str:
        """Return the names of the rows of the last events."""
        last = self.lines[-20:, 1].astype(int)
        return ", ".join(dict.fromkeys(self.rows[k].name for k in last))
