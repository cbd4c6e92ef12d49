"""Results: time series by name, every variable of every part, computed when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from motorik.errors import FileFormatError, UnknownNameError, suggest


@dataclass(frozen=True)
class RunInfo:
    """How a run went: method, cost, and why it ended.

    `wall_time` [s] is that of computing; what was spent on preparing and compiling before and
    within the run is `compile_time` [s].
    """

    method: str
    steps: int
    rejected: int
    evaluations: int
    jacobians: int
    wall_time: float
    complete: bool
    message: str
    switches: tuple[tuple[float, str], ...] = ()
    tolerance: float = 0.0
    events: tuple[tuple[float, str], ...] = ()
    compile_time: float = 0.0


class Series:
    """Variables over time, by name; immutable. What results from a run or a file share."""

    def __init__(self, time: np.ndarray) -> None:
        self._time = _frozen(time)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        own = [n for n in dir(type(self)) if not n.startswith("_")]
        raise UnknownNameError(
            "result",
            f"has no {name!r}.",
            f'Variables are read by name, result["part.{name}"]. {suggest(name, own)}',
            parameter=name,
            value=name,
        )

    @property
    def time(self) -> np.ndarray:
        """The times [s]."""
        return self._time

    def __len__(self) -> int:
        return self._time.size

    def __getitem__(self, name: str) -> np.ndarray:
        """Return a variable over time; "time" is the times themselves."""
        if not isinstance(name, str):
            raise UnknownNameError(
                "result",
                f"{name!r} is not the name of a variable.",
                'Give one name, result["rev.phi"], or several to to_pandas or compute.',
                value=name,
            )
        return self._time if name == "time" else self._values_of(name)

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and self.unit(name) is not None
        except UnknownNameError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def _values_of(self, name: str) -> np.ndarray:
        raise NotImplementedError

    def unit(self, name: str) -> str:
        """Return the unit of a variable."""
        raise NotImplementedError

    def names(self) -> list[str]:
        """Return the names of all variables."""
        raise NotImplementedError

    def _default_names(self) -> Sequence[str]:
        return self.names()

    # --- other forms -----------------------------------------------------------------------

    def to_xarray(self, *names: str) -> Any:
        """Return variables (by default the states) as an `xarray.Dataset` over time."""
        import xarray

        data: dict[str, Any] = {}
        for name in names or self._default_names():
            values = self[name]
            dims = ["time", *(f"{name}_{i}" for i in range(1, values.ndim))]
            data[name] = (dims, values, {"units": self.unit(name)})
        return xarray.Dataset(
            data, {"time": ("time", self.time, {"units": "s"})}, self._notes()
        )

    def _notes(self) -> dict[str, Any]:
        return {"made_by": "motorik"}

    def to_pandas(self, *names: str) -> Any:
        """Return variables (by default the states) as a `pandas.DataFrame` indexed by time."""
        import pandas

        return pandas.DataFrame(
            dict(self._columns(names)), index=pandas.Index(self.time, name="time")
        )

    def _columns(self, names: Sequence[str]) -> Iterable[tuple[str, np.ndarray]]:
        for name in names or self._default_names():
            values = self[name]
            if values.ndim == 1:
                yield name, values
            else:
                for index in np.ndindex(*values.shape[1:]):
                    number = ",".join(str(i + 1) for i in index)
                    yield f"{name}[{number}]", values[(slice(None), *index)]

    def to_csv(self, path: str | Path, *names: str) -> Path:
        """Write variables (by default the states) to a CSV file, full precision."""
        columns = dict(self._columns(names))
        table = np.column_stack([self.time, *columns.values()])
        header = ",".join(f'"{name}"' for name in ("time", *columns))
        np.savetxt(path, table, fmt="%.17g", delimiter=",", header=header, comments="")
        return Path(path)

    def to_netcdf(self, path: str | Path, *names: str) -> Path:
        """Write variables (by default the states) with their units to a NetCDF file."""
        self.to_xarray(*names).to_netcdf(path, engine="h5netcdf")
        return Path(path)

    def plot(self, *names: str, **options: Any) -> Any:
        """Plot variables over time; one axes for each unit. Return the figure.

        ``result.plot("rev.phi", unit="deg")`` shows in other units; ``result["rev.phi"]`` is
        in radians all the same.
        """
        from motorik.view.plots import plot_result

        return plot_result(self, *names, **options)


class Result(Series):
    """What a simulation gives: the states over time, and from them every other variable.

    ``result["rev.phi"]`` is an array over `result.time`; vectors have a column for each
    component, and ``result["body.r_0[2]"]`` is one of them. Whatever is not a state is
    computed when it is first asked for: interpreted if rows are few, else in native code.
    """

    def __init__(
        self,
        system: Any,
        time: np.ndarray,
        motion: np.ndarray,
        parameters: np.ndarray,
        info: RunInfo,
        states: Sequence[int] | None = None,
    ) -> None:
        super().__init__(time)
        self._system = system
        self._integrated = list(system.layout.integrated if states is None else states)
        self._motion = _frozen(motion)
        self._parameters = _frozen(parameters)
        self._known: dict[str, np.ndarray] = {}
        self._rows = system.rows(self._time, self._motion, self._parameters)
        self._info = info

    def __copy__(self) -> Result:
        return self  # nothing in it can be changed

    def __deepcopy__(self, memo: dict[int, Any]) -> Result:
        return self

    def __getstate__(self) -> dict[str, Any]:
        raise FileFormatError(
            "result",
            "holds machine code and cannot be pickled.",
            "Pass on to_xarray() or to_pandas(), or write it with to_netcdf.",
        )

    @property
    def info(self) -> RunInfo:
        """How the run went."""
        return self._info

    @property
    def model(self) -> Any:
        """The model that was simulated."""
        return self._system.mechanism.inventory.model

    @property
    def states(self) -> np.ndarray:
        """The states over time, one column each, in the order of `state_names`."""
        return _frozen(self._motion[:, self._integrated])

    @property
    def state_names(self) -> list[str]:
        """The names of the states: what the run began to integrate, as `explain()` lists them."""
        names = self._system.layout.motion_names
        return [names[k] for k in self._integrated]

    @property
    def motion(self) -> np.ndarray:
        """All coordinates, speeds and states of blocks over time, as `motion_names` has them."""
        return self._motion

    @property
    def motion_names(self) -> list[str]:
        """The names of all coordinates, speeds and states of blocks."""
        return list(self._system.layout.motion_names)

    @property
    def complete(self) -> bool:
        """Whether the run reached its end; `info.message` says why if it did not."""
        return self.info.complete

    @property
    def _motion_rates(self) -> np.ndarray:
        """The rates of the motion over time."""
        return _frozen(self._rows.rates)

    @property
    def rates(self) -> np.ndarray:
        """The rates of the states over time."""
        return _frozen(self._motion_rates[:, self._integrated])

    def names(self) -> list[str]:
        """Return the names of all variables of all parts, and of states that none shows."""
        names = self._system.equations.catalogue.names()
        shown = set(names)
        hidden = [n for n in self.motion_names if _whole(n) not in shown]
        return [*names, *hidden]

    def _default_names(self) -> Sequence[str]:
        return self.state_names

    def unit(self, name: str) -> str:
        """Return the unit of a variable, e.g. "rad/s"."""
        if name == "time":
            return "s"
        layout = self._system.layout
        if name in layout.index:
            return layout.motion[layout.index[name]].unit
        return self._system.equations.catalogue.find(name)[0].unit

    def _values_of(self, name: str) -> np.ndarray:
        index = self._system.layout.index
        if name in index:
            return self._motion[:, index[name]]
        if name not in self._known:
            self.compute([name])
        return self._known[name]

    def compute(self, names: Iterable[str]) -> dict[str, np.ndarray]:
        """Return several variables at once; cheaper than one after another."""
        names = list(names)
        layout = self._system.layout
        new = [n for n in names if n not in layout.index and n not in self._known]
        if new:
            found = self._rows.values(new)
            self._known.update({name: _frozen(values) for name, values in found.items()})
        return {name: self[name] for name in names}

    @property
    def events(self) -> tuple[tuple[float, str], ...]:
        """What happened on the way: time [s] and words."""
        return self.info.events

    def loop_gap(self) -> tuple[float, float]:
        """Return by how much loops were open at worst, in metres and in radians.

        It is measured from the poses of the frames, not by the equations that were solved.
        """
        found = self._rows.map("gaps")
        if not found.size:
            return 0.0, 0.0
        metres, radians = found.reshape(len(self), 2, -1).max(axis=(0, 2))
        return float(metres), float(radians)

    def energy(self) -> dict[str, np.ndarray]:
        """Return kinetic, potential and stored energy and their sum over time [J].

        Of a user's gravity function no potential is known: it and the sum are then NaN.
        """
        kinetic, potential, stored = self._rows.map("energy").T
        return {
            "kinetic": kinetic,
            "potential": potential,
            "stored": stored,
            "total": kinetic + potential + stored,
        }

    def at(self, times: Any) -> np.ndarray:
        """Return the states at other times, by cubic Hermite interpolation between rows."""
        try:
            t = np.atleast_1d(np.asarray(times, dtype=float))
        except (TypeError, ValueError):
            t = np.array([np.nan])
        if not ((t >= self._time[0]) & (t <= self._time[-1])).all():
            raise UnknownNameError(
                "result.at",
                f"times from {t.min():g} to {t.max():g} s exceed the run, "
                f"{self._time[0]:g} to {self._time[-1]:g} s.",
                "Ask for times within the run.",
                value=times,
            )
        last = len(self) - 1
        i = np.clip(np.searchsorted(self._time, t, side="right") - 1, 0, max(last - 1, 0))
        j = np.minimum(i + 1, last)
        h = (self._time[j] - self._time[i])[:, None]
        s = (t - self._time[i])[:, None] / np.where(h > 0, h, 1.0)
        x, rates = self.states, self.rates
        a, b, da, db = x[i], x[j], rates[i], rates[j]
        return (
            (1 + 2 * s) * (1 - s) ** 2 * a
            + s * (1 - s) ** 2 * h * da
            + s**2 * (3 - 2 * s) * b
            + s**2 * (s - 1) * h * db
        )

    def animate(self, file: str | Path, **options: Any) -> Path:
        """Write an animation of the mechanism (GIF)."""
        from motorik.view.motion import animate

        return animate(self, file, **options)

    def draw(self, time: float | None = None, **options: Any) -> Any:
        """Draw the mechanism at a time (by default the last one). Return the figure."""
        from motorik.view.motion import draw

        return draw(self, time, **options)

    def _notes(self) -> dict[str, Any]:
        return {
            "made_by": "motorik",
            "model": self._system.mechanism.name,
            "method": self.info.method,
            "complete": int(self.complete),
            "message": self.info.message,
        }

    def summary(self) -> str:
        """Return what was run, what it cost, and how well energy was kept, as text."""
        info = self.info
        lines = [
            f"{self._system.mechanism.name}: {self._time[0]:g} s to {self._time[-1]:g} s, "
            f"{self._system.freedom} degree{'' if self._system.freedom == 1 else 's'} "
            "of freedom, "
            f"{len(self)} rows",
            f"  method      {info.method}, relative tolerance {info.tolerance:g}",
            f"  steps       {info.steps} accepted, {info.rejected} rejected",
            f"  evaluations {info.evaluations}, Jacobians {info.jacobians}",
            f"  computed in {1e3 * info.wall_time:.3f} ms; prepared and compiled in "
            f"{1e3 * info.compile_time:.3f} ms",
            f"  energy      {self._energy_change()}",
        ]
        lines += [f"  at {t:g} s   changed over to {method}" for t, method in info.switches]
        lines += [f"  at {t:g} s   {what}" for t, what in info.events]
        if not info.complete:
            lines.append("  incomplete  " + info.message.replace("\n  ", f"\n{' ' * 14}"))
        return "\n".join(lines)

    def _energy_change(self) -> str:
        energy = self.energy()
        E = energy["total"]
        if np.isnan(energy["potential"]).all():
            return "not known: the gravity function of the World has no potential"
        moved = (np.ptp(energy["potential"]), np.ptp(energy["stored"]))
        scale = max(float(energy["kinetic"].max()), *map(float, moved), 1e-300)
        return (
            f"{E[0]:.9g} J to {E[-1]:.9g} J, change {E[-1] - E[0]:+.3g} J "
            f"({abs(E - E[0]).max() / scale:.2g} of the energy in play)"
        )

    def __repr__(self) -> str:
        why = self.info.message.partition("\n")[0]
        ended = "" if self.complete else f", incomplete: {why}"
        return (
            f"<Result of {self._system.mechanism.name}: {len(self)} rows to "
            f"t = {self._time[-1]:g} s{ended}>"
        )


class SavedResult(Series):
    """Variables read back from a file."""

    def __init__(
        self, time: np.ndarray, values: Mapping[str, np.ndarray], units: Mapping[str, str]
    ) -> None:
        super().__init__(time)
        self._values = {name: _frozen(array) for name, array in values.items()}
        self._units = dict(units)

    def names(self) -> list[str]:
        """Return the names of the saved variables."""
        return list(self._values)

    def unit(self, name: str) -> str:
        """Return the unit of a variable."""
        self[name]
        return "s" if name == "time" else self._units.get(name, "")

    def __repr__(self) -> str:
        return (
            f"<SavedResult: {len(self._values)} variables, {len(self)} rows to "
            f"t = {self._time[-1]:g} s>"
        )

    def _values_of(self, name: str) -> np.ndarray:
        if name not in self._values:
            raise UnknownNameError(
                "result",
                f"has no variable {name!r}.",
                suggest(name, self._values),
                value=name,
            )
        return self._values[name]


def load_result(path: str | Path) -> SavedResult:
    """Read a result written by `to_netcdf` or `to_csv`; nothing in the file is executed."""
    path = Path(path)
    if not path.exists():
        raise FileFormatError(str(path), "there is no such file.", "Check the path.")
    try:
        if path.suffix == ".csv":
            return _read_csv(path)
        import xarray

        with xarray.open_dataset(path, engine="h5netcdf") as data:
            values = {str(name): np.asarray(data[name].values) for name in data.data_vars}
            units = {str(name): str(data[name].attrs.get("units", "")) for name in values}
            return SavedResult(np.asarray(data["time"].values, dtype=float), values, units)
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise FileFormatError(
            str(path),
            f"cannot be read as a result: {error}.",
            "Write it with to_netcdf or to_csv.",
        ) from error


def _read_csv(path: Path) -> SavedResult:
    header, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
    names = [name.strip('"') for name in header.split('","')]
    if names[0] != "time" or not lines:
        raise ValueError(f"it begins with {header[:40]!r} and has {len(lines)} rows")
    table = np.loadtxt(lines, delimiter=",", ndmin=2)
    return SavedResult(table[:, 0], dict(zip(names[1:], table[:, 1:].T, strict=True)), {})


def _frozen(array: np.ndarray) -> np.ndarray:
    array = np.array(array, dtype=float)
    array.setflags(write=False)
    return array


def _whole(name: str) -> str:
    """Return the name of the variable that a name such as `body.r_0[2]` is an element of."""
    before, bracket, index = name.rpartition("[")
    return before if bracket and index.endswith("]") else name
