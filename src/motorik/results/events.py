"""Events of a run: time, part and change, as a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from motorik.errors import UnknownNameError, suggest
from motorik.immutable import immutable

if TYPE_CHECKING:
    import h5py
    import pandas

    from motorik.results.netcdf import NetcdfFile

SHOWN = 40  # events that are printed; of more the first and the last ones


@immutable
class Event:
    """An event: its time [s], the part, and a text of what changed.

    `before` and `after` are modes of the part. A hit has an impulse [`unit`], along the
    speed at which a gap opens, and the kinetic energy [J] that it takes from the mechanism.
    """

    time: float
    part: str
    what: str
    before: str = ""
    after: str = ""
    impulse: float = 0.0
    unit: str = ""
    energy_lost: float = 0.0
    instant: int = field(default=-1, repr=False, compare=False)  # instant of `at_event`

    def __str__(self) -> str:
        text = f"{self.time:.9g} s: {self.part} {self.what}"
        if self.impulse:
            return f"{text}, {self._impulse()}, {self.energy_lost:.6g} J lost"
        return f"{text} (before: {self.before})" if self.before else text

    def _impulse(self) -> str:
        return f"{self.impulse:.6g} {self.unit.replace('.', '·')}" if self.impulse else ""

    def cells(self) -> tuple[str, ...]:
        """Return the columns of the table as text."""
        lost = f"{self.energy_lost:.6g} J" if self.impulse else ""
        modes = self.before, self.after
        return f"{self.time:.9g}", self.part, self.what, *modes, self._impulse(), lost

    def concerns(self, part: str) -> bool:
        """Tell whether a part, or one inside it, takes part."""
        names = re.split(r"[\s,]+", self.part)
        return self.part == part or any(
            name == part or name.startswith(f"{part}.") for name in names
        )


HEADS = ("time [s]", "part", "what", "before", "after", "impulse", "energy lost")
WORDS = {"part", "what", "before", "after", "unit"}  # columns that hold text
COLUMNS = tuple(name for name in Event.__dataclass_fields__ if name != "instant")


class Events(Sequence[Event]):
    """The events of a run in order: ``events[0].time``, ``events.of("brake")``."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._events = tuple(events)

    def __len__(self) -> int:
        return len(self._events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    @overload
    def __getitem__(self, index: int) -> Event: ...

    @overload
    def __getitem__(self, index: slice) -> Events: ...

    def __getitem__(self, index: int | slice) -> Event | Events:
        if isinstance(index, slice):
            return Events(self._events[index])
        try:
            return self._events[index]
        except (IndexError, TypeError) as error:
            raise UnknownNameError(
                "events",
                f"there is no event {index!r}: the run has {len(self)}.",
                'Give a number from 0, or a part: events.of("brake").',
                value=index,
            ) from error

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Events) and self._events == other._events

    def __hash__(self) -> int:
        return hash(self._events)

    @property
    def times(self) -> np.ndarray:
        """The times [s]."""
        return np.array([event.time for event in self._events])

    @property
    def parts(self) -> list[str]:
        """The parts to which something happened."""
        return list(dict.fromkeys(event.part for event in self._events))

    def of(self, *parts: str) -> Events:
        """Return the events of parts, and of parts inside them; none if nothing happened."""
        for part in parts:
            if not isinstance(part, str):
                raise UnknownNameError(
                    "events",
                    f"{part!r} is not the name of a part.",
                    f"Give a path. {suggest(str(part), self.parts)}",
                    value=part,
                )
        return Events(e for e in self._events if any(map(e.concerns, parts)))

    def to_pandas(self) -> pandas.DataFrame:
        """Return the events as a `pandas.DataFrame`, one row each."""
        import pandas

        return pandas.DataFrame(self.columns())

    def columns(self) -> dict[str, list[object]]:
        """Return the columns by name."""
        rows = [asdict(event) for event in self._events]
        return {name: [row[name] for row in rows] for name in COLUMNS}

    def _lines(self) -> list[tuple[str, ...]]:
        """Return the printed table: heads, then rows, without empty columns."""
        kept = [*self._events]
        left_out = len(kept) - SHOWN
        if left_out > 1:
            kept = kept[: SHOWN // 2] + kept[-(SHOWN // 2) :]
        rows = [event.cells() for event in kept]
        if left_out > 1:
            more = ("…", f"{left_out} more", *[""] * (len(HEADS) - 2))
            rows.insert(SHOWN // 2, more)
        used = [k for k in range(len(HEADS)) if k < 3 or any(row[k] for row in rows)]
        return [tuple(row[k] for k in used) for row in (HEADS, *rows)]

    def __repr__(self) -> str:
        if not self._events:
            return "no events"
        lines = self._lines()
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        padded = (
            "  ".join(cell.ljust(n) for cell, n in zip(line, widths, strict=True))
            for line in lines
        )
        return "\n".join(line.rstrip() for line in padded)

    def _repr_html_(self) -> str:
        """Return the table for notebooks."""
        if not self._events:
            return "<p>no events</p>"
        import html

        heads, *rows = self._lines()
        top = "".join(f"<th>{html.escape(cell)}</th>" for cell in heads)
        body = "".join(
            f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>"
            for row in rows
        )
        return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


GROUP = "events"  # of a NetCDF file
INSTANT = "instant"  # the column of the instant, whose sides are in the group "sides"


def write_events(path: str | Path, events: Events) -> None:
    """Write events into a NetCDF file that exists, as a group of its own."""
    import xarray

    columns = {
        name: ("event", np.array(values, dtype=object if name in WORDS else float))
        for name, values in events.columns().items()
    }
    columns[INSTANT] = ("event", np.array([event.instant for event in events]))
    data = xarray.Dataset(columns)
    data.to_netcdf(path, engine="h5netcdf", mode="a", group=GROUP)


def read_events(file: NetcdfFile) -> Events:
    """Read the events of a NetCDF file; none if it has none."""
    group = file.group(GROUP)
    if group is None:
        return Events()
    names = [*COLUMNS, INSTANT] if INSTANT in group else COLUMNS
    columns = [_column(file, file.dataset(name, group), name) for name in names]
    rows = zip(*columns, strict=True)
    return Events(Event(**dict(zip(names, row, strict=True))) for row in rows)


def _column(file: NetcdfFile, dataset: h5py.Dataset, name: str) -> list[Any]:
    if name in WORDS:
        return file.texts(dataset)
    if dataset.ndim != 1:
        raise ValueError(f"the column {name!r} of its events has {dataset.ndim} axes")
    return file.numbers(dataset).astype(int if name == INSTANT else float).tolist()
