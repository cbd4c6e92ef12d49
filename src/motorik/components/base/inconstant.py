"""Laws that would be another constant in every trace: random numbers and clocks."""

from __future__ import annotations

import datetime
import inspect
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

RANDOM, CLOCK = "random numbers", "a clock"
DEEPEST = 3  # functions of the user that call one another
CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "time_ns")
NOW = ("now", "today", "utcnow")


def inconstant_source(function: Callable[..., Any]) -> str:
    """Return what a user's function takes from outside that changes: "" if nothing does.

    That is seen in what its code names, without a call of it.
    """
    while isinstance(function, partial):
        function = function.func
    plain = getattr(function, "__func__", function)
    if not isinstance(plain, FunctionType):
        return ""
    if plain not in _KNOWN:
        _KNOWN[plain] = _source(inspect.unwrap(plain), 0)
    return _KNOWN[plain]


_KNOWN: WeakKeyDictionary[FunctionType, str] = WeakKeyDictionary()


def _source(plain: object, depth: int) -> str:
    if not isinstance(plain, FunctionType) or depth > DEEPEST:
        return ""
    if (plain.__module__ or "").split(".")[0] in ("motorik", "casadi", "numpy"):
        return ""
    names = set(_names(plain.__code__))
    for value in _reached(plain):
        found = _kind_of(value, names)
        if not found and isinstance(value, FunctionType) and value is not plain:
            found = _source(value, depth + 1)
        if found:
            return found
    return ""


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names that code uses, also that of functions within it."""
    yield from code.co_names
    for constant in code.co_consts:
        if inspect.iscode(constant):
            yield from _names(constant)


def _reached(function: FunctionType) -> Iterator[Any]:
    """Yield the values that a function refers to by name."""
    for name in set(_names(function.__code__)):
        if name in function.__globals__:
            yield function.__globals__[name]
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not assigned yet
            continue


def _kind_of(value: object, names: set[str]) -> str:
    """Return what a value gives that changes, if a function uses these names of it."""
    if isinstance(value, (random.Random, np.random.Generator, np.random.RandomState)):
        return RANDOM
    if isinstance(value, ModuleType):
        if value is random or value is np.random:
            return RANDOM
        if value is np and "random" in names:
            return RANDOM
        if value is time and names & set(CLOCKS):
            return CLOCK
        if value is datetime and names & set(NOW):
            return CLOCK
        return ""
    if isinstance(value, type) and issubclass(value, datetime.date) and names & set(NOW):
        return CLOCK
    owner = getattr(value, "__self__", None)
    if isinstance(owner, (random.Random, np.random.Generator, np.random.RandomState)):
        return RANDOM
    if value is np.random.default_rng:
        return RANDOM
    is_clock = isinstance(value, BuiltinFunctionType) and owner is time
    return CLOCK if is_clock and getattr(value, "__name__", "") in CLOCKS else ""
