"""Interpreted functions: evaluated sample by sample in CasADi's virtual machine.

An operation takes about 2 ns per sample there and 0.2 ns in machine code, but compiling takes about
50 µs per operation, which does not pay for few samples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import casadi

    from motorik.compiler.function import NativeFunction

#: Samples of a function up to which it is interpreted: by then, 50 µs / 2 ns, this has cost as
#: much as machine code would have, whatever the count of operations.
FEW_ROWS = 25_000

#: Samples in one call, which costs a microsecond and takes memory for all of them.
BLOCK = 128

Rows = NDArray[np.float64]


class Interpreted:
    """A `casadi.Function` of dense columns to dense columns, called on many samples."""

    def __init__(self, function: casadi.Function) -> None:
        self.function = function
        self._sizes = [function.numel_in(k) for k in range(function.n_in())]

    def map(self, *arrays: Rows) -> Any:
        """Return the outputs of N samples, one array (N, size) or a tuple of them.

        An input without the leading axis of length N is the same for all samples.
        """
        values = [np.asarray(array, dtype=float) for array in arrays]
        counts = {value.shape[0] for value in values if value.ndim > 1}
        (count,) = counts or {1}
        sizes = [self.function.numel_out(k) for k in range(self.function.n_out())]
        made = [np.empty((count, size)) for size in sizes]
        given = [
            np.ascontiguousarray(np.broadcast_to(value, (count, size)))
            for value, size in zip(values, self._sizes, strict=True)
        ]
        even = count - count % BLOCK
        self._run(BLOCK, range(0, even, BLOCK), given, made)
        self._run(count % BLOCK, range(even, count, BLOCK), given, made)
        return made[0] if len(made) == 1 else tuple(made)

    def _run(
        self, size: int, firsts: range, given: Sequence[Rows], made: Sequence[Rows]
    ) -> None:
        """Compute blocks of so many samples, which begin at the `firsts`."""
        if not firsts:
            return
        buffer, run = self.function.map(size).buffer()
        for first in firsts:
            for k, array in enumerate(given):
                buffer.set_arg(k, array[first : first + size].data)  # type: ignore[call-arg]
            for k, array in enumerate(made):
                buffer.set_res(k, array[first : first + size].data)  # type: ignore[call-arg]
            run()


class RowFunction:
    """A function of rows, made when it is needed: interpreted until they justify machine code."""

    def __init__(self, make: Callable[[], casadi.Function]) -> None:
        self._make, self._rows = make, 0
        self._code: Interpreted | NativeFunction | None = None

    def for_rows(self, count: int) -> Interpreted | NativeFunction:
        """Return the code for so many more rows."""
        code = Interpreted(self._make()) if self._code is None else self._code
        self._rows += count
        if isinstance(code, Interpreted) and self._rows > FEW_ROWS:
            from motorik.compiler.lower import compile_function

            code = compile_function(code.function)
        self._code = code
        return code
