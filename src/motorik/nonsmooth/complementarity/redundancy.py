"""Kernels: forces of redundant sticking constraints.

The Delassus matrix of the sticking constraints is symmetric positive semidefinite. Its null space
are the self-equilibrated forces of redundant constraints; of all solutions the one of minimum norm
is taken, by pivoted Cholesky factorisation, see `numerics/cholesky.py`.
"""

from __future__ import annotations

from math import fabs, sqrt

from motorik.compiler.kernels import Floats, Int, Ints, kernel, tail
from motorik.numerics.cholesky import cholesky_of_rank, solve_minimum_norm
from motorik.numerics.tolerances import (
    DEPENDENT_CONSTRAINT,
    DEPENDENT_TIGHT,
    EQUATION_ZERO,
)
from motorik.numerics.vectors import dot4


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
        rank = cholesky_of_rank(
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
                z[i] = scale[k] * (right[k] - dot4(m, tail(D, k * m), y))
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
