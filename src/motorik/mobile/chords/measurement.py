"""Measurement: the traversals that a chord and a list of chords share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from motorik.mobile.states.transmission import Element, Subtask


class ChordMeasurement(Element):
    """An element that moves its chains, and then measures between frames."""

    @property
    @abstractmethod
    def placed(self) -> Sequence[Element]:
        """The elements that are moved before anything is measured, in order."""

    @abstractmethod
    def see(self, subtasks: Subtask) -> None:
        """Write the motion of the variables measured, in a traversal of these sub-tasks."""

    @abstractmethod
    def apply(self) -> None:
        """Load the frames by the forces `Q` of the variables measured."""

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Move the chains, and measure."""
        for element in self.placed:
            element.motion(subtasks)
        self.see(subtasks)

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Apply the forces of the variables to the frames, and transmit them by the chains."""
        if Subtask.EXTERNAL in subtasks:
            self.apply()
        for element in reversed(self.placed):
            element.force(subtasks)
