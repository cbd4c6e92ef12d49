"""Limits of friction from its law: what it is while it slides, and what it holds at rest."""

from __future__ import annotations

from collections.abc import Callable

from motorik.algebra.scalar import Scalar, maximum, where
from motorik.components.base.contributions import Limits


def friction_limits(
    sliding: Callable[[Scalar], Scalar],
    holding: Scalar,
    w: Scalar,
    way: Scalar | None,
    on: Scalar = 1.0,
) -> Limits:
    """Return what friction along the speed w may be; `way` is the direction in which it slides.

    `sliding(w)` is its size at a speed w ≥ 0, `holding` the largest at rest. What slides
    forward keeps its law through rest, so that a step beyond it meets no corner. The law of
    the other direction is not asked at negative speeds, where it may be no number; with None
    it is, as laws may be that are numbers at any speed.
    """
    if way is None:
        return Limits(-holding, holding, -sliding(w), sliding(-w), on)
    forward, backward = sliding(_ahead(w, way)), sliding(_ahead(-w, -way))
    return Limits(-holding, holding, -forward, backward, on)


def _ahead(w: Scalar, way: Scalar) -> Scalar:
    return where(way > 0.0, w, maximum(w, 0.0))
