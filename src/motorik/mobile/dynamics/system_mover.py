"""SystemMover: an element whose motion is that of a dynamic system as a whole."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.mobile.states.transmission import Element, State, Subtask


class SystemMover(Element):
    """An element that sets the conditions of a system by itself: no inputs, no force.

    `advance` is what one motion traversal does, where positions are asked for.
    """

    def __init__(self, system: DynamicSystem) -> None:
        self.system = system

    @property
    def inputs(self) -> Sequence[State]:
        """None: it begins where the system is."""
        return ()

    @property
    def outputs(self) -> Sequence[State]:
        """The variables that the system sets in motion."""
        return self.system.moved

    @abstractmethod
    def advance(self) -> None:
        """Move the system, and bring everything in it up to date."""

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Move the system; nothing where no position is asked for."""
        if subtasks & Subtask.POSITION:
            self.advance()

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Do nothing: it exerts no force."""
