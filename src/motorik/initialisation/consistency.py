"""ConsistencyProblem: positions, then speeds, that close all loops and keep fixed values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from motorik.compiler.symbols import elements
from motorik.errors import InitialValueError
from motorik.loops.constraint_blocks import independent_blocks
from motorik.loops.diagnosis import (
    listed,
    loop_names,
    refuse_open_loop,
    violation_message,
    worst_loop,
)
from motorik.loops.guesses import guesses, speed_guesses
from motorik.loops.position_problem import PositionProblem, is_hidden, scales_by_part
from motorik.motion.view import MotionView
from motorik.numerics.linear_steps import shortest_step
from motorik.numerics.sparse_matrix import scaled, steepest
from motorik.numerics.tolerances import CLOSED, SPEED_RANK

if TYPE_CHECKING:
    import casadi

    from motorik.algebra.scalar import Scalar
    from motorik.compiled_model import CompiledModel
    from motorik.components.base.contributions import InitialCondition
    from motorik.loops.constraint_blocks import ConstraintBlock
    from motorik.loops.position_problem import Guess, Instant


class ConsistencyProblem:
    """The conditions on the start of a system at one time, and their solution.

    Fixed values are kept; the others move as little as possible. `replaced` are the places
    of initial conditions that do not apply, as the run gives other values.
    """

    def __init__(
        self, system: CompiledModel, moment: Instant, replaced: tuple[int, ...] = ()
    ) -> None:
        self.system, self.mechanism, self.moment = system, system.mechanism, moment
        self.constraints = system.formulation.constraints
        self.scales = system.scales
        table = enumerate(self.mechanism.initial_conditions)
        conditions = [d for k, d in table if k not in replaced]
        self.position_conditions = [d for d in conditions if d.level == 0]
        self.speed_conditions = [d for d in conditions if d.level == 1]
        self.acceleration_conditions = [d for d in conditions if d.level == 2]
        self.replaced, self._memory = replaced, system.initialisation

    @property
    def is_trivial(self) -> bool:
        """Whether there are no conditions besides given values, and no other guesses."""
        conditions = self.position_conditions or self.speed_conditions
        return self.system.formulation.is_empty and not conditions and not self.guessed

    @property
    def guessed(self) -> list[Guess]:
        """The guesses of quantities that are not coordinates; with loops they are used before."""
        if self._memory.guesses is None:
            has_loops = self.system.mobility is not None
            self._memory.guesses = [] if has_loops else guesses(self.mechanism)
        return self._memory.guesses

    # --- positions --------------------------------------------------------------------------

    @property
    def pose(self) -> PositionProblem:
        """The equations of positions; cached by the system."""
        kept, key = self._memory.positions, self.replaced
        if key not in kept:
            kept[key] = self._pose_problem(self.position_conditions)
        return kept[key]

    def _pose_problem(self, conditions: Sequence[InitialCondition]) -> PositionProblem:
        symbols = self.system.assembled.symbols
        return PositionProblem(
            self.mechanism, self.constraints, symbols, self.scales, conditions
        )

    def is_closed(self, q: np.ndarray) -> bool:
        """Return whether loops are closed and initial conditions hold at a pose."""
        r, _ = self.pose.residual(self.moment, q)(q)
        return bool(np.abs(r).max(initial=0.0) < self.pose.tolerance(q))

    def loops_are_closed(self, q: np.ndarray) -> bool:
        """Return whether the loops are closed at a pose, other conditions aside."""
        if not self.position_conditions:
            return self.is_closed(q)
        kept = self._memory.loops
        if kept is None:
            kept = self._memory.loops = self.pose.with_conditions(())
        r, _ = kept.residual(self.moment, q)(q)
        return bool(np.abs(r).max(initial=0.0) < kept.tolerance(q))

    def is_closed_near(self, q: np.ndarray, free: np.ndarray) -> bool:
        """Return whether loops alone can be closed near a pose."""
        loops = self.pose.with_conditions(())
        found, gap = loops.solve(q, free, self.moment)
        return gap < loops.tolerance(found)

    def positions(
        self,
        q: np.ndarray,
        free: np.ndarray,
        conditions: Sequence[InitialCondition] | None = None,
    ) -> np.ndarray:
        """Return coordinates that meet all initial conditions and close all loops, nearest to q."""
        problem = self.pose if conditions is None else self._pose_problem(conditions)
        guessed = self.guessed if conditions is None else []
        if problem.is_trivial and not guessed:
            return q
        found, gap = problem.solve(q, free, self.moment, guessed)
        if not gap < problem.tolerance(found):
            self._refuse_positions(problem, found, free)
        return found

    # --- speeds -----------------------------------------------------------------------------

    def speed_gaps(
        self, motion: MotionView, q: Sequence[Scalar], u: casadi.SX
    ) -> list[Scalar]:
        """Return the residuals of the equations for speeds, of coordinates q and symbols u."""
        wanted: list[Scalar] = [
            e for d in self.speed_conditions for e in d.residual(motion)
        ]
        if self.constraints.equations:
            y = self.constraints.y_of(q, motion.t, motion.z)
            wanted.append(
                self.constraints.velocity_function(y, u, self.system.assembled.symbols)
            )
        return wanted

    def speeds(self, q: np.ndarray, u: np.ndarray, free: np.ndarray) -> np.ndarray:
        """Return the speeds nearest to u that meet all initial conditions and loop constraints."""
        if not self.speed_conditions and self.system.formulation.is_empty:
            return self._towards_guesses(q, u, free)
        gaps, parts = self._speed_problem
        here = (q, self.moment.t, np.array(self.moment.z), self.moment.p)
        unit, steep = self.scales.speeds, np.zeros(gaps.numel_out())
        for part in parts:
            J = scaled(part.at(u[part.columns], *here)[1], *self._ones(part))
            steep[part.rows] = steepest(J)
        scale = self._speed_scales(steep)
        result = self._towards_guesses(q, u, free)
        before = np.asarray(gaps(result, *here), dtype=float).ravel() / scale
        hidden = self._hidden_speeds()
        for part in parts:
            own = part.columns
            if free[own].any():
                missed, J = part.at(result[own], *here)
                J = scaled(J, 1.0 / scale[part.rows], unit[own])
                missed, ease = missed / scale[part.rows], np.ones(own.size)
                step = shortest_step(J, missed, free[own], ease, SPEED_RANK, hidden[own])
                result[own] += step * unit[own]
        left = np.asarray(gaps(result, *here), dtype=float).ravel() / scale
        typical = float(np.abs(np.concatenate([u / unit, result / unit])).max(initial=0.0))
        typical = max(typical, float(np.abs(before).max(initial=0.0)))
        if np.abs(left).max(initial=0.0) > CLOSED * typical:
            self._refuse_speeds(result, left, scale, free)
        return result

    @property
    def _speed_problem(self) -> tuple[casadi.Function, tuple[ConstraintBlock, ...]]:
        """The residuals of speeds, functions of u, q, t, z and live parameters; cached."""
        import casadi

        kept, key = self._memory.speeds, self.replaced
        if key not in kept:
            t, q, u, z = self.system.equations.symbols("t", "q", "u", "z")
            values = elements(q)
            motion = MotionView(self.mechanism, values, elements(u), None, t, elements(z))
            r = casadi.SX(casadi.vertcat(*self.speed_gaps(motion, values, u)))
            rest = [q, t, z, self.system.assembled.symbols]
            gaps = casadi.Function("speeds", [u, *rest], [casadi.densify(r)])
            kept[key] = gaps, independent_blocks(r, u, rest)
        return kept[key]

    def _ones(self, part: ConstraintBlock) -> tuple[np.ndarray, np.ndarray]:
        """Return factors for the matrix rows and columns of a block: its speeds are in scales."""
        return np.ones(part.rows.size), self.scales.speeds[part.columns]

    def _hidden_speeds(self) -> np.ndarray:
        """Return which speeds no user sees."""
        links = (self.mechanism.link_of_speed(k) for k in range(self.system.n_u))
        return np.array([is_hidden(link) for link in links], dtype=bool)

    def _towards_guesses(
        self, q: np.ndarray, u: np.ndarray, free: np.ndarray
    ) -> np.ndarray:
        """Return speeds at which bodies that joints carry move as guessed."""
        guessed = self.speed_guess_residuals
        if guessed is None or not free.any():
            return u.copy()
        missed, J = (np.asarray(a, dtype=float) for a in guessed(u, q, self.moment.p))
        unit, result = self.scales.speeds, u.copy()
        step = np.linalg.lstsq((J * unit)[:, free], missed.ravel(), rcond=SPEED_RANK)[0]
        result[free] -= step * unit[free]
        return result

    @property
    def speed_guess_residuals(self) -> casadi.Function | None:
        """The deviations of speeds of bodies from guesses, and J, of u, q and live parameters.

        None if there are no such guesses; kept by the system.
        """
        import casadi

        memory = self._memory
        if memory.speed_guesses is None and memory.has_speed_guesses:
            guessed = speed_guesses(self.mechanism)
            memory.has_speed_guesses = bool(guessed)
            if guessed:
                q, u = self.system.equations.symbols("q", "u")
                motion = MotionView(self.mechanism, elements(q), elements(u))
                r = casadi.SX(casadi.vertcat(*(e for one in guessed for e in one(motion))))
                outputs = [casadi.densify(r), casadi.densify(casadi.jacobian(r, u))]
                inputs = [u, q, self.system.assembled.symbols]
                memory.speed_guesses = casadi.Function("guessed", inputs, outputs)
        return memory.speed_guesses

    def _speed_scales(self, steep: np.ndarray) -> np.ndarray:
        """Return the scales of the equations for speeds.

        Of conditions it is how steep the steepest of the same part is, of loops their own.
        """
        counts = [count_of(condition, self.system) for condition in self.speed_conditions]
        of_conditions = scales_by_part(self.speed_conditions, counts, steep[: sum(counts)])
        return np.concatenate([of_conditions, self.scales.constraints])

    # --- refusal ----------------------------------------------------------------------------

    def _refuse_positions(
        self, problem: PositionProblem, q: np.ndarray, free: np.ndarray
    ) -> NoReturn:
        """Raise the error of positions that cannot be met, naming the condition missed most."""
        states = self.mechanism.coordinates
        r, _ = problem.residual(self.moment, q)(q)
        r = np.abs(np.nan_to_num(r, nan=np.inf))
        kept = [s.name for s, f in zip(states, free, strict=True) if not f]
        requested = [*kept, *(f"{d.part}.{d.name}" for d in problem.initial_conditions)]
        scale = problem.residual_scales(self.moment, q)
        sizes, at = [], 0
        for condition, count in zip(
            problem.initial_conditions, problem.counts, strict=True
        ):
            own = slice(at, at + count)
            missed = float((r * scale)[own].max())
            sizes.append((float(r[own].max()), missed, condition))
            at += count
        worst_condition = max((size for size, _, _ in sizes), default=0.0)
        worst_index = float(r[at : at + len(problem.kept)].max(initial=0.0))
        worst_length = float(r[at + len(problem.kept) :].max(initial=0.0))
        if problem.kept and worst_index > max(worst_condition, worst_length) / 10:
            self._refuse_loop(problem, q, requested)
        if worst_length > worst_condition:
            self._refuse_length(r[at + len(problem.kept) :], q, kept)
        _, gap, worst = max(sizes, key=lambda entry: entry[0])
        raise InitialValueError(
            worst.part,
            f"the fixed start value {worst.name} cannot be met: {gap:.3g} remains "
            f"(fixed besides: {', '.join(kept) or 'nothing'}).{self._locks_in_words()}",
            "Free one of them, or change the value. Nearest reachable: "
            f"{listed(states, q)}.",
            parameter=worst.name,
            value=gap,
        )

    def _locks_in_words(self) -> str:
        """Return which gears contradict one another, "" if none do."""
        return "".join(f" {lock}" for lock in self.mechanism.locks)

    def _refuse_length(self, r: np.ndarray, q: np.ndarray, kept: Sequence[str]) -> NoReturn:
        """Raise for coordinates of an orientation that together cannot have the length one."""
        links = self.mechanism.links
        counts = (len(k.joint.redundancy([0.0] * len(k.q))) for k in links)
        owners = [k for k, count in zip(links, counts, strict=True) for _ in range(count)]
        worst = owners[int(np.argmax(r))]
        own = [self.mechanism.coordinates[k] for k in worst.q]
        fixed = [state.name for state in own if state.name in kept]
        raise InitialValueError(
            worst.part,
            f"its quaternion cannot have the length 1 with what is fixed of it "
            f"({', '.join(fixed) or 'nothing'}).",
            f"Free one of them, or give all four. Nearest reachable: "
            f"{listed(own, q[list(worst.q)])}.",
        )

    def _refuse_loop(
        self, problem: PositionProblem, q: np.ndarray, kept: Sequence[str]
    ) -> NoReturn:
        alone = self._pose_problem(())
        free = np.ones(q.size, dtype=bool)
        relaxed, size = alone.solve(q, free, self.moment)
        if not size < alone.tolerance(relaxed):
            refuse_open_loop(alone, relaxed, self.moment)
        _, loop, gaps = worst_loop(problem, q, self.moment)
        states = self.mechanism.coordinates
        moved = [(s, v) for s, v in zip(states, relaxed, strict=True) if s.name in kept]
        changed = ", ".join(f"{s.name} = {v:.6g}" for s, v in moved)
        raise InitialValueError(
            loop[-1],
            f"the loop of {', '.join(loop)} cannot be closed with the start values that are "
            f"fixed ({', '.join(kept) or 'none'}): a gap of {gaps} remains.",
            f"Free one of them. Nearest start that closes: "
            f"{changed or listed(states, relaxed)}.",
        )

    def _refuse_speeds(
        self, u: np.ndarray, left: np.ndarray, scale: np.ndarray, free: np.ndarray
    ) -> NoReturn:
        states, left = self.mechanism.speeds, np.abs(left)
        kept = [s.name for s, f in zip(states, free, strict=True) if not f]
        requested = [*kept, *(f"{d.part}.{d.name}" for d in self.speed_conditions)]
        sizes, at = [], 0
        for condition in self.speed_conditions:
            count = count_of(condition, self.system)
            sizes.append((float((left * scale)[at : at + count].max()), condition))
            at += count
        worst = max((float(left[:at].max(initial=0.0)), 0.0))
        if self.constraints.equations and float(left[at:].max(initial=0.0)) > worst / 10:
            k = int(np.argmax(left[at:]))
            equation = self.constraints.equations[k]
            same = [
                i
                for i, r in enumerate(self.constraints.equations)
                if r.closure == equation.closure
            ]
            units = [self.constraints.equations[i].unit for i in same]
            own = np.array([at + i for i in same])
            gaps = violation_message(units, left[own], scale[own], per_second=True)
            names = (
                []
                if equation.closure is None
                else loop_names(self.mechanism, equation.closure)
            )
            raise InitialValueError(
                equation.part,
                f"the loop of {', '.join([*names, equation.part])} cannot move with the speeds "
                f"fixed at the start ({', '.join(requested) or 'none'}): {gaps} remains.",
                "Free one of these speeds, or give speeds that fit together.",
            )
        gap, condition = max(sizes, key=lambda pair: pair[0])
        raise InitialValueError(
            condition.part,
            f"the fixed start value {condition.name} cannot be met: {gap:.3g} remains "
            f"(fixed besides: {', '.join(kept) or 'nothing'}).{self._locks_in_words()}",
            f"Free one of them, or change the value. Nearest reachable: {listed(states, u)}.",
            parameter=condition.name,
            value=gap,
        )


def count_of(condition: InitialCondition, system: CompiledModel) -> int:
    """Return how many equations an initial condition has."""
    q, u = system.mechanism.start_values()
    motion = MotionView(system.mechanism, q, u, [0.0] * system.n_u)
    return len(condition.residual(motion))
