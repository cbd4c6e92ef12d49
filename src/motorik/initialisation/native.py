"""Native initialisation: further initial states of a compiled model in microseconds, or none.

The first initial states of a system are found with all checks (`search.py`). Later ones use code
compiled once (closed forms, constraint equations, angles, Newton's method, speeds) that repeats the
steps of that search. Where it is not certain that the search would come to the same start, there is
no answer, and the search decides. One kernel finds a start, or a block of them, see
`start_kernels`; steps that need Python, as a guide or branches by name, stand between parts of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler.kernels import native_group
from motorik.errors import MotorikError
from motorik.initialisation.branches import BranchSearch
from motorik.initialisation.guidance import Guidance
from motorik.initialisation.native_code import StartCode, StartFunctions
from motorik.initialisation.native_constraints import are_small
from motorik.initialisation.native_joint_start import JointStartCode
from motorik.initialisation.native_pose import Patterns
from motorik.initialisation.request import InitialStateRequest, StartBlock, find_one_by_one
from motorik.initialisation.search import named_branches
from motorik.initialisation.signal_blocks import BlockStart
from motorik.initialisation.start_kernels import START_KERNELS
from motorik.initialisation.start_layout import Answer
from motorik.loops.formulation import LoopFormulation
from motorik.numerics.tolerances import CONSTRAINT_RANK

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.native_pose import Pattern
    from motorik.initialisation.request import Found
    from motorik.initialisation.search import Initialise


class NotCertainError(Exception):
    """Native code cannot determine the start with certainty."""


class NativeStart:
    """Finds starts of one system by native code; for one thread at a time."""

    def __init__(
        self, system: CompiledModel, find: Initialise, like: NativeStart | None = None
    ) -> None:
        f, mechanism = system.formulation, system.mechanism
        assert isinstance(f, LoopFormulation) and system.mobility is not None
        self.system, self.layout, self.formulation = system, system.layout, f
        self._functions = StartFunctions(system) if like is None else like._functions
        self.code, self._find = StartCode(self._functions), find
        self._blocks = BlockStart.of(system)
        self._patterns = Patterns(system, self._blocks)
        self._named = named_branches(system)
        self._levels = {condition.level for condition in mechanism.initial_conditions}
        trivial = set(f.constraints.without_speeds)
        clusters = [decision.cluster for decision in f.decisions]
        self._doubtful = [
            own for own in clusters if len(set(own.constraints) - trivial) > len(own.active)
        ]
        self._has_native_blocks = True
        is_moved = bool(f.with_multiplier) or self._blocks is not None
        is_moved |= bool(self._levels & {1, 2})
        self.code.table.set(moves=int(is_moved), guided=int(self._is_guided))
        if self._blocks is not None:
            self._blocks.compile()
            blocks = self._blocks.table()
            self._has_native_blocks = blocks is not None
            self.code.table.set(blocks=blocks)
        self._address = self.code.table.address
        entries = (made.entry for made in native_group(*START_KERNELS))
        self._find_starts, self._take_given, self._begin_by_guesses = (
            next(entries) for _ in range(3)
        )
        self._begin_elsewhere, self._close, self._take_branches = (
            next(entries) for _ in range(3)
        )
        self._needs_speeds, self._solve_speeds = (next(entries) for _ in range(2))
        self._unwrap, self._find_blocks = (next(entries) for _ in range(2))
        self._finish, self._find_q = (next(entries) for _ in range(2))

    @staticmethod
    def suits(system: CompiledModel) -> bool:
        """Return whether starts of a system can be found natively: it has loops of some size."""
        if system.formulation.is_empty:
            return False
        if system.formulation.with_multiplier or system.mechanism.initial_conditions:
            return are_small(system.pose_problem.blocks)
        return True

    def another(self) -> NativeStart:
        """Return one with the same code and a memory of its own, for another thread."""
        return NativeStart(self.system, self._find, self)

    # --- starts ----------------------------------------------------------------------------

    def find(self, request: InitialStateRequest) -> Found | None:
        """Return motion, state and parameters where a run begins, or None if not certain."""
        try:
            if self._is_one_kernel and not request.branch:
                is_last = not self._is_guided
                if is_last or self.code.has_guesses:
                    found = self._found_at_once(request)
                    if found is not None or is_last:
                        return found
            return self._found(request)
        except (NotCertainError, MotorikError, np.linalg.LinAlgError):
            return None

    @cached_property
    def _is_one_kernel(self) -> bool:
        """Whether one kernel finds starts: no step needs Python, but for guides and branches."""
        if self._named or not self._has_native_blocks:
            return False
        return not (2 in self._levels or self.code.is_guessed)

    @property
    def _is_guided(self) -> bool:
        """Whether another formulation may tell where to begin."""
        return not (self.system.facts.is_tree or self.system.options.is_auto)

    def _found_at_once(self, request: InitialStateRequest) -> Found | None:
        """Return the start that one call of native code finds, None if it is not certain."""
        X, fixed, live, t, _ = request
        sizes = self.layout.n_motion, self.layout.n_x, self.code.p.size
        block = StartBlock.empty(1, sizes)
        self._find_rows(t, X[None], fixed, live, block)
        return (
            (block.motion[0], block.states[0], block.parameters[0])
            if block.found[0]
            else None
        )

    def find_block(
        self, t: float, X: np.ndarray, fixed: np.ndarray, live: np.ndarray, to: StartBlock
    ) -> None:
        """Find starts from rows X, of one vector of live parameters, or a row for each."""
        if self._is_one_kernel:
            self._find_rows(t, X, fixed, live, to)
        else:
            find_one_by_one(self, t, X, fixed, live, to)

    def _find_rows(
        self, t: float, X: np.ndarray, fixed: np.ndarray, live: np.ndarray, to: StartBlock
    ) -> None:
        """Find starts by one call of native code."""
        pattern = self._patterns.find(fixed, self.code)
        X = np.ascontiguousarray(X, dtype=float)
        live = np.ascontiguousarray(live, dtype=float)
        stride = self.layout.n_live if live.ndim == 2 and len(live) > 1 else 0
        while True:
            needed = self._find_starts(
                self._address,
                pattern.address,
                t,
                len(X),
                X.ctypes.data,
                stride,
                live.ctypes.data,
                *(array.ctypes.data for array in to),
            )
            if not needed:
                break
            self._make(needed)
        certain = np.flatnonzero(to.found) if self._doubtful else ()
        if len(certain):
            own = to.motion[certain], to.parameters[certain]
            to.found[certain] = self._keeps_decisions(t, *own)

    def _make(self, needed: int) -> None:
        """Make code that a kernel asks for."""
        self.code.make(needed)
        self._patterns.take_moves(self.code)

    def _certain(self, answer: int, again: Callable[[], int]) -> None:
        """Refuse an uncertain answer; make code that was missing, and ask again."""
        while answer < 0:
            self._make(answer)
            answer = again()
        if answer != Answer.FOUND:
            raise NotCertainError

    # --- a start in parts, with Python between them ------------------------------------------

    def _found(self, request: InitialStateRequest) -> Found:
        X, fixed, live, t, branch = request
        code = self.code
        pattern = self._patterns.find(fixed, code)
        X = np.array(X, dtype=float)
        live = np.ascontiguousarray(live, dtype=float)
        self._take_given(self._address, t, X.ctypes.data, live.ctypes.data)
        here = self._address, pattern.address
        wanted = {**self._named, **branch} if self._named or branch else None
        answer = Answer.ELSEWHERE
        if wanted is None:
            answer = self._begin_by_guesses(*here, X.ctypes.data)
        if answer == Answer.UNCERTAIN:
            raise NotCertainError
        if answer == Answer.ELSEWHERE:
            if self.system.guide is not None:
                X = np.array(self._guided(request), dtype=float)
                code.q[:], wanted = X[: code.q.size], None
            else:
                self._begin_elsewhere(*here, X.ctypes.data)
            self._close_pose(pattern)
        n_q, n_u = self.layout.n_q, self.layout.n_u
        u = X[n_q : n_q + n_u]
        code.u[:n_u] = u
        needs = bool(self._needs_speeds(*here))
        if wanted is not None:
            self._on_branch(wanted, pattern, needs)
        if needs:
            self._find_speeds(pattern)
        if 2 in self._levels:
            self._find_jointly(fixed)
        return self._whole(None if needs else u, fixed, pattern)

    def _close_pose(self, pattern: Pattern) -> None:
        """Close the loops from the pose at hand, and take its branches."""
        here = self._address, pattern.address
        self._certain(self._close(*here), lambda: self._close(*here))
        if self.formulation.branched_groups and not self._take_branches(self._address):
            raise NotCertainError

    def _whole(
        self, follows: np.ndarray | None, fixed: np.ndarray, pattern: Pattern
    ) -> Found:
        """Return the start of the pose and the speeds, if it is valid.

        `follows` are the speeds that were given, if all others follow from those of the states.
        """
        code, layout = self.code, self.layout
        here = self._address, pattern.address
        self._unwrap(*here)
        if not self._has_native_blocks:
            assert self._blocks is not None
            X = np.concatenate([code.q, code.u[: layout.n_u], code.z])
            found = self._blocks.find(float(code.t[0]), X, code.p, fixed)
            code.z[:] = found[layout.n_q + layout.n_u :]
        elif not self._find_blocks(*here):
            raise NotCertainError
        given_u = np.zeros(1) if follows is None else np.ascontiguousarray(follows)
        if not self._finish(self._address, int(follows is not None), given_u.ctypes.data):
            raise NotCertainError
        motion, x, p = code.X[: layout.n_motion], code.x[: layout.n_x], code.p
        if not self._keeps_decisions(float(code.t[0]), motion[None], p[None])[0]:
            raise NotCertainError
        return motion.copy(), x.copy(), p.copy()

    def _keeps_decisions(self, t: float, X: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return at which motions the ranks of clusters are those that were found."""
        kept = np.ones(len(X), dtype=bool)
        live = self.layout.n_live
        if not self._doubtful or (p[:, :live] == self.system.assembled.p).all():
            return kept
        G = self.system.constraint_matrix.map([t], X, p)
        G = G.reshape(len(X), self.layout.n_u, -1).swapaxes(1, 2)
        G = self.formulation.scales.matrix(G)
        for own in self._doubtful:
            block = G[:, own.constraints][:, :, own.speeds]
            sizes = np.linalg.svd(block, compute_uv=False)
            least = CONSTRAINT_RANK * np.maximum(sizes[:, :1], 1e-300)
            kept &= (sizes > least).sum(axis=1) <= len(own.active)
        return kept | (p[:, :live] == self.system.assembled.p).all(axis=1)

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

    def _on_branch(
        self, wanted: Mapping[str, str], pattern: Pattern, needs_speeds: bool
    ) -> None:
        """Move to the named branches of closed forms from the assembled pose."""
        if not self.formulation.branched_groups:
            raise NotCertainError
        if needs_speeds:
            self._find_speeds(pattern)
        code, n_q = self.code, self.layout.n_q
        given = code.q.copy(), code.z, code.live, float(code.t[0])
        code.signs[:] = BranchSearch(self.system, *given).by_names(code.signs, wanted)
        self._find_q(self._address)
        if not np.isfinite(code.values[:n_q]).all():
            raise NotCertainError
        code.q[:] = code.values[:n_q]
        self._close_pose(pattern)

    # --- speeds ----------------------------------------------------------------------------

    def _find_speeds(self, pattern: Pattern) -> None:
        """Find the nearest speeds that meet everything."""
        code, here = self.code, (self._address, pattern.address)
        if not code.is_guessed:
            self._certain(
                self._solve_speeds(*here, 0.0), lambda: self._solve_speeds(*here, 0.0)
            )
            return
        if code.speeds is None:
            self._make(Answer.NEEDS_SPEEDS)
        u = code.u[: self.layout.n_u]
        if code.speeds is None or not code.speeds.solve(code.q, code.live, u, ~pattern.u):
            raise NotCertainError

    def _find_jointly(self, fixed: np.ndarray) -> None:
        """Move everything that is free so that all conditions are met."""
        code, n_u, t = self.code, self.layout.n_u, float(self.code.t[0])
        X = np.concatenate([code.q, code.u[:n_u], code.z])
        found = self._joint.solve(t, X, code.live.copy(), fixed)
        if found is None:
            raise NotCertainError
        X, live = (np.ascontiguousarray(own, dtype=float) for own in found)
        code.q[:], code.u[:n_u], _ = self.layout.split(X)
        self._take_given(self._address, t, X.ctypes.data, live.ctypes.data)
        self.system.parameter_check(live)
        if self.formulation.branched_groups and not self._take_branches(self._address):
            raise NotCertainError

    @cached_property
    def _joint(self) -> JointStartCode:
        return JointStartCode(self.system)
