"""Kernels: symmetric positive semidefinite systems by pivoted Cholesky decomposition.

The largest pivot comes first, so that the rank shows (Golub and Van Loan, Matrix Computations,
§4.2.8). A, scaled to a diagonal of ones, is

    A = L Lᵀ,    L = [L₁; L₂],    W = L₂ L₁⁻¹,    N = [−Wᵀ; 1]

L₁ belongs to independent rows, L₂ to rows that depend on them (row i of W tells how), and the
columns of N span the null space. Of all solutions the shortest is taken, by subtracting the part
along N of any other:

    x = x₀ − N (1 + W Wᵀ)⁻¹ Nᵀ x₀
"""

from __future__ import annotations

from math import fabs, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.numerics.tolerances import IDLE_FORCE
from motorik.numerics.vectors import dot4


@kernel(inline=False)
def pivoted_cholesky(
    n: Int, A: Floats, count: Int, order: Floats, weak: Float, L: Floats
) -> Int:
    """Write L of the rows of A listed in `order`, sorted by pivots; return the rank.

    L is stored row by row, its rows `count` numbers apart; behind it are `count` numbers of
    work space.
    """
    left = tail(L, count * count)
    for i in range(count):
        left[i] = A[int(order[i]) * (n + 1)]
    for k in range(count):
        pivot = k
        for i in range(k + 1, count):
            if left[i] > left[pivot]:
                pivot = i
        if not left[pivot] > weak:
            return k
        own, other = tail(L, k * count), tail(L, pivot * count)
        if pivot != k:
            order[k], order[pivot] = order[pivot], order[k]
            left[k], left[pivot] = left[pivot], left[k]
            for j in range(k):
                own[j], other[j] = other[j], own[j]
        size = sqrt(left[k])
        own[k] = size
        given = tail(A, int(order[k]) * n)
        for i in range(k + 1, count):
            row = tail(L, i * count)
            value = (given[int(order[i])] - dot4(k, row, own)) / size
            row[k] = value
            left[i] -= value * value
    return count


@kernel
def cholesky_substitute(stride: Int, n: Int, L: Floats, y: Floats) -> None:
    """Replace y by the solution of L Lᵀ x = y."""
    for i in range(n):
        row = tail(L, i * stride)
        y[i] = (y[i] - dot4(i, row, y)) / row[i]
    for i in range(n - 1, -1, -1):
        row = tail(L, i * stride)
        value = y[i] / row[i]
        y[i] = value
        for j in range(i):
            y[j] -= value * row[j]


@kernel(inline=False)
def null_space_factors(count: Int, rank: Int, L: Floats, gram: Floats) -> None:
    """Replace L₂ by W, and write the Cholesky factor of 1 + W Wᵀ."""
    more = count - rank
    for i in range(more):
        row = tail(L, (rank + i) * count)
        for j in range(rank - 1, -1, -1):
            own = tail(L, j * count)
            value = row[j] / own[j]
            row[j] = value
            for k in range(j):
                row[k] -= value * own[k]
    for i in range(more):
        row = tail(gram, i * more)
        for j in range(i + 1):
            own = tail(gram, j * more)
            value = dot4(rank, tail(L, (rank + i) * count), tail(L, (rank + j) * count))
            value -= dot4(j, row, own)
            row[j] = value / own[j] if j < i else sqrt(1.0 + value)


@kernel(inline=False)
def cholesky_of_rank(
    n: Int, A: Floats, count: Int, order: Floats, weak: Float, L: Floats, gram: Floats
) -> Int:
    """Write all factors of the rows in `order`, which is sorted; return the rank."""
    rank = pivoted_cholesky(n, A, count, order, weak, L)
    if rank < count:
        null_space_factors(count, rank, L, gram)
    return rank


@kernel(inline=False)
def solve_minimum_norm(count: Int, rank: Int, L: Floats, gram: Floats, y: Floats) -> None:
    """Replace y, in the order of the factors, by the shortest solution of A x = y."""
    cholesky_substitute(count, rank, L, y)
    more = count - rank
    if more > 0:
        z = tail(y, rank)
        for i in range(more):
            z[i] = -dot4(rank, tail(L, (rank + i) * count), y)
        cholesky_substitute(more, more, gram, z)
        for i in range(more):
            row = tail(L, (rank + i) * count)
            value = z[i]
            for j in range(rank):
                y[j] += value * row[j]
            z[i] = -value


@kernel(inline=False)
def project_null_space(count: Int, rank: Int, L: Floats, gram: Floats, y: Floats) -> None:
    """Replace y by its part along N: forces that cancel each other; rounding is none."""
    more = count - rank
    z = tail(y, rank)
    for i in range(more):
        z[i] -= dot4(rank, tail(L, (rank + i) * count), y)
    for j in range(rank):
        y[j] = 0.0
    cholesky_substitute(more, more, gram, z)
    for i in range(more):
        row = tail(L, (rank + i) * count)
        value = z[i]
        for j in range(rank):
            y[j] -= value * row[j]
    largest = 0.0
    for i in range(count):
        largest = max(largest, fabs(y[i]))
    for i in range(count):
        if fabs(y[i]) < IDLE_FORCE * largest:
            y[i] = 0.0
