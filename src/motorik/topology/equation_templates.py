"""Equations of parts as templates: `equations` is called on symbols, once for each class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from motorik.algebra.matrix import Matrix, skew
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, is_number
from motorik.algebra.vector import Vector
from motorik.components.base.contributions import PartEquations
from motorik.components.base.equation_part import (
    QUANTITIES,
    EquationPart,
    defines,
    through_names,
    unknown_specs,
)
from motorik.components.base.law_faults import line_of_error
from motorik.components.base.motion import Motion
from motorik.components.base.part import Part
from motorik.components.base.ports import Domain, Port, PortKind, SignalOutput
from motorik.components.base.resolving import Values
from motorik.equations.language import Equation, rates_by
from motorik.equations.template import Symbols, Template, compared_differences
from motorik.errors import EquationError, MotorikError, UnknownNameError, suggest

if TYPE_CHECKING:
    import casadi

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


POSITION, ORIENTATION, VELOCITY, TURNING = (
    range(3),
    range(3, 12),
    range(12, 15),
    range(15, 18),
)
"""The places of these in `FRAME_QUANTITIES`."""


def frame_level(i: int, order: int) -> int:
    """Return the level of motion that a derivative of a frame's quantity needs.

    0 for positions, 1 for velocities, 2 for accelerations.
    """
    return order + (i in VELOCITY or i in TURNING)


def frame_rate(
    motion: Motion, port: Port, i: int, order: int, rates: Callable[[], Sequence[Scalar]]
) -> Scalar:
    """Return a derivative of a quantity of a frame, of level 1 or 2.

    `rates` returns the acceleration of its origin in the world, and the rates of w_a.
    """
    if i in VELOCITY or i in TURNING:
        return rates()[i - VELOCITY[0]]
    if i in POSITION:
        return rates()[i] if order == 2 else frame_motion(motion, port)[VELOCITY[i]]
    R, w = motion.pose(port).R, motion.velocity(port).resultant
    turning = skew(w)
    if order == 2:
        turning = turning @ turning + skew(Vector(*rates()[3:]))
    return (R @ turning).entries[i - ORIENTATION[0]]


def frame_accelerations(motion: Motion, port: Port) -> tuple[Scalar, ...]:
    """Return the acceleration of a frame's origin in the world, and the rates of w_a."""
    return (*motion.acceleration_0(port).xyz, *motion.acceleration(port).resultant.xyz)


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


def seen_by_equations(
    part: EquationPart, p: Values, symbols: Symbols, literal: bool
) -> EquationPart:
    """Return a part as its equations see it: an object of its class with symbols for its values."""
    view = object.__new__(type(part))
    values = view.__dict__
    values.update(part.__dict__, time=symbols.time)
    for name, value in vars(p).items():
        values[name] = _parameter(symbols, name, value, literal)
    for name, _ in unknown_specs(part):
        values[name] = symbols.unknown(name)
    for port in part.ports():
        values[port.name] = _port(symbols, port)
    return view


def _port(symbols: Symbols, port: Port) -> Any:
    read = symbols.unknown
    if port.kind is PortKind.SIGNAL:
        found = tuple(read(own.name) for own in port.elements)
        return found[0] if port.size == 1 else found
    if port.kind is PortKind.FRAME:
        r = [read(f"{port.name}.{name}") for name in FRAME_QUANTITIES]
        f = [read(name) for name in through_names(port)]
        R = Matrix(*r[3:12])
        frame = {"r_0": Vector(*r[:3]), "R": R, "v_0": Vector(*r[12:15])}
        frame |= {"w_a": Vector(*r[15:]), "pose": Pose(R, Vector(*r[:3]))}
        return PortSymbols(port, {**frame, "f": Vector(*f[:3]), "t": Vector(*f[3:])})
    assert isinstance(port.kind, Domain)
    names = (port.kind.across[0], port.kind.through[0])
    return PortSymbols(port, {name: read(f"{port.name}.{name}") for name in names})


def _parameter(symbols: Symbols, name: str, value: object, literal: bool) -> Any:
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


def combined_template(own: PartEquations) -> tuple[Template, dict[str, casadi.SX]]:
    """Return the equations of a part with sliding modes, and the symbols that these add.

    Its switching functions are quantities of the template.
    """
    import casadi

    assert isinstance(own.part, EquationPart) and own.combine is not None
    plain = _traced(own.part, own.p)
    residuals = [one.residual for one in plain.equations]
    found = casadi.SX(casadi.vertcat(*own.combine(residuals)))
    adopted = plain.symbols.adopt(found)
    gaps = {str(gap): gap for one in residuals for gap in compared_differences(one)}
    quantities = {name: one.residual for name, one in plain.quantities.items()}
    quantities |= {own.surface_name(k): gaps[text] for k, text in enumerate(own.surfaces)}
    start = [one.residual for one in plain.start_equations]
    return Template(plain.symbols, casadi.vertsplit(found), start, quantities), adopted


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
        try:
            return _trace(part, p, literal=True)
        except MotorikError:
            raise
        except Exception as error:
            line = line_of_error(error)
            raise EquationError(
                part.label,
                f"its equations raised {type(error).__name__}: {error}"
                f"{f': {line}' if line else ''}.",
                "Compute with the functions of motorik (mk.sin, mk.where, …) instead of those of "
                "math; an `if` cannot ask an unknown.",
                value=error,
            ) from error


def _trace(part: EquationPart, p: Values, literal: bool) -> Template:
    symbols = Symbols()
    view = seen_by_equations(part, p, symbols, literal)
    with rates_by(symbols.rate):
        found = [_residuals(part, view, name) for name in ("equations", "start_equations")]
        quantities = {
            n: _quantity(part, view, n) for n in QUANTITIES if defines(type(part), n)
        }
    equations, start_equations = found
    template = Template(symbols, equations, start_equations, quantities)
    _check_count(part, p, template)
    return template


def leaves_forces_open(part: Part, template: Template) -> bool:
    """Return whether a part has frames and its equations say nothing of the forces there."""
    frames = [port for port in part.ports() if port.kind is PortKind.FRAME]
    names = {name for port in frames for name in through_names(port)}
    read = {name for one in template.equations for name, _ in one.unknowns}
    return bool(frames) and not names & read


def _check_count(part: EquationPart, p: Values, template: Template) -> None:
    """Refuse a part with more or fewer equations than unknowns of its own.

    Where the forces at frames are left open, more equations may relate motions.
    """
    count, relates = len(template.equations), leaves_forces_open(part, template)
    own = [name for name, _ in unknown_specs(part)]
    for port in part.ports():
        if port.kind is PortKind.SIGNAL:
            is_given = isinstance(port, SignalOutput)
            own += [element.name for element in port.elements] if is_given else []
        elif relates and port.kind is PortKind.FRAME:
            continue
        elif not port.when or getattr(p, port.when, True):
            own += through_names(port)
    if count == len(own) or (relates and count > len(own)):
        return
    few = count < len(own)
    raise EquationError(
        part.label,
        f"yields {count} equation{'' if count == 1 else 's'} for {len(own)} unknowns, "
        f"{', '.join(own)}: {abs(count - len(own))} too {'few' if few else 'many'}.",
        "Each unknown, each through quantity of a port and each signal that the part gives needs "
        f"one equation: {'add what is lacking' if few else 'remove one, or declare an unknown'}.",
        value=count,
    )


def _quantity(part: EquationPart, view: EquationPart, name: str) -> casadi.SX:
    import casadi

    return casadi.SX(getattr(type(part), name)(view))


def _residuals(part: EquationPart, view: EquationPart, name: str) -> list[casadi.SX]:
    import casadi

    residuals: list[casadi.SX] = []
    given: Iterable[object] | None = getattr(type(part), name)(view)
    for k, equation in enumerate(given or ()):
        if not isinstance(equation, Equation):
            raise EquationError(
                part.label,
                f"`{name}` yields {equation!r} as its {k + 1}. equation.",
                "Yield equal(left, right) or balance(…).",
                value=equation,
            )
        residuals += [casadi.SX(value) for value in equation.residuals]
    for residual in residuals:
        if _has_nan(residual):
            raise EquationError(
                part.label,
                f"`{name}` has an equation that is not a number, whatever its unknowns are.",
                "Compute with the functions of motorik (mk.sin, mk.sqrt, …) instead of those of "
                "math, which do not know symbols.",
                value=residual,
            )
        if is_number(residual) or not casadi.symvar(residual):
            raise EquationError(
                part.label,
                f"`{name}` has an equation without an unknown: {residual} = 0.",
                "Remove it, or write it with unknowns of the part.",
                value=residual,
            )
    return residuals


def _has_nan(value: casadi.SX) -> bool:
    """Return whether an expression contains a constant that is not a number."""
    import casadi

    symbols = casadi.symvar(value)
    function = casadi.Function("constants", symbols, [value])
    own = (
        function.instruction_constant(k)
        for k in range(function.n_instructions())
        if function.instruction_id(k) == casadi.OP_CONST
    )
    return any(constant != constant for constant in own)
