"""TreeStart: native initialisation of mechanisms without loops, with initial conditions."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import MotorikError
from motorik.initialisation.consistency import ConsistencyProblem
from motorik.initialisation.native_constraints import PoseCode, are_small, make_functions
from motorik.initialisation.native_joint_start import JointStartCode
from motorik.initialisation.native_speeds import SpeedCode
from motorik.initialisation.request import InitialStateRequest, StartBlock, find_one_by_one
from motorik.initialisation.search import named_branches
from motorik.initialisation.signal_blocks import BlockStart
from motorik.loops.position_problem import Instant

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel


class TreeStart:
    """Finds initial states of a tree that meet conditions, natively; for one thread at a time."""

    def __init__(self, system: CompiledModel) -> None:
        self.system, self.layout = system, system.layout
        layout = system.layout
        self._given = np.zeros(layout.n_q + 1 + len(layout.blocks) + layout.n_live + 1)
        self._levels = {
            condition.level for condition in system.mechanism.initial_conditions
        }
        self._blocks = BlockStart.of(system)
        if self._blocks is not None:
            self._blocks.compile()

    def another(self) -> TreeStart:
        """Return one with a memory of its own, for another thread."""
        return TreeStart(self.system)

    def find_block(
        self, t: float, X: np.ndarray, fixed: np.ndarray, live: np.ndarray, to: StartBlock
    ) -> None:
        """Find starts from rows of values, see `NativeStart.find_block`."""
        find_one_by_one(self, t, X, fixed, live, to)

    @staticmethod
    def suits(system: CompiledModel) -> bool:
        """Return whether there are conditions, and no guesses other than of coordinates.

        Without conditions the search has nothing to search for.
        """
        if not system.formulation.is_empty or not system.mechanism.initial_conditions:
            return False
        problem = ConsistencyProblem(system, Instant(system.assembled.p))
        if problem.guessed or named_branches(system):
            return False
        return are_small(problem.pose.blocks) and SpeedCode.suits(system)

    def find(
        self, request: InitialStateRequest
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Return motion, state and parameters where a run begins, or None if not certain."""
        X, fixed, live, t, branch = request
        if branch:
            return None
        layout = self.layout
        q, u, z = (values.copy() for values in layout.split(X))
        q_free, u_free, _ = layout.split(~fixed)
        self._given[q.size :] = 0.0
        self._given[q.size : -1] = np.concatenate([[t], z, live])
        if 0 in self._levels and not self._pose.solve(q, q_free):
            return None
        self._given[: q.size] = q
        if not self._speeds.solve(q, live, u, u_free):
            return None
        X = np.concatenate([q, u, z])
        if 2 in self._levels:
            found = self._joint.solve(t, X, live, fixed)
            if found is None:
                return None
            X, live = found
        return self._settled(X, live, t, fixed)

    def _settled(
        self, X: np.ndarray, live: np.ndarray, t: float, fixed: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Return the start of a motion, quaternions of length one and blocks as they follow."""
        system, time = self.system, np.array([t])
        try:
            system.parameter_check(live)
            if self._blocks is not None:
                X = self._blocks.find(t, X, live, fixed)
        except MotorikError:
            return None
        x = self.layout.state_of(X)
        if system.project is not None:
            x = system.project(time, x, live)
        return system.full_state(time, x, live), x, live.copy()

    @cached_property
    def _pose(self) -> PoseCode:
        problem = self.system.pose_problem
        made = make_functions(problem.blocks)
        return PoseCode(problem, self._given[self.layout.n_q :].ctypes.data, made)

    @cached_property
    def _speeds(self) -> SpeedCode:
        return SpeedCode(self.system, self._given)

    @cached_property
    def _joint(self) -> JointStartCode:
        return JointStartCode(self.system)
