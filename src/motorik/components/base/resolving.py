"""Resolving: live numbers within values, functions too, found and replaced by scalars."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import CellType, FunctionType, MethodType
from typing import Any, ClassVar

from motorik.algebra.matrix import Matrix, Symmetric
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.live_numbers import (
    Formulas,
    Live,
    LiveFormula,
    LiveNumber,
    LiveScalar,
    Resolve,
    resolve_number,
)
from motorik.immutable import immutable

#: Rows of a table that are shown as they are.
SHOWN_ROWS = 16


class PlainRows(tuple[tuple[float, ...], ...]):
    """The rows of a table of plain numbers, of which there may be thousands."""

    __slots__ = ()

    def __repr__(self) -> str:
        if len(self) <= SHOWN_ROWS:
            return super().__repr__()
        return f"({self[0]}, {self[1]}, … {len(self) - 3} rows …, {self[-1]})"


#: Nothing live is in these.
PLAIN = frozenset((bool, int, float, str, type(None), PlainRows))
FUNCTIONS = (FunctionType, MethodType, partial)

Values = Any
"""Parameters as scalars to compute with, of any kind of part; of one kind it is `Self`."""


class Known(dict[Any, Any]):
    """Parameters of parts that have been resolved, and in `formulas` the formulas."""

    def __init__(self) -> None:
        super().__init__()
        self.formulas: Formulas = {}


def number_resolver(scalar: LiveScalar) -> float:
    """Resolve a live number to its present value."""
    return scalar.value


@immutable
class Derived:
    """A value computed from the parameters of `owner` when they are resolved."""

    owner: Any
    function: Callable[[Any], Any]


class NamedNumbers:
    """An immutable value that consists of numbers with names, which may be live.

    `_leaves` are the names. It is a law of friction, for example.
    """

    _leaves: ClassVar[tuple[str, ...]] = ()

    def replaced(self, change: Callable[[Any], Any]) -> NamedNumbers:
        """Return the value with every number changed; itself, if they all stay the same."""
        before = [self.__dict__[name] for name in self._leaves]
        after = [change(number) for number in before]
        if all(a is b for a, b in zip(before, after, strict=True)):
            return self
        twin = object.__new__(type(self))
        twin.__dict__.update(zip(self._leaves, after, strict=True))
        return twin


class LiveAxis(Vector):
    """A direction with live components, normalised when they are resolved."""

    __slots__ = ()


class LiveCall:
    """A user's function that mentions live parameters, kept by a part.

    Functions are not copied with a model; that of a copy uses the copied parameters.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = self.__wrapped__ = function
        self._seen = tuple(dict.fromkeys(leaf.parameter for leaf in live_leaves(function)))
        self._own = self._seen

    def own(self, leaf: LiveScalar) -> LiveScalar:
        """Return the live number of its model that one in the function stands for."""
        for seen, own in zip(self._seen, self._own, strict=True):
            if seen is leaf.parameter:
                return own.elements[leaf.index]
        return leaf

    def __eq__(self, other: object) -> bool:
        is_call = isinstance(other, LiveCall)
        return is_call and (self.function, self._own) == (other.function, other._own)

    def __hash__(self) -> int:
        return hash((self.function, self._own))

    def __deepcopy__(self, memo: dict[int, object]) -> LiveCall:
        twin = copy.copy(self)
        twin._own = copy.deepcopy(self._own, memo)
        return twin

    def __call__(self, *given: object) -> Any:
        """Return the function at the present values."""
        return resolve_value(self, lambda leaf: leaf.value)(*given)


def kept_value(value: Any) -> Any:
    """Return a value as a part keeps it."""
    is_live = isinstance(value, FUNCTIONS) and has_live(value)
    return LiveCall(value) if is_live else value


# --- live values ---------------------------------------------------------------------------


def is_surely_plain(value: object) -> bool:
    """Return whether a value certainly contains nothing live, by a quick test."""
    kind = type(value)
    if kind in PLAIN:
        return True
    if kind is Vector:
        x, y, z = value.xyz  # type: ignore[attr-defined]
        return type(x) is type(y) is type(z) is float
    return kind is tuple and all(type(entry) in PLAIN for entry in value)  # type: ignore[attr-defined]


def live_leaves(value: object) -> Iterator[LiveScalar]:
    """Return the live numbers that a value holds or follows from."""
    if type(value) in PLAIN:
        return
    if isinstance(value, LiveScalar):
        yield value
    elif isinstance(value, LiveFormula):
        yield from value.leaves()
    elif isinstance(value, Live):
        yield from live_leaves(value.operand())
    elif isinstance(value, (tuple, list)):
        for entry in value:
            yield from live_leaves(entry)
    elif isinstance(value, LiveCall):
        yield from map(value.own, live_leaves(value.function))
    elif isinstance(value, FUNCTIONS):
        for held in _held(value, set()):
            for seen in _attributes(held) if is_model(held) else [held]:
                yield from live_leaves(seen)
    else:
        for leaf in getattr(value, "_leaves", ()):
            yield from live_leaves(getattr(value, leaf))


def has_live(value: object) -> bool:
    """Return whether a value contains live numbers or follows from them."""
    if is_surely_plain(value):
        return False
    if is_model(value):
        return any(map(has_live, _attributes(value)))
    return next(live_leaves(value), None) is not None


def is_model(value: object) -> bool:
    """Return whether a value is a model, whose attributes may be live."""
    return getattr(value, "is_model", False) is True


def _attributes(model: object) -> list[object]:
    """Return the live numbers and vectors among the attributes of a model."""
    return [value for value in vars(model).values() if isinstance(value, (Live, Vector))]


def _held(function: object, seen: set[int]) -> Iterator[object]:
    """Return the values that a function refers to: of the functions around it, and global."""
    if id(function) in seen:
        return
    seen.add(id(function))
    if isinstance(function, partial):
        inner: list[object] = [function.func, *function.args, *function.keywords.values()]
    elif isinstance(function, MethodType):
        inner = [function.__func__, function.__self__]
    elif isinstance(function, FunctionType):
        inner = [cell.cell_contents for cell in _filled(function.__closure__)]
        inner += function.__defaults__ or ()
        inner += (function.__kwdefaults__ or {}).values()
        inner += _globals_of(function).values()
    else:
        inner = []
    for value in inner:
        if isinstance(value, FUNCTIONS):
            yield from _held(value, seen)
        elif type(value) not in PLAIN:
            yield value


def _globals_of(function: FunctionType) -> dict[str, object]:
    """Return the global names that a function of a user mentions."""
    space = function.__globals__
    if str(space.get("__name__", "")).partition(".")[0] == "motorik":
        return {}
    return {name: space[name] for name in function.__code__.co_names if name in space}


def _filled(cells: Sequence[CellType] | None) -> list[CellType]:
    """Return the cells of a closure that hold something by now."""
    return [cell for cell in cells or () if not _is_empty(cell)]


def _is_empty(cell: CellType) -> bool:
    try:
        return cell.cell_contents is cell
    except ValueError:
        return True


# --- resolved values ------------------------------------------------------------------------


def resolve_value(value: Any, resolve: Resolve, known: Known | None = None) -> Any:
    """Return a value with every live number in it replaced by `resolve` of it."""
    if is_surely_plain(value):
        return value
    kind = type(value)
    known = Known() if known is None else known
    if isinstance(value, LiveNumber):
        return resolve_number(value, resolve, known.formulas)
    if isinstance(value, Derived):
        if value.owner not in known:
            known[value.owner] = value.owner.resolved(resolve, known)
        return value.function(known[value.owner])
    if isinstance(value, (Vector, Matrix, Symmetric)):
        leaves = [getattr(value, leaf) for leaf in value._leaves]
        found = [resolve_value(leaf, resolve, known) for leaf in leaves]
        same = all(a is b for a, b in zip(leaves, found, strict=True))
        return value if same else kind(*found)
    if isinstance(value, Live):
        return resolve_value(value.operand(), resolve, known)
    if isinstance(value, NamedNumbers):
        return value.replaced(lambda number: resolve_value(number, resolve, known))
    if kind in (tuple, list):
        return kind(resolve_value(entry, resolve, known) for entry in value)
    if isinstance(value, LiveCall):
        own = value.own
        return _Functions(lambda leaf: resolve(own(leaf)), Known()).resolved(value.function)
    if isinstance(value, FUNCTIONS):
        return _Functions(resolve, known).resolved(value)
    return value


class _Functions:
    """Functions that see scalars where the user's saw live numbers."""

    def __init__(self, resolve: Resolve, known: Known) -> None:
        self._resolve, self._known = resolve, known
        self._made: dict[int, tuple[object, object]] = {}

    def resolved(self, value: object) -> Any:
        """Return a value as the functions see it; itself, if nothing in it is live."""
        if id(value) in self._made:
            return self._made[id(value)][1]
        if not isinstance(value, FUNCTIONS):
            if is_model(value):
                return _LiveView(value, self) if has_live(value) else value
            return resolve_value(value, self._resolve, self._known)
        if not has_live(value):
            return value
        if isinstance(value, partial):
            named = {name: self.resolved(v) for name, v in value.keywords.items()}
            return partial(
                self.resolved(value.func), *map(self.resolved, value.args), **named
            )
        if isinstance(value, MethodType):
            return MethodType(self.resolved(value.__func__), self.resolved(value.__self__))
        return self._function(value)

    def _function(self, value: FunctionType) -> FunctionType:
        space = value.__globals__
        others = {n: v for n, v in _globals_of(value).items() if has_live(v)}
        if others:
            space = {**space, **{n: self.resolved(v) for n, v in others.items()}}
        cells = tuple(CellType() for _ in value.__closure__ or ())
        made = FunctionType(
            value.__code__,
            space,
            value.__name__,
            tuple(map(self.resolved, value.__defaults__ or ())) or None,
            cells or None,
        )
        made.__kwdefaults__ = value.__kwdefaults__
        self._made[id(value)] = value, made  # before its cells, which may hold itself
        for cell, before in zip(cells, value.__closure__ or (), strict=True):
            if not _is_empty(before):
                cell.cell_contents = self.resolved(before.cell_contents)
        return made


class _LiveView:
    """A model as the function of a run sees it: its live attributes are scalars."""

    def __init__(self, model: object, functions: _Functions) -> None:
        self._model, self._functions = model, functions

    def __getattr__(self, name: str) -> Scalar:
        return self._functions.resolved(getattr(self._model, name))
