"""NewtonMethod: loops closed by iteration on numbers, damped where they resist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from motorik.algebra.scalar import is_number
from motorik.errors import AssemblyError, LoopError

if TYPE_CHECKING:
    from motorik.mobile.solvers.tracing import TracedLoop


@dataclass(frozen=True)
class NewtonMethod:
    """Newton's method with Levenberg's damping: min |J Δq + f|² + μ |D Δq|².

    D holds the lengths of the columns of J; μ is zero as long as the residual f falls by
    itself. The iteration ends with the undamped step that is shorter than `step` (relative
    to 1 + |q|): what is left is of the order of its square. No coordinate moves by more than
    `stride` at once; a step to where a loop inside cannot close is shortened. Where it gets
    stuck, it begins again a little aside of the guess.
    """

    step: float = 1e-8
    stride: float = 1.0
    tolerance: float = 1e-10
    iterations: int = 100
    aside: tuple[float, ...] = (0.1, -0.3)

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
        best: tuple[float, np.ndarray] = (np.inf, guess)
        for away in (0.0, *self.aside):
            start = guess + away * pattern
            if away and _residual_or_none(closure, start) is None:
                continue
            q, f, is_closed = self._iterate(closure, start)
            if is_closed:
                return [float(value) for value in q]
            if np.linalg.norm(f) < best[0]:
                best = float(np.linalg.norm(f)), q
        _residual(closure, guess)
        _refuse(closure, *best)

    def _iterate(
        self, closure: TracedLoop, q: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, bool]:
        """Return where the iteration from q ends, what is left there, and if it is closed."""
        f = _residual(closure, q)
        damping = 0.0
        for _ in range(self.iterations):
            J = np.array(closure.jacobian(), dtype=float)
            allowed = self.tolerance * max(1.0, float(np.max(np.abs(J))))
            size = np.linalg.norm(f)
            for _ in range(30):
                change = self._change(J, f, damping)
                trial = q + change
                f_trial = _residual_or_none(closure, trial)
                if f_trial is None:
                    damping = max(10.0 * damping, 1e-3)
                    continue
                is_last = (
                    damping == 0.0
                    and np.max(np.abs(change) / (1.0 + np.abs(trial))) <= self.step
                    and np.max(np.abs(f_trial)) <= allowed
                )
                if is_last:
                    return trial, f_trial, True
                if np.linalg.norm(f_trial) < size:
                    break
                damping = max(10.0 * damping, 1e-3)
            else:
                return q, f, False
            q, f = trial, f_trial
            if size - np.linalg.norm(f) <= 1e-10 * size:
                return q, f, False
            damping = 0.1 * damping if damping > 1e-2 else 0.0
        return q, f, False

    def _change(self, J: np.ndarray, f: np.ndarray, damping: float) -> np.ndarray:
        """Return the step Δq, shortened to the stride."""
        if damping:
            D = np.diag(np.sqrt(damping) * np.maximum(np.linalg.norm(J, axis=0), 1e-12))
            J, f = np.vstack([J, D]), np.concatenate([f, np.zeros(len(D))])
        change = np.linalg.lstsq(J, -f, rcond=1e-13)[0]
        return change * min(1.0, self.stride / max(float(np.max(np.abs(change))), 1e-300))


def _residual(closure: TracedLoop, q: np.ndarray) -> np.ndarray:
    return np.array(closure.residual([float(value) for value in q]), dtype=float)


def _residual_or_none(closure: TracedLoop, q: np.ndarray) -> np.ndarray | None:
    """Return the residual, or none where a loop inside this one cannot close."""
    try:
        return _residual(closure, q)
    except LoopError:
        return None


def _refuse(closure: TracedLoop, size: float, q: np.ndarray) -> NoReturn:
    named = zip(closure.unknowns, q, strict=True)
    nearest = ", ".join(f"{u.name or '?'} = {value:.6g}" for u, value in named)
    raise LoopError(
        closure.part,
        f"the loop cannot close; a residual of {size:.4g} is left at the nearest place "
        f"reached: {nearest}.",
        "Change the inputs or the lengths by about that much, or begin from a better guess.",
    )
