"""The runs of an ensemble: in lanes as far as native code makes them alone, the rest one by one."""

from __future__ import annotations

import os
import threading
import time as clock
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from motorik.ensembles.ensemble import Ensemble, EnsembleInfo
from motorik.ensembles.variants import Variants, blocks
from motorik.errors import MotorikError, ParameterError
from motorik.progress import ProgressBar
from motorik.results.model_result import make_result
from motorik.simulation.lanes import (
    Chunk,
    LaneRuns,
    RunTable,
    Schedules,
    make_schedules,
    suits_lanes,
)
from motorik.simulation.run import integrate
from motorik.simulation.stepping.workspace import Status

if TYPE_CHECKING:
    from motorik.nonsmooth.application.run_events import EventRecord
    from motorik.prepared_run import PreparedRun
    from motorik.results.model_result import ModelResult

BLOCK = 256  # runs that a thread takes at once, at most …
BLOCKS = 8  # … and so many times as often as there are threads
LEAST_IN_LANES = 2  # runs from which lanes are worth their code
PULSE = 0.1  # s between two looks at how far the runs are
INTERRUPTED = "interrupted by the user"


def run_variants(
    run: PreparedRun, variants: Variants, threads: int | None, progress: bool | None
) -> Ensemble:
    """Return the runs of all variants, in so many threads, by default one for each core."""
    return EnsembleRun(run, variants, find_threads(threads), progress).through()


def find_threads(threads: int | None) -> int:
    """Return the count of threads, by default that of the cores this process may use."""
    if threads is None:
        try:
            return len(os.sched_getaffinity(0))
        except AttributeError:  # not on every platform
            return os.cpu_count() or 1
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        raise ParameterError(
            "map",
            f"threads = {threads!r} is not a count.",
            "Give a whole number from 1 on, or None for one thread for each core.",
            parameter="threads",
            value=threads,
        )
    return threads


class EnsembleRun:
    """The runs of all variants, while they are made."""

    def __init__(
        self, run: PreparedRun, variants: Variants, threads: int, progress: bool | None
    ) -> None:
        self.run, self.variants, self.threads = run, variants, threads
        self.progress = progress
        self.began = clock.perf_counter()
        self.failures: dict[int, str] = {}
        self.results: dict[int, ModelResult] = {}  # of runs that were made one by one
        self.table: RunTable | None = None
        self.in_lanes = np.zeros(0, dtype=np.intp)  # variants, as the table has them
        self._lanes: list[LaneRuns] = []
        self._schedules: Schedules | None = None  # of runs with events
        self._stopped = False
        self._lock = threading.Lock()

    def through(self) -> Ensemble:
        """Make all runs and return them."""
        try:
            alone = self._begin()
            if self.table is not None:
                self._in_threads(self._lane_worker, self._blocks())
                over = self.table.status == Status.REACHED
                alone += [int(k) for k in self.in_lanes[~over]]
            self._in_threads(self._worker, iter(sorted(alone)))
        except KeyboardInterrupt:
            self._stopped = True
        return self._ensemble()

    # --- starts ----------------------------------------------------------------------------

    def _begin(self) -> list[int]:
        """Find all starts that lanes can take; return the variants to be made one by one."""
        run, variants, count = self.run, self.variants, self.variants.count
        own = run.lane_integration() if count >= LEAST_IN_LANES else None
        if own is None or variants.pattern is None or not suits_lanes(run.system, own):
            return list(range(count))
        table = RunTable.empty(count, own)
        X, fixed, places = variants.pattern
        kept, alone = [], []
        if run.starts_are_given and len(variants.live) == 1:
            table.starts[:] = X
            table.starts[:, places] = variants.starts
            table.parameters[:] = variants.live if variants.live.size else 0.0
            atol, scales = run.tolerances(run.begin_with(X, fixed, {}, variants.live[0]))
            table.atol[:] = atol
            if table.scales.size and scales is not None:
                table.scales[:] = scales.stretch_atol
            kept = list(range(count))
        else:
            own_tolerances = None
            for k in range(count):
                X_k = X.copy()
                X_k[places] = variants.starts[k]
                try:
                    given = variants.given_at(k)
                    found = run.begin_with(X_k, fixed, given, variants.live_at(k))
                except MotorikError as error:
                    self.failures[k] = str(error)
                    continue
                if found.system is not run.system or found.remark is not None:
                    alone.append(k)
                    continue
                line = len(kept)
                table.starts[line], table.parameters[line] = (
                    found.x,
                    found.p if found.p.size else 0,
                )
                if own_tolerances is None or not run.has_fixed_tolerances:
                    own_tolerances = run.tolerances(found)
                table.atol[line], scales = own_tolerances
                if table.scales.size and scales is not None:
                    table.scales[line] = scales.stretch_atol
                kept.append(k)
        self.table, self.in_lanes, self._own = (
            table.head(len(kept)),
            np.array(kept, dtype=np.intp),
            own,
        )
        if own.run_events is not None:
            given = self.table.parameters, run.options.stop_time
            self._schedules = make_schedules(run.system, own, *given)
        return alone

    # --- threads ---------------------------------------------------------------------------

    def _in_threads(self, work: Callable[[Iterator], None], tasks: Iterator) -> None:
        """Let threads do tasks until there are none; show how far they are."""
        bar = ProgressBar(
            self.run.system.facts.name, 0.0, self.variants.count, self.progress, self.began,
            "runs",
        )  # fmt: skip
        shared = SharedTasks(tasks)
        try:
            if self.threads == 1:
                work(shared)
                return
            with ThreadPoolExecutor(self.threads) as pool:
                futures: set[Future[None]] = {
                    pool.submit(work, shared) for _ in range(self.threads)
                }
                try:
                    while futures:
                        done, futures = wait(futures, PULSE)
                        for own in done:
                            own.result()
                        bar.update(self._done)
                except BaseException:
                    self._stopped = True
                    raise
        finally:
            bar.close()

    @property
    def _done(self) -> int:
        """How many runs are over."""
        own = sum(lanes.done for lanes in self._lanes)
        return min(own + len(self.results), self.variants.count)

    def _blocks(self) -> Iterator[tuple[int, int]]:
        """Return the runs of the table in blocks that threads take."""
        count = len(self.in_lanes)
        size = min(BLOCK, -(-count // (BLOCKS * self.threads)))
        return blocks(count, size) if self.threads > 1 else blocks(count, max(count, 1))

    def _lane_worker(self, tasks: Iterator[tuple[int, int]]) -> None:
        """Make runs in the lanes of one thread."""
        assert self.table is not None
        lanes = LaneRuns(self.run.system, self._own, self.table, self._schedules)
        self._lanes.append(lanes)
        is_open = True
        while not self._stopped:
            waits = lanes.go()
            if waits and not is_open:
                return
            if waits:
                block = next(tasks, None)
                if block is None:
                    is_open = False
                    lanes.close()
                else:
                    lanes.take(*block)

    def _worker(self, tasks: Iterator[int]) -> None:
        """Make runs one by one."""
        for k in tasks:
            if self._stopped:
                return
            try:
                self.results[k] = self._alone(k)
            except MotorikError as error:
                self.failures[k] = str(error)
                continue
            if not self.results[k].complete:
                self.failures[k] = self.results[k].info.message
            if self.failures.get(k, "").endswith(INTERRUPTED):
                self._stopped = True

    def _alone(self, k: int) -> ModelResult:
        """Return the run of a variant as `simulate` makes it."""
        run, variants = self.run, self.variants
        live = variants.live_at(k)
        if variants.pattern is None:
            initial = run.begin(variants.given_at(k), live)
        else:
            X, fixed, places = variants.pattern
            X = X.copy()
            X[places] = variants.starts[k]
            initial = run.begin_with(X, fixed, variants.given_at(k), live)
        trajectory = integrate(initial, replace(run.options, progress=False))
        return make_result(trajectory, run.shown, warns=False)

    # --- what was made -----------------------------------------------------------------------

    def _ensemble(self) -> Ensemble:
        """Return the runs that are over, with the reasons why others are not."""
        run, count = self.run, self.variants.count
        lines = np.full(count, -1, dtype=np.intp)
        if self.table is not None:
            over = self.table.status == Status.REACHED
            lines[self.in_lanes[over]] = np.flatnonzero(over)
        for k in range(count):
            if lines[k] < 0 and k not in self.results and k not in self.failures:
                self.failures[k] = INTERRUPTED
        rounds = sum(lanes.usage[0] for lanes in self._lanes)
        busy = sum(lanes.usage[1] / lanes.width for lanes in self._lanes)
        steps = 0 if self.table is None else int(self.table.cost[:, 0].sum())
        steps += sum(result.info.steps for result in self.results.values())
        info = EnsembleInfo(
            run.options.method,
            count - len(self.failures),
            int((lines >= 0).sum()),
            busy / rounds if rounds else 0.0,
            self.threads,
            steps,
            clock.perf_counter() - self.began,
        )
        own = self.variants, lines, self.table, self.results, self.failures, info
        return Ensemble(run, *own, self._events_reader())

    def _events_reader(self) -> Callable[[int], EventRecord] | None:
        """Return the function from a line of the table to its events, None without any."""
        events = None if self.table is None else self._own.run_events
        if events is None or not events.has_events or self.table is None:
            return None
        parameters = self.table.parameters
        logs: dict[int, list[Chunk]] = {}
        for lanes in self._lanes:
            logs |= lanes.logs

        def read(line: int) -> EventRecord:
            return events.read(parameters[line], logs.get(line, []))

        return read


class SharedTasks:
    """An iterator that threads take from in turn."""

    def __init__(self, tasks: Iterator) -> None:
        self._tasks, self._lock = tasks, threading.Lock()

    def __iter__(self) -> SharedTasks:
        return self

    def __next__(self):
        with self._lock:
            return next(self._tasks)
