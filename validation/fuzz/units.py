"""Units of a case: mechanisms are drawn in natural units and built in any others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Dimension = tuple[int, int, int]  # exponents of length, mass and time
Number = float | Sequence[float] | np.ndarray

ONE: Dimension = (0, 0, 0)
LENGTH: Dimension = (1, 0, 0)
MASS: Dimension = (0, 1, 0)
RATE: Dimension = (0, 0, -1)
SPEED: Dimension = (1, 0, -1)
ACCELERATION: Dimension = (1, 0, -2)
INERTIA: Dimension = (2, 1, 0)
FORCE: Dimension = (1, 1, -2)
TORQUE: Dimension = (2, 1, -2)
STIFFNESS: Dimension = (0, 1, -2)
DAMPING: Dimension = (0, 1, -1)
TURN_DAMPING: Dimension = (2, 1, -1)
POWER: Dimension = (2, 1, -3)

BY_NAME: dict[str, Dimension] = {
    "": ONE,
    "1": ONE,
    "rad": ONE,
    "m": LENGTH,
    "rad/s": RATE,
    "m/s": SPEED,
    "rad/s2": (0, 0, -2),
    "m/s2": ACCELERATION,
    "N": FORCE,
    "N.m": TORQUE,
    "J": TORQUE,
    "W": POWER,
}


@dataclass(frozen=True)
class Units:
    """How many of the model's units one natural length, mass and time are."""

    length: float = 1.0
    mass: float = 1.0
    time: float = 1.0

    def of(self, dimension: Dimension) -> float:
        """Return how many of the model's units one natural unit of a dimension is."""
        a, b, c = dimension
        return self.length**a * self.mass**b * self.time**c

    def finer(self, factor: float) -> Units:
        """Return units in which all numbers of length, mass and time are so much larger."""
        return Units(factor * self.length, factor * self.mass, factor * self.time)

    def __str__(self) -> str:
        return f"L {self.length:.1g} M {self.mass:.1g} T {self.time:.1g}"


@dataclass(frozen=True)
class Value:
    """A number in natural units with its dimension; `fixed` tells start values from others."""

    number: Number
    dimension: Dimension = ONE
    fixed: bool | None = None
