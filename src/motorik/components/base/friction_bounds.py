"""Force bounds of friction from its law: the force of sliding, and the bounds at rest."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

from motorik.algebra.scalar import Scalar, maximum, where
from motorik.components.base.contributions import ForceBounds
from motorik.components.base.values import number_of
from motorik.errors import MotorikError, ParameterError
from motorik.numerics.tolerances import SAME_FORCE

SPEEDS = (0.0, *(10.0 ** (k / 3) for k in range(-18, 10)))  # m/s or rad/s


def check_resists(
    part: str, name: str, sliding: Callable[[float], Scalar], holding: float | None = None
) -> None:
    """Refuse a user's friction law that drives the motion at a speed up to 1000 m/s or rad/s.

    `sliding(w)` is its friction force at a speed w ≥ 0, and `holding` the largest force at rest,
    which may not be less than that of slow sliding. A law that cannot be evaluated on numbers is
    refused where it is traced.
    """
    try:
        sizes = [float(number_of(sliding(w))) for w in SPEEDS]
    except MotorikError:
        raise
    except Exception:
        return
    largest = max(map(abs, filter(isfinite, sizes)), default=0.0)
    for w, size in zip(SPEEDS, sizes, strict=True):
        if size < -SAME_FORCE * largest:
            raise ParameterError(
                part,
                f"{name} returns {size:.4g} at the speed {w:.4g}: it would drive, not resist.",
                "Let it return the size of the force, at least 0, e.g. maximum(0.0, …).",
                parameter=name,
                value=size,
            )
    if holding is not None and holding < sizes[0] - SAME_FORCE * largest:
        raise ParameterError(
            part,
            f"{name} returns {sizes[0]:.4g} at rest, and it holds only {holding:.4g} there.",
            "Let it hold at least as much at rest as it resists sliding slowly.",
            parameter=name,
            value=holding,
        )


def friction_bounds(
    sliding: Callable[[Scalar], Scalar],
    holding: Scalar,
    w: Scalar,
    direction: Scalar | None,
    on: Scalar = 1.0,
) -> ForceBounds:
    """Return the force bounds of friction at the speed w; `direction` is that of sliding.

    `sliding(w)` is its size at a speed w ≥ 0, `holding` the largest at rest. The law of
    the direction of sliding is continued through rest, so that a step beyond it meets no
    discontinuity. The law of the other direction is not evaluated at negative speeds, where it
    may be undefined; with None both are, for laws that are defined at any speed.
    """
    if direction is None:
        return ForceBounds(-holding, holding, -sliding(w), sliding(-w), on)
    forward, backward = sliding(_ahead(w, direction)), sliding(_ahead(-w, -direction))
    return ForceBounds(-holding, holding, -forward, backward, on)


def _ahead(w: Scalar, direction: Scalar) -> Scalar:
    return where(direction > 0.0, w, maximum(w, 0.0))
