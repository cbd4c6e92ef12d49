"""What is being worked on, shown from one second on.

    with working("tracing"):
        ...

Stages lie within each other or follow each other; the innermost is shown, on one line of the
terminal that goes away when all is done. Where the error output is no terminal, and in any
thread but the main one, a stage does nothing.
"""

from __future__ import annotations

import sys
import threading
import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.live import Live
    from rich.spinner import Spinner

APPEARS_AFTER = 1.0  # s
PAUSE = 0.2  # s, at most, between stages of one piece of work


class _Line:
    """The one line of the process: what is under way, and since when."""

    def __init__(self) -> None:
        self.stages: list[str] = []
        self.began = self.ended = -float("inf")
        self.lock = threading.RLock()
        self._timer: threading.Timer | None = None
        self._shown: tuple[Live, Spinner] | None = None

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
            shown[0].stop()

    def _appear(self) -> None:
        """Show the line; the timer does this in a thread of its own."""
        from rich.console import Console
        from rich.live import Live
        from rich.spinner import Spinner

        with self.lock:
            if self._timer is threading.current_thread():
                spinner = Spinner("dots", self.stages[-1])
                line = Live(
                    spinner,
                    console=Console(stderr=True),
                    transient=True,
                    refresh_per_second=8.0,
                    redirect_stdout=False,
                    redirect_stderr=False,
                )
                self._shown = line, spinner
                line.start()

    def _update(self) -> None:
        if self._shown is not None:
            self._shown[1].update(text=self.stages[-1])


_LINE = _Line()


@contextmanager
def working(stage: str) -> Iterator[None]:
    """Say what is done within, or within the function that is decorated with it."""
    if not _is_seen():
        yield
        return
    _LINE.begin(stage)
    try:
        yield
    finally:
        _LINE.end()


def _is_seen() -> bool:
    """Tell whether somebody may look: the main thread works, before a terminal."""
    if threading.current_thread() is not threading.main_thread():
        return False
    return sys.stderr is not None and sys.stderr.isatty()
