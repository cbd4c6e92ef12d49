"""NewtonMethod: loops closed by iteration on numbers, from the guess or a little beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import numpy as np

from motorik.algebra.scalar import is_number
from motorik.errors import AssemblyError, LoopError
from motorik.immutable import immutable
from motorik.numerics.newton import close_near, damped_newton, nearest

if TYPE_CHECKING:
    from motorik.mobile.solvers.tracing import TracedLoop


@immutable
class NewtonMethod:
    """Newton's method with damping, the same that closes the loops of models.

    A loop is closed where no measure is larger than `tolerance`, relative to the largest
    entry of the Jacobian if that is above 1. Where the iteration gets stuck, it continues by
    least squares, and starts again a little `aside` of the guess. Places where a loop inside
    this one cannot close are no progress.
    """

    tolerance: float = 1e-10
    aside: tuple[float, ...] = (0.0, 0.1, -0.3)

    def measure(self, closure: TracedLoop) -> _Measure:
        """Return residual and Jacobian of a loop as a function of its unknowns."""
        return _Measure(closure)

    def solve(self, closure: TracedLoop) -> list[float]:
        """Return the positions of the unknowns for which the residuals vanish."""
        if not all(is_number(value) for value in closure.guess):
            raise AssemblyError(
                closure.part,
                "an iteration cannot run on symbols.",
                "Trace the chain by `compile`, which records its loops.",
            )
        guess = np.array(closure.guess, dtype=float)
        pattern = np.sin(1.0 + np.arange(len(guess)))
        scale, free = np.ones(len(guess)), np.ones(len(guess), dtype=bool)
        measure = _Measure(closure)
        best: tuple[float, np.ndarray] = (np.inf, guess)
        for away in self.aside:
            q, size = damped_newton(measure, guess + away * pattern, free, scale)
            if size > self.tolerance * measure.steepest:
                begin = nearest(measure, q, free, scale)
                q, size = damped_newton(measure, begin, free, scale)
            if size <= self.tolerance * measure.steepest:
                measure(q)
                return [float(value) for value in q]
            if size < best[0]:
                best = size, q
        closure.residual([float(value) for value in guess])
        _refuse(closure, *best)


@immutable
class NearMethod:
    """Newton's method from a guess that is nearly closed, for poses that follow each other.

    It takes few steps, none farther than `reach` [rad, m] from the guess, and gives up soon
    where there is no solution.
    """

    reach: float
    tolerance: float = 1e-10

    def solve(self, closure: TracedLoop) -> list[float]:
        """Return the positions of the unknowns for which the residuals vanish."""
        measure = _Measure(closure)
        guess = np.array(closure.guess, dtype=float)
        q, size, _ = close_near(measure, guess, self.reach, self.tolerance)
        if not size <= self.tolerance * measure.steepest:
            _refuse(closure, size, q)
        measure(q)
        return [float(value) for value in q]


class _Measure:
    """Residual and Jacobian of a loop, infinite where a loop inside it cannot close."""

    def __init__(self, closure: TracedLoop) -> None:
        self._closure = closure
        self.steepest = 1.0

    def __call__(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        n = len(q)
        try:
            f = np.array(self._closure.residual([float(x) for x in q]), dtype=float)
            J = np.array(self._closure.jacobian(), dtype=float)
        except LoopError:
            return np.full(n, np.inf), np.full((n, n), np.inf)
        self.steepest = max(1.0, float(np.max(np.abs(J))))
        return f, J


def _refuse(closure: TracedLoop, size: float, q: np.ndarray) -> NoReturn:
    named = zip(closure.unknowns, q, strict=True)
    place = ", ".join(f"{u.name or '?'} = {value:.6g}" for u, value in named)
    raise LoopError(
        closure.part,
        f"the loop cannot close; a residual of {size:.4g} is left at the nearest position "
        f"reached: {place}.",
        "Change the inputs or the lengths by about that much, or start from a better guess.",
    )
