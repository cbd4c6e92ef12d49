"""Ensemble: the runs of many variants, their variables as labelled arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import SimulationError, checked_methods, refuse_pickle
from motorik.immutable import immutable

if TYPE_CHECKING:
    import xarray

    from motorik.ensembles.variants import Variants
    from motorik.nonsmooth.application.run_events import EventRecord
    from motorik.prepared_run import PreparedRun
    from motorik.results.model_result import ModelResult
    from motorik.simulation.integration import Statistics
    from motorik.simulation.lanes import RunTable

NUMBERS = 4_000_000  # of samples and parameters from which variables are computed at once


@immutable
class EnsembleInfo:
    """How the runs of an ensemble were made, and what they cost.

    `complete` runs came to their end, `in_lanes` of them side by side with others; `lane_use`
    is the part of lanes that were busy.
    """

    method: str
    complete: int
    in_lanes: int
    lane_use: float
    threads: int
    steps: int
    wall_time: float


@checked_methods
class Ensemble:
    """The runs of many variants of a model: ``ensemble["rev.phi"]`` has a line for each.

    Variables are `xarray.DataArray`s over variant and time, computed when they are read; where a
    run failed they are not a number. `failures` says why, by the number of the variant.
    `result(k)` is the whole run of one variant.
    """

    def __init__(
        self,
        run: PreparedRun,
        variants: Variants,
        lines: np.ndarray,
        table: RunTable | None,
        results: Mapping[int, ModelResult],
        failures: Mapping[int, str],
        info: EnsembleInfo,
        read_events: Callable[[int], EventRecord] | None = None,
        changes: Mapping[int, Statistics] | None = None,
    ) -> None:
        self._run, self._variants, self.info = run, variants, info
        # of runs in lines of the table: events, and the cost of those that changed their method
        self._read_events, self._changes = read_events, changes or {}
        self._lines, self._table = lines, table  # the line of each variant in the table
        self._results = dict(results)
        self.failures: Mapping[int, str] = MappingProxyType(dict(sorted(failures.items())))
        time = run.time
        assert time is not None
        self._time = time

    def __len__(self) -> int:
        return self._variants.count

    def __repr__(self) -> str:
        name, failed = self._run.system.facts.name, len(self.failures)
        note = f", {failed} of them failed" if failed else ""
        return f"<Ensemble of {name}: {len(self)} runs{note}, {self._time.size} times>"

    @property
    def time(self) -> np.ndarray:
        """The output times [s], the same in all runs."""
        return self._time.copy()

    @property
    def complete(self) -> np.ndarray:
        """Whether each run came to its end."""
        return np.array([k not in self.failures for k in range(len(self))])

    @property
    def parameters(self) -> dict[str, np.ndarray]:
        """The values of the parameters that differ, by name."""
        return dict(self._variants.varied)

    @property
    def starts(self) -> dict[str, np.ndarray]:
        """The start values that differ, by name."""
        own = self._variants
        return dict(zip(own.start_names, own.starts.T, strict=True))

    @property
    def state_names(self) -> list[str]:
        """The names of the states."""
        return self._run.start_names

    def names(self) -> list[str]:
        """Return the names of all variables of all parts."""
        return self._any.names()

    def unit(self, name: str) -> str:
        """Return the unit of a variable."""
        return self._any.unit(name)

    # --- variables ---------------------------------------------------------------------------

    def __getitem__(self, name: str) -> xarray.DataArray:
        return self._labelled(name, self.compute([name])[name])

    def compute(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        """Return variables by name, each variants × times."""
        wanted = list(dict.fromkeys(names))
        first = self._any.compute(wanted)
        size = len(self), self._time.size
        found = {n: np.full((*size, *v.shape[1:]), np.nan) for n, v in first.items()}
        made = np.flatnonzero(self._lines >= 0)
        for ks in np.array_split(made, self._n_parts(made.size)) if made.size else ():
            values = self._result_of(ks).compute(wanted)
            for name, own in values.items():
                found[name][ks] = own.reshape(ks.size, size[1], *own.shape[1:])
        for k, result in self._results.items():
            rows = min(len(result), size[1])
            for name, own in result.compute(wanted).items():
                found[name][k, :rows] = own[:rows]
        return found

    def to_array(self, *names: str) -> xarray.DataArray:
        """Return variables that are numbers, by default the states: variant, time, variable."""
        import xarray

        own = names or tuple(self.state_names)
        values = self.compute(own)
        columns = np.stack([values[name] for name in own], axis=-1)
        coords = {**self._coordinates, "variable": list(own)}
        return xarray.DataArray(columns, coords, ("variant", "time", "variable"))

    def to_xarray(self, *names: str) -> xarray.Dataset:
        """Return variables, by default the states, as a dataset over variant and time.

        `failure` says why a run failed, "" where it did not.
        """
        own = names or tuple(self.state_names)
        units = {name: self.unit(name) for name in own}
        given = self._time, self._variants.varied, self.failures
        return labelled_dataset(self.compute(own), units, *given)

    def _labelled(self, name: str, values: np.ndarray) -> xarray.DataArray:
        """Return values of a variable with their labels."""
        return labelled(name, values, self.unit(name), self._coordinates)

    @cached_property
    def _coordinates(self) -> dict[str, object]:
        """Numbers of variants, times, and the parameters that differ."""
        return coordinates_of(len(self), self._time, self._variants.varied)

    # --- runs ----------------------------------------------------------------------------------

    def result(self, variant: int) -> ModelResult:
        """Return the run of one variant with all its variables, as `simulate` would."""
        k = int(variant)
        if not -len(self) <= k < len(self):
            raise IndexError(f"there are {len(self)} variants, and no variant {variant}")
        k %= len(self)
        if k in self._results:
            return self._results[k]
        if self._lines[k] < 0:
            raise SimulationError(
                f"variant {k}",
                self.failures[k],
                "Its start was not found, or it was not begun.",
            )
        return self._result_of(np.array([k]))

    def __iter__(self) -> Iterator[ModelResult]:
        """Iterate over the runs that were made."""
        for k in range(len(self)):
            if self._lines[k] >= 0 or k in self._results:
                yield self.result(k)

    @cached_property
    def _any(self) -> ModelResult:
        """The result of some run, that knows names and units."""
        made = np.flatnonzero(self._lines >= 0)
        if made.size:
            return self._result_of(made[:1])
        if self._results:
            return next(iter(self._results.values()))
        reason = next(iter(self.failures.values()))
        raise SimulationError(
            self._run.system.facts.name,
            f"no run was made: {reason}",
            "Look at `failures`, and give other starts or parameters.",
        )

    def __reduce__(self) -> tuple[object, ...]:
        refuse_pickle("ensemble", "Pass on to_xarray() or to_array(), which hold numbers.")

    def _n_parts(self, count: int) -> int:
        """Return in how many parts the variables of so many runs are computed."""
        assert self._table is not None
        numbers = self._run.system.layout.n_motion + self._table.parameters.shape[1]
        width = self._time.size * (numbers + 1)
        return max(1, -(-count * width // NUMBERS))

    def _result_of(self, ks: np.ndarray) -> ModelResult:
        """Return runs that were made in lanes as one result, their samples end to end."""
        assert self._table is not None
        own, lines = self._table, self._lines[ks]
        cost = own.cost[lines].sum(axis=0)
        seconds = self.info.wall_time * ks.size / len(self)
        changed = self._changes.get(int(lines[0])) if ks.size == 1 else None
        method = own.method if changed is None else changed.method
        given = method, own.samples[lines], own.parameters[lines], cost, seconds
        switches = () if changed is None else changed.switches
        if self._read_events is None:
            return self._run.result_of_samples(*given, switches)
        records = [self._read_events(int(line)) for line in lines]
        return self._run.result_of_samples(*given, switches, records, own.ends[lines])


# --- labels ----------------------------------------------------------------------------------


def coordinates_of(
    count: int, time: np.ndarray, varied: Mapping[str, np.ndarray]
) -> dict[str, object]:
    """Return numbers of variants, times [s], and the parameters that differ, as coordinates."""
    own: dict[str, object] = {
        "variant": np.arange(count),
        "time": ("time", time, {"units": "s"}),
    }
    return own | {
        n: ("variant", values) for n, values in varied.items() if values.ndim == 1
    }


def labelled(
    name: str, values: np.ndarray, unit: str, coordinates: Mapping[str, object]
) -> xarray.DataArray:
    """Return values of a variable with their labels."""
    import xarray

    dims = ("variant", "time", *(f"{name}_{i}" for i in range(1, values.ndim - 1)))
    return xarray.DataArray(values, coordinates, dims, name, attrs={"units": unit})


def labelled_dataset(
    values: Mapping[str, np.ndarray],
    units: Mapping[str, str],
    time: np.ndarray,
    varied: Mapping[str, np.ndarray],
    failures: Mapping[int, str],
) -> xarray.Dataset:
    """Return variables over variant and time, with the reasons of failures."""
    import xarray

    count = len(next(iter(values.values())))
    coords = coordinates_of(count, time, varied)
    data = {name: labelled(name, own, units[name], coords) for name, own in values.items()}
    reasons = np.array([failures.get(k, "") for k in range(count)], dtype=object)
    failure = xarray.DataArray(reasons, dims="variant")
    return xarray.Dataset({**data, "failure": failure}, attrs={"made_by": "motorik"})
