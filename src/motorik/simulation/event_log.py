"""Event log: what happened in a run, in words, and the motion on both sides of it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from motorik.results.events import Event
from motorik.results.sides import Moments
from motorik.simulation.switching import store
from motorik.simulation.switching.happenings import Happened, Happenings, SwitchedRow
from motorik.system.system import System

MODES = {
    store.FREE: "free",
    store.STUCK: "stuck",
    store.FORWARD: "slipping forward",
    store.BACKWARD: "slipping backward",
    store.IDLE: "at rest",
}
OF_GAPS = {store.FREE: "open", store.STUCK: "closed"}
TURNS = {
    store.FREE: "lets go",
    store.STUCK: "sticks",
    store.FORWARD: "slips forward",
    store.BACKWARD: "slips backward",
    store.IDLE: "comes to rest",
}
OF_CLOSING = {store.FREE: "opens", store.STUCK: "closes"}


def mode_in_words(row: SwitchedRow, mode: int) -> str:
    """Return the name of a mode."""
    return (OF_GAPS if row.has_gap else MODES)[mode]


def modes_in_words(happenings: Happenings) -> dict[str, str]:
    """Return the present mode of each row by its name."""
    pairs = zip(happenings.rows, happenings.modes(), strict=True)
    return {row.name: mode_in_words(row, mode) for row, mode in pairs}


class EventLog:
    """The events of a run so far, through all forms that it went through."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.modes: dict[str, int] = {}  # of each row, the last that was chosen
        self._times: list[np.ndarray] = []
        self._motions: list[np.ndarray] = []
        self._parameters: list[np.ndarray] = []
        self._count = 0

    def note(
        self, t: float, part: str, what: str, motions: list[np.ndarray], p: np.ndarray
    ) -> None:
        """Note a change of form; its two sides are the motions before and after."""
        self.events.append(Event(t, part, what, moment=self._count))
        self._times.append(np.array([t]))
        self._motions.append(np.stack(motions)[None])
        self._parameters.append(np.stack([p, p])[None])
        self._count += 1

    def hand_over(self, converted: Callable[[np.ndarray], np.ndarray]) -> None:
        """Turn the parameters of all instants so far into those of another form."""
        self._parameters = [converted(p) for p in self._parameters]

    def take(self, system: System, happenings: Happenings, p: np.ndarray) -> None:
        """Take over what native code has logged in a run of a system."""
        layout = system.layout
        for line in happenings.told():
            event = self._event(line)
            if event is not None:
                self.events.append(event)
            if isinstance(line.source, SwitchedRow) and not line.impulse:
                self.modes[line.source.name] = line.after
        sides = happenings.sides(layout.n_x)
        rows = 2 * sides.times.size
        parameters = np.broadcast_to(p, (rows // 2, 2, p.size)).copy()
        parameters[..., layout.changing] = sides.numbers
        motion = sides.states
        if system.formulation is not None and rows:
            times = np.repeat(sides.times, 2).reshape(rows, 1)
            x = np.ascontiguousarray(motion).reshape(rows, -1)
            motion = system.full_state.map(times, x, parameters.reshape(rows, -1))
        self._times.append(sides.times)
        self._motions.append(motion.reshape(rows // 2, 2, layout.n_motion))
        self._parameters.append(parameters)
        self._count += rows // 2

    def _event(self, line: Happened) -> Event | None:
        """Return a line in words; the first mode of a row is no event."""
        row, moment = line.source, line.moment + self._count
        if not isinstance(row, SwitchedRow):
            what = "ends the run" if row.stops else "fires"
            return Event(line.time, row.part.path, what, moment=moment)
        before = self.modes.get(row.name)
        if line.impulse:
            hits = row.has_gap and line.before != store.STUCK
            what = "hits" if hits else "carries an impulse"
            own = mode_in_words(row, line.before)
            unit = f"{row.unit}.s"
            hit = (line.impulse, unit, line.lost, moment)
            return Event(line.time, row.name, what, own, own, *hit)
        if before is None or before == line.after:
            return None
        what = (OF_CLOSING if row.has_gap else TURNS)[line.after]
        modes = mode_in_words(row, before), mode_in_words(row, line.after)
        return Event(line.time, row.name, what, *modes, moment=moment)

    def moments(self) -> Moments | None:
        """Return both sides of all instants, None if there was none."""
        if not self._count:
            return None
        own = self._times, self._motions, self._parameters
        return Moments(*map(np.concatenate, own))
