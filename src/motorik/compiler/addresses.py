"""Native functions as the integration takes them: by address, or made when needed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


class Addressed(Protocol):
    """A native function with an address, such as a compiled function."""

    @property
    def address(self) -> int:
        """Where its machine code starts."""
        ...


Native = int | Addressed


Maker = Callable[[], Native | None]
"""Makes a native function when it is needed, None where there is none."""


def maker_of(function: Native | Maker | None) -> Maker | None:
    """Return the maker of a native function, if it is one that was given."""
    is_maker = callable(function) and not hasattr(function, "address")
    return cast("Maker", function) if is_maker else None


def address_of(function: Native | None) -> int | None:
    """Return where the machine code of a function starts."""
    return function if function is None or isinstance(function, int) else function.address


def view_of(array: np.ndarray) -> Any:
    """Return the memory of an array, whose numbers are read and written quicker than its own."""
    return memoryview(array)  # type: ignore[arg-type]


def start_of(array: np.ndarray) -> int:
    """Return where the memory of an array starts."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]
    except (TypeError, ValueError):  # read-only or empty
        return array.ctypes.data
