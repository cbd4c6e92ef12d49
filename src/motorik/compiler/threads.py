"""Threads: a task and a parallel map, as much as compiling needs.

The executors of the standard library take longer to import than a small model to compile.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Generic, TypeVar

A = TypeVar("A")
B = TypeVar("B")


class Background(Generic[B]):
    """A piece of work that is done in a thread of its own from now on.

    Where no more threads can be started it is done at once. A fork of the process waits for it: the
    child would have its locks, but not the thread that gives them back.
    """

    def __init__(self, work: Callable[[], B]) -> None:
        self._work = work
        self._made: list[B] = []
        self._error: BaseException | None = None
        self._is_done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="motorik")
        _RUNNING.add(self)
        try:
            self._thread.start()
        except RuntimeError:  # too many threads, or the interpreter is shutting down
            self._run()

    def wait(self) -> None:
        """Wait until it is done, unless it is this thread that does it."""
        if self._thread is not threading.current_thread():
            self._is_done.wait()

    def result(self) -> B:
        """Wait until it is done; return its result, or raise its error."""
        self.wait()
        if self._error is not None:
            raise self._error
        return self._made[0]

    def _run(self) -> None:
        try:
            self._made.append(self._work())
        except BaseException as error:
            self._error = error
        finally:
            _RUNNING.discard(self)
            self._is_done.set()


_RUNNING: weakref.WeakSet[Background[Any]] = weakref.WeakSet()


def wait_for_all() -> None:
    """Wait until all work in the background is done."""
    for own in list(_RUNNING):
        own.wait()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=wait_for_all)


def for_each(work: Callable[[A], B], items: Sequence[A]) -> list[B]:
    """Return the work on each item, done in as many threads as there are processors."""
    made: dict[int, B] = {}
    left = iter(range(len(items)))  # `next` of an iterator of this kind is one step

    def do_what_is_left() -> None:
        for k in left:
            made[k] = work(items[k])

    n_helpers = min(len(items), count_processors()) - 1
    helpers = [Background(do_what_is_left) for _ in range(n_helpers)]
    try:
        do_what_is_left()
    finally:
        for helper in helpers:
            helper.result()
    return [made[k] for k in range(len(items))]


def share(count: int, parts: int) -> list[slice]:
    """Return `count` items as at most so many slices of about the same length."""
    edges = [k * count // parts for k in range(parts + 1)]
    return [slice(a, b) for a, b in pairwise(edges) if b > a]


def count_processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
