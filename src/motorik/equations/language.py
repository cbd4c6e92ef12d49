"""The words in which parts write their equations: equal, balance, der."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from motorik.algebra.matrix import Matrix
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.errors import EquationError
from motorik.immutable import immutable

if TYPE_CHECKING:
    import casadi

Quantity = Scalar | Vector | Matrix | Sequence[Scalar]


@immutable
class Equation:
    """Residuals that vanish at every time; `equal` and `balance` make them."""

    residuals: tuple[Scalar, ...]


def equal(left: Quantity, right: Quantity) -> Equation:
    """Return the equation left = right, component by component for vectors and matrices."""
    a, b = _components(left), _components(right)
    if len(a) == 1 or len(b) == 1:
        count = max(len(a), len(b))
        a, b = a * (count // len(a)), b * (count // len(b))
    if len(a) != len(b):
        raise EquationError(
            "equal",
            f"its sides have {len(a)} and {len(b)} components.",
            "Give both sides the same number of components.",
            value=(left, right),
        )
    return Equation(tuple(x - y for x, y in zip(a, b, strict=True)))


def balance(*through: Scalar) -> Equation:
    """Return the equation that all these add up to zero."""
    total: Scalar = 0.0
    for value in through:
        total = total + value
    return Equation((total,))


def der(x: Scalar) -> Scalar:
    """Return the time derivative of a quantity within `equations`."""
    rate = _rates.get()
    if rate is None:
        raise EquationError(
            "der",
            "has a meaning within `equations` of a part only.",
            "In results, read the variable der(…) of the part instead.",
            value=x,
        )
    if isinstance(x, Vector):
        return Vector(*map(rate, x.xyz))
    if isinstance(x, Matrix):
        return Matrix(*map(rate, x.entries))
    if isinstance(x, (tuple, list)):
        return tuple(map(rate, x))
    return rate(x)


_rates: ContextVar[Callable[[Scalar], Scalar] | None] = ContextVar("rates", default=None)


@contextmanager
def rates_by(rate: Callable[[Scalar], Scalar]) -> Iterator[None]:
    """Let `der` return these rates within the context."""
    token = _rates.set(rate)
    try:
        yield
    finally:
        _rates.reset(token)


def _components(value: Quantity) -> list[Scalar]:
    if isinstance(value, Vector):
        return list(value.xyz)
    if isinstance(value, Matrix):
        return list(value.entries)
    if isinstance(value, (tuple, list)):
        return [component for one in value for component in _components(one)]
    return [value]


def rate_along(
    x: casadi.SX, symbols: Sequence[casadi.SX], rates: Sequence[casadi.SX]
) -> casadi.SX:
    """Return Σ ∂x/∂sᵢ ṡᵢ."""
    import casadi

    if not symbols:
        return casadi.SX(0.0)
    column, along = casadi.vertcat(*symbols), casadi.vertcat(*rates)
    return casadi.jtimes(x, column, along)
