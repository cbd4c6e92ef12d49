"""Functions of named columns of symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar

if TYPE_CHECKING:
    import casadi


def elements(vector: casadi.SX) -> list[casadi.SX]:
    """Return the scalars of a column of symbols."""
    import casadi

    return casadi.vertsplit(vector) if vector.numel() else []


def make_function(
    name: str, arguments: Mapping[str, casadi.SX], values: Sequence[Scalar] | casadi.SX
) -> casadi.Function:
    """Return a function of named arguments to one dense column."""
    import casadi

    out = casadi.vertcat(*values) if isinstance(values, list) else values
    column = casadi.densify(casadi.SX(out))
    return casadi.Function(
        name, list(arguments.values()), [column], list(arguments), ["out"]
    )


def table(matrix: casadi.SX) -> dict[tuple[int, int], Scalar]:
    """Return the entries of a sparse matrix by their places, constants as numbers."""
    import casadi

    rows, columns = matrix.sparsity().get_triplet()
    values = elements(casadi.vec(matrix.nz[:]))  # of a single row they are a row
    return {
        (i, j): float(v) if v.is_constant() else v
        for i, j, v in zip(rows, columns, values, strict=True)
        if not v.is_zero()
    }
