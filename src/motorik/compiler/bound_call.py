"""Calls of native code whose arguments stay the same: one address is passed instead of each.

A call of a native function with thirty arguments takes microseconds in Python. Bound to a table of
its arguments, it takes one; and many tables are called one after the other, by native code.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from motorik.compiler.native import NativeLibrary, load

Integers = NDArray[np.int64]

ONE, EACH = "call_bound", "call_each_bound"


class BoundCall:
    """A native function of integers and addresses, to an integer, with fixed arguments.

    Each row of `table` is one call: the address of the function and then its arguments, which
    must stay valid.
    """

    def __init__(self, address: int, arguments: Sequence[int | None]) -> None:
        row = [address, *(0 if own is None else own for own in arguments)]
        self.table = np.array(row, dtype=np.int64)
        self._one, _, self._library = _callers(self.table.size - 1)
        self._start = self.table.ctypes.data

    def __call__(self) -> int:
        """Call it and return its value."""
        return self._one(self._start)


def call_each(tables: Integers, values: Integers) -> None:
    """Call every row of `tables`, a matrix as of `BoundCall`; write what they return.

    Python's lock is free meanwhile: threads may call different rows at once.
    """
    _, each, _ = _callers(tables.shape[1] - 1)
    each(len(tables), tables.ctypes.data, values.ctypes.data)


@functools.cache
def _callers(
    n_arguments: int,
) -> tuple[Callable[[int], int], Callable[[int, int, int], None], NativeLibrary]:
    """Return the calls of a table and of several tables of so many arguments."""
    library = load(_write_callers(n_arguments), opt=1)
    one = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
    each = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
    return one(library.address(ONE)), each(library.address(EACH)), library


def _write_callers(n_arguments: int) -> str:
    """Return the definitions of both functions."""
    lines, passed = ["%function = load ptr, ptr %table"], []
    for k in range(n_arguments):
        lines.append(f"%place{k} = getelementptr i64, ptr %table, i64 {k + 1}")
        lines.append(f"%a{k} = load i64, ptr %place{k}")
        passed.append(f"i64 %a{k}")
    return "\n".join(
        [
            f"define i64 @{ONE}(ptr %table) {{",
            *lines,
            f"%value = call i64 %function({', '.join(passed)})",
            "ret i64 %value",
            "}",
            f"define void @{EACH}(i64 %count, ptr %tables, ptr %values) {{",
            "%any = icmp sgt i64 %count, 0",
            "br i1 %any, label %loop, label %done",
            "loop:",
            "%k = phi i64 [0, %0], [%next, %loop]",
            f"%row = mul i64 %k, {n_arguments + 1}",
            "%table = getelementptr i64, ptr %tables, i64 %row",
            f"%value = call i64 @{ONE}(ptr %table)",
            "%at = getelementptr i64, ptr %values, i64 %k",
            "store i64 %value, ptr %at",
            "%next = add i64 %k, 1",
            "%more = icmp slt i64 %next, %count",
            "br i1 %more, label %loop, label %done",
            "done:",
            "ret void",
            "}",
        ]
    )
