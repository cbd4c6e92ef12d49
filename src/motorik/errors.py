"""The exceptions of motorik: each names the part, the value seen and the remedy."""

from __future__ import annotations

import functools
import inspect
import pickle
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, ParamSpec, TypeVar

__all__ = [
    "AssemblyError",
    "CompileError",
    "EquationError",
    "EquationWarning",
    "FileFormatError",
    "ImmutableError",
    "IncompleteRunWarning",
    "InitialValueError",
    "JumpWarning",
    "LockWarning",
    "LoopError",
    "MissingAccelerationsError",
    "MotionWarning",
    "MotorikError",
    "MotorikWarning",
    "OperatorError",
    "ParameterError",
    "PortError",
    "SimulationError",
    "UnitWarning",
    "UnknownNameError",
    "UnusedOptionWarning",
]

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


class MotorikError(Exception):
    """An error that the user can correct; its details are also fields for programs.

    `path` names the part (or the function that was called), `port` or `parameter` the port or
    parameter concerned, `value` is the value seen, `reason` the cause, `remedy` the correction;
    "" or None if not applicable. `place` is the path, or that of the port or parameter. The message
    reads ``<place>: <reason>`` with the remedy on a line of its own.
    """

    def __init__(
        self,
        place: str,
        reason: str,
        remedy: str = "",
        *,
        port: str = "",
        parameter: str = "",
        value: object = None,
    ) -> None:
        self.path = place.removesuffix(f".{port or parameter}")
        self.place = place
        self.port = port
        self.parameter = parameter
        self.value = value
        self.reason = reason
        self.remedy = remedy
        text = f"{place}: {reason}" if place else reason
        super().__init__(f"{text}\n  {remedy}" if remedy else text)

    @property
    def fields(self) -> dict[str, Any]:
        """The named arguments of the constructor beside place, reason and remedy."""
        return {"port": self.port, "parameter": self.parameter, "value": self.value}

    def __reduce__(self) -> tuple[Any, ...]:
        fields = dict(self.__dict__)
        try:
            pickle.dumps(self.value)
        except Exception:  # e.g. a function of the user: its words are kept
            fields["value"] = repr(self.value)
        return _restored, (type(self), self.args, fields)


def _restored(kind: type[MotorikError], args: tuple[Any, ...], fields: Any) -> MotorikError:
    """Return an error as it was before it was pickled."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


class ParameterError(MotorikError, ValueError):
    """A parameter has an invalid value."""


class OperatorError(MotorikError, TypeError):
    """Two values are joined by an operator that has no meaning for them."""


class ImmutableError(MotorikError, AttributeError):
    """A value such as a vector cannot be changed in place, only replaced by another."""


class UnknownNameError(MotorikError, AttributeError):
    """There is no part, port, parameter or signal of this name."""


class PortError(MotorikError):
    """Two ports cannot be connected, or a port is connected to nothing."""


class AssemblyError(MotorikError):
    """The connected parts do not make a mechanism that can be solved."""


class MissingAccelerationsError(AssemblyError):
    """A quantity follows from accelerations, where these are not known yet."""


class EquationError(AssemblyError):
    """Equations that have no solution, more than one, or do not belong together."""


class LoopError(AssemblyError):
    """A closed chain of joints cannot be handled or cannot close."""


class DeadCentreError(LoopError):
    """A closed form cannot begin where its two branches meet."""


class InitialValueError(AssemblyError):
    """The start values contradict each other or cannot be met."""


class CompileError(MotorikError):
    """A traced function cannot be turned into native code."""


class SimulationError(MotorikError):
    """A simulation cannot start; one that fails midway returns its result instead."""


class SampledFunctionError(SimulationError):
    """A function of the user that samples has failed."""


class FileFormatError(MotorikError):
    """A file is corrupt or not of the expected kind."""


def suggest(name: object, known: Iterable[str]) -> str:
    """Return the remedy for a misspelt `name`: similar known names, and all of them.

    >>> suggest("hing", ["hinge", "spring"])
    "Did you mean 'hinge'? There are: hinge, spring."
    """
    known = sorted(known)
    listing = ", ".join(known[:20]) + (", …" if len(known) > 20 else "")
    question = question_of(name, known)
    return f"{question}There are: {listing}." if known else "There are none."


def question_of(name: object, known: Iterable[str]) -> str:
    """Return a question with the known names that are similar, "" if there is none."""
    import difflib

    near = sorted(difflib.get_close_matches(str(name), list(known), n=3))
    ratios = [difflib.SequenceMatcher(None, one, str(name)).ratio() for one in near]
    best = [repr(n) for n, r in zip(near, ratios, strict=True) if r == max(ratios)]
    return f"Did you mean {' or '.join(best)}? " if near else ""


class _Issued(threading.local):
    """How many warnings each thread has issued."""

    count = 0


_ISSUED = _Issued()


class MotorikWarning(UserWarning):
    """The kind of all warnings of motorik, for filters."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        _ISSUED.count += 1


def count_warnings() -> int:
    """Return how many warnings of motorik this thread has issued so far."""
    return _ISSUED.count


class IncompleteRunWarning(MotorikWarning):
    """A run ended early: `result.complete` is false, `result.info.message` gives the reason."""


class EquationWarning(MotorikWarning):
    """An equation of parts has no solution at some times of a run."""


class UnitWarning(MotorikWarning):
    """A number seems to be given in another unit than expected."""


class JumpWarning(MotorikWarning):
    """A signal that is differentiated may jump, and the pulse of its rate is lost."""


class LockWarning(MotorikWarning):
    """Gears contradict one another: the shafts that they couple cannot move."""


class MotionWarning(MotorikWarning):
    """Rates of a given motion are not the derivatives of its values."""


class UnusedOptionWarning(MotorikWarning):
    """An option has no effect on this model."""


def checked_call(function: Callable[P, R]) -> Callable[P, R]:
    """Let a public method refuse unknown, missing and unnamed arguments with clear errors."""
    name = function.__name__
    return called_as(function.__qualname__.split(".")[-2] if name == "__init__" else name)(
        function
    )


def checked_methods(kind: type[T]) -> type[T]:
    """Let all public methods of a class refuse unknown and unnamed arguments."""
    for name, method in list(vars(kind).items()):
        is_public = inspect.isfunction(method) and not name.startswith("_")
        if is_public and not hasattr(method, "__wrapped__"):
            setattr(kind, name, checked_call(method))
    return kind


def checked_constructor(
    moved: Mapping[str, str],
) -> Callable[[type[T]], type[T]]:
    """Let the constructor of a class refuse unknown arguments with clear errors."""

    def changed(kind: type[T]) -> type[T]:
        init = called_as(kind.__name__, moved=moved)(kind.__init__)
        kind.__init__ = init  # type: ignore[method-assign]
        return kind

    return changed


def called_as(
    name: str,
    error: type[MotorikError] | None = None,
    moved: Mapping[str, str] | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return `checked_call` for a function that users call by another name.

    `error` is raised for missing arguments; by default a `SimulationError`. `moved` says for
    options that belong elsewhere where they are given.
    """
    return lambda function: _checked(function, name, error or SimulationError, moved or {})


def _checked(
    function: Callable[P, R],
    name: str,
    kind: type[MotorikError],
    moved: Mapping[str, str],
) -> Callable[P, R]:
    def refuse(args: tuple[object, ...], kwargs: Mapping[str, object]) -> None:
        """Raise an error with a remedy if the arguments do not fit the function."""
        signature = inspect.signature(function)
        known = [own for own in signature.parameters if own not in NOT_OPTIONS]
        try:
            signature.bind(*args, **kwargs)
        except TypeError as error:
            for option in kwargs:
                if option not in known:
                    raise UnknownNameError(
                        name,
                        f"has no option {option!r}.",
                        moved.get(option) or suggest(option, known),
                        parameter=option,
                        value=kwargs[option],
                    ) from None
            raise kind(
                name,
                f"{error}.",
                f"Write {name}{_without_self(signature)}, options by name.",
                parameter=_missing(str(error)),
                value=args[1:],
            ) from None

    @functools.wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except TypeError:
            refuse(args, kwargs)
            raise

    return checked


NOT_OPTIONS = ("self", "result", "names")


def _missing(words: str) -> str:
    """Return the missing argument named by Python's message, "" if it names none."""
    return words.rpartition(": '")[2].rstrip("'") if "missing" in words else ""


def _without_self(signature: inspect.Signature) -> str:
    """Return how a method is called: its first values, and that options follow."""
    own = [p for p in signature.parameters.values() if p.name != "self"]
    needed = [p.name for p in own if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
    return f"({', '.join([*needed, '…'])})"


def refuse_pickle(what: str, remedy: str) -> NoReturn:
    """Raise the error of what has machine code, which no other process can read."""
    raise FileFormatError(what, "holds machine code and cannot be pickled.", remedy)


def calls_within_motorik() -> int:
    """Return the number of calls between the caller and the user's code, for `stacklevel`."""
    frame, count = sys._getframe(1), 1
    inside = ("motorik", "functools")  # cached properties pass through the latter
    while (
        frame is not None and str(frame.f_globals.get("__name__")).split(".")[0] in inside
    ):
        frame, count = frame.f_back, count + 1
    return count


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
