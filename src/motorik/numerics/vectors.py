"""Kernels: products and norms of vectors."""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes

INFINITE = float("inf")


@kernel
def dot(n: Int, a: Floats, b: Floats) -> Float:
    """Return Σ a b."""
    total = 0.0
    for i in lanes(n):
        total += a[i] * b[i]
    return total


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
