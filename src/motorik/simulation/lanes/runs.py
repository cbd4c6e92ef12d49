"""Workspaces of lanes, and the runs that they make."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler.addresses import address_of, start_of
from motorik.compiler.kernels import native
from motorik.immutable import immutable
from motorik.simulation.integration import NO_EVENTS
from motorik.simulation.lanes.kernels import (
    COST,
    Runs,
    Workspaces,
    make_lane_kernel,
)
from motorik.simulation.lanes.layout import MOST, NONE, Queue, side_size
from motorik.simulation.methods import TABLES
from motorik.simulation.stepping.workspace import Counts, Status

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.compiler.addresses import Numbers
    from motorik.simulation.integration import Integration

ROUNDS = 20_000.0  # operations of rounds in one call, in states: some milliseconds
LEAST_ROUNDS = 16
LINE = 8  # numbers of a line of the cache


def suits_lanes(system: CompiledModel, own: Integration) -> bool:
    """Return whether an integration of a system can be made in lanes.

    Its method is a table of stages, nothing but motion happens in it, and its equations are
    straight-line code, or rolled.
    """
    is_table = own.method.name in TABLES and own.method.lanes == 1
    return is_table and own.n > 0 and own.run_events is None and not system.facts.responds


@immutable
class RunTable:
    """Runs to be made: starts, parameters and tolerances of each, and what has become of it."""

    method: str
    starts: Numbers
    parameters: Numbers
    atol: Numbers
    scales: Numbers
    samples: Numbers  # of each run, all numbers of its output
    status: np.ndarray  # `Status`, 0 as long as it is not over
    cost: np.ndarray

    @classmethod
    def empty(cls, count: int, own: Integration) -> RunTable:
        """Return the table of so many runs like an integration that was kept."""
        rows, width = own.grid.size, own.output_width
        return cls(
            own.method.name,
            np.zeros((count, own.n)),
            np.zeros((count, own.p.size)),
            np.zeros((count, own.n)),
            np.zeros((count, own.n_stretches)),
            np.full((count, rows * width), np.nan),
            np.zeros(count, dtype=np.int64),
            np.zeros((count, COST), dtype=np.int64),
        )

    def head(self, count: int) -> RunTable:
        """Return the first lines, sharing their memory."""
        arrays = (getattr(self, own.name)[:count] for own in fields(self)[1:])
        return RunTable(self.method, *arrays)


STRETCHES = 2 + 5  # place of the stretches among the arguments


class LaneRuns:
    """Lanes that make the runs of a table, for one thread."""

    def __init__(self, system: CompiledModel, own: Integration, table: RunTable) -> None:
        self.table, self._own = table, own
        audits = system.audited is not None and own.audits_rates
        end = system.audited_batch if audits else system.derivative_batch
        self._functions = system.derivative_batch, end
        self.width = width = system.derivative_batch.width
        unwraps = int(own.output_width > own.n)
        kernel = make_lane_kernel(own.method.name, unwraps, width)
        self._advance = native(kernel.advance).entry
        first = own.first_workspace
        w, m, memory, y = first
        n, p_size = own.n, own.p.size
        self._queue = queue = np.zeros(Queue.SIZE, dtype=np.int64).view(Queue)
        queue[Queue.run : Queue.run + MOST] = NONE
        queue.is_open = 1
        queue.w_size, queue.m_size, queue.memory_size = w.size, m.size, memory.size
        queue.stretches, queue.p_size = own.n_stretches, p_size
        queue.samples_size, queue.audits = table.samples.shape[-1], int(audits)
        self._workspaces = Workspaces(
            w=np.tile(w, width),
            m=np.tile(endless(m), width),
            memory=np.tile(memory, width),
            p=np.zeros(width * p_size),
            w_first=w,
            m_first=endless(m),
            memory_first=memory,
            y_first=y,
            side=aligned_zeros(side_size(n, kernel.vectors, width)),
            p_side=np.zeros(width * p_size),
        )
        self._stretches = np.tile(y, width)
        runs = Runs(*(getattr(table, own.name) for own in fields(Runs)))
        self._arguments = [
            n,
            start_of(queue),
            *own.equations,
            *own.output_arguments(start_of(table.samples) if table.samples.size else 0),
            *own.conditions,
            *map(address_of, self._functions),
            *NO_EVENTS,
            *(start_of(getattr(self._workspaces, f.name)) for f in fields(Workspaces)),
            *(start_of(getattr(runs, f.name)) for f in fields(Runs)),
        ]
        self._arguments[STRETCHES] = start_of(self._stretches)
        self._budget = max(int(ROUNDS / n), LEAST_ROUNDS)

    @property
    def usage(self) -> tuple[int, int]:
        """How many rounds there were, and how many lanes were busy in all of them."""
        return int(self._queue.rounds), int(self._queue.busy_rounds)

    @property
    def done(self) -> int:
        """How many runs are over."""
        return int(self._queue.done)

    def take(self, first: int, end: int) -> None:
        """Take the runs from `first` to before `end` of the table as the next ones."""
        self._queue.next, self._queue.end = first, end

    def close(self) -> None:
        """Expect no more runs: those in lanes are brought to their ends."""
        self._queue.is_open = 0

    def go(self) -> bool:
        """Go on for some milliseconds; return whether lanes wait for more runs."""
        self._queue.budget = self._budget
        return self._advance(*self._arguments) == Status.REACHED


def aligned_zeros(count: int) -> Numbers:
    """Return zeros that begin where a line of the cache does: registers are filled from one."""
    room = np.zeros(count + LINE)
    first = -(room.ctypes.data // room.itemsize) % LINE
    return room[first : first + count]


def endless(m: np.ndarray) -> np.ndarray:
    """Return the integers of a workspace whose run does not pause."""
    own = m.copy()
    own[Counts.budget] = np.iinfo(np.int64).max // 2
    return own
