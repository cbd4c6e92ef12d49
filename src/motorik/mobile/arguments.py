"""Checks of the arguments of public constructors, with messages that name the argument."""

from __future__ import annotations

import builtins
import functools
import inspect
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import (
    Any,
    Literal,
    NoReturn,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)
from weakref import ref

import numpy as np

from motorik.algebra.angle import Angle
from motorik.algebra.value import Value
from motorik.algebra.vector import Vector
from motorik.errors import MotorikError, ParameterError, UnknownNameError, suggest

Call = tuple[inspect.Signature, tuple[object, ...], dict[str, object]]
"""How an object was made: the signature of its constructor, and the arguments."""

_CALLS: dict[int, tuple[ref[object], Call]] = {}


def call_of(made: object) -> Call | None:
    """Return the arguments with which an element, chord or system was made, if they are known."""
    known = _CALLS.get(id(made))
    return known[1] if known is not None and known[0]() is made else None


def _note_call(made: object, call: Call) -> None:
    """Note how an object was made, for as long as it is there."""
    key = id(made)
    with suppress(TypeError):  # state objects have no references to them
        _CALLS[key] = (ref(made, lambda _: _CALLS.pop(key, None)), call)


P = ParamSpec("P")
R = TypeVar("R")
NO_NUMBERS = (str, bytes, complex, type, Mapping, Sequence, types.FunctionType)
SEVERAL = (list, tuple, Sequence, Iterable, Collection)


def check_arguments(kind: type) -> None:
    """Make the constructor of a class refuse missing, unknown and unsuitable arguments."""
    for base in kind.__mro__:
        make = base.__init__ if "__init__" in base.__dict__ else None
        is_ours = base.__module__.startswith("motorik.mobile")
        if not (is_ours and inspect.isfunction(make)) or "_is_protocol" in base.__dict__:
            continue
        if not hasattr(make, "__wrapped__"):
            base.__init__ = _checked(make, base.__name__)  # type: ignore[misc]


def checked_function(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that refuses missing, unknown and unsuitable arguments."""
    return _checked(function, function.__name__)


def _checked(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    signature = inspect.signature(function)
    own = [p for p in signature.parameters if p != "self"]
    hints: dict[str, object] | None = None
    is_constructor = function.__name__ == "__init__"

    def refuse(title: str, args: tuple[object, ...], given: Mapping[str, object]) -> None:
        """Raise an error if an argument is missing, unknown or of another type."""
        nonlocal hints
        try:
            bound = signature.bind(*args, **given)
        except TypeError as error:
            _refuse_call(title, str(error), own, args[is_constructor:], given)
        if hints is None:
            hints = _hints_of(function)
        for parameter, value in bound.arguments.items():
            hint, kind = hints.get(parameter, Any), signature.parameters[parameter].kind
            if parameter == "self" or kind is inspect.Parameter.VAR_KEYWORD:
                continue
            several = kind is inspect.Parameter.VAR_POSITIONAL
            for one in value if several else (value,):
                if not fits(one, hint):
                    raise ParameterError(
                        title,
                        f"{parameter} = {one!r} is not {in_words(hint)}.",
                        f"Give {in_words(hint)}.",
                        parameter=parameter,
                        value=one,
                    )

    @functools.wraps(function)
    def checked(*args: object, **given: object) -> Any:
        title = type(args[0]).__name__ if is_constructor and args else name
        try:
            found = function(*args, **given)
            if is_constructor and type(args[0]).__init__ is checked:
                _note_call(args[0], (signature, args[1:], given))
        except MotorikError:
            raise
        except (TypeError, AttributeError, KeyError, IndexError, ValueError):
            refuse(title, args, given)
            raise
        refuse(title, args, given)
        return found

    return checked


def _refuse_call(
    name: str,
    error: str,
    own: Sequence[str],
    args: tuple[object, ...],
    given: Mapping[str, object],
) -> NoReturn:
    """Raise for arguments that a function does not take, or lacks."""
    for option in given:
        if option not in own:
            raise UnknownNameError(
                name,
                f"has no argument {option!r}.",
                suggest(option, own),
                parameter=option,
                value=given[option],
            ) from None
    raise ParameterError(
        name,
        f"{error}.",
        f"Write {name}({', '.join(own)}).",
        parameter=error.rpartition(": '")[2].rstrip("'") if "missing" in error else own[-1],
        value=args,
    ) from None


def _hints_of(function: Callable[..., Any]) -> dict[str, object]:
    """Return the types of the arguments; names known to type checkers only match any type."""
    try:
        return get_type_hints(function, localns=_Names(function))  # type: ignore[arg-type]
    except (NameError, TypeError, AttributeError):
        return {}


class _Names(dict[str, object]):
    """The names in annotations: a scalar is a number, an unknown name matches any type."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(
            Scalar=float, AngleLike=float | Angle, VectorLike=Vector | Sequence[float]
        )
        self._known = {**vars(builtins), **inspect.unwrap(function).__globals__}

    def __missing__(self, name: str) -> object:
        return self._known.get(name, Any)


def fits(value: object, hint: object) -> bool:
    """Return whether a value may be of a type; whether it surely is not of it, else."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if hint is None or hint is type(None):
        return value is None
    if origin in (Union, types.UnionType):
        return any(fits(value, one) for one in inner)
    if origin is Literal:
        return value in inner
    if origin in SEVERAL:
        return _are_several(value, origin, inner)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return isinstance(value, Mapping)
    if origin is not None:
        return callable(value) if "Callable" in str(origin) else True
    if hint is float:
        return _is_number(value)
    if hint is int:
        return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not isinstance(hint, type) or hint.__module__ == "typing":
        return True
    if getattr(hint, "_is_protocol", False):
        return value is not None and not isinstance(value, (str, bytes, dict, complex))
    if hint is bool:
        return isinstance(value, (bool, np.bool_))
    if issubclass(hint, Value) and not isinstance(value, (str, bytes)):
        # vectors, matrices and angles are also taken as plain numbers
        return isinstance(value, (hint, Sequence, np.ndarray)) or _is_number(value)
    return isinstance(value, hint)


def _are_several(value: object, origin: object, inner: tuple[object, ...]) -> bool:
    if isinstance(value, (str, bytes, Mapping, type)) or not isinstance(value, Iterable):
        return False
    if not isinstance(value, (Sequence, np.ndarray)) or not inner:
        return True
    if origin is tuple and Ellipsis not in inner:
        pairs = zip(value, inner, strict=False)
        return len(value) == len(inner) and all(fits(one, hint) for one, hint in pairs)
    return all(fits(one, inner[0]) for one in value)


def _is_number(value: object) -> bool:
    """Return whether a value is one number that is known, or a symbol of one."""
    if value is None or isinstance(value, NO_NUMBERS) or not hasattr(value, "__mul__"):
        return False
    if isinstance(value, np.ndarray) and value.ndim:
        return False
    return not (isinstance(value, (float, np.floating)) and np.isnan(value))


def in_words(hint: object) -> str:
    """Return a type as a noun."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is None or hint is type(None):
        return "None"
    if origin in (Union, types.UnionType):
        return " or ".join(in_words(one) for one in inner)
    if origin is Literal:
        return " or ".join(map(repr, inner))
    if origin in SEVERAL:
        members = [one for one in inner if one is not Ellipsis]
        return f"several of {in_words(members[0])}" if members else "several values"
    plain = {float: "a number", int: "a whole number", str: "a text", bool: "True or False"}
    if hint in plain:
        return plain[hint]  # type: ignore[index]
    name = getattr(hint, "__name__", "") or str(hint)
    if origin is not None:
        return "a function" if "Callable" in str(origin) else "a dict"
    return f"{'an' if name[:1] in 'AEIOU' else 'a'} {name}"
