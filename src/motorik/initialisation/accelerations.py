"""Start accelerations: positions, speeds and free parameters with given accelerations."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import numpy as np

from motorik.compiler.symbols import elements
from motorik.errors import InitialValueError
from motorik.initialisation.consistency import count_of
from motorik.loops.constraint_blocks import ConstraintBlock, entries_of
from motorik.loops.diagnosis import listed
from motorik.motion.view import MotionView
from motorik.numerics.newton import damped_newton, nearest
from motorik.numerics.sparse_matrix import SparseMatrix, SparsityPattern
from motorik.numerics.tolerances import CLOSED

if TYPE_CHECKING:
    from motorik.algebra.scalar import Scalar
    from motorik.components.base.contributions import InitialCondition
    from motorik.initialisation.consistency import ConsistencyProblem
    from motorik.numerics.newton import Residual

TRIES = 8


class AccelerationStart:
    """The start with given accelerations: u̇(q, u, p) as required, and all other conditions.

    Unknown are the coordinates and speeds that are not fixed and the live parameters with
    ``fixed=False``, in units of their guesses.
    """

    def __init__(self, problem: ConsistencyProblem) -> None:
        self.problem = problem
        self.parameters = problem.system.parameters
        self.initial_conditions = [
            d for d in problem.mechanism.initial_conditions if d.level == 2
        ]
        p, scales = problem.moment.p, problem.scales
        self._scale = np.concatenate(
            [scales.coordinates, scales.speeds, parameter_scales(p)]
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
        part, moment = acceleration_rows(self.problem), self.problem.moment

        def whole(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            r, J = part.at(values, moment.t, np.array(moment.z))
            if isinstance(J, SparseMatrix):
                J = J.part(range(r.size), range(values.size))
            return r, J * self._scale

        strength = strength_of(np.abs(whole(begin)[1][:, free]).max(axis=1, initial=0.0))
        self._strength = strength

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


def parameter_scales(p: np.ndarray) -> np.ndarray:
    """Return the scales of unknown parameters: their guesses."""
    return np.where(p != 0.0, np.abs(p), 1.0)


def strength_of(steepest: np.ndarray) -> np.ndarray:
    """Return what rows are divided by: the steepest entry of each, where there is one."""
    is_strong = np.isfinite(steepest) & (steepest > 0.0)
    return np.where(is_strong, steepest, 1.0)


def acceleration_rows(problem: ConsistencyProblem) -> ConstraintBlock:
    """Return what must vanish of q, u and live parameters, accelerations first.

    It needs t and z beside them; the system keeps it.
    """
    import casadi

    system, mechanism = problem.system, problem.mechanism
    memory = system.initialisation
    if memory.accelerations is not None:
        return memory.accelerations
    t, q, u, z = system.equations.symbols("t", "q", "u", "z")
    qs, us, zs = elements(q), elements(u), elements(z)
    ud = system.form.speed_rates(t, [*qs, *us, *zs], [0.0] * system.n_u, None)
    motion = MotionView(mechanism, qs, us, ud, t, zs)
    demands = [d for d in mechanism.initial_conditions if d.level == 2]
    wanted: list[Scalar] = [e for demand in demands for e in demand.residual(motion)]
    wanted.append(problem.pose._residuals(q, t, z, system.assembled.symbols))
    wanted += problem.speed_gaps(motion, qs, u)
    r = casadi.densify(casadi.SX(casadi.vertcat(*wanted)))
    x = casadi.vertcat(q, u, system.assembled.symbols)
    J = casadi.jacobian(r, x)
    rows, columns = J.sparsity().get_triplet()
    shape = (r.numel(), x.numel())
    memory.accelerations = ConstraintBlock(
        range(shape[0]),
        range(shape[1]),
        SparsityPattern(rows, columns, shape),
        ([x, t, z], [r, entries_of(J)]),
    )
    return memory.accelerations
