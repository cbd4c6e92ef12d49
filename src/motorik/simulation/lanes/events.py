"""Events of runs in lanes: each lane has the memory of event handling that a single run has.

When a run is over, its log goes into the journal, as a chunk: a line of its number and of where
its lines and instants begin, and how many there are. Native code takes all runs of a thread from
their starts to their ends; Python reads the journal afterwards.
"""

from __future__ import annotations

from motorik.compiler.kernels import Floats, Int, Ints, kernel, tail
from motorik.immutable import immutable
from motorik.nonsmooth.memory import (
    MESH_PARTS,
    Contact,
    ContactMode,
    EventCounts,
    EventMemory,
    LogLine,
    TriggerTable,
    contact_at,
    instant_size,
)
from motorik.numerics.tolerances import DENSE_EVENTS
from motorik.simulation.lanes.layout import Queue
from motorik.simulation.stepping.step_kernels import copy
from motorik.simulation.stepping.workspace import EventArguments, Work

CHUNK = 5  # integers of a chunk: run, first line, lines, first instant, instants


class Schedule:
    """Numbers of the breakpoints of a run: the first one, and where laws are evaluated up to it."""

    STOP = 0
    FROM = 1
    UPTO = 2
    MESH = 3  # from here: begin and length of the parts of the mesh, its spacing in each
    SIZE = 3 + 2 + MESH_PARTS


@immutable
class LaneEvents:
    """Data of events beside `EventArguments`, which are those of all lanes end to end.

    First what they are filled with before each run; `schedules` are `Schedule`s, `places` where
    the breakpoints of each begin and how many they are, `schedule` is that of each run. `ends` are
    the parameters at the ends of runs; then the journal, and room for samples of all lanes.
    """

    memory_first: Floats
    counts_first: Ints
    table_first: Ints
    values_first: Floats
    schedules: Floats
    places: Ints
    schedule: Ints
    ends: Floats
    lines: Floats
    instants: Floats
    chunks: Ints
    found: Floats


@kernel(inline=False)
def load_events(
    lane: Int, queue: Queue, w: Work, p: Floats, ev: EventArguments, own: LaneEvents
) -> None:
    """Begin the events of a run that was loaded."""
    memory = EventMemory.at(ev.memory, lane * queue.event_memory_size)
    counts = EventCounts.at(ev.counts, lane * queue.event_counts_size)
    table = TriggerTable.at(ev.table, lane * queue.table_size)
    copy(queue.event_memory_size, own.memory_first, memory)
    for k in range(queue.event_counts_size):
        counts[k] = own.counts_first[k]
    for k in range(queue.table_size):
        table[k] = own.table_first[k]
    values = tail(ev.values, lane * queue.values_size)
    copy(queue.values_size, own.values_first, values)
    for k in range(counts.contacts):
        contact = Contact.at(counts, contact_at(k))
        direction = int(p[contact.at_direction])
        contact.mode = direction if direction != 0 else ContactMode.FREE
        if p[contact.at_stick] != 0.0 or p[contact.at_saturated] != 0.0:
            contact.mode = ContactMode.STUCK
    number = int(own.schedule[queue[Queue.run + lane]])
    schedule = tail(own.schedules, Schedule.SIZE * number)
    w.t_stop = schedule[Schedule.STOP]
    w.t_from, w.t_upto = schedule[Schedule.FROM], schedule[Schedule.UPTO]
    copy(
        2 + MESH_PARTS, tail(schedule, Schedule.MESH), tail(memory, EventMemory.mesh_start)
    )
    counts.breakpoint_next, counts.breakpoints = 0, int(own.places[2 * number + 1])


@kernel
def breakpoints_at(lane: Int, queue: Queue, own: LaneEvents) -> Int:
    """Return where the breakpoints of the run of a lane begin."""
    return int(own.places[2 * int(own.schedule[queue[Queue.run + lane]])])


@kernel
def has_journal_room(lanes: Int, queue: Queue, ev: EventArguments) -> Int:
    """Return whether the journal has room for the logs of so many lanes."""
    lines, instants = ev.counts.log_room, max(ev.counts.instant_room, 1)
    return int(
        queue.lines_next + lanes * lines <= queue.lines_room
        and queue.instants_next + lanes * instants <= queue.instants_room
        and queue.chunks_next + lanes <= queue.chunks_room
    )


@kernel(inline=False)
def write_journal(
    n: Int, lane: Int, queue: Queue, ev: EventArguments, own: LaneEvents
) -> Int:
    """Take the log of a lane into the journal; return 0 if there is no room."""
    counts = EventCounts.at(ev.counts, lane * queue.event_counts_size)
    if has_journal_room(1, queue, ev) == 0:
        return 0
    lines, instants = counts.log_next, counts.instant_next
    size = instant_size(n, counts.p_count)
    if lines > 0:
        copy(
            LogLine.SIZE * lines,
            tail(ev.log, lane * queue.log_size),
            tail(own.lines, LogLine.SIZE * queue.lines_next),
        )
        copy(
            size * instants,
            tail(ev.instants, lane * queue.instants_size),
            tail(own.instants, size * queue.instants_next),
        )
        chunk = CHUNK * queue.chunks_next
        own.chunks[chunk] = queue[Queue.run + lane]
        own.chunks[chunk + 1] = queue.lines_next
        own.chunks[chunk + 2] = lines
        own.chunks[chunk + 3] = queue.instants_next
        own.chunks[chunk + 4] = instants
        queue.lines_next += lines
        queue.instants_next += instants
        queue.chunks_next += 1
    counts.log_next, counts.instant_next = 0, 0
    return 1


@kernel
def is_sparse(lane: Int, queue: Queue, w: Work, ev: EventArguments, own: LaneEvents) -> Int:
    """Return whether the events of a full log are so far apart that the run has an end."""
    counts = EventCounts.at(ev.counts, lane * queue.event_counts_size)
    first = float(ev.log[lane * queue.log_size + LogLine.TIME])
    end = float(ev.breakpoints[breakpoints_at(lane, queue, own) + counts.breakpoints - 1])
    dense = DENSE_EVENTS * (end - w.t_start)
    return int(w.t - first >= dense * counts.log_next)


@kernel(inline=False)
def keep_end(lane: Int, queue: Queue, p: Floats, own: LaneEvents) -> None:
    """Keep the parameters at the end of the run of a lane."""
    copy(queue.p_size, p, tail(own.ends, queue[Queue.run + lane] * queue.p_size))
