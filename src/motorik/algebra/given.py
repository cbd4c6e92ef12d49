"""Checks of numbers given for axes and rotations; symbols are not checked."""

from __future__ import annotations

import math

from motorik.algebra.matrix import Matrix, MatrixLike, fixed_matrix
from motorik.algebra.vector import Vector, VectorLike, X, Y, Z
from motorik.errors import ParameterError


def unit_axis(axis: VectorLike, part: str = "axis") -> Vector:
    """Return the unit vector of an axis of numbers; symbols and unit vectors as they are."""
    e = Vector.of(axis)
    if e is X or e is Y or e is Z:
        return e
    x, y, z = e.x, e.y, e.z
    if not x.__class__ is y.__class__ is z.__class__ is float:
        return e
    square = x * x + y * y + z * z
    if -1e-15 < square - 1.0 < 1e-15:
        return e
    length = math.hypot(x, y, z)
    if not 0.0 < length < math.inf:
        raise ParameterError(
            part,
            f"{e!r} has no direction.",
            "Give a vector that is not zero, such as (0, 0, 1).",
            parameter="axis",
            value=axis,
        )
    return e / length


def check_rotation(R: Matrix, part: str = "rotation", within: float = 1e-9) -> Matrix:
    """Return R, or refuse numbers that are not a rotation: R Rᵀ = 1 and det R = 1.

    `within` is the error allowed in R Rᵀ, far above rounding and far below a mistake.
    Symbols and arrays of many values are not checked.
    """
    if not all(e.__class__ is float for e in R.entries):
        return R
    x, y, z = R.rows
    gaps = (
        *(a.dot(a) - 1.0 for a in (x, y, z)),
        *(x.dot(y), x.dot(z), y.dot(z)),
    )
    error = max(map(abs, gaps))
    if not error <= within:
        raise ParameterError(
            part,
            f"{R!r} is not a rotation: R Rᵀ differs from 1 by {error:.3g}.",
            "Its rows must be perpendicular unit vectors; rotation_with_xy(n_x, n_y) makes "
            "a rotation of two directions, rotation_about(axis, angle) of an angle in rad.",
            parameter="R",
            value=R,
        )
    if x.dot(y.cross(z)) < 0.0:
        raise ParameterError(
            part,
            f"{R!r} is a reflection, its determinant is −1.",
            "Reverse one row, so that x × y = z.",
            parameter="R",
            value=R,
        )
    return R


def fixed_rotation(R: MatrixLike, part: str = "rotation") -> Matrix:
    """Return the matrix of rows, checked, or the present state of one that can be changed."""
    if isinstance(R, Matrix):
        return fixed_matrix(R)
    return check_rotation(Matrix.of(R), part)


__all__ = ["check_rotation", "fixed_rotation", "unit_axis"]
