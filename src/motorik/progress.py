"""Display of the present stage of a computation that takes longer than a second.

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
from typing import Any, Protocol

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
