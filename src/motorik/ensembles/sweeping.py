"""Sweeps: the variants of a model in blocks on the workers of a Dask cluster, or all of them here.

The model is pickled and sent to the workers once; each prepares it once, keeps it for later sweeps
and makes blocks of variants in lanes. A block whose worker dies is given to another one.
"""

from __future__ import annotations

import hashlib
import pickle
import threading
import time as clock
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from motorik.ensembles.ensemble import labelled_dataset
from motorik.ensembles.running import INTERRUPTED, run_variants
from motorik.ensembles.variants import Table, Variants, blocks
from motorik.errors import MotorikError, ParameterError, SimulationError
from motorik.immutable import immutable
from motorik.progress import ProgressBar

if TYPE_CHECKING:
    import xarray

    from motorik.prepared_run import PreparedRun

SHARE = (
    2  # each thread of the cluster takes this part of its share of the runs that are left
)
LEAST = 8  # blocks of the least size, for each thread, that all runs would make
TRIES = 4  # of a block, before its variants have failed
PATIENCE = 20.0  # s without any worker after which the cluster has vanished
PULSE = 0.2  # s between two looks at the cluster
KEPT = 4  # prepared runs that a worker keeps


class ClusterClient(Protocol):
    """A client of a Dask cluster."""

    @property
    def status(self) -> str:
        """Whether it is "running"."""
        ...

    @property
    def map(self) -> Callable[..., Any]:
        """Give calls to workers."""
        ...

    @property
    def gather(self) -> Callable[..., Any]:
        """Fetch what calls returned."""
        ...

    @property
    def scatter(self) -> Callable[..., Any]:
        """Send data to the workers."""
        ...

    @property
    def cancel(self) -> Callable[..., Any]:
        """Take calls back."""
        ...

    @property
    def scheduler_info(self) -> Callable[..., Any]:
        """Tell which workers there are."""
        ...


@immutable
class VariantBlock:
    """Variants from `first` to before `end`."""

    first: int
    end: int


@immutable
class Done:
    """Values of the variants of a block, and why some of them failed."""

    values: dict[str, np.ndarray]
    failures: dict[int, str]


def sweep(
    prepare: Callable[[], PreparedRun],
    send: Callable[[], bytes],
    starts: Table,
    parameters: Table,
    names: Sequence[str],
    client: ClusterClient | None,
    threads: int | None,
) -> xarray.Dataset:
    """Return variables of all variants over variant and time, from a cluster or from here.

    `send` returns the model and the options of `prepare` as bytes for the workers.
    """
    run = prepare()
    if run.time is None:
        raise SimulationError(
            "sweep",
            "needs output times that all runs share, and here every step is an output.",
            "Give `output=` a count or times, or `interval=`.",
            parameter="output",
            value="steps",
        )
    variants = Variants(run, starts, parameters)
    wanted = tuple(names) or tuple(run.start_names)
    if client is None:
        return run_variants(run, variants, threads, run.options.progress).to_xarray(*wanted)
    check_client(client)
    first = run()
    units = {name: first.unit(name) for name in wanted}
    found = ClusterSweep(send(), run, variants, starts is None, wanted, client).through()
    shapes = {name: value.shape[1:] for name, value in first.compute(wanted).items()}
    size = variants.count, run.time.size
    values = {name: np.full((*size, *shapes[name]), np.nan) for name in wanted}
    failures: dict[int, str] = {}
    for block, done in found.items():
        for name, own in done.values.items():
            values[name][block.first : block.end] = own
        failures |= {block.first + k: why for k, why in done.failures.items()}
    return labelled_dataset(values, units, run.time, variants.varied, failures)


def check_client(client: object) -> None:
    """Refuse what is no client of a Dask cluster."""
    if not all(hasattr(client, name) for name in ("map", "scatter", "scheduler_info")):
        raise ParameterError(
            "sweep",
            f"client = {client!r} is no client of a cluster.",
            "Give a dask.distributed.Client (pip install 'motorik[cluster]'), or None to run here.",
            parameter="client",
            value=client,
        )
    if getattr(client, "asynchronous", False):
        raise ParameterError(
            "sweep",
            "the client is asynchronous.",
            "Give Client(…, asynchronous=False).",
            parameter="client",
            value=client,
        )


# --- on a worker ---------------------------------------------------------------------------

_prepared: dict[str, PreparedRun] = {}
_lock = threading.Lock()


def run_block(
    starts: Mapping[str, np.ndarray] | None,
    parameters: Mapping[str, np.ndarray],
    payload: bytes | None,
    digest: str,
    names: Sequence[str],
) -> Done | None:
    """Return the variables of a block of variants; a worker does this.

    Without the pickled model it returns None unless it has prepared this model before.
    """
    run = prepared_by(payload, digest)
    if run is None:
        return None
    runs = run_variants(run, Variants(run, starts, parameters), 1, False)
    failures = dict(runs.failures)
    values = {} if len(failures) == len(runs) else runs.compute(names)
    return Done(values, failures)


def prepared_by(payload: bytes | None, digest: str) -> PreparedRun | None:
    """Return the run of a pickled model, prepared by this process now or before."""
    with _lock:
        run = _prepared.pop(digest, None)
        if run is None:
            if payload is None:
                return None
            model, options = pickle.loads(payload)
            run = model.prepare(**options)
            while len(_prepared) >= KEPT:
                _prepared.pop(next(iter(_prepared)))
        _prepared[digest] = run
        return run


# --- on the client's side ------------------------------------------------------------------


# digests of the models that the workers of a cluster have prepared, the latest last
_sent: WeakKeyDictionary[ClusterClient, list[str]] = WeakKeyDictionary()


class ClusterSweep:
    """Blocks of variants on a cluster, until all are done or the cluster has vanished."""

    def __init__(
        self,
        payload: bytes,
        run: PreparedRun,
        variants: Variants,
        is_default: bool,
        names: Sequence[str],
        client: ClusterClient,
    ) -> None:
        self.variants, self.names, self.client = variants, names, client
        self.name, self.progress = run.system.facts.name, run.options.progress
        self._is_default = is_default
        self._payload = payload
        self._digest = hashlib.sha256(self._payload).hexdigest()
        # whether workers have the model; where they have not, what stands for it in the cluster
        self._is_sent = self._digest in _sent.get(client, ())
        self._scattered: Any = None
        self._all = [VariantBlock(0, variants.count)]  # until they are divided
        self._tries: dict[VariantBlock, int] = {}
        self._waiting: dict[
            Any, VariantBlock
        ] = {}  # blocks by what stands for them in the cluster
        self.done: dict[VariantBlock, Done] = {}
        self._news = threading.Event()  # a block may be done
        self._alone_since: float | None = None  # when the last worker was gone
        # when the cluster was asked for workers, and whether there were none
        self._looked, self._is_alone = 0.0, False

    def through(self) -> dict[VariantBlock, Done]:
        """Make all blocks and return them."""
        count, began = self.variants.count, clock.perf_counter()
        bar = ProgressBar(self.name, 0.0, count, self.progress, began, "runs")
        try:
            threads = max(self._threads(), 1)
            self._looked = clock.perf_counter()
            least = -(-count // (LEAST * threads))
            ends = blocks(count, threads, SHARE, (count, least))
            self._all = [VariantBlock(*own) for own in ends]
            self._submit(self._all)
            while self._waiting:
                self._collect()
                bar.update(sum(own.end - own.first for own in self.done))
        except KeyboardInterrupt:
            self._give_up(INTERRUPTED)
        finally:
            bar.close()
        if any(own.values for own in self.done.values()):
            sent = _sent.setdefault(self.client, [])
            sent[:] = [*(own for own in sent if own != self._digest), self._digest][-KEPT:]
        return self.done

    def _threads(self) -> int:
        """Return how many threads all workers that are there have."""
        workers = self.client.scheduler_info(n_workers=-1)["workers"]
        return sum(own["nthreads"] for own in workers.values())

    def _submit(self, given: Sequence[VariantBlock]) -> None:
        """Give blocks to the cluster, and the model if its workers have not got it."""
        if self._scattered is None and not self._is_sent:
            self._scattered = self.client.scatter(self._payload, broadcast=True, hash=False)
        tables = [self._tables(block) for block in given]
        starts, parameters = zip(*tables, strict=True)
        own: dict[str, object] = {"digest": self._digest, "names": self.names}
        futures = self.client.map(
            run_block, starts, parameters, payload=self._scattered, pure=False, **own
        )
        self._waiting |= zip(futures, given, strict=True)
        for future in futures:
            future.add_done_callback(lambda _: self._news.set())

    def _tables(
        self, block: VariantBlock
    ) -> tuple[dict[str, np.ndarray] | None, dict[str, np.ndarray]]:
        """Return starts and parameters of a block."""
        own, lines = self.variants, slice(block.first, block.end)
        parameters = {name: values[lines] for name, values in own.varied.items()}
        if self._is_default:
            return None, parameters
        starts = dict(zip(own.start_names, own.starts[lines].T, strict=True))
        return starts or None, parameters

    def _collect(self) -> None:
        """Take blocks that are done, and give lost ones again."""
        lost: list[VariantBlock] = []
        self._news.clear()
        over = [own for own in self._waiting if own.status != "pending"]
        for future, found in zip(over, self._gathered(over), strict=True):
            block = self._waiting.pop(future)
            try:
                done = future.result() if found is None else found
            except MotorikError as error:
                self._fail(block, str(error))
            except Exception as error:  # of the cluster: a worker died, or data were lost
                self._is_sent, self._scattered = False, None
                self._tries[block] = self._tries.get(block, 1) + 1
                if self._tries[block] > TRIES:
                    self._fail(block, f"given up after {TRIES} tries: {error}")
                else:
                    lost.append(block)
            else:
                if done is None:  # a worker that has not got the model
                    self._is_sent = False
                    lost.append(block)
                else:
                    self.done[block] = done
        if self._has_vanished():
            self._give_up("the cluster vanished")
        elif lost:
            self._submit(lost)
        elif self._waiting:
            self._news.wait(PULSE)

    def _gathered(self, futures: Sequence[Any]) -> Sequence[Done | None]:
        """Return the values of blocks that are over, fetched at once; Nones where one is lost."""
        none = [None] * len(futures)
        if len(futures) < 2 or any(own.status != "finished" for own in futures):
            return none
        try:
            return self.client.gather(futures)
        except Exception:  # each then tells its own reason
            return none

    def _has_vanished(self) -> bool:
        """Return whether there is no cluster any more, or no worker for long."""
        if self.client.status not in ("running", "connecting"):
            return True
        now = clock.perf_counter()
        if now - self._looked > PULSE:
            try:
                self._is_alone = not self._threads()
            except Exception:  # the scheduler does not answer
                return True
            self._looked = now
            self._alone_since = (self._alone_since or now) if self._is_alone else None
        return self._is_alone and now - (self._alone_since or now) > PATIENCE

    def _give_up(self, why: str) -> None:
        """Name the variants that are not done."""
        waiting, self._waiting = self._waiting, {}
        for block in self._all:
            if block not in self.done:
                self._fail(block, why)
        if self.client.status == "running":
            self.client.cancel(list(waiting))

    def _fail(self, block: VariantBlock, why: str) -> None:
        """Note that all variants of a block have failed."""
        self.done[block] = Done({}, dict.fromkeys(range(block.end - block.first), why))
