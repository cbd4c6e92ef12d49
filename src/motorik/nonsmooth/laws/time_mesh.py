"""Hidden times: where functions of time do what a long step would pass without noticing.

A step control judges a step by a few places within it. A smooth pulse on a body at rest is
narrower than the steps, and would not be noticed. Therefore functions of time alone are looked
at beforehand, at many places of the run, and steps end where something is hidden.
"""

from __future__ import annotations

import numpy as np

from motorik.nonsmooth.laws.time_functions import TimeFunctions, is_nonlinear
from motorik.nonsmooth.memory import MESH_PARTS
from motorik.numerics.tolerances import HIDDEN_CHANGE

INTERVALS = (
    4096  # intervals of a run at whose ends functions of time are looked at, a power of two
)
AHEAD = 64  # calls for which a simulation without an end is looked at beforehand
KEPT = 8  # runs of which the times are kept
FACTOR = 4.0  # how much larger what is hidden is than what longer steps see there
RESOLVED = 0.05  # of the height of what a function does: so much may be between two places
SHORTER = 2.5  # by this factor lengths get shorter where step control may be unaware of it
FORGOTTEN = 0.85  # of a length that step control may still expect after the next one
SINGLE = 8  # of this many places one may need shorter lengths without being counted
NEAR = 2  # neighbours on either side of an interval that see the same


class TimeMesh:
    """The times at which functions of time alone do what longer steps do not see.

    Functions are looked at when they are curved in t between their cases. `count` is how many.
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
        """Return how far apart [s] functions are looked at in a run, 0 if there are none."""
        return (end - begin) / INTERVALS if self.count else 0.0

    def times(self, begin: float, end: float, p: np.ndarray) -> np.ndarray:
        """Return the times between two times at which something is hidden, sorted."""
        if not (self.count and end > begin):
            return np.empty(0)
        return self._looked_at(begin, end, p)[0]

    def fineness(self, begin: float, end: float, p: np.ndarray) -> np.ndarray:
        """Return how far apart [s] looks may be to see what functions do, in `MESH_PARTS` of a run.

        Single places where something is hidden, as corners, do not count: steps end there.
        """
        if not (self.count and end > begin):
            return np.full(MESH_PARTS, np.inf)
        return self._looked_at(begin, end, p)[1]

    def _looked_at(
        self, begin: float, end: float, p: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the times at which something is hidden, and how far apart looks may be."""
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
        """Return the times between which a simulation without an end is looked at at once."""
        first, last = self._window
        if not first <= begin <= end <= last:
            self._window = begin, begin + AHEAD * (end - begin)
        return self._window

    def next_times(self, begin: float, end: float, p: np.ndarray) -> np.ndarray:
        """Return the same in a simulation without an end, looked at for many such calls."""
        first, last = self.window(begin, end)
        found = self.times(first, last, p)
        return found[(found > begin) & (found < end)]


def find_breakpoints(lengths: np.ndarray) -> np.ndarray:
    """Return the numbers of those of 2ⁿ + 1 equidistant values that are to be visited.

    A mesh goes through the values by the lengths that resolve them. Where these get much
    shorter, step control may be unaware of it: the next places of the mesh are visited.
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
    """Return for each interval between values the length, in intervals, that resolves it.

    The middle of each interval of a length is compared with a cubic through its ends and the
    next ones, from the longest to the shortest. A smooth function is off by less and less. Where
    it is off by more than in some longer interval, something small is hidden there; `height`
    is that of what was found so far.
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
    """Return how far the middles of intervals are from a cubic through the ends around."""
    off = middles - 0.5 * (ends[:-1] + ends[1:])
    if ends.size > 2:
        bend = np.diff(ends, 2)
        off += 0.0625 * (np.append(bend[0], bend) + np.append(bend, bend[-1]))
    return np.abs(off)


def _largest_near(values: np.ndarray) -> np.ndarray:
    """Return of each value the largest of it and its neighbours."""
    largest = values.copy()
    for k in range(1, NEAR + 1):
        np.maximum(largest[k:], values[:-k], out=largest[k:])
        np.maximum(largest[:-k], values[k:], out=largest[:-k])
    return largest
