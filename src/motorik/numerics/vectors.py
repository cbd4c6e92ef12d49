"""Kernels: products and norms of vectors."""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, tail

INFINITE = float("inf")


@kernel
def dot(n: Int, a: Floats, b: Floats) -> Float:
    """Return Σ a b."""
    total = 0.0
    for i in lanes(n):
        total += a[i] * b[i]
    return total


@kernel
def dot4(n: Int, a: Floats, b: Floats) -> Float:
    """Return Σ a b by four sums, so that no addition waits for the one before."""
    one, two, three, four = 0.0, 0.0, 0.0, 0.0
    for i in range(n // 4):
        x, y = tail(a, 4 * i), tail(b, 4 * i)
        one += x[0] * y[0]
        two += x[1] * y[1]
        three += x[2] * y[2]
        four += x[3] * y[3]
    for i in range(n - n % 4, n):
        one += a[i] * b[i]
    return (one + two) + (three + four)


@kernel
def squares(n: Int, g: Floats) -> Float:
    """Return Σ gᵢ²."""
    result = 0.0
    for i in lanes(n):
        result += g[i] * g[i]
    return result


@kernel
def largest(n: Int, r: Floats) -> Float:
    """Return the largest size of n numbers; infinite if one is not finite."""
    size = 0.0
    for i in range(n):
        if not isfinite(r[i]):
            return INFINITE
        size = max(size, fabs(r[i]))
    return size
