"""MotionSource: an element that makes motion instead of transmitting it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from motorik.mobile.states.transmission import Element, State, Subtask


class MotionSource(Element):
    """An element without inputs: each motion traversal that asks for positions is an `advance`."""

    @property
    def inputs(self) -> Sequence[State]:
        """None: a source makes the motion."""
        return ()

    @abstractmethod
    def advance(self) -> None:
        """Move the outputs on."""

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Move the outputs on; nothing where no position is asked for."""
        if subtasks & Subtask.POSITION:
            self.advance()

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Do nothing: there is no input that a force could be transmitted to."""
