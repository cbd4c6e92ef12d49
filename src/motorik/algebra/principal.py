"""Principal moments and axes of inertia tensors, and which tensors real bodies have."""

from __future__ import annotations

import numpy as np

from motorik.algebra.matrix import Matrix, Symmetric
from motorik.algebra.scalar import is_number
from motorik.algebra.vector import Vector
from motorik.errors import ParameterError


def principal_axes(I: Symmetric) -> tuple[Vector, Matrix]:
    """Return the principal moments, smallest first, and R with I = R diag(moments) Rᵀ.

    The columns of R are the principal axes, right-handed. Numbers only.
    """
    if not all(map(is_number, I.entries)):
        raise ParameterError(
            "principal axes",
            f"{I!r} are not numbers.",
            "Put numbers in for the symbols first.",
            parameter="I",
            value=I,
        )
    moments, axes = np.linalg.eigh(I.numpy())
    axes = axes * np.array([1.0, 1.0, np.sign(np.linalg.det(axes))])
    return Vector.of(moments), Matrix.of(axes)


def check_tensor(I: Symmetric, part: str = "inertia") -> Symmetric:
    """Return I, or refuse numbers that no body has as its inertia about its centre of mass.

    Principal moments A ≤ B ≤ C are not negative, and A + B ≥ C, to 1e-9 of C. Symbols are
    not checked.
    """
    if not all(e.__class__ is float for e in I.entries):
        return I
    if not np.isfinite(I.entries).all():
        raise ParameterError(
            part,
            f"{I!r} is not finite.",
            "Give six finite numbers.",
            parameter="I",
            value=I,
        )
    a, b, c = principal_axes(I)[0].xyz
    if a >= -1e-9 * abs(c) and a + b >= c * (1.0 - 1e-9):
        return I
    raise ParameterError(
        part,
        f"no body has the principal moments {a:.6g}, {b:.6g}, {c:.6g} kg·m².",
        "None is negative, and the largest is at most the sum of the others; I is about the "
        "centre of mass. An idealised tensor, such as one for the plane, is given as "
        "Symmetric(0, 0, J), which is not checked.",
        parameter="I",
        value=I,
    )


__all__ = ["check_tensor", "principal_axes"]
