"""Part: what has ports, parameters and a place in a model."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

from motorik.algebra.matrix import Symmetric
from motorik.algebra.vector import Vector
from motorik.components.base.declarations import (
    ParameterSpec,
    PortSpec,
    StartSpec,
    frame,
    parameter,
    rotational_flange,
    signal_input,
    signal_output,
    start,
    translational_flange,
)
from motorik.components.base.help_text import make_document, make_signature
from motorik.components.base.ports import Port
from motorik.components.base.resolving import (
    Derived,
    Known,
    LiveAxis,
    Resolve,
    has_live,
    is_surely_plain,
    kept_value,
    resolve_value,
)
from motorik.components.base.units import warn_of_degrees
from motorik.components.base.values import LiveScalar, Parameter, Start
from motorik.errors import (
    MotorikError,
    ParameterError,
    PortError,
    UnknownNameError,
    suggest,
)

if TYPE_CHECKING:
    from motorik.components.base.contributions import Contribution


__all__ = [
    "ParameterSpec",
    "Part",
    "PortSpec",
    "StartSpec",
    "Variable",
    "frame",
    "parameter",
    "rotational_flange",
    "signal_input",
    "signal_output",
    "start",
    "translational_flange",
]


@dataclass(frozen=True)
class Variable:
    """A quantity of a part that results show: how it follows from the motion of the mechanism.

    `value` is called with a motion of the mechanism (`motorik.motion.view.MotionView`) and
    returns a scalar, a vector, a matrix or a tuple of scalars.
    """

    value: Callable[[Any], Any]
    unit: str = ""
    description: str = ""


class Part:
    """A part of a mechanism: parameters, start values, ports, and a place in a model.

    A kind of part declares them in its class body with `parameter`, `start`, `frame`, … and
    says what it is physically in `contributions`. What it looks like and how it is solved is
    decided elsewhere.
    """

    specs: ClassVar[Mapping[str, ParameterSpec | StartSpec | PortSpec]] = {}
    _parameters: ClassVar[Sequence[str]] = ()  # the names of the parameters among them
    _deciding: ClassVar[frozenset[str]] = (
        frozenset()
    )  # those that say which ports there are
    is_model: ClassVar[bool] = False
    __signature__: ClassVar[inspect.Signature]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        specs: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            for name, value in vars(base).items():
                if isinstance(value, (ParameterSpec, StartSpec, PortSpec)):
                    specs[name] = value
        cls.specs = specs
        ports = {n: spec for n, spec in specs.items() if isinstance(spec, PortSpec)}
        parameters = {
            n: spec for n, spec in specs.items() if isinstance(spec, ParameterSpec)
        }
        cls._parameters = tuple(parameters)
        cls._deciding = frozenset(spec.when for spec in ports.values())
        starts = {n: spec for n, spec in specs.items() if isinstance(spec, StartSpec)}
        cls.__signature__ = make_signature(parameters, starts, getattr(cls, "build", None))
        document = vars(cls).get("__doc__") or f"A kind of {cls.__mro__[1].__name__}."
        cls.__doc__ = make_document(document, ports, parameters, starts)

    def __init__(self, *unnamed: Any, **given: Any) -> None:
        check_named(type(self), unnamed)
        state = self.__dict__
        state["parent"] = None
        state["name"] = ""
        state["connections"] = []
        state["parts"] = {}
        state["revision"] = 0
        for name in given:
            if not isinstance(self.specs.get(name), (ParameterSpec, StartSpec)):
                raise UnknownNameError(
                    type(self).__name__,
                    f"has no parameter {name!r}.",
                    suggest(name, self.parameter_names()),
                    parameter=name,
                    value=given[name],
                )
        specs, kind = self.specs, type(self).__name__
        for name, spec in specs.items():
            if name in given:
                state[name] = self._converted(name, given[name], kind)
            elif isinstance(spec, ParameterSpec):
                state[name] = spec.initial(kind, name)
            elif isinstance(spec, StartSpec):
                state[name] = spec.unset
        state["withheld"] = {name for name, value in given.items() if value is False}
        for name, spec in specs.items():
            if isinstance(spec, PortSpec) and (not spec.when or state[spec.when]):
                state[name] = spec.port_of(self, name)
        self._check(self.resolved(number_resolver))

    # --- declarations ----------------------------------------------------------------------

    @classmethod
    def parameter_names(cls) -> list[str]:
        """Return the names of all parameters and start values."""
        kinds = (ParameterSpec, StartSpec)
        return [name for name, spec in cls.specs.items() if isinstance(spec, kinds)]

    def ports(self) -> Iterable[Port]:
        """Return the ports that exist."""
        state = self.__dict__
        for name, spec in self.specs.items():
            if isinstance(spec, PortSpec) and name in state:
                yield state[name]

    def _converted(self, name: str, value: Any, label: str) -> Any:
        spec = self.specs[name]
        if isinstance(spec, StartSpec):
            if value is None:
                return spec.unset
            try:
                begin = Start.of(value, spec.size)
            except (TypeError, ValueError) as error:
                raise ParameterError(
                    label,
                    f"start value {name} = {value!r}: {error}.",
                    f"Give {spec.size} finite number(s) in {spec.unit or '1'}, or guess(…).",
                    parameter=name,
                    value=value,
                ) from None
            warn_of_degrees(label, name, spec.unit, begin.value)
            return begin
        assert isinstance(spec, ParameterSpec)
        if isinstance(value, Parameter):
            value.settle(name, spec.unit, spec.description)
        return kept_value(spec.convert(label, name, spec.unit, value))

    def designed(self) -> tuple[LiveScalar, ...]:
        """Return live numbers of its own whose values follow from the design pose."""
        return ()

    # --- what a kind of part says ----------------------------------------------------------

    def check(self, p: Any) -> None:
        """Raise `ParameterError` if the parameters `p` (as numbers) contradict each other."""

    def _check(self, p: Any) -> None:
        try:
            self.check(p)
        except MotorikError:
            raise
        except Exception as error:  # of a function that the user gave
            functions = {name: f for name, f in vars(p).items() if callable(f)}
            raise ParameterError(
                self.label,
                f"its parameters do not fit: {type(error).__name__}: {error}.",
                f"Look at the functions it was given. {suggest('', self.parameter_names())}",
                parameter=", ".join(functions),
                value=tuple(functions.values()) or error,
            ) from error

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Say what the part is physically; `p` holds its parameters as scalars to compute with."""
        return ()

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Say which quantities results show beside those of the ports."""
        return {}

    # --- place in the model ----------------------------------------------------------------

    @property
    def path(self) -> str:
        """The full name within the outermost model, e.g. `engine.cylinder2.rod`."""
        names: list[str] = []
        part: Part | None = self
        while part is not None and part.parent is not None:
            names.append(part.name)
            part = part.parent
        return ".".join(reversed(names))

    @property
    def label(self) -> str:
        """The name for messages: the path, or the kind of part while it has none."""
        return self.path or type(self).__name__

    @property
    def is_attached(self) -> bool:
        """Whether the part has been assigned to a model."""
        return self.parent is not None

    def lineage(self) -> list[Part]:
        """Return the part itself and the models around it, innermost first."""
        line, part = [], self
        while part is not None:
            line.append(part)
            part = part.parent
        return line

    def walk(self) -> Iterable[Part]:
        """Return the part and all parts within it, outer before inner."""
        yield self
        for part in self.parts.values():
            yield from part.walk()

    # --- attributes ------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        spec = self.specs.get(name)
        if isinstance(spec, PortSpec):
            raise ParameterError(
                self.label,
                f"{name} is a port and cannot be assigned.",
                "Connect it instead.",
                port=name,
                parameter=name,
                value=value,
            )
        if spec is None:
            raise UnknownNameError(
                self.label,
                f"has no parameter {name!r}.",
                suggest(name, self.parameter_names()),
                parameter=name,
                value=value,
            )
        self._assign({name: value})

    def _assign(self, values: Mapping[str, Any]) -> None:
        """Give parameters and start values other values, all or, if they do not fit, none."""
        state, label = self.__dict__, self.label
        previous = {name: state[name] for name in values}
        state.update({n: self._converted(n, value, label) for n, value in values.items()})
        try:
            for name, before in previous.items():
                self._check_ports(name, before)
            self._check(self.resolved(number_resolver))
        except ParameterError:
            state.update(previous)
            raise
        for part in self.lineage():
            part.__dict__["revision"] += 1

    def __delattr__(self, name: str) -> None:
        if name in self.specs or name in self.parts:
            raise ParameterError(
                f"{self.label}.{name}",
                "cannot be taken away.",
                "Build the model without it.",
                parameter=name,
                value=self.__dict__.get(name),
            )
        object.__delattr__(self, name)

    def __copy__(self) -> Any:
        return copy.deepcopy(self)  # ports and parts belong to one owner

    def _check_ports(self, name: str, previous: Any) -> None:
        """Refuse a change of a parameter that decides which ports the part has."""
        if name in self._deciding and self.__dict__[name] != previous:
            raise ParameterError(
                self.label,
                f"{name} says which ports the part has; it stays {previous!r}.",
                f"Make the part with {name}={self.__dict__[name]!r}.",
                parameter=name,
                value=self.__dict__[name],
            )

    def _open_ports(self, when: str) -> None:
        """Make the ports that were not asked for but are wanted now."""
        self.__dict__[when] = True
        for name, spec in self.specs.items():
            if isinstance(spec, PortSpec) and spec.when == when:
                self.__dict__[name] = spec.port_of(self, name)
        for part in self.lineage():
            part.__dict__["revision"] += 1

    @property
    def has_live_parameters(self) -> bool:
        """Whether any of its parameters was given as a live number, or follows from one."""
        state = self.__dict__
        return any(has_live(state[name]) for name in self._parameters)

    def check_live(self, resolve: Resolve) -> None:
        """Raise `ParameterError` if live parameters have values that they cannot have."""
        for name in self._parameters:
            value, spec = self.__dict__[name], self.specs[name]
            if has_live(value):
                assert isinstance(spec, ParameterSpec)
                spec.convert(self.label, name, spec.unit, resolve_value(value, resolve))
        self._check(self.resolved(resolve))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if "parent" not in self.__dict__:
            raise ParameterError(
                type(self).__name__,
                f"{name!r} is not there yet: its __init__ has not been called.",
                "Make the parts in `build`, or call super().__init__() first.",
                parameter=name,
                value=type(self),
            )
        spec = self.specs.get(name)
        if isinstance(spec, PortSpec):
            if spec.when in self.withheld:
                raise UnknownNameError(
                    self.label,
                    f"has no port {name!r}: it was made with {spec.when}=False.",
                    f"Make the part with {spec.when}=True.",
                    port=name,
                    parameter=spec.when,
                    value=name,
                )
            self._open_ports(spec.when)
            return self.__dict__[name]
        known = [*self.specs, *self.__dict__.get("parts", {})]
        raise UnknownNameError(
            self.label,
            f"has no {name!r}.",
            suggest(name, known),
            parameter=name,
            value=name,
        )

    def __rshift__(self, other: Any) -> Any:
        theirs = f"{other.label}.frame_a" if isinstance(other, Part) else other
        ports = ", ".join(port.name for port in self.ports())
        raise PortError(
            self.label,
            f"is a part; connected are ports, of which it has {ports or 'none'}.",
            f"Connect a port, e.g. {self.label}.frame_b >> {theirs}.",
            port=ports,
            value=other,
        )

    def resolved(self, resolve: Resolve, known: Known | None = None) -> SimpleNamespace:
        """Return the parameters with every live number replaced by `resolve` of it.

        `known` keeps those of the parts that values are derived from, so that they are
        resolved once, however many values follow from them.
        """
        state, known = self.__dict__, Known() if known is None else known
        values: dict[str, Any] = {}
        for name in self._parameters:
            value = state[name]
            if not is_surely_plain(value):
                value = resolve_value(value, resolve, known)
                value = value.normalized() if isinstance(value, LiveAxis) else value
            values[name] = value
        return SimpleNamespace(**values)

    def __repr__(self) -> str:
        shown = []
        for name, spec in self.specs.items():
            if isinstance(spec, ParameterSpec):
                value = self.__dict__[name]
                if value is not None and not _same(value, spec.default):
                    shown.append(f"{name}={_plain(value)!r}")
            elif isinstance(spec, StartSpec) and self.__dict__[name] != spec.unset:
                shown.append(f"{name}={_said(self.__dict__[name])}")
        return f"{type(self).__name__}({', '.join(shown)})"


def check_named(kind: type[Part], unnamed: tuple[Any, ...]) -> None:
    """Refuse values that are given without saying which parameters they are."""
    if unnamed:
        raise ParameterError(
            kind.__name__,
            f"takes its values by name, and {unnamed[0]!r} has none.",
            f"Write {kind.__name__}(name=…). {suggest('', kind.__signature__.parameters)}",
            parameter="values",
            value=unnamed[0],
        )


def number_resolver(scalar: LiveScalar) -> float:
    """Resolve a live number to its present value."""
    return scalar.value


def _plain(value: Any) -> Any:
    if isinstance(value, Vector):
        return tuple(_plain(c) for c in value.xyz)
    if isinstance(value, Symmetric):
        return [list(map(_plain, row.xyz)) for row in value.full().rows]
    if isinstance(value, LiveScalar):
        return value if value.parameter.is_vector else value.parameter
    return value


def _said(begin: Start) -> str:
    """Return a start value as a user writes it."""
    if begin.is_fixed:
        return repr(begin.value)
    return f"guess({begin.value!r})" if not any(begin.fixed_components()) else repr(begin)


def _same(value: Any, default: Any) -> bool:
    if isinstance(value, Derived):  # follows from the parameters of another part
        return True
    if isinstance(value, Vector) and isinstance(default, tuple):
        return not has_live(value) and _plain(value) == default
    return value is default or (
        isinstance(value, (int, float, str, tuple)) and value == default
    )
