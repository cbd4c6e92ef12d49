"""Starts of runs as data: those that follow from the parts alone, at the values compiled with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.start import InitialState

MOST = 4  # starts that are stored with a model


def starts_as_data(system: CompiledModel, p: np.ndarray) -> list[object]:
    """Return the starts that later processes are likely to need."""
    X, fixed = system.layout.starts
    live = system.completed(p)
    wanted = X.tobytes(), fixed.tobytes(), live.tobytes()
    found: list[object] = []
    for key, start in system.initialisation.found.items():
        *given, time, branches, chooses_none, is_new, replaced = key
        is_own = start.system is system and start.remark is None
        if tuple(given) == wanted and is_own and not (branches or replaced):
            arrays = [own.tolist() for own in (live, start.X, start.x, start.p)]
            found.append([time, chooses_none, is_new, *arrays])
    return found[:MOST]


@immutable
class StoredStart:
    """A start as numbers: what `initialise` looks it up with, live values, X, x and p."""

    time: float
    chooses_none: bool
    is_new: bool
    arrays: tuple[np.ndarray, ...]

    @staticmethod
    def of_data(
        time: float, chooses_none: bool, is_new: bool, *lists: Sequence[float]
    ) -> StoredStart:
        """Return a start that `starts_as_data` has written."""
        live, X, x, p = (np.array(own, dtype=float) for own in lists)
        return StoredStart(time, chooses_none, is_new, (live, X, x, p))

    def entry(self, system: CompiledModel) -> tuple[tuple[Any, ...], InitialState]:
        """Return it as a memory of starts keeps it."""
        from motorik.initialisation.start import InitialState

        begin, fixed = system.layout.starts
        live, X, x, p = self.arrays
        given = begin.tobytes(), fixed.tobytes(), live.tobytes()
        key = (*given, self.time, (), self.chooses_none, self.is_new, ())
        return key, InitialState(system, self.time, X, x, p)
