"""One search for the start: positions, speeds, states of blocks and free parameters together."""

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
from motorik.numerics.tolerances import CLOSED, RANK, ROUNDING

if TYPE_CHECKING:
    from motorik.algebra.scalar import Scalar
    from motorik.initialisation.consistency import ConsistencyProblem
    from motorik.numerics.newton import Residual


class JointProblem:
    """All conditions of the start as equations of all its unknowns: r(q, u, p, z) = 0.

    Conditions are accelerations as required, closed loops, given positions and speeds, and the
    start conditions of blocks and networks. Unknown are the coordinates, speeds and states of
    blocks that are not fixed, and the live parameters with ``fixed=False``. The states of blocks
    without a start condition (initType "NoInit") keep their start values unless conditions need
    them: where they raise the rank of the equations.
    """

    def __init__(self, problem: ConsistencyProblem) -> None:
        self.problem, self.system = problem, problem.system
        system, mechanism = problem.system, problem.mechanism
        self.part = joint_residuals(problem)
        signals = mechanism.signals
        self._found = np.array(signals.found_states, dtype=int)
        by_laws = [k for k in signals.found_states if k < signals.first_of_network]
        self._n_laws, self._n_conditions = len(by_laws), signals.n_network_conditions
        self._p_fixed = np.array([s.parameter.fixed for s in system.parameters], dtype=bool)
        self.n_z = len(system.layout.blocks)
        self._nominal = np.array([own.nominal for own in system.layout.blocks], dtype=float)

    def scales(self, p: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Return the scales of the unknowns: parameters are relative to their guesses."""
        own = self.problem.scales
        size = np.maximum(np.abs(z), self._nominal)
        return np.concatenate([own.coordinates, own.speeds, parameter_scales(p), size])

    def holding(self, z_fixed: np.ndarray) -> np.ndarray:
        """Return which equations hold: not those of states of blocks that the user gave."""
        holds = np.ones(self.part.rows.size, dtype=bool)
        first = holds.size - self._n_laws - self._n_conditions
        holds[first : first + self._n_laws] = ~z_fixed[self._found[: self._n_laws]]
        return holds

    def condition(self, k: int) -> tuple[str, str]:
        """Return the part and the words for an equation."""
        problem, names = self.problem, list[tuple[str, str]]()
        for condition in problem.acceleration_conditions:
            own = condition.part, f"the fixed start acceleration {condition.name}"
            names += [own] * count_of(condition, self.system)
        if k < len(names):
            return names[k]
        first = self.part.rows.size - self._n_laws - self._n_conditions
        if k < first:
            return problem.mechanism.name, "what is fixed of its positions and speeds"
        if k < first + self._n_laws:
            name = self.system.layout.blocks[self._found[k - first]].name
            return name.rpartition(".")[
                0
            ], f"its initType at the start, by the state {name}"
        network = problem.mechanism.signals.network
        assert network is not None
        return network.conditions[k - first - self._n_laws][0], "its condition at the start"

    def free(
        self, x: np.ndarray, t: float, fixed: np.ndarray, unit: np.ndarray
    ) -> np.ndarray:
        """Return which unknowns move; `fixed` tells it of q, u and z."""
        z_fixed = fixed[fixed.size - self.n_z :]
        found = np.zeros(self.n_z, dtype=bool)
        found[self._found] = True
        q_u = fixed[: fixed.size - self.n_z]
        least = ~np.concatenate([q_u, self._p_fixed, z_fixed | ~found])
        most = ~np.concatenate([q_u, self._p_fixed, z_fixed])
        if (least == most).all():
            return least
        _, J = self.part.at(x, t)
        if isinstance(J, SparseMatrix):
            J = J.part(range(self.part.rows.size), range(x.size))
        J = (J * unit)[self.holding(z_fixed)]
        J = J / strength_of(np.abs(J[:, most]).max(axis=1, initial=0.0))[:, None]
        if not np.isfinite(J).all():
            return least
        ranks = [np.linalg.matrix_rank(J[:, own], tol=RANK) for own in (least, most)]
        return most if ranks[1] > ranks[0] else least


class JointStart:
    """The search for positions, speeds, parameters and states of blocks that meet all."""

    def __init__(self, problem: ConsistencyProblem) -> None:
        self.problem = problem
        self.joint = JointProblem(problem)

    def solve(
        self, X: np.ndarray, fixed: np.ndarray, tries: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the motion and the parameters near the given ones that meet all.

        It is searched from X and, with more `tries`, from places around it.
        """
        joint, p = self.joint, self.problem.moment.p
        n, n_z = X.size, joint.n_z
        begin = np.concatenate([X[: n - n_z], p, X[n - n_z :]])
        self._scale = joint.scales(p, X[n - n_z :])
        free = joint.free(begin, self.problem.moment.t, fixed, self._scale)
        residual = self._residual(begin, free, joint.holding(fixed[n - n_z :]))
        best, size = self._search(residual, begin, free, tries)
        if not size < CLOSED:
            self._refuse(residual(best)[0], best, free)
        rests = np.abs(best - begin) <= ROUNDING * self._scale
        settled = np.where(rests, begin, best)  # rounding starts nothing that rests
        if np.abs(residual(settled)[0]).max(initial=0.0) < CLOSED:
            best = settled
        motion, found_p, found_z = np.split(best, [n - n_z, best.size - n_z])
        found_p = np.where(free[n - n_z : best.size - n_z], found_p, p)
        return np.concatenate([motion, found_z]), found_p

    def _search(
        self, residual: Residual, begin: np.ndarray, free: np.ndarray, tries: int
    ) -> tuple[np.ndarray, float]:
        """Return the best point found from `begin` and from places around it."""
        rng = np.random.default_rng(1)
        best, best_size = begin, np.inf
        for attempt in range(tries if free.any() else 1):
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

    def _residual(self, begin: np.ndarray, free: np.ndarray, holds: np.ndarray) -> Residual:
        """Return the residuals and their Jacobian, those of accelerations first.

        Equations are divided by how strongly they depend on the unknowns at `begin`; those that
        do not hold are zero.
        """
        part, moment = self.joint.part, self.problem.moment

        def whole(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            r, J = part.at(values, moment.t)
            if isinstance(J, SparseMatrix):
                J = J.part(range(r.size), range(values.size))
            return np.where(holds, r, 0.0), np.where(holds[:, None], J * self._scale, 0.0)

        strength = strength_of(np.abs(whole(begin)[1][:, free]).max(axis=1, initial=0.0))
        self._strength = strength

        def residual(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            r, J = whole(values)
            return r / strength, J / strength[:, None]

        return residual

    def _refuse(self, left: np.ndarray, reached: np.ndarray, free: np.ndarray) -> NoReturn:
        """Raise for the condition that is missed most, naming what is fixed."""
        mechanism = self.problem.mechanism
        worst = int(np.argmax(np.abs(np.nan_to_num(left, nan=np.inf))))
        part, condition = self.joint.condition(worst)
        gap = float(np.abs(left * self._strength)[worst])
        states = mechanism.states
        kept = [s.name for s, f in zip(states, free[: len(states)], strict=True) if not f]
        raise InitialValueError(
            part,
            f"{condition} cannot be met: {gap:.3g} remains "
            f"(fixed besides: {', '.join(kept) or 'nothing'}).",
            "Free one of them, let a parameter follow with Parameter(…, fixed=False), or "
            f"change the value. Nearest reachable: {listed(states, reached[: len(states)])}.",
            parameter=condition.rpartition(" ")[2],
            value=gap,
        )


def parameter_scales(p: np.ndarray) -> np.ndarray:
    """Return the scales of unknown parameters: their guesses."""
    return np.where(p != 0.0, np.abs(p), 1.0)


def strength_of(steepest: np.ndarray) -> np.ndarray:
    """Return the scales of equations: the largest entry of each Jacobian row, 1 without one."""
    is_strong = np.isfinite(steepest) & (steepest > 0.0)
    return np.where(is_strong, steepest, 1.0)


def joint_residuals(problem: ConsistencyProblem) -> ConstraintBlock:
    """Return the residuals, of q, u, live parameters and z; those of accelerations first.

    Conditions of blocks are the last. It needs t beside them; the system keeps it.
    """
    import casadi

    system, mechanism = problem.system, problem.mechanism
    memory = system.initialisation
    if problem.replaced in memory.joint:
        return memory.joint[problem.replaced]
    t, q, u, z = system.equations.symbols("t", "q", "u", "z")
    qs, us, zs = elements(q), elements(u), elements(z)
    ud = system.form.speed_rates(t, [*qs, *us, *zs], [0.0] * system.n_u, None)
    motion = MotionView(mechanism, qs, us, ud, t, zs)
    conditions = problem.acceleration_conditions
    wanted: list[Scalar] = [
        e for condition in conditions for e in condition.residual(motion)
    ]
    wanted.append(problem.pose._residuals(q, t, z, system.assembled.symbols))
    wanted += problem.speed_gaps(motion, qs, u)
    wanted += mechanism.signals.start_residual(motion, zs, t)
    r = casadi.densify(casadi.SX(casadi.vertcat(*wanted)))
    x = casadi.vertcat(q, u, system.assembled.symbols, z)
    J = casadi.jacobian(r, x)
    rows, columns = J.sparsity().get_triplet()
    shape = (r.numel(), x.numel())
    made = ConstraintBlock(
        range(shape[0]),
        range(shape[1]),
        SparsityPattern(rows, columns, shape),
        ([x, t], [r, entries_of(J)]),
    )
    return memory.joint.setdefault(problem.replaced, made)
