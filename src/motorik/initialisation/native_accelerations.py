"""AccelerationCode: positions, speeds and parameters with given accelerations, by native code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from motorik.initialisation.accelerations import (
    acceleration_rows,
    parameter_scales,
    strength_of,
)
from motorik.initialisation.consistency import ConsistencyProblem
from motorik.initialisation.native_constraints import is_certain, make_parts
from motorik.loops.position_problem import Instant
from motorik.numerics.tolerances import CLOSED

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel


class AccelerationCode:
    """The first attempt of `AccelerationStart` as native code; for one thread at a time."""

    def __init__(self, system: CompiledModel) -> None:
        self.system = system
        part = acceleration_rows(ConsistencyProblem(system, Instant(system.assembled.p)))
        n, n_z = part.columns.size, len(system.layout.blocks)
        self._given = np.zeros(1 + n_z + 1)
        units = np.ones(n), np.ones(n), np.zeros(n, dtype=bool)
        (self._code,) = make_parts([part], self._given.ctypes.data, units)
        fixed = [scalar.parameter.fixed for scalar in system.parameters]
        self._p_fixed = np.array(fixed, dtype=bool)

    def solve(
        self,
        t: float,
        z: np.ndarray,
        q: np.ndarray,
        u: np.ndarray,
        p: np.ndarray,
        q_fixed: np.ndarray,
        u_fixed: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Return coordinates, speeds and parameters that meet all; None if not certain."""
        code, scales = self._code, self.system.scales
        self._given[0], self._given[1 : 1 + z.size] = t, z
        begin = np.concatenate([q, u, p])
        code.set_units(
            np.concatenate([scales.coordinates, scales.speeds, parameter_scales(p)])
        )
        free = ~np.concatenate([q_fixed, u_fixed, self._p_fixed])
        code.x[: begin.size] = begin
        code.per[: code.rows.size] = 1.0 / strength_of(code.steepest(free))
        moves = code.moves(free)
        solved = code.close(moves)
        if not (solved.left < 0.1 * CLOSED and is_certain(solved, moves)):
            return None
        found_q, found_u, found_p = np.split(
            code.x[: begin.size].copy(), [q.size, q.size + u.size]
        )
        return found_q, found_u, np.where(self._p_fixed, p, found_p)
