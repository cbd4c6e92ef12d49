"""Scales of rows and columns, and regular poses, of systems known at many poses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motorik.numerics.tolerances import POSE_RANK

REGULAR = 0.03  # a pose counts if the system is at least this part as regular as usual
HELD = 0.03  # an entry of a row of G against the largest, if it holds an inertia at all


class SingularMatrixError(ArithmeticError):
    """A matrix is singular at every pose; `left` are the linearly dependent rows."""

    def __init__(self, left: Sequence[int]) -> None:
        super().__init__(f"rows {list(left)} depend on the others")
        self.left = list(left)


def row_scales(M: np.ndarray, G: np.ndarray, units: np.ndarray | None = None) -> np.ndarray:
    """Return scale factors s for the rows of [[M, Gᵀ], [G, 0]], those of M first.

    M and G are usual magnitudes, `units` those of the unknowns of M relative to one another. A row
    of G is scaled by the largest inertia among its speeds, an unknown by its own inertia or by
    that of the constraints on it, whichever is larger. Scaled rows of G have a largest entry 1,
    and a small inertia in M is small relative to the inertia that holds it.
    """
    inertia, G = np.maximum(np.diagonal(M), 0.0), np.abs(G)
    sizes = G * (np.ones(len(M)) if units is None else units)
    held = sizes >= HELD * sizes.max(axis=1, initial=0.0, keepdims=True)
    held &= (G > 0.0) & (inertia > 0.0)
    each = np.divide(inertia, G * G, out=np.zeros_like(G), where=held)
    largest = each.max(axis=1, initial=0.0)
    rows = np.sqrt(np.where(largest > 0.0, largest, float(largest.max(initial=0.0)) or 1.0))
    most = np.maximum(np.sqrt(inertia), (G * rows[:, None]).max(axis=0, initial=0.0))
    speeds = 1.0 / np.where(most > 0.0, most, 1.0)
    largest = (G * speeds).max(axis=1, initial=0.0)
    return np.concatenate([speeds, 1.0 / np.where(largest > 0.0, largest, 1.0)])


def regular_poses(samples: np.ndarray) -> np.ndarray:
    """Return the numbers of the poses at which the scaled rows are about as regular as usual.

    Raise `SingularMatrixError` if they are singular at every pose.
    """
    m = samples.shape[1]
    if not m:
        return np.arange(len(samples))
    squares = np.linalg.eigvalsh(samples @ np.swapaxes(samples, 1, 2))
    weakest = np.sqrt(np.maximum(squares[:, 0], 0.0))
    left, sizes, _ = np.linalg.svd(samples[int(np.argmax(weakest))])
    null = np.arange(m) >= np.sum(sizes > POSE_RANK * sizes[0])
    if null.any():
        taking_part = np.abs(left[:, null]).max(axis=1)
        raise SingularMatrixError(np.flatnonzero(taking_part > 1e-3).tolist())
    usual = np.median(weakest[weakest > POSE_RANK * sizes[0]])
    return np.flatnonzero(weakest >= REGULAR * usual)
