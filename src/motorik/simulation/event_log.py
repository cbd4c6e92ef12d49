"""Event log: what happened in a run, in words, and the motion on both sides of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from motorik.results.events import Event, Events
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


@dataclass
class Piece:
    """Events of a run in one form, and the conversions of parameters to later forms."""

    read: Callable[[EventReader], Moments]
    converted: list[Callable[[np.ndarray], np.ndarray]] = field(default_factory=list)

    def moments(self, reader: EventReader) -> Moments:
        """Read the events; return both sides of their instants in the last form."""
        own = self.read(reader)
        p = reduce(lambda p, convert: convert(p), self.converted, own.parameters)
        return Moments(own.times, own.motion, p)


class EventLog:
    """The events of a run so far, through all forms that it went through.

    They are put into words when they are read, so that events not read cost nothing.
    """

    def __init__(self) -> None:
        self._pieces: list[Piece] = []

    def note(
        self, t: float, part: str, what: str, motions: list[np.ndarray], p: np.ndarray
    ) -> None:
        """Note a change of form; its two sides are the motions before and after."""
        sides = Moments(np.array([t]), np.stack(motions)[None], np.stack([p, p])[None])

        def read(reader: EventReader) -> Moments:
            reader.events.append(Event(t, part, what, moment=reader.count))
            return sides

        self._pieces.append(Piece(read))

    def take(self, system: System, happenings: Happenings, p: np.ndarray) -> None:
        """Take over what native code has logged in a run of a system, which is over."""
        last = p.copy()
        self._pieces.append(Piece(lambda reader: reader.read(system, happenings, last)))

    def hand_over(self, convert: Callable[[np.ndarray], np.ndarray]) -> None:
        """Turn the parameters of all instants so far into those of another form."""
        for piece in self._pieces:
            piece.converted.append(convert)

    def read(self) -> tuple[Events, Moments | None]:
        """Return the events, and both sides of their instants, None if there was none."""
        reader = EventReader()
        found: list[Moments] = []
        for piece in self._pieces:
            found.append(piece.moments(reader))
            reader.count += found[-1].times.size
        if not reader.count:
            return Events(), None
        columns = zip(*((m.times, m.motion, m.parameters) for m in found), strict=True)
        return Events(reader.events), Moments(*map(np.concatenate, columns))


class EventReader:
    """Lines of logs in words: the events so far, and the mode of each row."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.count = 0  # instants of the pieces before
        self._modes: dict[str, int] = {}

    def read(self, system: System, happenings: Happenings, p: np.ndarray) -> Moments:
        """Read what native code has logged; return both sides of its instants."""
        layout = system.layout
        for line in happenings.told():
            event = self._event(line)
            if event is not None:
                self.events.append(event)
            if isinstance(line.source, SwitchedRow) and not line.impulse:
                self._modes[line.source.name] = line.after
        sides = happenings.sides(layout.n_x)
        count = sides.times.size
        parameters = np.broadcast_to(p, (count, 2, p.size)).copy()
        parameters[..., layout.changing] = sides.numbers
        motion = sides.states
        if system.formulation is not None and count:
            times = np.repeat(sides.times, 2).reshape(-1, 1)
            x = np.ascontiguousarray(motion).reshape(2 * count, -1)
            motion = system.full_state.map(times, x, parameters.reshape(2 * count, -1))
        motion = motion.reshape(count, 2, layout.n_motion)
        return Moments(sides.times, motion, parameters)

    def _event(self, line: Happened) -> Event | None:
        """Return a line in words; the first mode of a row is no event."""
        row, moment = line.source, line.moment + self.count
        if not isinstance(row, SwitchedRow):
            what = "ends the run" if row.stops else "fires"
            return Event(line.time, row.part.path, what, moment=moment)
        before = self._modes.get(row.name)
        if line.impulse:
            hits = row.has_gap and line.before != store.STUCK
            what = "hits" if hits else "carries an impulse"
            own = mode_in_words(row, line.before)
            hit = (line.impulse, f"{row.unit}.s", line.lost, moment)
            return Event(line.time, row.name, what, own, own, *hit)
        if before is None or before == line.after:
            return None
        what = (OF_CLOSING if row.has_gap else TURNS)[line.after]
        modes = mode_in_words(row, before), mode_in_words(row, line.after)
        return Event(line.time, row.name, what, *modes, moment=moment)
