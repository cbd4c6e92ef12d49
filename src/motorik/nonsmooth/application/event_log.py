"""Event log: the events of a run in words, and the states before and after them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import reduce
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from motorik.immutable import mutable
from motorik.nonsmooth.memory import ContactMode
from motorik.numerics.tolerances import IMPULSE_ZERO
from motorik.results.event_states import EventStates
from motorik.results.events import Event, Events

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.nonsmooth.application.run_events import (
        ConstraintEntry,
        EventRecord,
        LoggedEvent,
        RunEvents,
    )

MODES = {
    ContactMode.FREE: "free",
    ContactMode.STUCK: "stuck",
    ContactMode.FORWARD: "slipping forward",
    ContactMode.BACKWARD: "slipping backward",
    ContactMode.IDLE: "at rest",
    ContactMode.SATURATED: "stuck",
}
OF_GAPS = {ContactMode.FREE: "open", ContactMode.STUCK: "closed"}
OF_DISKS = MODES | {ContactMode.FORWARD: "slipping", ContactMode.BACKWARD: "slipping"}
TRANSITIONS = {
    ContactMode.FREE: "lets go",
    ContactMode.STUCK: "sticks",
    ContactMode.FORWARD: "slips forward",
    ContactMode.BACKWARD: "slips backward",
    ContactMode.IDLE: "comes to rest",
}
OF_SLIDING_MODES = {
    ContactMode.FREE: "free",
    ContactMode.STUCK: "on the switching surface of its law",
    ContactMode.FORWARD: "on one branch of its law",
    ContactMode.BACKWARD: "on the other branch of its law",
    ContactMode.IDLE: "on the switching surface of its law",
    ContactMode.SATURATED: "on the switching surface of its law",
}
CROSSES = "crosses the switching surface of its law"
SLIDES, LEAVES = (
    "slides along the switching surface of its law",
    "leaves the switching surface of its law",
)
OF_CLOSING = {ContactMode.FREE: "opens", ContactMode.STUCK: "closes"}
Modes = Mapping[str, int]  # of constraints, by their names


def mode_name(entry: ConstraintEntry, mode: int, others: Modes) -> str:
    """Return the name of a mode; friction is open where the contact of its normal force is."""
    if others.get(entry.pressed, ContactMode.STUCK) == ContactMode.FREE:
        return OF_GAPS[ContactMode.FREE]
    if entry.is_sliding_mode:
        return OF_SLIDING_MODES[mode]
    return (OF_GAPS if entry.has_gap else MODES if entry.pair == -1 else OF_DISKS)[mode]


def transition_name(entry: ConstraintEntry, before: int, mode: int, word: str) -> str:
    """Return the name of a transition between modes; `word` is that of the last."""
    if entry.has_gap:
        return OF_CLOSING[mode]
    if entry.is_sliding_mode:
        on_side = (ContactMode.FORWARD, ContactMode.BACKWARD)
        return (CROSSES if before in on_side else LEAVES) if mode in on_side else SLIDES
    if entry.pair == -1:
        return TRANSITIONS[mode]
    return {"open": "lets go", "slipping": "slips"}.get(word) or TRANSITIONS[mode]


def mode_names(system: CompiledModel, run_events: RunEvents) -> dict[str, str]:
    """Return the present mode of each constraint by its name; a disk has one.

    Impulses of a `when` have none.
    """
    from motorik.components.blocks.discrete import When

    entries = run_events.entries
    constraints = () if system.nonsmooth is None else system.nonsmooth.constraints
    modes = {entry.name: m for entry, m in zip(entries, run_events.modes(), strict=True)}
    own = (
        entry
        for entry, constraint in zip(entries, constraints, strict=True)
        if not entry.is_across and not isinstance(constraint.part, When)
    )
    return {entry.name: mode_name(entry, modes[entry.name], modes) for entry in own}


@mutable
class LogSegment:
    """Events of a run in one formulation, and the conversions of parameters to later ones."""

    read: Callable[[EventReader], EventStates]
    converted: list[Callable[[np.ndarray], np.ndarray]] = field(default_factory=list)

    def instants(self, reader: EventReader) -> EventStates:
        """Read the events; return their states before and after in the last formulation."""
        own = self.read(reader)
        p = reduce(lambda p, convert: convert(p), self.converted, own.parameters)
        return EventStates(own.times, own.motion, p)


class EventLog:
    """The events of a run so far, through all its formulations.

    They are formatted when they are read, so that unread events cost nothing.
    """

    def __init__(self) -> None:
        self._segments: list[LogSegment] = []

    def note(
        self, t: float, part: str, what: str, motions: list[np.ndarray], p: np.ndarray
    ) -> None:
        """Note a change of formulation, with the motions before and after."""
        sides = EventStates(np.array([t]), np.stack(motions)[None], np.stack([p, p])[None])

        def read(reader: EventReader) -> EventStates:
            reader.events.append(Event(t, part, what, instant=reader.count))
            return sides

        self._segments.append(LogSegment(read))

    def take(self, system: CompiledModel, run_events: EventRecord, p: np.ndarray) -> None:
        """Take over the native log of a finished run."""
        last = p.copy()
        self._segments.append(
            LogSegment(lambda reader: reader.read(system, run_events, last))
        )

    def hand_over(self, convert: Callable[[np.ndarray], np.ndarray]) -> None:
        """Convert the parameters of all instants so far to another formulation."""
        for piece in self._segments:
            piece.converted.append(convert)

    def read(self) -> tuple[Events, EventStates | None]:
        """Return the events, and the states before and after them, None without any."""
        reader = EventReader()
        found: list[EventStates] = []
        for piece in self._segments:
            found.append(piece.instants(reader))
            reader.count += found[-1].times.size
        if not reader.count:
            return Events(), None
        columns = zip(*((m.times, m.motion, m.parameters) for m in found), strict=True)
        in_order = sorted(reader.events, key=lambda event: event.time)
        return Events(in_order), EventStates(*map(np.concatenate, columns))


class EventReader:
    """Reads native logs: the events so far, and the mode of each constraint."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.count = 0  # instants of the segments before
        self._modes: dict[str, int] = {}

    def read(
        self, system: CompiledModel, run_events: EventRecord, p: np.ndarray
    ) -> EventStates:
        """Read a native log; return the states before and after its instants."""
        layout = system.layout
        pressed = [
            entry for entry in run_events.entries if entry.pressed and not entry.is_across
        ]
        sides = run_events.sides(layout.n_x)
        is_state = [bool(np.isfinite(own).all()) for own in sides.states]
        logged = _without_rounding(run_events.logged())
        logged = [
            line
            for line in logged
            if line.instant >= len(is_state) or is_state[line.instant]
        ]
        for _, instant in groupby(logged, key=lambda line: line.instant):
            self._read_instant(list(instant), pressed)
        count = sides.times.size
        parameters = np.broadcast_to(p, (count, 2, p.size)).copy()
        parameters[..., layout.changing] = sides.numbers
        motion = sides.states
        if layout.has_dependent and count:
            times = np.repeat(sides.times, 2).reshape(-1, 1)
            x = np.ascontiguousarray(motion).reshape(2 * count, -1)
            motion = system.full_state.map(times, x, parameters.reshape(2 * count, -1))
        motion = motion.reshape(count, 2, layout.n_motion)
        return EventStates(sides.times, motion, parameters)

    def _read_instant(
        self, lines: list[LoggedEvent], pressed: list[ConstraintEntry]
    ) -> None:
        """Read the events of one instant; friction follows the contact of its normal force."""
        from motorik.nonsmooth.application.run_events import ConstraintEntry, LoggedEvent

        turns = {
            line.source.name: line
            for line in lines
            if isinstance(line.source, ConstraintEntry) and not line.impulse
        }
        turned = {name: line.after for name, line in turns.items()}
        before = dict(self._modes)
        follow = (r for r in pressed if r.pressed in turned and r.name not in turned)
        same = ((entry, before.get(entry.name, ContactMode.FREE)) for entry in follow)
        last = lines[-1]
        lines += [LoggedEvent(last.time, r, m, m, 0.0, 0.0, last.instant) for r, m in same]
        for line in lines:
            event = self._event(line, before, before | turned)
            if event is not None:
                self.events.append(event)
            if isinstance(line.source, ConstraintEntry) and not line.impulse:
                self._modes[line.source.name] = line.after
                pressing = turns.get(line.source.pressed)
                if (
                    event is not None and pressing is not None
                ):  # accumulated rebounds end a little later
                    self.events[-1] = replace(event, time=pressing.time)

    def _event(self, line: LoggedEvent, earlier: Modes, later: Modes) -> Event | None:
        """Return the event of a line; the first mode of a constraint is no event.

        Given are the modes of all constraints before and after the instant.
        """
        from motorik.nonsmooth.application.run_events import ConstraintEntry

        entry, instant = line.source, line.instant + self.count
        if not isinstance(entry, ConstraintEntry):
            what = entry.what
            if entry.stops and what == "fires":
                what = "ends the run"
            return Event(line.time, entry.part.path, what, instant=instant)
        before = self._modes.get(entry.name)
        if line.impulse:
            is_impact = entry.has_gap and line.before != ContactMode.STUCK
            what = "hits" if is_impact else "carries an impulse"
            own = mode_name(entry, line.before, earlier)
            hit = (line.impulse, f"{entry.unit}.s", line.lost, instant)
            return Event(line.time, entry.name, what, own, own, *hit)
        if before is None or entry.is_across:
            return None
        first, last = (
            mode_name(entry, before, earlier),
            mode_name(entry, line.after, later),
        )
        if first == last:
            return None
        what = transition_name(entry, before, line.after, last)
        return Event(line.time, entry.name, what, first, last, instant=instant)


def _without_rounding(lines: list[LoggedEvent]) -> list[LoggedEvent]:
    """Remove impulses that are rounding beside the largest of their unit."""
    from motorik.nonsmooth.application.run_events import ConstraintEntry

    largest: dict[str, float] = {}
    for line in lines:
        if line.impulse and isinstance(line.source, ConstraintEntry):
            unit = line.source.unit
            largest[unit] = max(largest.get(unit, 0.0), abs(line.impulse))
    return [
        line
        for line in lines
        if not (
            isinstance(line.source, ConstraintEntry)
            and 0.0 < abs(line.impulse) < IMPULSE_ZERO * largest[line.source.unit]
        )
    ]
