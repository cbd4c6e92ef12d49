"""Symmetric linear systems of scalars of any kind, by factorisation without pivots."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.scalar import Scalar, div, is_number, mul, sub
from motorik.errors import AssemblyError

SINGULAR = 1e-13  # what may be left of a diagonal entry by the elimination of the others


def solve_symmetric(
    M: Sequence[Sequence[Scalar]], F: Sequence[Scalar], names: Sequence[str]
) -> list[Scalar]:
    """Return x of M x = F for a positive definite M, by M = LᵀDL.

    The last unknown is eliminated first: the mass matrix of a tree whose variables are
    numbered from the root outwards then keeps the zeros between its branches. Numbers for
    which M is not positive definite raise `AssemblyError` with the name of the unknown.
    """
    n = len(F)
    L = [list(row) for row in M]
    x = list(F)
    for k in reversed(range(n)):
        _check_pivot(names[k], L[k][k], M[k][k])
        for i in range(k):
            a = div(L[k][i], L[k][k])
            for j in range(i + 1):
                L[i][j] = sub(L[i][j], mul(a, L[k][j]))
            x[i] = sub(x[i], mul(a, x[k]))
    for k in range(n):
        for i in range(k):
            x[k] = sub(x[k], mul(L[k][i], x[i]))
        x[k] = div(x[k], L[k][k])
    return x


def _check_pivot(name: str, left: Scalar, given: Scalar) -> None:
    if not is_number(left) or left > SINGULAR * abs(given):
        return
    if given > 0.0:
        why = f"moves no mass together with others: of its inertia {given:.6g} {left:.3g} is left."
    else:
        why = f"nothing resists its motion: its inertia is {given:.6g}."
    raise AssemblyError(
        name, why, "Give what it moves mass and inertia, or take it from the variables."
    )
