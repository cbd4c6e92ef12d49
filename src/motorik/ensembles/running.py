"""The runs of an ensemble: in lanes as far as native code makes them alone, the rest one by one."""

from __future__ import annotations

import os
import threading
import time as clock
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

import numpy as np

from motorik.ensembles.ensemble import Ensemble, EnsembleInfo
from motorik.ensembles.starting import find_starts
from motorik.ensembles.variants import Variants
from motorik.errors import MotorikError, ParameterError
from motorik.progress import ProgressBar
from motorik.simulation.lanes import Chunk, LaneRuns, RunTable, suits_lanes
from motorik.simulation.stepping.workspace import Status

if TYPE_CHECKING:
    from motorik.initialisation.start import InitialState
    from motorik.nonsmooth.application.run_events import EventRecord
    from motorik.prepared_run import PreparedRun
    from motorik.results.model_result import ModelResult
    from motorik.simulation.integration import Integration

# runs that a thread takes at once, at most and at least: in lanes, and one by one
BLOCK = 256, 32
SINGLES = 16, 1
SHARE = 4  # each thread takes this part of its share of the runs that are left
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
        # the variant of each line of the table, −1 of those that are not used
        self.in_lanes = np.full(variants.count, -1, dtype=np.intp)
        # variants to be made one by one, and their starts as far as they are known
        self._alone: list[int] = []
        self._begun: dict[int, InitialState] = {}
        self._lanes: list[LaneRuns] = []
        self._stopped = False
        self._lock = threading.Lock()

    def through(self) -> Ensemble:
        """Make all runs and return them."""
        try:
            own = self._lane_integration()
            if own is not None:
                self._own = own
                self.table = RunTable.empty(self.variants.count, own)
                self._in_threads(
                    self._lane_worker, self._blocks(self.variants.count, BLOCK)
                )
                over = self.table.status[self.in_lanes >= 0] == Status.REACHED
                self._alone += self.in_lanes[self.in_lanes >= 0][~over].tolist()
            else:
                self._alone = list(range(self.variants.count))
            alone = np.array(sorted(self._alone), dtype=np.intp)
            self._in_threads(
                self._worker, (alone[a:b] for a, b in self._blocks(alone.size, SINGLES))
            )
        except KeyboardInterrupt:
            self._stopped = True
        return self._ensemble()

    def _lane_integration(self) -> Integration | None:
        """Return an integration whose like can make the runs in lanes, None if none can."""
        variants = self.variants
        if variants.count < LEAST_IN_LANES or variants.pattern is None:
            return None
        own = self.run.lane_integration()
        return own if own is not None and suits_lanes(self.run.system, own) else None

    # --- starts ----------------------------------------------------------------------------

    def _start_in_lanes(self, first: int, end: int) -> int:
        """Find starts of a block and put those that lanes can take into lines from `first` on.

        Returns where they end; the others are to be made one by one, or have failed.
        """
        run, table = self.run, self.table
        assert table is not None
        found = find_starts(run, self.variants, np.arange(first, end))
        self.failures.update(found.failures)
        others = [
            (k, own)
            for k, own in found.searched.items()
            if own.system is run.system and own.remark is None
        ]
        ks = [*found.variants.tolist(), *(k for k, _ in others)]
        states, p = found.states, found.parameters
        if others:
            xs, ps = [own.x for _, own in others], [own.p for _, own in others]
            states = np.array([*states, *xs])
            p = np.array([*p, *ps])
        taken = set(ks)
        for k, own in found.searched.items():
            if k not in taken:
                self._begun[k] = own
                self._alone.append(k)
        if not ks:
            return first
        lines = slice(first, first + len(ks))
        table.starts[lines] = states
        table.parameters[lines] = p if p.shape[1] else 0.0
        table.atol[lines], scales = run.tolerances.of_rows(states, p)
        if table.scales.size and scales is not None:
            table.scales[lines] = scales
        self.in_lanes[lines] = ks
        return lines.stop

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

    def _blocks(self, count: int, sizes: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Return the blocks that threads take of so many runs: ever smaller ones.

        So all threads come to their ends at about the same time.
        """
        most, least = sizes
        first = 0
        while first < count:
            size = most
            if self.threads > 1:
                part = -(-(count - first) // (SHARE * self.threads))
                size = max(min(most, part), least)
            yield first, min(first + size, count)
            first += size

    def _lane_worker(self, tasks: Iterator[tuple[int, int]]) -> None:
        """Make runs in the lanes of one thread."""
        assert self.table is not None
        own = self.run.system, self._own, self.table
        lanes = LaneRuns(*own, self.run.lane_integration, lambda: self._stopped)
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
                    lanes.take(block[0], self._start_in_lanes(*block))

    def _worker(self, tasks: Iterator[np.ndarray]) -> None:
        """Make runs one by one."""
        for ks in tasks:
            self._begin([k for k in ks.tolist() if k not in self._begun])
            for k in ks.tolist():
                if self._stopped:
                    return
                if k not in self.failures:
                    self._run_alone(k)

    def _begin(self, ks: list[int]) -> None:
        """Find starts of runs that are made one by one."""
        if not ks or self._stopped:
            return
        found = find_starts(self.run, self.variants, np.array(ks, dtype=np.intp))
        self.failures.update(found.failures)
        self._begun.update(found.single(self.run))

    def _run_alone(self, k: int) -> None:
        """Make the run of a variant as `simulate` makes it."""
        run = self.run
        try:
            self.results[k] = run.run_from(self._begun.pop(k))
        except MotorikError as error:
            self.failures[k] = str(error)
            return
        if not self.results[k].complete:
            self.failures[k] = self.results[k].info.message
        if self.failures.get(k, "").endswith(INTERRUPTED):
            self._stopped = True

    # --- what was made -----------------------------------------------------------------------

    def _ensemble(self) -> Ensemble:
        """Return the runs that are over, with the reasons why others are not."""
        run, count = self.run, self.variants.count
        lines = np.full(count, -1, dtype=np.intp)
        if self.table is not None:
            over = (self.table.status == Status.REACHED) & (self.in_lanes >= 0)
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
        changes = {line: c for lanes in self._lanes for line, c in lanes.changes.items()}
        return Ensemble(run, *own, self._events_reader(), changes)

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
