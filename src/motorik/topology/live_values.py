"""The live numbers of a model, and the check of their values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from motorik.components.base.internal import internal_scalars

if TYPE_CHECKING:
    import numpy as np

    from motorik.components.base.composite import Composite
    from motorik.components.base.part import Part
    from motorik.components.base.values import LiveScalar


def live_scalars(model: Composite) -> tuple[LiveScalar, ...]:
    """Return the live numbers of a model.

    The user's, then those that parts have for themselves, then those the design pose gives.
    """
    live = [e for parameter in model.live_parameters().values() for e in parameter.elements]
    internal = [e for part in model.walk() for e in internal_scalars(part.internal())]
    designed = [e for part in model.walk() for e in part._designed()]
    return (*live, *internal, *designed)


class ParameterCheck:
    """Refuses invalid live values; accepted values are not checked again."""

    def __init__(self, model: Composite, live: Sequence[LiveScalar]) -> None:
        self._parts = [part for part in model.walk() if part._has_live_parameters]
        self._index = {scalar: i for i, scalar in enumerate(live)}
        self._accepted: dict[Part, dict[int, float]] = {}

    def __call__(self, p: np.ndarray) -> None:
        """Raise `ParameterError` if live values of a part are invalid."""
        now = p.tolist()
        for part in self._parts:
            accepted = self._accepted.get(part)
            if accepted is None or any(now[i] != value for i, value in accepted.items()):
                self._accepted[part] = self._check(part, now)

    def takes_all(self, places: Sequence[int]) -> bool:
        """Return whether no part refuses any finite values of the numbers at these places.

        It tells so of values that were checked before.
        """
        if set(self._accepted) != set(self._parts):
            return False
        readers = (own for own, read in self._accepted.items() if read.keys() & set(places))
        return all(part._takes_any_number for part in readers)

    def _check(self, part: Part, now: Sequence[float]) -> dict[int, float]:
        """Return the live values that a part reads and finds right."""
        read: dict[int, float] = {}

        def resolve(scalar: LiveScalar) -> float:
            i = self._index[scalar]
            read[i] = now[i]
            return now[i]

        part._check_live(resolve)
        return read
