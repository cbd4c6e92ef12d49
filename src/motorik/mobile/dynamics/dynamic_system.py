"""DynamicSystem: any system of ordinary differential equations ẏ = f(t, y) as an object."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector
from motorik.errors import AssemblyError, MotorikError
from motorik.mobile.compiled.native_form import NativeForm, call_back
from motorik.mobile.dynamics.differences import difference_jacobian
from motorik.mobile.elements.output_generator import quiet
from motorik.mobile.states.energy import Energy
from motorik.mobile.states.mutable import Mutable
from motorik.mobile.states.transmission import Element, State, unique
from motorik.numerics.tolerances import DIFFERENCE_ERROR

if TYPE_CHECKING:
    from motorik.mobile.compiled.system import CompiledSystem


class DynamicSystem(ABC):
    """A system in state-space form, ẏ = f(t, y): mechanical, hydraulic, electric, control.

    A kind of system stores its conditions y in attributes or variables, and defines

    * ``conditions``: their present values;
    * ``set_conditions(y)``: setting them;
    * ``rates(t)``: ẏ at the present conditions;

    and, where it acts on other systems, ``act(t)``: what it writes to the variables, drives
    and attributes that they read. Systems are joined by `CombinedSystem`. All of it may
    compute on numbers or on symbols, so that a system can be compiled.
    """

    @property
    @abstractmethod
    def conditions(self) -> Sequence[Scalar]:
        """The present values of the states y."""

    @abstractmethod
    def set_conditions(self, y: Sequence[Scalar]) -> None:
        """Take the values y of the states."""

    @abstractmethod
    def rates(self, t: Scalar) -> Sequence[Scalar]:
        """Return ẏ at the time t [s] and the present conditions, after `act`."""

    def act(self, t: Scalar) -> None:  # noqa: B027 - most systems act on nothing
        """Write the values that other systems read, at t and the conditions."""

    def begin(self, t: float) -> None:  # noqa: B027 - most systems need nothing
        """Take the present position of time-driven motion as that at t [s]."""

    def projected(self) -> Sequence[Scalar] | None:
        """Return the conditions without drift (unit quaternions); None where nothing drifts."""
        return None

    def finish(self) -> None:  # noqa: B027 - or have nothing to bring up to date
        """Bring all that belongs to the system up to date, after `rates`."""

    @property
    def label(self) -> str:
        """The kind of system, for messages."""
        return type(self).__name__

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the states."""
        return tuple(f"{type(self).__name__}.{i + 1}" for i in range(self.order))

    @property
    def units(self) -> tuple[str, ...]:
        """The units of the states; "1" by default."""
        return ("1",) * self.order

    @property
    def moved(self) -> Sequence[State]:
        """The state objects that the conditions set in motion."""
        return ()

    @property
    def touched(self) -> Sequence[State]:
        """All state objects that an evaluation may change."""
        return self.moved

    @property
    def elements(self) -> Sequence[Element]:
        """The transmission elements of the system, which pictures show; none by default."""
        return ()

    @property
    def gravity(self) -> Vector:
        """The gravity acceleration g [m/s²] in inertial axes; zero where there is none."""
        return ZERO

    def energy(self) -> Energy | None:
        """Return the energy [J] at the present conditions; None where it is not defined."""
        return None

    @property
    def order(self) -> int:
        """The number of states."""
        return len(self.conditions)

    def derivative(self, t: Scalar, y: Sequence[Scalar]) -> Sequence[Scalar]:
        """Return f(t, y); the system keeps these conditions."""
        self.set_conditions(y)
        self.act(t)
        return self.rates(t)

    def jacobian(self, t: float, y: Sequence[float]) -> np.ndarray:
        """Return ∂f/∂y, by differences; the system keeps the conditions y."""
        A = difference_jacobian(lambda there: self.derivative(t, there), y)
        self.arrive(t, y)
        return A

    @property
    def jacobian_error(self) -> float:
        """How exact the Jacobian is, relative to its entries: here by differences."""
        return DIFFERENCE_ERROR

    def arrive(self, t: Scalar, y: Sequence[Scalar]) -> Sequence[Scalar]:
        """Take the conditions y at the time t [s], bring everything up to date, return ẏ."""
        rates = self.derivative(t, y)
        self.finish()
        return rates

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The parameters that may be changed between two evaluations."""
        return ()

    def arrive_from_run(self, t: float, y: Sequence[float]) -> None:
        """Arrive at the end of an interval of an integration, whose evaluations led there."""
        self.arrive(t, y)

    @property
    def in_python(self) -> DynamicSystem:
        """The system that computes in Python: itself, unless it is compiled."""
        return self

    def has_fault(self, t: float) -> bool:
        """Return whether the system cannot be evaluated at present, as without any mass.

        It is evaluated in Python, which checks more than machine code does.
        """
        try:
            with quiet():
                self.derivative(t, self.conditions)
        except MotorikError:
            return True
        return False

    def find_fault(self, t: float, y: Sequence[float], ahead: float) -> MotorikError | None:
        """Return the error that stops a system within a time ahead [s]: none here."""
        return None

    def renew(self) -> bool:
        """Update after changes; return whether native functions have changed."""
        return False

    def live_inputs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return all numbers p that the system reads and does not compute; those that matter."""
        from motorik.mobile.compiled.traced_system import LiveInputs

        p = LiveInputs(self).values
        return p, np.ones(len(p), dtype=bool)

    def native_form(self) -> NativeForm:
        """Return the functions that an integration calls: here callbacks to Python."""
        return call_back(self)

    # --- where it stays as it is ---------------------------------------------------------------

    @property
    def place(self) -> Sequence[Scalar]:
        """The unknowns of a stationary point: all states, or the coordinates alone."""
        return self.conditions

    def set_place(self, x: Sequence[Scalar]) -> None:
        """Take the place x, at rest."""
        self.set_conditions(x)

    def imbalance(self, t: Scalar) -> Sequence[Scalar]:
        """Return the residual of equilibrium, one number for each of x."""
        return self.rates(t)

    @property
    def imbalance_names(self) -> tuple[str, ...]:
        """The names of the equilibrium conditions."""
        return self.names

    @property
    def steady(self) -> Sequence[int]:
        """The states whose rates vanish in a steady motion: all, or the speeds alone."""
        return range(self.order)

    def compile(self) -> CompiledSystem:
        """Return the same system with ẏ = f(t, y) in machine code, as integrators make it."""
        from motorik.mobile.compiled.system import CompiledSystem

        return CompiledSystem(self)


class CombinedSystem(DynamicSystem):
    """Several systems as one: their states one after another.

    They interact by what they share, such as the variable of a piston or the force of a
    drive. First all take their conditions, then all act, then all compute their rates, each time
    in the order given: what a system measures, an earlier one has already moved.
    """

    def __init__(self, *systems: DynamicSystem) -> None:
        if len({id(system) for system in systems}) < len(systems):
            raise AssemblyError(
                "CombinedSystem", "a system is named twice.", "Name each system once."
            )
        self.systems = systems

    @property
    def conditions(self) -> Sequence[Scalar]:
        """The present values of all states."""
        return [value for system in self.systems for value in system.conditions]

    def set_conditions(self, y: Sequence[Scalar]) -> None:
        """Give each system its share of y."""
        _share(y, [(system.order, system.set_conditions) for system in self.systems])

    def begin(self, t: float) -> None:
        """Let each system begin."""
        for system in self.systems:
            system.begin(t)

    def act(self, t: Scalar) -> None:
        """Let each system act on the others."""
        for system in self.systems:
            system.act(t)

    def rates(self, t: Scalar) -> Sequence[Scalar]:
        """Return the rates of all states."""
        return [rate for system in self.systems for rate in system.rates(t)]

    def projected(self) -> Sequence[Scalar] | None:
        """Return all conditions without drift; None where nothing drifts."""
        parts = [system.projected() for system in self.systems]
        if all(part is None for part in parts):
            return None
        pairs = zip(self.systems, parts, strict=True)
        return [
            value
            for system, part in pairs
            for value in (system.conditions if part is None else part)
        ]

    def finish(self) -> None:
        """Bring each system up to date."""
        for system in self.systems:
            system.finish()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all states."""
        return tuple(name for system in self.systems for name in system.names)

    @property
    def units(self) -> tuple[str, ...]:
        """The units of all states."""
        return tuple(unit for system in self.systems for unit in system.units)

    @property
    def moved(self) -> Sequence[State]:
        """The state objects that any of the systems sets in motion."""
        return unique(*(system.moved for system in self.systems))

    @property
    def touched(self) -> Sequence[State]:
        """All state objects that an evaluation of any of the systems may change."""
        return unique(*(system.touched for system in self.systems))

    @property
    def elements(self) -> Sequence[Element]:
        """The transmission elements of all systems."""
        return tuple(element for system in self.systems for element in system.elements)

    @property
    def gravity(self) -> Vector:
        """The gravity acceleration [m/s²] of the first system that has one."""
        return next((s.gravity for s in self.systems if s.gravity is not ZERO), ZERO)

    def energy(self) -> Energy | None:
        """Return the energy [J] of all systems that define it; None where none does."""
        parts = [system.energy() for system in self.systems]
        known = [part for part in parts if part is not None]
        return reduce(Energy.plus, known) if known else None

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The parameters of all systems, each once."""
        own = {id(p): p for system in self.systems for p in system.parameters}
        return tuple(own.values())

    @property
    def place(self) -> Sequence[Scalar]:
        """The unknowns of a stationary point of all."""
        return [value for system in self.systems for value in system.place]

    def set_place(self, x: Sequence[Scalar]) -> None:
        """Give each system its share of the place x, at rest."""
        _share(x, [(len(system.place), system.set_place) for system in self.systems])

    def imbalance(self, t: Scalar) -> Sequence[Scalar]:
        """Return the residual of equilibrium of all systems."""
        return [value for system in self.systems for value in system.imbalance(t)]

    @property
    def imbalance_names(self) -> tuple[str, ...]:
        """The names of the equilibrium conditions."""
        return tuple(name for system in self.systems for name in system.imbalance_names)

    @property
    def steady(self) -> Sequence[int]:
        """The states of all systems whose rates vanish in a steady motion."""
        found, start = [], 0
        for system in self.systems:
            found += [start + i for i in system.steady]
            start += system.order
        return found


def leaves_of(system: DynamicSystem) -> Iterator[DynamicSystem]:
    """Yield a system, or those of which it is combined."""
    if isinstance(system, CombinedSystem):
        for one in system.systems:
            yield from leaves_of(one)
    else:
        yield system


def _share(values: Sequence[Scalar], takers: Sequence[tuple]) -> None:
    start = 0
    for count, take in takers:
        take(values[start : start + count])
        start += count
