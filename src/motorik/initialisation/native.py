"""Native initialisation: a further initial state of a compiled model in microseconds, or none.

The first initial states of a system are found with all checks (`search.py`). Later ones use code
compiled once (closed forms, constraint equations, angles, Newton's method, speeds) that repeats the
steps of that search. Where it is not certain that the search would come to the same start, there is
no answer, and the search decides.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import MotorikError
from motorik.initialisation.guidance import Guidance
from motorik.initialisation.native_code import StartCode
from motorik.initialisation.native_constraints import are_small
from motorik.initialisation.native_joint_start import JointStartCode
from motorik.initialisation.native_pose import NativePose, NotCertainError, Patterns
from motorik.initialisation.native_speeds import SpeedCode
from motorik.initialisation.search import named_branches
from motorik.initialisation.signal_blocks import BlockStart
from motorik.loops.formulation import LoopFormulation
from motorik.loops.guesses import speed_guesses
from motorik.numerics.tolerances import CLOSED

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.native_pose import Pattern
    from motorik.initialisation.request import InitialStateRequest
    from motorik.initialisation.search import Initialise

SAFE = 1e-2  # guarded values below this are so near a dead centre that the search decides
Found = tuple[np.ndarray, np.ndarray, np.ndarray]


class NativeStart:
    """Finds starts of one system by native code; for one thread at a time."""

    def __init__(self, system: CompiledModel, find: Initialise) -> None:
        f, mechanism = system.formulation, system.mechanism
        assert isinstance(f, LoopFormulation) and system.mobility is not None
        self.system, self.layout, self.formulation = system, system.layout, f
        self.code, self._find = StartCode(system), find
        self.pose, self._patterns = NativePose(system, self.code), Patterns(system)
        self._named = named_branches(system)
        self._levels = {condition.level for condition in mechanism.initial_conditions}
        self._state_q = np.array(f.state_q, dtype=np.intp)
        self._state_u = np.array(f.state_u, dtype=np.intp)
        trivial = set(f.constraints.without_speeds)
        clusters = [decision.cluster for decision in f.decisions]
        self._doubtful = [
            own for own in clusters if len(set(own.constraints) - trivial) > len(own.active)
        ]
        self._blocks = BlockStart.of(system)
        self._is_guessed = bool(speed_guesses(mechanism))
        self._is_moved = bool(f.with_multiplier) or self._blocks is not None
        self._is_moved |= bool(self._levels & {1, 2})
        if self._blocks is not None:
            self._blocks.compile()

    @staticmethod
    def suits(system: CompiledModel) -> bool:
        """Return whether starts of a system can be found natively: it has loops of some size."""
        if system.formulation.is_empty:
            return False
        if system.formulation.with_multiplier or system.mechanism.initial_conditions:
            return are_small(system.pose_problem.blocks)
        return True

    # --- a start ---------------------------------------------------------------------------

    def find(self, request: InitialStateRequest) -> Found | None:
        """Return motion, state and parameters where a run begins, or None if not certain."""
        try:
            return self._found(request)
        except (NotCertainError, MotorikError, np.linalg.LinAlgError):
            return None

    def _found(self, request: InitialStateRequest) -> Found:
        X, fixed, live, t, branch = request
        pattern, code, pose = self._patterns.find(fixed), self.code, self.pose
        q, u, z = self.layout.split(X)
        code.set_moment(t, z, live)
        wanted = {**self._named, **branch} if self._named or branch else None
        if wanted is not None or not pose.from_guesses(q, pattern):
            if self.system.guide is not None:
                X = self._guided(request)
                q, u, _ = self.layout.split(X)
                code.q[:], wanted = q, None
            else:
                pose.begin(q, pattern)
            pose.close(pattern)
            if self.formulation.branched_groups:
                pose.take_branches_at(code.q.copy())
        code.u[: u.size] = u
        needs = self._needs_speeds(pattern, u)
        if wanted is not None:
            self._on_branch(wanted, pattern, needs)
        if needs:
            self._find_speeds(pattern)
        if 2 in self._levels:
            z = self._find_jointly(z, fixed)
        code.unwrap(pattern.unwrappable.size - 1, pattern.unwrappable_at)
        return self._whole(z, None if needs else u, fixed)

    def _whole(self, z: np.ndarray, follows: np.ndarray | None, fixed: np.ndarray) -> Found:
        """Return the start of the pose and the speeds, if it is valid.

        `follows` are the speeds that were given, if all others follow from those of the states.
        """
        code, n_q = self.code, self.layout.n_q
        n_u = self.layout.n_u
        if self._blocks is not None:
            X = np.concatenate([code.q, code.u[:n_u], z])
            z = self._blocks.find(float(code.t[0]), X, code.p, fixed)[n_q + n_u :]
        x = np.concatenate([code.q[self._state_q], code.u[self._state_u], z])
        code.x[: x.size] = x
        if code.project is not None:
            code.project()
            x = code.x[: x.size] = code.projected[: x.size]
            x = x.copy()
        code.find_X()
        if follows is not None:
            self._check_speeds(follows)
        if not code.motion_size() < math.inf:
            raise NotCertainError
        self._check_safe()
        return code.X.copy(), x, code.p.copy()

    # --- where to begin ---------------------------------------------------------------------

    def _guided(self, request: InitialStateRequest) -> np.ndarray:
        """Return values to begin with where closed forms of the same model start."""
        X, fixed, live, t, branch = request
        guide, index = self.system.guide, self.layout.index
        assert guide is not None
        places = guide.layout.index
        own = {n: float(X[k]) for n, k in index.items() if fixed[k] and n in places}
        wanted = {**self._named, **branch} if branch else None
        start = self._find(guide, own, live, t, wanted)
        if start.system is not guide:
            raise NotCertainError
        return self._guidance.begin(X, fixed, start.X, live)

    @cached_property
    def _guidance(self) -> Guidance:
        guide = self.system.guide
        assert guide is not None
        found = Guidance.of(self.system, guide)
        found.compile()
        return found

    # --- speeds ----------------------------------------------------------------------------

    def _needs_speeds(self, pattern: Pattern, u: np.ndarray) -> bool:
        """Return whether dependent speeds must be solved for.

        At rest they do, unless time moves something.
        """
        if self._is_moved or pattern.fixes_dependent_speeds:
            return True
        if not pattern.leaves_speeds:
            return False
        if u.any() or self._is_guessed:
            return True
        self.code.find_speeds()
        return self.code.speed_residual() > 0.0

    def _on_branch(
        self, wanted: Mapping[str, str], pattern: Pattern, needs_speeds: bool
    ) -> None:
        """Move to the named branches of closed forms from the assembled pose."""
        if not self.formulation.branched_groups:
            raise NotCertainError
        if needs_speeds:
            self._find_speeds(pattern)
        self.pose.go_to(wanted, pattern)

    def _find_speeds(self, pattern: Pattern) -> None:
        """Find the nearest speeds that meet everything."""
        code = self.code
        if self._speeds is None or not self._speeds.solve(
            code.q, code.live, code.u[: self.layout.n_u], ~pattern.u
        ):
            raise NotCertainError

    @cached_property
    def _speeds(self) -> SpeedCode | None:
        """The nearest speeds; None for large mechanisms."""
        if not SpeedCode.suits(self.system):
            return None
        return SpeedCode(self.system, self.code.given)

    def _check_speeds(self, u: np.ndarray) -> None:
        """Refuse dependent speeds that do not keep the loops closed."""
        code, n_q = self.code, self.layout.n_q
        found = code.X[n_q : n_q + u.size]
        code.q[:], code.u[: u.size] = code.X[:n_q], found
        code.find_speeds()
        left, unit = code.speed_residual(), self.formulation.scales.speeds
        if not any(left <= CLOSED * np.abs(own / unit).max() for own in (found, u)):
            raise NotCertainError

    def _find_jointly(self, z: np.ndarray, fixed: np.ndarray) -> np.ndarray:
        """Move everything that is free so that all conditions are met; return block states."""
        code, n_u, t = self.code, self.layout.n_u, float(self.code.t[0])
        X = np.concatenate([code.q, code.u[:n_u], z])
        found = self._joint.solve(t, X, code.live, fixed)
        if found is None:
            raise NotCertainError
        code.q[:], code.u[:n_u], z = self.layout.split(found[0])
        code.set_moment(t, z, found[1])
        self.system.parameter_check(found[1])
        if self.formulation.branched_groups:
            self.pose.take_branches_at(code.q.copy())
        return z

    @cached_property
    def _joint(self) -> JointStartCode:
        return JointStartCode(self.system)

    # --- whether it is certain -------------------------------------------------------------

    def _check_safe(self) -> None:
        """Refuse poses near dead centres, and live values at which other decisions hold."""
        code = self.code
        if code.find_margins is not None:
            code.find_margins()
            if not code.margins[: code.margins.size // 2].min() >= SAFE:
                raise NotCertainError
        if not self._doubtful or np.array_equal(code.live, self.system.assembled.p):
            return
        G = self.system.constraint_matrix(code.t, code.X, code.p)
        G = self.formulation.scales.matrix(G.reshape(self.layout.n_u, -1).T)
        for own in self._doubtful:
            if own.rank(G) > len(own.active):
                raise NotCertainError
