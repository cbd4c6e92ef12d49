"""Parts of equations that look alike: the solution of one is tried first for the next."""

from __future__ import annotations

import numpy as np

from motorik.numerics.iterations import Residual

DIGITS = 9  # decimals to which those that look alike agree, in scales


class Alike:
    """Solutions found for parts, by what makes parts look alike.

    Parts that look alike begin at the same coordinates with the same scales, weights and
    gaps. Nothing is taken that does not close the part itself.
    """

    def __init__(self) -> None:
        self._known: dict[object, list[tuple[np.ndarray, float]]] = {}

    def key(
        self, residual: Residual, x: np.ndarray, scale: np.ndarray, *weights: np.ndarray
    ) -> object:
        """Return what parts that look alike share, where they begin at own coordinates x."""
        numbers = (x / scale, residual(x)[0], scale, *weights)
        rounded = (np.round(np.asarray(n, dtype=float), DIGITS) + 0.0 for n in numbers)
        return tuple(n.tobytes() for n in rounded)

    def note(self, key: object, found: list[tuple[np.ndarray, float]]) -> None:
        """Keep what was found for a part: coordinates with gaps."""
        self._known[key] = found

    def closed(
        self, residual: Residual, key: object, tolerance: float
    ) -> list[tuple[np.ndarray, float]]:
        """Return what was found for one that looks alike, nothing if it does not close this."""
        found = []
        for x, _ in self._known.get(key, ()):
            gap = float(np.abs(residual(x)[0]).max(initial=0.0))
            if not gap < 1e-2 * tolerance:
                return []
            found.append((x, gap))
        return found
