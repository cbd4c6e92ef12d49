"""Sides of events: the motion just before and just after each instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from motorik.results.events import Event

if TYPE_CHECKING:
    from motorik.system.rows import Rows
    from motorik.system.system import System

ASIDE = 8.0 * float(np.finfo(float).eps)  # of a time: how far beside it laws are evaluated


@dataclass(frozen=True)
class Moments:
    """Both sides of instants: `times` [s], motions X and parameters p.

    `motion` and `parameters` have the axes instant, side (before, after), number.
    """

    times: np.ndarray
    motion: np.ndarray
    parameters: np.ndarray


def sided(time: np.ndarray) -> np.ndarray:
    """Return times at which rows are evaluated: of two at one time, before and after it."""
    doubled = time[1:] == time[:-1]
    if not doubled.any():
        return time
    aside = ASIDE * np.abs(time)
    result = time.copy()
    result[:-1][doubled] -= aside[:-1][doubled]
    result[1:][doubled] += aside[1:][doubled]
    return result


class Side:
    """All variables on one side of an event: ``side["mass.v"]``."""

    def __init__(self, system: System, rows: Rows, row: int, time: float) -> None:
        self._system, self._rows, self._row = system, rows, row
        self.time = time

    def __getitem__(self, name: str) -> float | np.ndarray:
        """Return a variable: a number, or an array of its shape."""
        index = self._system.layout.index
        if name == "time":
            return self.time
        if name in index:
            return float(self._rows.motion[self._row, index[name]])
        values = self._rows.values([name])[name][self._row]
        return float(values) if values.ndim == 0 else values

    def energy(self) -> dict[str, float]:
        """Return kinetic, potential and stored energy and their sum [J]."""
        own = self._rows.map("energy").reshape(2, 3)[self._row].tolist()
        names = ("kinetic", "potential", "stored")
        return {**dict(zip(names, own, strict=True)), "total": sum(own)}

    def __repr__(self) -> str:
        side = "after" if self._row else "before"
        return f"<{self._system.mechanism.name} just {side} t = {self.time:.9g} s>"


class AtEvent:
    """Both sides of an event: ``at.before["mass.v"]``, ``at.after["mass.v"]``."""

    def __init__(self, system: System, event: Event, moments: Moments) -> None:
        self.event = event
        k = event.moment
        t = float(moments.times[k])
        time = sided(np.array([t, t]))
        rows = system.rows(time, moments.motion[k], moments.parameters[k])
        self.before, self.after = (Side(system, rows, side, t) for side in (0, 1))

    def __repr__(self) -> str:
        return f"<both sides of {self.event}>"
