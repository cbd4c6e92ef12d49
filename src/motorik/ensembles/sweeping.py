"""Sweeps: the variants of a model in blocks on the workers of a Dask cluster, or all of them here.

The model is pickled and sent to the workers once; each prepares it once and makes blocks of
variants in lanes. A block whose worker dies is given to another one.
"""

from __future__ import annotations

import hashlib
import pickle
import threading
import time as clock
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

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

BLOCKS = 8  # for each thread of the cluster
TRIES = 4  # of a block, before its variants have failed
PATIENCE = 20.0  # s without any worker after which the cluster has vanished
PULSE = 0.2  # s between two looks at the cluster
KEPT = 4  # prepared runs that a worker keeps


class Preparable(Protocol):
    """A model, of which runs can be prepared."""

    @property
    def prepare(self) -> Callable[..., PreparedRun]:
        """Return a run to be made many times."""
        ...


class ClusterClient(Protocol):
    """A client of a Dask cluster."""

    @property
    def status(self) -> str:
        """Whether it is "running"."""
        ...

    @property
    def submit(self) -> Callable[..., Any]:
        """Give a call to a worker."""
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
    model: Preparable,
    prepare: Callable[[], PreparedRun],
    options: Mapping[str, object],
    starts: Table,
    parameters: Table,
    names: Sequence[str],
    client: ClusterClient | None,
    threads: int | None,
) -> xarray.Dataset:
    """Return variables of all variants over variant and time, from a cluster or from here."""
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
    found = ClusterSweep(
        model, run, options, variants, starts is None, wanted, client
    ).through()
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
    if not all(hasattr(client, name) for name in ("submit", "scatter", "scheduler_info")):
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
    payload: bytes,
    key: str,
    starts: Mapping[str, np.ndarray] | None,
    parameters: Mapping[str, np.ndarray],
    names: Sequence[str],
) -> Done:
    """Return the variables of a block of variants; a worker does this."""
    run = prepared_by(payload, key)
    runs = run_variants(run, Variants(run, starts, parameters), 1, False)
    failures = dict(runs.failures)
    values = {} if len(failures) == len(runs) else runs.compute(names)
    return Done(values, failures)


def prepared_by(payload: bytes, key: str) -> PreparedRun:
    """Return the run of a pickled model, prepared by this process now or before."""
    with _lock:
        run = _prepared.pop(key, None)
        if run is None:
            model, options = pickle.loads(payload)
            run = model.prepare(**options)
            while len(_prepared) >= KEPT:
                _prepared.pop(next(iter(_prepared)))
        _prepared[key] = run
        return run


# --- on the client's side ------------------------------------------------------------------


class ClusterSweep:
    """Blocks of variants on a cluster, until all are done or the cluster has vanished."""

    def __init__(
        self,
        model: Preparable,
        run: PreparedRun,
        options: Mapping[str, object],
        variants: Variants,
        is_default: bool,
        names: Sequence[str],
        client: ClusterClient,
    ) -> None:
        self.variants, self.names, self.client = variants, names, client
        self.name, self.progress = run.system.facts.name, run.options.progress
        self._is_default = is_default
        self._payload = pickled(model, dict(options))
        self._key = hashlib.sha256(self._payload).hexdigest()
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
            threads = max(sum(self._threads()), 1)
            self._looked = clock.perf_counter()
            size = -(-count // (BLOCKS * threads))
            self._submit([VariantBlock(*ends) for ends in blocks(count, size)])
            while self._waiting:
                self._collect()
                bar.update(sum(own.end - own.first for own in self.done))
        except KeyboardInterrupt:
            self._give_up(INTERRUPTED)
        finally:
            bar.close()
        return self.done

    def _threads(self) -> list[int]:
        """Return the threads of all workers that are there."""
        workers = self.client.scheduler_info(n_workers=-1)["workers"]
        return [own["nthreads"] for own in workers.values()]

    def _submit(self, given: Sequence[VariantBlock]) -> None:
        """Give blocks to the cluster, and the model if it has not got it."""
        payload = self.client.scatter(self._payload, broadcast=True, hash=False)
        for block in given:
            own, lines = self.variants, slice(block.first, block.end)
            starts = None
            if not self._is_default:
                columns = own.starts[lines].T
                starts = dict(zip(own.start_names, columns, strict=True))
            parameters = {name: values[lines] for name, values in own.varied.items()}
            if not parameters and starts in (None, {}):
                starts, parameters = None, {}
            future = self.client.submit(
                run_block, payload, self._key, starts, parameters, self.names, pure=False
            )
            self._waiting[future] = block
            future.add_done_callback(lambda _: self._news.set())

    def _collect(self) -> None:
        """Take blocks that are done, and give lost ones again."""
        lost: list[VariantBlock] = []
        self._news.clear()
        for future in [own for own in self._waiting if own.status != "pending"]:
            block = self._waiting.pop(future)
            try:
                self.done[block] = future.result()
            except MotorikError as error:
                self._fail(block, str(error))
            except Exception as error:  # of the cluster: a worker died, or data were lost
                self._tries[block] = self._tries.get(block, 1) + 1
                if self._tries[block] > TRIES:
                    self._fail(block, f"given up after {TRIES} tries: {error}")
                else:
                    lost.append(block)
        if self._has_vanished():
            for block in lost:
                self._fail(block, "the cluster vanished")
            self._give_up("the cluster vanished")
        elif lost:
            self._submit(lost)
        elif self._waiting:
            self._news.wait(PULSE)

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
        for block in waiting.values():
            self._fail(block, why)
        if self.client.status == "running":
            self.client.cancel(list(waiting))

    def _fail(self, block: VariantBlock, why: str) -> None:
        """Note that all variants of a block have failed."""
        self.done[block] = Done({}, dict.fromkeys(range(block.end - block.first), why))


def pickled(model: Preparable, options: dict[str, object]) -> bytes:
    """Return a model and options as bytes, functions of the user's script among them."""
    try:
        import cloudpickle  # type: ignore[import-not-found]

        return cloudpickle.dumps((model, options))
    except ImportError:
        return pickle.dumps((model, options))
    except Exception as error:
        raise SimulationError(
            "sweep",
            f"the model cannot be sent to workers: {error}",
            "Let functions of the model use data, not open files, locks or windows.",
        ) from error
