"""Dense linear systems by Gauss's elimination, matrices stored by columns."""

from __future__ import annotations

from math import fabs

from motorik.compiler.kernels import Floats, Int, kernel, lanes, tail


@kernel(inline=False)
def factorise(n: Int, a: Floats, pivots: Floats) -> Int:
    """Replace A by its elimination; return 0 if A is singular, else 1.

    Column k keeps the factors of its elimination below the diagonal, and there the reciprocal
    of the pivot; `pivots[k]` is the row that was exchanged with row k before it.
    """
    for k in range(n):
        column = tail(a, k * n)
        pivot = k
        for i in range(k + 1, n):
            if fabs(column[i]) > fabs(column[pivot]):
                pivot = i
        pivots[k] = pivot
        if column[pivot] == 0.0:
            return 0
        if pivot != k:
            for j in range(k, n):
                a[j * n + k], a[j * n + pivot] = a[j * n + pivot], a[j * n + k]
        below = tail(column, k + 1)
        inverse = 1.0 / column[k]
        column[k] = inverse
        for i in lanes(n - k - 1):
            below[i] *= inverse
        for j in range(k + 1, n):
            other = tail(a, j * n + k + 1)
            factor = a[j * n + k]
            if factor != 0.0:
                for i in lanes(n - k - 1):
                    other[i] -= factor * below[i]
    return 1


@kernel(inline=False)
def substitute(n: Int, a: Floats, pivots: Floats, b: Floats) -> None:
    """Replace b by the solution x of A x = b, A being factorised: row by row as A was."""
    for k in range(n):
        pivot = int(pivots[k])
        b[k], b[pivot] = b[pivot], b[k]
        below = tail(a, k * n + k + 1)
        rest = tail(b, k + 1)
        value = b[k]
        if value != 0.0:
            for i in lanes(n - k - 1):
                rest[i] -= value * below[i]
    for k in range(n - 1, -1, -1):
        column = tail(a, k * n)
        value = b[k] * column[k]
        b[k] = value
        if value != 0.0:
            for i in lanes(k):
                b[i] -= value * column[i]
