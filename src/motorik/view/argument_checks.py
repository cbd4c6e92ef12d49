"""Checks of arguments of pages, pictures and plots, before anything is drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import ParameterError, UnknownNameError, suggest
from motorik.initialisation.given import is_number

if TYPE_CHECKING:
    from motorik.results import Series


def check_number(
    caller: str,
    name: str,
    value: object,
    low: float = -math.inf,
    high: float = math.inf,
) -> float:
    """Return a finite number from `low` to `high`; refuse anything else."""
    if is_number(value) and low <= value <= high:
        return float(value)
    raise refused(caller, name, value, f"Give a number{_range(low, high)}.")


def check_positive(caller: str, name: str, value: object) -> float:
    """Return a positive, finite number; refuse anything else."""
    try:
        return check_number(caller, name, value, math.ulp(0.0))
    except ParameterError:
        raise ParameterError(
            caller,
            f"{name} = {value!r} is not positive.",
            f"Give {name} > 0.",
            parameter=name,
            value=value,
        ) from None


def check_count(
    caller: str, name: str, value: object, low: int, high: float = math.inf
) -> int:
    """Return a whole number from `low` to `high`; refuse anything else."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        raise refused(
            caller, name, value, f"Give a whole number{_range(float(low), high)}."
        )
    return int(check_number(caller, name, value, float(low), high))


def check_switch(caller: str, name: str, value: object) -> bool:
    """Return True or False; refuse anything else, such as a text."""
    if not isinstance(value, (bool, np.bool_)):
        raise refused(caller, name, value, "Give True or False.")
    return bool(value)


def check_text(caller: str, name: str, value: object) -> str:
    """Return a text; refuse anything else."""
    if not isinstance(value, str):
        raise refused(caller, name, value, "Give a text.")
    return value


def check_names(caller: str, name: str, value: object) -> list[str]:
    """Return one name or several as a list; reject other values."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable) or isinstance(value, dict):
        raise refused(caller, name, value, "Give a name, or a list of names.")
    names = list(value)
    for one in names:
        if not isinstance(one, str):
            raise refused(caller, name, one, "Give a name, or a list of names.")
    return names


def check_plotted(result: Series, name: str) -> None:
    """Reject a name that is no variable of a result, or has several components."""
    try:
        values = result[name]
    except UnknownNameError:
        raise ParameterError(
            "plots",
            f"{name!r} is not known.",
            suggest(name, result.names()),
            parameter="plots",
            value=name,
        ) from None
    if values.ndim != 1:
        remedy = f"Choose a component: {f'{name}[1]'!r}."
        raise refused("plots", "plots", name, remedy)


def refused(caller: str, name: str, value: object, remedy: str) -> ParameterError:
    """Return the error that an option cannot have this value."""
    why = f"{name} = {value!r} cannot be taken."
    return ParameterError(caller, why, remedy, parameter=name, value=value)


def _range(low: float, high: float) -> str:
    if math.isfinite(low) and math.isfinite(high):
        return f" from {low:g} to {high:g}"
    return f" ≥ {low:g}" if math.isfinite(low) else ""
