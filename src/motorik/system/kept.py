"""Kept: values computed for some owners, up to a number of bytes; the oldest is dropped first."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

Tables = dict[int, np.ndarray]


class Kept:
    """Tables of numbers by owner, as long as the owner exists and memory suffices."""

    def __init__(self) -> None:
        self._tables: WeakKeyDictionary[Any, Tables] = WeakKeyDictionary()

    def of(self, owner: object) -> Tables:
        """Return the tables of an owner, which is from now on the latest."""
        tables = self._tables.pop(owner, {})
        self._tables[owner] = tables
        return tables

    def make_room(self, owner: object, more: float, most: float) -> bool:
        """Return whether so many more bytes of an owner fit into the limit.

        If they do, values of other owners are dropped, the oldest first, until they fit.
        """
        own = size_of(self.of(owner)) + more
        if own > most:
            return False
        others = [one for one in self._tables if one is not owner]
        left = sum(size_of(self._tables[one]) for one in others)
        for one in others:
            if own + left <= most:
                break
            left -= size_of(self._tables.pop(one))
        return True

    @property
    def size(self) -> int:
        """The bytes of all that is kept."""
        return sum(map(size_of, self._tables.values()))


def size_of(tables: Tables) -> int:
    """Return the bytes of tables."""
    return sum(array.nbytes for array in tables.values())
