"""What Python does for native code in a run: room, functions of the user, false alarms."""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from motorik.nonsmooth.memory import LogLine
from motorik.numerics.tolerances import EPSILON, NO_ADVANCE
from motorik.simulation.stepping.guard import SAFE
from motorik.simulation.stepping.native_functions import address_of, start_of
from motorik.simulation.stepping.workspace import Counts, Status

if TYPE_CHECKING:
    from motorik.nonsmooth.application.run_events import RunEvents
    from motorik.simulation.integration_options import Numbers
    from motorik.simulation.methods import Method
    from motorik.simulation.stepping.native_functions import Native
    from motorik.simulation.stepping.workspace import Work

# places among the arguments of `advance`
RECORD, STOPS, LOG, MOMENTS = 12, -7, -2, -1
CLOSE_LOOK = 64  # places within a step where guarded values are looked at
# steps in a row that do not advance the time by its rounding, against the run
MOST_STANDING = 10_000
# events no further apart than this part of a run, and so many of them, have no end
APART, MOST_APART = 1e-7, 4096


class WithEvents(ABC):
    """The part of an integration that helps native code where it stops; see `Integration`."""

    method: Method
    p: Numbers
    run_events: RunEvents | None
    _w: Work
    _m: Counts
    _width: int
    _arguments: list[int | None]
    _guard: Native | None
    _recorded: list[Numbers]
    _room: Numbers
    _crowd: int = 0  # events in a row that are too near to one another
    _mark: tuple[float, int] = 0.0, 0  # time and steps when it last advanced

    @property
    @abstractmethod
    def time(self) -> float:
        """The time reached [s]."""

    @property
    @abstractmethod
    def state(self) -> Numbers:
        """The state at `time`, a copy."""

    @abstractmethod
    def interpolate(self, time: float) -> Numbers:
        """Return the state at a time within the last step."""

    @abstractmethod
    def _lane_parameters(self) -> Numbers:
        """Return the parameters for each lane."""

    @abstractmethod
    def _switch(self) -> None:
        """Go on with the method for stiff systems."""

    def _serves(self, code: int) -> bool:
        """Do what native code has stopped for; return whether it can go on."""
        if code == Status.RECORD_FULL:
            self._empty_record()
        elif code == Status.STIFF:
            self._switch()
        elif code == Status.TICKED:
            self._call_functions()
        elif code == Status.LOG_FULL:
            self._empty_log()
        elif code == Status.GUARD_TRIPPED:
            return self._is_false_alarm()
        elif code == Status.SLIDES:
            assert self.run_events is not None
            return not self.run_events.is_sliding(self.time, self.state, self.p)
        else:
            return code == Status.PAUSED
        return True

    def _stands_still(self, until: float) -> bool:
        """Return whether thousands of steps have not advanced the time on the way to `until`."""
        time, steps = self.time, int(self._m.steps)
        span = until - float(self._w.t_start)
        if time - self._mark[0] > max(EPSILON * abs(time), NO_ADVANCE * span):
            self._mark = time, steps
        return steps - self._mark[1] > MOST_STANDING

    def _crowds(self, until: float) -> bool:
        """Return whether events have been so dense for long that a run to `until` has no end."""
        own = self.run_events
        assert own is not None
        lines = own.log[: own.counts.log_next]
        span = self.time - float(lines[0, LogLine.TIME])
        dense = APART * (until - float(self._w.t_start))
        count = len(lines)
        if span < dense * count:  # some lines tell of one event
            count = np.unique(lines[lines[:, LogLine.SOURCE] >= 0.0, LogLine.TIME]).size
        self._crowd = self._crowd + count if span < dense * count else 0
        return self._crowd > MOST_APART

    def _empty_log(self) -> None:
        """Take the log of events away, so that native code has room."""
        assert self.run_events is not None
        self.run_events.make_room()
        self._arguments[LOG] = start_of(self.run_events.log)
        self._arguments[MOMENTS] = start_of(self.run_events.instants)

    def _call_functions(self) -> None:
        """Call the functions of the user that are due; what they give is taken at once."""
        own = self.run_events
        assert own is not None and own.trigger_tables is not None
        due = own.trigger_tables.due()
        inputs = own.trigger_tables.system.sampled_inputs(
            np.array([self.time]), self.state, self.p
        )
        for function in due:
            given = function.call(self.time, inputs[function.inputs].tolist())
            record = self._m.record_count > 0
            written = int(self._m[Counts.record_next if record else Counts.grid_next])
            written -= int(record and self._m.steps == 0)
            for place, value in zip(function.places, given, strict=True):
                own.note(self.time, written, place, value)
                self.p[place] = value
        self._w[self.method.size(self._width) :] = self._lane_parameters()
        self._m.event_pending = 1

    def _set_stops(self, until: float) -> None:
        """Prepare the times at which laws change, as far as `until`."""
        own, w = self.run_events, self._w
        if own is None:
            return
        own.set_breakpoints(self.time, until)
        if own.trigger_tables is not None:
            own.trigger_tables.go_on()
            if own.trigger_tables.ticks_at(self.time):
                self._m.event_pending = 1  # at the end of the call before
        self._arguments[STOPS] = start_of(own.breakpoints)
        first = own.first_breakpoint(self.time)
        w.t_stop = first
        w.t_from = self.time + own.aside(self.time)
        w.t_upto = first - own.aside(first)

    def _empty_record(self) -> None:
        """Take the record of steps away, so that native code has room."""
        written = self._m.record_next
        self._recorded.append(self._room[:written])
        if self.run_events is not None:
            self.run_events.counts.output_taken += written
        self._room = np.full_like(self._room, np.nan)
        self._m.record_next = 0
        self._arguments[RECORD] = start_of(self._room)

    def _is_false_alarm(self) -> bool:
        """Look closely at the last step; return whether the guarded values stay away from zero."""
        begin, end = float(self._w.t_old), self.time
        if self._m.steps == 0 or not self._m.started:
            return False
        count = int(self._m.guarded)
        address = address_of(self._guard)
        assert address is not None
        look = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(address)
        values, time = np.zeros(2 * count), np.zeros(1)
        for t in np.linspace(begin, end, CLOSE_LOOK):
            state = self.interpolate(float(t))
            time[0] = t
            look(start_of(time), start_of(state), start_of(self.p), start_of(values))
            if not values[:count].min() >= SAFE:
                return False
        return True
