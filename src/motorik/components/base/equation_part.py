"""EquationPart: a part written as equations of its unknowns and of the quantities at its ports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, ClassVar

from motorik.algebra.matrix import Matrix
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, is_number
from motorik.algebra.vector import Vector
from motorik.components.base.contributions import (
    Contribution,
    FrameForce,
    LineForce,
    PartEquations,
)
from motorik.components.base.declarations import PortSpec, StartSpec
from motorik.components.base.motion import Motion
from motorik.components.base.part import DeclaredPart, Part
from motorik.components.base.ports import Domain, Port, PortKind, SignalOutput
from motorik.components.base.resolving import Values
from motorik.components.base.values import Start
from motorik.components.base.variable import Variable
from motorik.equations.language import Equation, rates_by
from motorik.equations.template import Symbols, Template
from motorik.errors import EquationError, MotorikError, UnknownNameError, suggest
from motorik.immutable import immutable

if TYPE_CHECKING:
    import casadi

STATE_WISHES = {"never": -2, "avoid": -1, "default": 0, "prefer": 1, "always": 2}


@immutable
class UnknownSpec(StartSpec):
    """Declaration of an unknown: a start value, its usual size, its wish to be a state."""

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
    higher wish are states: "never", "avoid", "default", "prefer", "always". `nominal` is its
    usual size, in its unit.
    """
    if state not in STATE_WISHES:
        raise UnknownNameError(
            "unknown", f"has no wish {state!r}.", suggest(state, STATE_WISHES), value=state
        )
    return UnknownSpec(description, unit, 1, Start(start, fixed), state, nominal)


class EquationPart(DeclaredPart):
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

    There must be as many equations as unknowns and through quantities. `stored_energy` and
    `power` [J, W], where they are defined, enter the energy balance of a run.
    """

    time: ClassVar[Any]  # the time [s], within equations

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
                yield FrameForce(self, (port,), p, _given_motor, signals=given, stretch=None)

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return the unknowns, and energy and power where they are defined."""
        found: dict[str, Variable] = {}
        for name, spec in unknown_specs(self):
            found[name] = Variable(_reader(self, name), spec.unit, spec.description)
        for name, unit in (("stored_energy", "J"), ("lossPower", "W")):
            if _defines(self, name):
                found[name] = Variable(_quantity_reader(self, name), unit)
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


def _given_motor(p: Values, t: Scalar, motions: Any, *given: Scalar) -> tuple[Motor, ...]:
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


# --- tracing -----------------------------------------------------------------------------------


FRAME_QUANTITIES = (
    *(f"r_0[{i}]" for i in (1, 2, 3)),
    *(f"R[{i},{j}]" for i in (1, 2, 3) for j in (1, 2, 3)),
    *(f"v_0[{i}]" for i in (1, 2, 3)),
    *(f"w_a[{i}]" for i in (1, 2, 3)),
)
"""Position and orientation in the world, velocity in the world, angular velocity in the frame."""


def frame_motion(motion: Motion, port: Port) -> list[Scalar]:
    """Return the motion of a frame, in the order of `FRAME_QUANTITIES`."""
    X, V = motion.pose(port), motion.velocity(port)
    return [*X.p.xyz, *X.R.entries, *(X.R @ V.moment).xyz, *V.resultant.xyz]


class PortSymbols:
    """The quantities of a port within the equations of its part."""

    def __init__(self, port: Port, values: Mapping[str, Any]) -> None:
        self.__dict__.update(values)
        self._label = port.label

    def __getattr__(self, name: str) -> Any:
        known = [own for own in self.__dict__ if not own.startswith("_")]
        raise UnknownNameError(
            self._label, f"has no quantity {name!r}.", suggest(name, known), value=name
        )


class PartSymbols:
    """A part as its equations see it: symbols for unknowns, parameters and ports.

    `parameters` are the names of those that became symbols. Other attributes are those of its
    class, with this object as self.
    """

    def __init__(self, part: Part, p: Values, symbols: Symbols, literal: bool) -> None:
        self._part, self._symbols = part, symbols
        values = self.__dict__
        values["time"] = symbols.time
        for name, value in vars(p).items():
            values[name] = _parameter(symbols, name, value, literal)
        for name, _ in unknown_specs(part):
            values[name] = symbols.unknown(name)
        for port in part.ports():
            values[port.name] = self._port(port)

    def _port(self, port: Port) -> Any:
        read = self._symbols.unknown
        if port.kind is PortKind.SIGNAL:
            found = tuple(read(own.name) for own in port.elements)
            return found[0] if port.size == 1 else found
        if port.kind is PortKind.FRAME:
            r = [read(f"{port.name}.{name}") for name in FRAME_QUANTITIES]
            f = [read(name) for name in through_names(port)]
            R = Matrix(r[3:12])
            frame = {"r_0": Vector(*r[:3]), "R": R, "v_0": Vector(*r[12:15])}
            frame |= {"w_a": Vector(*r[15:]), "pose": Pose(R, Vector(*r[:3]))}
            return PortSymbols(port, {**frame, "f": Vector(*f[:3]), "t": Vector(*f[3:])})
        assert isinstance(port.kind, Domain)
        names = (port.kind.across[0], port.kind.through[0])
        return PortSymbols(port, {name: read(f"{port.name}.{name}") for name in names})

    def __getattr__(self, name: str) -> Any:
        own = getattr(type(self._part), name, None)
        if isinstance(own, property) and own.fget is not None:
            return own.fget(self)
        if isinstance(own, FunctionType):
            return MethodType(own, self)
        if own is None or isinstance(own, PortSpec):
            known = [n for n in self.__dict__ if not n.startswith("_")]
            raise UnknownNameError(
                self._part.label, f"has no {name!r}.", suggest(name, known), value=name
            )
        return own


def _parameter(symbols: Symbols, name: str, value: Any, literal: bool) -> Any:
    """Return a parameter as equations see it: numbers are symbols, but for structural zeros."""
    if isinstance(value, Vector):
        named = zip(value.xyz, (1, 2, 3), strict=True)
        return Vector(*(_parameter(symbols, f"{name}[{i}]", v, literal) for v, i in named))
    is_symbol = hasattr(value, "is_constant")
    if is_symbol or (type(value) is float and value != 0.0 and not literal):
        return symbols.parameter(name)
    return value


def scalar_parameters(p: Values) -> dict[str, Scalar]:
    """Return the numbers among the parameters of a part by their names within equations."""
    found: dict[str, Scalar] = {}
    for name, value in vars(p).items():
        if isinstance(value, Vector):
            found.update({f"{name}[{i + 1}]": v for i, v in enumerate(value.xyz)})
        else:
            found[name] = value
    return found


def template_of(part: EquationPart, p: Values, known: dict[Any, Template]) -> Template:
    """Return the equations of a part; parts of one class with equal structure share them.

    Values that are not numbers, and numbers that are exactly zero, belong to the structure.
    """
    key = _structure(part, p)
    try:
        found = known.get(key)
    except TypeError:  # a value that has no hash: no sharing
        return _traced(part, p)
    if found is None:
        found = known[key] = _traced(part, p)
    return found


def _structure(part: Part, p: Values) -> tuple[Any, ...]:
    values: list[Any] = [type(part)]
    for name, value in scalar_parameters(p).items():
        is_symbol = hasattr(value, "is_constant")
        is_free = is_symbol or (type(value) is float and value != 0.0)
        values.append((name, None if is_free else value))
    values += [(port.name, port.size) for port in part.ports()]
    return tuple(values)


def _traced(part: EquationPart, p: Values) -> Template:
    """Return the equations, with symbols for numbers; with numbers if Python asks for them."""
    try:
        return _trace(part, p, literal=False)
    except MotorikError:
        raise
    except Exception:  # e.g. `if self.R > 0`: no symbol can answer
        return _trace(part, p, literal=True)


def _trace(part: EquationPart, p: Values, literal: bool) -> Template:
    symbols = Symbols()
    view = PartSymbols(part, p, symbols, literal)
    with rates_by(symbols.rate):
        found = [_residuals(part, view, name) for name in ("equations", "start_equations")]
        quantities = {n: _quantity(part, view, n) for n in QUANTITIES if _defines(part, n)}
    return Template(symbols, *found, quantities)


QUANTITIES = ("stored_energy", "lossPower")


def _defines(part: EquationPart, name: str) -> bool:
    return getattr(type(part), name) is not getattr(EquationPart, name)


def _quantity(part: EquationPart, view: PartSymbols, name: str) -> casadi.SX:
    import casadi

    return casadi.SX(getattr(type(part), name)(view))


def _residuals(part: EquationPart, view: PartSymbols, name: str) -> list[casadi.SX]:
    import casadi

    residuals: list[casadi.SX] = []
    given: Any = getattr(type(part), name)(view)
    try:
        for k, equation in enumerate(given or ()):
            if not isinstance(equation, Equation):
                raise EquationError(
                    part.label,
                    f"`{name}` yields {equation!r} as its {k + 1}. equation.",
                    "Yield equal(left, right) or balance(…).",
                    value=equation,
                )
            residuals += [casadi.SX(value) for value in equation.residuals]
    except (MotorikError, NotImplementedError):
        raise
    for residual in residuals:
        if is_number(residual) or not casadi.symvar(residual):
            raise EquationError(
                part.label,
                f"`{name}` has an equation without an unknown: {residual} = 0.",
                "Remove it, or write it with unknowns of the part.",
                value=residual,
            )
    return residuals
