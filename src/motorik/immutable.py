"""Records: `immutable` and `mutable` make dataclasses in a tenth of the usual time.

`dataclass` reads the annotations of a class and compiles the text of several methods, which takes
about a millisecond. A run of a small model needs a hundred classes, of which it makes instances of
a third, and of most of these only a few. So the fields are found when they are first needed,
`__init__` is compiled when there have been some instances, and all classes share the other methods.
`fields`, `replace`, `field`, inheritance and pattern matching are those of the standard library.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import (
    MISSING,
    Field,
    FrozenInstanceError,
    dataclass,
    field,
    fields,
)
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
    methods = {**SHOWN, **FROZEN, **({**EQUAL, **HASHED} if eq else {})}

    def make(cls: type[T]) -> type[T]:
        return _make_record(cls, kw_only, methods)

    return make if cls is None else make(cls)


@dataclass_transform(field_specifiers=(field,))
def mutable(cls: type[T], /) -> type[T]:
    """Make a class a dataclass whose fields may be assigned."""
    return _make_record(cls, False, {**SHOWN, **EQUAL, "__hash__": None})


def _make_record(cls: type[T], kw_only: bool, methods: dict[str, Any]) -> type[T]:
    late = _Fields(cls, kw_only)
    own = vars(cls)
    # `field(default=…)` must become its value; one with a factory is never read from the class
    has_defaults = any(
        type(value) is Field and value.default is not MISSING for value in own.values()
    )
    for name, method in {"__init__": _Initialiser(cls), **methods}.items():
        # Python itself sets `__hash__` to None in a class that defines `__eq__`
        if own.get(name) is None:
            setattr(cls, name, method)
    for name in ("__dataclass_fields__", "__match_args__"):
        setattr(cls, name, _Late(late, name))
    if has_defaults:
        late.find()
    return cls


_FINDING = threading.RLock()


class _Fields:
    """The fields of a record, not yet found."""

    def __init__(self, cls: type, kw_only: bool) -> None:
        self.cls, self.kw_only = cls, kw_only

    def find(self) -> None:
        """Find them, once."""
        with _FINDING:
            if isinstance(vars(self.cls)["__dataclass_fields__"], _Late):
                own = {"init": False, "repr": False, "eq": False, "match_args": False}
                dataclass(**own, kw_only=self.kw_only)(self.cls)
                found = fields(self.cls)  # type: ignore[arg-type]
                names = tuple(each.name for each in found if not each.kw_only)
                self.cls.__match_args__ = names  # type: ignore[attr-defined]


class _Late:
    """An attribute of a class that exists when the fields have been found."""

    def __init__(self, late: _Fields, name: str) -> None:
        self.late, self.name = late, name

    def __get__(self, instance: object, owner: type) -> Any:
        self.late.find()
        return vars(self.late.cls)[self.name]


FEW = (
    32  # instances before `__init__` is compiled, which takes as long as some fifty of them
)


class _Initialiser:
    """The `__init__` of a record: a general one for a few instances, then a compiled one."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self._made = 0
        self._fields: tuple[Field[Any], ...] = ()

    def __get__(self, instance: object, owner: type) -> Callable[..., None]:
        if instance is not None and self._made < FEW:
            self._made += 1
            return MethodType(self._assign, instance)
        init = self._compile()
        return init if instance is None else MethodType(init, instance)

    def _compile(self) -> Callable[..., None]:
        init = _compiled_init(self.cls)
        self.cls.__init__ = init  # type: ignore[misc]
        return init

    def _assign(self, record: object, *values: object, **named: object) -> None:
        """Assign all fields; arguments that do not suit are refused by the compiled method."""
        known = self._fields = self._fields or fields(self.cls)  # type: ignore[arg-type]
        taken, by_name = 0, 0
        for own in known:
            name = own.name
            if taken < len(values) and not own.kw_only:
                value = values[taken]
                taken += 1
            elif name in named:
                value = named[name]
                by_name += 1
            elif own.default is not MISSING:
                value = own.default
            elif own.default_factory is not MISSING:
                value = own.default_factory()
            else:
                taken = -1
                break
            object.__setattr__(record, name, value)
        if taken != len(values) or by_name != len(named):
            self._compile()(record, *values, **named)
            return
        check = getattr(record, "__post_init__", None)
        if check is not None:
            check()


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


SHOWN = {"__repr__": _show}
FROZEN = {"__setattr__": _refuse_to_assign, "__delattr__": _refuse_to_delete}
EQUAL = {"__eq__": _is_equal}
HASHED = {"__hash__": _digest}


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
