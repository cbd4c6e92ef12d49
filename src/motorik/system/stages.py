"""Stages: variables traced one after another, each from quantities of those before.

All variables of a system are traced in one motion. Quantities that a trace adds to the tables of
the motion, such as motions and loads of links, are computed by its stage, and are available as
plain symbols to the next: a variable costs only the operations that are new. Variables that are
asked for together share a stage. The stages belong to the system; each result runs those that it
needs on its own samples.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from motorik.algebra.scalar import Scalar, is_number
from motorik.compiler.interpret import Interpreted
from motorik.compiler.symbols import elements
from motorik.immutable import immutable
from motorik.motion.catalogue import position_of, ravel

if TYPE_CHECKING:
    import casadi

    from motorik.algebra.scalar import Scalar
    from motorik.motion.view import MotionView
    from motorik.system.equations import Equations


# --- tables of stages ----------------------------------------------------------------------


TOGETHER = 64  # variables that are asked for at once and share a stage
Tables = dict[int, np.ndarray]


class StageCache:
    """Tables of numbers by owner, as long as the owner exists and memory suffices."""

    def __init__(self) -> None:
        self._tables: WeakKeyDictionary[Any, Tables] = WeakKeyDictionary()

    def of(self, owner: object) -> Tables:
        """Return the tables of an owner, which is from now on the latest."""
        tables = self._tables.pop(owner, {})
        self._tables[owner] = tables
        return tables

    def make_room(self, owner: object, more: float, most: float) -> bool:
        """Return whether so many more bytes of an owner fit into the limit.

        If they do, values of other owners are dropped, the oldest first, until they fit.
        """
        own = size_of(self.of(owner)) + more
        if own > most:
            return False
        others = [one for one in self._tables if one is not owner]
        left = sum(size_of(self._tables[one]) for one in others)
        for one in others:
            if own + left <= most:
                break
            left -= size_of(self._tables.pop(one))
        return True

    @property
    def size(self) -> int:
        """The bytes of all that is kept."""
        return sum(map(size_of, self._tables.values()))


def size_of(tables: Tables) -> int:
    """Return the bytes of tables."""
    return sum(array.nbytes for array in tables.values())


# --- stages --------------------------------------------------------------------------------


Group = str | int
"""The source of numbers: an argument by name, a stage by its number."""

Lookup = Callable[[Group], np.ndarray]
"""Returns the numbers of a group, a matrix row for each sample."""


@immutable
class GatheredColumns:
    """Columns that are taken together from several groups.

    Each of `takes` is a group, the columns taken from it and the places that they come to;
    `constants` are those of the other places.
    """

    constants: np.ndarray
    takes: tuple[tuple[Group, np.ndarray, np.ndarray], ...]

    @staticmethod
    def of(sources: Sequence[float | tuple[Group, int]]) -> GatheredColumns:
        """Return the columns of these sources, numbers or places in groups."""
        constants = np.zeros(len(sources))
        found: dict[Group, tuple[list[int], list[int]]] = {}
        for place, source in enumerate(sources):
            if isinstance(source, tuple):
                columns, places = found.setdefault(source[0], ([], []))
                columns.append(source[1])
                places.append(place)
            else:
                constants[place] = source
        takes = ((g, np.array(c), np.array(p)) for g, (c, p) in found.items())
        return GatheredColumns(constants, tuple(takes))

    def at_samples(self, count: int, lookup: Lookup) -> np.ndarray:
        """Return the columns for so many samples."""
        table = np.empty((count, self.constants.size))
        table[:] = self.constants
        for group, columns, places in self.takes:
            table[:, places] = lookup(group)[:, columns]
        return table

    @property
    def stages(self) -> Iterable[int]:
        """The stages that it takes from."""
        return (group for group, _, _ in self.takes if isinstance(group, int))


@immutable
class EvaluationStage:
    """One evaluation stage: maps known scalars to new ones."""

    given: GatheredColumns
    function: Interpreted
    size: int

    def at_samples(self, count: int, lookup: Lookup) -> np.ndarray:
        """Return the new numbers for so many samples."""
        return self.function.map(self.given.at_samples(count, lookup))


@immutable
class Staged:
    """A variable: where its scalars are found, and its shape."""

    scalars: GatheredColumns
    shape: tuple[int, ...]


class _Opened:
    """A stage that is being made: the values that it will compute, each once."""

    def __init__(self, number: int, sources: Mapping[int, tuple[Group, int]]) -> None:
        self.number, self._sources = number, sources
        self.values: list[casadi.SX] = []
        self._places: dict[int, int] = {}  # by the hash of a value

    def source(self, value: Scalar) -> float | tuple[Group, int]:
        """Return where a scalar is found; what is not known yet will be computed here."""
        place = self.place(value)
        if place is not None:
            return self.number, place
        if is_number(value) or value.is_constant():
            return float(value)
        return self._sources[value.element_hash()]

    def place(self, value: Scalar) -> int | None:
        """Return where a scalar stands among the values; None if it is known without them."""
        if is_number(value) or value.is_constant():
            return None
        key = value.element_hash()
        if key in self._sources:
            return None
        if key not in self._places:
            self._places[key] = len(self.values)
            self.values.append(value)
        return self._places[key]


class Stages:
    """The variables of a system, each traced on first use."""

    def __init__(self, equations: Equations) -> None:
        self.equations = equations
        self.stages: list[EvaluationStage] = []
        self.kept = StageCache()  # values of stages, by the samples of a result
        self.lock = threading.RLock()
        self._sources: dict[int, tuple[Group, int]] = {}  # by the hash of a symbol
        self._symbols: list[casadi.SX] = []  # kept, so that hashes stay theirs
        self._done: list[int] = []  # of each table of the motion: entries that are known
        self._variables: dict[str, Staged] = {}

    @cached_property
    def _view(self) -> MotionView:
        """The motion that all variables are traced in."""
        named, motion = self.equations.new_view()
        for group, column in {**named, "p": self.equations.p}.items():
            self._know(group, elements(column))
        return motion

    def _know(self, group: Group, symbols: Sequence[casadi.SX]) -> None:
        self._symbols += symbols
        for k, symbol in enumerate(symbols):
            self._sources[symbol.element_hash()] = (group, k)

    def variables(self, names: Sequence[str]) -> list[Staged]:
        """Return where variables are found; those that are new share stages."""
        with self.lock:
            new = [name for name in dict.fromkeys(names) if name not in self._variables]
            for first in range(0, len(new), TOGETHER):
                self._trace(new[first : first + TOGETHER])
            return [self._variables[name] for name in names]

    def shape_of(self, name: str) -> tuple[int, ...]:
        """Return the shape of a variable at one instant."""
        return self.variables([name])[0].shape

    def needed_for(self, variables: Iterable[Staged], known: Iterable[int]) -> list[int]:
        """Return the stages beside the known ones that these variables need, in order."""
        left = [number for variable in variables for number in variable.scalars.stages]
        seen = set(known)
        needed: list[int] = []
        while left:
            number = left.pop()
            if number not in seen:
                seen.add(number)
                needed.append(number)
                left += self.stages[number].given.stages
        return sorted(needed)

    def _trace(self, names: Sequence[str]) -> None:
        """Trace variables, with one stage for what is new in all of them."""
        stage = _Opened(len(self.stages), self._sources)
        found = {}
        for name in names:
            entry, index = self.equations.catalogue.find(name)
            flat, shape = ravel(entry.value(self._view))
            if index is not None:
                flat, shape = [flat[position_of(name, index, shape)]], ()
            values = [stage.source(value) for value in flat]
            found[name] = Staged(GatheredColumns.of(values), shape)
        self._close(stage)
        self._variables |= found

    def _close(self, stage: _Opened) -> None:
        """Let a stage compute what is new in the tables, and put symbols in its place."""
        import casadi

        from motorik.compiler.flattening import flatten, unflatten

        new = []
        self._done += [0] * (len(self._view.tables) - len(self._done))
        for k, table in enumerate(self._view.tables):
            for key, value in islice(table.items(), self._done[k], None):
                leaves: list[Scalar] = []
                structure = flatten(value, casadi.SX, leaves)
                places = [stage.place(leaf) for leaf in leaves]
                new.append((table, key, structure, leaves, places))
            self._done[k] = len(table)
        if not stage.values:
            return
        symbols = elements(casadi.SX.sym(f"stage{stage.number}", len(stage.values)))
        for table, key, structure, leaves, places in new:
            pairs = zip(leaves, places, strict=True)
            known = [leaf if place is None else symbols[place] for leaf, place in pairs]
            table[key] = unflatten(structure, known)
        column = casadi.vertcat(*stage.values)
        given = casadi.symvar(column)
        sources = [self._sources[symbol.element_hash()] for symbol in given]
        function = casadi.Function("stage", [casadi.vertcat(*given)], [column])
        self.stages.append(
            EvaluationStage(
                GatheredColumns.of(sources), Interpreted(function), len(stage.values)
            )
        )
        self._know(stage.number, symbols)
