"""Energy of elements and systems, and the gravity field that it is measured in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from motorik.algebra.scalar import Scalar, add
from motorik.algebra.vector import Vector

if TYPE_CHECKING:
    from motorik.mobile.states.frame import Frame

Field = Callable[["Frame"], Vector]
"""The gravity acceleration g [m/s²] of the parts a frame carries, in inertial axes."""


class Energy(NamedTuple):
    """Kinetic energy, potential energy in the field of gravity, and that of springs [J]."""

    kinetic: Scalar = 0.0
    potential: Scalar = 0.0
    stored: Scalar = 0.0

    def plus(self, other: Energy) -> Energy:
        """Return the sum, each kind by itself."""
        return Energy(*(add(a, b) for a, b in zip(self, other, strict=True)))
