"""Exact directional derivatives of traced functions, as rows of seeds.

A derivative in one direction costs about twice the function, and its code as much, however many
states there are; a Jacobian is one row for each direction. Few rows are interpreted, many
compiled, as in `OutputSamples`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.compiler import compile_function
from motorik.compiler.interpret import Interpreted
from motorik.compiler.symbols import elements
from motorik.motion.traced import coordinate_rates

if TYPE_CHECKING:
    import casadi

    from motorik.compiled_model import CompiledModel
    from motorik.compiler import NativeFunction
    from motorik.components.base.ports import Port


class DirectionalCode:
    """Traced functions of a system and their derivatives in directions, each made once."""

    def __init__(self, system: CompiledModel) -> None:
        self.system = system
        self._functions: dict[object, casadi.Function] = {}
        self._derivatives: dict[object, Interpreted | NativeFunction] = {}

    @staticmethod
    def of(system: CompiledModel) -> DirectionalCode:
        """Return the code of a system, made once."""
        with system.lock:
            return system.directional_code

    # --- functions -------------------------------------------------------------------------

    def function(self, name: str) -> casadi.Function:
        """Return a function of the system, or one of those below, by its name."""
        own = {
            "driven": self._driven,
            "nonsmooth_speeds": self._nonsmooth_speeds,
            "coordinate_rates": self._coordinate_rates,
            "position_equations": self._position_equations,
        }
        if name not in own:
            return self.system.equations.function(name)
        if name not in self._functions:
            self._functions[name] = own[name]()
        return self._functions[name]

    def _driven(self) -> casadi.Function:
        """Return dx/dt, u̇ of all speeds and forces that switch, of (t, x, tau, p)."""
        equations = self.system.equations
        t, x, tau = equations.symbols("t", "x", "tau")
        given = t, elements(x), elements(tau), equations.branch_parameters
        values, ud, forces = equations.form.driven(*given)
        return _function("driven", [t, x, tau, equations.p], [*values, *ud, *forces])

    def _nonsmooth_speeds(self) -> casadi.Function:
        """Return the speeds of the nonsmooth constraints, of (t, x, p)."""
        equations = self.system.equations
        t, x = equations.symbols("t", "x")
        motion = equations.form.motion(t, elements(x), equations.branch_parameters)
        speeds = equations.nonsmooth.speeds(motion)
        return _function("speeds", [t, x, equations.p], speeds)

    def _coordinate_rates(self) -> casadi.Function:
        """Return the rates of all coordinates, of (q, u)."""
        equations = self.system.equations
        q, u = equations.symbols("q", "u")
        rates = coordinate_rates(equations.mechanism, elements(q), elements(u))
        return _function("coordinate_rates", [q, u], rates)

    def _position_equations(self) -> casadi.Function:
        """Return all holonomic constraints g, of (t, q, z, p)."""
        equations = self.system.equations
        t, q, z = equations.symbols("t", "q", "z")
        held = equations.formulation.constraints
        g = held.position_function(held.y_of(elements(q), t, elements(z)), equations.live)
        return _function("position_equations", [t, q, z, equations.p], elements(g))

    # --- values and derivatives ------------------------------------------------------------

    def value(self, name: str, *given: np.ndarray) -> np.ndarray:
        """Return a function at one point."""
        return np.array(self.function(name)(*given), dtype=float).reshape(-1)

    def along(
        self, name: str, given: Sequence[np.ndarray], seeds: Mapping[int, np.ndarray]
    ) -> np.ndarray:
        """Return the derivatives of a function at one point, one row for each seed.

        `seeds` are rows of changes of the arguments by their numbers; others do not change.
        """
        return self._rows(name, self.function(name), given, seeds)

    def outputs_along(
        self,
        names: Sequence[str],
        given: Sequence[np.ndarray],
        seeds: Mapping[int, np.ndarray],
    ) -> np.ndarray:
        """Return the derivatives of variables as `along`; see `CompiledModel.outputs`."""
        key = tuple(names)
        if key not in self._functions:
            self._functions[key] = self.system.output_function(names)
        return self._rows(key, self._functions[key], given, seeds)

    def velocities_of(
        self, frames: tuple[Port, ...], given: Sequence[np.ndarray]
    ) -> np.ndarray:
        """Return ω and v of frames, resolved in the world, per unit of speeds, a row each.

        `given` are rows of t, q, z, speeds and p.
        """
        key = ("velocities", frames)
        if key not in self._derivatives:
            self._derivatives[key] = Interpreted(self._velocities(frames))
        code, count = self._derivatives[key], len(given[3])
        if isinstance(code, Interpreted) and self.system.natives.pays(key, count):
            code = self._derivatives[key] = compile_function(code.function)
        return code.map(*given)

    def _velocities(self, frames: tuple[Port, ...]) -> casadi.Function:
        """Return the part of ω and v of frames that is linear in the speeds."""
        import casadi

        equations = self.system.equations
        t, q, z, u = equations.symbols("t", "q", "z", "u")
        motion = equations.motion(elements(q), elements(u), None, t, elements(z))
        values: list[Scalar] = []
        for port in frames:
            R, V = motion.pose(port).R, motion.velocity(port)
            values += [*(R @ V.resultant).xyz, *(R @ V.moment).xyz]
        column = casadi.densify(casadi.SX(casadi.vertcat(*values)))
        moved = casadi.jtimes(column, u, u)  # linear in u but for prescribed motions
        function = casadi.Function("velocities", [t, q, z, u, equations.p], [moved])
        return function

    def _rows(
        self,
        key: object,
        function: casadi.Function,
        given: Sequence[np.ndarray],
        seeds: Mapping[int, np.ndarray],
    ) -> np.ndarray:
        counts = {len(rows) for rows in seeds.values()}
        (count,) = counts
        if not count or not function.numel_out(0):
            return np.zeros((count, function.numel_out(0)))
        of = (key, tuple(sorted(seeds)))
        if of not in self._derivatives:
            self._derivatives[of] = Interpreted(_directional(function, sorted(seeds)))
        code = self._derivatives[of]
        rows = [np.ascontiguousarray(seeds[k], dtype=float) for k in sorted(seeds)]
        if isinstance(code, Interpreted) and self.system.natives.pays(of, count):
            code = self._derivatives[of] = compile_function(code.function)
        return code.map(*given, *rows)


def _function(
    name: str, given: list[casadi.SX], values: Sequence[Scalar]
) -> casadi.Function:
    import casadi

    column = casadi.densify(casadi.SX(casadi.vertcat(casadi.SX(0, 1), *values)))
    return casadi.Function(name, given, [column])


def _directional(function: casadi.Function, moved: Sequence[int]) -> casadi.Function:
    """Return the derivative of a function of (arguments, changes of the moved ones)."""
    import casadi

    given = [casadi.SX.sym(f"a{k}", function.numel_in(k)) for k in range(function.n_in())]
    changes = [casadi.SX.sym(f"d{k}", function.numel_in(k)) for k in moved]
    value = function(*given)
    by = casadi.vertcat(*(given[k] for k in moved))
    change = casadi.jtimes(value, by, casadi.vertcat(*changes))
    return casadi.Function("along", [*given, *changes], [casadi.densify(change)])
