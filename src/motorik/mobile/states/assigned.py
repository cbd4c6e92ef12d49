"""The name to which a new object is assigned: ``K0 = Frame()`` is named K0."""

from __future__ import annotations

import dis
import sys
from functools import lru_cache
from types import CodeType, FrameType

STORES = (
    *("STORE_NAME", "STORE_GLOBAL", "STORE_FAST", "STORE_DEREF", "STORE_ATTR"),
    "STORE_FAST_LOAD_FAST",
)
BETWEEN = (
    *("CACHE", "NOP", "LOAD_FAST", "LOAD_FAST_BORROW", "LOAD_DEREF"),
    *("LOAD_NAME", "LOAD_GLOBAL"),
)
"""Instructions between a call and the assignment of its value."""


def assigned_name(made: object) -> str:
    """Return the variable or attribute that an object under construction is assigned to, or "".

    It is read from the instruction that follows the constructor's call, so it is known where
    the value is assigned as it is: ``K0 = Frame()``, ``self.K0 = Frame()``. An object that is
    made by the library itself, as one of several, within a list or as an argument, has none.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _constructs(frame, made):
        frame = frame.f_back
    if frame is None or frame.f_globals.get("__name__", "").startswith("motorik.mobile."):
        return ""
    return _stores(frame.f_code).get(frame.f_lasti, "")


def _constructs(frame: FrameType, made: object) -> bool:
    """Return whether a frame is that of a constructor of the object, or a check around it."""
    values = frame.f_locals
    if frame.f_code.co_name == "__init__":
        return values.get("self") is made
    arguments = values.get("args")
    return bool(isinstance(arguments, tuple) and arguments and arguments[0] is made)


@lru_cache(maxsize=64)
def _stores(code: CodeType) -> dict[int, str]:
    """Return the name that the value of each call is assigned to, by the place of the call."""
    found: dict[int, str] = {}
    call: int | None = None
    is_copied = False
    stored: int | None = None  # the call whose value was stored just before
    for step in dis.get_instructions(code):
        if step.opname in STORES and stored is not None:
            del found[stored]  # one of several values: ``a, b = Frame(), Frame()``
        stored = None
        if step.opname.startswith("CALL") and step.opname != "CALL_INTRINSIC_1":
            call, is_copied = step.offset, False
        elif call is not None and step.opname in STORES:
            name = step.argval[0] if isinstance(step.argval, tuple) else step.argval
            found[call], stored = str(name), None if is_copied else call
            call = None
        elif step.opname in ("COPY", "DUP_TOP"):
            is_copied = True
        elif step.opname not in BETWEEN:
            call = None
    return found
