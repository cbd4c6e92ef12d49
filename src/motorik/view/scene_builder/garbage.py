"""Garbage: no search for it while a scene is made.

A scene of a thousand bodies makes some million objects, all of which are needed. Python would
search them for unused cycles again and again, which took a third of the time.
"""

from __future__ import annotations

import gc
import threading


class _WithoutSearch:
    """Pauses the search for unused cycles within it, in all threads, if it was on."""

    def __init__(self) -> None:
        self._lock, self._count, self._was_on = threading.Lock(), 0, False

    def __enter__(self) -> None:
        with self._lock:
            if not self._count:
                self._was_on = gc.isenabled()
                gc.disable()
            self._count += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._count -= 1
            if not self._count and self._was_on:
                gc.enable()


WITHOUT_SEARCH = _WithoutSearch()
"""One for the process: ``with WITHOUT_SEARCH: …``."""
