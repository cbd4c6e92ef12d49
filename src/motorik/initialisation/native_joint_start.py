"""JointStartCode: the first attempt of the search for all unknowns at once, by native code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from motorik.initialisation.consistency import ConsistencyProblem
from motorik.initialisation.joint_start import JointProblem, strength_of
from motorik.initialisation.native_constraints import is_certain, make_parts
from motorik.loops.position_problem import Instant
from motorik.numerics.tolerances import CLOSED

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel


class JointStartCode:
    """The first attempt of `JointStart` as native code; for one thread at a time."""

    def __init__(self, system: CompiledModel) -> None:
        problem = ConsistencyProblem(system, Instant(system.assembled.p))
        self._joint = joint = JointProblem(problem)
        n = joint.part.columns.size
        self._given = np.zeros(2)
        units = np.ones(n), np.ones(n), np.zeros(n, dtype=bool)
        (self._code,) = make_parts([joint.part], self._given.ctypes.data, units)

    def solve(
        self, t: float, X: np.ndarray, p: np.ndarray, fixed: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Return motion and parameters that meet all; None if not certain."""
        code, joint = self._code, self._joint
        self._given[0] = t
        n_m = X.size - joint.n_z
        begin = np.concatenate([X[:n_m], p, X[n_m:]])
        unit = joint.scales(p, X[n_m:])
        free = joint.free(begin, t, fixed, unit)
        code.set_units(unit)
        code.x[: begin.size] = begin
        holds = joint.holding(fixed[n_m:])
        code.per[: code.rows.size] = holds / strength_of(code.steepest(free))
        moves = code.moves(free)
        solved = code.close(moves)
        if not (solved.left < 0.1 * CLOSED and is_certain(solved, moves)):
            return None
        found = code.x[: begin.size]
        motion, found_p, z = np.split(found.copy(), [n_m, n_m + p.size])
        return np.concatenate([motion, z]), np.where(free[n_m : n_m + p.size], found_p, p)
