"""Layout: the order of all numbers in the flat arrays of native code."""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, overload

import numpy as np

from motorik.components.base.internal import (
    DiskState,
    FrictionWithOnset,
    InternalRole,
    NonsmoothForce,
    NumberBlock,
    single_number,
)
from motorik.immutable import immutable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from motorik.components.base.contributions import NonsmoothConstraint
    from motorik.components.base.values import LiveScalar
    from motorik.loops.branch_blocks import BranchParameters
    from motorik.loops.formulate import Formulation
    from motorik.topology.state_variables import StateVariableSpec

T = TypeVar("T")


@immutable
class NonsmoothLayout:
    """The positions in p of the forces and modes of all nonsmooth constraints.

    `forces` are those of each constraint, `disks` the state of the friction disk of which it is
    the first force, None otherwise. `pairs` is the number of the other force of a disk; of the
    second force −2 − the number of the first; −1 without a disk. `sign_cases` are the positions
    of the two numbers that select how bounds depend on other forces, 0 without any.
    """

    forces: tuple[NonsmoothForce[int], ...] = ()
    disks: tuple[DiskState[int] | None, ...] = ()
    pairs: tuple[int, ...] = ()
    sign_cases: tuple[tuple[int, int], ...] = ()

    @staticmethod
    def of(
        constraints: Sequence[NonsmoothConstraint], live: Sequence[LiveScalar]
    ) -> NonsmoothLayout:
        """Return the positions of the forces and modes of constraints among live numbers."""
        at = {scalar: k for k, scalar in enumerate(live)}
        number = {(own.part, own.force): k for k, own in enumerate(constraints)}
        forces: list[NonsmoothForce[int]] = []
        disks: list[DiskState[int] | None] = [None] * len(constraints)
        pairs, cases = [-1] * len(constraints), [(0, 0)] * len(constraints)
        for k, constraint in enumerate(constraints):
            forces.append(constraint.force_block().mapped(at.__getitem__))
            if constraint.disk is not None:
                disks[k] = constraint.disk_block().mapped(at.__getitem__)
                other = number[constraint.part, constraint.disk.across]
                pairs[k], pairs[other] = other, -2 - k
            if constraint.sign_cases is not None:
                own = constraint.part.internal()
                ahead, back = constraint.sign_cases
                cases[k] = at[single_number(own, ahead)], at[single_number(own, back)]
        return NonsmoothLayout(tuple(forces), tuple(disks), tuple(pairs), tuple(cases))

    @cached_property
    def columns(self) -> NonsmoothForce[np.ndarray]:
        """The positions of all forces, and of each number of their modes, in one array each."""
        return _columns(NonsmoothForce, self.forces)

    @cached_property
    def onsets(self) -> FrictionWithOnset[np.ndarray]:
        """The same of the forces whose onset of sliding is shown."""
        own = [force for force in self.forces if isinstance(force, FrictionWithOnset)]
        return _columns(FrictionWithOnset, own)

    @cached_property
    def modes(self) -> np.ndarray:
        """The positions of all numbers of modes."""
        own = self.columns
        return np.concatenate([own.stick, own.direction, own.saturated])


Block = TypeVar("Block", bound=NumberBlock)


def _columns(kind: type[Block], blocks: Sequence[NumberBlock[int]]) -> Block:
    """Return the positions of the same field of all blocks, an array for each field."""
    entries = [own.entries() for own in blocks]
    names = (own.name for own in fields(kind))
    return kind(
        *(np.array([own[name] for own in entries], dtype=np.intp) for name in names)
    )


@immutable
class Layout:
    """The places of everything in X, x and p.

    * the motion X = (q, u, z): all coordinates, all speeds, the states of signal blocks;
    * the state x: those of them that are integrated, at the places `integrated`;
    * p = (live parameters, branch parameters): what the equations need besides. `nonsmooth` are the
      positions of forces and modes among the live ones, `branch` the blocks of the others.
    """

    coordinates: tuple[StateVariableSpec, ...]
    speeds: tuple[StateVariableSpec, ...]
    blocks: tuple[StateVariableSpec, ...]
    state_q: tuple[int, ...]
    state_u: tuple[int, ...]
    live: tuple[LiveScalar, ...]
    branch: BranchParameters[slice]
    nonsmooth: NonsmoothLayout

    @staticmethod
    def of(formulation: Formulation, live: tuple[LiveScalar, ...]) -> Layout:
        """Return the layout of a mechanism with the states that its formulation chooses."""
        f, mechanism = formulation, formulation.mechanism
        return Layout(
            tuple(mechanism.coordinates),
            tuple(mechanism.speeds),
            tuple(mechanism.signals.states),
            f.state_q,
            f.state_u,
            live,
            f.branch_slices.mapped(
                lambda own: slice(len(live) + own.start, len(live) + own.stop)
            ),
            NonsmoothLayout.of(mechanism.inventory.nonsmooth, live),
        )

    # --- the motion X ----------------------------------------------------------------------

    @property
    def n_q(self) -> int:
        """The number of coordinates."""
        return len(self.coordinates)

    @property
    def n_u(self) -> int:
        """The number of speeds."""
        return len(self.speeds)

    @cached_property
    def motion(self) -> tuple[StateVariableSpec, ...]:
        """All coordinates, speeds and states of blocks, in the order of X."""
        return (*self.coordinates, *self.speeds, *self.blocks)

    @property
    def n_motion(self) -> int:
        """The size of X."""
        return len(self.motion)

    @cached_property
    def motion_names(self) -> tuple[str, ...]:
        """The names in X."""
        return tuple(state.name for state in self.motion)

    @cached_property
    def index(self) -> dict[str, int]:
        """The place of each name in X."""
        return {name: k for k, name in enumerate(self.motion_names)}

    @overload
    def split(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...

    @overload
    def split(self, X: list[T]) -> tuple[list[T], list[T], list[T]]: ...

    def split(self, X: np.ndarray | list[T]) -> tuple[np.ndarray | list[T], ...]:
        """Return q, u and z of a motion, or of rows of motions."""
        a, b = self.n_q, self.n_q + self.n_u
        if isinstance(X, np.ndarray):
            return X[..., :a], X[..., a:b], X[..., b:]
        return X[:a], X[a:b], X[b:]

    # --- the state x -----------------------------------------------------------------------

    @cached_property
    def integrated(self) -> tuple[int, ...]:
        """The places in X of the states."""
        first = self.n_q + self.n_u
        return (
            *self.state_q,
            *(self.n_q + k for k in self.state_u),
            *range(first, first + len(self.blocks)),
        )

    @property
    def n_x(self) -> int:
        """The number of states."""
        return len(self.integrated)

    @cached_property
    def states(self) -> tuple[StateVariableSpec, ...]:
        """The states, in the order of x."""
        return tuple(self.motion[k] for k in self.integrated)

    @cached_property
    def state_names(self) -> tuple[str, ...]:
        """The names of the states."""
        return tuple(state.name for state in self.states)

    @overload
    def split_state(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...

    @overload
    def split_state(self, x: list[T]) -> tuple[list[T], list[T], list[T]]: ...

    def split_state(self, x: np.ndarray | list[T]) -> tuple[np.ndarray | list[T], ...]:
        """Return the coordinates, speeds and block states among the states."""
        a, b = len(self.state_q), len(self.state_q) + len(self.state_u)
        return x[:a], x[a:b], x[b:]

    @cached_property
    def places(self) -> np.ndarray:
        """The places in X of the states, to take them out of an array."""
        return np.array(self.integrated, dtype=np.intp)

    @cached_property
    def states_by_unit(self) -> tuple[tuple[int, ...], ...]:
        """The places in X of the states in m, rad, m/s and rad/s, where there are any."""
        units = [self.motion[k].unit for k in self.integrated]
        groups = (
            tuple(k for k, own in zip(self.integrated, units, strict=True) if own == unit)
            for unit in ("m", "rad", "m/s", "rad/s")
        )
        return tuple(group for group in groups if group)

    @property
    def has_dependent(self) -> bool:
        """Whether some coordinates or speeds are no states: else X is x."""
        return self.n_x < self.n_motion

    def state_of(self, X: np.ndarray) -> np.ndarray:
        """Return the states of a motion, or of rows of motions."""
        return X[..., self.places]

    @cached_property
    def starts(self) -> tuple[np.ndarray, np.ndarray]:
        """The start values of X as the parts give them, and which of them are fixed."""
        starts = [state.start for state in self.motion]
        values = np.array([float(start.value) for start in starts])  # type: ignore[arg-type]
        fixed = np.array([start.is_fixed for start in starts], dtype=bool)
        for array in (values, fixed):
            array.setflags(write=False)
        return values, fixed

    # --- the parameters p ------------------------------------------------------------------

    @property
    def n_live(self) -> int:
        """The number of live parameters."""
        return len(self.live)

    @property
    def n_branch_parameters(self) -> int:
        """The number of branch parameters, which follow them in p."""
        return self.branch.summed_cuts.stop - self.n_live

    @cached_property
    def guesses(self) -> dict[int, str]:
        """The places in p where Newton's method begins, with the names of the unknowns."""
        numbered, guess = enumerate(self.live), InternalRole.GUESS
        return {k: own.label for k, own in numbered if own.parameter.role is guess}

    @cached_property
    def unwrapping(self) -> slice:
        """The references in p of the angles that are unwrapped in the run.

        Guesses for Newton's method, which are updated likewise, precede them.
        """
        first = min(self.guesses, default=self.branch.unwrapped.start)
        return slice(first, self.branch.unwrapped_cuts.stop)

    @property
    def n_unwrapped(self) -> int:
        """The number of these references."""
        return self.unwrapping.stop - self.unwrapping.start

    @property
    def n_guesses(self) -> int:
        """The number of those that are no angles."""
        return self.branch.unwrapped.start - self.unwrapping.start

    def live_of(self, p: np.ndarray) -> np.ndarray:
        """Return the live parameters of p."""
        return p[: self.n_live]

    def with_references(self, p: np.ndarray, references: np.ndarray) -> np.ndarray:
        """Return p, or rows of p, with other references for unwrapping."""
        result = np.empty((*references.shape[:-1], p.shape[-1]))
        result[...] = p
        result[..., self.unwrapping] = references
        return result

    @cached_property
    def position(self) -> dict[LiveScalar, int]:
        """The position in p of each live number."""
        return {scalar: k for k, scalar in enumerate(self.live)}

    @cached_property
    def internal(self) -> tuple[int, ...]:
        """The positions in p of the internal numbers of parts: modes, forces, signals."""
        return tuple(k for k, own in enumerate(self.live) if own.parameter.role is not None)

    @cached_property
    def changing(self) -> slice:
        """The places in p of what changes within a run: modes, and references of angles."""
        return slice(min(self.internal, default=0), self.unwrapping.stop)

    @cached_property
    def live_names(self) -> dict[str, int]:
        """The names of the live parameters and their places in p, without internal numbers."""
        numbered = enumerate(self.live)
        return {own.label: k for k, own in numbered if own.parameter.role is None}

    @cached_property
    def kept_signals(self) -> dict[str, int]:
        """The names of the `Discrete` signals and their places in p."""
        numbered, signal = enumerate(self.live), InternalRole.SIGNAL
        return {own.label: k for k, own in numbered if own.parameter.role is signal}

    def present_live(self) -> np.ndarray:
        """Return the values that the live parameters have now."""
        return np.array([scalar.value for scalar in self.live], dtype=float)
