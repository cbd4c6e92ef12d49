"""Time events: the times at which laws change, whatever the motion is.

A source that steps, a pulse, a limit reached by a function of time: each is a comparison, a
rounding or an absolute value of a function of time alone. They are found in the traced equations,
so no law has to declare them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.nonsmooth.laws.time_functions import (
    TimeConditions,
    TimeEventSearch,
    find_time_functions,
)
from motorik.nonsmooth.laws.time_mesh import TimeMesh
from motorik.numerics.tolerances import TIME_ROUNDING

if TYPE_CHECKING:
    import casadi

    from motorik.system.equations import Equations

SAMPLES = 2000  # of a nonlinear function of time in a run
AHEAD = 64  # calls of a simulation without an end whose time events are found at once …
SAMPLES_AHEAD = 16_000  # … with so many samples
KEPT = 8  # runs whose time events are cached
LEAST = 1e-3  # of the largest time: nearer to zero, times are distinguished as there
ONE = 0.5  # of the distance at which laws are evaluated: nearer events coincide


def find_least(begin: float, end: float, ahead: float = 1.0) -> float:
    """Return the least time [s] by whose rounding the times of a run are distinguished.

    `ahead` is the number of calls of one simulation.
    """
    return LEAST * max(abs(begin), abs(begin + ahead * (end - begin)))


def find_aside(time: float, least: float) -> float:
    """Return how far [s] beside a time event laws are evaluated, see `find_least`."""
    return TIME_ROUNDING * max(abs(time), least)


class TimeEvents:
    """The times at which the laws of a model change, whatever its motion is.

    They change where some functions of t and p vanish, or become integers. These may branch
    themselves: they are in levels, and those of each level are searched between the events of the
    levels before. Linear functions are solved exactly; nonlinear ones are sampled `SAMPLES` times
    a run, or `SAMPLES_AHEAD` times in `AHEAD` calls of a simulation without an end. `mesh`
    resolves smooth functions that long steps would miss.
    """

    def __init__(self, equations: Equations) -> None:
        import casadi

        of_time = find_time_functions(equations)
        self.mesh = TimeMesh(of_time)
        self._levels = make_levels(of_time.t, of_time.p, of_time.zeros, of_time.rounds)
        both = [*of_time.zeros, *of_time.rounds]
        self.count = sum(map(len, both))
        column = casadi.vertcat(casadi.SX(0, 1), *(own for level in both for own in level))
        of = casadi.which_depends(column, of_time.p, 1, False) if self.count else []
        self._places = np.flatnonzero(of)
        self._window = -np.inf, -np.inf
        self._kept: dict[tuple[float, float, bytes], np.ndarray] = {}

    def times(self, begin: float, end: float, p: np.ndarray) -> np.ndarray:
        """Return the time events between two times, sorted."""
        return self._cached_events(begin, end, p, SAMPLES)

    def next_times(self, begin: float, end: float, p: np.ndarray) -> np.ndarray:
        """Return the same in a simulation without an end, found for many such calls at once."""
        first, last = self._window
        if not first <= begin <= end <= last:
            first, last = self._window = begin, begin + AHEAD * (end - begin)
        found = self._cached_events(first, last, p, SAMPLES_AHEAD)
        least = find_least(begin, end, AHEAD)
        after, before = begin + find_aside(begin, least), end - find_aside(end, least)
        return found[(found > after) & (found < before)]

    def _cached_events(
        self, begin: float, end: float, p: np.ndarray, samples: int
    ) -> np.ndarray:
        """Return the time events, which are cached."""
        if not self.count or not end > begin:
            return np.empty(0)
        key = begin, end, p[self._places].tobytes()
        if key not in self._kept:
            while len(self._kept) >= KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = find_time_events(self._levels, begin, end, p, samples)
        return self._kept[key]

    def are_at(self, begin: float, end: float, p: np.ndarray) -> bool:
        """Return whether there is a time event at the very begin of a run, or at its end."""
        least = find_least(begin, end)
        return any(
            own.changes_at(t, find_aside(t, least), p)
            for own in self._levels
            for t in (begin, end)
        )


def make_levels(
    t: casadi.SX, p: casadi.SX, zeros: list[list[casadi.SX]], rounds: list[list[casadi.SX]]
) -> list[TimeConditions]:
    """Return the conditions of all levels."""
    return [TimeConditions(t, p, *both) for both in zip(zeros, rounds, strict=True)]


def find_time_events(
    levels: Sequence[TimeConditions],
    begin: float,
    end: float,
    p: np.ndarray,
    samples: int = SAMPLES,
) -> np.ndarray:
    """Return the times between two times at which a condition changes, sorted."""
    least = find_least(begin, end)
    grid = np.linspace(begin, end, samples + 1)
    found = np.empty(0)
    for cases in levels:
        edges = np.concatenate([[begin], found, [end]])
        aside = TIME_ROUNDING * np.maximum(np.abs(edges), least)
        begins, ends = (edges + aside)[:-1], (edges - aside)[1:]
        some = begins < ends
        if not some.any():
            break
        own = TimeEventSearch(cases, p, (begins[some], ends[some])).find(grid)
        found = np.unique(np.concatenate([found, own]))
        near = ONE * TIME_ROUNDING * np.maximum(np.abs(found), least)
        found = found[np.diff(found, prepend=-np.inf) > near]
    return found
