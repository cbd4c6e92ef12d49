"""Block states at the start: as they follow from the inputs of their blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.compiler import NativeFunction, compile_functions
from motorik.compiler.symbols import elements, make_function
from motorik.errors import AssemblyError, InitialValueError
from motorik.motion.view import MotionView
from motorik.numerics.newton import undamped_newton
from motorik.numerics.tolerances import BLOCK_DIFFERENCE, RANK

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel


class BlockStart:
    """The states of signal blocks of the motion X: z = f(t, X, u̇, λ, live parameters).

    Where the inputs of blocks depend on the states that are sought, because the blocks are in
    a feedback loop or act on the accelerations that they measure, or where states are to rest
    but do not follow from the inputs (an integrator), Newton's method finds them together.
    Multipliers λ are found only where a block takes a force of reaction.
    """

    def __init__(self, system: CompiledModel) -> None:
        self.system = system
        equations, layout = system.equations, system.layout
        t, q, u, ud, z, forces = equations.symbols("t", "q", "u", "ud", "z", "lambda")
        motion = elements(q), elements(u), elements(ud)
        motion = MotionView(system.mechanism, *motion, t, elements(z), elements(forces))
        given = {"t": t, "q": q, "u": u, "ud": ud, "z": z, "lambda": forces}
        given["p"] = equations.live
        signals = system.mechanism.signals
        self._found = signals.found_states
        self._forces = np.zeros(equations.n_multipliers)
        self._layout = layout
        is_implicit = signals.is_found_by_rest
        if not is_implicit:
            try:
                found = signals.start_values(motion, elements(z), t)
            except AssemblyError:  # a loop: of the steady states, or of the laws as well
                is_implicit = True
            else:
                self._explicit: Any = make_function("blocks", given, found)
                is_implicit = any(self._explicit.jac_sparsity(0, k).nnz() for k in (3, 5))
        if is_implicit:
            self._explicit = None
        residual = signals.start_residual(motion, elements(z), t)
        self._residual: Any = make_function("residual", given, residual)
        takes = self._residual.jac_sparsity(0, 5).nnz()
        self._needs_forces = equations.n_multipliers > 0 and bool(takes)

    @staticmethod
    def of(system: CompiledModel) -> BlockStart | None:
        """Return it, made once; None if the states of all blocks are given."""
        if not system.layout.blocks or not system.mechanism.signals.found_states:
            return None
        memory = system.initialisation
        if memory.blocks is None:
            memory.blocks = BlockStart(system)
        return memory.blocks

    def compile(self) -> None:
        """Make native code of it, once."""
        if self._explicit is None:
            if not isinstance(self._residual, NativeFunction):
                self._residual = compile_functions({"residual": self._residual})["residual"]
        elif not isinstance(self._explicit, NativeFunction):
            self._explicit = compile_functions({"blocks": self._explicit})["blocks"]

    def find(self, t: float, X: np.ndarray, p: np.ndarray, fixed: np.ndarray) -> np.ndarray:
        """Return the motion with the states of blocks as they follow, those `fixed` kept."""
        first = X.size - len(self._layout.blocks)
        own = [k for k in self._found if not fixed[first + k]]
        if not own:
            return X
        if self._explicit is None or len(own) < len(self._found):
            return self._solved(t, X, p, own)
        return np.concatenate([X[:first], self._value(self._explicit, t, X, p)])

    def _value(
        self, function: Callable[..., object], t: float, X: np.ndarray, p: np.ndarray
    ) -> np.ndarray:
        time = np.array([t])
        q, u, z = self._layout.split(X)
        _, ud, _ = self._layout.split(self.system.full_state_rates(time, X, p))
        forces = self._forces
        if self._needs_forces:
            forces = self.system.multipliers(time, X[None], ud[None], p)[0]
        live = self._layout.live_of(p)
        found = function(time, q, u, ud, z, forces, live)
        return np.asarray(found, dtype=float).ravel()

    def _solved(self, t: float, X: np.ndarray, p: np.ndarray, own: list[int]) -> np.ndarray:
        """Return the motion with those states `own` at which their residual vanishes."""
        X = X.copy()
        rows = [self._found.index(k) for k in own]
        at = X.size - len(self._layout.blocks) + np.array(own)

        def residual_of(X: np.ndarray) -> np.ndarray:
            return self._value(self._residual, t, X, p)[rows]

        def inverse_of(z: np.ndarray, residual: np.ndarray) -> np.ndarray:
            X[at] = z
            return self._inverse(residual_of, X, at, residual, own)

        def residual_at(z: np.ndarray) -> np.ndarray:
            X[at] = z
            return residual_of(X)

        found = undamped_newton(residual_at, inverse_of, X[at])
        if found is not None:
            X[at] = found
            return X
        raise InitialValueError(
            ", ".join(self._parts(own)),
            "no steady state was found at the start, as initType requires.",
            'Give start values and initType="InitialState", or better ones to search from.',
        )

    def _inverse(
        self,
        residual_of: Callable[[np.ndarray], np.ndarray],
        X: np.ndarray,
        at: np.ndarray,
        residual: np.ndarray,
        own: list[int],
    ) -> np.ndarray:
        """Return the inverse of the residual's derivatives with respect to the states sought."""
        J = np.empty((at.size, at.size))
        for column, k in enumerate(at):
            moved = X.copy()
            moved[k] += BLOCK_DIFFERENCE * max(abs(X[k]), 1.0)
            J[:, column] = (residual_of(moved) - residual) / (moved[k] - X[k])
        columns = np.abs(J).max(axis=0)
        rows = np.abs(J).max(axis=1)
        columns[columns == 0.0] = 1.0
        scaled = J / np.where(rows == 0.0, 1.0, rows)[:, None] / columns
        _, sizes, directions = np.linalg.svd(scaled)
        if not sizes[-1] > RANK * sizes[0]:
            free = [own[i] for i in np.flatnonzero(np.abs(directions[-1]) > 0.1)]
            raise InitialValueError(
                ", ".join(self._parts(free)),
                "starts at rest by initType, which does not determine "
                f"{', '.join(self._names(free))}: the inputs do not depend on the output, or "
                "several values give rest.",
                'Give start values and initType="InitialState".',
            )
        return np.linalg.inv(J)

    def _names(self, states: list[int]) -> list[str]:
        return [self._layout.blocks[k].name for k in states]

    def _parts(self, states: list[int]) -> list[str]:
        return list(dict.fromkeys(n.rpartition(".")[0] for n in self._names(states)))
