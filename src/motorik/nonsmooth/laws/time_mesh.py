"""Mesh of time functions: breakpoints where functions of time change faster than steps would see.

Step control judges a step by a few stages. A smooth pulse on a body at rest, narrower than the
steps, would be missed. Therefore functions of time alone are sampled beforehand over the run, and
steps end where they need resolution.
"""

from __future__ import annotations

import numpy as np

from motorik.nonsmooth.laws.time_functions import TimeFunctions, is_nonlinear
from motorik.nonsmooth.memory import MESH_PARTS
from motorik.numerics.tolerances import HIDDEN_CHANGE

INTERVALS = 4096  # of a run, sampled at their ends; a power of two
AHEAD = 64  # calls for which a simulation without an end is sampled
KEPT = 8  # runs that are cached
FACTOR = 4.0  # by which a narrow feature exceeds the deviation of longer intervals
RESOLVED = 0.05  # of the height of a feature: largest deviation between two mesh points
SHORTER = 2.5  # abrupt decrease of lengths of which step control may be unaware
FORGOTTEN = 0.85  # decay of the expected length
SINGLE = 8  # of so many intervals one may be shorter without being counted
NEAR = 2  # neighbours on either side that see the same feature


class TimeMesh:
    """The mesh that resolves the functions of time of a model.

    Functions are sampled if they are nonlinear in t between their branches. `count` is their
    number.
    """

    def __init__(self, of_time: TimeFunctions) -> None:
        import casadi

        t = of_time.t
        functions = [f for f in of_time.functions if is_nonlinear(f, t)]
        self.count = len(functions)
        column = casadi.vertcat(casadi.SX(0, 1), *functions)
        of = casadi.which_depends(column, of_time.p, 1, False) if self.count else []
        self._places = np.flatnonzero(of)
        given = [of_time.p[int(k)] for k in self._places]
        known = casadi.vertcat(casadi.SX(0, 1), *given)
        self._at = casadi.Function("of_time", [t, known], [casadi.densify(column)])
        self._kept: dict[tuple[float, float, bytes], tuple[np.ndarray, np.ndarray]] = {}
        self._window = -np.inf, -np.inf

    def spacing(self, begin: float, end: float) -> float:
        """Return the sampling interval [s] of a run, 0 without functions."""
        return (end - begin) / INTERVALS if self.count else 0.0

    def times(self, begin: float, end: float, p: np.ndarray) -> np.ndarray:
        """Return the breakpoints between two times, sorted."""
        if not (self.count and end > begin):
            return np.empty(0)
        return self._cached_mesh(begin, end, p)[0]

    def fineness(self, begin: float, end: float, p: np.ndarray) -> np.ndarray:
        """Return the sample spacing [s] that resolves the functions, in `MESH_PARTS` of a run.

        Single points, as corners of a function, do not count: steps end there.
        """
        if not (self.count and end > begin):
            return np.full(MESH_PARTS, np.inf)
        return self._cached_mesh(begin, end, p)[1]

    def _cached_mesh(
        self, begin: float, end: float, p: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the breakpoints and the sample spacings, which are cached."""
        key = begin, end, p[self._places].tobytes()
        if key not in self._kept:
            while len(self._kept) >= KEPT:
                self._kept.pop(next(iter(self._kept)))
            grid = np.linspace(begin, end, INTERVALS + 1)
            values = np.array(self._at(grid.reshape(1, -1), p[self._places]))
            shown = values[np.isfinite(values).all(axis=1)]
            lengths = [resolving_lengths(own) for own in shown]
            found = np.concatenate([[], *map(find_breakpoints, lengths)]).astype(int)
            least = np.min([np.full(INTERVALS, INTERVALS), *lengths], axis=0).reshape(
                MESH_PARTS, -1
            )
            some = np.sort(least, axis=1)[:, INTERVALS // MESH_PARTS // SINGLE]
            self._kept[key] = grid[np.unique(found)], some * self.spacing(begin, end)
        return self._kept[key]

    def window(self, begin: float, end: float) -> tuple[float, float]:
        """Return the times between which a simulation without an end is sampled at once."""
        first, last = self._window
        if not first <= begin <= end <= last:
            self._window = begin, begin + AHEAD * (end - begin)
        return self._window

    def next_times(self, begin: float, end: float, p: np.ndarray) -> np.ndarray:
        """Return the same in a simulation without an end, for many such calls."""
        first, last = self.window(begin, end)
        found = self.times(first, last, p)
        return found[(found > begin) & (found < end)]


def find_breakpoints(lengths: np.ndarray) -> np.ndarray:
    """Return the numbers of those of 2ⁿ + 1 equidistant values that are breakpoints.

    A mesh goes through the values by the lengths that resolve them. Where these shrink abruptly,
    step control may be unaware of it: the next mesh points are breakpoints.
    """
    reach = np.arange(lengths.size) + lengths
    reach = np.minimum.accumulate(reach[::-1])[::-1].tolist()
    found: list[int] = []
    at, expected = 0, 0.0
    while at < len(reach):
        length = reach[at] - at
        if expected > SHORTER * length:
            found.append(at)
        at, expected = reach[at], max(length, FORGOTTEN * expected)
    return np.array(found, dtype=int)


def resolving_lengths(values: np.ndarray) -> np.ndarray:
    """Return for each interval the length, in intervals, that resolves it.

    The middle of each interval of a length is compared with a cubic through its ends and their
    neighbours, from the longest to the shortest length. The deviation of a smooth function
    decreases. Where it exceeds that of a longer interval, a narrower feature is found; `height`
    is that of the features found so far.
    """
    length = values.size - 1
    resolved = np.full(length, length)
    height = np.array([float(np.ptp(values))])
    least = HIDDEN_CHANGE * height[0]
    seen = np.array([np.inf])
    while length > 1:
        off = _off_cubic(values[::length], values[length // 2 :: length])
        near = _largest_near(off)
        hidden = _largest_near((off > FACTOR * seen) & (off > least))
        height = np.where(hidden, np.minimum(height, near), height)
        seen = np.where(hidden, near, np.minimum(seen, near))
        active = off > np.maximum(RESOLVED * height, least)
        resolved[np.repeat(active, length)] = length // 2
        height, seen = np.repeat(height, 2), np.repeat(seen, 2)
        length //= 2
    return resolved


def _off_cubic(ends: np.ndarray, middles: np.ndarray) -> np.ndarray:
    """Return the deviation of the middles of intervals from a cubic through the ends around."""
    off = middles - 0.5 * (ends[:-1] + ends[1:])
    if ends.size > 2:
        curvature = np.diff(ends, 2)
        off += 0.0625 * (
            np.append(curvature[0], curvature) + np.append(curvature, curvature[-1])
        )
    return np.abs(off)


def _largest_near(values: np.ndarray) -> np.ndarray:
    """Return of each value the largest of it and its neighbours."""
    largest = values.copy()
    for k in range(1, NEAR + 1):
        np.maximum(largest[k:], values[:-k], out=largest[k:])
        np.maximum(largest[:-k], values[k:], out=largest[:-k])
    return largest
