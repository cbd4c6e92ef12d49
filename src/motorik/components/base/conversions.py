"""Conversions of values that few parts take: counts, lists, matrices and functions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.components.base.values import Convert, numbers
from motorik.errors import ParameterError

MOST = 1_000_000  # more inputs, states or pulses than anybody means


def as_count(minimum: int) -> Convert:
    """Return the conversion to a whole number ≥ `minimum`, of things that can be counted."""

    def convert(part: str, name: str, unit: str, value: object) -> int:
        count = -2 if isinstance(value, bool) else _whole(value)
        if value != count or not minimum <= count <= MOST:
            raise ParameterError(
                part,
                f"{name} = {value!r} is no whole number from {minimum} to {MOST}.",
                f"Give e.g. {name}={max(minimum, 2)}.",
            )
        return count

    return convert


def _whole(value: object) -> int:
    try:
        return int(value)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return -2


def as_numbers(part: str, name: str, unit: str, value: object) -> tuple[float, ...]:
    """Convert to one or more finite numbers."""
    array = numbers(value)
    if array.ndim != 1 or not array.size or not np.isfinite(array).all():
        raise ParameterError(
            part,
            f"{name} = {value!r} is no list of finite numbers.",
            f"Give e.g. {name}=(1.0, 0.5).",
        )
    return tuple(map(float, array))


def as_table(
    part: str, name: str, unit: str, value: object
) -> tuple[tuple[float, ...], ...]:
    """Convert to a matrix of finite numbers, row by row."""
    array = numbers(value)
    if array.ndim != 2 or not array.size or not np.isfinite(array).all():
        raise ParameterError(
            part,
            f"{name} = {value!r} is no matrix of finite numbers.",
            f"Give its rows, e.g. {name}=((1.0, 0.0), (0.0, 1.0)).",
        )
    return tuple(tuple(map(float, row)) for row in array)


def as_function(part: str, name: str, unit: str, value: object) -> Callable[..., Scalar]:
    """Take a function of scalars."""
    if not callable(value):
        raise ParameterError(
            part,
            f"{name} = {value!r} is no function.",
            f"Give e.g. {name}=lambda u: 2 * u.",
        )
    return value
