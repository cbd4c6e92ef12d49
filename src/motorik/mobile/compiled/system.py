"""CompiledSystem: a dynamic system whose ẏ = f(t, y) is machine code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.compiler import NativeFunction, compile_function
from motorik.errors import LoopError, MotorikError
from motorik.mobile.compiled.native_form import NativeForm
from motorik.mobile.compiled.traced_system import compile_rates, compile_settled
from motorik.mobile.dynamics.differences import difference_jacobian
from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.mobile.states.energy import Energy
from motorik.mobile.states.mutable import Mutable
from motorik.mobile.states.transmission import Element, State


class CompiledSystem(DynamicSystem):
    """A system traced once on symbols; its rates and their Jacobian are native functions.

    Conditions are still those of the variables and attributes of `system`, which an
    integrator brings up to date after each interval. Parameters that are references
    (`MutableScalar`, `MutableVector` …) stay live, plain numbers are folded into the code.
    """

    def __init__(self, system: DynamicSystem) -> None:
        self.system = system
        self.program = compile_rates(system)

    @property
    def native_rates(self) -> NativeFunction:
        """Native ẏ of (t, y, p)."""
        return self.program.function

    @cached_property
    def native_jacobian(self) -> NativeFunction | None:
        """Native ∂ẏ/∂y of (t, y, p), by columns; None where loops are closed by iteration."""
        import casadi

        rates = self.native_rates.function
        if self.program.loops or rates is None:
            return None
        t, y, p = (rates.sx_in(i) for i in range(3))
        J = casadi.densify(casadi.jacobian(rates(t, y, p), y))
        return compile_function(casadi.Function("jacobian", [t, y, p], [J]))

    @cached_property
    def native_projected(self) -> NativeFunction | None:
        """Native conditions without drift, of (t, y, p); None where nothing drifts."""
        return None if self.system.projected() is None else compile_settled(self.system)

    def native_form(self) -> NativeForm:
        """Return the native functions themselves."""
        projected = self.native_projected

        def jacobian() -> NativeFunction:
            assert self.native_jacobian is not None
            return self.native_jacobian

        return NativeForm(
            self.native_rates,
            None if self.program.loops else jacobian,
            None if projected is None else projected.replace_address,
            self._begin,
            self._error,
        )

    def _begin(self) -> None:
        """Let the loops start where their variables are now."""
        variables = (v for loop in self.program.loops for v in loop.variables)
        self.program.memory[:] = [float(variable.q) for variable in variables]
        self.program.clear_failure()

    def _error(self) -> MotorikError | None:
        """Return that a loop could not close in the last evaluation, if so."""
        failed = self.program.failed
        if failed is None:
            return None
        return LoopError(
            repr(self.program.loops[failed]),
            "cannot close.",
            "Look at the mechanism just before this time: it is near a dead centre.",
        )

    @property
    def parameter_values(self) -> np.ndarray:
        """The present values p of the live parameters, end to end."""
        entries = [e for parameter in self.parameters for e in parameter.entries]
        return np.array(entries, dtype=float)

    def derivative(self, t: Scalar, y: Sequence[Scalar]) -> Sequence[Scalar]:
        """Return f(t, y) from native code; the system itself stays as it is."""
        rates = self.native_rates(t, np.array(y, dtype=float), self.parameter_values)
        error = self._error()
        if error is not None:
            raise error
        return rates.tolist()

    def jacobian(self, t: float, y: Sequence[float]) -> np.ndarray:
        """Return ∂f/∂y: exact, or by differences where loops are closed by iteration."""
        native = self.native_jacobian
        if native is None:
            return difference_jacobian(lambda there: self.derivative(t, there), y)
        return native(t, np.array(y, dtype=float), self.parameter_values)

    def rates(self, t: Scalar) -> Sequence[Scalar]:
        """Return ẏ at the present conditions."""
        return self.derivative(t, self.conditions)

    def arrive(self, t: Scalar, y: Sequence[Scalar]) -> Sequence[Scalar]:
        """Bring the system itself up to date, in Python, and return ẏ."""
        return self.system.arrive(t, y)

    # --- all else is as in the system itself -----------------------------------------------------

    @property
    def conditions(self) -> Sequence[Scalar]:
        """The present values of the states y."""
        return self.system.conditions

    def set_conditions(self, y: Sequence[Scalar]) -> None:
        """Take the values y of the states."""
        self.system.set_conditions(y)

    def act(self, t: Scalar) -> None:
        """Write what other systems read."""
        self.system.act(t)

    def projected(self) -> Sequence[Scalar] | None:
        """Return the conditions without drift; None where nothing drifts."""
        return self.system.projected()

    def finish(self) -> None:
        """Bring all that belongs to the system up to date."""
        self.system.finish()

    @property
    def label(self) -> str:
        """What kind of system it is, for texts."""
        return self.system.label

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the states."""
        return self.system.names

    @property
    def units(self) -> tuple[str, ...]:
        """The units of the states."""
        return self.system.units

    @property
    def moved(self) -> Sequence[State]:
        """The state objects that the conditions set in motion."""
        return self.system.moved

    @property
    def touched(self) -> Sequence[State]:
        """All state objects that an evaluation may change."""
        return self.system.touched

    @property
    def elements(self) -> Sequence[Element]:
        """The transmission elements of the system."""
        return self.system.elements

    @property
    def gravity(self) -> Vector:
        """The gravity acceleration g [m/s²] in inertial axes; zero where there is none."""
        return self.system.gravity

    def energy(self) -> Energy | None:
        """Return the energy [J] at the present conditions; None where it is not defined."""
        return self.system.energy()

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The live parameters."""
        return self.system.parameters

    @property
    def place(self) -> Sequence[Scalar]:
        """The unknowns of a stationary point."""
        return self.system.place

    def set_place(self, x: Sequence[Scalar]) -> None:
        """Take the place x, at rest."""
        self.system.set_place(x)

    def imbalance(self, t: Scalar) -> Sequence[Scalar]:
        """Return what vanishes where the system stays as it is."""
        return self.system.imbalance(t)

    @property
    def imbalance_names(self) -> tuple[str, ...]:
        """The names of what vanishes there."""
        return self.system.imbalance_names

    @property
    def steady(self) -> Sequence[int]:
        """The states whose rates vanish in a steady motion."""
        return self.system.steady
