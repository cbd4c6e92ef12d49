"""Modes: what sticks, slips or is free, compared with a reference time by time.

A mode changes at an event; where the reference's event lies between two of its rows, either of
the two modes is right at both. Everywhere else they must be equal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motorik.results import Result
from validation.runs import Runs


@dataclass(frozen=True)
class Mismatch:
    """A mode that is another than the reference's at a time [s]."""

    name: str
    time: float
    ours: float
    theirs: float

    def __str__(self) -> str:
        return f"{self.name} = {self.ours:g} at {self.time:.6g} s, not {self.theirs:g}"


@dataclass(frozen=True)
class ModesSeen:
    """How many of all values of modes are equal, and which are wrong beside every event."""

    equal: int
    total: int
    mismatches: tuple[Mismatch, ...]

    def words(self) -> str:
        """Return the counts, nothing without modes."""
        return f"{self.equal} of {self.total} modes equal" if self.total else ""


def compare_modes(runs: Runs, result: Result) -> ModesSeen:
    """Compare our modes with the reference's at all its times."""
    reference, equal, total = runs.reference, 0, 0
    found: list[Mismatch] = []
    for name, theirs in reference.modes.items():
        ours = runs.spread({name: runs.reading.signal(result, name)})[name]
        before, after = np.roll(theirs, 1), np.roll(theirs, -1)
        before[0], after[-1] = theirs[0], theirs[-1]
        right = (ours == theirs) | (ours == before) | (ours == after)
        equal, total = equal + int((ours == theirs).sum()), total + theirs.size
        found += [
            Mismatch(name, float(reference.time[i]), float(ours[i]), float(theirs[i]))
            for i in np.flatnonzero(~right)
        ]
    return ModesSeen(equal, total, tuple(found))
