"""Multipliers of constraint rows in numbers: of least norm where constraints are redundant."""

from __future__ import annotations

import numpy as np

from motorik.system.natives import Natives

MOST_REDUNDANT = 80  # constraint rows up to which reactions of least sum are sought
UNIQUE = 1e-9  # singular values of G below this part of the largest count as zero


def least_multipliers(
    natives: Natives, t: np.ndarray, X: np.ndarray, ud: np.ndarray, p: np.ndarray
) -> np.ndarray:
    """Return the multipliers of all constraint rows at rows of motion.

    Gᵀ λ = M u̇ + h − τ. Where constraints are redundant many λ do; those are taken with which
    the forces at all joints, and the moments divided by the length of the mechanism, are
    smallest in the sum of their squares (with more than `MOST_REDUNDANT` rows, those with the
    smallest λ).
    """
    f, layout = natives.equations.formulation, natives.layout
    n_rows, times = natives.equations.n_rows, t.reshape(-1, 1)
    if f is None:
        return np.zeros((len(t), 0))
    needed = natives.for_rows("imbalance", len(t)).map(times, X, ud, p) * f.scales.speeds
    G = (
        natives.for_rows("constraint_matrix", len(t))
        .map(times, X, p)
        .reshape(len(t), layout.n_u, n_rows)
    )
    G = G * f.scales.speeds[:, None] / f.scales.rows  # without units
    found = (np.linalg.pinv(G, rcond=UNIQUE) @ needed[:, :, None])[:, :, 0]
    is_unique = not any(d.cluster.redundant for d in f.decisions)
    if not is_unique and n_rows <= MOST_REDUNDANT:
        parts = [np.ascontiguousarray(a) for a in layout.split(X)]
        q, u, z = parts
        plain = found / f.scales.rows
        W, B = natives.for_rows("joint_forces", len(t)).map(times, q, u, ud, z, plain, p)
        unit = np.tile([f.scales.length] * 3 + [1.0] * 3, W.shape[1] // 6)
        for i in range(len(t)):
            _, sizes, V = np.linalg.svd(G[i])
            most = max(float(sizes.max(initial=0.0)), 1e-300)
            freely = V[int(np.sum(sizes > UNIQUE * most)) :].T
            if freely.size:
                response = (B[i].reshape(n_rows, -1) / f.scales.rows[:, None]).T @ freely
                right = W[i] * unit
                change = np.linalg.lstsq(response * unit[:, None], right, rcond=UNIQUE)[0]
                found[i] -= freely @ change
    return found / f.scales.rows
