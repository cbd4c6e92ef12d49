"""Small dense systems of linear equations in scalars of any kind: general, and definite."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motorik.algebra.scalar import Scalar, add, div, is_number, mul, neg, sqrt, sub
from motorik.numerics.tolerances import DEFINITE_PIVOT, LINEAR_RANK

Rows = Sequence[Sequence[Scalar]]


class SingularError(ArithmeticError):
    """A system has no unique solution; `rank` of its equations are independent."""

    def __init__(self, rank: int, size: int) -> None:
        super().__init__(f"{rank} of {size} equations are independent")
        self.rank, self.size = rank, size


class IndefiniteError(ArithmeticError):
    """A symmetric matrix is not positive definite: entry `index`, `given`, is reduced to `left`."""

    def __init__(self, index: int, left: float, given: float) -> None:
        super().__init__(f"of entry {index}, {given:.6g}, {left:.3g} is left")
        self.index, self.left, self.given = index, left, given


def solve_linear(A: Rows, b: Sequence[Scalar]) -> list[Scalar]:
    """Return x with A x = b.

    Numbers are solved with a check of the rank. For symbols the formula divides only by
    terms that vanish with the determinant: Cramer's rule up to three unknowns,
    orthogonalisation beyond.
    """
    if all(is_number(entry) for row in A for entry in row) and all(map(is_number, b)):
        return _solve_numbers(np.array(A, dtype=float), np.array(b, dtype=float))
    return _solve_by_cramer(A, b) if len(b) <= 3 else _solve_by_orthogonalising(A, b)


def solve_symmetric(
    M: Rows, F: Sequence[Scalar], above: Sequence[int] | None = None
) -> list[Scalar]:
    """Return x of M x = F for a symmetric, positive definite M, by M = LᵀDL without pivots.

    The last unknown is eliminated first: the mass matrix of a tree whose variables are
    numbered from the root outwards then keeps the zeros between its branches (Featherstone
    2008, §6.5). `above` is the unknown next to each one towards the root, −1 at the root: only
    entries between an unknown and those above it are not zero. Numbers for which M is not
    positive definite raise `IndefiniteError`.
    """
    n = len(F)
    L, x = [list(row) for row in M], list(F)
    parents = range(-1, n - 1) if above is None else above
    D_inverse: list[Scalar] = [0.0] * n
    for k in reversed(range(n)):
        left, given = L[k][k], M[k][k]
        if is_number(left) and not left > DEFINITE_PIVOT * abs(given):
            raise IndefiniteError(k, float(left), float(given))
        D_inverse[k] = div(1.0, left)
        i = parents[k]
        while i != -1:
            a = mul(L[k][i], D_inverse[k])
            j = i
            while j != -1:
                L[i][j] = sub(L[i][j], mul(a, L[k][j]))
                j = parents[j]
            L[k][i] = a
            i = parents[i]
    for k in reversed(range(n)):  # Lᵀ y = F
        i = parents[k]
        while i != -1:
            x[i] = sub(x[i], mul(L[k][i], x[k]))
            i = parents[i]
    x = [mul(value, d) for value, d in zip(x, D_inverse, strict=True)]
    for k in range(n):  # L x = D⁻¹ y
        i = parents[k]
        while i != -1:
            x[k] = sub(x[k], mul(L[k][i], x[i]))
            i = parents[i]
    return x


def transposed(A: Rows) -> list[list[Scalar]]:
    """Return Aᵀ."""
    return [list(column) for column in zip(*A, strict=True)]


def _solve_numbers(A: np.ndarray, b: np.ndarray) -> list[float]:
    U, s, Vt = np.linalg.svd(A)
    rank = int(np.sum(s > LINEAR_RANK * max(s[0], 1.0)))
    if rank < len(b):
        raise SingularError(rank, len(b))
    return [float(x) for x in Vt.T @ ((U.T @ b) / s)]


def _determinant(A: Rows) -> Scalar:
    if len(A) == 1:
        return A[0][0]
    total: Scalar = 0.0
    for j, entry in enumerate(A[0]):
        minor = _determinant([[*row[:j], *row[j + 1 :]] for row in A[1:]])
        term = mul(entry, minor)
        total = sub(total, term) if j % 2 else add(total, term)
    return total


def _solve_by_cramer(A: Rows, b: Sequence[Scalar]) -> list[Scalar]:
    determinant = _determinant(A)
    columns = range(len(b))
    replaced = (
        [[*row[:j], value, *row[j + 1 :]] for row, value in zip(A, b, strict=True)]
        for j in columns
    )
    return [div(_determinant(matrix), determinant) for matrix in replaced]


def _solve_by_orthogonalising(A: Rows, b: Sequence[Scalar]) -> list[Scalar]:
    """Return x from A = Q R by the modified Gram–Schmidt method: R x = Qᵀ b."""
    columns = transposed(A)
    size = len(b)
    rest = list(b)
    R: list[list[Scalar]] = [[0.0] * size for _ in range(size)]
    projected: list[Scalar] = []
    for i in range(size):
        R[i][i] = sqrt(_dot(columns[i], columns[i]))
        unit = [div(entry, R[i][i]) for entry in columns[i]]
        for j in range(i + 1, size):
            R[i][j] = _dot(unit, columns[j])
            columns[j] = _less(columns[j], R[i][j], unit)
        projected.append(_dot(unit, rest))
        rest = _less(rest, projected[i], unit)
    x: list[Scalar] = [0.0] * size
    for i in reversed(range(size)):
        known = _dot(R[i][i + 1 :], x[i + 1 :])
        x[i] = div(sub(projected[i], known), R[i][i])
    return x


def _dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    total: Scalar = 0.0
    for x, y in zip(a, b, strict=True):
        total = add(total, mul(x, y))
    return total


def _less(a: Sequence[Scalar], factor: Scalar, b: Sequence[Scalar]) -> list[Scalar]:
    return [sub(x, mul(factor, y)) for x, y in zip(a, b, strict=True)]


def negated(values: Sequence[Scalar]) -> list[Scalar]:
    """Return −b."""
    return [neg(value) for value in values]


__all__ = ["SingularError", "negated", "solve_linear", "transposed"]
