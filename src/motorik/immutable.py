"""Immutable records: `immutable` makes a frozen dataclass in a tenth of the usual time.

`dataclass(frozen=True)` compiles the text of six methods for each class, which takes about a
millisecond, and a run of a small model needs a hundred classes, of which it makes instances of a
half. Here `__init__` is compiled when the first instance is made, and all classes share the other
methods. `fields`, `replace`, `field`, inheritance and pattern matching are those of the standard
library.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from types import MethodType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, overload

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: object) -> Any:
        """Return a decorator that changes nothing: it speaks to type checkers."""
        return lambda function: function


T = TypeVar("T")


class _Factory:
    """The default of an argument whose value is made for each instance."""

    def __repr__(self) -> str:
        return "<factory>"


FACTORY = _Factory()


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def immutable(cls: type[T], /) -> type[T]: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def immutable(
    *, eq: bool = True, kw_only: bool = False
) -> Callable[[type[T]], type[T]]: ...
def immutable(cls: Any = None, /, *, eq: bool = True, kw_only: bool = False) -> Any:
    """Make a class a frozen dataclass; with `eq=False` each instance equals only itself."""

    def make(cls: type[T]) -> type[T]:
        dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
        methods = {"__init__": _Initialiser(cls), **METHODS, **(COMPARISON if eq else {})}
        for name, method in methods.items():
            # Python itself sets `__hash__` to None in a class that defines `__eq__`
            if vars(cls).get(name) is None:
                setattr(cls, name, method)
        return cls

    return make if cls is None else make(cls)


class _Initialiser:
    """The `__init__` of a record: a function that is compiled when it is first asked for."""

    def __init__(self, cls: type) -> None:
        self.cls = cls

    def __get__(self, instance: object, owner: type) -> Callable[..., None]:
        init = _compiled_init(self.cls)
        self.cls.__init__ = init  # type: ignore[misc]
        return init if instance is None else MethodType(init, instance)


@recursive_repr()
def _show(self: Any) -> str:
    """Return the class and the fields as they are written."""
    shown = [own.name for own in fields(self) if own.repr]
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
    return f"{type(self).__qualname__}({values})"


def _is_equal(self: object, other: object) -> bool:
    """Return whether the other is of the same class and has equal fields."""
    if type(other) is not type(self):
        return NotImplemented
    key = _key(type(self))
    return key(self) == key(other)


def _digest(self: object) -> int:
    """Return the hash of the fields."""
    return hash(_key(type(self))(self))


@cache
def _key(cls: type) -> Callable[[object], tuple[object, ...]]:
    """Return the function from a record to the tuple of the fields that count for equality."""
    names = [own.name for own in fields(cls) if own.compare]
    if len(names) > 1:
        return attrgetter(*names)  # of one name it returns no tuple
    return lambda record: tuple(getattr(record, name) for name in names)


def _refuse_to_assign(self: object, name: str, value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


METHODS = {
    "__repr__": _show,
    "__setattr__": _refuse_to_assign,
    "__delattr__": _refuse_to_delete,
}
COMPARISON = {"__eq__": _is_equal, "__hash__": _digest}


def _compiled_init(cls: type) -> Callable[..., None]:
    """Return `__init__` with one argument for each field, in the order of a dataclass."""
    arguments: list[str] = ["self"]
    by_keyword: list[str] = []
    body: list[str] = []
    known: dict[str, Any] = {"_assign": object.__setattr__, "_FACTORY": FACTORY}
    for own in fields(cls):
        name, value = own.name, own.name
        argument = name
        if own.default_factory is not MISSING:
            known[f"_make_{name}"] = own.default_factory
            argument = f"{name}=_FACTORY"
            value = f"_make_{name}() if {name} is _FACTORY else {name}"
        elif own.default is not MISSING:
            known[f"_default_{name}"] = own.default
            argument = f"{name}=_default_{name}"
        (by_keyword if own.kw_only else arguments).append(argument)
        body.append(f" _assign(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    if by_keyword:
        arguments += ["*", *by_keyword]
    text = "\n ".join(
        [
            f"def make({', '.join(known)}):",
            f"def __init__({', '.join(arguments)}):",
            *(body or [" pass"]),
            "return __init__",
        ]
    )
    made: dict[str, Any] = {}
    exec(
        text, vars(sys.modules[cls.__module__]), made
    )  # where its annotations have a meaning
    init = made["make"](**known)
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {own.name: own.type for own in fields(cls)} | {"return": None}
    return init
