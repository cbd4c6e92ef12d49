"""SpeedCode: the speeds nearest to given ones that keep loops closed, by native code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.compiler import compile_functions
from motorik.initialisation.consistency import ConsistencyProblem, count_of
from motorik.initialisation.native_constraints import TRUSTED, are_small, make_parts
from motorik.loops.position_problem import Instant, scales_by_part
from motorik.numerics.tolerances import CLOSED, SPEED_RANK

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel

CLOSE = 1e-4  # relative distance to `SPEED_RANK` at which rounding decides


class SpeedCode:
    """The equations of `ConsistencyProblem.speeds` as native code, solved in one step.

    `given` holds q, t, z and the live parameters, in this order.
    """

    def __init__(self, system: CompiledModel, given: np.ndarray) -> None:
        self._problem = ConsistencyProblem(system, Instant(system.assembled.p))
        _, parts = self._problem._speed_problem
        self._unit = system.scales.speeds
        units = self._unit, np.ones(system.n_u), self._problem._hidden_speeds()
        self._parts = make_parts(parts, given.ctypes.data, units)
        conditions = self._problem.speed_conditions
        self._counts = [count_of(condition, system) for condition in conditions]
        if not conditions:
            self._set_scales(system.scales.constraints)
        guessed = self._problem.speed_guess_residuals
        self._speed_guesses: Any = None
        if guessed is not None:
            self._speed_guesses = compile_functions({"guessed": guessed})["guessed"]

    @staticmethod
    def suits(system: CompiledModel) -> bool:
        """Return whether the equations for speeds fall into small blocks."""
        problem = ConsistencyProblem(system, Instant(system.assembled.p))
        return are_small(problem._speed_problem[1])

    def _set_scales(self, scale: np.ndarray) -> None:
        for code in self._parts:
            code.per[: code.rows.size] = 1.0 / scale[code.rows]

    def _scale_conditions(self, u: np.ndarray) -> None:
        """Scale initial conditions by the largest gradient of their block."""
        count = sum(self._counts)
        steep = np.zeros(count + self._problem.scales.constraints.size)
        for code in self._parts:
            code.x[: code.columns.size] = u[code.columns]
            steep[code.rows] = code.steepest()
        of_conditions = scales_by_part(
            self._problem.speed_conditions, self._counts, steep[:count]
        )
        self._set_scales(np.concatenate([of_conditions, self._problem.scales.constraints]))

    def solve(
        self, q: np.ndarray, live: np.ndarray, u: np.ndarray, free: np.ndarray
    ) -> bool:
        """Move u to the nearest speeds that meet all equations; return whether it is certain."""
        if self._counts:
            self._scale_conditions(u)
        typical = float(np.abs(u / self._unit).max(initial=0.0))
        if self._speed_guesses is not None and not self._moved_towards_guesses(
            q, live, u, free
        ):
            return False
        left = 0.0
        for code in self._parts:
            own = code.columns
            code.x[: own.size] = u[own]
            before = code.left()
            typical = max(typical, before)
            if before == 0.0:
                continue
            if free[own].any():
                if not code.solve(code.moves(free), SPEED_RANK):
                    return False
                u[own] = code.x[: own.size]
                before = code.left()
            left = max(left, before)
        typical = max(typical, float(np.abs(u / self._unit).max(initial=0.0)))
        return left <= 0.1 * CLOSED * typical

    def _moved_towards_guesses(
        self, q: np.ndarray, live: np.ndarray, u: np.ndarray, free: np.ndarray
    ) -> bool:
        """Move u so that bodies on joints move as guessed."""
        if not free.any():
            return True
        missed, J = self._speed_guesses(u, q, live)
        A = (np.asarray(J).reshape(missed.size, u.size) * self._unit)[:, free]
        step, _, _, sizes = np.linalg.lstsq(A, missed, rcond=SPEED_RANK)
        if sizes.size and sizes[0] > 0.0:
            part = sizes / sizes[0]
            kept = part[part > SPEED_RANK]
            near = np.abs(part - SPEED_RANK) < CLOSE * SPEED_RANK
            if near.any() or kept[-1] * TRUSTED < 1.0:
                return False
        u[free] -= step * self._unit[free]
        return True
