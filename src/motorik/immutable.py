"""Immutable records: `immutable` makes a frozen dataclass in a fifth of the usual time.

`dataclass(frozen=True)` compiles the text of six methods for each class, which takes about a
millisecond, and a run of a small model needs a hundred classes. Here only `__init__` is compiled;
the other methods are closures over the fields. `fields`, `replace`, `field`, inheritance and
pattern matching are those of the standard library.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from reprlib import recursive_repr
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
        methods = _methods(cls)
        if eq:
            methods |= _comparison(cls)
        for name, method in methods.items():
            # Python itself sets `__hash__` to None in a class that defines `__eq__`
            if vars(cls).get(name) is None:
                setattr(cls, name, method)
        return cls

    return make if cls is None else make(cls)


def _methods(cls: type) -> dict[str, Callable[..., Any]]:
    """Return the methods of a record that do not compare."""
    shown = [own.name for own in fields(cls) if own.repr]

    @recursive_repr()
    def show(self: object) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__qualname__}({values})"

    return {
        "__init__": _compiled_init(cls),
        "__repr__": show,
        "__setattr__": _refuse_to_assign,
        "__delattr__": _refuse_to_delete,
    }


def _comparison(cls: type) -> dict[str, Callable[..., Any]]:
    """Return equality and hash of a record: those of the tuple of its fields."""
    key = _take([own.name for own in fields(cls) if own.compare])

    def is_equal(self: object, other: object) -> bool:
        return key(self) == key(other) if type(other) is type(self) else NotImplemented

    def digest(self: object) -> int:
        return hash(key(self))

    return {"__eq__": is_equal, "__hash__": digest}


def _take(names: list[str]) -> Callable[[object], tuple[object, ...]]:
    """Return the function from a record to the tuple of some of its fields."""
    if len(names) > 1:
        return attrgetter(*names)  # of one name it returns no tuple
    return lambda record: tuple(getattr(record, name) for name in names)


def _refuse_to_assign(self: object, name: str, value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


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
    text = "\n".join([f"def __init__({', '.join(arguments)}):", *(body or [" pass"])])
    exec(text, known)
    init = known["__init__"]
    init.__annotations__ = {own.name: own.type for own in fields(cls)} | {"return": None}
    return init
