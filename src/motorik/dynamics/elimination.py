"""Elimination of a symmetric matrix [[M, Gᵀ], [G, −C]], step by step, on many poses at once.

Only pivots are taken that vanish at no pose where the system is regular, whatever the numbers
at the sampled poses:

- diagonal entries of M, while the remaining M is definite;
- a constraint (row of G) after all its speeds: its pivot is then that of the definite matrix
  −G M⁻¹ Gᵀ;
- a pair of a speed and a constraint that determines it by a constant factor;
- where every constraint has a compliance C, also constraints whose pivots are large at all
  sampled poses: the matrix is quasidefinite, and no order has pivots that vanish
  (Vanderbei 1995). Iterative refinement removes the effect of the small compliance, and of
  pivots that are small at other poses.
"""

from __future__ import annotations

import numpy as np

from motorik.immutable import immutable
from motorik.numerics.tolerances import DEFINITE_INERTIA

SMALLEST = 2e-2  # the factor of a pair against the largest entry beside it …
USUAL = 2e-2  # … and, of an early constraint, the pivot against its median


@immutable
class Pivot:
    """A row or a pair of rows to be eliminated; `size` is its usual determinant."""

    rows: tuple[int, ...]
    size: float


class Elimination:
    """A symmetric elimination in progress, on the numbers of all poses at once.

    `constant` marks entries that are the same at every pose and for all values of live
    parameters. It `complies` if every constraint has a compliance, which `numbers` contain.
    """

    def __init__(
        self,
        pattern: np.ndarray,
        numbers: np.ndarray,
        n: int,
        constant: np.ndarray | None = None,
        *,
        complies: bool = False,
    ) -> None:
        self.n = n
        self.left = np.ones(len(pattern), dtype=bool)
        self.pivots: list[Pivot] = []
        self.n_operations = 0  # of the factors and one solution
        self.n_substituted = 0  # of another solution
        self._complies = complies
        self._constant = np.zeros_like(pattern) if constant is None else constant.copy()
        self._exists = pattern.copy()
        self._numbers = numbers.copy()
        self._has_diagonal = np.diagonal(pattern).copy()
        np.fill_diagonal(self._exists, True)
        self._degree = self._exists.sum(axis=1) - 1
        self._hub = 1e-3 * self._degree / len(pattern)  # among equals, hubs go last
        self._of_row = pattern[n:, :n].copy()  # the speeds of each constraint
        self._is_definite = self.has_definite_rest()
        self._largest = np.abs(numbers).max(axis=2, initial=0.0)
        self._pair_is_sound = np.zeros((n, len(pattern) - n), dtype=bool)
        if not complies:
            self._judge_pairs(np.arange(n, len(pattern)))

    def has_definite_rest(self) -> bool:
        """Return whether the remaining M is definite at all poses."""
        rest = np.flatnonzero(self.left[: self.n])
        M = self._numbers[:, rest[:, None], rest]
        return bool((np.linalg.eigvalsh(M)[:, :1] >= DEFINITE_INERTIA).all())

    def _judge_pairs(self, rows: np.ndarray) -> None:
        """Find again which pairs with these constraints are sound."""
        n = self.n
        speeds = np.flatnonzero(self.left[:n])
        rows = rows[self.left[rows] & ~self._has_diagonal[rows]]
        if not (speeds.size and rows.size):
            return
        across = np.abs(self._numbers[:, speeds[:, None], rows]).min(axis=0)
        largest = np.maximum(self._largest[:, speeds, None], self._largest[:, None, rows])
        sound = self._constant[speeds[:, None], rows]
        sound &= across >= SMALLEST * largest.max(axis=0)
        exists = self._exists[speeds[:, None], rows]
        self._pair_is_sound[speeds[:, None], rows - n] = sound & exists

    def _is_large(self) -> np.ndarray:
        """Return which constraints have large pivots at all sampled poses."""
        own = np.abs(np.diagonal(self._numbers, axis1=1, axis2=2)[:, self.n :])
        least = np.maximum(
            SMALLEST * self._largest[:, self.n :], USUAL * np.median(own, axis=0)
        )
        return np.asarray((own >= least).all(axis=0) & (own > 0.0).all(axis=0))

    def singles(self) -> tuple[int, ...]:
        """Return the single row with the fewest neighbours."""
        rows = self._single_rows()
        return (int(rows[np.argmin(self._degree[rows])]),) if rows.size else ()

    def pairs_first(self) -> tuple[int, ...]:
        """Return the cheapest pair, or a single row if no pair is sound."""
        return self._best_pair()[0] or self.singles()

    def by_cost(self) -> tuple[int, ...]:
        """Return the pivot with the fewest operations per eliminated row."""
        single = self.singles()
        pair, cost = self._best_pair()
        if single and pair:
            return pair if cost / 2 < self._degree[single[0]] ** 2 else single
        return pair or single

    def largest(self) -> tuple[int, ...]:
        """Return the speed, or when all are eliminated the constraint, with the largest pivot."""
        rows = np.flatnonzero(self.left[: self.n])
        if not rows.size:
            rows = np.flatnonzero(self.left)
        own = np.abs(np.diagonal(self._numbers, axis1=1, axis2=2)[:, rows]).min(axis=0)
        best = int(np.argmax(own))
        return (int(rows[best]),) if own[best] > 0.0 else ()

    def _single_rows(self) -> np.ndarray:
        """Return the rows that may be eliminated alone, leaves of the tree first."""
        n = self.n
        usable = self.left.copy()
        usable[:n] &= self._is_definite
        waits = (self._of_row & self.left[:n]).any(axis=1)
        if self._complies:
            waits &= ~self._is_large()
        usable[n:] &= ~waits
        rows = np.flatnonzero(usable)
        return np.concatenate([rows[rows < n][::-1], rows[rows >= n]])

    def _best_pair(self) -> tuple[tuple[int, ...], float]:
        n, degree = self.n, self._degree
        if not self._pair_is_sound.any():
            return (), np.inf
        i, k = np.nonzero(self._pair_is_sound)
        at_i, at_k = degree[i] - 1.0, degree[n + k] - 1.0
        cost = at_k * at_k + 2.0 * at_i * at_k
        cost += np.where(self._has_diagonal[n + k], at_i * at_i, 0.0)
        cost += self._hub[i] + self._hub[n + k]
        best = int(np.argmin(cost))
        return (int(i[best]), n + int(k[best])), float(cost[best])

    def remove(self, block: tuple[int, ...]) -> None:
        """Eliminate a row or a pair."""
        n, rows = self.n, list(block)
        self.left[rows] = False
        for i in rows:
            if i < n:
                self._pair_is_sound[i] = False
            else:
                self._pair_is_sound[:, i - n] = False
        if len(rows) == 2:  # the speed is replaced by the speeds that determine it
            speed, row = rows[0], rows[1] - n
            self._of_row[self._of_row[:, speed]] |= self._of_row[row]
        near = np.flatnonzero(self.left & self._exists[:, rows].any(axis=1))
        B = self._numbers[:, rows][:, :, rows]
        size = float(np.median(np.abs(np.linalg.det(B))))
        self.pivots.append(Pivot(block, size))
        has = self._exists[near][:, rows]
        self.n_operations += count_operations(has, bool(self._has_diagonal[rows[-1]]))
        self.n_substituted += len(rows) * (1 + 4 * len(near))
        if len(rows) == 2 and not self._has_diagonal[rows[1]]:
            new = (has[:, :1] & has[:, 1]) | (has[:, 1:] & has[:, 0])
            new |= has[:, 1:] & has[:, 1]
        else:
            new = np.ones((near.size, near.size), dtype=bool)
        where = np.ix_(near, near)
        self._exists[where] |= new
        self._constant[where] &= ~new
        self._has_diagonal[near] |= np.diagonal(new)
        self._degree[near] = self._exists[near][:, self.left].sum(axis=1) - 1
        columns = self._numbers[:, near][:, :, rows]
        change = columns @ np.linalg.inv(B) @ np.swapaxes(columns, 1, 2)
        self._numbers[:, near[:, None], near] -= change
        among = np.flatnonzero(self.left)
        self._largest[:, near] = np.abs(self._numbers[:, near[:, None], among]).max(
            axis=2, initial=0.0
        )
        if self._complies:
            return
        if len(rows) == 2 and not self._is_definite:
            self._is_definite = self.has_definite_rest()
        self._judge_pairs(n + np.flatnonzero(self.left[n:]))


def count_operations(has: np.ndarray, has_diagonal: bool) -> int:
    """Return the approximate number of operations to eliminate one or two rows.

    `has` marks the later rows that have entries with these; `has_diagonal` whether the last of
    them has a diagonal entry. One solution is included.
    """
    count = len(has)
    if has.shape[1] == 1:
        return 2 + count * (count + 6)
    first, second = has[:, 0], has[:, 1]
    if has_diagonal:
        by_first, factors = np.ones(count, dtype=bool), 6 * count
    else:
        by_first = second
        factors = int(second.sum() + first.sum() + second.sum() + (first & second).sum())
    terms = np.triu((by_first[:, None] & first).astype(int) + second[None, :])
    return 11 + factors + 2 * int(terms.sum()) + 4 * int(by_first.sum() + count)
