"""NewtonMethod: loops closed by iteration on numbers, damped where they resist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import is_number
from motorik.errors import AssemblyError, LoopError

if TYPE_CHECKING:
    from motorik.elements.tracing import Closure


@dataclass(frozen=True)
class NewtonMethod:
    """Newton's method with Levenberg's damping:  (JᵀJ + μ D) Δq = −Jᵀ f,  D = diag(JᵀJ).

    μ is zero as long as the residual falls. The iteration ends with the step that is
    shorter than `step` (relative to 1 + |q|): the error left is of the order of its square.
    No coordinate moves by more than `stride` in one step. A loop that cannot close ends in
    the nearest place it reaches, which the error names.
    """

    step: float = 1e-8
    stride: float = 1.0
    tolerance: float = 1e-10
    iterations: int = 200

    def solve(self, closure: Closure) -> list[float]:
        """Return the positions of the unknowns for which the residuals vanish."""
        if not all(is_number(value) for value in closure.guess):
            raise AssemblyError(
                closure.part,
                "an iteration cannot run on symbols.",
                "Trace it by `compile`, which records the loop to be solved natively.",
            )
        q = np.array(closure.guess, dtype=float)
        f = self._residual(closure, q)
        damping = 0.0
        for _ in range(self.iterations):
            J = np.array(closure.jacobian(), dtype=float)
            start, f_start, is_shorter = q, f, False
            for _ in range(30):
                change = self._change(J, f_start, damping)
                q = start + change
                f = self._residual(closure, q)
                is_short = np.max(np.abs(change) / (1.0 + np.abs(q))) <= self.step
                is_shorter = bool(np.linalg.norm(f) < np.linalg.norm(f_start))
                if is_shorter or is_short:
                    break
                damping = max(10.0 * damping, 1e-3)
            if is_short and np.max(np.abs(f)) <= self.tolerance:
                return [float(value) for value in q]
            if is_short and damping == 0.0 or not is_shorter:
                break
            damping = 0.1 * damping if damping > 1e-6 else 0.0
        self._refuse(closure, q, f)

    def _residual(self, closure: Closure, q: np.ndarray) -> np.ndarray:
        return np.array(closure.residual([float(value) for value in q]), dtype=float)
