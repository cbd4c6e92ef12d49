"""Saved results: written to files, and read back."""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import numpy as np

from motorik.errors import (
    FileFormatError,
    MotorikError,
    ParameterError,
    UnknownNameError,
    called_as,
    checked_methods,
    suggest,
)
from motorik.results.event_states import read_event_values, saved_values
from motorik.results.events import Events, read_events
from motorik.results.netcdf import NetcdfFile
from motorik.results.series import Series, frozen
from motorik.results.tables import SEPARATORS, name_and_unit
from motorik.results.values import NOTE, ParameterValues

if TYPE_CHECKING:
    from motorik.results.event_states import AtEvent

HDF5, ZIP = b"\x89HDF\r\n\x1a\n", b"PK"  # how files of these kinds begin
LONGEST_HEADER = 16_000_000  # characters of the names in a CSV file
LONGEST_NUMBER = 64  # characters that a number in a CSV file takes at most, with its comma


@checked_methods
class SavedResult(Series):
    """Variables read back from a file."""

    def __init__(
        self,
        time: np.ndarray,
        values: Mapping[str, np.ndarray],
        units: Mapping[str, str],
        parameters: ParameterValues | None = None,
        events: Events | None = None,
        at_events: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        super().__init__(time)
        self._at_events = {name: frozen(array) for name, array in (at_events or {}).items()}
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

    def at_event(self, k: int) -> AtEvent:
        """Return the saved variables before and after event number k, if the file has them."""
        event = self.events[k]
        if not self._at_events or event.instant < 0:
            raise UnknownNameError(
                "result",
                f"has no values at its event {k}: the file does not contain them.",
                "Write the run again with to_netcdf.",
                value=k,
            )
        return saved_values(self._at_events, event)

    def _event_values(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        return {name: self._at_events[name] for name in names if name in self._at_events}

    def names(self) -> list[str]:
        """Return the names of the saved variables."""
        return list(self._values)

    def unit(self, name: str) -> str:
        """Return the unit of a variable."""
        self[name]
        return "s" if name == "time" else self._units.get(name, "")

    def __repr__(self) -> str:
        return (
            f"<SavedResult: {len(self._values)} variables, {len(self)} samples to "
            f"t = {self._time[-1]:g} s>"
        )

    def _values_of(self, name: str) -> np.ndarray:
        if name not in self._values:
            if f"{name}[1]" in self._values:  # a CSV file has the elements of a vector
                parts = [own for own in self._values if own.rpartition("[")[0] == name]
                return np.stack([self._values[own] for own in parts], axis=-1)
            raise UnknownNameError(
                "result",
                f"has no variable {name!r}: it was not saved.",
                f"{suggest(name, self._values)} Name it when the run is saved: "
                f'result.to_netcdf(file, "{name}").',
                value=name,
            )
        return self._values[name]


@called_as("load_result", ParameterError)
def load_result(path: str | Path) -> SavedResult:
    """Read a result written by `to_netcdf` or `to_csv`.

    Nothing in the file is executed, no file that it names is opened, and data that would unfold to
    much more than its size is refused.
    """
    if not isinstance(path, (str, os.PathLike)) or not os.fspath(path):
        raise ParameterError(
            "load_result",
            f"path = {path!r} is not the name of a file.",
            'Give e.g. load_result("run.nc").',
            parameter="path",
            value=path,
        )
    path = Path(os.fsdecode(path))
    if not path.is_file():
        why = "is a folder." if path.is_dir() else "there is no such file."
        raise FileFormatError(str(path), why, "Check the path.")
    try:
        if path.suffix.lower() == ".csv":
            return _read_csv(path)
        _check_kind(path)
        return _read_netcdf(path)
    except MotorikError:
        raise
    except Exception as error:  # readers raise many kinds for a broken file
        raise FileFormatError(
            str(path),
            f"cannot be read as a result: {error}.",
            "Write it with to_netcdf or to_csv.",
        ) from error


def _read_netcdf(path: Path) -> SavedResult:
    with NetcdfFile(path) as file:
        time = _checked_time(np.asarray(file.numbers(file.dataset("time")), dtype=float))
        values: dict[str, np.ndarray] = {}
        units: dict[str, str] = {}
        for name, variable in file.variables():
            if variable.shape is None or variable.shape[:1] != time.shape:
                shape = f"of the shape {variable.shape}, with {time.size} times"
                raise ValueError(f"its variable {name!r} is {shape}")
            values[name] = file.numbers(variable)
            units[name] = file.note(variable, "units")
        parameters = ParameterValues.of_text(file.note(None, NOTE) or "{}")
        kept_events = read_events(file), read_event_values(file)
        return SavedResult(time, values, units, parameters, *kept_events)


def _check_kind(path: Path) -> None:
    """Refuse a file that is no NetCDF file, by how it begins."""
    with path.open("rb") as file:
        begin = file.read(80)
    if begin.startswith(HDF5):
        return
    if begin.startswith(ZIP):
        raise ValueError("it is an archive, such as an Excel workbook; save it as CSV")
    text = begin.decode("utf-8", "replace").partition("\n")[0]
    if text.isprintable() and "," in text:
        raise ValueError(
            f"it is text and begins with {text[:40]!r}; a CSV file needs the suffix .csv"
        )
    raise ValueError("it is no NetCDF file")


def _checked_time(time: np.ndarray) -> np.ndarray:
    """Return the times of the samples, if there are any and they never fall."""
    if not time.size:
        raise ValueError("it has no rows")
    falls = np.flatnonzero(~(np.diff(time) >= 0.0))
    if not np.isfinite(time[0]) or falls.size:
        row = int(falls[0]) + 2 if falls.size else 1
        before = f" after {time[row - 2]:g} s" if row > 1 else ""
        raise ValueError(
            f"its time does not rise: row {row} is at {time[row - 1]:g} s{before}"
        )
    return time


def _read_csv(path: Path) -> SavedResult:
    """Read a table of numbers, line by line: no more is allocated than its lines hold."""
    with path.open(encoding="utf-8-sig") as file:
        header = file.readline(LONGEST_HEADER)
        if "\0" in header or len(header) == LONGEST_HEADER:
            raise ValueError("its first line is no list of names")
        header = header.rstrip("\r\n")
        separator = next(
            (one for one in SEPARATORS if _begins_with_time(header, one)), None
        )
        if separator is None:
            raise ValueError(
                f"it begins with {header[:40]!r}; the first column is `time`, and commas, "
                "semicolons or tabs stand between the columns"
            )
        heads = [name_and_unit(head) for head in _split(header, separator)]
        names = [name for name, _ in heads]
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise ValueError(
                f"two of its columns are called {', '.join(sorted(twice)[:5])}"
            )
        table = _read_rows(file, len(names), separator)
    values = dict(zip(names[1:], table[:, 1:].T, strict=True))
    units = {name: unit for name, unit in heads[1:] if unit is not None}
    return SavedResult(_checked_time(table[:, 0]), values, units)


def _split(header: str, separator: str) -> list[str]:
    found = next(csv.reader([header], delimiter=separator), None) or [""]
    return [name.strip() for name in found]


def _begins_with_time(header: str, separator: str) -> bool:
    return name_and_unit(_split(header, separator)[0])[0] == "time"


def _read_rows(file: TextIO, columns: int, separator: str) -> np.ndarray:
    """Return the rows of numbers that follow in a file; they may have decimal commas."""
    longest = columns * LONGEST_NUMBER

    def lines() -> Iterator[str]:
        row = 0
        while line := file.readline(longest + 1):
            row += 1
            if len(line) > longest:
                raise ValueError(f"its row {row} is longer than {columns} numbers are")
            if line.strip():
                yield line if separator == "," else line.replace(",", ".")

    rows = lines()
    first = next(rows, None)
    if first is None:
        raise ValueError("it has no rows")
    table = np.loadtxt(chain([first], rows), delimiter=separator, ndmin=2)
    if table.shape[1] != columns:
        raise ValueError(f"it has {columns} names and {table.shape[1]} columns")
    return table
