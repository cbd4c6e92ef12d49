"""A progress bar that appears only when a run is long enough to wonder."""

from __future__ import annotations

import sys
import time as clock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

APPEARS_AFTER = 1.0  # s


class ProgressBar:
    """Shows how far a run has come, in a terminal or a notebook, from one second on.

    `wanted` None means: if the error output is a terminal.
    """

    def __init__(self, name: str, begin: float, stop: float, wanted: bool | None) -> None:
        self.name, self.begin, self.stop = name, begin, stop
        self.wanted = wanted
        self.began = clock.perf_counter()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def update(self, time: float) -> None:
        """Show that the run has come to `time`."""
        if clock.perf_counter() - self.began < APPEARS_AFTER:
            return
        if self.wanted is None:
            self.wanted = sys.stderr.isatty()
        if not self.wanted:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.fields[t]:.4g} s"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=sys.stderr.isatty(),
            )
            self._bar.start()
            total = self.stop - self.begin
            self._task = self._bar.add_task(self.name, total=total, t=time)
        assert self._task is not None
        self._bar.update(self._task, completed=time - self.begin, t=time)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
