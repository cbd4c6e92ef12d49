"""A progress bar for runs longer than a second."""

from __future__ import annotations

import time as clock
from typing import TYPE_CHECKING

from motorik.progress import NotebookLine, in_notebook, in_terminal

if TYPE_CHECKING:
    from rich.progress import TaskID

APPEARS_AFTER = 1.0  # s
BETWEEN = 0.2  # s between two pictures in a notebook
WIDTH = 30  # characters of the bar in a notebook


class ProgressBar:
    """Shows how far a run has come, in a terminal or a notebook, from one second on.

    The run goes from `begin` to `stop` [s] and was begun at the time `began` of the clock.
    `wanted` None means: if the error output is a terminal, or the program runs in a notebook.
    """

    def __init__(
        self, name: str, begin: float, stop: float, wanted: bool | None, began: float
    ) -> None:
        self.name, self.begin, self.stop = name, begin, stop
        self.wanted = wanted
        self.began = began
        self._bar: TerminalBar | NotebookBar | None = None

    def update(self, time: float) -> None:
        """Show that the run has come to `time`."""
        if clock.perf_counter() - self.began < APPEARS_AFTER:
            return
        if self.wanted is None:
            self.wanted = in_terminal() or in_notebook()
        if not self.wanted:
            return
        done, total = time - self.begin, self.stop - self.begin
        if self._bar is None:
            kind = NotebookBar if in_notebook() else TerminalBar
            self._bar = kind(self.name, total, self.began)
        self._bar.show(done, time)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()


class TerminalBar:
    """The bar in a terminal."""

    def __init__(self, name: str, total: float, _began: float) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress: Progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[t]:.4g} s"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=in_terminal(),
        )
        self._progress.start()
        self._task: TaskID = self._progress.add_task(name, total=total, t=0.0)

    def show(self, done: float, time: float) -> None:
        """Show that `done` of the total is done, at `time`."""
        self._progress.update(self._task, completed=done, t=time)

    def close(self) -> None:
        """Remove the bar."""
        self._progress.stop()


class NotebookBar:
    """The bar in a notebook, of characters."""

    def __init__(self, name: str, total: float, began: float) -> None:
        self.name, self.total, self.began = name, total, began
        self._line: NotebookLine | None = None
        self._shown = -float("inf")

    def show(self, done: float, time: float) -> None:
        """Show that `done` of the total is done, at `time`."""
        now = clock.perf_counter()
        if now - self._shown < BETWEEN:
            return
        self._shown = now
        text = self._text(done, time, now - self.began)
        if self._line is None:
            self._line = NotebookLine(text)
        else:
            self._line.show(text)

    def _text(self, done: float, time: float, spent: float) -> str:
        part = done / self.total if self.total > 0.0 else 1.0
        full = round(WIDTH * part)
        left = f", {spent * (1.0 - part) / part:.0f} s left" if part > 0.0 else ""
        return f"{self.name} {'━' * full}{'╌' * (WIDTH - full)} t = {time:.4g} s{left}"

    def close(self) -> None:
        """Remove the bar."""
        if self._line is not None:
            self._line.close()
