"""Block states at the start: as they follow from the inputs of their blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.compiler import NativeFunction, compile_functions
from motorik.compiler.symbols import elements, make_function
from motorik.errors import AssemblyError, InitialValueError
from motorik.initialisation.network_guesses import with_guesses
from motorik.initialisation.start_layout import BlocksTable, Table
from motorik.motion.view import MotionView
from motorik.numerics.least_squares import least_squares_size
from motorik.numerics.newton import Report, undamped_newton
from motorik.numerics.tolerances import BLOCK_DIFFERENCE, RANK, START_CONDITION

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
        self._found_by_laws = [k for k in self._found if k < signals.first_of_network]
        self._n_conditions = signals.n_network_conditions
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
        self._residual_traced = self._residual(*given.values())
        takes = self._residual.jac_sparsity(0, 5).nnz()
        self._needs_forces = equations.n_multipliers > 0 and bool(takes)
        self._needs_rates = bool(takes or self._residual.jac_sparsity(0, 3).nnz())
        self._given = given

    @staticmethod
    def of(system: CompiledModel) -> BlockStart | None:
        """Return it, made once; None if the states of all blocks are given."""
        signals = system.mechanism.signals
        if not signals.found_states and not signals.n_network_conditions:
            return None
        memory = system.initialisation
        if memory.blocks is None:
            memory.blocks = BlockStart(system)
        return memory.blocks

    def compile(self) -> None:
        """Make native code of it, once."""
        if isinstance(self._residual, NativeFunction):
            return
        functions = {"residual": self._residual, "slopes": self._slopes_by_state}
        if self._explicit is not None:
            functions["blocks"] = self._explicit
        made = compile_functions(functions)
        self._residual, self._slopes_by_state = made["residual"], made["slopes"]
        self._explicit = made.get("blocks")

    @cached_property
    def _slopes_by_state(self) -> Any:
        """The residual's derivatives by states of blocks, and by accelerations and forces."""
        import casadi

        r = self._residual_traced
        by = self._given["z"], casadi.vertcat(self._given["ud"], self._given["lambda"])
        outputs = [casadi.densify(casadi.jacobian(r, x)) for x in by]
        return casadi.Function("slopes", [*self._given.values()], outputs)

    # --- natively ----------------------------------------------------------------------------

    def found_with(self, fixed: np.ndarray) -> tuple[list[int], list[int]]:
        """Return which states are found where these are fixed, and by which residuals."""
        own = [k for k in self._found if not fixed[k]]
        return own, [self._found.index(k) for k in own]

    def finds_all(self, own: Sequence[int]) -> bool:
        """Return whether these are all states that follow from the inputs."""
        return len(own) == len(self._found)

    def table(self) -> Table | None:
        """Return it as kernels read it, with memory of its own; None where Python is needed.

        That is for conditions of networks, and for blocks that take a force of reaction.
        """
        if self._n_conditions or self._needs_forces or self._found != self._found_by_laws:
            return None
        self.compile()
        system, layout = self.system, self._layout
        n_z, n_u, n = len(layout.blocks), layout.n_u, len(self._found)
        n_r = self._residual_traced.numel()
        found = Table(BlocksTable, BlocksTable.SIZE)
        found.set(
            explicit=self._explicit,
            residual=self._residual,
            slopes=self._slopes_by_state,
            full_state_rates=system.full_state_rates,
            n_residual=n_r,
            needs_rates=int(self._needs_rates),
            rates=np.zeros(layout.n_motion),
            forces=np.append(self._forces, 0.0),
            left=np.zeros(max(n_z, n_r) + 1),
            by_states=np.zeros(n_r * n_z + 1),
            by_response=np.zeros(n_r * (n_u + self._forces.size) + 1),
            response=np.zeros(n_u + 1),
            J=np.zeros(n * n + 1),
            work=np.zeros(
                4 * n + 2 * n * n + 2 * Report.SIZE + least_squares_size(n, n, 0)
            ),
        )
        return found

    # --- as the search finds them --------------------------------------------------------------

    def find(self, t: float, X: np.ndarray, p: np.ndarray, fixed: np.ndarray) -> np.ndarray:
        """Return the motion with the states of blocks as they follow, those `fixed` kept."""
        first = X.size - len(self._layout.blocks)
        own = [k for k in self._found if not fixed[first + k]]
        if not own:
            if self._n_conditions and not self._found:  # else given values replace them
                left = self._value(self._residual, t, X, p)[len(self._found_by_laws) :]
                self._check_conditions(left, np.ones(left.size), [])
            return X
        if self._explicit is None or len(own) < len(self._found):
            return self._solved(t, X, p, own)
        return np.concatenate([X[:first], self._value(self._explicit, t, X, p)])

    def _value(
        self, function: Callable[..., object], t: float, X: np.ndarray, p: np.ndarray
    ) -> np.ndarray:
        q, u, z = self._layout.split(X)
        live = self._layout.live_of(p)
        ud, forces = self._response(t, X, p)
        found = function(np.array([t]), q, u, ud, z, forces, live)
        return np.asarray(found, dtype=float).ravel()

    def _response(
        self, t: float, X: np.ndarray, p: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return accelerations, and multipliers where a block takes one."""
        time = np.array([t])
        _, ud, _ = self._layout.split(self.system.full_state_rates(time, X, p))
        if not self._needs_forces:
            return ud, self._forces
        return ud, self.system.multipliers(time, X[None], ud[None], p)[0]

    def _derivatives(
        self, t: float, X: np.ndarray, p: np.ndarray, at: np.ndarray
    ) -> np.ndarray:
        """Return the residual's derivatives with respect to the states at these places.

        They are exact but for the accelerations that follow from the states.
        """
        q, u, z = self._layout.split(X)
        ud, forces = self._response(t, X, p)
        given = (np.array([t]), q, u, ud, z, forces, self._layout.live_of(p))
        by_states, by_response = (
            np.asarray(J, dtype=float) for J in self._slopes_by_state(*given)
        )
        J = by_states[:, at - (X.size - z.size)]
        if not self._needs_rates:
            return J
        before = np.concatenate([ud, forces])
        for column, k in enumerate(at):
            moved = X.copy()
            moved[k] += BLOCK_DIFFERENCE * max(abs(X[k]), 1.0)
            change = np.concatenate(self._response(t, moved, p)) - before
            J[:, column] += by_response @ change / (moved[k] - X[k])
        return J

    def _solved(self, t: float, X: np.ndarray, p: np.ndarray, own: list[int]) -> np.ndarray:
        """Return the motion with those states `own` at which their residual vanishes."""
        X = X.copy()
        first = len(self._found_by_laws)
        rows = [self._found.index(k) for k in own if self._found.index(k) < first]
        rows += range(first, first + self._n_conditions)
        at = X.size - len(self._layout.blocks) + np.array(own)

        def inverse_of(z: np.ndarray, residual: np.ndarray) -> np.ndarray:
            X[at] = z
            return self._inverse(self._derivatives(t, X, p, at)[rows], X[at], own)

        def residual_at(z: np.ndarray) -> np.ndarray:
            nonlocal p
            X[at] = z
            left = self._value(self._residual, t, X, p)[rows]
            if not np.isfinite(left).all():
                p = with_guesses(self.system, t, self._layout.state_of(X), p)
                left = self._value(self._residual, t, X, p)[rows]
            return left

        found = undamped_newton(residual_at, inverse_of, X[at])
        if found is not None:
            X[at] = found
            left = residual_at(found)
            J = self._derivatives(t, X, p, at)[rows]
            sizes = np.maximum(np.abs(found), 1.0)
            self._check_conditions(left, np.abs(J * sizes).max(axis=1), own)
            return X
        raise InitialValueError(
            ", ".join(self._parts(own)),
            "no steady state was found at the start, as initType requires.",
            'Give start values and initType="InitialState", or better ones to search from.',
        )

    def _inverse(self, J: np.ndarray, z: np.ndarray, own: list[int]) -> np.ndarray:
        """Return the inverse of the residual's derivatives with respect to the states sought."""
        if self._n_conditions:
            return self._least_inverse(J, z)
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

    def _check_conditions(
        self, residual: np.ndarray, strength: np.ndarray, own: list[int]
    ) -> None:
        """Refuse conditions that are not met: contradictions, or none of the states matters.

        `strength` is how much states of their sizes change them.
        """
        relative = np.abs(residual) / np.where(strength > 0.0, strength, 1.0)
        missed = relative > START_CONDITION
        if not missed.any():
            return
        by_laws = [k for k in own if k in self._found_by_laws]
        network = self.system.mechanism.signals.network
        named = [] if network is None else [name for name, _ in network.conditions]
        names = [
            n
            for n, is_missed in zip([*self._names(by_laws), *named], missed, strict=True)
            if is_missed
        ]
        raise InitialValueError(
            ", ".join(dict.fromkeys(names)),
            "its conditions at the start contradict each other, or the search for values that "
            f"satisfy them ended where {np.abs(residual[missed]).max():.3g} is left.",
            "Leave out one of the conditions, or give better guesses: guess(…).",
        )

    def _least_inverse(self, J: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Return the inverse that gives the shortest step, relative to the sizes of states.

        There may be fewer conditions than states, which then stay near their guesses, and
        conditions that are satisfied without determining a state.
        """
        sizes = np.maximum(np.abs(z), 1.0)
        rows = np.maximum(np.abs(J * sizes).max(axis=1), 1e-300)
        inverse = np.linalg.pinv(J * sizes / rows[:, None], rcond=RANK)
        return sizes[:, None] * inverse / rows

    def _names(self, states: list[int]) -> list[str]:
        return [self._layout.blocks[k].name for k in states]

    def _parts(self, states: list[int]) -> list[str]:
        return list(dict.fromkeys(n.rpartition(".")[0] for n in self._names(states)))
