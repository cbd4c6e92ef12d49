"""Runs that have one scene: those of one mechanism."""

from __future__ import annotations

from typing import TypeVar

from motorik.errors import ParameterError
from motorik.results import ModelResult, Result

R = TypeVar("R", bound=Result)


def alike_to(first: Result, other: Result, kind: type[R]) -> R:
    """Return another result; refuse what is none of the same mechanism."""
    if isinstance(other, kind):
        if not isinstance(first, ModelResult) or not isinstance(other, ModelResult):
            return other
        own, its = first._system.equations.carriers, other._system.equations.carriers
        names, index = first._system.layout.motion_names, other._system.layout.index
        if own.names == its.names and all(name in index for name in names):
            return other
    raise ParameterError(
        "scene",
        f"{other!r} is no run of the mechanism of {first!r}, and has no common scene with it.",
        "Give results of one model; result.draw(beside=…) shows others.",
        parameter="others",
        value=other,
    )
