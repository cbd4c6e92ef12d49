"""Leaf: an element without output, that loads the mechanism and moves nothing."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.mobile.states.transmission import Element, State, Subtask


class Leaf(Element):
    """An element that only exerts force: Q += Q̂."""

    @property
    def outputs(self) -> Sequence[State]:
        """None."""
        return ()

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Do nothing: a leaf moves nothing."""
