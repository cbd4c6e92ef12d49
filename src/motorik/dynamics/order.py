"""Orders of elimination for sparse systems, chosen on numbers before anything is traced.

A matrix is known at many poses that the mechanism can reach. What is eliminated, and in which
order, is fixed once; it must hold at all poses, so a pivot may vanish at none of them unless
the system itself is singular there. Rows and columns are scaled first: the choice does not
depend on units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

SOUND = 0.02  # a pivot that may vanish is at least this part of its usual size
SMALLEST = 2e-2  # such a pivot against the largest entry beside it, of a pair its square
DEFINITE = 1e-6  # inertia that is left, at least, against the largest that holds it
MASSLESS = 1e-12  # an inertia of this part of the largest is none
STEADY = (
    0.999  # least part of its largest size that a pair has at all poses, if M is definite
)
REGULAR = 0.03  # a pose counts if the system is at least this part as regular as usual
HELD = 0.03  # an entry of a row of G against the largest, if it holds an inertia at all
BY_COFACTORS = 3  # rows of a block that is solved by its determinant
SWEEPS = 10  # over rows and columns until their largest entries are about 1
DEPENDENT = 1e-6  # singular values of scaled rows below this part of the largest are zero


class SingularMatrixError(ArithmeticError):
    """A matrix is singular at every pose; `left` are the rows that depend on one another."""

    def __init__(self, left: Sequence[int]) -> None:
        super().__init__(f"rows {list(left)} depend on the others")
        self.left = list(left)


def balance(M: np.ndarray, G: np.ndarray, units: np.ndarray | None = None) -> np.ndarray:
    """Return factors s for the rows of [[M, Gᵀ], [G, 0]], those of M first.

    M and G are usual sizes, `units` those of the unknowns of M against one another. A row of
    G is measured by the largest inertia that it holds, an unknown by its own inertia or by
    that of the rows on it, whichever is larger. So scaled rows of G have a largest entry 1,
    and a small inertia in M is small against what holds it.
    """
    inertia, G = np.maximum(np.diagonal(M), 0.0), np.abs(G)
    sizes = G * (np.ones(len(M)) if units is None else units)
    held = sizes >= HELD * sizes.max(axis=1, initial=0.0, keepdims=True)
    held &= (G > 0.0) & (inertia > 0.0)
    felt = np.divide(inertia, G * G, out=np.zeros_like(G), where=held).max(
        axis=1, initial=0.0
    )
    rows = np.sqrt(np.where(felt > 0.0, felt, float(felt.max(initial=0.0)) or 1.0))
    most = np.maximum(np.sqrt(inertia), (G * rows[:, None]).max(axis=0, initial=0.0))
    speeds = 1.0 / np.where(most > 0.0, most, 1.0)
    largest = (G * speeds).max(axis=1, initial=0.0)
    return np.concatenate([speeds, 1.0 / np.where(largest > 0.0, largest, 1.0)])


def regular_poses(samples: np.ndarray) -> np.ndarray:
    """Return the numbers of the poses at which scaled rows are about as regular as usual.

    Raise `SingularMatrixError` if they are singular at every pose.
    """
    m = samples.shape[1]
    if not m:
        return np.arange(len(samples))
    squares = np.linalg.eigvalsh(samples @ np.swapaxes(samples, 1, 2))
    weakest = np.sqrt(np.maximum(squares[:, 0], 0.0))
    left, sizes, _ = np.linalg.svd(samples[int(np.argmax(weakest))])
    null = np.arange(m) >= np.sum(sizes > DEPENDENT * sizes[0])
    if null.any():
        taking_part = np.abs(left[:, null]).max(axis=1)
        raise SingularMatrixError(np.flatnonzero(taking_part > 1e-3).tolist())
    usual = np.median(weakest[weakest > DEPENDENT * sizes[0]])
    return np.flatnonzero(weakest >= REGULAR * usual)


# --- symmetric systems ----------------------------------------------------------------------


@dataclass(frozen=True)
class Pivot:
    """A row or a pair of rows that is eliminated; `size` is its usual determinant."""

    rows: tuple[int, ...]
    size: float


@dataclass(frozen=True)
class SymmetricOrder:
    """How [[M, Gᵀ], [G, 0]] is eliminated.

    `weights` w of rows g of G, by their numbers: w gᵀ g is added to M, which makes M definite
    and changes no solution, as w gᵀ times the right-hand side is added, too.
    """

    pivots: tuple[Pivot, ...]
    weights: dict[int, float] = field(default_factory=dict)


def choose_symmetric_order(
    pattern: np.ndarray,
    samples: Sequence[np.ndarray],
    n: int,
    units: np.ndarray | None = None,
) -> SymmetricOrder:
    """Return how a matrix [[M, Gᵀ], [G, 0]] with n rows in M is eliminated.

    `pattern` tells which entries exist; of `samples` each is the matrix at one pose. M has no
    negative eigenvalues. `units` are usual sizes of the n unknowns that M belongs to, against
    one another. An order is sound at every pose where G has full rank

    - if M is definite and each row of G comes after all that it has entries with: the pivots
      are those of definite matrices;
    - if other pivots, such as pairs of a row of M and one of G, are large at all poses.

    Of several orders the one with the fewest operations is taken.
    """
    numbers = np.array(samples, dtype=float)
    usual = np.median(np.abs(numbers), axis=0)
    scale = balance(usual[:n, :n], usual[n:, :n], units)
    numbers = numbers * scale * scale[:, None]
    try:
        numbers = numbers[regular_poses(numbers[:, n:, :n])]
    except SingularMatrixError as error:
        raise SingularMatrixError([n + k for k in error.left]) from None
    least = np.linalg.eigvalsh(_augmented(pattern, numbers, n)[1][:, :n, :n])[:, :1].min(
        axis=1, initial=np.inf
    )
    numbers = numbers[least >= REGULAR * np.median(least)]
    best = _cheapest(pattern, numbers, n)
    weights: dict[int, float] = {}
    inertia = np.diagonal(numbers, axis1=1, axis2=2)[:, :n]
    if best is None or (inertia < MASSLESS).any():
        limit = np.inf if best is None else best.n_operations
        added, more = _augmented(pattern, numbers, n)
        other = _cheapest(added, more, n, limit - count_added(pattern[n:, :n]))
        if other is None and best is None:
            other = _safest(added, more, n)
        if other is not None:
            best = other
            weights = {k: float(scale[k]) ** 2 for k in range(n, len(pattern))}
    if best is None:
        raise SingularMatrixError(list(range(n, len(pattern))))
    made = tuple(
        Pivot(p.rows, p.size / float(np.prod(scale[list(p.rows)])) ** 2)
        for p in best.pivots
    )
    return SymmetricOrder(made, weights)


def _augmented(
    pattern: np.ndarray, numbers: np.ndarray, n: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the matrix with GᵀG added to M."""
    pattern, numbers = pattern.copy(), numbers.copy()
    G = numbers[:, n:, :n]
    numbers[:, :n, :n] += np.swapaxes(G, 1, 2) @ G
    exists = pattern[n:, :n].astype(int)
    pattern[:n, :n] |= (exists.T @ exists) > 0
    return pattern, numbers


def count_added(pattern: np.ndarray) -> int:
    """Return about how many operations it takes to add GᵀWG to M."""
    lengths = pattern.sum(axis=1)
    return int((lengths * (lengths + 4)).sum())


def _cheapest(
    pattern: np.ndarray, numbers: np.ndarray, n: int, limit: float = np.inf
) -> _Elimination | None:
    """Return the sound order with the fewest operations; None if all have `limit` or more."""
    best: _Elimination | None = None
    for choose in (_Elimination.by_cost, _Elimination.pairs_first, _Elimination.singles):
        made = _Elimination(pattern, numbers, n)
        while made.left.any() and made.n_operations < limit:
            block = choose(made)
            if not block:
                break
            made.remove(block)
        if not made.left.any() and made.n_operations < limit:
            best, limit = made, made.n_operations
    return best


def _safest(pattern: np.ndarray, numbers: np.ndarray, n: int) -> _Elimination | None:
    """Return the order in which definite pivots stay largest; None if one is zero."""
    made = _Elimination(pattern, numbers, n)
    while made.left.any():
        block = made.largest()
        if not block:
            return None
        made.remove(block)
    return made


class _Elimination:
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


# --- square systems -------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """Rows and columns of a square matrix that are solved together, after those before.

    Of more than three rows `pivots` are (row, column) in the order of elimination; `is_sound`
    tells that none of them vanishes at a pose where the block is regular.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    pivots: tuple[tuple[int, int], ...] = ()
    is_sound: bool = True


def choose_blocks(
    pattern: np.ndarray, samples: Sequence[np.ndarray], units: np.ndarray | None = None
) -> list[Block]:
    """Return the blocks of a square matrix, each with what it needs before it.

    `pattern` tells which entries exist; of `samples` each is the matrix at one pose, the first
    at the start. `units` are usual sizes of the unknowns against one another. Poses beyond a
    singular one, seen from the start, do not count.
    """
    numbers = np.array(samples, dtype=float)
    if not len(pattern):
        return []
    if units is not None:
        numbers = numbers * units
    size = np.median(np.abs(numbers), axis=0)
    for _ in range(SWEEPS):
        for axis in (1, 0):
            largest = size.max(axis=axis, keepdims=True)
            factor = 1.0 / np.where(largest > 0.0, largest, 1.0)
            size, numbers = size * factor, numbers * factor
    signs = np.linalg.slogdet(numbers)[0]
    regular = regular_poses(numbers)
    if 0 in regular:
        regular = regular[signs[regular] == signs[0]]
    numbers = numbers[regular]
    blocks: list[Block] = []
    for rows, columns in triangular_blocks(pattern):
        if len(rows) <= BY_COFACTORS:
            blocks.append(Block(tuple(rows), tuple(columns)))
            continue
        order, is_sound = _choose_pivots(
            pattern[np.ix_(rows, columns)], numbers[:, np.array(rows)[:, None], columns]
        )
        pivots = tuple((rows[r], columns[c]) for r, c in order)
        blocks.append(Block(tuple(rows), tuple(columns), pivots, is_sound))
    return blocks


def triangular_blocks(pattern: np.ndarray) -> list[tuple[list[int], list[int]]]:
    """Return rows and columns of the blocks that make a matrix block triangular.

    A block has entries only in its own columns and in those of blocks before it.
    """
    entries = [np.flatnonzero(line).tolist() for line in pattern]
    column_of, row_of = _matching(entries)
    blocks = _strongly_connected([[row_of[c] for c in line] for line in entries])
    return [(rows, [column_of[r] for r in rows]) for rows in map(sorted, blocks)]


def _matching(entries: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Return a column for each row and the reverse, by paths that free what is taken."""
    n = len(entries)
    column_of, row_of = [-1] * n, [-1] * n
    for start in range(n):
        came: dict[int, int] = {}  # the row from which a column was reached
        queue, end = [start], -1
        for row in queue:
            for c in entries[row]:
                if c in came:
                    continue
                came[c] = row
                if row_of[c] < 0:
                    end = c
                    break
                queue.append(row_of[c])
            if end >= 0:
                break
        if end < 0:
            raise SingularMatrixError(sorted(queue))
        while end >= 0:
            row = came[end]
            row_of[end], column_of[row], end = row, end, column_of[row]
    return column_of, row_of


def _strongly_connected(needs: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return sets of nodes that need one another, each after those that it needs (Tarjan)."""
    n = len(needs)
    found: list[list[int]] = []
    number, low, stack, on_stack = [-1] * n, [0] * n, [], [False] * n
    counter = 0
    for root in range(n):
        if number[root] >= 0:
            continue
        work = [(root, iter(needs[root]))]
        number[root] = low[root] = counter
        counter += 1
        stack.append(root)
        on_stack[root] = True
        while work:
            node, others = work[-1]
            for other in others:
                if number[other] < 0:
                    number[other] = low[other] = counter
                    counter += 1
                    stack.append(other)
                    on_stack[other] = True
                    work.append((other, iter(needs[other])))
                    break
                if on_stack[other]:
                    low[node] = min(low[node], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    members = []
                    while not members or members[-1] != node:
                        members.append(stack.pop())
                        on_stack[members[-1]] = False
                    found.append(members)
    return found


def _choose_pivots(
    pattern: np.ndarray, numbers: np.ndarray
) -> tuple[list[tuple[int, int]], bool]:
    """Return the order of elimination of a block, and whether no pivot vanishes at a pose."""
    exists, numbers = pattern.copy(), numbers.copy()
    rows, columns = list(range(len(pattern))), list(range(len(pattern)))
    pivots: list[tuple[int, int]] = []
    all_sound = True
    while rows:
        where = np.ix_(rows, columns)
        part, now = exists[where], numbers[:, np.array(rows)[:, None], columns]
        size = np.abs(now)
        largest = np.maximum(size.max(axis=2, keepdims=True), np.median(size, axis=0))
        quality = (size / np.where(largest > 0.0, largest, 1.0)).min(axis=0)
        turns = (now > 0.0).any(axis=0) & (now < 0.0).any(axis=0)
        sound = part & (quality >= SOUND) & ~turns
        if not sound.any():
            all_sound = False
            sound = part & (quality >= quality[part].max())
        cost = np.outer(part.sum(axis=1) - 1, part.sum(axis=0) - 1) - 1e-3 * quality
        m, k = np.unravel_index(int(np.argmin(np.where(sound, cost, np.inf))), cost.shape)
        r, c = rows[m], columns[k]
        pivots.append((r, c))
        rows.remove(r)
        columns.remove(c)
        below = [i for i in rows if exists[i, c]]
        beside = [j for j in columns if exists[r, j]]
        exists[np.ix_(below, beside)] = True
        pivot = np.where(numbers[:, r, c] != 0.0, numbers[:, r, c], 1e-300)
        factors = numbers[:, below, c] / pivot[:, None]
        change = factors[:, :, None] * numbers[:, r][:, None, columns]
        numbers[:, np.array(below, dtype=int)[:, None], columns] -= change
    return pivots, all_sound
