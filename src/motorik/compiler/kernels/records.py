"""Records: arrays whose first elements have names.

    class Clock(Reals):
        time = real(0)
        step = real(1)

An argument `c: Clock` of a kernel is an array of doubles, and `c.step` is its element 1; of the
class, `Clock.step` is the index 1. `Clock.at(x, 6)` is the record in the array x from x[6] on.
As plain Python, a kernel takes `array.view(Clock)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np

if TYPE_CHECKING:
    from typing_extensions import Self

V = TypeVar("V", int, float)


class Reals(np.ndarray[Any, np.dtype[np.float64]]):
    """An array of doubles with names for some elements."""

    @classmethod
    def at(cls, array: np.ndarray[Any, np.dtype[np.float64]], offset: int) -> Self:
        """Return the record that begins at `offset`, sharing its memory."""
        return array[offset:].view(cls)


class Integers(np.ndarray[Any, np.dtype[np.int64]]):
    """An array of integers with names for some elements."""

    @classmethod
    def at(cls, array: np.ndarray[Any, np.dtype[np.int64]], offset: int) -> Self:
        """Return the record that begins at `offset`, sharing its memory."""
        return array[offset:].view(cls)


class RecordSlot(Generic[V]):
    """A named element: the number itself of an array, its index of the class."""

    def __init__(self, index: int) -> None:
        self.index = index

    @overload
    def __get__(self, record: None, owner: type) -> int: ...
    @overload
    def __get__(self, record: Reals | Integers, owner: type) -> V: ...
    def __get__(self, record: Reals | Integers | None, owner: type) -> Any:
        """Return the element, or its index."""
        return self.index if record is None else record[self.index]

    def __set__(self, record: Reals | Integers, value: V) -> None:
        """Set the element."""
        record[self.index] = value


def real(index: int) -> RecordSlot[float]:
    """Return the name of an element of `Reals`."""
    return RecordSlot(index)


def integer(index: int) -> RecordSlot[int]:
    """Return the name of an element of `Integers`."""
    return RecordSlot(index)
