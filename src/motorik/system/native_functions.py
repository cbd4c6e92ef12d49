"""The equations of a system as machine code, each compiled when first used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler import (
    NativeFunction,
    compile_function,
    has_cases,
)
from motorik.compiler.lanes import LANES
from motorik.compiler.programs import Loop, Program, column, program_with_loops
from motorik.motion import traced
from motorik.system.equation_functions import EquationFunctions
from motorik.system.equations import LoopedEquations
from motorik.system.system_base import elements

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class Outputs:
    """A native function to variables, and whether it needs the multipliers of loops."""

    function: NativeFunction
    needs_multipliers: bool


class NativeFunctions(EquationFunctions):
    """The native functions of a system; `System` lists them."""

    _natives: dict[str, NativeFunction]
    _outputs: dict[tuple[str, ...], Outputs]
    programs: dict[str, Program]

    @cached_property
    def derivative(self) -> NativeFunction:
        """Native dx/dt of (t, x, p)."""
        if self.iterates:
            self.algorithm = "loops closed by Newton's method in each evaluation"
            return self._program("derivative").function
        if self.is_rolled:
            return self._rolled("derivative", (("t", 1), ("x", self.n_x), ("p", 0)), "dx")
        return self._native("derivative")

    @cached_property
    def derivative_lanes(self) -> NativeFunction:
        """Native dx/dt of four times and states at once, for the method "gbs"."""
        if self.is_rolled:
            sizes = (("t", 1), ("x", self.n_x), ("p", 0))
            return self._rolled("derivative", sizes, "dx", width=LANES)
        return compile_function(self.function("derivative"), width=LANES)

    @cached_property
    def forward_dynamics(self) -> NativeFunction:
        """Native du/dt of (q, u, tau, p)."""
        if self.is_rolled:
            sizes = (("q", self.n_q), ("u", self.n_u), ("tau", self.n_u), ("p", 0))
            return self._rolled("forward_dynamics", sizes, "ud")
        return self._native("forward_dynamics")

    @cached_property
    def inverse_dynamics(self) -> NativeFunction:
        """Native generalised forces of (q, u, ud, p)."""
        return self._native("inverse_dynamics")

    @cached_property
    def mass_matrix(self) -> NativeFunction:
        """Native mass matrix of (q, p), by columns."""
        return self._native("mass_matrix")

    @cached_property
    def jacobian(self) -> NativeFunction:
        """Native Jacobian of dx/dt by x, of (t, x, p), by columns."""
        return self._native("jacobian")

    @cached_property
    def settle(self) -> NativeFunction | None:
        """Native state with unit quaternions and loops closed; None where nothing drifts."""
        if not self.equations.settles:
            return None
        return compile_function(self.function("settle"), replaces=True)

    @property
    def body_names(self) -> list[str]:
        """The parts with mass, in the order of `kinematics`."""
        return [mass.frame.owner.path for mass in self.mechanism.masses]

    @cached_property
    def kinematics(self) -> NativeFunction:
        """Native motion of all bodies, of (q, u, p): 18 numbers for each of `body_names`.

        Position r_0 [m] in the world, orientation R by rows (v_world = R v_body), angular
        velocity w_a [rad/s] in the body's frame_a and velocity v_0 [m/s] in the world.
        """
        return self._native("kinematics")

    @cached_property
    def energy(self) -> NativeFunction:
        """Native kinetic, potential and stored energy of (t, X, p)."""
        return self._native("energy")

    @cached_property
    def whole(self) -> NativeFunction:
        """Native X of (t, x, p)."""
        return self._program("whole").function if self.iterates else self._native("whole")

    @cached_property
    def whole_rates(self) -> NativeFunction:
        """Native dX/dt of (t, X, p)."""
        return self.derivative if self.formulation is None else self._native("whole_rates")

    @cached_property
    def constraints(self) -> NativeFunction:
        """Native g and a of all constraint rows, of (t, X, p)."""
        return self._native("constraints")

    @cached_property
    def margins(self) -> NativeFunction | None:
        """Native margins to dead centres and their rates, of (t, x, p); None without any."""
        if self.iterates:
            return self._program("margins").function
        function = self.function("margins")
        return None if not function.size1_out(0) else compile_function(function)

    @cached_property
    def has_kinks(self) -> bool:
        """Whether forces are given by cases, so that methods of high order step over corners."""
        if self.is_rolled or self.iterates:
            return False
        return has_cases(self.function("derivative"))

    def chosen_algorithm(self) -> str:
        """Return how forward dynamics is computed, and at what cost."""
        _ = self.derivative
        return self.algorithm

    def outputs(self, names: Sequence[str]) -> Outputs:
        """Return the native function of the motion to the named variables, end to end.

        Its arguments are t, q, u, ud, z, multipliers and p.
        """
        key = tuple(names)
        if key not in self._outputs:
            function = self.output_function(key)
            needs = bool(function.jac_sparsity(0, 5).nnz()) if self._lambda_names else False
            self._outputs[key] = Outputs(compile_function(function), needs)
        return self._outputs[key]

    def remember(self, X: np.ndarray) -> None:
        """Let the iterations of loops begin at a motion."""
        if self.iterates:
            assert self.formulation is not None
            for name in ("derivative", "whole", "margins"):
                self._program(name).memory[:] = X[self.formulation.unknowns]

    def _native(self, name: str) -> NativeFunction:
        if name not in self._natives:
            self._natives[name] = compile_function(self.function(name))
        return self._natives[name]

    def _program(self, name: str) -> Program:
        """Return a function of (t, x, p) with Newton's method in it."""
        if name not in self.programs:
            import casadi

            assert isinstance(self.equations, LoopedEquations) and self.formulation
            f = self.formulation
            t, x = self._symbols("t", "x")
            q, u, z = self.equations._split(elements(x))
            instant = self.equations.loops.at(t, q, u, z, self._all_extra())
            at = {row: k for k, row in enumerate(f.solved)}
            rows = [r for r in f.solved if f.rows.rows[r].relation is None and r in at]
            loop = Loop(
                ", ".join(d.cluster.names(self.mechanism)[-1] for d in f.decisions),
                symbols=elements(self._unknown),
                guess=[0.0] * len(f.unknowns),
                residuals=[instant.gaps[r] for r in rows],
            )
            if name == "margins":
                made = self._solvability(instant)
            else:
                made = getattr(self.equations, name)(t, elements(x), self._all_extra())
            outputs = {"out": column(made)}
            p = casadi.vertcat(self._live, self._extra)
            given = {"t": t, "x": x, "p": p}
            self.programs[name] = program_with_loops(name, given, outputs, [loop])
        return self.programs[name]

    def _rolled(
        self, name: str, sizes: Sequence[tuple[str, int]], out: str, width: int = 1
    ) -> NativeFunction:
        from motorik.compiler import Tape

        tape = Tape()
        given = {key: tape.input(key, size) for key, size in sizes}
        if name == "derivative":
            result = traced.derivative(self.mechanism, given["t"][0], given["x"], tape)
        else:
            result = traced.speed_rates(
                self.mechanism, given["q"], given["u"], given["tau"], tape
            )
        tape.output(out, result)
        self.algorithm = "articulated body, equal links sharing their code"
        return tape.compile(name=name, width=width)
