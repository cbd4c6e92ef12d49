"""Series: variables over time by name, and their export."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from motorik.errors import UnknownNameError, checked_methods, suggest
from motorik.names import PublicNames
from motorik.results.events import Events, write_events

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure
    from typing_extensions import Unpack

    from motorik.results.values import ParameterValues
    from motorik.view.plots import PlotOptions


INDEX = r"^(?P<name>.*)\[(?P<index>\d+(?:,\s*\d+)*)\]$"

FLOAT64 = np.dtype(np.float64)


@checked_methods
class Series(metaclass=PublicNames):
    """Variables over time, by name; immutable. The base of results of a run and of a file."""

    def __init__(self, time: np.ndarray) -> None:
        self._time = frozen(time)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        own = dir(type(self))
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

    @property
    def parameters(self) -> ParameterValues:
        """The live parameters of the run and their values."""
        from motorik.results.values import ParameterValues

        return ParameterValues({})

    @property
    def events(self) -> Events:
        """The events of the run in order: changes of mode, hits, changes of formulation."""
        return Events()

    def _with_event_samples(self) -> Series:
        """Return the same variables with samples before and after events, where they are known."""
        return self

    def _event_values(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        """Return variables before and after the instants of events, where they are known."""
        return {}

    def _default_names(self) -> Sequence[str]:
        return self.names()

    # --- other forms -----------------------------------------------------------------------

    def to_xarray(self, *names: str) -> xarray.Dataset:
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

    def _notes(self) -> dict[str, str | int]:
        return {"made_by": "motorik"} | self._parameter_note()

    def _parameter_note(self) -> dict[str, str | int]:
        """Return the parameters for a file, if there are any."""
        from motorik.results.values import NOTE

        return {NOTE: self.parameters.as_text()} if self.parameters else {}

    def to_pandas(self, *names: str) -> pandas.DataFrame:
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

    def to_csv(
        self,
        path: str | Path,
        *names: str,
        units: bool = False,
        separator: str = ",",
        decimal: str = ".",
    ) -> Path:
        """Write variables (by default the states) to a CSV file, full precision.

        With `units` the heads are as "hinge.phi [rad]". `separator` stands between columns:
        "," or ";" or a tab; with ";" a `decimal` comma is possible, as spreadsheets in many
        languages want it. Parameters and events are not kept; `to_netcdf` keeps them.
        """
        from motorik.results.files import NOT_CSV, path_of, writing
        from motorik.results.tables import check_separator, head_of, write_csv

        check_separator(separator, decimal)
        columns = dict(self._columns(names))
        table = np.column_stack([self.time, *columns.values()])
        heads = [
            head_of(name, self._unit_of_column(name) if units else None)
            for name in ("time", *columns)
        ]
        file = path_of("to_csv", path, "path", "CSV text", NOT_CSV)
        with writing("to_csv", file, "path"):
            write_csv(file, heads, table, separator, decimal)
        return file

    def to_excel(self, path: str | Path, *names: str) -> Path:
        """Write variables (by default the states) to an Excel workbook (.xlsx).

        Names and units stand above the numbers; events and the settings of the run have
        sheets of their own.
        """
        from motorik.results.files import NOT_XLSX, path_of, writing
        from motorik.results.tables import write_workbook

        columns = dict(self._columns(names))
        table = np.column_stack([self.time, *columns.values()])
        heads = [(name, self._unit_of_column(name)) for name in ("time", *columns)]
        file = path_of("to_excel", path, "path", "an Excel workbook", NOT_XLSX)
        with writing("to_excel", file, "path"):
            write_workbook(file, heads, table, self.events, self._notes())
        return file

    def _unit_of_column(self, name: str) -> str:
        """Return the unit of a column: that of the variable, of which it may be one element."""
        return "s" if name == "time" else self.unit(name)

    def to_netcdf(self, path: str | Path, *names: str) -> Path:
        """Write variables (by default the states) with their units to a NetCDF file.

        Events are in the group "events" of the file, these variables just before and after
        them in the group "sides".
        """
        from motorik.results.event_states import write_event_values
        from motorik.results.files import NOT_NETCDF, path_of, writing

        data, file = (
            self.to_xarray(*names),
            path_of("to_netcdf", path, "path", "a NetCDF file", NOT_NETCDF),
        )
        with writing("to_netcdf", file, "path"):
            data.to_netcdf(file, engine="h5netcdf")
            if self.events:
                write_events(file, self.events)
                at_events = self._event_values(names or self._default_names())
                if at_events:
                    write_event_values(file, at_events)
        return file

    def plot(self, *names: str, **options: Unpack[PlotOptions]) -> Figure:
        """Plot variables over time; one axes for each unit. Return the figure.

        Options as in `motorik.view.plot_result`: `x`, `others`, `label`, `title`, `file`, `size`,
        `unit`, `events`, `event_names`.
        """
        from motorik.view.plots import plot_result

        return plot_result(self, *names, **options)


def frozen(array: np.ndarray) -> np.ndarray:
    """Return an array that cannot be changed: a copy, or the array itself if it is one."""
    if type(array) is np.ndarray and array.dtype == FLOAT64:
        flags = array.flags
        if flags.owndata and not flags.writeable:
            return array
    array = np.array(array, dtype=float)
    array.setflags(write=False)
    return array


def split_index(name: str) -> tuple[str, tuple[int, ...]]:
    """Return the variable that `body.r_0[2]` is an element of, and its index from 0: (1,)."""
    match = re.match(INDEX, name)
    if match is None:
        return name, ()
    return match["name"], tuple(int(i) - 1 for i in match["index"].split(","))
