"""Arrays: the arithmetic of Modelica's arrays, held as nested tuples of scalars.

A scalar is a number, a truth value, a string (also the name of an enumeration's literal),
a NumPy array of one value per instant, so that the same arithmetic serves whole trajectories,
or a symbol, so that it serves the equations of motion.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from motorik.algebra.scalar import is_number

Value = Any
LARGEST_ARRAY = 100_000
LARGEST_INTEGER = 2**53


def shape(value: Value) -> tuple[int, ...]:
    """Return the sizes of an array; of a scalar, ()."""
    sizes: list[int] = []
    while isinstance(value, tuple):
        sizes.append(len(value))
        if not value:
            break
        value = value[0]
    return tuple(sizes)


def check_regular(value: Value) -> Value:
    """Return an array whose rows are equally long, or raise `ValueError`."""
    if isinstance(value, tuple):
        if len({shape(item) for item in value}) > 1:
            raise ValueError("the rows of the array have different sizes")
        for item in value:
            check_regular(item)
    return value


def each(function: Callable[..., Value], *values: Value) -> Value:
    """Apply a function of scalars element by element; scalars go with every element."""
    sizes = {len(value) for value in values if isinstance(value, tuple)}
    if not sizes:
        return function(*values)
    if len(sizes) > 1:
        raise ValueError(
            f"arrays of the sizes {', '.join(map(str, sorted(sizes)))} do not go together"
        )
    (size,) = sizes
    return tuple(
        each(
            function, *(value[i] if isinstance(value, tuple) else value for value in values)
        )
        for i in range(size)
    )


def _needs_numbers(*scalars: Value) -> None:
    for scalar in scalars:
        if isinstance(scalar, (bool, np.bool_, str)) or callable(scalar):
            raise ValueError(f"{scalar!r} is not a number")


def _bounded(value: Value) -> Value:
    return (
        float(value) if isinstance(value, int) and abs(value) > LARGEST_INTEGER else value
    )


def _arithmetic(function: Callable[[Any, Any], Any]) -> Callable[[Value, Value], Value]:
    def compute(a: Value, b: Value) -> Value:
        _needs_numbers(a, b)
        return _bounded(function(a, b))

    return compute


scalar_sum = _arithmetic(operator.add)
scalar_difference = _arithmetic(operator.sub)
scalar_product = _arithmetic(operator.mul)


def scalar_quotient(a: Value, b: Value) -> Value:
    """Return a / b, always a real number."""
    _needs_numbers(a, b)
    return a / b


def scalar_power(a: Value, b: Value) -> Value:
    """Return a ^ b, always a real number."""
    _needs_numbers(a, b)
    result = (float(a) if is_number(a) else a) ** b
    if isinstance(result, complex):
        raise ValueError(f"{a} ^ {b} is not a real number")
    return result


def negative(a: Value) -> Value:
    """Return −a of a number."""
    _needs_numbers(a)
    return -a


def add(a: Value, b: Value) -> Value:
    """Return a + b of equally shaped values."""
    _check_same_shape("+", a, b)
    return each(scalar_sum, a, b)


def subtract(a: Value, b: Value) -> Value:
    """Return a − b of equally shaped values."""
    _check_same_shape("-", a, b)
    return each(scalar_difference, a, b)


def multiply(a: Value, b: Value) -> Value:
    """Return a * b: of a scalar and an array, of vectors (inner product) and of matrices."""
    rank_a, rank_b = len(shape(a)), len(shape(b))
    if rank_a == 0 or rank_b == 0:
        return each(scalar_product, a, b)
    if rank_a > 2 or rank_b > 2 or shape(a)[-1] != shape(b)[0]:
        raise ValueError(f"arrays of the shapes {shape(a)} and {shape(b)} have no product")
    if rank_a == 2:
        return tuple(multiply(row, b) for row in a)
    if rank_b == 2:
        return tuple(multiply(a, column) for column in transpose(b))
    return total(each(scalar_product, a, b))


def divide(a: Value, b: Value) -> Value:
    """Return a / b of a scalar or an array and a scalar."""
    if isinstance(b, tuple):
        raise ValueError("division by an array needs './'")
    return each(scalar_quotient, a, b)


def power(a: Value, b: Value) -> Value:
    """Return a ^ b of two scalars."""
    if isinstance(a, tuple) or isinstance(b, tuple):
        raise ValueError("the power of an array needs '.^'")
    return scalar_power(a, b)


def total(a: Value) -> Value:
    """Return the sum of all elements."""
    result: Value = 0
    for scalar in flat(a):
        result = scalar_sum(result, scalar)
    return result


def flat(a: Value) -> list[Value]:
    """Return the scalars of an array in order."""
    return [scalar for item in a for scalar in flat(item)] if isinstance(a, tuple) else [a]


def transpose(a: Value) -> Value:
    """Return rows and columns of a matrix exchanged."""
    if len(shape(a)) != 2:
        raise ValueError("only a matrix can be transposed")
    return tuple(zip(*a, strict=True))


def filled(value: Value, *sizes: int) -> Value:
    """Return an array of these sizes, the same value everywhere."""
    count = 1
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, int) or size < 0:
            raise ValueError(f"{size!r} is not a size of an array")
        count *= max(size, 1)
    if count > LARGEST_ARRAY:
        raise ValueError(f"an array of {count} elements is too large")
    for size in reversed(sizes):
        value = (value,) * size
    return value


def count_up(first: Value, step: Value, last: Value) -> Value:
    """Return the numbers first, first + step, … up to last."""
    _needs_numbers(first, step, last)
    if step == 0:
        raise ValueError("a range needs a step that is not zero")
    count = int(np.floor((last - first) / step * (1 + 1e-12) + 1e-9)) + 1
    if count > LARGEST_ARRAY:
        raise ValueError(f"a range of {count} numbers is too long")
    return tuple(first + i * step for i in range(max(count, 0)))


def pick(value: Value, subscripts: tuple[Value, ...]) -> Value:
    """Return elements of an array; a subscript is an index from 1, an array of them, or None."""
    if not subscripts:
        return value
    if not isinstance(value, tuple):
        raise ValueError("a scalar has no elements")
    wanted, *rest = subscripts
    others = tuple(rest)
    if wanted is None:
        return tuple(pick(item, others) for item in value)
    if isinstance(wanted, tuple):
        return tuple(pick(_element(value, i), others) for i in wanted)
    return pick(_element(value, wanted), others)


def _element(value: tuple[Value, ...], index: Value) -> Value:
    if (
        isinstance(index, bool)
        or not isinstance(index, int)
        or not 1 <= index <= len(value)
    ):
        raise ValueError(
            f"there is no element {index!r}; they are numbered 1 to {len(value)}"
        )
    return value[index - 1]


def _check_same_shape(symbol: str, a: Value, b: Value) -> None:
    if shape(a) != shape(b):
        raise ValueError(
            f"values of the shapes {shape(a)} and {shape(b)} do not go together in '{symbol}'"
        )
