"""Arrows: how long a force or torque is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motorik.view.looks.forces import NOT_SCALED
from motorik.view.looks.setting import Sizes
from motorik.view.scene.shapes import Shape
from motorik.view.scene.signs import Arrow, Reading

LONGEST = 0.3  # length of the longest arrow of a run, of the extent of the model


def scaled(
    shapes: Sequence[Shape], rows: Sequence[np.ndarray], sizes: Sizes, weight: float
) -> list[Shape]:
    """Return shapes with arrows scaled so that the longest of all rows of channels fits.

    All forces have one scale, and all torques. Where all vanish the weight of the model would
    be as long.
    """
    longest = LONGEST * sizes.extent
    scales: dict[bool, float] = {}
    for double in (False, True):
        usual = weight * sizes.extent if double else weight
        largest = max((_largest(one, rows) for one in _open(shapes, double)), default=0.0)
        scales[double] = longest / (largest or usual or 1.0)
    return [_with_scale(shape, scales) for shape in shapes]


def _open(shapes: Sequence[Shape], double: bool) -> list[Reading]:
    """Return the vectors of forces or torques whose scale was not chosen."""
    arrows = [one.vector for one in shapes if isinstance(one, Arrow)]
    vectors = [one for one in arrows if one is not None and one.scale == NOT_SCALED]
    return [one for one in vectors if one.double == double]


def _largest(vector: Reading, rows: Sequence[np.ndarray]) -> float:
    columns = list(vector.channels)
    lengths = [np.linalg.norm(values[:, columns], axis=1) for values in rows]
    finite = [one[np.isfinite(one)] for one in lengths]
    return max((float(one.max()) for one in finite if one.size), default=0.0)


def _with_scale(shape: Shape, scales: dict[bool, float]) -> Shape:
    if not isinstance(shape, Arrow) or shape.vector is None:
        return shape
    if shape.vector.scale != NOT_SCALED:
        return shape
    return replace(shape, vector=replace(shape.vector, scale=scales[shape.vector.double]))
