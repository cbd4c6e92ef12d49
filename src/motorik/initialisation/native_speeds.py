"""SpeedCode: the speeds nearest to given ones that keep loops closed, by native code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.compiler import compile_functions
from motorik.compiler.kernels import native_group
from motorik.initialisation.consistency import ConsistencyProblem, count_of
from motorik.initialisation.native_constraints import (
    PartsCode,
    are_small,
    make_functions,
)
from motorik.initialisation.start_kernels import PART_KERNELS, TRUSTED
from motorik.loops.position_problem import Instant
from motorik.numerics.tolerances import SPEED_RANK

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.native_constraints import Functions

CLOSE = 1e-4  # relative distance to `SPEED_RANK` at which rounding decides


class SpeedCode(PartsCode):
    """The equations of `ConsistencyProblem.speeds` as native code, solved in one step.

    `given` holds q, t, z and the live parameters, in this order.
    """

    def __init__(
        self, system: CompiledModel, given: np.ndarray, made: Functions | None = None
    ) -> None:
        problem = ConsistencyProblem(system, Instant(system.assembled.p))
        _, blocks = problem._speed_problem
        self._given, self._unit = given, system.scales.speeds
        conditions = problem.speed_conditions
        super().__init__(
            blocks,
            given.ctypes.data,
            (self._unit, np.ones(system.n_u), problem._hidden_speeds()),
            system.scales.constraints,
            conditions,
            [count_of(condition, system) for condition in conditions],
            [np.zeros((1, block.columns.size)) for block in blocks],
            speed_functions(system) if made is None else made,
        )
        guessed = problem.speed_guess_residuals
        self._speed_guesses: Any = None
        if guessed is not None:
            self._speed_guesses = compile_functions({"guessed": guessed})["guessed"]

    @staticmethod
    def suits(system: CompiledModel) -> bool:
        """Return whether the equations for speeds fall into small blocks."""
        problem = ConsistencyProblem(system, Instant(system.assembled.p))
        return are_small(problem._speed_problem[1])

    def solve(
        self, q: np.ndarray, live: np.ndarray, u: np.ndarray, free: np.ndarray
    ) -> bool:
        """Move u to the nearest speeds that meet all equations; return whether it is certain."""
        typical = float(np.abs(u / self._unit).max(initial=0.0))
        if self._speed_guesses is not None and not self._moved_towards_guesses(
            q, live, u, free
        ):
            return False
        _, speeds = native_group(*PART_KERNELS)
        moves = self.moves(free).ctypes.data
        own = np.ascontiguousarray(u)
        given = self._given.ctypes.data
        found = speeds.entry(self.table.address, moves, given, own.ctypes.data, typical)
        u[:] = own
        return bool(found)

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


def speed_functions(system: CompiledModel) -> Functions:
    """Return native functions of the blocks of equations for speeds."""
    problem = ConsistencyProblem(system, Instant(system.assembled.p))
    return make_functions(problem._speed_problem[1])
