"""Poses that a mechanism can reach: a walk along the manifold of its closed loops."""

from __future__ import annotations

import numpy as np

from motorik.loops.rows import ConstraintRows
from motorik.loops.scales import Scales

STRIDE = 0.35  # of the coordinate that moves most: in radians, or parts of a usual length
SHORTEST = STRIDE / 20
CHANCE = 0.3  # how much of it is mixed into the direction at each step
WEAK = 1e-12  # of JJᵀ against its largest entry: directions that are left alone
CLOSED = 1e-9  # gaps of rows whose gradients have length 1
CORRECTIONS = 8


class Walk:
    """A way over assembled poses, from one that is given.

    Coordinates and gaps are measured in `scales`. Rows that time or signals drive are not
    kept: they move.
    """

    def __init__(
        self, rows: ConstraintRows, q: np.ndarray, p: np.ndarray, scales: Scales
    ) -> None:
        import casadi

        mechanism = rows.mechanism
        symbols = casadi.SX.sym("q", mechanism.n_q)
        parts = casadi.vertsplit(symbols) if symbols.numel() else []
        none = [0.0] * rows.z.numel()
        g = rows.position_function(rows.y_of(parts, 0.0, none), rows.p)
        driven = casadi.vertcat(rows.t, rows.z)
        moves = casadi.which_depends(rows.g, driven, 1, True) if g.numel() else []
        left_out = {*rows.trivial, *(k for k, moved in enumerate(moves) if moved)}
        r = casadi.vertcat(
            *(g[k] for k in range(g.numel()) if k not in left_out),
            *(
                e
                for link in mechanism.links
                for e in link.joint.redundancy([parts[k] for k in link.q])
            ),
        )
        self._p = p
        self._function = casadi.Function(
            "loops", [symbols, rows.p], [r, casadi.jacobian(r, symbols)]
        )
        kept = [k for k in range(g.numel()) if k not in left_out]
        self._scale = scales.coordinates
        self._sizes = np.append(scales.rows[kept], np.ones(r.numel() - len(kept)))
        self._start = q / self._scale

    def poses(self, count: int) -> list[np.ndarray]:
        """Return up to `count` poses on the way, which is as straight as the loops allow.

        So what can turn turns all around.
        """
        randomness = np.random.default_rng(11)
        x, _, J = self._closed(self._start, np.inf)
        way = randomness.normal(size=x.size)
        stride = STRIDE
        found: list[np.ndarray] = []
        for _ in range(3 * count):
            if len(found) == count:
                break
            way = way + CHANCE * randomness.normal(size=x.size)
            way = way - _shortest(J, J @ way)
            longest = float(np.abs(way).max(initial=0.0))
            if not longest > 1e-6:
                break  # nothing moves
            way = way / longest
            there, gap, J_there = self._closed(x + stride * way, stride)
            moved = float(np.abs(there - x).max(initial=0.0))
            if gap < CLOSED and moved > stride / 2:
                x, J, stride = there, J_there, STRIDE
                found.append(x * self._scale)
            elif stride > SHORTEST:
                stride /= 2
            else:
                stride, way = STRIDE, -way
        return found

    def _at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the gaps and their Jacobian."""
        r, J = self._function(x * self._scale, self._p)
        J = np.asarray(J, dtype=float) * self._scale / self._sizes[:, None]
        return np.asarray(r, dtype=float).ravel() / self._sizes, J

    def _closed(self, x: np.ndarray, reach: float) -> tuple[np.ndarray, float, np.ndarray]:
        """Return the closed pose near x, its largest gap, which is ∞ if none is within reach.

        Last comes the Jacobian there.
        """
        begin = x
        r, J = self._at(x)
        for _ in range(CORRECTIONS):
            if np.abs(r).max(initial=0.0) < 1e-3 * CLOSED:
                break
            x = x - _shortest(J, r)
            if not np.abs(x - begin).max(initial=0.0) <= reach:
                return x, np.inf, J
            r, J = self._at(x)
        return x, float(np.abs(r).max(initial=0.0)), J


def _shortest(J: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Return the shortest x with J x = r as well as may be, weak directions left alone."""
    if not r.size:
        return np.zeros(J.shape[1])
    m, n = J.shape
    A = J @ J.T if m <= n else J.T @ J
    A[np.diag_indices_from(A)] += WEAK * max(float(A.diagonal().max()), 1e-300)
    return J.T @ np.linalg.solve(A, r) if m <= n else np.linalg.solve(A, J.T @ r)
