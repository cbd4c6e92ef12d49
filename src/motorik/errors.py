"""The exceptions of motorik: each names the part, says what was seen and what to do."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable


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


def suggest(name: str, known: Iterable[str]) -> str:
    """Return the remedy for a misspelt `name`: the near ones, or all there are.

    >>> suggest("hing", ["hinge", "spring"])
    "Did you mean 'hinge'? There are: hinge, spring."
    """
    known = sorted(known)
    near = difflib.get_close_matches(name, known, n=1)
    listing = ", ".join(known[:20]) + (", …" if len(known) > 20 else "")
    question = f"Did you mean {near[0]!r}? " if near else ""
    return f"{question}There are: {listing}." if known else "There are none."


class IncompleteRunWarning(UserWarning):
    """A run ended before its time: `result.complete` is false, `result.info.message` says why."""


def calls_within_motorik() -> int:
    """Return how many calls lie between the caller and the user's own code, for warnings."""
    frame, count = sys._getframe(1), 1
    while frame is not None and frame.f_globals["__name__"].split(".")[0] == "motorik":
        frame, count = frame.f_back, count + 1
    return count
