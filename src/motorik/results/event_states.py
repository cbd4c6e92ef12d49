"""States just before and just after events, and the variables there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import UnknownNameError, suggest
from motorik.immutable import immutable
from motorik.numerics.tolerances import TIME_ROUNDING
from motorik.results.sample import Sample

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.results.events import Event
    from motorik.results.netcdf import NetcdfFile


@immutable
class EventStates:
    """Motions X and parameters p just before and after instants at `times` [s].

    `motion` and `parameters` have the axes instant, before or after, number.
    """

    times: np.ndarray
    motion: np.ndarray
    parameters: np.ndarray


def times_beside_events(time: np.ndarray) -> np.ndarray:
    """Return the times at which samples are evaluated: of two at one time, before and after it."""
    doubled = time[1:] == time[:-1]
    if not doubled.any():
        return time
    aside = TIME_ROUNDING * np.abs(time)
    result = time.copy()
    result[:-1][doubled] -= aside[:-1][doubled]
    result[1:][doubled] += aside[1:][doubled]
    return result


def with_onsets(system: CompiledModel, time: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return p of all samples; those just after an event mark friction that starts to slide.

    Friction that stuck or slid in the other direction before, and slides now, starts: its
    direction is written where p has the onset of its force, 0 in other samples.
    """
    after = 1 + np.flatnonzero(time[1:] == time[:-1])
    own = system.layout.nonsmooth.onsets
    if not (own.onset.size and after.size and p.ndim == 2):
        return p
    before = own.mapped(lambda places: p[np.ix_(after - 1, places)])
    now = p[np.ix_(after, own.direction)]
    rested = (before.stick > 0.0) | (before.saturated != 0.0)
    starts = rested | (before.direction * now < 0.0)
    marked = p.copy()
    marked[np.ix_(after, own.onset)] = np.where(starts, now, 0.0)
    return marked


def without_onsets(system: CompiledModel, p: np.ndarray, moves: np.ndarray) -> np.ndarray:
    """Return p of samples, of which those that `moves` names lie after the instant."""
    onsets = system.layout.nonsmooth.onsets.onset
    if not onsets.size:
        return p
    p = p.copy()
    p[np.ix_(np.flatnonzero(moves), onsets)] = 0.0
    return p


@immutable
class AtEvent:
    """The variables before and after an event: ``at.before["mass.v"]``, ``at.after["mass.v"]``."""

    event: Event
    before: Sample
    after: Sample

    def __repr__(self) -> str:
        return f"{self.event}\nbefore: {self.before!r}\nafter: {self.after!r}"


def values_at_events(
    system: CompiledModel, states: EventStates, names: Sequence[str]
) -> dict[str, np.ndarray]:
    """Return variables before and after all instants: arrays instant × 2 × their shape."""
    count = len(states.times)
    time = np.repeat(states.times, 2)
    motion, p = (a.reshape(2 * count, -1) for a in (states.motion, states.parameters))
    samples = system.output_samples(
        times_beside_events(time), motion, with_onsets(system, time, p)
    )
    index = system.layout.index
    found = samples.values([name for name in names if name not in index])
    found |= {name: motion[:, index[name]] for name in names if name in index}
    return {name: found[name].reshape(count, 2, *found[name].shape[1:]) for name in names}


def saved_values(values: Mapping[str, np.ndarray], event: Event) -> AtEvent:
    """Return the variables before and after an event of a run that was saved."""
    before, after = (_saved_sample(values, event, side) for side in (0, 1))
    return AtEvent(event, before, after)


def _saved_sample(values: Mapping[str, np.ndarray], event: Event, side: int) -> Sample:
    own = {name: values[name][event.instant, side] for name in values}
    numbers = {name: float(value) for name, value in own.items() if value.ndim == 0}
    return Sample("saved run", event.time, numbers, read=partial(_saved_value, own))


def _saved_value(values: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    if name not in values:
        raise UnknownNameError(
            "result",
            f"has no variable {name!r} at its events: it was not saved.",
            f"{suggest(name, values)} Name it when the run is saved: "
            f'result.to_netcdf(file, "{name}").',
            value=name,
        )
    return values[name]


GROUP = "sides"  # of a NetCDF file


def write_event_values(path: str | Path, values: Mapping[str, np.ndarray]) -> None:
    """Write variables before and after instants into a NetCDF file that exists."""
    import xarray

    data = {
        name: (["instant", "side", *(f"{name}_{i}" for i in range(2, own.ndim))], own)
        for name, own in values.items()
    }
    xarray.Dataset(data).to_netcdf(path, engine="h5netcdf", mode="a", group=GROUP)


def read_event_values(file: NetcdfFile) -> dict[str, np.ndarray]:
    """Read variables on both sides of instants from a NetCDF file; none if it has none."""
    group = file.group(GROUP)
    if group is None:
        return {}
    return {name: file.numbers(own) for name, own in file.variables(group)}
