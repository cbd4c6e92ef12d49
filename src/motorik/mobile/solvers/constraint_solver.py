"""ConstraintSolver: the base of all solvers of loops, which keep chords at zero."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from motorik.algebra.scalar import Scalar
from motorik.errors import AssemblyError
from motorik.mobile.chords.chord import ChordBranch
from motorik.mobile.chords.lists import ChordList
from motorik.mobile.elements.chain import MapChain
from motorik.mobile.states.mutable import Mutable, mutable_of
from motorik.mobile.states.preserved import loads_set_aside
from motorik.mobile.states.transmission import (
    Element,
    State,
    Subtask,
    unique,
    without,
)
from motorik.mobile.states.variable import StateVariable

_POSITION, _VELOCITY = Subtask.POSITION, Subtask.VELOCITY
_TRANSMITTED = Subtask.EULER | Subtask.USE_CORIOLIS


class ConstraintSolver(Element):
    """Moves the unknowns u so that the chords f stay zero while the inputs x move.

        f(u, x) = 0,   f_u u̇ + ḟ|_{u̇=0} = 0,   f_u ü + f̈|_{ü=0} = 0
        Q_x += f_xᵀ λ   with   f_uᵀ λ = −Q_u

    The dependent chain, given to the solver or to its chords, is moved along. In a force
    traversal the multipliers λ act through the chords, as their forces, until nothing is
    left on the unknowns.
    """

    def __init__(
        self,
        chords: ChordList,
        unknowns: Sequence[StateVariable],
        chain: Element | None = None,
    ) -> None:
        self.chords, self.unknowns = chords, tuple(unknowns)
        uppers = {id(chord.upper) for chord in chords}
        placed = {id(e): e for e in (chain, *chords.placed) if e is not None}
        moved = [e for key, e in placed.items() if key not in uppers]
        ended = [e for key, e in placed.items() if key in uppers]
        self.chain = MapChain(moved)  # elements that move before the chords measure
        self.dependent = MapChain((*moved, *ended))
        for unknown in self.unknowns:
            self._check(unknown)
            unknown.is_dependent = True

    def _check(self, unknown: StateVariable) -> None:
        if not any(unknown is state for state in self._read):
            raise AssemblyError(
                repr(self),
                f"neither its chain nor its chords depend on {unknown!r}.",
                "Give the chain that leads from the unknowns to the chords.",
            )
        for chord in self.chords:
            upper = chord.upper
            if upper is None or ChordBranch.III in chord.where_unknown:
                continue
            if any(unknown is state for state in upper.inputs):
                raise AssemblyError(
                    repr(chord),
                    f"branch III contains the unknown {unknown.name or '?'}, but "
                    f"where_unknown is {chord.where_unknown}.",
                    "Add ChordBranch.III to where_unknown, or leave it out.",
                )

    @property
    def _read(self) -> Sequence[State]:
        return unique(self.dependent.inputs, *(chord.read for chord in self.chords))

    @property
    def inputs(self) -> Sequence[State]:
        """The states that chain and chords read and the solver does not move."""
        return without(self._read, self.outputs)

    @property
    def outputs(self) -> Sequence[State]:
        """The unknowns, and the states moved by the chain and the chords."""
        return unique(self.unknowns, self.dependent.outputs, self.chords.states)

    @property
    def touched(self) -> Sequence[State]:
        """All state objects that a traversal may change."""
        return unique(self.unknowns, self.dependent.touched, self.chords.touched)

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The parameters of chain and chords that may be changed."""
        return mutable_of(self.dependent, self.chords)

    @property
    def inner(self) -> Sequence[Element]:
        """The dependent chain, and the chords."""
        return (self.dependent, self.chords)

    @abstractmethod
    def solve_position(self) -> None:
        """Give the unknowns the positions for which the chords vanish."""

    def check_closed(self) -> None:
        """Refuse a loop that is not closed after all; nothing to do unless overridden."""

    @abstractmethod
    def solve_rates(self, f: Sequence[Scalar]) -> Sequence[Scalar]:
        """Return y with f_u y + f = 0."""

    @abstractmethod
    def solve_multipliers(self, Q: Sequence[Scalar]) -> Sequence[Scalar]:
        """Return λ with f_uᵀ λ + Q = 0."""

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Move the unknowns and the dependent chain so that the loop stays closed."""
        if subtasks & _POSITION:
            self.solve_position()
            self._place(_POSITION)
            self.check_closed()
        if _VELOCITY in subtasks:
            self._move("qd", _VELOCITY)
        acceleration = subtasks & Subtask.ACCELERATION
        if acceleration & _TRANSMITTED:
            self._move("qdd", acceleration)
        elif acceleration:
            self._place(acceleration)

    def _place(self, subtasks: Subtask) -> None:
        self.dependent.motion(subtasks)
        self.chords.measure(subtasks)

    def _move(self, name: str, subtasks: Subtask) -> None:
        """Find the rates of the unknowns from those of the chords at fixed unknowns."""
        for unknown in self.unknowns:
            setattr(unknown, name, 0.0)
        self.chain.motion(subtasks)
        self.chords.measure(subtasks)
        rates = self.solve_rates([getattr(state, name) for state in self.chords.states])
        for unknown, rate in zip(self.unknowns, rates, strict=True):
            setattr(unknown, name, rate)
        self._place(subtasks)

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit the loads of the chain to the inputs, the chords holding the loop closed."""
        self.dependent.force(subtasks)
        if Subtask.EXTERNAL not in subtasks:
            return
        multipliers = self.solve_multipliers([unknown.Q for unknown in self.unknowns])
        for state, multiplier in zip(self.chords.states, multipliers, strict=True):
            state.Q = multiplier
        with loads_set_aside(self.dependent.outputs):
            self.chords.apply()
            self.dependent.force(Subtask.EXTERNAL)

    def __repr__(self) -> str:
        names = ", ".join(unknown.name or "?" for unknown in self.unknowns)
        return f"{type(self).__name__} for {names}"
