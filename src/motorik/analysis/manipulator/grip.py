"""Grip: the held quantity of a mechanism and its target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from motorik.initialisation.given import finite_numbers

TURN = 2.0 * np.pi

Held = Callable[..., tuple[np.ndarray, ...]]
"""Function of a pose, an instant and further arguments to held values and their Jacobian."""


@dataclass
class Grip:
    """A held quantity: the position of a point, or one variable.

    `scale` [m or rad] makes it dimensionless, `given` are further arguments of its function. An
    angle `turns`: it is unwrapped from its last value. `usual` is the largest displacement per
    step of the mechanism so far; `is_beyond` whether its last target was out of reach.
    """

    name: str
    unit: str
    function: Held
    scale: float
    given: tuple[np.ndarray, ...] = ()
    turns: bool = False
    usual: np.ndarray = field(default_factory=lambda: np.zeros(0))
    near: float | None = None
    is_beyond: bool = False

    def at(self, q: np.ndarray, moment: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the values and their Jacobian by speeds, in scales."""
        r, J = self.function(q, moment, *self.given)
        if self.turns and self.near is not None:
            return r + TURN * np.round((self.near - r) / TURN), J.copy()
        return r.copy(), J.copy()

    def value(self, q: np.ndarray, moment: np.ndarray) -> np.ndarray:
        """Return the values in SI units."""
        return self.at(q, moment)[0] * self.scale

    def take(self, r: np.ndarray) -> None:
        """Unwrap an angle from here on."""
        if self.turns:
            self.near = float(r[0])

    def in_scales(self, target: float | Sequence[float] | np.ndarray) -> np.ndarray:
        """Return a target in scales; refuse values that are not finite."""
        numbers = finite_numbers(self.name, target, f"Give finite numbers in {self.unit}.")
        return np.atleast_1d(numbers) / self.scale
