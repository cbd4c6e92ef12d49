"""Recall: the past of a signal as a piecewise polynomial, read from the memory of a run.

A delayed signal is u(s) at an earlier time s. The run writes its past into memory as it goes:
pieces of polynomials, each with its begin, its end, an origin and `ORDER` coefficients. The address
of the past is a number of the model, so that runs do not share it. On symbols a look-up is a call
of a CasADi function, which the compiler replaces by a search and by loads; within a piece it does
not change, so its derivative vanishes, and that of the signal is that of the polynomial. CasADi
would differentiate a call by a further call, but the derivative of a floor is zero: each number is
recorded as the quotient of two whole numbers, the second a power of two.
"""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from motorik.algebra.piecewise import polynomial
from motorik.algebra.scalar import Scalar, floor, is_symbol

if TYPE_CHECKING:
    import casadi

#: Coefficients of a piece.
ORDER = 8

#: Numbers of a piece before its coefficients: begin, end, origin.
BEGIN, END, ORIGIN, FIRST = 0, 1, 2, 3

#: The name by which the compiler knows the function.
NAME = "recall"

#: The exponent of the largest factor that makes a number whole.
MOST = 1000


class Past:
    """The places of numbers in the head of the past of one signal; it has eight."""

    DATA = 0  # address of the first piece
    STRIDE = 1  # numbers from one piece to the next
    OFFSET = 2  # the place of the first coefficient in a piece
    COUNT = 3  # pieces; without any, the signal is `START` at all times
    LOW = 4  # the first piece that is read …
    HIGH = 5  # … and the last: no value is taken from beyond a discontinuity
    TIME_ROUNDING = 6  # [s]
    START = 7  # the signal before the first piece
    SIZE = 8


def recall(address: Scalar, s: Scalar) -> Scalar:
    """Return the signal at an earlier time s [s]; 0 without a past, address 0.

    Beyond the end of the past it is not a number.
    """
    if is_symbol(address) or is_symbol(s):
        casadi = sys.modules["casadi"]
        parts = _function()(casadi.SX(address), casadi.SX(s))
        numbers = [floor(parts[2 * k]) / floor(parts[2 * k + 1]) for k in range(ORDER + 1)]
    else:
        numbers = numbers_at(float(address), float(getattr(s, "value", s)))
    return polynomial(numbers[1:], s - numbers[0])


def numbers_at(address: float, s: float) -> list[float]:
    """Return origin and coefficients of the piece in which a time lies."""
    if not address:
        return [0.0] * (ORDER + 1)
    head = (ctypes.c_double * Past.SIZE).from_address(int(address))
    count, stride = int(head[Past.COUNT]), int(head[Past.STRIDE])
    if not count:
        return [0.0, head[Past.START], *[0.0] * (ORDER - 1)]
    data = (ctypes.c_double * (count * stride)).from_address(int(head[Past.DATA]))
    x, low, high = s + head[Past.TIME_ROUNDING], 0, count
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if data[middle * stride] <= x else (low, middle)
    if low == count - 1 and s > data[low * stride + END] + 4.0 * head[Past.TIME_ROUNDING]:
        return [0.0, *[math.nan] * ORDER]
    at = int(min(max(low, head[Past.LOW]), head[Past.HIGH])) * stride
    first = at + int(head[Past.OFFSET])
    return [data[at + ORIGIN], *data[first : first + ORDER]]


def _whole(value: float) -> tuple[float, float]:
    """Return two whole numbers whose quotient is a number, the second a power of two."""
    if not math.isfinite(value):
        return value, 1.0
    power = min(max(53 - math.frexp(value)[1], 0), MOST)
    return float(math.floor(math.ldexp(value, power))), math.ldexp(1.0, power)


@cache
def _function() -> casadi.Function:
    """Return the CasADi function of an address and a time to the whole numbers of a piece."""
    casadi = sys.modules["casadi"]
    count = 2 * (ORDER + 1)

    def zeros(given: int, made: int, n: int, name: str, *rest: object) -> casadi.Function:
        ends = [casadi.MX.sym("in") for _ in range(2 + count)]
        seeds = [casadi.MX.sym("seed", 1, n) for _ in range(given)]
        return casadi.Function(name, [*ends, *seeds], [casadi.MX(1, n)] * made, *rest)

    class Recall(casadi.Callback):
        """Reads the memory of a run; its derivatives vanish."""

        def __init__(self) -> None:
            casadi.Callback.__init__(self)
            options = {"never_inline": True, "is_diff_in": [False, False]}
            self.construct(NAME, options)

        def get_n_in(self) -> int:
            return 2

        def get_n_out(self) -> int:
            return count

        def has_forward(self, nfwd: int) -> bool:
            return True

        def get_forward(
            self,
            nfwd: int,
            name: str,
            inames: list[str],
            onames: list[str],
            opts: dict[str, object],
        ) -> casadi.Function:
            return zeros(2, count, nfwd, name, inames, onames, opts)

        def has_reverse(self, nadj: int) -> bool:
            return True

        def get_reverse(
            self,
            nadj: int,
            name: str,
            inames: list[str],
            onames: list[str],
            opts: dict[str, object],
        ) -> casadi.Function:
            return zeros(count, 2, nadj, name, inames, onames, opts)

        def eval(self, given: Sequence[casadi.DM]) -> list[float]:
            found = numbers_at(float(given[0]), float(given[1]))
            return [part for number in found for part in _whole(number)]

    return Recall()


def is_recall(function: casadi.Function) -> bool:
    """Return whether a CasADi function reads the past."""
    return "casadi" in sys.modules and function.name() == NAME
