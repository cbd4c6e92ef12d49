"""Saved results: written to files, and read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from motorik.errors import FileFormatError, MotorikError, UnknownNameError, suggest
from motorik.results.events import Events, read_events
from motorik.results.netcdf import NetcdfFile
from motorik.results.series import Series, frozen
from motorik.results.sides import SavedAtEvent, read_sides
from motorik.results.values import NOTE, ParameterValues


class SavedResult(Series):
    """Variables read back from a file."""

    def __init__(
        self,
        time: np.ndarray,
        values: Mapping[str, np.ndarray],
        units: Mapping[str, str],
        parameters: ParameterValues | None = None,
        events: Events | None = None,
        sides: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        super().__init__(time)
        self._sides = {name: frozen(array) for name, array in (sides or {}).items()}
        self._events = events or Events()
        self._parameters = parameters or ParameterValues({})
        self._values = {name: frozen(array) for name, array in values.items()}
        self._units = dict(units)

    @property
    def parameters(self) -> ParameterValues:
        """The live parameters of the run that was saved, if the file contains them."""
        return self._parameters

    @property
    def events(self) -> Events:
        """The events of the run that was saved, if the file has them."""
        return self._events

    def at_event(self, k: int) -> SavedAtEvent:
        """Return the saved variables on both sides of event number k, if the file has them."""
        event = self.events[k]
        if not self._sides or event.moment < 0:
            raise UnknownNameError(
                "result",
                f"has no values at its event {k}: the file does not contain them.",
                "Write the run again with to_netcdf.",
                value=k,
            )
        return SavedAtEvent(self._sides, event)

    def _side_values(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        return {name: self._sides[name] for name in names if name in self._sides}

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
                f"has no variable {name!r}: it was not saved.",
                f"{suggest(name, self._values)} Name it when the run is saved: "
                f'result.to_netcdf(file, "{name}").',
                value=name,
            )
        return self._values[name]


def load_result(path: str | Path) -> SavedResult:
    """Read a result written by `to_netcdf` or `to_csv`.

    Nothing in the file is executed, no file that it names is opened, and what would unfold to
    much more than its size is refused.
    """
    path = Path(path)
    if not path.exists():
        raise FileFormatError(str(path), "there is no such file.", "Check the path.")
    try:
        return _read_csv(path) if path.suffix == ".csv" else _read_netcdf(path)
    except MotorikError:
        raise
    except Exception as error:  # whatever readers say about a broken file
        raise FileFormatError(
            str(path),
            f"cannot be read as a result: {error}.",
            "Write it with to_netcdf or to_csv.",
        ) from error


def _read_netcdf(path: Path) -> SavedResult:
    with NetcdfFile(path) as file:
        time = np.asarray(file.numbers(file.dataset("time")), dtype=float)
        values: dict[str, np.ndarray] = {}
        units: dict[str, str] = {}
        for name, variable in file.variables():
            if variable.shape is None or variable.shape[:1] != time.shape:
                rows = f"of the shape {variable.shape}, with {time.size} rows of time"
                raise ValueError(f"its variable {name!r} is {rows}")
            values[name] = file.numbers(variable)
            units[name] = file.note(variable, "units")
        parameters = ParameterValues.of_text(file.note(None, NOTE) or "{}")
        happened = read_events(file), read_sides(file)
        return SavedResult(time, values, units, parameters, *happened)


def _read_csv(path: Path) -> SavedResult:
    header, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
    names = [name.strip('"') for name in header.split('","')]
    if names[0] != "time" or not lines:
        raise ValueError(f"it begins with {header[:40]!r} and has {len(lines)} rows")
    table = np.loadtxt(lines, delimiter=",", ndmin=2)
    return SavedResult(table[:, 0], dict(zip(names[1:], table[:, 1:].T, strict=True)), {})
