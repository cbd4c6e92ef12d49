"""NativePose: the pose of a native start, by closed forms or by Newton's method."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.immutable import immutable
from motorik.initialisation.branches import BranchSearch
from motorik.initialisation.kernels import TURN
from motorik.initialisation.native_branches import by_guesses, by_pose
from motorik.initialisation.native_code import address
from motorik.initialisation.native_constraints import PoseCode, are_small
from motorik.loops.formulation import LoopFormulation
from motorik.loops.position_problem import is_hidden
from motorik.numerics.tolerances import BRANCH_FITS, CLEAR_DIFFERENCE, CLOSED

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.native_code import StartCode

PATTERNS = 64  # ways to fix values that are remembered


class NotCertainError(Exception):
    """Native code cannot determine the start with certainty."""


@immutable
class Pattern:
    """Which coordinates and speeds are fixed, and the consequences.

    `unwrappable` are the coordinates that are put within half a turn of their start values, and
    one number more.
    """

    q: np.ndarray
    u: np.ndarray
    fixes_states: bool
    fixes_dependent: bool
    leaves_speeds: bool
    fixes_dependent_speeds: bool
    unwrappable: np.ndarray

    @cached_property
    def unwrappable_at(self) -> int:
        """Where these numbers lie."""
        return address(self.unwrappable)


class Patterns:
    """Consequences of a set of fixed values, cached from one start to the next."""

    def __init__(self, system: CompiledModel) -> None:
        f, mechanism = system.formulation, system.mechanism
        assert isinstance(f, LoopFormulation)
        self._layout, self._formulation = system.layout, f
        links = ((k, mechanism.link_of_coordinate(k)) for k, _ in f.constraints.revolutes)
        edges = ((k, link.edge) for k, link in links)
        loose = [k for k, e in edges if e is not None and not e.keeps_coordinate]
        self._unwrappable = np.array(loose, dtype=np.int64)
        self._known: dict[bytes, Pattern] = {}

    def find(self, fixed: np.ndarray) -> Pattern:
        """Return the consequences if these values of the motion are fixed."""
        key = fixed.tobytes()
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= PATTERNS:
                self._known.clear()
            q, u, _ = self._layout.split(fixed)
            f = self._formulation
            found = self._known[key] = Pattern(
                q.copy(),
                u.copy(),
                bool(q[list(f.state_q)].all()),
                bool(q[list(f.dependent_q)].any()),
                not u[list(f.state_u)].all(),
                bool(u[list(f.dependent_u)].any()),
                np.append(self._unwrappable[~q[self._unwrappable]], 0),
            )
        return found


class NativePose:
    """Finds poses of a system as `InitialStateSearch` does, on the arrays of `StartCode`.

    Where it is not certain that the search would come to the same pose it raises
    `NotCertainError`.
    """

    def __init__(self, system: CompiledModel, code: StartCode) -> None:
        f, mechanism = system.formulation, system.mechanism
        assert isinstance(f, LoopFormulation) and system.mobility is not None
        self.system, self.layout, self.formulation = system, system.layout, f
        self.code, self.guess = code, np.array(system.mobility.q)
        self._is_explicit = not f.with_multiplier
        self._is_plain = not (
            any(map(is_hidden, mechanism.links)) or mechanism.initial_conditions
        )
        self._has_conditions = any(
            condition.level == 0 for condition in mechanism.initial_conditions
        )
        self._state_q = np.array(f.state_q, dtype=np.intp)
        formed = [k for form in f.forms for k in form.outputs]
        self._formed = np.array(formed, dtype=np.intp)
        self._turns = np.isin(self._formed, [k for k, _ in f.constraints.revolutes])
        self._signs = np.ones(
            len(f.branched_groups)
        )  # of the last pose that was searched for
        self._by_pose, self._by_guess = by_pose(system), None
        if f.forms and self._is_explicit:
            self._by_guess = by_guesses(system, code.hinges)

    def begin(self, q: np.ndarray, pattern: Pattern) -> None:
        """Begin at q, or where it is not given at the assembled pose of the mobility analysis."""
        same = (q == self.layout.starts[0][: q.size]) & ~pattern.q
        self.code.q[:] = np.where(same, self.guess, q)

    def from_guesses(self, q: np.ndarray, pattern: Pattern) -> bool:
        """Find the pose by closed forms on the branches nearest to the guesses.

        False where that leads to no start for certain, as the search finds.
        """
        code, wanted = self.code, self._by_guess
        if wanted is None:
            return False
        self._begin_at(q)
        wanted.fill(q)
        if not code.nearest_signs(wanted, farthest=False) < math.inf:
            return False
        found = code.values[: q.size]
        if pattern.fixes_dependent:
            apart = np.abs(found - q) / self.formulation.scales.coordinates
            left = apart[pattern.q].max()
            if not left <= 1e-10:
                return self._clearly(left)
        code.q[:] = found
        if self._is_closed(1.0):
            return True
        return self._clearly(self._left())

    @staticmethod
    def _clearly(left: float) -> bool:
        """Return False if the residual is larger than rounding."""
        if left > CLEAR_DIFFERENCE:
            return False
        raise NotCertainError

    def _begin_at(self, q: np.ndarray) -> None:
        """Write states and references of coordinates for the closed forms."""
        self.code.q[:] = q
        self.code.states[: self._state_q.size] = q[self._state_q]
        self.code.refer()

    def close(self, pattern: Pattern) -> None:
        """Move q by Newton's method until all equations hold, if they do not hold yet.

        If all states are fixed and all else is free, just one pose is near, and the equations that
        are solved suffice.
        """
        code = self.code
        if code.pose.is_trivial or self._is_closed(1e-2):
            return
        is_one = pattern.fixes_states and not pattern.fixes_dependent
        if is_one and self._is_plain and self._is_explicit:
            before = code.q.copy()
            tolerance = code.pose.tolerance(code.q)
            if code.close(tolerance) < tolerance:
                return
            code.q[:] = before
        if self._newton is None or not self._newton.solve(code.q, ~pattern.q):
            raise NotCertainError

    @cached_property
    def _newton(self) -> PoseCode | None:
        """Newton's method for all positions; None for large mechanisms."""
        if not are_small(self.code.pose.blocks):
            return None
        return PoseCode(self.code.pose, address(self.code.moment))

    def take_branches_at(self, q: np.ndarray) -> None:
        """Write the signs on which closed forms give the pose q."""
        code = self.code
        self._begin_at(q)
        code.signs[:] = self._signs
        code.find_q()
        if not self._is_near(q):
            self._by_pose.fill(q)
            code.nearest_signs(self._by_pose, farthest=True)
            if not self._is_near(q):
                raise NotCertainError
            self._signs[:] = code.signs

    def _is_near(self, q: np.ndarray) -> bool:
        own, turns = self._formed, self._turns
        apart = self.code.values[own] - q[own]
        apart[turns] -= TURN * np.rint(apart[turns] / TURN)
        return bool(
            (np.abs(apart) < BRANCH_FITS * self.formulation.scales.coordinates[own]).all()
        )

    def go_to(self, branch: Mapping[str, str], pattern: Pattern) -> None:
        """Go to the named branches of closed forms."""
        code, n_q = self.code, self.layout.n_q
        z = code.z[: len(self.layout.blocks)]
        given = code.q.copy(), z, code.live, float(code.t[0])
        code.signs[:] = BranchSearch(self.system, *given).by_names(code.signs, branch)
        code.find_q()
        if not np.isfinite(code.values[:n_q]).all():
            raise NotCertainError
        code.q[:] = code.values[:n_q]
        self.close(pattern)
        self.take_branches_at(code.q.copy())

    def _left(self) -> float:
        """Return the largest residual at the pose, in scales."""
        if self._has_conditions:
            if self._newton is None:
                raise NotCertainError
            self._newton.scale_at(self.code.q)
            return self._newton.left(self.code.q)
        self.code.find_residuals()
        return self.code.position_residual()

    def _is_closed(self, part: float) -> bool:
        """Return whether all equations hold at the pose, within a part of the tolerance."""
        size = self._left()
        if size < part * CLOSED:
            return True
        return size < part * self.code.pose.tolerance(self.code.q)
