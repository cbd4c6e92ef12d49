"""Faults of user laws: the line of the user's code that failed, and its correction."""

from __future__ import annotations

import linecache
import re
import sys
from itertools import islice
from pathlib import Path
from types import FrameType, TracebackType

from motorik.algebra import scalar
from motorik.immutable import immutable

NO_VALUE = "a symbol has no value"
UNKNOWN = "is traced once, before the run, when its arguments have no value yet; it"
FUNCTIONS = (
    "Write it with + − * / ** and the functions of motorik.functions (sin, sqrt, where, …), "
    "not with those of math, and without float(…)."
)
BRANCHES = (
    "Write where(condition, yes, no) of motorik.functions; minimum, maximum, logical_and, "
    "logical_or and logical_not are there, too."
)
OWN = f"Correct this line of the law. {FUNCTIONS}"
LIBRARIES = ("motorik", "casadi", "numpy")  # whose lines say nothing to a user

OTHER_NAMES = {
    **{"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2"},
    **{"max": "maximum", "min": "minimum", "abs": "fabs", "trunc": "floor"},
    **{"int": "floor", "and": "logical_and", "or": "logical_or", "not": "logical_not"},
}
"""Functions of `math` and words of Python with their names in motorik.functions."""

OTHER_FORMS = {
    "pow": "x ** y",
    "fmod": "x % y",
    "hypot": "sqrt(x * x + y * y)",
    "round": "floor(x + 0.5)",
    "radians": "x * pi / 180",
    "degrees": "x * 180 / pi",
}
SYMBOLS = (
    r"\bSX\b|casadi|CasADi|__array_function__|array element with a sequence|valid indices"
    r"|interpreted as an integer|indices must be|could not convert string to float"
)
MIXED = r"operand type\(s\) for ([^:]+): '([\w.]+)' and '([\w.]+)'"


@immutable
class SourceLine:
    """A line of the user's code; `part` is the expression that failed, where Python knows it."""

    file: str
    number: int
    text: str
    part: str

    def __str__(self) -> str:
        return f"line {self.number} of {Path(self.file).name}, `{self.part or self.text}`"


def line_of_error(error: BaseException) -> SourceLine | None:
    """Return the last line of a user's code that an error came through."""
    found, trace = None, error.__traceback__
    while trace is not None:
        if _is_of_user(trace.tb_frame):
            found = trace
        trace = trace.tb_next
    return None if found is None else _line(found.tb_frame, found.tb_lineno, found)


def line_of_caller() -> SourceLine | None:
    """Return the line of the user's code that has led to here."""
    frame = sys._getframe(1)
    while frame is not None and not _is_of_user(frame):
        frame = frame.f_back
    return None if frame is None else _line(frame, frame.f_lineno, None)


def _is_of_user(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).split(".")[0] not in LIBRARIES


def _line(frame: FrameType, number: int, trace: TracebackType | None) -> SourceLine | None:
    file = frame.f_code.co_filename
    text = linecache.getline(file, number, frame.f_globals)
    if not text.strip():
        return None
    part, positions = "", getattr(frame.f_code, "co_positions", None)
    if trace is not None and positions is not None:
        found = next(islice(positions(), trace.tb_lasti // 2, None), (None,) * 4)
        first, last, begin, end = found
        if first == last == number and begin is not None and end is not None:
            part = text.encode()[begin:end].decode()
    return SourceLine(file, number, text.strip(), part.strip())


def explain_fault(error: BaseException, line: SourceLine | None) -> tuple[str, str]:
    """Return the fault of a law and its correction as text."""
    words = str(error).strip().split("\n")[0]
    at = f": {line}" if line is not None else ""
    seen = "" if line is None else line.part or line.text
    if "truth value" in words:
        whole = "" if line is None else line.text
        return f"{UNKNOWN} tests a condition{at}.", _instead(
            [*_calls(seen, ("max", "min", "sorted")), *_words(whole)], BRANCHES
        )
    if words == NO_VALUE or "to_int" in words:
        return f"{UNKNOWN} converts one of them to a plain number{at}.", _instead(
            _calls(seen, (*OTHER_FORMS, *OTHER_NAMES, *_known())), FUNCTIONS
        )
    if re.search(r"operand type\(s\) for [&|]", words):
        return f"{UNKNOWN} combines conditions bit by bit{at}.", BRANCHES
    mixed = re.search(MIXED, words)
    if mixed and "SX" in mixed.groups():
        operation, *kinds = mixed.groups()
        other = next((kind for kind in kinds if kind != "SX"), "symbol")
        return f"computes {operation} with a {other}{at}.", OWN
    if re.search(SYMBOLS, words):
        remedy = "Choose by where(condition, yes, no), and count with plain numbers. "
        return f"{UNKNOWN} uses one of them as a plain number{at}.", remedy + FUNCTIONS
    return f"raised {type(error).__name__}: {words.rstrip('.')}{at}.", OWN


def _known() -> list[str]:
    return [name for name in vars(scalar) if callable(vars(scalar)[name])]


def _calls(text: str, names: tuple[str, ...]) -> list[str]:
    """Return which of the named functions are called in a text."""
    return [name for name in re.findall(r"(\w+)\(", text) if name in names]


def _words(text: str) -> list[str]:
    return re.findall(r"\b(and|or|not)\b", text)


def _instead(names: list[str], otherwise: str) -> str:
    """Return the replacement of functions and words of Python, if there is one."""
    said = []
    for name in dict.fromkeys(names):
        if name in OTHER_FORMS:
            said.append(f"{OTHER_FORMS[name]} instead of {name}")
        elif OTHER_NAMES.get(name, name) in vars(scalar):
            said.append(f"{OTHER_NAMES.get(name, name)} of motorik.functions for {name}")
    return f"Write {', '.join(said)}. {otherwise}" if said else otherwise
