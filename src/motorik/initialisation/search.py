"""The search for a start that meets all given values and conditions, with all checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn, Protocol

import numpy as np

from motorik.errors import InitialValueError, LoopError, MotorikError, UnknownNameError
from motorik.initialisation.checks import (
    check_balance,
    check_directions,
    check_expressions,
    check_inertia,
    check_machine_code,
    warn_of_locks,
)
from motorik.initialisation.network_guesses import with_guesses
from motorik.initialisation.start import InitialState
from motorik.loops.guesses import guesses, speed_guesses
from motorik.results.sample import Sample

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.consistency import ConsistencyProblem


class Initialise(Protocol):
    """Finds the initial state of a model, as `initialise` does."""

    def __call__(
        self,
        system: CompiledModel,
        given: Mapping[str, float],
        live: np.ndarray,
        t: float = 0.0,
        branch: Mapping[str, str] | None = None,
    ) -> InitialState:
        """Return the initial state for given values, live parameters, time and branches."""
        ...


ChooseModes = Callable[[InitialState], np.ndarray]
"""Returns the live numbers of a start with the modes of all nonsmooth constraints there."""

TRIES = 8  # places from which a start is searched for
TURNS = 8  # of finding modes and accelerations that suit one another


class InitialStateSearch:
    """The search for a start: positions, then speeds, accelerations, branches, block states."""

    def __init__(
        self,
        system: CompiledModel,
        fixed: np.ndarray,
        live: np.ndarray,
        t: float,
        find: Initialise,
        choose: ChooseModes | None = None,
        replaced: tuple[int, ...] = (),
    ) -> None:
        self.system, self.layout, self._find = system, system.layout, find
        self._choose, self._replaced = choose, replaced
        self.fixed, self.live, self.t = fixed, live, t

    def continued(self, X: np.ndarray, given: Sample) -> InitialState | None:
        """Return the start at a motion of another run, None if loops are not closed there.

        Initial conditions belong to the beginning of that run. A run by another strategy may
        have cut other joints: values that its sample does not name follow from those that it does.
        """
        problem = self._problem(X)
        q, u, z = self.layout.split(X)
        names = list(self.layout.motion_names)
        is_new = np.array([n not in given and n not in given.dependent for n in names])
        new_q, new_u, _ = self.layout.split(is_new)
        if new_q.any():
            try:
                q = problem.positions(q, new_q)
            except MotorikError:
                return None
        if not problem.loops_are_closed(q):
            return None
        if new_u.any():
            free = np.array([name not in given for name in names])
            u = problem.speeds(q, u, self.layout.split(free)[1])
        X = np.concatenate([q, u, z])
        why = self._misfit(X)
        if why:
            return self._reformulated(why, given, {})
        return self._completed(X, keeps_blocks=True)

    def run(
        self, X: np.ndarray, branch: Mapping[str, str], given: Mapping[str, float]
    ) -> InitialState:
        """Return the start that meets everything, from values of which some are fixed."""
        system = self.system
        wanted = {**named_branches(system), **branch}
        closed = None if wanted else self._by_closed_forms(X)
        if closed is None and system.guide is not None:
            X, wanted = self._guided(X, wanted, bool(branch)), {}
        elif closed is None:
            X = self._better_guess(X)
        X = self._solved(X) if closed is None else closed
        why = self._misfit(X)
        if why:
            return self._reformulated(why, given, branch)
        if wanted:
            X = self._on_branch(X, wanted)
        conditions = system.mechanism.initial_conditions
        if conditions and self._problem(X).acceleration_conditions:
            return self._completed(self._found_jointly(X), keeps_blocks=True)
        return self._completed(X)

    def _completed(self, X: np.ndarray, *, keeps_blocks: bool = False) -> InitialState:
        """Return the start of a motion that meets all conditions: with block states, checked."""
        system = self.system
        X = self._with_least_turns(X)
        p = self._with_branches(X)
        if not keeps_blocks:
            try:
                X = self._with_blocks(X, p)
            except InitialValueError:
                if not self._may_move:
                    raise
                return self._completed(self._found_jointly(X), keeps_blocks=True)
        x = self.layout.state_of(X)
        if (
            not system.initialisation.is_checked
        ):  # before anything divides by inertias that are none
            warn_of_locks(system)
            check_directions(system, X, self.live)
            check_expressions(system)
            check_inertia(system, X, p)
        check_balance(system, self.t, X, p)
        system.natives.prepare(system.needed_for_runs)
        if system.project is not None:
            x = system.project(np.array([self.t]), x, p)
            if np.isfinite(X).all() and not np.isfinite(x).all():
                return self._eliminated_otherwise(X, keeps_blocks)
        p = with_guesses(system, self.t, x, p)
        X = system.full_state(np.array([self.t]), x, p)
        if not system.initialisation.is_checked:
            check_machine_code(system, self.t, x, p)
            system.initialisation.is_checked = True
        return InitialState(system, self.t, X, x, p)

    def _eliminated_otherwise(self, X: np.ndarray, keeps_blocks: bool) -> InitialState:
        """Return the start with orders of elimination that hold at this pose as well."""
        other = self.system.eliminated_at(self.layout.split(X)[0])
        if other is None:
            raise LoopError(
                self.system.mechanism.name,
                "the equations that close its loops are not solved exactly at the start.",
                "Its masses differ too much, or vanish in some direction at this position. "
                "Give small bodies more mass or inertia, or start elsewhere.",
            )
        given = (other, self.fixed, self.live, self.t, self._find, self._choose)
        return InitialStateSearch(*given, self._replaced)._completed(
            X, keeps_blocks=keeps_blocks
        )

    # --- positions and speeds --------------------------------------------------------------

    def _problem(self, X: np.ndarray) -> ConsistencyProblem:
        from motorik.initialisation.consistency import ConsistencyProblem
        from motorik.loops.position_problem import Instant

        _, _, z = self.layout.split(X)
        moment = Instant(self.live, self.t, tuple(z.tolist()))
        return ConsistencyProblem(self.system, moment, self._replaced)

    @property
    def _is_given(self) -> bool:
        """Whether the given values are the start: no loops, conditions or guesses of bodies."""
        mechanism = self.system.mechanism
        if not self.system.formulation.is_empty or mechanism.initial_conditions:
            return False
        return not (guesses(mechanism) or speed_guesses(mechanism))

    def _solved(self, X: np.ndarray) -> np.ndarray:
        """Return the motion nearest to X that meets everything that is fixed or given."""
        if self._is_given:
            return X
        problem = self._problem(X)
        if problem.is_trivial:
            return X
        q, u, z = self.layout.split(X)
        q_fixed, u_fixed, _ = self.layout.split(self.fixed)
        q = problem.positions(q, ~q_fixed)
        return np.concatenate([q, problem.speeds(q, u, ~u_fixed), z])

    def _better_guess(self, X: np.ndarray) -> np.ndarray:
        """Return a motion to search from: assembled unless the run gives other values."""
        mobility = self.system.mobility
        if mobility is None:
            return X
        q, u, z = self.layout.split(X)
        same = q == self.layout.split(self.layout.starts[0])[0]
        same &= ~self.layout.split(self.fixed)[0]
        return np.concatenate([np.where(same, mobility.q, q), u, z])

    def _by_closed_forms(self, X: np.ndarray) -> np.ndarray | None:
        """Return the start by closed forms on the branches nearest to the guesses, if that does.

        It does where what is fixed among the dependent coordinates comes out.
        """
        f = self.system.formulation
        if f.with_multiplier or not f.forms:
            return None
        from motorik.initialisation.branches import BranchSearch

        q, u, z = self.layout.split(X)
        search = BranchSearch(self.system, q, z, self.live, self.t)
        signs = search.by_guesses(X)
        if signs is None:
            return None
        found = search.coordinates(signs)
        problem = self._problem(X)
        q_fixed, u_fixed, _ = self.layout.split(self.fixed)
        apart = np.abs(found - q) / f.scales.coordinates
        if not np.isfinite(found).all() or (apart[q_fixed] > 1e-9).any():
            return None
        if not problem.is_closed(found):
            return None
        return np.concatenate([found, problem.speeds(found, u, ~u_fixed), z])

    def _guided(self, X: np.ndarray, branch: Mapping[str, str], must: bool) -> np.ndarray:
        """Return values to begin with where closed forms of the same model start."""
        from motorik.initialisation.guidance import Guidance

        guide, index = self.system.guide, self.layout.index
        assert guide is not None
        own = {
            name: float(X[k])
            for name, k in index.items()
            if self.fixed[k] and name in guide.layout.index
        }
        try:
            start = self._find(guide, own, self.live, self.t, branch if must else None)
        except MotorikError:
            if must:
                raise
            return X
        guidance = Guidance.of(self.system, start.system)
        return guidance.begin(X, self.fixed, start.X, self.live)

    def _on_branch(self, X: np.ndarray, branch: Mapping[str, str]) -> np.ndarray:
        """Return the start on the named branches of closed forms."""
        from motorik.initialisation.branches import BranchSearch

        q, u, z = self.layout.split(X)
        if self.system.formulation.is_empty:
            raise UnknownNameError(
                "branch",
                f"{', '.join(branch)}: the model has no loops.",
                "",
                parameter="branch",
                value=dict(branch),
            )
        search = BranchSearch(self.system, q, z, self.live, self.t)
        signs = search.by_names(search.of_pose(q), branch)
        moved = search.coordinates(signs)
        if not np.isfinite(moved).all():
            raise InitialValueError(
                ", ".join(branch),
                "this branch does not exist at the start.",
                "Start elsewhere.",
                parameter="branch",
                value=dict(branch),
            )
        problem = self._problem(X)
        q_fixed, u_fixed, _ = self.layout.split(self.fixed)
        moved = problem.positions(moved, ~q_fixed)
        return np.concatenate([moved, problem.speeds(moved, u, ~u_fixed), z])

    def _misfit(self, X: np.ndarray) -> str:
        """Return why decisions about loops do not hold for the live values, "" if they do."""
        if not self.system.formulation.decisions:
            return ""
        from motorik.initialisation.reformulation import find_invalid_decision

        q, _, z = self.layout.split(X)
        return find_invalid_decision(
            self.system, q, z, self.live, self.t, self._problem(X).loops_are_closed
        )

    def _reformulated(
        self, why: str, given: Mapping[str, float], branch: Mapping[str, str]
    ) -> InitialState:
        """Return the start of the same model decided at the live values of this run."""
        from motorik.initialisation.reformulation import reformulated

        memory = self.system.initialisation
        kept = memory.reformulated or reformulated(self.system, self.live, why)
        found = self._find(kept, given, self.live, self.t, branch)
        memory.reformulated = found.system
        return found

    # --- what follows ----------------------------------------------------------------------

    @property
    def _may_move(self) -> bool:
        """Whether the search for block states may go on with other unknowns: one is free."""
        found = np.zeros(self.fixed.size, dtype=bool)
        first = self.fixed.size - len(self.layout.blocks)
        found[[first + k for k in self.system.mechanism.signals.found_states]] = True
        return not (self.fixed | found).all()

    def _found_jointly(self, X: np.ndarray) -> np.ndarray:
        """Return the motion that meets all conditions; everything that is free moves."""
        return self._solved_jointly(X) if self._choose is None else self._in_modes(X)

    def _solved_jointly(self, X: np.ndarray, tries: int = TRIES) -> np.ndarray:
        """Return the same in the present modes; live values may follow.

        `tries` are the places from which it is searched.
        """
        from motorik.initialisation.joint_start import JointStart

        X, self.live = JointStart(self._problem(X)).solve(X, self.fixed, tries)
        self.system.parameter_check(self.live)
        return X

    def _in_modes(self, X: np.ndarray) -> np.ndarray:
        """Return the same where friction, contacts or stops have modes that suit the motion.

        It begins with the modes at X; where these do not lead to a start, with no friction: of
        something at rest, friction may then carry any part of its load.
        """
        with suppress(InitialValueError):  # what blocks cannot meet alone is met below
            X = self._with_blocks(X, self._with_branches(X))
        given = self.live
        with suppress(InitialValueError):
            found = self._with_modes_settled(X, tries=1)
            if found is not None:
                return found
        self.live = given
        self._release()
        begin = self._solved_jointly(X)
        with suppress(InitialValueError):
            found = self._with_modes_settled(begin)
            if found is not None:
                return found
        self._refuse_modes()

    def _with_modes_settled(self, X: np.ndarray, tries: int = TRIES) -> np.ndarray | None:
        """Return a motion and its modes, found in turns until they suit; None if they do not."""
        assert self._choose is not None
        for turn in range(TURNS):
            before = self.live
            self.live = self._choose(self._completed(X, keeps_blocks=True))
            if turn and np.array_equal(self.live, before):
                return X
            X = self._solved_jointly(X, tries)
        return None

    def _release(self) -> None:
        """Open all nonsmooth constraints."""
        self.live = self.live.copy()
        self.live[self.system.layout.nonsmooth.modes] = 0.0

    def _refuse_modes(self) -> NoReturn:
        """Raise, naming sticking or sliding constraints for which the conditions cannot be met."""
        system = self.system
        assert system.nonsmooth is not None
        modes = system.layout.nonsmooth.columns.mapped(self.live.__getitem__)
        rests = (modes.stick != 0.0) | (modes.saturated != 0.0)
        constraints = zip(system.nonsmooth.constraints, rests, modes.direction, strict=True)
        own = [
            f"{constraint.part.path} {'sticks' if sticks else 'slides'}"
            for constraint, sticks, goes in constraints
            if sticks or goes
        ]
        conditions = system.mechanism.initial_conditions
        wanted = [f"{d.part}.{d.name}" for d in conditions if d.level == 2]
        raise InitialValueError(
            ", ".join(wanted),
            f"the fixed start acceleration cannot be met while {', '.join(own)}, and under the "
            "forces that would give it otherwise it does.",
            "Fix fewer start accelerations, or give values consistent with sticking or sliding.",
        )

    def _with_least_turns(self, X: np.ndarray) -> np.ndarray:
        """Return the motion with free angles within half a turn of their start values.

        Angles that drive lines take hold of, or stops, stay as they are.
        """
        revolutes = self.system.formulation.constraints.revolutes
        if not revolutes:
            return X
        from motorik.initialisation.kernels import TURN, whole_turns

        X = X.copy()
        starts = self.layout.starts[0]
        for k, _ in revolutes:
            link = self.system.mechanism.link_of_coordinate(k)
            is_held = link.edge is None or link.edge.keeps_coordinate
            if not (is_held or self.fixed[k]):
                X[k] += TURN * whole_turns(starts[k] - X[k])
        return X

    def _with_branches(self, X: np.ndarray) -> np.ndarray:
        """Return the parameters p: live values, then those of branches and unwrapping."""
        if not self.system.formulation.n_branch_parameters:
            return self.live.copy()
        from motorik.initialisation.branch_parameters import branch_parameters_at

        own = branch_parameters_at(self.system, X, self.live, self.t)
        return np.concatenate([self.live, own])

    def _with_blocks(self, X: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return X with the states of signal blocks as they follow from their inputs."""
        signals = self.system.mechanism.signals
        if not self.layout.blocks and not signals.n_network_conditions:
            return X
        from motorik.initialisation.signal_blocks import BlockStart

        blocks = BlockStart.of(self.system)
        return X if blocks is None else blocks.find(self.t, X, p, self.fixed)


def named_branches(system: CompiledModel) -> dict[str, str]:
    """Return the branches that parts of the model give by name; kept by the system."""
    memory = system.initialisation
    if memory.branches is not None:
        return memory.branches
    found = memory.branches = {}
    for part, p in system.mechanism.inventory.resolved.items():
        name = getattr(p, "branch", "")
        if isinstance(name, str) and name:
            found[part.path] = name
    return found
