"""Leaf: an element without output, that loads the mechanism and moves nothing."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.mobile.states.transmission import Element, State, Subtask


class Leaf(Element):
    """An element whose only doing is force: Q += Q̂."""

    @property
    def outputs(self) -> Sequence[State]:
        """None."""
        return ()

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Do nothing: a leaf only takes notice of the motion."""
