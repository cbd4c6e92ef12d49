"""Interpolation: values of tables between their rows.

A table of plain numbers is data: a `PiecewisePolynomial`, whose code does not grow with its rows.
Tables of live parameters become a chain of cases.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from motorik.algebra.piecewise import PiecewisePolynomial
from motorik.algebra.scalar import Scalar, floor, is_number, where

#: Rows up to which a table of friction is a chain of cases: a few selections are faster than a
#: search, and run in vector lanes.
FEW = 8


# --- tables of plain numbers -----------------------------------------------------------------


Slopes = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""The slopes at the points of a curve, from the widths and slopes between them."""


def akima_slopes(h: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Return slopes after Akima 1970; at the ends the slopes are continued linearly."""
    return _weighted_slopes(d, lambda e: np.abs(np.diff(e)))


def modified_akima_slopes(h: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Return slopes after Akima with weights that do not overshoot beside flat parts."""
    return _weighted_slopes(d, lambda e: np.abs(np.diff(e)) + 0.5 * np.abs(e[1:] + e[:-1]))


def _weighted_slopes(
    d: np.ndarray, weights: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    if d.size == 1:
        return np.repeat(d, 2)
    begin = [3.0 * d[0] - 2.0 * d[1], 2.0 * d[0] - d[1]]
    end = [2.0 * d[-1] - d[-2], 3.0 * d[-1] - 2.0 * d[-2]]
    e = np.concatenate([begin, d, end])
    w = weights(e)
    after, before = w[2:], w[:-2]
    total = after + before
    is_even = total == 0.0
    shares = np.where(is_even, 0.5, before / np.where(is_even, 1.0, total))
    return (1.0 - shares) * e[1:-2] + shares * e[2:-1]


def fritsch_butland_slopes(h: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Return slopes after Fritsch and Butland 1984: weighted harmonic means, which are monotone."""
    left, right, a, b = d[:-1], d[1:], h[:-1], h[1:]
    is_monotone = left * right > 0.0
    safe_left, safe_right = (np.where(is_monotone, own, 1.0) for own in (left, right))
    mean = 3.0 * (a + b) / ((a + 2.0 * b) / safe_left + (b + 2.0 * a) / safe_right)
    return np.concatenate([d[:1], np.where(is_monotone, mean, 0.0), d[-1:]])


def steffen_slopes(h: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Return slopes after Steffen 1990: those of a parabola, bounded so that they are monotone."""
    left, right, a, b = d[:-1], d[1:], h[:-1], h[1:]
    parabola = (left * b + right * a) / (a + b)
    bound = 2.0 * np.minimum(np.abs(left), np.abs(right))
    bounded = np.sign(left) * np.minimum(np.abs(parabola), bound)
    return np.concatenate([d[:1], np.where(left * right > 0.0, bounded, 0.0), d[-1:]])


SLOPES: dict[str, Slopes] = {
    "ContinuousDerivative": akima_slopes,
    "MonotoneContinuousDerivative1": fritsch_butland_slopes,
    "MonotoneContinuousDerivative2": steffen_slopes,
    "ModifiedContinuousDerivative": modified_akima_slopes,
}
"""Slopes of smooth curves by Modelica's names."""


class Table:
    """Curves through points, as Modelica's tables: functions of one variable.

    `x` are the places, which do not fall, `values` the columns. Two points at one place are a
    step, behind which the second holds.
    """

    def __init__(
        self, x: np.ndarray, values: np.ndarray, smoothness: str, extrapolation: str
    ) -> None:
        self.first, self.last = float(x[0]), float(x[-1])
        self._extrapolation = extrapolation
        own = np.diff(x) > 0.0  # a step has no segment
        self._constant = [float(v) for v in values[-1]] if not own.any() else None
        if self._constant is not None:
            return
        begins, origins = x[:-1][own], x[:-1][own]
        curves = [_curve(x, column, own, smoothness) for column in values.T]
        is_held = extrapolation == "HoldLastPoint"
        is_smooth = smoothness in SLOPES
        ends_in_step = not own[-1]
        breaks = [*begins[1:]]
        if is_held or is_smooth or smoothness == "ConstantSegments":
            breaks = [self.first, *begins[1:], self.last]
            origins = np.concatenate([[self.first], origins, [self.last]])
            curves = [
                _with_ends(curve, x, column, is_held, is_smooth)
                for curve, column in zip(curves, values.T, strict=True)
            ]
        elif ends_in_step:  # behind it the last row holds
            breaks = [*breaks, self.last]
            origins = np.append(origins, self.last)
            curves = [
                np.vstack([curve, [column[-1], *[0.0] * (curve.shape[1] - 1)]])
                for curve, column in zip(curves, values.T, strict=True)
            ]
        self._polynomial = PiecewisePolynomial(breaks, origins, curves)

    def __call__(self, x: Scalar) -> list[Scalar]:
        """Return the value of each column at x."""
        if self._constant is not None:
            return list(self._constant)
        at = x
        if self._extrapolation == "Periodic":
            period = self.last - self.first
            at = x - floor((x - self.first) / period) * period
        values = self._polynomial(at)
        if self._extrapolation == "NoExtrapolation":
            values = [
                where(
                    x < self.first,
                    float("nan"),
                    where(x > self.last, float("nan"), value),
                )
                for value in values
            ]
        return values


def _curve(x: np.ndarray, y: np.ndarray, own: np.ndarray, smoothness: str) -> np.ndarray:
    """Return the coefficients of a curve on its segments."""
    h = np.diff(x)[own]
    begin, d = y[:-1][own], np.diff(y)[own] / h
    if smoothness == "ConstantSegments":
        return begin[:, None]
    if smoothness == "LinearSegments":
        return np.column_stack([begin, d])
    slopes = SLOPES[smoothness](h, d)
    a, b = slopes[:-1], slopes[1:]
    return np.column_stack(
        [begin, a, (3.0 * d - 2.0 * a - b) / h, (a + b - 2.0 * d) / (h * h)]
    )


def _with_ends(
    curve: np.ndarray, x: np.ndarray, y: np.ndarray, is_held: bool, is_smooth: bool
) -> np.ndarray:
    """Return the coefficients of a curve with those before its begin and behind its end."""
    h = np.diff(x)
    slopes = np.zeros(2)
    if not is_held and is_smooth:
        last = curve[-1]
        slopes[:] = curve[0, 1], last[1] + h[-1] * (2.0 * last[2] + 3.0 * h[-1] * last[3])
    elif not is_held:
        steps = np.diff(y)
        slopes[:] = [steps[k] / h[k] if h[k] > 0.0 else 0.0 for k in (0, -1)]
    width = max(curve.shape[1], 2)
    wide = np.pad(curve, ((0, 0), (0, width - curve.shape[1])))
    ends = np.zeros((2, width))
    ends[:, 0], ends[:, 1] = (y[0], y[-1]), slopes
    return np.vstack([ends[:1], wide, ends[1:]])


@functools.lru_cache(maxsize=64)
def make_table(
    rows: tuple[tuple[float, ...], ...],
    columns: tuple[int, ...],
    smoothness: str,
    extrapolation: str,
    scale: float = 1.0,
) -> Table:
    """Return the table of rows (x, values …) for some columns, from 1 on; `scale` is that of x."""
    numbers = np.array(rows, dtype=float)
    return Table(
        numbers[:, 0] * scale, numbers[:, list(columns)], smoothness, extrapolation
    )


# --- tables along straight lines ---------------------------------------------------------------


def interpolate(rows: Sequence[Sequence[Any]] | Any, x: Scalar, column: int = 1) -> Scalar:
    """Return the value of a column at x; beyond the ends the last two rows lead on.

    The first column, x of each row, rises; one row alone is a constant.
    """
    if len(rows) == 1:
        return rows[0][column]
    if len(rows) > FEW and all(is_number(value) for row in rows for value in row):
        numbers = tuple(tuple(map(float, row)) for row in rows)
        return make_table(numbers, (column,), "LinearSegments", "LastTwoPoints")(x)[0]
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
