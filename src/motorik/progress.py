"""Display of progress: the present stage of a computation, and the progress bar of a run.

    with working("tracing"):
        ...

Stages lie within each other or follow each other; the innermost is shown, on one line of the
terminal or below the cell of a notebook, and disappears when all is done. Without a terminal or
notebook, and in any thread but the main one, a stage does nothing.
"""

from __future__ import annotations

import sys
import threading
import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.progress import TaskID


APPEARS_AFTER = 1.0  # s
PAUSE = 0.2  # s, at most, between stages of one piece of work


class StatusLine(Protocol):
    """A line of text that is shown until it is closed."""

    def show(self, text: str) -> None:
        """Replace the text."""

    def close(self) -> None:
        """Remove the line."""


class TerminalLine:
    """A line of the terminal with a turning sign before it."""

    def __init__(self, text: str) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.spinner import Spinner

        self._spinner = Spinner("dots", text)
        self._live = Live(
            self._spinner,
            console=Console(stderr=True),
            transient=True,
            refresh_per_second=8.0,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start()

    def show(self, text: str) -> None:
        """Replace the text."""
        self._spinner.update(text=text)

    def close(self) -> None:
        """Remove the line."""
        self._live.stop()


class NotebookLine:
    """A line of text in the output of a notebook's cell."""

    def __init__(self, text: str) -> None:
        from IPython.display import display  # type: ignore[import-not-found]

        self._handle: Any = display({"text/plain": text}, raw=True, display_id=True)

    def show(self, text: str) -> None:
        """Replace the text."""
        self._handle.update({"text/plain": text}, raw=True)

    def close(self) -> None:
        """Remove the line."""
        self._handle.update({"text/plain": "", "text/html": ""}, raw=True)


def in_notebook() -> bool:
    """Return whether the program runs in a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None


def in_terminal() -> bool:
    """Return whether the error output is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


class _Line:
    """The one line of the process: what is under way, and since when."""

    def __init__(self) -> None:
        self.stages: list[str] = []
        self.began = self.ended = -float("inf")
        self.lock = threading.RLock()
        self._timer: threading.Timer | None = None
        self._shown: StatusLine | None = None

    def begin(self, stage: str) -> None:
        with self.lock:
            self.stages.append(stage)
            if len(self.stages) > 1:
                self._update()
                return
            now = clock.perf_counter()
            if now - self.ended > PAUSE:
                self.began = now
            waiting = max(0.0, self.began + APPEARS_AFTER - now)
            self._timer = threading.Timer(waiting, self._appear)
            self._timer.daemon = True
            self._timer.start()

    def end(self) -> None:
        with self.lock:
            self.stages.pop()
            if self.stages:
                self._update()
                return
            self.ended = clock.perf_counter()
            timer, self._timer = self._timer, None
            shown, self._shown = self._shown, None
        if timer is not None:
            timer.cancel()
        if shown is not None:
            shown.close()

    def _appear(self) -> None:
        """Show the line; the timer does this in a thread of its own."""
        with self.lock:
            if self._timer is threading.current_thread():
                kind = NotebookLine if in_notebook() else TerminalLine
                self._shown = kind(self.stages[-1])

    def _update(self) -> None:
        if self._shown is not None:
            self._shown.show(self.stages[-1])


_LINE = _Line()


@contextmanager
def working(stage: str) -> Iterator[None]:
    """Show a stage while the block, or the decorated function, runs."""
    if not _is_seen():
        yield
        return
    _LINE.begin(stage)
    try:
        yield
    finally:
        _LINE.end()


def _is_seen() -> bool:
    """Return whether to display: in the main thread, in a terminal or a notebook."""
    if threading.current_thread() is not threading.main_thread():
        return False
    return in_terminal() or in_notebook()


# --- progress of a run ---------------------------------------------------------------------


BETWEEN = 0.2  # s between two pictures in a notebook
WIDTH = 30  # characters of the bar in a notebook


class ProgressBar:
    """Shows how far a run has come, in a terminal or a notebook, from one second on.

    The run goes from `begin` to `stop`, in `unit`, and was begun at the time `began` of the
    clock.
    `wanted` None means: if the error output is a terminal, or the program runs in a notebook.
    """

    def __init__(
        self,
        name: str,
        begin: float,
        stop: float,
        wanted: bool | None,
        began: float,
        unit: str = "s",
    ) -> None:
        self.name, self.begin, self.stop, self.unit = name, begin, stop, unit
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
            self._bar = kind(self.name, total, self.began, self.unit)
        self._bar.show(done, time)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()


class TerminalBar:
    """The bar in a terminal."""

    def __init__(self, name: str, total: float, _began: float, unit: str = "s") -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress: Progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn(f"{{task.fields[t]:.4g}} {unit}"),
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

    def __init__(self, name: str, total: float, began: float, unit: str = "s") -> None:
        self.name, self.total, self.began, self.unit = name, total, began, unit
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
        at = f"t = {time:.4g} s" if self.unit == "s" else f"{time:.4g} {self.unit}"
        return f"{self.name} {'━' * full}{'╌' * (WIDTH - full)} {at}{left}"

    def close(self) -> None:
        """Remove the bar."""
        if self._line is not None:
            self._line.close()
