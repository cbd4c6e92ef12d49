"""Sides of events: the motion just before and just after each instant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import UnknownNameError, suggest
from motorik.results.events import Event

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.results.netcdf import NetcdfFile
    from motorik.system.rows import OutputSamples

ASIDE = 8.0 * float(np.finfo(float).eps)  # of a time: how far beside it laws are evaluated


@dataclass(frozen=True)
class EventSides:
    """Both sides of instants: `times` [s], motions X and parameters p.

    `motion` and `parameters` have the axes instant, side (before, after), number.
    """

    times: np.ndarray
    motion: np.ndarray
    parameters: np.ndarray


def sided(time: np.ndarray) -> np.ndarray:
    """Return times at which rows are evaluated: of two at one time, before and after it."""
    doubled = time[1:] == time[:-1]
    if not doubled.any():
        return time
    aside = ASIDE * np.abs(time)
    result = time.copy()
    result[:-1][doubled] -= aside[:-1][doubled]
    result[1:][doubled] += aside[1:][doubled]
    return result


def with_starts(system: CompiledModel, time: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return p of all rows, in which rows just after an instant know what starts to slide there.

    What stuck or slid the other way before, and slides now, starts: its direction is written
    where p has the number `…_start` of its force. All other rows have 0 there.
    """
    after = 1 + np.flatnonzero(time[1:] == time[:-1])
    places = _start_places(system)
    if not (places.size and after.size and p.ndim == 2):
        return p
    stick, way, held, start = places
    now, before = p[np.ix_(after, way)], p[np.ix_(after - 1, way)]
    rested = (p[np.ix_(after - 1, stick)] > 0.0) | (p[np.ix_(after - 1, held)] != 0.0)
    starts = rested | (before * now < 0.0)
    marked = p.copy()
    marked[np.ix_(after, start)] = np.where(starts, now, 0.0)
    return marked


def _start_places(system: CompiledModel) -> np.ndarray:
    """Return the places in p of the mode of each force that has a number `…_start`, and of this."""
    slips = () if system.switching is None else system.switching.slips
    at = {scalar: k for k, scalar in enumerate(system.parameters)}
    named = [(slip.part.internal(), slip.force) for slip in slips]
    found = [
        [at[own[f"{force}_{ending}"]] for ending in ("stick", "way", "held", "start")]
        for own, force in named
        if f"{force}_start" in own
    ]
    return np.array(found, dtype=np.intp).T


class Side:
    """All variables on one side of an event: ``side["mass.v"]``."""

    def __init__(
        self, system: CompiledModel, rows: OutputSamples, row: int, time: float
    ) -> None:
        self._system, self._rows, self._row = system, rows, row
        self.time = time

    def __getitem__(self, name: str) -> float | np.ndarray:
        """Return a variable: a number, or an array of its shape."""
        index = self._system.layout.index
        if name == "time":
            return self.time
        if name in index:
            return float(self._rows.motion[self._row, index[name]])
        values = self._rows.values([name])[name][self._row]
        return float(values) if values.ndim == 0 else values

    def energy(self) -> dict[str, float]:
        """Return kinetic, potential and stored energy and their sum [J]."""
        own = self._rows.map("energy").reshape(2, 3)[self._row].tolist()
        names = ("kinetic", "potential", "stored")
        return {**dict(zip(names, own, strict=True)), "total": sum(own)}

    def __repr__(self) -> str:
        side = "after" if self._row else "before"
        return f"<{self._system.mechanism.name} just {side} t = {self.time:.9g} s>"


class AtEvent:
    """Both sides of an event: ``at.before["mass.v"]``, ``at.after["mass.v"]``."""

    def __init__(self, system: CompiledModel, event: Event, moments: EventSides) -> None:
        self.event = event
        k = event.moment
        t = float(moments.times[k])
        time = sided(np.array([t, t]))
        p = with_starts(system, np.array([t, t]), moments.parameters[k])
        rows = system.rows(time, moments.motion[k], p)
        self.before, self.after = (Side(system, rows, side, t) for side in (0, 1))

    def __repr__(self) -> str:
        return f"<both sides of {self.event}>"


def values_of_sides(
    system: CompiledModel, moments: EventSides, names: Sequence[str]
) -> dict[str, np.ndarray]:
    """Return variables on both sides of all instants: arrays instant × side × their shape."""
    count = len(moments.times)
    time = np.repeat(moments.times, 2)
    motion, p = (a.reshape(2 * count, -1) for a in (moments.motion, moments.parameters))
    rows = system.rows(sided(time), motion, with_starts(system, time, p))
    index = system.layout.index
    found = rows.values([name for name in names if name not in index])
    found |= {name: motion[:, index[name]] for name in names if name in index}
    return {name: found[name].reshape(count, 2, *found[name].shape[1:]) for name in names}


class SavedSide:
    """The saved variables on one side of an event: ``side["mass.v"]``."""

    def __init__(self, values: Mapping[str, np.ndarray], event: Event, side: int) -> None:
        self._values, self._event, self._side = values, event, side
        self.time = event.time

    def __getitem__(self, name: str) -> float | np.ndarray:
        """Return a variable: a number, or an array of its shape."""
        if name == "time":
            return self.time
        if name not in self._values:
            raise UnknownNameError(
                "result",
                f"has no variable {name!r} at its events: it was not saved.",
                f"{suggest(name, self._values)} Name it when the run is saved: "
                f'result.to_netcdf(file, "{name}").',
                value=name,
            )
        value = self._values[name][self._event.moment, self._side]
        return float(value) if value.ndim == 0 else value

    def __repr__(self) -> str:
        side = "after" if self._side else "before"
        return f"<{len(self._values)} variables just {side} t = {self.time:.9g} s>"


class SavedAtEvent:
    """Both sides of an event of a saved run: ``at.before["mass.v"]``, ``at.after["mass.v"]``."""

    def __init__(self, values: Mapping[str, np.ndarray], event: Event) -> None:
        self.event = event
        self.before, self.after = (SavedSide(values, event, side) for side in (0, 1))

    def __repr__(self) -> str:
        return f"<both sides of {self.event}>"


GROUP = "sides"  # of a NetCDF file


def write_sides(path: str | Path, values: Mapping[str, np.ndarray]) -> None:
    """Write variables on both sides of instants into a NetCDF file that exists."""
    import xarray

    data = {
        name: (["instant", "side", *(f"{name}_{i}" for i in range(2, own.ndim))], own)
        for name, own in values.items()
    }
    xarray.Dataset(data).to_netcdf(path, engine="h5netcdf", mode="a", group=GROUP)


def read_sides(file: NetcdfFile) -> dict[str, np.ndarray]:
    """Read variables on both sides of instants from a NetCDF file; none if it has none."""
    group = file.group(GROUP)
    if group is None:
        return {}
    return {name: file.numbers(own) for name, own in file.variables(group)}
