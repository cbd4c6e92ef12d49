"""Piecewise polynomials: tables as data, on floats, arrays, duals and symbols alike.

Breaks divide the axis into segments. `Breaks.locate` is the number of the segment in which a value
lies, `Rows.entries` are numbers stored for a segment. Both are piecewise constant, so their
derivatives vanish, and a table is a polynomial of a few operations, however many segments it has:

    y = c₀(i) + c₁(i) s + c₂(i) s² + c₃(i) s³,   s = x − o(i),   i = locate(x)

On symbols both are calls of CasADi functions that hold the data, so that CasADi evaluates them; the
compiler replaces them by a search and by loads. CasADi would differentiate a call by a further
call, but the derivative of a floor is zero: a segment is recorded as a floor, and each number as
two whole numbers, each a floor, times powers of two.
"""

from __future__ import annotations

import functools
import hashlib
import re
import sys
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from motorik.algebra.scalar import Scalar, add, floor, is_symbol, mul, plain
from motorik.numerics.tolerances import ROUNDING

if TYPE_CHECKING:
    import casadi

#: Bits of each of the two whole numbers by which a number is recorded.
BITS = 50

#: The least exponent of a factor of such a whole number.
LEAST_POWER = -900

#: Beyond all breaks.
FAR = 1e300

#: Added before rounding down, with the sign of x: so a segment depends on x.
ASIDE = 0.25

_BREAKS = re.compile(r"breaks(\d+)_[0-9a-f]+$")
_ROWS = re.compile(r"rows(\d+)_[0-9a-f]+((?:_m?\d+)+)$")


class Breaks:
    """The rising numbers at which the segments of a table begin, except the first segment.

    `is_discontinuous` tells at which of them a value of the table or its slope jumps.
    """

    def __init__(self, values: ArrayLike, is_discontinuous: ArrayLike) -> None:
        self.values = np.ascontiguousarray(values, dtype=float)
        self.is_discontinuous = np.ascontiguousarray(is_discontinuous, dtype=bool)
        self.name = (
            f"breaks{self.values.size}_{_digest(self.values, self.is_discontinuous)}"
        )
        _known[self.name] = self

    @property
    def discontinuities(self) -> np.ndarray:
        """The breaks at which a value or a slope jumps."""
        return self.values[self.is_discontinuous]

    @functools.cached_property
    def data(self) -> np.ndarray:
        """The breaks as native code reads them, after their count."""
        return np.concatenate([[float(self.values.size)], self.values])

    def locate(self, x: Scalar) -> Scalar:
        """Return the number of breaks up to x, which is the number of its segment."""
        x = getattr(x, "value", x)  # of a dual
        if is_symbol(x):
            aside = sys.modules["casadi"].copysign(ASIDE, x)
            return floor(self._function(x) + aside)
        return plain(np.searchsorted(self.values, x, side="right") * 1.0)

    @functools.cached_property
    def _function(self) -> casadi.Function:
        """The CasADi function of x to its segment plus one half.

        Interpolation of the numbers of segments may be off by one beside a break.
        """
        casadi = sys.modules["casadi"]
        grid = np.concatenate([[-FAR], self.values, [FAR]])
        numbers, last = np.arange(float(grid.size)), float(self.values.size)
        both = np.stack([grid, np.pad(self.is_discontinuous, 1)])
        rough = casadi.interpolant("rough", "linear", [grid], numbers)
        exact = casadi.interpolant("exact", "linear", [numbers], both.T.ravel())
        x = casadi.MX.sym("x")
        inside = casadi.fmin(casadi.fmax(x, -FAR), FAR)
        at = casadi.fmin(casadi.fmax(casadi.floor(rough(inside)), 0.0), last)
        at = at + (x >= exact(at + 1.0)[0]) - (x < exact(at)[0])
        at = casadi.fmin(casadi.fmax(at, 0.0), last)
        options = {"never_inline": True, "is_diff_in": [False]}
        return casadi.Function(self.name, [x], [at + 0.5], options)

    def event_functions(self, x: Scalar) -> list[Scalar]:
        """Return functions of x that change their signs at the discontinuities.

        The first vanishes at the even ones, the second at the odd ones, where the other is 1 or
        −1; between them both are straight. So from anywhere the next discontinuity in either
        direction is where one of them vanishes, extrapolated linearly.
        """
        return self._event_functions(x)

    @functools.cached_property
    def _event_functions(self) -> PiecewisePolynomial:
        x, numbers = self.discontinuities, np.arange(self.discontinuities.size)
        if x.size == 1:
            return PiecewisePolynomial([], x, [np.array([[0.0, 1.0]])])
        waves = (
            np.sin(0.5 * np.pi * numbers).round(),
            np.cos(0.5 * np.pi * numbers).round(),
        )
        lines = [np.column_stack([y[:-1], np.diff(y) / np.diff(x)]) for y in waves]
        return PiecewisePolynomial(x[1:-1], x[:-1], lines)


class Rows:
    """Numbers stored for each segment of a table, in columns."""

    def __init__(self, values: ArrayLike) -> None:
        self.values = np.ascontiguousarray(values, dtype=float)
        powers = "_".join(str(power).replace("-", "m") for power in self._powers)
        self.name = f"rows{self.values.shape[0]}_{_digest(self.values)}_{powers}"
        _known[self.name] = self

    @property
    def data(self) -> np.ndarray:
        """The numbers as native code reads them, row by row."""
        return self.values

    def entries(self, segment: Scalar) -> list[Scalar]:
        """Return the numbers of a segment; columns of one number are that number."""
        if not is_symbol(segment):
            at = np.asarray(segment).astype(int)
            return [plain(column[at]) for column in self.values.T]
        parts = self._function(segment)
        return [
            float(column[0])
            if (column == column[0]).all()
            else floor(parts[2 * k]) * self.factor(2 * k)
            + floor(parts[2 * k + 1]) * self.factor(2 * k + 1)
            for k, column in enumerate(self.values.T)
        ]

    @functools.cached_property
    def _powers(self) -> list[int]:
        """For each column the power of 2 that multiplies the first of its two whole numbers.

        Factors 1 and 2 are avoided, as CasADi would simplify them away.
        """
        largest = np.frexp(np.abs(self.values).max(axis=0))[1] - BITS
        powers = [max(int(power), LEAST_POWER) for power in largest]
        return [p + 2 if p in (0, 1) or p - BITS in (0, 1) else p for p in powers]

    @functools.cached_property
    def parts(self) -> Rows:
        """Both whole numbers of each column."""
        columns = [
            part
            for column, power in zip(self.values.T, self._powers, strict=True)
            for part in _whole_numbers(column, power)
        ]
        return Rows(np.column_stack(columns))

    def factor(self, part: int) -> float:
        """Return the factor of a column of `parts`."""
        return 2.0 ** (self._powers[part // 2] - BITS * (part % 2))

    @functools.cached_property
    def _function(self) -> casadi.Function:
        """The CasADi function of a segment to its `parts`."""
        casadi = sys.modules["casadi"]
        numbers = np.arange(float(self.values.shape[0]))
        return casadi.interpolant(self.name, "linear", [numbers], self.parts.values.ravel())


class PiecewisePolynomial:
    """Functions of x that are polynomials on each segment, all with the same breaks.

    On segment i the value of function n is Σₖ coefficients[n][i, k] (x − origins[i])ᵏ. At a break
    the segment after it holds.
    """

    def __init__(
        self, breaks: ArrayLike, origins: ArrayLike, coefficients: Sequence[np.ndarray]
    ) -> None:
        at, starts = np.asarray(breaks, dtype=float), np.asarray(origins, dtype=float)
        is_discontinuous = np.zeros(at.size, dtype=bool)
        for own in coefficients:
            is_discontinuous |= _find_discontinuities(at, starts, own)
        self.breaks = Breaks(at, is_discontinuous)
        self.rows = Rows(np.column_stack([starts, *coefficients]))
        self._orders = [own.shape[1] for own in coefficients]

    def __call__(self, x: Scalar) -> list[Scalar]:
        """Return the values at x."""
        segment = self.breaks.locate(x) if self.breaks.values.size else 0.0
        entries = iter(self.rows.entries(segment))
        s = x - next(entries)
        return [polynomial([next(entries) for _ in range(n)], s) for n in self._orders]


def polynomial(coefficients: Sequence[Scalar], s: Scalar) -> Scalar:
    """Return a polynomial of s; coefficients that are structurally zero cost nothing."""
    value: Scalar = 0.0
    for coefficient in reversed(coefficients):
        value = add(coefficient, mul(value, s))
    return value


def _find_discontinuities(
    breaks: np.ndarray, origins: np.ndarray, own: np.ndarray
) -> np.ndarray:
    """Return at which breaks the value or the slope of a function jumps, beyond rounding."""
    powers = np.arange(own.shape[1])
    before, after = own[:-1], own[1:]
    jumps, sizes = [], []
    for order, factors in enumerate((np.ones(powers.size), powers)):
        exponents = np.maximum(powers - order, 0)
        left = factors * before * (breaks - origins[:-1])[:, None] ** exponents
        right = factors * after * (breaks - origins[1:])[:, None] ** exponents
        jumps.append(np.abs(right.sum(axis=1) - left.sum(axis=1)))
        sizes.append(np.abs(left).sum(axis=1) + np.abs(right).sum(axis=1))
    widths = np.diff(breaks, prepend=-np.inf, append=np.inf)
    width = np.minimum(widths[:-1], widths[1:])
    width = np.where(np.isfinite(width), width, np.abs(breaks) + 1.0)
    least = ROUNDING * (sizes[0] + sizes[1] * width)
    return (jumps[0] > least) | (jumps[1] * width > least)


def _whole_numbers(column: np.ndarray, power: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two whole numbers for each number of a column, the second of lower weight."""
    high = np.floor(np.ldexp(column, -power))
    return high, np.floor(np.ldexp(column - np.ldexp(high, power), BITS - power))


# --- tables in graphs of symbols -----------------------------------------------------------


_known: weakref.WeakValueDictionary[str, Breaks | Rows] = weakref.WeakValueDictionary()


def table_of(function: casadi.Function) -> Breaks | Rows | None:
    """Return the table that a CasADi function reads, None if it reads none."""
    name = function.name()
    found = _known.get(name)
    if found is not None:
        return found
    if match := _BREAKS.match(name):
        places = np.arange(1.0, 1.0 + int(match[1])).reshape(1, -1)
        values, is_discontinuous = np.array(function.find_function("exact")(places))
        return Breaks(values, is_discontinuous > 0.5)
    if match := _ROWS.match(name):
        powers = [int(own.replace("m", "-")) for own in match[2][1:].split("_")]
        parts = np.array(function(np.arange(float(match[1])).reshape(1, -1)))
        columns = [
            np.ldexp(parts[2 * k], power) + np.ldexp(parts[2 * k + 1], power - BITS)
            for k, power in enumerate(powers)
        ]
        return Rows(np.column_stack(columns))
    return None


def located(node: Scalar) -> tuple[Breaks, Scalar] | None:
    """Return the breaks and x of an expression that is a segment, None of any other."""
    casadi = sys.modules["casadi"]
    if node.op() != casadi.OP_FLOOR or node.dep(0).op() != casadi.OP_ADD:
        return None
    own = node.dep(0).dep(0)
    if not own.is_output():
        return None
    table = table_of(own.dep(0).which_function())
    return (table, own.dep(0).dep(0)) if isinstance(table, Breaks) else None


def is_entry(node: Scalar) -> bool:
    """Return whether an expression is a whole number of an entry of a table."""
    casadi = sys.modules["casadi"]
    return node.op() == casadi.OP_FLOOR and node.dep(0).is_output()


def _digest(*arrays: np.ndarray) -> str:
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(array.tobytes())
    return digest.hexdigest()[:24]
