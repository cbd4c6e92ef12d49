"""Changing over: what ends one form of a mechanism in a run."""

from __future__ import annotations

import numpy as np

from motorik.system.guards import Guarded
from motorik.system.system import System

SOON = 1e4  # roundings of the time
NEAR_DEAD = 0.3  # margin (sin² of an angle) at which a failing run is at a dead centre

At = tuple[float, np.ndarray]
"""A time [s] and the state then."""


def find_alarm(
    system: System, at: At, reached: At, p: np.ndarray, warned: bool
) -> Guarded | None:
    """Return what comes near its end: a closed form at its dead centre, a loop that opens.

    `reached` is where the last step ended; if the guard `warned`, `at` is where it began.
    """
    if system.margins is None:
        return None
    count = len(system.guarded)

    def margins_at(t: float, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        values = np.nan_to_num(system.margins(np.array([t]), x, p), nan=-1.0)  # type: ignore[misc]
        return values[:count], values[count:]

    margins, rates = margins_at(*at)
    if not warned:  # what vanishes within a few of the shortest steps is at its end
        soon = SOON * np.finfo(float).eps * abs(at[0])
        margins = np.minimum(margins, margins + soon * np.minimum(rates, 0.0))
    if not (warned or system.iterates) and margins.min() >= NEAR_DEAD:
        return None
    if warned:  # by the step that begins here: what falls, or has fallen at its end
        falling = np.where(rates < 0.0, margins, margins + 1.0)
        margins = np.minimum(falling, margins_at(*reached)[0])
    return system.guarded[int(np.argmin(margins))]
