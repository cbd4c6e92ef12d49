"""Elimination of a symmetric matrix, step by step, on the numbers of many poses at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SOUND = 0.02  # a pivot that may vanish is at least this part of its usual size
SMALLEST = 2e-2  # such a pivot against the largest entry beside it, of a pair its square
DEFINITE = 1e-6  # inertia that is left, at least, against the largest that holds it
STEADY = (
    0.999  # least part of its largest size that a pair has at all poses, if M is definite
)


@dataclass(frozen=True)
class Pivot:
    """A row or a pair of rows that is eliminated; `size` is its usual determinant."""

    rows: tuple[int, ...]
    size: float


class Elimination:
    """A symmetric elimination under way, on the numbers of all poses at once."""

    def __init__(self, pattern: np.ndarray, numbers: np.ndarray, n: int) -> None:
        self.n = n
        self.left = np.ones(len(pattern), dtype=bool)
        self.pivots: list[Pivot] = []
        self.n_operations = 0
        self._exists = pattern.copy()
        self._numbers = numbers.copy()
        self._has_diagonal = np.diagonal(pattern).copy()
        np.fill_diagonal(self._exists, True)
        self._degree = self._exists.sum(axis=1) - 1
        self._hub = 1e-3 * self._degree / len(pattern)  # among equals hubs go last
        self._waits_for = pattern[n:, :n].sum(
            axis=1
        )  # what a row of G still has entries with
        self._of_row = pattern[n:, :n].copy()
        M = numbers[:, :n, :n]
        self._is_definite = bool((np.linalg.eigvalsh(M)[:, :1] >= DEFINITE).all())
        self._first = np.abs(np.diagonal(numbers, axis1=1, axis2=2)).copy()
        self._largest = np.abs(numbers).max(axis=2, initial=0.0)
        self._is_sound = np.zeros(len(pattern), dtype=bool)
        self._pair_is_sound = np.zeros((n, len(pattern) - n), dtype=bool)
        self._judge(np.arange(len(pattern)))

    def _judge(self, rows: np.ndarray) -> None:
        """Find again which pivots are sound, after some rows have changed."""
        n, d = self.n, np.diagonal(self._numbers, axis1=1, axis2=2)
        own = np.abs(d[:, rows])
        usual = np.median(own, axis=0)
        least = np.maximum(SMALLEST * self._largest[:, rows], SOUND * usual)
        by_size = (own >= least).all(axis=0) & (usual > 0.0)
        remains = (own >= DEFINITE * np.maximum(self._first[:, rows], 1.0)).all(axis=0)
        if not self._is_definite:
            remains &= (own >= SOUND * usual).all(axis=0)
        is_speed = rows < n
        self._is_sound[rows] = np.where(is_speed, remains, by_size)
        speeds, others = rows[is_speed], rows[~is_speed]
        every_speed = np.flatnonzero(self.left[:n])
        every_other = n + np.flatnonzero(self.left[n:])
        for i, k in ((speeds, every_other), (every_speed, others)):
            if not (i.size and k.size):
                continue
            across = self._numbers[:, i[:, None], k]
            along = np.abs(d[:, i, None] * d[:, None, k])
            size = np.abs(d[:, i, None] * d[:, None, k] - across * across)
            usual = np.median(size, axis=0)
            largest = np.maximum(self._largest[:, i, None], self._largest[:, None, k])
            least = np.maximum(SMALLEST * largest**2, SOUND * usual)
            sound = (size >= least).all(axis=0)
            if self._is_definite:  # then other orders are sound without a doubt
                sound &= size.min(axis=0) >= STEADY * size.max(axis=0)
            turns = (across > 0.0).any(axis=0) & (across < 0.0).any(axis=0)
            sound &= ~turns | (along >= SOUND * usual).all(axis=0)
            self._pair_is_sound[i[:, None], k - n] = sound & self._exists[i[:, None], k]

    def singles(self) -> tuple[int, ...]:
        """Return the single row with the fewest neighbours."""
        rows = self._single_rows()
        return (int(rows[np.argmin(self._degree[rows])]),) if rows.size else ()

    def pairs_first(self) -> tuple[int, ...]:
        """Return the cheapest pair, or a single row if no pair is sound."""
        return self._best_pair()[0] or self.singles()

    def by_cost(self) -> tuple[int, ...]:
        """Return what costs least for each row that goes."""
        single = self.singles()
        pair, cost = self._best_pair()
        if single and pair:
            return pair if cost / 2 < self._degree[single[0]] ** 2 else single
        return pair or single

    def largest(self) -> tuple[int, ...]:
        """Return the speed, or when all are gone the row of G, whose pivot remains largest."""
        rows = np.flatnonzero(self.left[: self.n])
        if not rows.size:
            rows = np.flatnonzero(self.left)
        own = np.abs(np.diagonal(self._numbers, axis1=1, axis2=2)[:, rows]).min(axis=0)
        best = int(np.argmax(own))
        return (int(rows[best]),) if own[best] > 0.0 else ()

    def _single_rows(self) -> np.ndarray:
        """Return the rows that may go alone, those at the tips of the tree first.

        A row of G may go if all speeds that matter to it and to the rows gone before are gone.
        """
        n = self.n
        usable = self.left & self._is_sound
        has_all = self._waits_for == 0
        if not has_all[~self.left[n:]].all():
            has_all = ~self._exists[n:, :n][:, self.left[:n]].any(axis=1)
        usable[n:] |= self.left[n:] & has_all
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
                self._waits_for -= self._of_row[:, i]
                self._pair_is_sound[i] = False
            else:
                self._pair_is_sound[:, i - n] = False
        near = np.flatnonzero(self.left & self._exists[:, rows].any(axis=1))
        B = self._numbers[:, rows][:, :, rows]
        size = float(np.median(np.abs(np.linalg.det(B))))
        self.pivots.append(Pivot(block, size))
        has = self._exists[near][:, rows]
        self.n_operations += count_operations(has, bool(self._has_diagonal[rows[-1]]))
        if len(rows) == 2 and not self._has_diagonal[rows[1]]:
            new = (has[:, :1] & has[:, 1]) | (has[:, 1:] & has[:, 0])
            new |= has[:, 1:] & has[:, 1]
        else:
            new = np.ones((near.size, near.size), dtype=bool)
        where = np.ix_(near, near)
        self._exists[where] |= new
        self._has_diagonal[near] |= np.diagonal(new)
        self._degree[near] = self._exists[near][:, self.left].sum(axis=1) - 1
        columns = self._numbers[:, near][:, :, rows]
        change = columns @ np.linalg.inv(B) @ np.swapaxes(columns, 1, 2)
        self._numbers[:, near[:, None], near] -= change
        among = np.flatnonzero(self.left)
        self._largest[:, near] = np.abs(self._numbers[:, near[:, None], among]).max(
            axis=2, initial=0.0
        )
        self._judge(near)


def count_operations(has: np.ndarray, has_diagonal: bool) -> int:
    """Return about how many operations the elimination of one or two rows takes.

    `has` tells which of the rows that follow have entries with these; `has_diagonal` whether
    the last of them has a diagonal entry. One solution is counted with it.
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
