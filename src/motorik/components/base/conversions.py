"""Conversions of values that only some parts take: counts, lists, matrices, turns and functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import tau
from typing import Any

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.resolving import PlainRows, has_live
from motorik.components.base.values import (
    Convert,
    Derived,
    any_number,
    as_entry,
    as_vector,
    number_of,
    plain_only,
    present_numbers,
)
from motorik.errors import ParameterError

MOST = 1_000_000  # more inputs, states or pulses than anybody means
LARGEST_WHOLE = 2**53  # whole numbers below it are exact in floating point
TWO_TURNS = 2.0 * tau * (1.0 + 1e-9)


def as_count(minimum: int) -> Convert:
    """Return the conversion to a whole number ≥ `minimum`, a count."""

    @plain_only("it is a count")
    def convert(part: str, name: str, unit: str, value: object) -> int:
        count = -2 if isinstance(value, bool) else _whole(value)
        if not (_is_plain(value) and value == count and minimum <= count <= MOST):
            raise ParameterError(
                part,
                f"{name} = {value!r} is not a whole number from {minimum} to {MOST}.",
                f"Give e.g. {name}={max(minimum, 2)}.",
                parameter=name,
                value=value,
            )
        return count

    return convert


@plain_only("it is a whole number")
def as_whole(part: str, name: str, unit: str, value: Any) -> int:
    """Convert to a whole number of any sign."""
    is_number = isinstance(value, (int, float, np.integer, np.floating))
    is_fit = is_number and not isinstance(value, bool) and abs(value) < LARGEST_WHOLE
    if not is_fit or value % 1 != 0:
        raise ParameterError(
            part,
            f"{name} = {value!r} is not a whole number.",
            f"Give e.g. {name}=1.",
            parameter=name,
            value=value,
        )
    return int(value)


def _is_plain(value: object) -> bool:
    """Return whether a value is one number, no array."""
    return not isinstance(value, np.ndarray) or value.ndim == 0


def _whole(value: object) -> int:
    try:
        return int(value)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return -2


def as_numbers(part: str, name: str, unit: str, value: Any) -> tuple[Scalar, ...]:
    """Convert to one or more finite numbers, which may be live."""
    array = present_numbers(value)
    if array.ndim != 1 or not array.size or not np.isfinite(array).all():
        raise ParameterError(
            part,
            f"{name} = {value!r} is not a list of finite numbers.",
            f"Give e.g. {name}=(1.0, 0.5).",
            parameter=name,
            value=value,
        )
    return tuple(map(as_entry, value if has_live(value) else array))


def as_number_or_numbers(part: str, name: str, unit: str, value: Any) -> Any:
    """Convert to one finite number, or to several; each may be live."""
    is_list = isinstance(value, (tuple, list)) or np.ndim(value) == 1
    return (as_numbers if is_list else any_number)(part, name, unit, value)


def as_table(part: str, name: str, unit: str, value: Any) -> tuple[tuple[Scalar, ...], ...]:
    """Convert to a matrix of finite numbers, which may be live, row by row."""
    array = present_numbers(value)
    if array.ndim != 2 or not array.size or not np.isfinite(array).all():
        raise ParameterError(
            part,
            f"{name} = {value!r} is not a matrix of finite numbers.",
            f"Give its rows, e.g. {name}=((1.0, 0.0), (0.0, 1.0)).",
            parameter=name,
            value=value,
        )
    rows = value if has_live(value) else array
    return tuple(tuple(map(as_entry, row)) for row in rows)


def as_friction(
    part: str, name: str, unit: str, value: object
) -> tuple[tuple[Scalar, ...], ...]:
    """Convert to rows (speed, friction): speeds rise from 0 on, nothing is negative."""
    from motorik.components.base.interpolation import interpolate

    table = as_table(part, name, unit, value)
    numbers = present_numbers(value)
    if numbers.shape[1] != 2:
        fault = f"has {numbers.shape[1]} columns, not 2"
    elif numbers.min() < 0.0:
        fault = f"has the negative entry {numbers.min():g}"
    elif not (np.diff(numbers[:, 0]) > 0.0).all():
        fault = "has speeds that do not rise"
    elif interpolate(numbers, 0.0) < 0.0:
        fault = f"leads to {interpolate(numbers, 0.0):g} at rest"
    else:
        return table
    raise ParameterError(
        part,
        f"{name} = {value!r} {fault}.",
        f"Give rows (speed, friction) of rising speeds, e.g. {name}=((0.0, 0.5), (10.0, 0.4)).",
        parameter=name,
        value=value,
    )


def as_time_table(part: str, name: str, unit: str, value: object) -> PlainRows:
    """Convert to rows (time, values …) whose times never fall."""
    table = as_long_table(part, name, unit, value)
    places = np.array([row[0] for row in table])
    remedy = f"Give rows (time, values …), e.g. {name}=((0.0, 1.0), (2.0, 3.0))."
    _check_width(part, name, table, 2, "it has no values beside the times", remedy)
    _check_order(part, name, "its times fall", places, places[1:] < places[:-1], remedy)
    return table


def as_curve_table(part: str, name: str, unit: str, value: object) -> PlainRows:
    """Convert to rows (u, values …) with rising u."""
    table = as_long_table(part, name, unit, value)
    places = np.array([row[0] for row in table])
    remedy = f"Give rows (u, values …) with rising u, e.g. {name}=((0.0, 1.0), (2.0, 3.0))."
    _check_width(part, name, table, 2, "it has no values beside u", remedy)
    _check_order(part, name, "u does not rise", places, places[1:] <= places[:-1], remedy)
    return table


def as_surface_table(part: str, name: str, unit: str, value: object) -> PlainRows:
    """Convert to a first row (0, u2 …) and rows (u1, values …), with rising u1 and u2."""
    table = as_long_table(part, name, unit, value)
    numbers = np.array(table)
    remedy = f"Give rows as {name}=((0, 0.0, 1.0), (0.0, 5.0, 6.0), (1.0, 7.0, 9.0))."
    _check_width(part, name, table, 3, "it has less than two places along u2", remedy)
    if len(table) < 3:
        raise ParameterError(
            part,
            f"{name}: it has less than two places along u1.",
            remedy,
            parameter=name,
            value=len(table),
        )
    for letter, places in (("u1", numbers[1:, 0]), ("u2", numbers[0, 1:])):
        fault = f"{letter} does not rise"
        _check_order(part, name, fault, places, places[1:] <= places[:-1], remedy)
    return table


def as_long_table(part: str, name: str, unit: str, value: object) -> PlainRows:
    """Convert to a matrix of finite numbers; the message names the first that is none."""
    array = present_numbers(value)
    if array.ndim == 2 and array.size and not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        raise ParameterError(
            part,
            f"{name}: row {row + 1}, column {column + 1} is {array[row, column]:g}, which is "
            "not a finite number.",
            "Give finite numbers; leave out rows without a value.",
            parameter=name,
            value=float(array[row, column]),
        )
    if array.ndim != 2 or not array.size:
        as_table(part, name, unit, value)  # refuses it
    return PlainRows(map(tuple, array.astype(float).tolist()))


def _check_width(
    part: str,
    name: str,
    table: Sequence[Sequence[Scalar]],
    least: int,
    fault: str,
    remedy: str,
) -> None:
    """Refuse a table with too few columns."""
    if len(table[0]) < least:
        raise ParameterError(
            part, f"{name}: {fault}.", remedy, parameter=name, value=len(table[0])
        )


def _check_order(
    part: str, name: str, fault: str, places: np.ndarray, wrong: np.ndarray, remedy: str
) -> None:
    """Refuse the first place that is `wrong` behind the one before."""
    if wrong.any():
        k = int(np.argmax(wrong))
        raise ParameterError(
            part,
            f"{name}: {fault}: {places[k + 1]:g} follows {places[k]:g}, place {k + 2}.",
            remedy,
            parameter=name,
            value=float(places[k + 1]),
        )


def as_turn(part: str, name: str, unit: str, value: object) -> Scalar:
    """Convert a constant angle of rotation [rad]: at most two turns."""
    angle = any_number(part, name, unit, value)
    if not isinstance(angle, Derived) and abs(number_of(angle)) > TWO_TURNS:
        raise ParameterError(
            part,
            f"{name} = {number_of(angle):g} rad is more than two full turns.",
            f"Angles are in radians: for degrees give {name}=deg({number_of(angle):g}), else "
            "subtract full turns.",
            parameter=name,
            value=value,
        )
    return angle


def as_turns(part: str, name: str, unit: str, value: object) -> Vector | Derived:
    """Convert three angles [rad], each of at most two turns."""
    angles = as_vector(part, name, unit, value)
    if isinstance(angles, Vector):
        for i, angle in enumerate(angles.xyz):
            as_turn(part, f"{name}[{i + 1}]", unit, angle)
    return angles


def as_function(part: str, name: str, unit: str, value: object) -> Callable[..., Scalar]:
    """Take a function of scalars."""
    if not callable(value):
        raise ParameterError(
            part,
            f"{name} = {value!r} is not a function.",
            f"Give e.g. {name}=lambda u: 2 * u.",
            parameter=name,
            value=value,
        )
    return value
