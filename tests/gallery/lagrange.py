"""Equations of motion by Lagrange's recipe, from energies alone: a second route to a motion.

Nothing here knows of motorik: energies and constraints are CasADi expressions of whatever
coordinates suit a mechanism, and SciPy integrates them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np
from scipy.integrate import solve_ivp


@dataclass
class Motion:
    """What a mechanism is: q̈ follows from M q̈ + Gᵀ λ = h and G q̈ = −Ġ q̇.

    L = T − V with T `kinetic`, V `potential` [J]; `constraints` vanish; `force` is the
    generalised force that no potential has.
    """

    q: ca.SX
    v: ca.SX
    kinetic: ca.SX
    potential: ca.SX
    constraints: ca.SX
    force: ca.SX

    def __post_init__(self) -> None:
        """Derive all that is needed for accelerations."""
        q, v = self.q, self.v
        p = ca.gradient(self.kinetic, v)
        G = ca.jacobian(self.constraints, q)
        h = ca.gradient(self.kinetic - self.potential, q) - ca.jtimes(p, q, v) + self.force
        gamma = -ca.jtimes(ca.mtimes(G, v), q, v) if G.shape[0] else ca.SX(0, 1)
        self._terms = ca.Function("terms", [q, v], [ca.jacobian(p, v), h, G, gamma])
        self.gap = ca.Function("gap", [q], [self.constraints])
        self.jacobian = ca.Function("jacobian", [q], [G])

    def accelerations(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return q̈; redundant constraints share the load as least squares do."""
        M, h, G, gamma = (np.asarray(term) for term in self._terms(q, v))
        n, k = len(M), len(G)
        if not k:
            return np.linalg.solve(M, h)[:, 0]
        full = np.block([[M, G.T], [G, np.zeros((k, k))]])
        right = np.concatenate([h, gamma])[:, 0]
        if np.linalg.matrix_rank(G, 1e-9) == k:
            return np.linalg.solve(full, right)[:n]
        return np.linalg.lstsq(full, right, rcond=1e-12)[0][:n]

    def close(self, q: np.ndarray, kept: Sequence[int]) -> np.ndarray:
        """Return q on the constraints, found by Newton's method; the `kept` ones stay."""
        q = np.array(q, float)
        free = [i for i in range(len(q)) if i not in kept]
        for _ in range(50):
            gap = np.asarray(self.gap(q))[:, 0]
            if np.abs(gap).max() < 1e-15:
                break
            G = np.asarray(self.jacobian(q))[:, free]
            q[free] -= np.linalg.lstsq(G, gap, rcond=None)[0]
        return q

    def follow(self, q: np.ndarray, v: dict[int, float]) -> np.ndarray:
        """Return all speeds at q that go with the given ones."""
        G = np.asarray(self.jacobian(q))
        given = list(v)
        others = [i for i in range(len(q)) if i not in v]
        speeds = np.zeros(len(q))
        speeds[given] = list(v.values())
        right = -G[:, given] @ speeds[given]
        speeds[others] = np.linalg.lstsq(G[:, others], right, rcond=None)[0]
        return speeds

    def solve(
        self, q: np.ndarray, v: np.ndarray, times: np.ndarray, rtol: float = 1e-12
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return coordinates and speeds at the times, one row each."""
        n = len(q)

        def rates(_: float, x: np.ndarray) -> np.ndarray:
            return np.concatenate([x[n:], self.accelerations(x[:n], x[n:])])

        run = solve_ivp(
            rates,
            (times[0], times[-1]),
            np.concatenate([q, v]),
            method="DOP853",
            t_eval=times,
            rtol=rtol,
            atol=rtol,
        )
        assert run.success, run.message
        return run.y[:n].T, run.y[n:].T


def make_motion(
    q: ca.SX,
    v: ca.SX,
    kinetic: ca.SX,
    potential: ca.SX | float = 0.0,
    constraints: Sequence[ca.SX] = (),
    force: ca.SX | None = None,
) -> Motion:
    """Return the motion with what is left out being zero."""
    return Motion(
        q,
        v,
        kinetic,
        ca.SX(potential),
        ca.vertcat(*constraints) if constraints else ca.SX(0, 1),
        ca.SX.zeros(q.numel()) if force is None else force,
    )


def kinetic_energy(m: float, I, r: ca.SX, R: ca.SX, q: ca.SX, v: ca.SX) -> ca.SX:
    """Return ½ m ṙ² + ½ ωᵀ I ω of a body at r, turned by R, both functions of q.

    I [kg·m²] is resolved in the body, about its centre r; ω is read off Rᵀ Ṙ.
    """
    rate = ca.jtimes(r, q, v)
    W = ca.mtimes(R.T, ca.reshape(ca.jtimes(ca.vec(R), q, v), 3, 3))
    w = ca.vertcat(W[2, 1], W[0, 2], W[1, 0])
    return m * ca.dot(rate, rate) / 2 + ca.dot(w, ca.mtimes(ca.DM(I), w)) / 2


def turn(axis: str, angle: ca.SX | float) -> ca.SX:
    """Return the matrix of a turn about a coordinate axis."""
    c, s = ca.cos(angle), ca.sin(angle)
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    R = ca.SX.eye(3)
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R


def unit(angle: ca.SX | float) -> ca.SX:
    """Return the unit vector in the plane at an angle from x."""
    return ca.vertcat(ca.cos(angle), ca.sin(angle))


def across(angle: ca.SX | float) -> ca.SX:
    """Return the unit vector in the plane, a quarter turn ahead of `unit`."""
    return ca.vertcat(-ca.sin(angle), ca.cos(angle))


def planar_energy(m: float, J: float, r: ca.SX, angle: ca.SX, q: ca.SX, v: ca.SX) -> ca.SX:
    """Return ½ m ṙ² + ½ J φ̇² of a body in the plane."""
    rate, w = ca.jtimes(r, q, v), ca.jtimes(angle, q, v)
    return (m * ca.dot(rate, rate) + J * w * w) / 2
