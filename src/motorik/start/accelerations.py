"""Start accelerations: positions, speeds and unknown parameters so that these have given values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import InitialCondition
from motorik.errors import InitialValueError
from motorik.loops.closing import CLOSED, Residual, damped_newton, nearest
from motorik.loops.refusals import listed
from motorik.motion.view import MotionView
from motorik.start.problem import StartProblem, count_of

Scalars = Sequence[Scalar]
Accelerations = Callable[[Scalars, Scalars], Scalars]
TRIES = 8


class AccelerationStart:
    """The start with given accelerations: u̇(q, u, p) as demanded, and all that held before.

    Unknown are the coordinates and speeds that are not fixed and the live parameters with
    ``fixed=False``, in units of their guesses. `accelerations` returns the rates of all
    speeds from q and u (symbols).
    """

    def __init__(self, problem: StartProblem, accelerations: Accelerations) -> None:
        self.problem, self.accelerations = problem, accelerations
        self.parameters = problem.system.parameters
        self.initial_conditions = [
            d for d in problem.mechanism.initial_conditions if d.level == 2
        ]
        p, scales = problem.moment.p, problem.scales
        self._scale = np.concatenate(
            [scales.coordinates, scales.speeds, np.where(p != 0.0, np.abs(p), 1.0)]
        )

    def solve(
        self, q: np.ndarray, u: np.ndarray, q_fixed: np.ndarray, u_fixed: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return coordinates, speeds and parameters near the given ones that meet all."""
        p = self.problem.moment.p
        p_fixed = np.array([s.parameter.fixed for s in self.parameters], dtype=bool)
        free = ~np.concatenate([q_fixed, u_fixed, p_fixed])
        begin = np.concatenate([q, u, p])
        residual = self._residual(begin, free)
        best, size = self._search(residual, begin, free)
        if not size < CLOSED:
            self._refuse(residual(best)[0], best, free)
        found_q, found_u, found_p = np.split(best, [q.size, q.size + u.size])
        return found_q, found_u, np.where(p_fixed, p, found_p)

    def _search(
        self, residual: Residual, begin: np.ndarray, free: np.ndarray
    ) -> tuple[np.ndarray, float]:
        """Return the best point found from `begin` and from places around it."""
        rng = np.random.default_rng(1)
        best, best_size = begin, np.inf
        for attempt in range(TRIES if free.any() else 1):
            x = begin.copy()
            if attempt:
                spread = rng.normal(scale=0.1 * attempt, size=x.size) * self._scale
                x[free] += spread[free]
            x, size = damped_newton(residual, x, free, self._scale)
            if np.isfinite(size) and not size < CLOSED:
                x = nearest(residual, x, free, self._scale)
                x, size = damped_newton(residual, x, free, self._scale)
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
        moment, symbols = problem.moment, problem.system.subject.symbols
        motion = MotionView(mechanism, qs, us, ud, moment.t, moment.z)
        wanted: list[Scalar] = [
            e for demand in self.initial_conditions for e in demand.residual(motion)
        ]
        wanted.append(problem.pose.expression(q, moment, symbols))
        wanted += problem.speed_gaps(motion, qs, u)
        r, x = casadi.vertcat(*wanted), casadi.vertcat(q, u, symbols)
        function = casadi.Function("start", [x], [r, casadi.jacobian(r, x)])

        def whole(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            r, J = (np.asarray(a, dtype=float) for a in function(values))
            return r.ravel(), J * self._scale

        strength = np.abs(whole(begin)[1][:, free]).max(axis=1, initial=0.0)
        is_strong = np.isfinite(strength) & (strength > 0.0)
        self._strength = strength = np.where(is_strong, strength, 1.0)

        def residual(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            r, J = whole(values)
            return r / strength, J / strength[:, None]

        return residual

    def _refuse(self, left: np.ndarray, reached: np.ndarray, free: np.ndarray) -> NoReturn:
        """Raise for the demand that is missed most, naming what is fixed."""
        mechanism = self.problem.mechanism
        sizes: list[tuple[float, InitialCondition]] = []
        at = 0
        gaps = np.abs(left * self._strength)
        for demand in self.initial_conditions:
            count = count_of(demand, self.problem.system)
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
            parameter=worst.name,
            value=gap,
        )
