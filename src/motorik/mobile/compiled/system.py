"""CompiledSystem: a dynamic system whose ẏ = f(t, y) is machine code."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.compiler import NativeFunction, compile_function
from motorik.errors import CompileError, LoopError, MotorikError
from motorik.mobile.compiled.native_form import NativeForm
from motorik.mobile.compiled.slots import (
    OF_COMPILED,
    Content,
    Identity,
    StateSlot,
    entries_of,
)
from motorik.mobile.compiled.traced_system import (
    LiveInputs,
    NativeSystem,
    compile_settled,
    kept,
)
from motorik.mobile.dynamics.differences import difference_jacobian
from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.mobile.solvers.explicit_solver import ExplicitConstraintSolver
from motorik.mobile.states.energy import Energy
from motorik.mobile.states.mutable import Mutable
from motorik.mobile.states.transmission import Element, State
from motorik.numerics.implicit_functions import Program
from motorik.numerics.tolerances import EPSILON


class CompiledSystem(DynamicSystem):
    """A system traced once on symbols; its rates and their Jacobian are native functions.

    Conditions are still those of the variables and attributes of `system`, which an
    integrator brings up to date after each interval. All that the system reads and that is
    no state stays live: parameters that are references (`MutableScalar`, `MutableVector` …),
    variables that nothing moves, branches of solvers, drivers. Plain numbers and frames at rest are
    folded into the code; where one of them is changed, the system is traced again, with that
    number live from then on, and where elements are added, too.
    """

    def __init__(self, system: DynamicSystem) -> None:
        self.system = system
        self._live: dict[
            Identity, StateSlot
        ] = {}  # former constants that have been changed
        self._rigid: dict[
            Identity, StateSlot
        ] = {}  # contents that cannot be traced as symbols
        self._begun_at: list[float] = []
        self._jacobian: NativeFunction | None = None
        self._projected: NativeFunction | None = None
        system.begin(0.0)
        self._resolve_guesses()
        self.native = self._trace()

    def _trace(self) -> NativeSystem:
        self._jacobian = self._projected = None
        live = [slot for key, slot in self._live.items() if key not in self._rigid]
        try:
            native = NativeSystem(self.system, LiveInputs(self.system, live))
        except CompileError:
            if not live:
                raise
            self._rigid.update(self._live)
            return self._trace()
        native.check([float(x) for x in self.system.conditions])
        self._begun_at = []
        return native

    def renew(self) -> bool:
        """Trace the system again if a constant has been changed; return whether."""
        self._resolve_guesses()
        changed = self.native.changed
        if not changed:
            return False
        for slot in changed:
            is_rigid = slot.is_inherited or isinstance(slot.container, Content)
            if not is_rigid and any(True for _ in entries_of(slot.read())):
                self._live[slot.identity] = slot
        self.native = self._trace()
        return True

    def _resolve_guesses(self) -> None:
        """Let explicit solvers that were given a guess find the branch nearest to it."""
        parts = self.system.elements
        solvers = [one for one in parts if isinstance(one, ExplicitConstraintSolver)]
        if any(solver.has_guess for solver in solvers):
            self.system.set_conditions(self.system.conditions)
            self.system.act(0.0)

    @property
    def program(self) -> Program:
        """The program of the rates, with its loops."""
        return self.native.program

    @property
    def native_rates(self) -> NativeFunction:
        """Native ẏ of (t, y, p)."""
        return self.program.function

    @property
    def native_jacobian(self) -> NativeFunction | None:
        """Native ∂ẏ/∂y of (t, y, p), by columns; None where loops are closed by iteration."""
        import casadi

        rates = self.native_rates.function
        if self.program.loops or rates is None:
            return None
        if self._jacobian is None:
            t, y, p = (rates.sx_in(i) for i in range(3))
            J = casadi.densify(casadi.jacobian(rates(t, y, p), y))
            function = casadi.Function("jacobian", [t, y, p], [J])
            self._jacobian = compile_function(function)
        return self._jacobian

    @property
    def native_projected(self) -> NativeFunction | None:
        """Native conditions without drift, of (t, y, p); None where nothing drifts."""
        if self._projected is None and self.system.projected() is not None:
            self._projected = compile_settled(self.system, self.native.inputs)
        return self._projected

    def native_form(self) -> NativeForm:
        """Return the native functions themselves."""
        projected = self.native_projected

        def jacobian() -> NativeFunction:
            native = self.native_jacobian
            assert native is not None
            return native

        return NativeForm(
            self.native_rates,
            None if self.program.loops else jacobian,
            None if projected is None else projected.replace_address,
            self._begin,
            self._error,
        )

    def _begin(self) -> None:
        """Let the loops start where their variables are now."""
        self.native.begin()

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

    def begin(self, t: float) -> None:
        """Start time-driven motion at t [s]."""
        self.system.begin(t)

    @property
    def parameter_values(self) -> np.ndarray:
        """The present values p of all that is live, end to end; see `LiveInputs`."""
        return self.native.inputs.values

    def derivative(self, t: Scalar, y: Sequence[Scalar]) -> Sequence[Scalar]:
        """Return f(t, y) from native code; the system itself stays as it is."""
        self.renew()
        guess = [float(variable.q) for variable in self.native.unknowns]
        if guess != self._begun_at:
            self._begun_at = guess
            self._begin()
        rates = self.native_rates(t, np.array(y, dtype=float), self.parameter_values)
        error = self._error()
        if error is not None:
            self._begin()
            raise error
        return rates.tolist()

    def jacobian(self, t: float, y: Sequence[float]) -> np.ndarray:
        """Return ∂f/∂y: exact, or by differences where loops are closed by iteration."""
        self.renew()
        native = self.native_jacobian
        if native is None:
            return difference_jacobian(lambda there: self.derivative(t, there), y)
        return native(t, np.array(y, dtype=float), self.parameter_values)

    @property
    def jacobian_error(self) -> float:
        """How exact the Jacobian is, relative to its entries."""
        return super().jacobian_error if self.program.loops else EPSILON

    def rates(self, t: Scalar) -> Sequence[Scalar]:
        """Return ẏ at the present conditions."""
        return self.derivative(t, self.conditions)

    def arrive(self, t: Scalar, y: Sequence[Scalar]) -> Sequence[Scalar]:
        """Bring all frames and variables of the system up to date, and return ẏ."""
        self.renew()
        return self.native.move(t, y, self.parameter_values).tolist()

    def live_inputs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers p, and which of them the rates depend on."""
        return self.parameter_values, self.native.used

    @property
    def in_python(self) -> DynamicSystem:
        """The system that was compiled."""
        return self.system

    def find_fault(self, t: float, y: Sequence[float], ahead: float) -> MotorikError | None:
        """Return the error that the system raises in Python a little after t [s], if any.

        In machine code a root of a negative number is no number, and nothing else.
        """
        p = self.parameter_values
        rates = np.ravel(self.native_rates(t, np.array(y, dtype=float), p))
        if not np.all(np.isfinite(rates)):
            rates = np.zeros(len(rates))
        with suppress(ArithmeticError), kept(self.system):
            for h in ahead * 10.0 ** np.arange(-15.0, 0.5):
                try:
                    self.system.derivative(t + h, (y + h * rates).tolist())
                except MotorikError as error:
                    return error
        return None

    def arrive_from_run(self, t: float, y: Sequence[float]) -> None:
        """Bring the system up to date at the end of an interval of an integration."""
        self.native.take_path()
        self.native.move(t, y, self.parameter_values)

    # --- all else is as in the system itself -----------------------------------------------------

    @property
    def conditions(self) -> Sequence[Scalar]:
        """The present values of the states y."""
        return self.system.conditions

    def set_conditions(self, y: Sequence[Scalar]) -> None:
        """Take the values y of the states."""
        self.system.set_conditions(y)

    def act(self, t: Scalar) -> None:
        """Write the values that other systems read."""
        self.system.act(t)

    def projected(self) -> Sequence[Scalar] | None:
        """Return the conditions without drift; None where nothing drifts."""
        return self.system.projected()

    def finish(self) -> None:
        """Bring all that belongs to the system up to date."""
        self.system.finish()

    @property
    def label(self) -> str:
        """The kind of system, for messages."""
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
        """Return the residual of equilibrium."""
        return self.system.imbalance(t)

    @property
    def imbalance_names(self) -> tuple[str, ...]:
        """The names of the equilibrium conditions."""
        return self.system.imbalance_names

    @property
    def steady(self) -> Sequence[int]:
        """The states whose rates vanish in a steady motion."""
        return self.system.steady


def compiled_once(system: DynamicSystem) -> DynamicSystem:
    """Return a system in machine code, which is made when it is first asked for."""
    if isinstance(system, CompiledSystem):
        return system
    known = getattr(system, OF_COMPILED, None)
    if not isinstance(known, CompiledSystem):
        known = CompiledSystem(system)
        with suppress(AttributeError):  # a class of the user that has slots alone
            setattr(system, OF_COMPILED, known)
    return known
