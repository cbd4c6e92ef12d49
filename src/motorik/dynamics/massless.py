"""Motions that move no mass: nothing would say how they go on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motorik.errors import AssemblyError

NOTHING = 1e-14  # inertia against the largest of the mechanism


def check_allowed(M: np.ndarray, G: np.ndarray, names: Sequence[str]) -> None:
    """Raise `AssemblyError` if a motion that the loops allow moves no mass.

    M is the mass matrix of the tree, G the Jacobian of all constraint rows, `names` those
    of the speeds.
    """
    rank = np.linalg.matrix_rank(G, tol=1e-9) if G.size else 0
    allowed = np.linalg.svd(G)[2][rank:].T if G.size else np.eye(len(names))
    if not allowed.size:
        return
    values, vectors = np.linalg.eigh(allowed.T @ M @ allowed)
    if values[0] < NOTHING * max(float(np.abs(M).max()), 1e-300):
        refuse_massless(allowed @ vectors[:, 0], names)


def refuse_massless(vector: np.ndarray, names: Sequence[str]) -> None:
    """Raise `AssemblyError` naming the speeds that move without inertia."""
    largest = float(np.abs(vector).max())
    order = np.argsort(-np.abs(vector)).tolist()
    moved = [str(names[k]) for k in order if abs(vector[k]) > 0.1 * largest]
    raise AssemblyError(
        moved[0].rsplit(".", 1)[0],
        f"a motion of {', '.join(moved)} moves no mass.",
        "Remove a freedom, or give the bodies between these joints mass and inertia.",
    )
