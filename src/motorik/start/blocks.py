"""Block states at the start: as they follow from the inputs of their blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

from motorik.compiler import NativeFunction, compile_functions
from motorik.motion.view import MotionView
from motorik.system.functions import elements, make_function
from motorik.system.system import System


class BlockStart:
    """The states of signal blocks of the motion X: z = f(t, X, u̇, λ, live parameters).

    Multipliers λ are found only where a block takes a force of reaction.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        equations, layout = system.equations, system.layout
        t, q, u, ud, z, forces = equations.symbols("t", "q", "u", "ud", "z", "lambda")
        motion = elements(q), elements(u), elements(ud)
        motion = MotionView(system.mechanism, *motion, t, elements(z), elements(forces))
        found = system.mechanism.signals.start_values(motion, t)
        given = {"t": t, "q": q, "u": u, "ud": ud, "z": z, "lambda": forces}
        given["p"] = equations.live
        function = make_function("blocks", given, found)
        needs = equations.n_rows > 0
        self._needs_forces = needs and bool(function.jac_sparsity(0, 5).nnz())
        self._function: Any = function
        self._forces = np.zeros(equations.n_rows)
        self._layout = layout

    @staticmethod
    def of(system: System) -> BlockStart | None:
        """Return it, made once; None if the states of all blocks are given."""
        laws = system.mechanism.signals.laws
        if not system.layout.blocks or all(law.initial is None for law in laws):
            return None
        kept = system.prepared.get("blocks")
        if not isinstance(kept, BlockStart):
            kept = system.prepared["blocks"] = BlockStart(system)
        return kept

    def compile(self) -> None:
        """Make native code of it, once."""
        if not isinstance(self._function, NativeFunction):
            self._function = compile_functions({"blocks": self._function})["blocks"]

    def find(self, t: float, X: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return the motion with the states of blocks as they follow."""
        time = np.array([t])
        q, u, z = self._layout.split(X)
        _, ud, _ = self._layout.split(self.system.full_state_rates(time, X, p))
        forces = self._forces
        if self._needs_forces:
            forces = self.system.multipliers(time, X[None], ud[None], p)[0]
        live = self._layout.live_of(p)
        found = self._function(time, q, u, ud, z, forces, live)
        return np.concatenate([q, u, np.asarray(found, dtype=float).ravel()])
