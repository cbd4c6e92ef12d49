"""Start accelerations: positions, speeds and unknown parameters so that these have given values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.components.contributions import Demand
from motorik.components.values import LiveScalar
from motorik.errors import InitialValueError
from motorik.loops.closing import CLOSED, Residual, damped_newton, nearest
from motorik.loops.initial import StartProblem, count_of, listed
from motorik.motion.view import MotionView

Scalars = Sequence[Scalar]
Accelerations = Callable[[Scalars, Scalars], Scalars]
TRIES = 8


class AccelerationStart:
    """The start with given accelerations: ü(q, u, p) as demanded, and all that held before.

    Unknown are the coordinates and speeds that are not fixed and the live parameters with
    ``fixed=False``, in units of their guesses. `accelerations` returns the rates of all
    speeds from q and u (symbols).
    """

    def __init__(
        self,
        problem: StartProblem,
        accelerations: Accelerations,
        parameters: Sequence[LiveScalar],
    ) -> None:
        self.problem, self.accelerations = problem, accelerations
        self.parameters = parameters
        self.demands = [d for d in problem.mechanism.demands if d.level == 2]
        self._scale = np.maximum(np.abs(problem.p), 1.0)

    def solve(
        self, q: np.ndarray, u: np.ndarray, q_fixed: np.ndarray, u_fixed: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return coordinates, speeds and parameters near the given ones that meet all."""
        p_fixed = [scalar.parameter.fixed for scalar in self.parameters]
        free = ~np.concatenate([q_fixed, u_fixed, np.array(p_fixed, dtype=bool)])
        begin = np.concatenate([q, u, self.problem.p / self._scale])
        residual = self._residual(begin, free)
        best, size = self._search(residual, begin, free)
        if not size < CLOSED:
            self._refuse(residual(best)[0], best, free)
        found_q, found_u, found_p = np.split(best, [q.size, q.size + u.size])
        return found_q, found_u, np.where(p_fixed, self.problem.p, found_p * self._scale)

    def _search(
        self, residual: Residual, begin: np.ndarray, free: np.ndarray
    ) -> tuple[np.ndarray, float]:
        """Return the best point found from `begin` and from places around it."""
        randomness = np.random.default_rng(1)
        best, best_size = begin, np.inf
        for attempt in range(TRIES if free.any() else 1):
            x = begin.copy()
            if attempt:
                x[free] += randomness.normal(scale=0.1 * attempt, size=int(free.sum()))
            x, size = damped_newton(residual, x, free)
            if np.isfinite(size) and not size < CLOSED:
                x, size = damped_newton(residual, nearest(residual, x, free), free)
            if size < CLOSED:
                return x, size
            if size < best_size:
                best, best_size = x, size
        return best, best_size

    def _residual(self, begin: np.ndarray, free: np.ndarray) -> Residual:
        """Return what must vanish and its Jacobian, accelerations first.

        Rows are divided by how strongly they depend on the unknowns at `begin`.
        """
        import casadi

        problem, mechanism = self.problem, self.problem.mechanism
        q, u = casadi.SX.sym("q", mechanism.n_q), casadi.SX.sym("u", mechanism.n_u)
        qs, us = casadi.vertsplit(q), casadi.vertsplit(u)
        ud = self.accelerations(qs, us)
        view = MotionView(mechanism, qs, us, ud, problem.t, problem.z)
        wanted: list[Any] = [e for demand in self.demands for e in demand.residual(view)]
        wanted += problem.position_gaps(view, qs)
        wanted += problem.speed_gaps(view, qs, u)
        r, x = casadi.vertcat(*wanted), casadi.vertcat(q, u, problem.symbols)
        function = casadi.Function("start", [x], [r, casadi.jacobian(r, x)])
        unit = np.concatenate([np.ones(mechanism.n_q + mechanism.n_u), self._scale])

        def whole(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            r, J = (np.asarray(a, dtype=float) for a in function(values * unit))
            return r.ravel(), (J * unit)[:, free]

        strength = np.abs(whole(begin)[1]).max(axis=1, initial=0.0)
        strength = np.where(np.isfinite(strength), np.maximum(strength, 1.0), 1.0)

        def residual(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            r, J = whole(values)
            return r / strength, J / strength[:, None]

        self._strength = strength
        return residual

    def _refuse(self, left: np.ndarray, reached: np.ndarray, free: np.ndarray) -> None:
        """Raise for the demand that is missed most, naming what is fixed."""
        mechanism = self.problem.mechanism
        sizes: list[tuple[float, Demand]] = []
        at = 0
        gaps = np.abs(left * self._strength)
        for demand in self.demands:
            count = count_of(demand, mechanism)
            sizes.append((float(gaps[at : at + count].max()), demand))
            at += count
        gap, worst = max(sizes, key=lambda pair: pair[0])
        states = mechanism.states
        kept = [s.name for s, f in zip(states, free[: len(states)], strict=True) if not f]
        raise InitialValueError(
            worst.part,
            f"the fixed start acceleration {worst.name} cannot be met: {gap:.3g} remains "
            f"(fixed besides: {', '.join(kept) or 'nothing'}).",
            "Free one of them, let a parameter follow with Parameter(…, fixed=False), or "
            f"change the value. Nearest reachable: {listed(states, reached[: len(states)])}.",
        )
