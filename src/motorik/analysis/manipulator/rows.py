"""Rows: what keeps a mechanism together in a hand, evaluated at poses: loops and limits."""

from __future__ import annotations

import numpy as np

from motorik.analysis.manipulator.bound import Bound
from motorik.analysis.manipulator.code import HandCode
from motorik.analysis.manipulator.linear import Directions

CLOSED = 1e-12  # rows in scales: so closed are loops after each step
NEARLY = 1e-10  # so closed they must be, where rounding allows no more
CORRECTIONS = 12
TOUCHED = 1e-9  # of a gap, in scales: not yet exceeded

NONE: frozenset[int] = frozenset()


class Rows:
    """The rows of loops and the gaps of limits of a mechanism at one moment, as numbers.

    `bound` are the gaps that limits keep open: zero, or less where a pose exceeds them from
    the beginning, which it then does not further.
    """

    def __init__(self, code: HandCode, q: np.ndarray, moment: np.ndarray) -> None:
        self.code, self.moment, self.n_u = code, moment, code.system.n_u
        self._rows, self._moved = Bound(code.rows), Bound(code.step)
        self._gaps = Bound(code.gaps) if code.limits else None
        self._per_row = np.ones(code.n_rows)
        self.bound = np.zeros(len(code.limits))
        self.scale_at(q)

    @property
    def rolls(self) -> bool:
        """Whether something rolls, which is followed from step to step."""
        return bool(self.code.n_rolling)

    def scale_at(self, q: np.ndarray) -> None:
        """Scale balances of forces as steep as they are at a pose, and see which limits hold."""
        if self.code.n_balances:
            own = slice(0, self.code.n_balances)
            steep = np.abs(self._rows(q, self.moment)[1][own]).max(axis=1)
            self._per_row[own] = 1.0 / np.where(steep > 0.0, steep, 1.0)
        if self._gaps is not None:
            self.bound = np.minimum(0.0, self._gaps(q, self.moment)[0])

    def moved(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Return coordinates after a small step of speeds, in scales."""
        return self._moved(q, step)[0].copy()

    def rolled(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Return a step along which what rolls does not slip in the middle of the way either."""
        if not self.rolls:
            return step
        _, A = self.at(self.moved(q, 0.5 * step), NONE)
        return step - Directions.of(A).shortest(A @ step)

    def at(self, q: np.ndarray, active: frozenset[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return what must vanish, active limits at its end, and its Jacobian by speeds."""
        g, A = self._rows(q, self.moment)
        g, A = g * self._per_row, A * self._per_row[:, None]
        if active and self._gaps is not None:
            own = sorted(active)
            h, H = self._gaps(q, self.moment)
            g = np.concatenate([g, (h - self.bound)[own]])
            A = np.concatenate([A, H[own]])
        return g, A

    def left(self, q: np.ndarray) -> float:
        """Return the largest of what must vanish of loops, in scales."""
        return float(np.abs(self.at(q, NONE)[0]).max(initial=0.0))

    def close(
        self, q: np.ndarray, active: frozenset[int] = NONE, most: float = np.inf
    ) -> np.ndarray | None:
        """Return the nearest closed pose; None if it is farther than `most` or there is none.

        Newton's method; near the end the directions of the step before do.
        """
        g, A = self.at(q, active)
        size, way, directions = float(np.abs(g).max(initial=0.0)), 0.0, None
        for _ in range(CORRECTIONS):
            if size < CLOSED:
                return q
            if directions is None or size > 1e-4:
                directions = Directions.of(A)
            step = directions.shortest(-g)
            way += float(np.abs(step).max(initial=0.0))
            if not way <= most:
                return None
            moved = self.moved(q, step)
            g, A = self.at(moved, active)
            before, size = size, float(np.abs(g).max(initial=0.0))
            if not size < before:
                return q if before < NEARLY else None
            q = moved
        return q if size < NEARLY else None

    # --- limits ------------------------------------------------------------------------------

    def reach(
        self, q: np.ndarray, step: np.ndarray, active: frozenset[int]
    ) -> tuple[float, int | None]:
        """Return which part of a step leads to the first limit, and that limit."""
        if self._gaps is None:
            return 1.0, None
        h, H = self._gaps(q, self.moment)
        room, rates = h - self.bound, H @ step
        reach, meets = 1.0, None
        for k in np.flatnonzero(rates < 0.0):
            if k not in active and room[k] < -reach * rates[k]:
                reach, meets = max(0.0, float(room[k] / -rates[k])), int(k)
        return reach, meets

    def allow(self, q: np.ndarray) -> bool:
        """Return whether no limit is exceeded."""
        if self._gaps is None:
            return True
        return bool((self._gaps(q, self.moment)[0] - self.bound >= -TOUCHED).all())
