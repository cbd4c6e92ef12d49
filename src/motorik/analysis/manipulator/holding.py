"""Holding: the forces that hold a mechanism at rest in a pose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.analysis.inverse_dynamics import work_of
from motorik.analysis.manipulator.linear import Directions
from motorik.system.system import System

if TYPE_CHECKING:
    import casadi

SINGULAR = 1e-7  # motion of a drive against that without loops: less is none
HELD = 1e-6  # force that may be left undone, against the forces needed


class Holding:
    """The forces at joints, or at a point, that balance a mechanism's own forces at rest."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._work: dict[str, casadi.Function] = {}

    def at_joints(
        self, X: np.ndarray, p: np.ndarray, t: float, drives: Sequence[str] | None
    ) -> dict[str, float]:
        """Return forces at the joints of coordinates, by name; NaN if they cannot hold it.

        By default at those with an axis flange, if they can, else at the independent ones.
        """
        if drives is not None:
            return self._at(drives, X, p, t)
        found = self._at(self.driven, X, p, t)
        if found and np.isfinite(list(found.values())).all():
            return found
        return self._at(self.independent, X, p, t)

    def _at(
        self, names: Sequence[str], X: np.ndarray, p: np.ndarray, t: float
    ) -> dict[str, float]:
        q, live = X[: self.system.n_q], self.system.layout.live_of(p)
        columns = [self._moved_by(name)(q, live) for name in names]
        B = np.array(columns, dtype=float).reshape(len(names), self.system.n_u)
        found = self._solved(X, p, t, B * self.system.scales.speeds)
        return dict(zip(names, found.tolist(), strict=True))

    def _moved_by(self, name: str) -> casadi.Function:
        if name not in self._work:
            self._work[name] = work_of(self.system, name)
        return self._work[name]

    def at_point(self, X: np.ndarray, p: np.ndarray, t: float, J: np.ndarray) -> np.ndarray:
        """Return the force at a point whose speed is J times the speeds in scales."""
        return self._solved(X, p, t, J)

    @property
    def driven(self) -> list[str]:
        """The names of the coordinates whose joints have an axis flange."""
        joints = self.system.mechanism.inventory.joints
        return [f"{j.frame_a.owner.path}.{j.names[0]}" for j in joints if j.flanges]

    @property
    def independent(self) -> list[str]:
        """The names of the independent coordinates whose joints can be driven."""
        mechanism = self.system.mechanism
        found = []
        for k in self.system.layout.state_q:
            link = mechanism.link_of_coordinate(k)
            if len(link.q) == len(link.u):
                found.append(mechanism.coordinates[k].name)
        return found

    def _solved(self, X: np.ndarray, p: np.ndarray, t: float, B: np.ndarray) -> np.ndarray:
        """Return the least forces f with Bᵀ f = what is needed, along all motions allowed."""
        system, unit = self.system, self.system.scales.speeds
        n_q, n_u = system.n_q, system.n_u
        X = X.copy()
        X[n_q : n_q + n_u] = 0.0
        needed = system.natives.get("imbalance")([t], X, np.zeros(n_u), p) * unit
        f, allowed = system.formulation, np.eye(n_u)
        if f is not None:
            G = system.constraint_matrix([t], X, p).reshape(n_u, -1).T
            allowed = Directions.of(system.scales.matrix(G)).free
        A, right = allowed.T @ B.T, allowed.T @ needed
        U, sizes, Vt = np.linalg.svd(A, full_matrices=False)
        per = np.zeros(sizes.size)
        strong = (
            sizes > SINGULAR * float(np.linalg.norm(B, ord=2)) if B.size else sizes > 0.0
        )
        per[strong] = 1.0 / sizes[strong]
        found = Vt.T @ (per * (U.T @ right))
        left = float(np.abs(A @ found - right).max(initial=0.0))
        if left > HELD * float(np.abs(needed).max(initial=0.0)):
            return np.full(B.shape[0], np.nan)
        return found
