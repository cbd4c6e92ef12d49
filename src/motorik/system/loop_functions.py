"""What a system knows about its loops: gaps, branches, reactions, angles that wind."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.loops.formulation import ClosedForm
from motorik.system.equations import LoopedEquations, split
from motorik.system.native_functions import NativeFunctions
from motorik.system.system_base import elements, make_function

if TYPE_CHECKING:
    pass


MOST_REDUNDANT = 80  # constraint rows up to which reactions of least sum are sought
UNIQUE = 1e-9  # singular values of G below this part of the largest count as zero


class LoopFunctions(NativeFunctions):
    """The loops of a system in numbers."""

    def largest_gap(
        self, t: np.ndarray, X: np.ndarray, p: np.ndarray
    ) -> tuple[float, float]:
        """Return the largest gap of the loops at rows of motion, in metres and radians."""
        if self.formulation is None:
            return 0.0, 0.0
        rows = self.formulation.rows
        g = np.abs(self.constraints.map(t.reshape(-1, 1), X, p))[:, : rows.n_holonomic]
        units = np.array([row.unit for row in rows.rows[: rows.n_holonomic]])
        in_metres = g[:, units == "m"].max(initial=0.0)
        return float(in_metres), float(g[:, units != "m"].max(initial=0.0))

    def multipliers(
        self, t: np.ndarray, X: np.ndarray, ud: np.ndarray, p: np.ndarray
    ) -> np.ndarray:
        """Return the multipliers of all constraint rows at rows of motion, of least norm.

        Gᵀ λ = M u̇ + h − τ. Where constraints are redundant many λ do; those are taken with
        which the forces and moments at all joints [N, N·m] are smallest in the sum of their
        squares (with more than `MOST_REDUNDANT` rows, those with the smallest λ).
        """
        n_rows, times = self.n_rows, t.reshape(-1, 1)
        needed = self._native("imbalance").map(times, X, ud, p)
        G = self._native("constraint_matrix").map(times, X, p)
        transposed = G.reshape(len(t), self.n_u, n_rows)
        found = (np.linalg.pinv(transposed, rcond=UNIQUE) @ needed[:, :, None])[:, :, 0]
        assert self.formulation is not None
        is_unique = not any(d.cluster.redundant for d in self.formulation.decisions)
        if is_unique or n_rows > MOST_REDUNDANT:
            return found
        n_q, n = self.n_q, self.n_q + self.n_u
        W, B = self._native("joint_forces").map(
            times, X[:, :n_q], X[:, n_q:n], ud, X[:, n:], found, p
        )
        for i in range(len(t)):
            _, sizes, V = np.linalg.svd(transposed[i])
            rank = int(np.sum(sizes > UNIQUE * max(float(sizes.max(initial=0.0)), 1e-300)))
            freely = V[rank:].T
            if freely.size:
                response = B[i].reshape(n_rows, -1).T @ freely
                found[i] -= freely @ np.linalg.lstsq(response, W[i], rcond=UNIQUE)[0]
        return found

    def closed_form_names(self) -> list[str]:
        """Return each closed form that has a dead centre, in words."""
        if self.formulation is None:
            return []
        if self.iterates:
            kept = [self.mechanism.coordinates[k].name for k in self.formulation.state_q]
            return [f"the loops' position, told by {', '.join(kept)},"]
        return [
            f"the {step.title} of {', '.join(form.hinges[h].name for h in step.hinges)}"
            for form in self.formulation.steps
            if isinstance(form, ClosedForm)
            for step in form.plan.steps
            if step.sides > 1
        ]

    @cached_property
    def wrapped_angles(self) -> dict[str, str]:
        """The angles of joints that close loops, known but for full turns, with their speeds."""
        found = {}
        for closure in self.mechanism.closures:
            edge = closure.edge
            if edge is None or closure.winding or len(edge.names) != len(edge.speed_names):
                continue
            pairs = zip(edge.names, edge.speed_names, edge.joint.coordinates, strict=True)
            for name, speed, coordinate in pairs:
                if coordinate.unit == "rad":
                    found[f"{closure.part}.{name}"] = f"{closure.part}.{speed}"
        return found

    @cached_property
    def winding(self) -> tuple[list[int], list[int]]:
        """The places in X of the angles that follow from others, and of their speeds."""
        if self.formulation is None:
            return [], []
        turns = {k for k, _ in self.formulation.rows.turns}
        found = turns & set(self.formulation.unknowns)
        turning = found | set(self.formulation.turning)
        links = [k for k in self.mechanism.links if k.q and k.q[0] in turning]
        return [k.q[0] for k in links], [self.n_q + k.u[0] for k in links]

    def positions(
        self, t: float, q: np.ndarray, z: np.ndarray, p: np.ndarray, extra: np.ndarray
    ) -> tuple[np.ndarray, dict[int, float]]:
        """Return all coordinates from those that are states, and those of closed forms.

        The latter are of all joints in closed forms, also of those that close a loop, by
        their number.
        """
        live, unknown = p[: len(self.parameters)], np.zeros(self._unknown.numel())
        function, numbers = self._positions
        q_all, at_hinges = function(t, q, z, live, extra, unknown)
        values = np.asarray(at_hinges).ravel()
        return np.asarray(q_all).ravel(), dict(zip(numbers, values.tolist(), strict=True))

    def solvability(self, t: float, X: np.ndarray, p: np.ndarray) -> float:
        """Return how well speeds follow from those of the states in a motion."""
        assert isinstance(self.equations, LoopedEquations)
        time, motion = self._symbols("t", "X")
        q, u, z = split(self.mechanism, elements(motion))
        value = self.equations.loops.from_all(time, q, u, z).solvability()
        given = {"t": time, "X": motion, "p": self._live}
        return float(
            make_function("solvability", given, [value])(t, X, p[: self._live.numel()])
        )

    def better_guess(self, q: np.ndarray, fixed: np.ndarray) -> np.ndarray:
        """Return start coordinates to search from: assembled ones where none is fixed.

        What the user fixed stays; the others begin at the assembled start found before, as
        far as the parts' own start values led there.
        """
        f = self.formulation
        if f is None or not f.samples:
            return q
        given = self.start[0][: self.n_q]
        same = (q == given) & ~fixed
        guess = q.copy()
        guess[same] = f.samples[0][same]
        return guess
