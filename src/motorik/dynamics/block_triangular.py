"""Block triangular form of a square matrix, and pivots within its blocks.

The form follows from the pattern alone. As for symmetric systems, pivots are chosen on numbers at
many poses before anything is traced.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motorik.dynamics.scaling import SingularMatrixError, regular_poses
from motorik.equations.structure import augment, strong_components
from motorik.immutable import immutable


def triangular_blocks(pattern: np.ndarray) -> list[tuple[list[int], list[int]]]:
    """Return rows and columns of the blocks that make a matrix block triangular.

    A block has entries only in its own columns and in those of blocks before it. Rows and
    columns are matched one by one along augmenting paths.
    """
    entries = [np.flatnonzero(line).tolist() for line in pattern]
    column_of, row_of = [-1] * len(entries), [-1] * len(entries)
    for row in range(len(entries)):
        reached, _ = augment(row, entries.__getitem__, column_of, row_of)
        if reached:
            raise SingularMatrixError(sorted(reached))
    blocks = strong_components([[row_of[c] for c in line] for line in entries])
    return [(rows, [column_of[r] for r in rows]) for rows in blocks]


# --- pivots within blocks ------------------------------------------------------------------


BY_COFACTORS = 3  # largest block that is solved by cofactors
SWEEPS = 10  # of scaling rows and columns to largest entries of about 1
SOUND = 0.02  # a pivot that may vanish is at least this part of the largest beside it


@immutable
class MatrixBlock:
    """Rows and columns of a square matrix that are solved together, after those before.

    With more than three rows, `pivots` are (row, column) in the order of elimination; `is_sound`
    is true if none of them vanishes at a pose where the block is regular.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    pivots: tuple[tuple[int, int], ...] = ()
    is_sound: bool = True


def choose_blocks(
    pattern: np.ndarray, samples: Sequence[np.ndarray], units: np.ndarray | None = None
) -> list[MatrixBlock]:
    """Return the blocks of a square matrix in order of solution.

    `pattern` marks the structural entries; `samples` are the matrix at several poses, the first at
    the start. `units` are relative scales of the unknowns. Poses beyond a singular one, seen from
    the start, are ignored.
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
    blocks: list[MatrixBlock] = []
    for rows, columns in triangular_blocks(pattern):
        if len(rows) <= BY_COFACTORS:
            blocks.append(MatrixBlock(tuple(rows), tuple(columns)))
            continue
        order, is_sound = _choose_pivots(
            pattern[np.ix_(rows, columns)], numbers[:, np.array(rows)[:, None], columns]
        )
        pivots = tuple((rows[r], columns[c]) for r, c in order)
        blocks.append(MatrixBlock(tuple(rows), tuple(columns), pivots, is_sound))
    return blocks


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
