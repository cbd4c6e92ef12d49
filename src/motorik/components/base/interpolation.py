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

from motorik.algebra.piecewise import Breaks, PiecewisePolynomial, Rows, polynomial
from motorik.algebra.scalar import Scalar, floor, is_number, where

#: Rows up to which a table of friction is a chain of cases: a few selections are faster than a
#: search (10 ns and 10 to 60 ns with 16 rows), and run in vector lanes.
FEW = 16


# --- tables of plain numbers -----------------------------------------------------------------


Slopes = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""The slopes at the points of a curve, from the widths and slopes between them."""


def akima_slopes(h: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Return slopes after Akima 1970; at the ends the slopes are continued linearly."""
    return _weighted_slopes(d)


def modified_akima_slopes(h: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Return slopes after Akima with weights that do not overshoot beside flat parts."""
    return _weighted_slopes(d, modified=True)


def _weighted_slopes(d: np.ndarray, modified: bool = False) -> np.ndarray:
    """Return means of the slopes before and behind each point."""
    if d.size == 1:
        return np.repeat(d, 2)
    begin = [3.0 * d[0] - 2.0 * d[1], 2.0 * d[0] - d[1]]
    end = [2.0 * d[-1] - d[-2], 3.0 * d[-1] - 2.0 * d[-2]]
    e = np.concatenate([begin, d, end])
    shares = _shares(e, modified)
    return (1.0 - shares) * e[1:-2] + shares * e[2:-1]


def _shares(e: np.ndarray, modified: bool = False) -> np.ndarray:
    """Return the share that the slope behind each point has, from slopes along the first axis."""
    w = np.abs(np.diff(e, axis=0))
    if modified:
        w = w + 0.5 * np.abs(e[1:] + e[:-1])
    behind, before = w[2:], w[:-2]
    total = behind + before
    is_even = total == 0.0
    return np.where(is_even, 0.5, before / np.where(is_even, 1.0, total))


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


class Curves:
    """Curves through points, as in Modelica's tables: functions of one variable.

    `x` are the places, which do not fall, `values` the columns. Two points at one place are a
    step, behind which the second holds.
    """

    def __init__(
        self, x: np.ndarray, values: np.ndarray, smoothness: str, extrapolation: str
    ) -> None:
        self._ends = Ends(float(x[0]), float(x[-1]), extrapolation)
        own = np.diff(x) > 0.0  # a step has no segment
        self._constant = [float(v) for v in values[-1]] if not own.any() else None
        if self._constant is not None:
            return
        breaks, origins = x[:-1][own][1:], x[:-1][own]
        curves = [_curve(x, column, own, smoothness) for column in values.T]
        is_line = smoothness == "LinearSegments" and extrapolation != "HoldLastPoint"
        if extrapolation != "Periodic" and not (is_line and own[0] and own[-1]):
            breaks = np.concatenate([x[:1], breaks, x[-1:]])
            origins = np.concatenate([x[:1], origins, x[-1:]])
            is_held = extrapolation == "HoldLastPoint"
            curves = [
                _with_ends(curve, x, column, own, smoothness, is_held)
                for curve, column in zip(curves, values.T, strict=True)
            ]
        self._polynomial = PiecewisePolynomial(breaks, origins, curves)

    def __call__(self, x: Scalar) -> list[Scalar]:
        """Return the value of each column at x."""
        if self._constant is not None:
            return list(self._constant)
        values = self._polynomial(self._ends.inside(x))
        return [self._ends.checked(value, x) for value in values]


class Ends:
    """The ends of a table along one axis, and what holds beyond them."""

    def __init__(self, first: float, last: float, extrapolation: str) -> None:
        self.first, self.last = first, last
        self._extrapolation = extrapolation

    def inside(self, x: Scalar) -> Scalar:
        """Return the place in a table that is repeated; of others the same place."""
        if self._extrapolation != "Periodic":
            return x
        period = self.last - self.first
        return x - floor((x - self.first) / period) * period

    def checked(self, value: Scalar, x: Scalar) -> Scalar:
        """Return a value at x, which is none beyond the ends of a table that ends there."""
        if self._extrapolation != "NoExtrapolation":
            return value
        nothing = float("nan")
        return where(x < self.first, nothing, where(x > self.last, nothing, value))


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
    curve: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    own: np.ndarray,
    smoothness: str,
    is_held: bool,
) -> np.ndarray:
    """Return the coefficients of a curve with those before its begin and behind its end.

    Beyond a step at an end the value is constant there.
    """
    ends = np.zeros((2, max(curve.shape[1], 2)))
    ends[:, 0] = y[0], y[-1]
    if not is_held and smoothness in SLOPES:
        d, h = curve[-1], x[-1] - x[-2]
        ends[:, 1] = curve[0, 1], d[1] + h * (2.0 * d[2] + 3.0 * h * d[3])
    elif not is_held:
        slopes = np.divide(np.diff(y), np.diff(x), out=np.zeros(x.size - 1), where=own)
        ends[:, 1] = slopes[0], slopes[-1]
        if not own[0]:  # as before the table: along its first segment
            k = int(np.argmax(own))
            ends[0] = curve[0] if smoothness == "LinearSegments" else (y[k], slopes[k])
    wide = np.pad(curve, ((0, 0), (0, ends.shape[1] - curve.shape[1])))
    return np.vstack([ends[:1], wide, ends[1:]])


@functools.lru_cache(maxsize=64)
def make_curves(
    rows: tuple[tuple[float, ...], ...],
    columns: tuple[int, ...],
    smoothness: str,
    extrapolation: str,
    scale: float = 1.0,
) -> Curves:
    """Return the curves of rows (x, values …), of columns from 1 on; `scale` is that of x."""
    numbers = np.array(rows, dtype=float)
    return Curves(
        numbers[:, 0] * scale, numbers[:, list(columns)], smoothness, extrapolation
    )


# --- tables of two variables -------------------------------------------------------------------


class Surface:
    """A surface over a grid, as in Modelica's tables: a function of two variables.

    It is constant or bilinear in each cell, or a bicubic polynomial with Akima's derivatives
    (Akima 1974). `z` has a row for each of `x`, and a column for each of `y`.
    """

    def __init__(
        self,
        x: np.ndarray,
        y: np.ndarray,
        z: np.ndarray,
        smoothness: str,
        extrapolation: str,
    ) -> None:
        self._ends = [Ends(float(g[0]), float(g[-1]), extrapolation) for g in (x, y)]
        h, k = np.diff(x), np.diff(y)
        is_smooth = smoothness == "ContinuousDerivative"
        cells = _smooth_cells(x, y, z) if is_smooth else _cells(h, k, z)
        breaks, origins, inside = [x[1:-1], y[1:-1]], [x[:-1], y[:-1]], slice(None)
        is_held = extrapolation == "HoldLastPoint"
        if extrapolation != "Periodic":
            breaks, origins, inside = (
                [x, y],
                [np.append(g[:1], g) for g in (x, y)],
                slice(1, -1),
            )
            cells = _with_edges(cells, h, is_held).transpose(1, 0, 3, 2)
            cells = _with_edges(cells, k, is_held).transpose(1, 0, 3, 2)
        if smoothness == "ConstantSegments":
            cells[inside, inside] = 0.0
            cells[inside, inside, 0, 0] = z[:-1, :-1]
            if is_held:
                cells = np.pad(z, ((1, 0), (1, 0)), mode="edge")[..., None, None]
        is_discontinuous = not is_smooth or is_held
        self._breaks = [Breaks(own, np.full(own.size, is_discontinuous)) for own in breaks]
        self._origins = [Rows(own[:, None]) for own in origins]
        self._shape = cells.shape
        self._cells = Rows(cells.reshape(cells.shape[0] * cells.shape[1], -1))

    def __call__(self, u1: Scalar, u2: Scalar) -> Scalar:
        """Return the value at (u1, u2)."""
        u = [end.inside(own) for end, own in zip(self._ends, (u1, u2), strict=True)]
        at = [
            b.locate(x) if b.values.size else 0.0
            for b, x in zip(self._breaks, u, strict=True)
        ]
        s, r = (
            x - rows.entries(i)[0] for x, rows, i in zip(u, self._origins, at, strict=True)
        )
        n, m = self._shape[2:]
        entries = self._cells.entries(at[0] * float(self._shape[1]) + at[1])
        inner = [polynomial(entries[m * k : m * (k + 1)], r) for k in range(n)]
        value = polynomial(inner, s)
        for end, own in zip(self._ends, (u1, u2), strict=True):
            value = end.checked(value, own)
        return value


def _cells(h: np.ndarray, k: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Return the coefficients of each cell of a bilinear surface, by powers of both variables."""
    across = np.diff(z, axis=0)[:, :-1] / h[:, None]
    along = np.diff(z, axis=1)[:-1] / k
    both = np.diff(np.diff(z, axis=0), axis=1) / h[:, None] / k
    first = np.stack([z[:-1, :-1], along], axis=-1)
    return np.stack([first, np.stack([across, both], axis=-1)], axis=-2)


def _with_edges(cells: np.ndarray, h: np.ndarray, is_held: bool) -> np.ndarray:
    """Return cells with those before the first and behind the last of the first variable.

    Along it they are straight, with the slope of the surface at its edge, or held.
    """
    powers = h[-1] ** np.arange(cells.shape[2])
    slopes = np.arange(1, cells.shape[2]) * powers[:-1]
    before, behind = np.zeros(cells.shape[1:]), np.zeros(cells.shape[1:])
    before[:, :2] = cells[0, :, :2]
    behind[:, 0] = np.einsum("jab,a->jb", cells[-1], powers)
    behind[:, 1] = np.einsum("jab,a->jb", cells[-1, :, 1:], slopes)
    if is_held:
        before[:, 1], behind[:, 1] = 0.0, 0.0
    return np.concatenate([before[None], cells, behind[None]])


def _smooth_cells(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Return the coefficients of each cell of a bicubic surface with Akima's derivatives."""
    X, Y = _extended_grid(x), _extended_grid(y)
    Z = _extended_values(X, _extended_values(Y, z.T).T)
    across = np.diff(Z, axis=0) / np.diff(X)[:, None]
    along = np.diff(Z, axis=1) / np.diff(Y)
    both = np.diff(across, axis=1) / np.diff(Y)
    p = _shares(across)[:, 2:-2]  # of the differences behind a point
    q = _shares(along.T).T[2:-2]
    z_x = (1.0 - p) * across[1:-2, 2:-2] + p * across[2:-1, 2:-2]
    z_y = (1.0 - q) * along[2:-2, 1:-2] + q * along[2:-2, 2:-1]
    z_xy = (1.0 - p) * ((1.0 - q) * both[1:-2, 1:-2] + q * both[1:-2, 2:-1])
    z_xy += p * ((1.0 - q) * both[2:-1, 1:-2] + q * both[2:-1, 2:-1])
    corners = np.stack(
        [
            np.stack([_corner(own, i, j) for j in (0, 1)], axis=-1)
            for own in (z, z_x, z_y, z_xy)
            for i in (0, 1)
        ],
        axis=-2,
    )
    values, slopes = corners[..., :4, :], corners[..., 4:, :]
    data = np.concatenate([values, slopes], axis=-1)  # (z, z_x) by (y, ∂y)
    return np.einsum("iab,ijbc,jdc->ijad", _hermite(np.diff(x)), data, _hermite(np.diff(y)))


def _corner(values: np.ndarray, i: int, j: int) -> np.ndarray:
    """Return the values at one corner of each cell."""
    n, m = values.shape
    return values[i : n - 1 + i, j : m - 1 + j]


def _hermite(h: np.ndarray) -> np.ndarray:
    """Return the matrices from both values and both slopes of cubics to their coefficients."""
    own = np.zeros((h.size, 4, 4))
    own[:, 0, 0], own[:, 1, 2] = 1.0, 1.0
    own[:, 2, 0], own[:, 2, 1] = -3.0 / h**2, 3.0 / h**2
    own[:, 2, 2], own[:, 2, 3] = -2.0 / h, -1.0 / h
    own[:, 3, 0], own[:, 3, 1] = 2.0 / h**3, -2.0 / h**3
    own[:, 3, 2], own[:, 3, 3] = 1.0 / h**2, 1.0 / h**2
    return own


def _extended_grid(x: np.ndarray) -> np.ndarray:
    """Return a grid with two points more on either side."""
    if x.size == 2:
        h = x[1] - x[0]
        return np.concatenate(
            [x[0] - h * np.array([2.0, 1.0]), x, x[1] + h * np.array([1.0, 2.0])]
        )
    begin = [2.0 * x[0] - x[2], x[0] + x[1] - x[2]]
    end = [x[-1] + x[-2] - x[-3], 2.0 * x[-1] - x[-3]]
    return np.concatenate([begin, x, end])


def _extended_values(X: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Return values with two rows more on either side, whose slopes are continued linearly."""
    d = np.diff(z, axis=0) / np.diff(X[2:-2])[:, None]
    second = d[min(1, len(d) - 1)], d[max(-2, -len(d))]
    h = np.diff(X)
    before = z[0] - h[1] * (2.0 * d[0] - second[0])
    behind = z[-1] + h[-2] * (2.0 * d[-1] - second[1])
    first = before - h[0] * (3.0 * d[0] - 2.0 * second[0])
    last = behind + h[-1] * (3.0 * d[-1] - 2.0 * second[1])
    return np.concatenate([[first, before], z, [behind, last]])


@functools.lru_cache(maxsize=64)
def make_surface(
    rows: tuple[tuple[float, ...], ...], smoothness: str, extrapolation: str
) -> Surface:
    """Return the surface of a first row (0, y …) and rows (x, values …)."""
    numbers = np.array(rows, dtype=float)
    x, y, z = numbers[1:, 0], numbers[0, 1:], numbers[1:, 1:]
    return Surface(x, y, z, smoothness, extrapolation)


# --- tables along straight lines ---------------------------------------------------------------


def interpolate(rows: Sequence[Sequence[Any]] | Any, x: Scalar, column: int = 1) -> Scalar:
    """Return the value of a column at x; beyond the ends the last two rows lead on.

    The first column, x of each row, rises; one row alone is a constant.
    """
    if len(rows) == 1:
        return rows[0][column]
    if len(rows) > FEW and all(is_number(value) for row in rows for value in row):
        numbers = tuple(tuple(map(float, row)) for row in rows)
        return make_curves(numbers, (column,), "LinearSegments", "LastTwoPoints")(x)[0]
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
