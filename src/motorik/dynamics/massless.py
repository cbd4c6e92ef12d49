"""Motions without inertia: their accelerations are undetermined."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motorik.dynamics.scaling import row_scales
from motorik.errors import AssemblyError
from motorik.numerics.tolerances import MASSLESS_MOTION, RANK


def check_allowed(M: np.ndarray, G: np.ndarray, names: Sequence[str]) -> None:
    """Raise `AssemblyError` if a motion that the constraints allow has no inertia.

    M is the mass matrix of the tree, G the Jacobian of all constraints, `names` those of the
    speeds. Both are scaled first, so that units do not matter.
    """
    n = len(names)
    scale = row_scales(np.abs(M), np.abs(G))
    M, G = M * scale[:n] * scale[:n, None], G * scale[:n] * scale[n:, None]
    allowed = np.eye(n)
    if G.size:
        _, sizes, right = np.linalg.svd(G)
        allowed = right[np.sum(sizes > RANK * sizes[0]) :].T
    if not allowed.size:
        return
    values, vectors = np.linalg.eigh(allowed.T @ M @ allowed)
    if values[0] <= MASSLESS_MOTION * float(np.abs(M).max(initial=0.0)):
        refuse_massless(scale[:n] * (allowed @ vectors[:, 0]), names)


def refuse_massless(vector: np.ndarray, names: Sequence[str]) -> None:
    """Raise `AssemblyError` naming the speeds without inertia."""
    largest = float(np.abs(vector).max())
    order = np.argsort(-np.abs(vector)).tolist()
    moved = [str(names[k]) for k in order if abs(vector[k]) > 0.1 * largest]
    raise AssemblyError(
        moved[0].rsplit(".", 1)[0],
        f"a motion of {', '.join(moved)} moves no mass.",
        "Remove a freedom, or give the bodies between these joints mass and inertia.",
    )
