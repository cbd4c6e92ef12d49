"""The exceptions of motorik: each names the part, says what was seen and what to do."""

from __future__ import annotations

import difflib
import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class MotorikError(Exception):
    """Something a user can put right: `part` says where, `why` what, `remedy` how.

    The message reads ``<part>: <why>`` with the remedy on a line of its own.
    """

    def __init__(self, part: str, why: str, remedy: str = "") -> None:
        self.part = part
        self.why = why
        self.remedy = remedy
        text = f"{part}: {why}" if part else why
        super().__init__(f"{text}\n  {remedy}" if remedy else text)


class ParameterError(MotorikError, ValueError):
    """A parameter has a value that no real part can have."""


class OperatorError(MotorikError, TypeError):
    """Two values are joined by an operator that has no meaning for them."""


class ImmutableError(MotorikError, AttributeError):
    """A value such as a vector cannot be changed in place, only replaced by another."""


class UnknownNameError(MotorikError, AttributeError):
    """A part, port, parameter or signal is not known under this name."""


class PortError(MotorikError):
    """Two ports cannot be connected, or a port is connected to nothing."""


class AssemblyError(MotorikError):
    """The connected parts do not make a mechanism that can be solved."""


class LoopError(AssemblyError):
    """A closed chain of joints cannot be handled or cannot close."""


class InitialValueError(AssemblyError):
    """The start values contradict each other or cannot be met."""


class CompileError(MotorikError):
    """A traced function cannot be turned into native code."""


class SimulationError(MotorikError):
    """A simulation cannot start; one that fails midway returns its result instead."""


class FileFormatError(MotorikError):
    """A file is corrupt or not of the expected kind."""


def suggest(name: object, known: Iterable[str]) -> str:
    """Return the remedy for a misspelt `name`: the near ones, or all there are.

    >>> suggest("hing", ["hinge", "spring"])
    "Did you mean 'hinge'? There are: hinge, spring."
    """
    known = sorted(known)
    near = difflib.get_close_matches(str(name), known, n=1)
    listing = ", ".join(known[:20]) + (", …" if len(known) > 20 else "")
    question = f"Did you mean {near[0]!r}? " if near else ""
    return f"{question}There are: {listing}." if known else "There are none."


class IncompleteRunWarning(UserWarning):
    """A run ended before its time: `result.complete` is false, `result.info.message` says why."""


class UnusedOptionWarning(UserWarning):
    """Something was asked for that makes no difference to this model."""


def called_in_words(function: Callable[P, R]) -> Callable[P, R]:
    """Let a method that users call refuse unknown, missing and unnamed values in words."""
    signature = inspect.signature(function)
    known = [name for name in signature.parameters if name != "self"]
    name = function.__name__
    if name == "__init__":
        name = function.__qualname__.split(".")[-2]

    def refuse(args: tuple[object, ...], kwargs: Mapping[str, object]) -> None:
        """Raise an error in words if the function cannot be called so."""
        try:
            signature.bind(*args, **kwargs)
        except TypeError as error:
            for option in kwargs:
                if option not in known:
                    raise UnknownNameError(
                        name, f"has no option {option!r}.", suggest(option, known)
                    ) from None
            raise SimulationError(
                name,
                f"{error}.",
                f"Write {name}{_without_self(signature)}, options by name.",
            ) from None

    @functools.wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except TypeError:
            refuse(args, kwargs)
            raise

    return checked


def _without_self(signature: inspect.Signature) -> str:
    """Return how a method is called: its first values, and that options follow."""
    own = [p for p in signature.parameters.values() if p.name != "self"]
    needed = [p.name for p in own if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
    return f"({', '.join([*needed, '…'])})"


def calls_within_motorik() -> int:
    """Return how many calls lie between the caller and the user's own code, for warnings."""
    frame, count = sys._getframe(1), 1
    while frame is not None and frame.f_globals["__name__"].split(".")[0] == "motorik":
        frame, count = frame.f_back, count + 1
    return count
