"""Pace: how the time of a simulation follows the clock."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable

from motorik.errors import ParameterError

SHARE = 0.8  # of the time between frames that computing may take, as fast as it can
FIRST = 1e-3  # s of simulation for the first frame, as fast as it can
GROWTH = 4.0  # of the simulation between two frames, from frame to frame
LATE = 2.0  # frames that it may fall behind; then the simulation runs slower than asked


class Pace:
    """When the next frame is due, and how far the simulation is to go until then.

    A simulation that is slower than the clock is not hurried: it falls behind, and goes on
    from there. It goes in pieces of `beat` [s] at least. `now` is the clock [s].
    Where it is to be faster than in reality, pieces grow from frame to frame as long as
    computing keeps up with them: what is asked for may be more than any machine can do.
    """

    def __init__(
        self,
        speed: float,
        fps: float,
        beat: float = 0.0,
        now: Callable[[], float] = clock.perf_counter,
    ) -> None:
        self.period, self.beat, self.now = 1.0 / fps, beat, now
        self.is_running = False
        self._piece = 0.0  # s of simulation between frames, as it can be computed
        self._began = self._at = self._next = 0.0
        self.speed = _checked(speed)
        self._piece = self._least

    @property
    def _least(self) -> float:
        """The least piece of simulation between frames [s], however long it takes."""
        return FIRST if math.isinf(self.speed) else self.period * min(self.speed, 1.0)

    def set_speed(self, speed: float, t: float) -> None:
        """Take another speed from the time t [s] of the simulation on."""
        self.speed = _checked(speed)
        self._piece = self._least
        self.anchor(t)

    def start(self, t: float) -> None:
        """Run from the time t [s] of the simulation on."""
        self.is_running = True
        self.anchor(t)

    def stop(self) -> None:
        """Stand still."""
        self.is_running = False

    def anchor(self, t: float) -> None:
        """Let the time t [s] of the simulation be now."""
        self._began, self._at = self.now(), t
        self._next = self._began

    def wait(self) -> float:
        """Return how long it is until the next frame is due [s]."""
        return max(0.0, self._next - self.now())

    def due(self, t: float) -> float:
        """Return how far the simulation is to go for the next frame [s]."""
        now = self.now()
        if now < self._next:
            return 0.0
        self._next = max(self._next + self.period, now)
        if math.isinf(self.speed):
            return max(self._piece, self.beat)
        largest = max(self._piece, self.beat)
        wanted = self._at + (now - self._began + self.period) * self.speed - t
        most = LATE * self.period * self.speed + self.beat
        if wanted > most:
            self._began, self._at = now, t
            return min(max(self.period * self.speed, self.beat), largest)
        return min(max(wanted, 0.0), largest)

    def done(self, t: float, dt: float, took: float) -> None:
        """Learn how long dt [s] of simulation took."""
        share = self.period / max(took, 1e-6)
        if math.isinf(self.speed):
            share = min(GROWTH, max(1.0 / GROWTH, SHARE * share))
            self._piece = max(self._least, max(dt, self.beat) * share)
            return
        if took > self.period:
            self._piece = max(self._least, dt * max(1.0 / GROWTH, share))
            self.anchor(t)
        else:
            self._piece = max(self._piece, dt * min(GROWTH, share))


def _checked(speed: object) -> float:
    if not isinstance(speed, (int, float)) or isinstance(speed, bool) or not speed > 0.0:
        raise ParameterError(
            "live",
            f"speed = {speed!r} is not positive.",
            "Give speed > 0; math.inf is as fast as it can.",
            parameter="speed",
            value=speed,
        )
    return float(speed)
