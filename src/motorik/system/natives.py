"""Natives: the equations of a system as machine code, each compiled when first used."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from motorik.compiler import NativeFunction, Tape, compile_function, has_cases
from motorik.compiler.lanes import LANES
from motorik.compiler.programs import Loop, column, program_with_loops
from motorik.motion import traced
from motorik.system.equations import ITERATING, Equations, elements
from motorik.system.forms import LoopForm

ROLL_FROM = 48  # freedoms from which equal links share their code


@dataclass(frozen=True)
class Outputs:
    """A native function to variables, and whether it needs the multipliers of loops."""

    function: NativeFunction
    needs_multipliers: bool


class Natives:
    """The native functions of a system, by name; `System` lists them."""

    def __init__(self, equations: Equations) -> None:
        self.equations = equations
        self.layout, self.mechanism = equations.layout, equations.mechanism
        self._made: dict[str, NativeFunction] = {}
        self._outputs: dict[tuple[str, ...], Outputs] = {}
        self._lock = threading.RLock()

    @cached_property
    def is_rolled(self) -> bool:
        """Whether equal links share one piece of native code."""
        m = self.mechanism
        simple = not (m.has_loops or m.forces or m.signals.states or self.layout.live)
        simple = simple and not any(line.signals for line in m.lines)
        return self.layout.n_u >= ROLL_FROM and simple

    def get(self, name: str) -> NativeFunction:
        """Return a native function, compiled now if it is not yet."""
        made = self._made.get(name)
        if made is not None:
            return made
        with self._lock:
            if name not in self._made:
                self._made[name] = self._make(name)
            return self._made[name]

    def _make(self, name: str) -> NativeFunction:
        equations = self.equations
        if name == "derivative_lanes":
            if self.is_rolled:
                return self._rolled("derivative", LANES)
            return compile_function(equations.function("derivative"), width=LANES)
        if name == "settle":
            return compile_function(equations.function("settle"), replaces=True)
        if name == "whole_rates" and equations.formulation is None:
            return self.get("derivative")
        if equations.iterates and name in ITERATING:
            return self._iterating(name)
        if self.is_rolled and name in ("derivative", "forward_dynamics"):
            return self._rolled(name)
        return compile_function(equations.function(name))

    @cached_property
    def has_kinks(self) -> bool:
        """Whether forces are given by cases, so that methods of high order step over corners."""
        if self.is_rolled or self.equations.iterates:
            return False
        return has_cases(self.equations.function("derivative"))

    def outputs(self, names: Sequence[str]) -> Outputs:
        """Return the native function of the motion to the named variables, end to end.

        Its arguments are t, q, u, ud, z, multipliers and p.
        """
        key = tuple(names)
        with self._lock:
            if key not in self._outputs:
                function = self.equations.output_function(key)
                needs = self.equations.n_rows > 0
                needs = needs and bool(function.jac_sparsity(0, 5).nnz())
                self._outputs[key] = Outputs(compile_function(function), needs)
            return self._outputs[key]

    def _iterating(self, name: str) -> NativeFunction:
        """Return a function of (t, x, p) with Newton's method in it.

        It begins at the references in p, so what it gives depends on its arguments alone.
        """
        equations, f = self.equations, self.equations.formulation
        assert isinstance(equations.form, LoopForm) and f is not None
        t, x = equations.symbols("t", "x")
        instant = equations.form.instant(t, elements(x), equations.all_extra)
        rows = [r for r in f.solved if f.rows.rows[r].relation is None]
        names = [d.cluster.names(self.mechanism)[-1] for d in f.decisions]
        loop = Loop(
            ", ".join(names),
            symbols=elements(equations.unknown),
            guess=[0.0] * len(f.unknowns),
            residuals=[instant.gaps[r] / float(f.scales.rows[r]) for r in rows],
        )
        values = equations.iterating_values(name, t, x)
        given = {"t": t, "x": x, "p": equations.p}
        begin = self.layout.followed_at + self.layout.n_followed - len(f.unknowns)
        program = program_with_loops(
            name, given, {"out": column(values)}, [loop], guess=("p", begin)
        )
        return program.function

    def _rolled(self, name: str, width: int = 1) -> NativeFunction:
        layout, mechanism = self.layout, self.mechanism
        tape = Tape()
        if name == "derivative":
            sizes, out = {"t": 1, "x": layout.n_x, "p": 0}, "dx"
            given = {key: tape.input(key, size) for key, size in sizes.items()}
            result = traced.derivative(mechanism, given["t"][0], given["x"], tape)
        else:
            sizes, out = {"q": layout.n_q, "u": layout.n_u, "tau": layout.n_u, "p": 0}, "ud"
            given = {key: tape.input(key, size) for key, size in sizes.items()}
            result = traced.speed_rates(
                mechanism, given["q"], given["u"], given["tau"], tape
            )
        tape.output(out, result)
        self.equations.algorithm = "articulated body, equal links sharing their code"
        return tape.compile(name=name, width=width)
