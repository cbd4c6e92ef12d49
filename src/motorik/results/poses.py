"""Poses: where everything that moves as one is, at one or many times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from motorik.errors import UnknownNameError, suggest
from motorik.results.series import frozen

NUMBERS = 7


class Poses:
    """The poses of all rigid groups: links of the mechanism, masses on lines, shafts.

    `values` are samples × groups × 7: the position x y z [m] in the world and the unit
    quaternion qx qy qz qw, v_world = Q v_group. `names` are those of the rigid groups,
    ``poses["crank.body"]`` is one of them over time. A link is named after its first body; its
    frame is the far frame of its joint. A shaft or rod of a drive line has no place: it turns
    about its x axis, or slides along it.
    """

    def __init__(self, names: Sequence[str], time: np.ndarray, values: np.ndarray) -> None:
        self._names = tuple(names)
        self._time = frozen(time)
        self._values = frozen(values.reshape(self._time.size, len(self._names), NUMBERS))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the rigid groups."""
        return self._names

    @property
    def time(self) -> np.ndarray:
        """The times [s]."""
        return self._time

    @property
    def values(self) -> np.ndarray:
        """The poses, samples × groups × 7."""
        return self._values

    def __len__(self) -> int:
        return self._time.size

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __getitem__(self, name: str) -> np.ndarray:
        """Return the poses of one rigid group, samples × 7."""
        if name not in self._names:
            raise UnknownNameError(
                "poses",
                f"there is no rigid group {name!r}.",
                suggest(name, self._names),
                value=name,
            )
        return self._values[:, self._names.index(name)]

    def __repr__(self) -> str:
        return f"<Poses of {len(self._names)} rigid groups at {len(self)} times>"
