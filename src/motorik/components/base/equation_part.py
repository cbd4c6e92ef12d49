"""EquationPart: a part written as equations of its unknowns and of the quantities at its ports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from motorik.algebra.motor import Motor
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.contributions import (
    STATE_PRIORITIES,
    Contribution,
    FrameForce,
    LineForce,
    PartEquations,
)
from motorik.components.base.declarations import StartSpec
from motorik.components.base.part import DeclaredSignals, Part
from motorik.components.base.ports import Domain, Port, PortKind, SignalOutput
from motorik.components.base.resolving import Values
from motorik.components.base.values import Start
from motorik.components.base.variable import Variable
from motorik.equations.language import Equation
from motorik.errors import UnknownNameError, suggest
from motorik.immutable import immutable


@immutable
class UnknownSpec(StartSpec):
    """Declaration of an unknown: a start value, its usual size, its priority as a state."""

    state: str = "default"
    nominal: float = 1.0


def unknown(
    description: str,
    unit: str = "",
    start: float = 0.0,
    fixed: bool = False,
    state: str = "default",
    nominal: float = 1.0,
) -> Any:
    """Declare an unknown of an `EquationPart`, found from the equations at every time.

    `start` is where it begins if it is a state and `fixed`, else a guess; users give another one
    by name: ``Capacitor(v=5.0)``. Of several unknowns that depend on each other, those with the
    higher priority are states: "never", "avoid", "default", "prefer", "always". `nominal` is its
    usual size, in its unit.
    """
    if state not in STATE_PRIORITIES:
        raise UnknownNameError(
            "unknown",
            f"has no state priority {state!r}.",
            suggest(state, STATE_PRIORITIES),
            value=state,
        )
    return UnknownSpec(description, unit, 1, Start(start, fixed), state, nominal)


class EquationPart(DeclaredSignals):
    """A part whose meaning is a list of equations.

    `equations` yields them; within it the parameters, unknowns and ports of the part are read as
    attributes: ``self.C``, ``self.v``, ``self.p.v`` and ``self.p.i`` of a port of a domain,
    ``self.u`` of a signal, ``self.time``. `der` is the time derivative. A port's through quantity
    (current, torque, heat flow) is positive into the part::

        class Capacitor(EquationPart):
            p = electrical.port("positive pin")
            n = electrical.port("negative pin")
            C: kinds.Capacitance = parameter("capacitance", default=1e-6)
            v: kinds.Voltage = unknown("voltage", state="prefer")

            def equations(self) -> Iterator[Equation]:
                yield equal(self.v, self.p.v - self.n.v)
                yield equal(self.C * der(self.v), self.p.i)
                yield balance(self.p.i, self.n.i)

    There must be as many equations as unknowns and through quantities. Forces at frames that no
    equation mentions are those of equations that relate the frames, and do no work; without such
    equations there are none. `stored_energy` and
    `lossPower` [J, W], where they are defined, enter the balance of energy of a run. A part without
    either states what it is by ``supplies_power = True``, a source, or ``conserves_power = True``:
    what enters it at one port leaves it at another.
    """

    time: ClassVar[Any]  # the time [s], within equations
    conserves_power: ClassVar[bool] = False

    def equations(self) -> Iterator[Equation]:
        """Yield the equations."""
        raise NotImplementedError

    def start_equations(self) -> Iterator[Equation]:
        """Yield equations that hold at the start only."""
        return iter(())

    def stored_energy(self) -> Scalar:
        """Return the energy that the part stores [J], of its unknowns."""
        return 0.0

    def lossPower(self) -> Scalar:  # noqa: N802  as Modelica calls it
        """Return the power that the part turns into heat [W]."""
        return 0.0

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the equations, and at flanges and frames the forces that follow from them."""
        yield PartEquations(self, p)
        for port in self.ports():
            if port.kind in (PortKind.ROTATIONAL, PortKind.TRANSLATIONAL):
                given = through_signals(port)
                yield LineForce(None, port, p, _given_force, signals=given)
            elif port.kind is PortKind.FRAME:
                given = through_signals(port)
                yield FrameForce(
                    self, (port,), p, _given_motor, signals=given, stretch=None
                )

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return the unknowns, and energy and power where they are defined."""
        found: dict[str, Variable] = {}
        for name, spec in unknown_specs(self):
            found[name] = Variable(_reader(self, name), spec.unit, spec.description)
        for name, (unit, meaning) in QUANTITIES.items():
            if defines(type(self), name):
                found[name] = Variable(_quantity_reader(self, name), unit, meaning)
        return found


def _reader(part: Part, name: str) -> Any:
    return lambda motion: motion.unknown(part, name)


def _quantity_reader(part: Part, name: str) -> Any:
    return lambda motion: motion.quantity(part, name)


def unknown_specs(part: Part) -> list[tuple[str, UnknownSpec]]:
    """Return the unknowns that a part declares, with their names."""
    return [(n, own) for n, own in part.specs.items() if isinstance(own, UnknownSpec)]


def _given_force(p: Values, x: Scalar, v: Scalar, given: Scalar) -> Scalar:
    return given


def _given_motor(
    p: Values, t: Scalar, motions: object, *given: Scalar
) -> tuple[Motor, ...]:
    return (-Motor(Vector(*given[:3]), Vector(*given[3:])),)


def through_signals(port: Port) -> tuple[SignalOutput, ...]:
    """Return the signals that give the forces on the part at a flange or a frame.

    They are the same objects each time.
    """
    known: dict[str, tuple[SignalOutput, ...]]
    known = port.owner.__dict__.setdefault("_through_signals", {})
    if port.name not in known:
        names = through_names(port)
        known[port.name] = tuple(SignalOutput(port.owner, name) for name in names)
    return known[port.name]


def through_names(port: Port) -> list[str]:
    """Return the names of the through quantities of a port within its part."""
    if port.kind is PortKind.FRAME:
        return [f"{port.name}.{letter}[{i}]" for letter in "ft" for i in (1, 2, 3)]
    assert isinstance(port.kind, Domain)
    return [f"{port.name}.{port.kind.through[0]}"]


QUANTITIES = {
    "stored_energy": ("J", "energy that the part stores"),
    "lossPower": ("W", "power that the part turns into heat"),
}
"""Quantities that follow from the unknowns of a part, with unit and meaning."""


def defines(kind: type, name: str) -> bool:
    """Return whether a class of parts defines one of these quantities."""
    return getattr(kind, name) is not getattr(EquationPart, name)
