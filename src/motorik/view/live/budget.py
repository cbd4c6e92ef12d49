"""Budgets: how long the thread of a session may compute before it listens again."""

from __future__ import annotations

import time as clock
from collections.abc import Callable

Clock = Callable[[], float]
"""Returns the time of the wall clock [s]."""
IsOver = Callable[[], bool]
"""Returns whether a loop has to end now."""

FRAME = 0.25  # s of computing for one frame, or for one movement of a hand
STEP = 5.0  # s of computing for one step that a page requests
JOBS = 0.25  # s for what waits, before time goes on


class Budget:
    """So much time of the wall clock [s] from now on."""

    def __init__(self, seconds: float, now: Clock = clock.perf_counter) -> None:
        self._now, self._end = now, now() + seconds

    def is_spent(self) -> bool:
        """Return whether the time is over."""
        return self._now() >= self._end


def never() -> bool:
    """Return that a loop may go on."""
    return False
