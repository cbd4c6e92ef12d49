"""Jobs: functions that other threads have run in the thread of a simulation."""

from __future__ import annotations

import math
import queue
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from motorik.errors import SimulationError
from motorik.view.live.budget import IsOver, never

T = TypeVar("T")
Key = tuple[object, ...]

MOST_WAITING = 2_000  # jobs of pages
CLOSING = 5.0  # s that the thread has to come to its end


class Job:
    """Something to do; a later one of the same `key` makes it superfluous."""

    def __init__(self, act: Callable[[], object], key: Key | None = None) -> None:
        self._act, self.key = act, key

    def __call__(self) -> None:
        """Do it."""
        self._act()


class Jobs:
    """Everything that touches a simulation is done by its one thread, in order.

    `ask` waits for it and returns its value, `put` and `offer` do not wait.
    """

    def __init__(self, work: Callable[[], None], name: str) -> None:
        self._waiting: queue.Queue[Job] = queue.Queue()
        self._due: deque[Job] = deque()  # taken from those that wait, and not done yet
        self.is_over = threading.Event()
        self._thread = threading.Thread(target=work, name=name, daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def put(self, job: Job) -> None:
        """Let something be done soon."""
        self._waiting.put(job)

    def offer(self, job: Job) -> None:
        """Let something be done soon, for a page; refuse it where too much waits already."""
        if self._waiting.qsize() + len(self._due) >= MOST_WAITING:
            raise SimulationError(
                "live",
                f"{MOST_WAITING} messages wait already: this one is not taken.",
                "Send fewer messages, or wait until the mechanism has moved.",
            )
        self.put(job)

    def ask(self, job: Callable[[], T]) -> T:
        """Return the result of a job."""
        if self.is_over.is_set():
            raise SimulationError(
                "live", "the session is closed.", "Open another: model.live()."
            )
        if threading.current_thread() is self._thread or not self._thread.is_alive():
            return job()
        done: Future[T] = Future()

        def work() -> None:
            try:
                done.set_result(job())
            except BaseException as error:
                done.set_exception(error)

        self.put(Job(work))
        while True:
            try:
                return done.result(timeout=0.5)
            except TimeoutError:
                if done.done() or self._thread.is_alive():
                    continue
                raise SimulationError(
                    "live", "the session was closed.", "Open another: model.live()."
                ) from None

    def aside(self, work: Callable[[], object], then: Callable[[], object]) -> None:
        """Do something long in another thread, and then something here; errors are reported."""

        def run() -> None:
            after = then
            try:
                work()
            except Exception as error:
                after = _raising(error)
            self.put(Job(after))

        threading.Thread(
            target=run, name=f"{self._thread.name}, aside", daemon=True
        ).start()

    def do(
        self, wait: float, tell: Callable[[Exception], None], is_over: IsOver = never
    ) -> None:
        """Run the queued jobs, at least one; wait for it so long [s]. Errors are reported.

        Once `is_over`, the remaining jobs are left for the next call.
        """
        jobs = self._due
        if not jobs:
            try:
                limit = None if wait == math.inf else max(wait, 1e-4)
                jobs.append(self._waiting.get(timeout=limit))
            except queue.Empty:
                return
        for _ in range(self._waiting.qsize()):
            jobs.append(self._waiting.get_nowait())
        self._due = jobs = deque(latest([*jobs]))
        while jobs:
            try:
                jobs.popleft()()
            except Exception as error:  # also those of functions that a user gave
                tell(error)
            if is_over() or self.is_over.is_set():
                return

    def stop(self) -> None:
        """End the work, and wait for its end, unless it does not come."""
        self.is_over.set()
        self.put(Job(lambda: None))
        if threading.current_thread() is not self._thread and self._thread.is_alive():
            self._thread.join(CLOSING)


def _raising(error: Exception) -> Callable[[], object]:
    """Return a function that raises an error."""

    def act() -> object:
        raise error

    return act


def latest(jobs: list[Job]) -> list[Job]:
    """Return jobs without those that a later one of the same key makes superfluous.

    Where another job stands between two of one key, both are done.
    """
    seen: set[Key] = set()
    kept: list[Job] = []
    for job in reversed(jobs):
        if job.key is None or job.key not in seen:
            kept.append(job)
        if job.key is None:
            seen.clear()
        else:
            seen.add(job.key)
    return kept[::-1]
