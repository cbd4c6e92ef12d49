"""ChainProgram: a chain of elements with all that moves it, set, remembered and held."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from motorik.analysis.manipulator import MoveOutcome
from motorik.errors import LoopError, MotorikError, ParameterError
from motorik.mobile import (
    Element,
    Frame,
    MapChain,
    MechanicalSystem,
    Mutable,
    State,
    StateVariable,
    Subtask,
)
from motorik.mobile.compiled.system import CompiledSystem
from motorik.mobile.dynamics.dynamic_system import CombinedSystem, DynamicSystem
from motorik.mobile.dynamics.system_mover import SystemMover
from motorik.mobile.elements.motion_source import MotionSource
from motorik.mobile.states.preserved import preserved
from motorik.mobile.states.transmission import unique, walk
from motorik.mobile.widgets import Target
from motorik.view.chains.hand import ChainHand
from motorik.view.scene_builder.measure import ALONE

T = TypeVar("T")
Memory = list[tuple[State, Any]]
"""State objects and their stored values."""

PROBE = 0.05  # part of the size, and rad, by which inputs are moved to see where they lead


class ChainProgram:
    """A chain, the animation objects that move it, and other elements that widgets move.

    `movers` are moved one after another in each step of an animation.
    """

    def __init__(self, chain: Element) -> None:
        self.chain = chain
        self.movers: list[Element] = []
        self.others: list[Element] = []

    @property
    def size(self) -> float:
        """How far the frames of the chain are apart [m]."""
        frames = [state for state in self.chain.touched if isinstance(state, Frame)]
        with self.placed():
            places = np.array([frame.X.p.numpy() for frame in frames]).reshape(-1, 3)
        return (float(np.ptp(places, axis=0).max()) if frames else 0.0) or ALONE

    @cached_property
    def hand(self) -> ChainHand:
        """The hand that moves the chain."""
        return ChainHand(self.chain, self.size)

    # --- animation -------------------------------------------------------------------------------

    def bring_up(self) -> None:
        """Move the chain once; where each traversal is a step of its own driver, all but that."""
        if any(isinstance(element, MotionSource) for element in walk(self.chain)):
            _place(self.chain)
        else:
            self.chain.motion()

    @contextmanager
    def placed(self) -> Iterator[LoopError | None]:
        """Let frames be where variables and parameters have them; at the end all is as before.

        Gives what a solver says whose loop does not close; frames after it are where they were.
        """
        fault, kept = None, self.chain.keep()
        with preserved(self.chain.touched):
            try:
                try:
                    _place(self.chain)
                except LoopError as error:
                    fault = error
                yield fault
            finally:
                self.chain.restore(kept)

    def check_movers(self) -> None:
        """Refuse an animation of nothing."""
        if not self.movers:
            raise ParameterError(
                "Scene",
                "nothing moves the chain.",
                "Give an integrator or a driver to `add_animation_object`.",
                parameter="movers",
                value=self.movers,
            )

    def move_once(self) -> None:
        """Move all animation objects once."""
        self.check_movers()
        for mover in self.movers:
            mover.motion()

    # --- states ----------------------------------------------------------------------------------

    @property
    def systems(self) -> list[DynamicSystem]:
        """The dynamic systems of the animation objects."""
        return [mover.system for mover in self.movers if isinstance(mover, SystemMover)]

    @property
    def states(self) -> Sequence[State]:
        """All state objects of the program."""
        elements = (*self.systems, *self.movers, *self.others)
        return unique(self.chain.touched, *(own.touched for own in elements))

    @property
    def parameters(self) -> Sequence[Mutable]:
        """All parameters of the program that may be changed, each once."""
        elements = (self.chain, *self.systems, *self.movers, *self.others)
        own = {id(p): p for element in elements for p in element.parameters}
        return tuple(own.values())

    def remember(self) -> Memory:
        """Return where everything is now, for `recall`."""
        return [(state, state.keep()) for state in self.states]

    def recall(self, memory: Memory) -> None:
        """Restore the stored state."""
        for state, kept in memory:
            state.restore(kept)

    def probe(self, read: Callable[[], T]) -> list[T]:
        """Return the readings after a small change of each input of the chain."""
        found, size = [], self.size
        for variable in self.hand.inputs:
            with preserved(self.states):
                variable.q += PROBE * (1.0 if variable.unit == "rad" else size)
                try:
                    self.chain.motion(Subtask.POSITION)
                except LoopError:
                    continue
                found.append(read())
        return found

    # --- setting and holding ---------------------------------------------------------------------

    def give(
        self, target: Target, entry: str, number: float, element: Element
    ) -> MoveOutcome | None:
        """Give a number a value and move the element; both, or neither.

        Positions of variables of the chain are moved as by a hand, as far as loops close;
        returns the drag outcome.
        """
        if isinstance(target, StateVariable) and entry == "q" and element is self.chain:
            if self.hand.holds(target):
                return self.hand.turn(target, number)
        before, memory = getattr(target, entry), self.remember()
        setattr(target, entry, number)
        try:
            element.motion()
        except MotorikError:
            setattr(target, entry, before)
            self.recall(memory)
            raise
        return None

    def torques(self) -> dict[str, float]:
        """Return the efforts of drives at the inputs that hold the chain at rest [N·m, N].

        With the gravity of the equations of motion, if one of the animation objects has them;
        else against the loads of the chain itself.
        """
        for own in _simple(self.systems):
            if isinstance(own, MechanicalSystem):
                with preserved(self.states):
                    own.set_place(own.place)
                    names, F = own.imbalance_names, own.imbalance(0.0)
                return {name: -float(Q) for name, Q in zip(names, F, strict=True)}
        with preserved(self.states):
            for variable in self.hand.inputs:
                variable.qd = variable.qdd = 0.0
            self.chain.clear_forces()
            self.chain.motion()
            self.chain.force()
            return {v.name or "q": -float(v.Q) for v in self.hand.inputs}


def _place(element: Element) -> None:
    """Let positions follow from the variables: no driver goes on, and nothing is written out."""
    if isinstance(element, MapChain):
        for one in element.elements:
            _place(one)
    elif element.outputs and not isinstance(element, MotionSource):
        element.motion(Subtask.POSITION)


def _simple(systems: Iterable[DynamicSystem]) -> Iterator[DynamicSystem]:
    """Yield systems as they are written: those of which others are combined or compiled."""
    for system in systems:
        if isinstance(system, CompiledSystem):
            yield from _simple([system.system])
        elif isinstance(system, CombinedSystem):
            yield from _simple(system.systems)
        else:
            yield system
