"""Mass properties: the inertia tensor of a body, and its physical limits."""

from __future__ import annotations

import numpy as np

from motorik.algebra.matrix import Symmetric
from motorik.components.base.part import Part, Values
from motorik.errors import ParameterError


def inertia_tensor(p: Values) -> Symmetric:
    """Return the inertia tensor of a body's parameters."""
    return (
        p.I
        if p.I is not None
        else Symmetric(p.I_11, p.I_22, p.I_33, p.I_21, p.I_31, p.I_32)
    )


def check_once(part: Part, p: Values) -> None:
    """Refuse an inertia that is given twice, as a matrix and by its elements."""
    if p.I is None:
        return
    elements = [name for name in part.specs if name.startswith("I_")]
    both = [n for n in elements if getattr(p, n) != part.specs[n].default]  # type: ignore[union-attr]
    if both:
        raise ParameterError(
            part.label,
            f"its inertia is given twice, as the matrix I and as {', '.join(both)}.",
            "Give one of the two.",
            parameter="I",
            value=p.I,
        )


def check_inertia(part: str, m: float, I: Symmetric) -> None:
    """Refuse a mass or an inertia tensor [kg·m²] that no real body has."""
    if not m > 0.0:
        raise ParameterError(
            part,
            f"m = {m:g} kg is not positive.",
            "A body needs a mass; use a frame without one.",
            parameter="m",
            value=m,
        )
    a, b, c = principal(I)
    if a > 0.0 and a + b >= c * (1 - 1e-9):
        return
    shown = f"principal inertias {a:g}, {b:g}, {c:g} kg.m2"
    if a <= 0.0:
        raise ParameterError(
            part,
            f"{shown}: an inertia is not positive.",
            "Give a positive definite tensor about the centre of mass, or use PointMass.",
            parameter="I",
            value=(a, b, c),
        )
    raise ParameterError(
        part,
        f"{shown}: the largest exceeds the sum of the others, which no real body has.",
        "Check the tensor: it is about the centre of mass, in kg.m2. "
        "`physical=False` accepts it.",
        parameter="I",
        value=(a, b, c),
    )


def principal(I: Symmetric) -> list[float]:
    """Return the principal values of a tensor of numbers, the smallest first."""
    *diagonal, xy, xz, yz = map(float, I.entries)
    if xy == xz == yz == 0.0:
        return sorted(diagonal)
    return np.linalg.eigvalsh(I.numpy()).tolist()
