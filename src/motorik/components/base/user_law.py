"""User laws: functions given by users, called with checks and clear error messages.

A law is traced once, before the run: it is called with symbols that stand for time, positions
and speeds, and its operations on them become machine code. These checks cost nothing in
a run.
"""

from __future__ import annotations

import datetime
import inspect
import math
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType, TracebackType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from motorik.algebra.angle import Angle
from motorik.algebra.dual import Dual
from motorik.algebra.motor import Motor
from motorik.algebra.scalar import Scalar, is_symbol
from motorik.algebra.vector import Vector
from motorik.components.base.law_faults import (
    FUNCTIONS,
    NO_VALUE,
    SourceLine,
    explain_fault,
    line_of_caller,
    line_of_error,
)
from motorik.errors import ImmutableError, MotorikError, OperatorError, ParameterError
from motorik.immutable import immutable

# --- laws that differ in every trace: random numbers and clocks ---------------------------


RANDOM, CLOCK = "random numbers", "a clock"
DEEPEST = 3  # functions of the user that call one another
CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "time_ns")
NOW = ("now", "today", "utcnow")


def inconstant_source(function: Callable[..., Any]) -> str:
    """Return the name of a changing object that a user's function reads, "" if there is none.

    It is found in the names of its code, without a call.
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
    """Return the changing attribute of a value, if a function uses these names of it."""
    import random

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


class UnfitError(ValueError):
    """A law returned a value of another kind; the message names the kind required."""


Result = Callable[[Any], Any]  # converts the value of a law, or raises UnfitError


@immutable
class UserLaw:
    """A function of a part, called under its name; `arguments` are the names of its arguments."""

    part: str
    name: str
    function: Callable[..., Any]
    arguments: tuple[str, ...]
    result: Result

    def __call__(self, *given: object) -> Any:
        """Return the value of the function, or raise `ParameterError` with the reason."""
        changing = inconstant_source(self.function)
        if changing:
            raise ParameterError(
                self.part,
                f"{self.name}({', '.join(self.arguments)}) reads {changing}"
                f"{_place_of(self.function)}: it is traced once, before the run, so that they "
                "would be one constant.",
                "Compute them before the run, and give e.g. a blocks.CombiTimeTable or a "
                "Parameter.",
                parameter=self.name,
                value=self.function,
            )
        guard = _NoNumbers()
        try:
            with guard:
                found = self.function(*given)
        except (OperatorError, ImmutableError) as error:
            raise self._misused(given, error) from error
        except (MotorikError, RecursionError):
            raise
        except Exception as error:
            line = line_of_error(error)
            raise self._refusal(given, error, line) from error
        if guard.is_tried:
            raise self._refusal(given, TypeError(NO_VALUE), guard.line)
        try:
            return self.result(found)
        except UnfitError as wanted:
            raise ParameterError(
                self.part,
                f"{self._call(given)} returned {self._returned(found, given)}"
                f"{_place_of(self.function)}.",
                f"Let it return {wanted}. {FUNCTIONS}",
                parameter=self.name,
                value=found,
            ) from None

    def _misused(self, given: Sequence[Any], error: MotorikError) -> ParameterError:
        """Return the refusal of a law that combines vectors or motors in a wrong way."""
        line = line_of_error(error)
        return ParameterError(
            self.part,
            f"{self._call(given)}{f': {line}' if line else ''}: {error.path}: {error.reason}",
            error.remedy,
            parameter=self.name,
            value=self.function,
        )

    def _returned(self, found: object, given: Sequence[Any]) -> str:
        """Return a value in short, written in the arguments of the function where it can be."""
        text = _shown(found)
        for name, value in zip(self.arguments, given, strict=False):
            if is_symbol(value):
                text = re.sub(rf"(?<!\w){re.escape(str(value))}(?!\w)", name, text)
        return text

    def _call(self, given: Sequence[Any]) -> str:
        """Return how it was called: with its numbers, or with names where there are no values."""
        names = (*self.arguments, *(f"signal {k}" for k in range(1, len(given) + 1)))
        said = (
            f"{name} = {value:g}" if _is_plain(value) else name
            for name, value in zip(names, given, strict=False)
        )
        return f"{self.name}({', '.join(said)})"

    def _refusal(
        self, given: Sequence[Any], error: Exception, line: SourceLine | None
    ) -> ParameterError:
        if isinstance(error, NotImplementedError) and not str(error):
            call = f"{self.name}({', '.join(self.arguments)})"
            reason, remedy = f"does not define {call}.", f"Define {call} in its class."
        else:
            reason, remedy = explain_fault(error, line)
            reason = f"{self._call(given)} {reason}"
        return ParameterError(
            self.part, reason, remedy, parameter=self.name, value=self.function
        )


# --- kinds of values of laws ---------------------------------------------------------------


def one_scalar(found: object) -> Scalar:
    """Return the scalar that a law returned."""
    if _is_scalar(found):
        return float(found) if isinstance(found, (bool, np.bool_)) else found
    raise UnfitError("one finite number")


def as_components(found: Any) -> Vector:
    """Return the vector that a law returned: a `Vector`, or three components."""
    try:
        vector = Vector.of(found)
    except (TypeError, ValueError):
        vector = None
    if isinstance(found, str) or vector is None or not all(map(_is_scalar, vector.xyz)):
        raise UnfitError("three components")
    return vector


def several_scalars(count: int) -> Result:
    """Return the conversion to so many scalars, one after another; of vectors all components."""

    def scalars(found: object) -> list[Scalar]:
        values: list[Any] = []
        for value in found if isinstance(found, (tuple, list)) else (None,):
            values += value if isinstance(value, (tuple, list)) else (value,)
        if len(values) != count or not all(map(_is_scalar, values)):
            raise UnfitError(f"a tuple of {count} finite number(s)")
        return values

    return scalars


def several_motors(count: int) -> Result:
    """Return the conversion to so many force motors."""

    def motors(found: Any) -> tuple[Motor, ...]:
        is_several = isinstance(found, (tuple, list)) and len(found) == count
        if not is_several or not all(isinstance(one, Motor) for one in found):
            raise UnfitError(f"a tuple of {count} Motor(force, moment), one for each frame")
        return tuple(found)

    return motors


def any_result(found: object) -> Any:
    """Return it as it is."""
    return found


# --- functions that are given as parameters ---------------------------------------------------


def check_arguments(
    part: str, name: str, function: Callable[..., Any], arguments: Sequence[str]
) -> None:
    """Refuse a function that cannot be called with these arguments."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of some built-in functions nothing is known
        return
    try:
        signature.bind(*arguments)
    except TypeError as error:
        called = ", ".join(arguments)
        plain = ", ".join(re.sub(r"\W+", "_", name).strip("_") for name in arguments)
        raise ParameterError(
            part,
            f"{name} is called as {name}({called}), which {_name_of(function)}{signature} does "
            f"not admit: {error}.",
            f"Give a function of {called}, e.g. {name}=lambda {plain}: …",
            parameter=name,
            value=function,
        ) from None


def is_of_user(part: object) -> bool:
    """Return whether the class of a part was written by a user, not by this package."""
    return type(part).__module__.split(".")[0] != "motorik"


def _name_of(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", type(function).__name__)


def _place_of(function: Callable[..., Any]) -> str:
    """Return file and line of a user's function, "" if not known or within this package."""
    code = getattr(function, "__code__", None)
    if code is None or function.__module__.split(".")[0] == "motorik":
        return ""
    return f" (line {code.co_firstlineno} of {Path(code.co_filename).name})"


# --- symbols that are no numbers --------------------------------------------------------------


class _NoNumbers:
    """Within it, converting a symbol to a number raises an error; CasADi itself gives NaN.

    `is_tried` is true if this was tried and the error caught; `line` is where.
    """

    def __init__(self) -> None:
        self.is_tried = False
        self.line: SourceLine | None = None
        self._warnings = warnings.catch_warnings()

    def __enter__(self) -> None:
        self._warnings.__enter__()
        try:  # NumPy's functions of symbols are right; CasADi warns that they will change
            warnings.filterwarnings("ignore", r"\s*casadi: a numpy function", FutureWarning)
        except BaseException:
            self._warnings.__exit__(None, None, None)
            raise
        # no function in Python is called from here on: a law may have come to the deepest call
        symbols = getattr(sys.modules.get("casadi"), "SX", None)
        if symbols is not None and symbols.__float__ is not _refuse_number:
            _REPLACED[symbols] = symbols.__float__
            symbols.__float__ = _refuse_number
        _GUARDS.append(self)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _GUARDS.remove(self)
        if not _GUARDS:
            for symbols, as_float in _REPLACED.items():
                symbols.__float__ = as_float
            _REPLACED.clear()
        self._warnings.__exit__(kind, error, trace)


_GUARDS: list[_NoNumbers] = []
_REPLACED: dict[Any, Callable[[Any], float]] = {}  # by class of symbols


def _refuse_number(symbol: Any) -> float:
    if symbol.is_constant():
        return _REPLACED[type(symbol)](symbol)
    for guard in _GUARDS:
        guard.is_tried, guard.line = True, guard.line or line_of_caller()
    raise TypeError(NO_VALUE)


def _is_plain(value: object) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating))


def _is_scalar(value: Any) -> bool:
    """Return whether a value is one finite scalar, or one for each of many moments."""
    if isinstance(value, (bool, np.bool_, int, float, np.integer, np.floating)):
        return math.isfinite(value)
    if isinstance(value, (Dual, Angle)):
        return True
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "iufb"
    return is_symbol(value) and value.numel() == 1


def _shown(value: object) -> str:
    """Return a value in short, symbols as they are written."""
    text = re.sub(r"\bSX\(", "(", repr(value)) if not is_symbol(value) else str(value)
    text = re.sub(r"(?<!\w)\((\w+)\)", r"\1", text)
    return text if len(text) <= 60 else f"{text[:57]}…"
