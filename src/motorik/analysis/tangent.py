"""The tangent space of the consistent states, and states by which it is parametrised."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.analysis.directional import DirectionalCode
from motorik.immutable import immutable
from motorik.numerics.tolerances import CHART, RANK, TANGENT_RANK

if TYPE_CHECKING:
    from motorik.analysis.operating_point import OperatingPoint


@immutable
class Tangent:
    """Small motions δx = T δs + W δp that keep loops closed, quaternions unit, and what sticks.

    s are the states with the numbers `minimal`: T has the unit matrix, W zeros in their rows.
    A constraint that sticks or is closed keeps both its speed and its position.
    """

    minimal: np.ndarray
    T: np.ndarray
    project: (
        np.ndarray | None
    )  # the derivative of the projection by x, None where x is free

    @staticmethod
    def at(point: OperatingPoint) -> Tangent:
        """Return the tangent space at a consistent state."""
        system, code = point.system, DirectionalCode.of(point.system)
        n, scale = system.n_x, state_scales(point)
        given = point.time, point.x, point.p
        unit = np.eye(n)
        P = None
        B = np.eye(n)
        if system.facts.needs_projection:
            P = code.along("project", given, {1: unit}).T
            U, sizes, _ = np.linalg.svd(P / scale[:, None] * scale)
            B = U[:, : int(np.sum(sizes > TANGENT_RANK * sizes.max(initial=0.0)))]
        R = _stuck_rows(point, code) * scale
        if R.size:
            R = R / np.maximum(np.linalg.norm(R, axis=1, keepdims=True), 1e-300)
            _, sizes, V = np.linalg.svd(R @ B)
            rank = int(np.sum(sizes > RANK * max(float(sizes.max(initial=0.0)), 1.0)))
            B = B @ V[rank:].T
        chosen = independent_rows(B, _blocks(point))
        T = scale[:, None] * np.linalg.solve(B[chosen].T, B.T).T / scale[chosen]
        T[chosen] = np.eye(len(chosen))
        return Tangent(np.array(chosen, dtype=np.intp), T, P)

    def by_parameters(self, point: OperatingPoint, changes: np.ndarray) -> np.ndarray:
        """Return how x moves with changes of p, one row for each, where s stays."""
        if self.project is None or not len(changes):
            return np.zeros((len(changes), self.T.shape[0]))
        given = point.time, point.x, point.p
        W = DirectionalCode.of(point.system).along("project", given, {2: changes})
        return W - W[:, self.minimal] @ self.T.T


def state_scales(point: OperatingPoint) -> np.ndarray:
    """Return the sizes of changes of the states that are alike: lengths of the mechanism."""
    layout, scales = point.system.layout, point.system.scales
    z = np.maximum(1.0, np.abs(layout.split(point.X)[2]))
    return np.concatenate([scales.coordinates, scales.speeds, z])[layout.places]


def _blocks(point: OperatingPoint) -> list[range]:
    """Return the numbers of the coordinates, speeds and block states among the states."""
    layout = point.system.layout
    a = len(layout.state_q)
    b = a + len(layout.state_u)
    return [range(a), range(a, b), range(b, layout.n_x)]


def _stuck_rows(point: OperatingPoint, code: DirectionalCode) -> np.ndarray:
    """Return rows R with R δx = 0 for what sticks: of the speeds, and of the coordinates."""
    system, sticking = point.system, point.sticking
    n = system.n_x
    if not sticking:
        return np.zeros((0, n))
    coordinates, speeds, _ = _blocks(point)
    given = point.time, point.x, point.p
    of_speeds = code.along("nonsmooth_speeds", given, {1: np.eye(n)}).T[sticking]
    q, u, _ = system.layout.split(point.X)
    changes = np.zeros((len(speeds), system.n_u))
    changes[np.arange(len(speeds)), list(system.layout.state_u)] = 1.0
    N = code.along("coordinate_rates", (q, u), {1: changes}).T[list(system.layout.state_q)]
    of_positions = np.zeros_like(of_speeds)
    of_positions[:, coordinates] = of_speeds[:, speeds] @ np.linalg.pinv(N, rcond=RANK)
    return np.vstack([of_speeds, of_positions])


def independent_rows(B: np.ndarray, blocks: Sequence[Sequence[int]]) -> list[int]:
    """Return as many rows of B as it has columns that determine all others well.

    Rows of earlier blocks, and in them earlier rows, are preferred.
    """
    left, chosen = B.copy(), []
    for block in blocks:
        for _ in block:
            size = np.linalg.norm(left[block], axis=1)
            most = float(size.max(initial=0.0))
            if most < RANK * max(1.0, float(np.abs(B).max(initial=0.0))):
                break
            k = block[int(np.flatnonzero(size >= CHART * most)[0])]
            chosen.append(k)
            row = left[k] / np.linalg.norm(left[k])
            left = left - np.outer(left @ row, row)
            if len(chosen) == B.shape[1]:
                return sorted(chosen)
    return sorted(chosen)
