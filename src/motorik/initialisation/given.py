"""Values that a user gives: whether they are finite numbers, or a dict by name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeGuard

import numpy as np

from motorik.errors import ParameterError


def finite_numbers(
    name: str, value: object, remedy: str = "Give numbers in SI units."
) -> np.ndarray:
    """Return a value as an array of finite numbers, or raise `ParameterError`."""
    try:
        numbers = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        numbers = np.array([math.nan])
    if not np.isfinite(numbers).all():
        raise ParameterError(
            name,
            f"{value!r} is not made of finite numbers.",
            remedy,
            parameter=name,
            value=value,
        )
    return numbers


def named_values(name: str, value: object, example: str) -> Mapping[str, Any]:
    """Return a dict by name; refuse anything else."""
    if not isinstance(value, Mapping):
        raise ParameterError(
            name,
            f"{value!r} is not a dict by name.",
            f"Give e.g. {example}.",
            parameter=name,
            value=value,
        )
    return value


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is one finite number."""
    if type(value) in (float, int):
        return math.isfinite(value)  # type: ignore[arg-type]
    is_real = isinstance(value, (int, float, np.integer, np.floating))
    return is_real and not isinstance(value, bool) and math.isfinite(value)
