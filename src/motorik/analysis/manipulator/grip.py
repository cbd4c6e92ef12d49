"""Grip: what a hand holds of a mechanism, and where it is to go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from motorik.initialisation.checks import finite_numbers

TURN = 2.0 * np.pi

Held = Callable[..., tuple[np.ndarray, ...]]
"""Returns, of a pose, a moment and what is given, the numbers held and their Jacobian."""


@dataclass
class Grip:
    """Some numbers of the pose that are held: a point, or one variable.

    `scale` [m or rad] makes them plain numbers, `given` are further arguments of the function.
    An angle `turns`: it is counted on from where it was. `usual` is how far the strongest
    motions of the mechanism have moved it so far; `is_beyond` whether its last target was out
    of reach.
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
        """Return the numbers and their Jacobian by speeds, all in scales."""
        r, J = self.function(q, moment, *self.given)
        if self.turns and self.near is not None:
            return r + TURN * np.round((self.near - r) / TURN), J.copy()
        return r.copy(), J.copy()

    def value(self, q: np.ndarray, moment: np.ndarray) -> np.ndarray:
        """Return the numbers in SI units."""
        return self.at(q, moment)[0] * self.scale

    def take(self, r: np.ndarray) -> None:
        """Count an angle on from here."""
        if self.turns:
            self.near = float(r[0])

    def in_scales(self, target: float | Sequence[float] | np.ndarray) -> np.ndarray:
        """Return a target as plain numbers; refuse what is not finite."""
        numbers = finite_numbers(self.name, target, f"Give finite numbers in {self.unit}.")
        return np.atleast_1d(numbers) / self.scale
