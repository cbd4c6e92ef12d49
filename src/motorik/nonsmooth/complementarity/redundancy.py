"""Kernels: pivoted Cholesky factors and null space of redundant sticking constraints.

The compliance matrix A of the sticking constraints is symmetric positive semidefinite, here scaled
to a unit diagonal. Cholesky factorisation with the largest pivot first reveals its rank:

    A = L Lᵀ,    L = [L₁; L₂],    W = L₂ L₁⁻¹,    N = [−Wᵀ; 1]

L₁ belongs to independent constraints, L₂ to redundant ones (row i of W is the combination they
follow from); the columns of N span the null space, the self-equilibrated forces. Of all solutions
the one of minimum norm is taken, by projecting out the null space:

    x = x₀ − N (1 + W Wᵀ)⁻¹ Nᵀ x₀
"""

from __future__ import annotations

from math import fabs, sqrt

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, tail
from motorik.numerics.tolerances import (
    DEPENDENT_CONSTRAINT,
    DEPENDENT_TIGHT,
    EQUATION_ZERO,
    IDLE_FORCE,
)


@kernel
def dot(n: Int, a: Floats, b: Floats) -> Float:
    """Return Σ a b with four accumulators, which shortens the dependency chain."""
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


@kernel(inline=False)
def pivoted_cholesky(
    n: Int, A: Floats, count: Int, order: Floats, weak: Float, L: Floats
) -> Int:
    """Write L of the constraints listed in `order`, which is sorted by pivots; return the rank.

    L is stored by rows, `count` numbers apart; `count` numbers of work space follow it.
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
            value = (given[int(order[i])] - dot(k, row, own)) / size
            row[k] = value
            left[i] -= value * value
    return count


@kernel
def substitute(stride: Int, n: Int, L: Floats, y: Floats) -> None:
    """Replace y by the solution of L Lᵀ x = y."""
    for i in range(n):
        row = tail(L, i * stride)
        y[i] = (y[i] - dot(i, row, y)) / row[i]
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
            value = dot(rank, tail(L, (rank + i) * count), tail(L, (rank + j) * count))
            value -= dot(j, row, own)
            row[j] = value / own[j] if j < i else sqrt(1.0 + value)


@kernel(inline=False)
def factorise_sticking(
    n: Int, A: Floats, count: Int, order: Floats, weak: Float, L: Floats, gram: Floats
) -> Int:
    """Write all factors of the constraints in `order`, which is sorted; return the rank."""
    rank = pivoted_cholesky(n, A, count, order, weak, L)
    if rank < count:
        null_space_factors(count, rank, L, gram)
    return rank


@kernel(inline=False)
def solve_minimum_norm(count: Int, rank: Int, L: Floats, gram: Floats, y: Floats) -> None:
    """Replace y, in the order of the factors, by the minimum-norm solution of A x = y."""
    substitute(count, rank, L, y)
    more = count - rank
    if more > 0:
        z = tail(y, rank)
        for i in range(more):
            z[i] = -dot(rank, tail(L, (rank + i) * count), y)
        substitute(more, more, gram, z)
        for i in range(more):
            row = tail(L, (rank + i) * count)
            value = z[i]
            for j in range(rank):
                y[j] += value * row[j]
            z[i] = -value


@kernel(inline=False)
def project_null_space(count: Int, rank: Int, L: Floats, gram: Floats, y: Floats) -> None:
    """Replace y by its projection onto the null space; entries of rounding size become zero."""
    more = count - rank
    z = tail(y, rank)
    for i in range(more):
        z[i] -= dot(rank, tail(L, (rank + i) * count), y)
    for j in range(rank):
        y[j] = 0.0
    substitute(more, more, gram, z)
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


def sticking_size(m: int) -> int:
    """Return the doubles of work space of `solve_sticking`."""
    return 3 * m * m + 4 * m


@kernel(inline=False)
def gather_sticking(
    m: Int, D: Floats, stick: Ints, A: Floats, order: Floats, scale: Floats
) -> Int:
    """Write D of the sticking constraints, scaled to a unit diagonal; return their number.

    They are listed in `order`; constraints with D_kk = 0 are skipped. `scale` has all constraints.
    """
    count = 0
    for k in range(m):
        own = float(D[k * (m + 1)])
        scale[k] = 1.0 / sqrt(own) if own > 0.0 else 0.0
        if stick[k] != 0 and own > 0.0:
            order[count] = k
            count += 1
    for i in range(count):
        k = int(order[i])
        for j in range(count):
            e = int(order[j])
            A[k * m + e] = 0.5 * (D[k * m + e] + D[e * m + k]) * scale[k] * scale[e]
    return count


@kernel(inline=False)
def solve_sticking(
    m: Int, D: Floats, stick: Ints, right: Floats, y: Floats, work: Floats
) -> Int:
    """Solve D y = right for the constraints with `stick` ≠ 0; y = 0 for all others.

    D is symmetric positive semidefinite, by rows. With redundant constraints, y has the least
    Σ D_kk y_k²; constraints with D_kk = 0 carry nothing. Returns 0, or 1 if constraints are
    inconsistent: then only independent ones are solved.
    """
    A, L, gram = tail(work, 0), tail(work, m * m), tail(work, 2 * m * m + m)
    order = tail(work, 3 * m * m + m)
    scale, z = tail(order, m), tail(order, 2 * m)
    count = gather_sticking(m, D, stick, A, order, scale)
    for turn in range(3):
        for k in range(m):
            y[k] = 0.0
        rank = factorise_sticking(
            m,
            A,
            count,
            order,
            DEPENDENT_TIGHT if turn == 1 else DEPENDENT_CONSTRAINT,
            L,
            gram,
        )
        for _ in range(2):
            for i in range(count):
                k = int(order[i])
                z[i] = scale[k] * (right[k] - dot(m, tail(D, k * m), y))
            solve_minimum_norm(count, rank, L, gram, z)
            for i in range(count):
                k = int(order[i])
                y[k] += scale[k] * z[i]
        wrong = 0
        for i in range(count):
            k = int(order[i])
            rest, size = -right[k], fabs(right[k])
            for j in range(m):
                term = D[k * m + j] * y[j]
                rest += term
                size += fabs(term)
            wrong += int(fabs(rest) > EQUATION_ZERO * size)
        if wrong == 0:
            return 0
        if rank == count:
            return 1
    return 1
