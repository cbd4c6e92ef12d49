"""Cases of time: when functions of time vanish, or become whole numbers, in pieces of a run.

In each piece the functions have no cases. What is straight in time is solved, what is curved is
looked at and halved. Where a function comes near to a change and goes away again between two
looks, its lowest place is looked at, too: it may change twice there, or only touch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from motorik.system.functions import elements

if TYPE_CHECKING:
    import casadi

EPSILON = float(np.finfo(float).eps)
HALVED = 100  # times an interval is halved at most
FINEST = 1e-3  # of the largest time: down to this, times are found to their own rounding
TOUCHES = 64.0 * EPSILON  # of the largest value of a function: so near it touches
MOST = 1_000_000  # whole numbers that one function becomes

# whether values and rates of some functions at some times are still what they were before
Same = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Cases:
    """Functions of time that change a law: zeros where they vanish, then rounds.

    Rounds change it where they become whole numbers. `straight` tells which of them have a
    constant rate between their cases.
    """

    def __init__(
        self, t: casadi.SX, p: casadi.SX, zeros: list[casadi.SX], rounds: list[casadi.SX]
    ) -> None:
        import casadi

        values = casadi.vertcat(casadi.SX(0, 1), *zeros, *rounds)
        rates = casadi.densify(casadi.SX(casadi.jacobian(values, t)))
        self.n_zeros = len(zeros)
        self.straight = np.array([not is_curved(own, t) for own in (*zeros, *rounds)])
        self._function = casadi.Function("cases", [t, p], [casadi.densify(values), rates])

    def at(self, times: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return values and rates at some times, one row each."""
        if not times.size:
            return np.empty((0, self.straight.size)), np.empty((0, self.straight.size))
        values, rates = self._function(times.reshape(1, -1), p)
        return np.array(values).T, np.array(rates).T

    def sides(self, values: np.ndarray) -> np.ndarray:
        """Return which case holds at some times; zero counts as positive."""
        n = self.n_zeros
        return np.hstack([values[:, :n] >= 0.0, np.floor(values[:, n:])])

    def changes_at(self, time: float, aside: float, p: np.ndarray) -> bool:
        """Return whether a case changes at a time, or is another one just there."""
        values = self.at(np.array([time - aside, time, time + aside]), p)[0]
        n = self.n_zeros
        sides = np.hstack([np.sign(values[:, :n]), np.floor(values[:, n:])])
        return bool((sides != sides[0]).any())


def is_curved(function: casadi.SX, t: casadi.SX) -> bool:
    """Return whether the rate of a function of t depends on t, between its cases."""
    import casadi

    rate = casadi.SX(casadi.jacobian(function, t))
    return any(not casadi.SX(casadi.jacobian(own, t)).is_zero() for own in elements(rate))


class Crossings:
    """The search for the times at which some functions change, in pieces of a run.

    Pieces go from `begins` to `ends`; what is curved is looked at at the times of `grid`.
    """

    def __init__(
        self, cases: Cases, p: np.ndarray, pieces: tuple[np.ndarray, np.ndarray]
    ) -> None:
        self.cases, self.p = cases, p
        self.begins, self.ends = pieces

    def find(self, grid: np.ndarray) -> np.ndarray:
        """Return all times, not sorted."""
        found = []
        if self.cases.straight.any():
            found += [self._of_straight()]
        if not self.cases.straight.all():
            found += self._of_curved(grid)
        return np.concatenate([np.empty(0), *found])

    def _of_straight(self) -> np.ndarray:
        """Return where straight functions change, from their values and rates."""
        n, own = self.cases.n_zeros, self.cases.straight
        begins, rates = self.cases.at(self.begins, self.p)
        ends, _ = self.cases.at(self.ends, self.p)
        found = []
        for k in np.flatnonzero(own):
            a, b, rate = begins[:, k], ends[:, k], rates[:, k]
            if k < n:
                at = np.flatnonzero((a >= 0.0) != (b >= 0.0))
                whole = np.zeros(at.size)
            else:
                at, whole = _whole_numbers(a, b)
            with np.errstate(divide="ignore", invalid="ignore"):
                times = self.begins[at] + (whole - a[at]) / rate[at]
            times = np.clip(times, self.begins[at], self.ends[at])
            found.append(times[np.isfinite(times)])
        return np.concatenate(found)

    def _of_curved(self, grid: np.ndarray) -> list[np.ndarray]:
        """Return where curved functions change, by looking and halving."""
        piece = np.searchsorted(self.begins, grid, side="right") - 1
        inside = (piece >= 0) & (grid > self.begins[piece]) & (grid < self.ends[piece])
        times = np.concatenate([self.begins, self.ends, grid[inside]])
        order = np.argsort(times, kind="stable")
        times = times[order]
        numbers = np.arange(self.begins.size)
        piece = np.concatenate([numbers, numbers, piece[inside]])[order]
        values, rates = self.cases.at(times, self.p)
        curved = ~self.cases.straight & (piece[1:] == piece[:-1])[:, None]
        curved &= np.isfinite(values[1:]) & np.isfinite(values[:-1])
        sides = self.cases.sides(values)
        differ = curved & (sides[1:] != sides[:-1])
        found = [self._halve(times, *np.nonzero(differ))]
        back = self._come_back(values, rates) & curved & ~differ
        at, which = np.nonzero(back)
        if at.size:
            found += self._lowest(times, at, which, np.abs(values).max(axis=0))
        return found

    def _come_back(self, values: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """Return between which looks a function may come to a change and go away again."""
        n = self.cases.n_zeros
        a, b = rates[:-1].copy(), rates[1:].copy()
        way = np.where(values[:-1, :n] >= 0.0, 1.0, -1.0)
        turned = np.sign(a[:, n:]) + (a[:, n:] == 0.0) * -np.sign(b[:, n:])
        for rate in (a, b):
            rate[:, :n] *= way
            rate[:, n:] *= -turned
        return (a <= 0.0) & (b >= 0.0) & ((a < 0.0) | (b > 0.0))

    def _lowest(
        self, times: np.ndarray, at: np.ndarray, which: np.ndarray, sizes: np.ndarray
    ) -> list[np.ndarray]:
        """Return where functions change between two looks, or touch where they turn."""
        rows = np.arange(at.size)
        begins, ends = times[at], times[at + 1]
        signs = np.sign(self.cases.at(ends, self.p)[1][rows, which])
        first = np.sign(self.cases.at(begins, self.p)[1][rows, which])
        signs = np.where(signs == 0.0, -first, signs)
        lowest = self._narrow(
            begins, ends, which, lambda _, rate: np.sign(rate) * signs < 0.0
        )
        values = self.cases.at(lowest, self.p)[0]
        before = self.cases.sides(self.cases.at(begins, self.p)[0])[rows, which]
        passes = self.cases.sides(values)[rows, which] != before
        own = values[rows, which]
        n = self.cases.n_zeros
        off = np.abs(np.where(which < n, own, own - np.round(own)))
        touches = ~passes & (off <= TOUCHES * np.maximum(sizes[which], which >= n))
        three = np.column_stack([begins, lowest, ends])[passes]
        halves = [
            self._halve_between(three[:, k], three[:, k + 1], which[passes]) for k in (0, 1)
        ]
        return [lowest[touches], *halves]

    def _halve(self, times: np.ndarray, at: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Return where functions change between looks `at` and the next ones."""
        return self._halve_between(times[at], times[at + 1], which)

    def _halve_between(
        self, begins: np.ndarray, ends: np.ndarray, which: np.ndarray
    ) -> np.ndarray:
        """Return the first times at which functions are on the other side, by halving."""
        rows, n = np.arange(begins.size), self.cases.n_zeros
        before = self.cases.sides(self.cases.at(begins, self.p)[0])[rows, which]

        def is_same(value: np.ndarray, _: np.ndarray) -> np.ndarray:
            return np.where(which < n, value >= 0.0, np.floor(value)) == before

        return self._narrow(begins, ends, which, is_same)

    def _narrow(
        self, begins: np.ndarray, ends: np.ndarray, which: np.ndarray, is_same: Same
    ) -> np.ndarray:
        """Return the first times at which something is no longer the same, by halving."""
        a, b, rows = begins.copy(), ends.copy(), np.arange(begins.size)
        if not rows.size:
            return b
        largest = FINEST * max(abs(self.begins[0]), abs(self.ends[-1]))
        for _ in range(HALVED):
            middle = 0.5 * (a + b)
            finest = 2.0 * EPSILON * np.maximum(np.maximum(abs(a), abs(b)), largest)
            if (b - a <= finest).all():
                break
            values, rates = self.cases.at(middle, self.p)
            same = is_same(values[rows, which], rates[rows, which])
            a, b = np.where(same, middle, a), np.where(same, b, middle)
        return b


def _whole_numbers(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the whole numbers between the values at the ends of pieces, and in which piece."""
    known = np.isfinite(a) & np.isfinite(b)
    low, high = (
        np.where(known, np.minimum(a, b), 0.0),
        np.where(known, np.maximum(a, b), 0.0),
    )
    first = np.floor(low) + 1.0
    count = np.maximum(np.ceil(high) - first, 0.0)
    count = np.minimum(count, MOST).astype(int)
    at = np.repeat(np.arange(a.size), count)[:MOST]
    passed = np.arange(at.size) - np.repeat(np.cumsum(count) - count, count)[:MOST]
    return at, first[at] + passed
