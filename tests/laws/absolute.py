"""Linkages in absolute coordinates: dense Newton–Euler equations with multipliers, in NumPy.

    M v̇ + Jᵀ λ = f,   J v̇ = −γ

for the velocities v = (velocity of the centre, angular velocity) of all bodies, in the world.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from motorik.results import Result
from tests.laws.linkages import GRAVITY, GROUND, Linkage, Pair, seats


@dataclass
class Motion:
    """Rotations, centres, velocities of centres and angular velocities of all bodies."""

    R: np.ndarray  # (n, 3, 3)
    x: np.ndarray  # (n, 3)
    v: np.ndarray  # (n, 6)


class Absolute:
    """The equations of a linkage."""

    def __init__(self, linkage: Linkage) -> None:
        self.linkage = linkage
        self.n = len(linkage.bars)
        self.free = 6 * np.arange(not linkage.floats, self.n)[:, None] + np.arange(6)
        self.free = self.free.ravel()
        self.ends = [self._ends(pair) for pair in linkage.pairs]

    def _ends(self, pair: Pair) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """Return body, rotation and place, seen from its frame and centre, of both ends."""
        found = []
        for k, (R, place) in zip((pair.a, pair.b), seats(pair), strict=True):
            bar = self.linkage.bars[k]
            found.append((k, bar.R.T @ R, bar.R.T @ (place - bar.p) - bar.c))
        return found

    def start(self) -> Motion:
        """Return the assembled pose, at rest."""
        bars = self.linkage.bars
        x = np.array([bar.p + bar.R @ bar.c for bar in bars])
        return Motion(np.array([bar.R for bar in bars]), x, np.zeros((self.n, 6)))

    # --- constraints ------------------------------------------------------------------------

    def rows(self, at: Motion) -> tuple[list[np.ndarray], np.ndarray]:
        """Return the Jacobian of each joint, over all velocities, and γ of all."""
        jacobians, biases = [], []
        for pair, ends in zip(self.linkage.pairs, self.ends, strict=True):
            J, gamma = self._joint(pair, ends, at)
            jacobians.append(J)
            biases.append(gamma)
        return jacobians, np.concatenate(biases)

    def _joint(self, pair: Pair, ends: list, at: Motion) -> tuple[np.ndarray, np.ndarray]:
        (a, R_a, s_a), (b, R_b, s_b) = ends
        A, B = at.R[a] @ R_a, at.R[b] @ R_b
        r_a, r_b = at.R[a] @ s_a, at.R[b] @ s_b
        w_a, w_b = at.v[a, 3:], at.v[b, 3:]
        point = self._blank(3)
        point[:, a, :3], point[:, a, 3:] = -np.eye(3), skew(r_a)
        point[:, b, :3], point[:, b, 3:] = np.eye(3), -skew(r_b)
        bias = np.cross(w_b, np.cross(w_b, r_b)) - np.cross(w_a, np.cross(w_a, r_a))
        turn = self._blank(3)
        turn[:, a, 3:], turn[:, b, 3:] = -np.eye(3), np.eye(3)
        rows: list[tuple[np.ndarray, float]] = []
        if pair.kind in "RSU":
            rows += [(point[i], bias[i]) for i in range(3)]
        if pair.kind == "R":
            for e in A.T[:2]:
                rows.append((along(e, turn), np.cross(w_a, e) @ (w_b - w_a)))
        if pair.kind == "U":
            n_a, n_b = A[:, 2], B[:, 0]
            rate = np.cross(np.cross(w_a, n_a), n_b) + np.cross(n_a, np.cross(w_b, n_b))
            rows.append((-along(np.cross(n_a, n_b), turn), rate @ (w_a - w_b)))
        if pair.kind == "P":
            rows += [(turn[i], 0.0) for i in range(3)]
            d = at.x[b] + r_b - at.x[a] - r_a
            moving = np.einsum("ikl,kl->i", point, at.v)
            for e in A.T[:2]:
                row = along(e, point)
                row[a, 3:] += np.cross(e, d)
                turned = np.cross(w_a, e)
                value = e @ bias + 2 * turned @ moving + np.cross(w_a, turned) @ d
                rows.append((row, value))
        J = np.array([row.ravel() for row, _ in rows])
        return J, np.array([value for _, value in rows])

    def _blank(self, rows: int) -> np.ndarray:
        return np.zeros((rows, self.n, 6))

    # --- motion -----------------------------------------------------------------------------

    def accelerations(
        self, at: Motion, length: float = 1.0
    ) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
        """Return v̇ of all bodies, λ of smallest size, and the joints' Jacobians.

        Forces of hinges, their first three multipliers, count `length` [m] times as much as
        moments.
        """
        M, f = np.zeros((6 * self.n, 6 * self.n)), np.zeros(6 * self.n)
        for k, bar in enumerate(self.linkage.bars):
            I, w = at.R[k] @ bar.I @ at.R[k].T, at.v[k, 3:]
            M[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = bar.m * np.eye(3)
            M[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = I
            f[6 * k : 6 * k + 3] = bar.m * GRAVITY
            f[6 * k + 3 : 6 * k + 6] = -np.cross(w, I @ w)
        jacobians, gamma = self.rows(at)
        J = np.vstack(jacobians)[:, self.free]
        M, f = M[np.ix_(self.free, self.free)], f[self.free]
        solved = np.linalg.solve(M, np.column_stack([J.T, f]))
        A, b = J @ solved[:, :-1], J @ solved[:, -1] + gamma
        weight = np.concatenate(
            [
                np.where((np.arange(len(own)) < 3) & (len(own) == 5), length, 1.0)
                for own in jacobians
            ]
        )
        multipliers = np.linalg.lstsq(A / weight, b, rcond=1e-10)[0] / weight
        found = np.zeros(6 * self.n)
        found[self.free] = solved[:, -1] - solved[:, :-1] @ multipliers
        return found.reshape(-1, 6), multipliers, jacobians

    def run(self, begin: Motion, times: np.ndarray, rtol: float = 1e-12) -> list[Motion]:
        """Return the motion at times, integrated without any stabilisation."""
        n = self.n
        turn = Rotation.from_matrix(begin.R).as_quat()
        y0 = np.concatenate([turn.ravel(), begin.x.ravel(), begin.v.ravel()])

        def unpack(y: np.ndarray) -> Motion:
            q, x, v = np.split(y, [4 * n, 7 * n])
            R = Rotation.from_quat(q.reshape(n, 4)).as_matrix()
            return Motion(R, x.reshape(n, 3), v.reshape(n, 6))

        def rate(_: float, y: np.ndarray) -> np.ndarray:
            at = unpack(y)
            q = y[: 4 * n].reshape(n, 4)
            w = at.v[:, 3:]
            turn = 0.5 * np.column_stack(
                [q[:, 3:] * w + np.cross(w, q[:, :3]), -np.sum(w * q[:, :3], axis=1)]
            )
            v_rate = self.accelerations(at)[0]
            return np.concatenate([turn.ravel(), at.v[:, :3].ravel(), v_rate.ravel()])

        span = (float(times[0]), float(times[-1]))
        found = solve_ivp(rate, span, y0, "DOP853", times, rtol=rtol, atol=rtol)
        return [unpack(y) for y in found.y.T]


def along(e: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the combination of rows of vectors along a direction."""
    return np.einsum("i,ikl->kl", e, rows)


def skew(r: np.ndarray) -> np.ndarray:
    """Return the matrix of r ×."""
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


def motion_of(result: Result, linkage: Linkage, row: int) -> Motion:
    """Return what a run says of the motion of all bodies at one of its rows."""
    at = Absolute(linkage).start()
    R, x, v = at.R, at.x, at.v
    for k in moving(linkage):
        bar = linkage.bars[k]
        R[k] = result[f"bar{k}.frame_a.R.T"][row].T
        w, c = R[k] @ result[f"bar{k}.w_a"][row], R[k] @ bar.c
        x[k] = result[f"bar{k}.r_0"][row] + c
        v[k] = [*(result[f"bar{k}.v_0"][row] + np.cross(w, c)), *w]
    return Motion(R, x, v)


def compute_motion(result: Result, linkage: Linkage) -> None:
    """Compute what `motion_of` reads, at once."""
    names = ("frame_a.R.T", "w_a", "r_0", "v_0")
    result.compute(f"bar{k}.{name}" for k in moving(linkage) for name in names)


def moving(linkage: Linkage) -> range:
    """Return the numbers of the bodies that move."""
    return range(GROUND + (not linkage.floats), len(linkage.bars))


def apart(one: Motion, other: Motion) -> float:
    """Return how far bodies are from each other at most: places [m], directions [rad]."""
    return float(max(np.abs(one.x - other.x).max(), np.abs(one.R - other.R).max()))
