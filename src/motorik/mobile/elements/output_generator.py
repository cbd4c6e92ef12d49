"""OutputGenerator: an element that records intermediate values as a chain runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TextIO, runtime_checkable

import numpy as np

from motorik.errors import UnknownNameError, suggest
from motorik.mobile.elements.leaf import Leaf
from motorik.mobile.states.transmission import State, Subtask

Source = Callable[[], object] | tuple[State, str]
"""Where a value comes from: a function, or a state object and the name of an entry."""


@runtime_checkable
class HasNumpy(Protocol):
    """Values that convert to arrays: vectors, motors and matrices."""

    def numpy(self) -> np.ndarray:
        """Return the array."""
        ...


_is_quiet: ContextVar[bool] = ContextVar("is_quiet", default=False)


@contextmanager
def quiet() -> Iterator[None]:
    """Let nothing be recorded in traversals: they are evaluations, or run on symbols."""
    token = _is_quiet.set(True)
    try:
        yield
    finally:
        _is_quiet.reset(token)


class OutputGenerator(Leaf):
    """Records scalars, vectors or matrices in each traversal that passes it.

    A value is a state object with one of its entries, such as ``(phi, "q")``, or a function
    without arguments. Written values are kept in `records`, one dictionary for each
    traversal; with a `stream` it is printed there, too. With ``in_force=True`` it writes in
    force traversals instead of motion traversals. In a chain that is integrated it writes once
    at the end of each interval.

    >>> from motorik.mobile import AngularVariable
    >>> phi = AngularVariable("phi", q=0.5)
    >>> output = OutputGenerator({"phi": (phi, "q"), "2 phi": lambda: 2 * phi.q})
    >>> output.motion(); output.records
    [{'phi': 0.5, '2 phi': 1.0}]
    """

    def __init__(
        self,
        values: Mapping[str, Source],
        stream: TextIO | None = None,
        in_force: bool = False,
    ) -> None:
        self.values = dict(values)
        self.stream, self.in_force = stream, in_force
        self.records: list[dict[str, object]] = []
        for name, source in self.values.items():
            if not callable(source):
                _check_entry(name, *source)

    @property
    def inputs(self) -> Sequence[State]:
        """The state objects whose entries are written."""
        return tuple(s[0] for s in self.values.values() if not callable(s))

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Record the values, unless this is done in force traversals."""
        if not self.in_force and not _is_quiet.get():
            self.write()

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Record the values, if this is done in force traversals."""
        if self.in_force and not _is_quiet.get():
            self.write()

    def write(self) -> None:
        """Add the present values to `records`, and print them to the stream."""
        record = {name: _plain(_read(source)) for name, source in self.values.items()}
        self.records.append(record)
        if self.stream is not None:
            print(*(f"{name} = {v}" for name, v in record.items()), file=self.stream)

    def column(self, name: str) -> np.ndarray:
        """Return one of the values as an array, one row for each traversal."""
        return np.array([record[name] for record in self.records], dtype=float)


def _read(source: Source) -> object:
    return source() if callable(source) else getattr(*source)


def _plain(value: object) -> object:
    """Return vectors, motors and matrices as arrays, anything else as it is."""
    return value.numpy() if isinstance(value, HasNumpy) else value


def _check_entry(name: str, state: State, entry: str) -> None:
    if not hasattr(state, entry):
        known = [n for n in dir(state) if not n.startswith("_")]
        raise UnknownNameError(
            f"OutputGenerator {name!r}",
            f"{state!r} has no entry {entry!r}.",
            suggest(entry, known),
            parameter="entry",
            value=entry,
        )
