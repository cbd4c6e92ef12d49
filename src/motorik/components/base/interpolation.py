"""Interpolation: values of tables between their rows, along straight lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from motorik.algebra.scalar import Scalar, is_number, where


def interpolate(rows: Sequence[Sequence[Any]] | Any, x: Scalar, column: int = 1) -> Scalar:
    """Return the value of a column at x; beyond the ends the last two rows lead on.

    The first column, x of each row, rises; one row alone is a constant.
    """
    if len(rows) == 1:
        return rows[0][column]
    value: Scalar = line(rows[0], rows[1], x, column)
    for left, right in pairwise(rows[1:]):
        value = where(x < left[0], value, line(left, right, x, column))
    return value


def interpolate_friction(rows: Sequence[Sequence[Any]], speed: Scalar) -> Scalar:
    """Return the friction at a speed; where the last rows lead below zero, zero."""
    value = interpolate(rows, speed)
    if len(rows) == 1 or _surely_rises(rows[-2][1], rows[-1][1]):
        return value
    return where(value < 0.0, 0.0, value)


def line(left: Sequence[Any], right: Sequence[Any], x: Scalar, column: int) -> Scalar:
    """Return the value of a column at x on the straight line through two rows."""
    slope = (right[column] - left[column]) / (right[0] - left[0])
    return left[column] + slope * (x - left[0])


def _surely_rises(last: Scalar, end: Scalar) -> bool:
    return is_number(last) and is_number(end) and bool(end >= last)
