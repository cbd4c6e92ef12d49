"""What Python does for native code in a run: room, functions of the user, false alarms."""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from motorik.simulation.integration_options import Numbers
from motorik.simulation.methods import Method
from motorik.simulation.methods import workspace as slot
from motorik.simulation.methods.guard import SAFE
from motorik.simulation.native_functions import Native, address_of, start_of
from motorik.simulation.switching.happenings import Happenings
from motorik.simulation.switching.store import WRITTEN
from motorik.system.corners import UNITS

# places among the arguments of `advance`
RECORD, STOPS, LOG, MOMENTS = 9, -7, -2, -1
CLOSE_LOOK = 64  # places within a step where guarded values are looked at


class WithEvents(ABC):
    """The part of an integration that helps native code where it stops; see `Integration`."""

    method: Method
    p: Numbers
    happenings: Happenings | None
    _w: Numbers
    _m: NDArray[np.int64]
    _width: int
    _arguments: list[int | None]
    _guard: Native | None
    _recorded: list[Numbers]
    _room: Numbers

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

    def _empty_log(self) -> None:
        """Take the log of events away, so that native code has room."""
        assert self.happenings is not None
        self.happenings.make_room()
        self._arguments[LOG] = start_of(self.happenings.log)
        self._arguments[MOMENTS] = start_of(self.happenings.moments)

    def _call_functions(self) -> None:
        """Call the functions of the user that are due; what they give is taken at once."""
        own = self.happenings
        assert own is not None and own.firing is not None
        due = own.firing.due()
        inputs = own.firing.system.sampled(np.array([self.time]), self.state, self.p)
        for function in due:
            given = function.call(self.time, inputs[function.inputs].tolist())
            record = self._m[slot.RECORD_COUNT] > 0
            written = int(self._m[slot.RECORD_NEXT if record else slot.GRID_NEXT])
            written -= int(record and self._m[slot.STEPS] == 0)
            for place, value in zip(function.places, given, strict=True):
                own.note(self.time, written, place, value)
                self.p[place] = value
        self._w[self.method.size(self._width) :] = self._lane_parameters()
        self._m[slot.CUT] = 1

    def _set_stops(self, until: float) -> None:
        """Prepare the times at which laws change, as far as `until`."""
        own, w = self.happenings, self._w
        if own is None:
            return
        own.set_stops(self.time, until)
        if own.firing is not None and own.firing.ticks_at(self.time):
            self._m[slot.CUT] = 1  # at the end of the call before
        self._arguments[STOPS] = start_of(own.stops)
        w[slot.T_STOP] = own.stops[0]
        w[slot.T_UPTO] = np.inf
        if own.stops.size > 1:
            aside = UNITS * slot.EPSILON
            w[slot.T_UPTO] = own.stops[0] - aside * abs(own.stops[0])
        w[slot.T_FROM] = self.time + UNITS * slot.EPSILON * abs(self.time)

    def _empty_record(self) -> None:
        """Take the record of steps away, so that native code has room."""
        written = self._m[slot.RECORD_NEXT]
        self._recorded.append(self._room[:written])
        if self.happenings is not None:
            self.happenings.counts[WRITTEN] += written
        self._room = np.full_like(self._room, np.nan)
        self._m[slot.RECORD_NEXT] = 0
        self._arguments[RECORD] = start_of(self._room)

    def _is_false_alarm(self) -> bool:
        """Look closely at the last step; return whether the guarded values stay away from zero."""
        begin, end = float(self._w[slot.T_OLD]), self.time
        if self._m[slot.STEPS] == 0 or not self._m[slot.STARTED]:
            return False
        count = int(self._m[slot.GUARDED])
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
