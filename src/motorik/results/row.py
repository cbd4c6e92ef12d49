"""StartRow: the states of one output sample, with all that a run needs to continue from it."""

from __future__ import annotations

from collections.abc import Mapping


class StartRow(dict[str, float]):
    """States by name, as a dict; `dependent` are the values that follow from them.

    States determine dependent angles only up to full turns and, where loops can be assembled
    in several ways, up to the branch. A run that starts from this row keeps both.
    """

    def __init__(self, states: Mapping[str, float], dependent: Mapping[str, float]) -> None:
        super().__init__(states)
        self.dependent = dict(dependent)

    def copy(self) -> StartRow:
        """Return the same row, to be changed."""
        return StartRow(self, self.dependent)
