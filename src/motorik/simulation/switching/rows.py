"""Switching rows as native code knows them: a table of integers for each, and its room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motorik.simulation.integration_options import Numbers
from motorik.simulation.switching.box import box_size
from motorik.simulation.switching.cones import cones_size
from motorik.simulation.switching.faces import masked_size
from motorik.simulation.switching.reduced import reduced_size
from motorik.simulation.switching.store import (
    CONTACT,
    PER_CONTACT,
    Breakpoint,
    Contact,
    ContactMode,
    EventCounts,
    contact_at,
    count_size,
    work_at,
)
from motorik.system.switching_functions import NO_DISC


@dataclass(frozen=True)
class SwitchedRow:
    """A switching row: its name, whether it has a gap, its places in p, its force's unit.

    `pair` is the row across it, −1 without one, or of that row −2 − the other; `disc` the places
    in p of the numbers of their disc; `pressed` names the row that presses them, "" without one;
    `pieces` are the places of the numbers by which its limits read forces in one of two ways.
    """

    name: str
    has_gap: bool
    force: int
    stick: int
    way: int
    held: int
    unit: str = "N"
    pair: int = -1
    disc: tuple[int, ...] = NO_DISC
    pieces: tuple[int, int] = (0, 0)
    pressed: str = ""
    is_case: bool = False  # of a law, along which the motion slides

    @property
    def is_across(self) -> bool:
        """Whether it is the second of two rows, which stick and slip as one."""
        return self.pair < -1


class RowTable:
    """The switching rows of a system, made once for all its runs.

    `counts` are the integers that a run begins with, `doubles` the numbers it needs.
    """

    def __init__(self, rows: Sequence[SwitchedRow] = ()) -> None:
        self.rows = tuple(rows)
        m = len(self.rows)
        doubles, integers = box_size(m) if m else (0, 0)
        doubles = max(doubles, masked_size(m), cones_size(m)) if m else 0
        room, more = reduced_size(m)
        self.doubles = int(work_at(m)) + room + doubles
        size = int(count_size(m)) + 2 * m + integers + more + 1
        self.counts = np.zeros(size, dtype=np.int64).view(EventCounts)
        self.counts.contacts = m
        self.counts.cones = sum(row.pair >= 0 for row in self.rows)
        for k, row in enumerate(self.rows):
            place = contact_at(k)
            self.counts[place : place + PER_CONTACT] = (
                *(ContactMode.FREE, row.has_gap, row.force, row.stick, row.way),
                *(row.pair, *row.disc, 0, *row.pieces, 0, 0, row.held, 0),
            )
        self._last_stops: tuple[Numbers, Numbers, tuple[float, float], Numbers] | None = (
            None
        )
        first = CONTACT + Contact.mode
        self.modes_at = slice(first, first + PER_CONTACT * m, PER_CONTACT)

    def stops(
        self, changes: Numbers, visits: Numbers, until: float, least: float
    ) -> Numbers:
        """Return all times at which steps end, then of each what it is, and then `least`.

        That is the least time [s] whose rounding counts, see `find_least`. Those of the last run
        are kept: the next one has often the same.
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
        """Return the modes that stand in p."""
        numbers = p.tolist()
        return [
            ContactMode.STUCK
            if numbers[row.stick] or numbers[row.held]
            else int(numbers[row.way]) or ContactMode.FREE
            for row in self.rows
        ]
