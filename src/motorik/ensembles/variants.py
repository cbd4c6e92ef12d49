"""Variants: starts and parameters of many runs, from columns, matrices or tables."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from motorik.errors import ParameterError, UnknownNameError, suggest
from motorik.initialisation.initialise import given_values

if TYPE_CHECKING:
    from motorik.prepared_run import PreparedRun


class Columns(Protocol):
    """Columns by name: a dict, a table of pandas, a dataset of xarray."""

    def keys(self) -> Iterable[Hashable]:
        """Return the names."""
        ...

    def __getitem__(self, name: str, /) -> object: ...


Table = Columns | Sequence[Mapping[str, float]] | np.ndarray | None


class Variants:
    """The differences between the runs of an ensemble, read and checked.

    `starts` and `parameters` give columns by name, a number for each run or one for all; or a
    matrix with a line for each run, in the order of `start_names` and `parameter_names`; or a
    sequence of dicts; or a table of pandas or xarray.
    """

    def __init__(self, run: PreparedRun, starts: Table, parameters: Table) -> None:
        self._run = run
        layout = run.system.layout
        self._known = [*layout.index, *layout.kept_signals]
        started = read_table("starts", starts, layout.state_names)
        given = read_table("parameters", parameters, list(layout.live_names))
        for name in started:
            self._check_start(name)
        self._places = {name: run.places_of(name) for name in given}
        self.parameter_places = [int(k) for own in self._places.values() for k in own]
        lines = {name: count_lines(values, 1) for name, values in started.items()}
        for name, values in given.items():
            lines[name] = count_lines(values, self._places[name].size)
        self.count = find_count(lines)
        self.varied: dict[str, np.ndarray] = {}  # values of parameters, by name
        self.live = self._live_values(given)
        self._read_starts(started, starts is None)

    # --- parameters ------------------------------------------------------------------------

    def _live_values(self, columns: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return all live values, a line for each variant or one for all of them."""
        run = self._run
        if not columns:
            return run.live_values({})[None, :]
        live = np.repeat(run.live_values({})[None, :], self.count, axis=0)
        for name, values in columns.items():
            places = self._places[name]
            numbers = self._lines(name, values, places.size)
            live[:, places] = numbers
            self.varied[name] = numbers[:, 0] if places.size == 1 else numbers
        if run.system.n_designed:
            live = np.array([run.system.completed(line) for line in live])
        return live

    def _lines(self, name: str, values: np.ndarray, size: int) -> np.ndarray:
        """Return a line of so many numbers for each variant, or refuse the values."""
        own = (size,) if size > 1 else ()
        if values.shape not in (own, (self.count, *own)):
            what = "a number" if size == 1 else f"{size} numbers"
            raise ParameterError(
                name,
                f"its values have the shape {values.shape}.",
                f"Give {what} for each of {self.count} variants, or the same for all.",
                parameter=name,
                value=values,
            )
        numbers = np.broadcast_to(values, (self.count, *own)).reshape(self.count, size)
        bad = np.argwhere(~np.isfinite(numbers))
        if bad.size:
            k, j = bad[0]
            raise ParameterError(
                name,
                f"its value {numbers[k, j]} in variant {k} is not a finite number.",
                "Give finite numbers in SI units.",
                parameter=name,
                value=float(numbers[k, j]),
            )
        return numbers

    def live_at(self, k: int) -> np.ndarray:
        """Return all live values of a variant."""
        return self.live[k if len(self.live) > 1 else 0]

    # --- starts ------------------------------------------------------------------------------

    def _read_starts(self, columns: Mapping[str, np.ndarray], is_default: bool) -> None:
        """Read start values by name: those of states, and beside them of kept signals."""
        run, layout = self._run, self._run.system.layout
        self.base = dict(run.options.initial) if is_default else {}
        self.start_names = tuple(columns)
        lines = [self._lines(name, values, 1)[:, 0] for name, values in columns.items()]
        self.starts = np.array(lines).T if lines else np.empty((self.count, 0))
        self.pattern: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        if not any(name in layout.kept_signals for name in (*columns, *self.base)):
            X, fixed = given_values(run.system, self.given_at(0))
            places = np.array([layout.index[name] for name in columns], dtype=np.intp)
            self.pattern = X, fixed, places

    def _check_start(self, name: str) -> None:
        """Refuse a start value of what is no state."""
        if name not in self._known:
            raise UnknownNameError(
                "starts",
                f"there is no state {name!r}.",
                suggest(name, self._known),
                parameter="starts",
                value=name,
            )

    def given_at(self, k: int) -> dict[str, float]:
        """Return the start values of a variant by name."""
        return self.base | dict(zip(self.start_names, self.starts[k].tolist(), strict=True))


def count_lines(values: np.ndarray, size: int) -> int | None:
    """Return for how many variants there are values of so many numbers, None if for all."""
    return values.shape[0] if values.ndim == (2 if size > 1 else 1) else None


def find_count(lines: Mapping[str, int | None]) -> int:
    """Return the count of variants, the same in all columns."""
    counts = {name: count for name, count in lines.items() if count is not None}
    if len(set(counts.values())) > 1:
        sizes = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise ParameterError(
            "variants",
            f"the columns are of unequal length: {sizes}.",
            "Give a value for each variant in every column, or one value for all variants.",
            parameter="variants",
            value=sorted(set(counts.values())),
        )
    count = next(iter(counts.values()), 1)
    if count == 0:
        raise ParameterError(
            "variants",
            "there are none: the columns are empty.",
            "Give at least one value in each column.",
            parameter="variants",
            value=0,
        )
    return count


def read_table(what: str, given: Table, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Return columns by name, or refuse what is no table."""
    if given is None:
        return {}
    if isinstance(given, Sequence) and len(given) and isinstance(given[0], Mapping):
        given = join_lines(what, cast("Sequence[Mapping[str, object]]", given))
    if hasattr(given, "keys"):
        own = cast("Columns", given)
        return {str(n): as_array(what, n, own[cast("str", n)]) for n in own.keys()}
    matrix = as_array(what, what, given)
    if matrix.ndim != 2 or matrix.shape[1] != len(names):
        raise ParameterError(
            what,
            f"has the shape {matrix.shape}, and there are {len(names)} values: "
            f"{', '.join(names[:8])}{', …' if len(names) > 8 else ''}.",
            "Give a matrix with a line for each variant, or columns by name.",
            parameter=what,
            value=given,
        )
    return dict(zip(names, matrix.T, strict=True))


def join_lines(what: str, lines: Sequence[Mapping[str, object]]) -> dict[str, list[object]]:
    """Return columns from dicts of the same names."""
    names = list(lines[0])
    for k, line in enumerate(lines):
        if set(line) != set(names):
            odd = sorted(set(line) ^ set(names))
            raise ParameterError(
                what,
                f"variant {k} has other names than the first: {', '.join(map(str, odd))}.",
                "Give the same names in every variant.",
                parameter=what,
                value=line,
            )
    return {name: [line[name] for line in lines] for name in names}


def as_array(what: str, name: object, value: object) -> np.ndarray:
    """Return numbers as an array, or refuse them."""
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise ParameterError(
            str(name),
            f"{what} are {value!r}, which are not numbers of one shape.",
            "Give an array of numbers in SI units.",
            parameter=str(name),
            value=value,
        ) from None


def blocks(
    count: int, threads: int, share: int, sizes: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield the beginnings and ends of blocks of so many variants: ever smaller ones.

    Each of the threads takes one part in `share` of its share of those that are left, so all come
    to their ends at about the same time. `sizes` are the most and the least in a block.
    """
    most, least = sizes
    first = 0
    while first < count:
        part = -(-(count - first) // (share * threads))
        size = max(min(most, part), least)
        yield first, min(first + size, count)
        first += size
