"""Part: ports, parameters and a place in a model."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from motorik.algebra.matrix import Symmetric
from motorik.algebra.vector import Vector
from motorik.components.base.declarations import (
    ParameterSpec,
    PortSpec,
    Spec,
    StartSpec,
    ValueSpec,
    frame,
    parameter,
    port_specs,
    rotational_flange,
    signal_input,
    signal_output,
    start,
    translational_flange,
    value_specs,
)
from motorik.components.base.help_text import check_named, make_document, make_signature
from motorik.components.base.internal import (
    Internal,
    InternalNumber,
    internal_specs,
    numbers_of,
)
from motorik.components.base.name_faults import no_port, no_such_name, not_made
from motorik.components.base.place import NamedObject
from motorik.components.base.ports import Port
from motorik.components.base.resolving import (
    Derived,
    Known,
    LiveAxis,
    Resolve,
    Values,
    has_live,
    is_surely_plain,
    kept_value,
    number_resolver,
    resolve_value,
)
from motorik.components.base.transform import dataclass_transform
from motorik.components.base.units import warn_of_degrees
from motorik.components.base.values import LiveScalar, Parameter, Start
from motorik.components.base.variable import Variable
from motorik.components.base.visual import (
    options_of,
    read_visual,
    set_visual,
    take_visual,
    visual_names,
)
from motorik.components.base.visual_kinds import AllOptions
from motorik.components.base.visual_options import FramedVisual
from motorik.errors import MotorikError, ParameterError, suggest

if TYPE_CHECKING:
    from typing_extensions import Self

    from motorik.components.base.contributions import Contribution


# --- printing -----------------------------------------------------------------------------


def as_written(part: Part) -> str:
    """Return how a part is made: its kind, and the values that are not the default ones."""
    shown: list[str] = []
    for name, spec in part.specs.items():
        if isinstance(spec, ParameterSpec):
            value = part.__dict__[name]
            if value is not None and not _same(value, spec.default):
                shown.append(f"{name}={_plain(value)!r}")
        elif isinstance(spec, StartSpec) and part.__dict__[name] != spec.unset:
            shown.append(f"{name}={_said(part.__dict__[name])}")
    shown += [f"{name}={_plain(value)!r}" for name, value in options_of(part).items()]
    return f"{type(part).__name__}({', '.join(shown)})"


def _plain(value: object) -> object:
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


def _same(value: object, default: object) -> bool:
    if isinstance(value, Derived):  # follows from the parameters of another part
        return True
    if isinstance(value, Vector) and isinstance(default, tuple):
        return not has_live(value) and _plain(value) == default
    return value is default or (
        isinstance(value, (int, float, str, tuple)) and value == default
    )


__all__ = [
    "DeclaredPart", "DeclaredSignals", "Known", "ParameterSpec", "Part", "PortSpec",
    "Resolve", "StartSpec", "Values", "Variable", "check_named", "frame",
    "number_resolver", "parameter", "resolve_value", "rotational_flange",
    "signal_input", "signal_output", "start", "translational_flange",
]  # fmt: skip


if TYPE_CHECKING:
    KindOfPart = (
        type  # with a metaclass, editors would take __dict__ of parts for that of classes
    )
else:

    class KindOfPart(type):
        """The type of all kinds of parts: `dir` and `help` show the names a user of the part needs.

        `help(Revolute)` is the docstring with ports, parameters and start values; of a model its
        methods are listed, of any class those that a user has written. The methods by which
        parts are assembled are shown by ``help(Part)``.
        """

        def __dir__(cls) -> list[str]:
            """Return the public names of models and of classes of users; of base classes all."""
            if not cls.specs and not cls.is_model:
                return [*super().__dir__()]
            names = {n for kind in cls.__mro__ if _lists_names(kind) for n in vars(kind)}
            for kind in cls.__mro__:  # names by which parts are assembled
                names -= set() if _lists_names(kind) else vars(kind).keys()
            return sorted(name for name in names if name[:1] != "_")


def _lists_names(kind: type) -> bool:
    """Return whether the names that a class defines are listed in `help` of parts."""
    is_own = kind.__module__.partition(".")[0] != "motorik"
    return is_own or kind.__dict__.get("_lists_names", False)


class Part(NamedObject, metaclass=KindOfPart):
    """A part of a mechanism: parameters, start values, ports, and a place in a model.

    A kind of part declares them in its class body with `parameter`, `start`, `frame`, … and
    gives its physical meaning in `contributions`. Pictures and solution are not its concern.
    Library parts are `DeclaredPart`s, whose constructors editors know.
    """

    specs: ClassVar[Mapping[str, Spec]] = {}
    _lists_names: ClassVar[bool] = False  # whether `help` lists the names of this class
    _parameters: ClassVar[Sequence[str]] = ()  # the names of the parameters among them
    _internal: ClassVar[Mapping[str, Internal]] = {}
    _ports: ClassVar[Sequence[tuple[str, PortSpec[Port]]]] = ()
    _values: ClassVar[dict[str, ValueSpec]] = {}  # parameters and start values
    _unset: ClassVar[dict[str, Any]] = {}  # defaults, kept when known
    _unkept: ClassVar[dict[str, ValueSpec]] = {}  # of which none is kept
    _deciding: ClassVar[frozenset[str]] = frozenset()  # they decide which ports there are
    is_model: ClassVar[bool] = False
    supplies_power: ClassVar[bool] = (
        False  # a source: what its ports give comes from outside
    )
    is_open: ClassVar[bool] = True  # whether the parts within are shown in print
    is_drawn: ClassVar[bool] = True  # of others only the values are seen
    __signature__: ClassVar[inspect.Signature]

    connections: list[tuple[Port, Port]]
    withheld: set[str]
    visual: AllOptions  # options of drawing: `motorik.components.base.visual`

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        specs: dict[str, Spec] = {}
        for base in reversed(cls.__mro__):
            for name, value in vars(base).items():
                if isinstance(value, (ParameterSpec, StartSpec, PortSpec)):
                    specs[name] = value
        cls.specs = specs
        cls._internal = internal_specs(cls)
        values = cls._values = value_specs(specs)
        cls._unset, cls._unkept, cls._ports = {}, dict(values), port_specs(specs)
        ports = dict(cls._ports)
        parameters = {n: one for n, one in values.items() if isinstance(one, ParameterSpec)}
        cls._parameters = tuple(parameters)
        cls._deciding = frozenset(n for spec in ports.values() for n in spec.deciding)
        starts = {n: spec for n, spec in specs.items() if isinstance(spec, StartSpec)}
        cls.__signature__ = make_signature(parameters, starts, getattr(cls, "build", None))
        document = vars(cls).get("__doc__") or f"A kind of {cls.__mro__[1].__name__}."
        cls.__doc__ = make_document(document, ports, parameters, starts)

    def __init__(self, *unnamed: object, **given: object) -> None:
        check_named(type(self), unnamed)
        state, specs, kind = self.__dict__, self.specs, type(self).__name__
        state.update(parent=None, name="", connections=[], parts={}, revision=0)
        is_own = "specs" in state  # it has declarations of its own
        known = value_specs(specs) if is_own else self._values
        if not given.keys() <= known.keys():
            given = take_visual(self, given, [name for name in given if name not in known])
        unset, unkept = ({}, known) if is_own else (self._unset, self._unkept)
        state.update(unset)
        for name in given:
            state[name] = self._converted(name, given[name], kind)
        if unkept:
            self._fill(unset, unkept, given)
        state["withheld"] = {name for name, value in given.items() if value is False}
        for name, spec in port_specs(specs) if is_own else self._ports:
            if spec.is_open(state):
                state[name] = spec.port_of(self, name)
        self._check(number_resolver)

    def _fill(
        self,
        unset: dict[str, Any],
        unkept: dict[str, ValueSpec],
        given: Mapping[str, object],
    ) -> None:
        """Fill in defaults, and keep immutable ones in `unset`."""
        state, kind = self.__dict__, type(self).__name__
        for name, spec in [*unkept.items()]:
            if name in given:
                continue
            is_start = isinstance(spec, StartSpec)
            state[name] = spec.unset if is_start else spec.initial(kind, name)
            if is_start or spec.is_shared:
                unset[name] = state[name]
                unkept.pop(name, None)

    # --- declarations ----------------------------------------------------------------------

    @classmethod
    def parameter_names(cls) -> list[str]:
        """Return the names of all parameters and start values."""
        return [*value_specs(cls.specs)]

    def ports(self) -> Iterable[Port]:
        """Return the ports that exist."""
        state = self.__dict__
        for name, spec in self.specs.items():
            if isinstance(spec, PortSpec) and name in state:
                yield state[name]

    def _converted(self, name: str, value: object, label: str) -> Any:
        spec = self.specs[name]
        if isinstance(spec, StartSpec):
            if value is None or value is spec.unset:
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
        converted = spec.convert(label, name, spec.unit, value)
        if spec.unit == "rad" and not isinstance(converted, tuple):
            warn_of_degrees(label, name, spec.unit, converted)
        return kept_value(converted)

    def _designed(self) -> tuple[LiveScalar, ...]:
        """Return live numbers of its own whose values follow from the design pose."""
        return ()

    def internal(self) -> dict[str, InternalNumber]:
        """Return its own numbers, and forces with their modes as blocks, by name."""
        return numbers_of(self, self._internal)

    # --- defined by each class of parts ----------------------------------------------------------

    def check(self, p: Values) -> None:
        """Raise `ParameterError` if the parameters `p` (as numbers) contradict each other."""

    def _check(self, resolve: Resolve) -> None:
        if type(self).check is Part.check:
            return
        p = self.resolved(resolve)
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

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Yield the contributions: the physical meaning of the part.

        `p` holds its parameters, and nothing else, as scalars to compute with: p.m is a
        number or a symbol where self.m may be a live `Parameter`.
        """
        return ()

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return the quantities that results show besides those of the ports; `p` as above."""
        return {}

    # --- attributes ------------------------------------------------------------------------

    def __dir__(self) -> list[str]:
        """Return the names of attributes, and of options of drawing, for completion."""
        return [*super().__dir__(), *(() if self.is_model else visual_names(type(self)))]

    if not TYPE_CHECKING:  # else editors would believe that every name is known

        def __setattr__(self, name: str, value: object) -> None:
            self._set(name, value)

        def __getattr__(self, name: str) -> object:
            return read_visual(self, name)

        def __rshift__(self, other: object) -> object:
            self._refuse_connection(other)

    def _set(self, name: str, value: object) -> None:
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
            set_visual(self, name, value)
        else:
            self._assign({name: value})

    def _assign(self, values: Mapping[str, object]) -> None:
        """Give parameters and start values other values, all or, if they do not fit, none."""
        state, label = self.__dict__, self.label
        previous = {name: state[name] for name in values}
        self.prepare_change()
        state.update({n: self._converted(n, value, label) for n, value in values.items()})
        try:
            for name, before in previous.items():
                self._check_ports(name, before)
            self._check(number_resolver)
        except ParameterError:
            state.update(previous)
            raise
        for part in self.lineage():
            part.__dict__["revision"] += 1

    def __delattr__(self, name: str) -> None:
        if name in self.specs or name in self.parts:
            raise ParameterError(
                f"{self.label}.{name}",
                "cannot be removed.",
                "Build the model without it.",
                parameter=name,
                value=self.__dict__.get(name),
            )
        object.__delattr__(self, name)

    def __copy__(self) -> Self:
        return copy.deepcopy(self)  # ports and parts belong to one owner

    def _refuse_name(self, name: str) -> NoReturn:
        """Raise an error that lists the known names; reading an unknown name changes nothing."""
        if name.startswith("__"):
            raise AttributeError(name)
        self._check_made(name)
        spec = self.specs.get(name)
        deciding = spec.deciding if isinstance(spec, PortSpec) else ()
        withheld = next((one for one in deciding if one in self.withheld), "")
        raise no_such_name(self, name, withheld)

    def _check_made(self, name: str) -> None:
        if "parent" not in self.__dict__:
            raise not_made(type(self), name)

    def _refuse_connection(self, other: object) -> NoReturn:
        raise no_port(self, other, [port.name for port in self.ports()])

    # --- ports that are there when they are used -------------------------------------------

    def _check_ports(self, name: str, previous: object) -> None:
        """Refuse a change of a parameter that decides which ports the part has."""
        if name in self._deciding and self.__dict__[name] != previous:
            raise ParameterError(
                self.label,
                f"{name} decides which ports the part has; it stays {previous!r}.",
                f"Make the part with {name}={self.__dict__[name]!r}.",
                parameter=name,
                value=self.__dict__[name],
            )

    def _unused_port(self, name: str, spec: PortSpec[Any]) -> Any:
        """Return a port that exists as soon as it is connected: the same object each time."""
        self._check_made(name)
        if not self.withheld.isdisjoint(spec.deciding):
            raise AttributeError(name)  # `__getattr__` says why
        waiting: dict[str, Port] = self.__dict__.setdefault("_waiting", {})
        if name not in waiting:
            waiting[name] = spec.port_of(self, name, spec.when)
        return waiting[name]

    def _open_ports(self, when: str) -> None:
        """Create the ports that depend on the parameters of `when`."""
        before = self.specs.keys() & self.__dict__.keys()
        self.prepare_change()
        self.__dict__.update(dict.fromkeys(when.split()[::2], True))
        waiting: dict[str, Port] = self.__dict__.get("_waiting", {})
        for name, spec in self.specs.items():
            if not isinstance(spec, PortSpec) or name in before:
                continue
            if spec.is_open(self.__dict__):
                port = waiting.pop(name, None) or spec.port_of(self, name)
                for element in (port, *port.elements):
                    element.when = ""
                self.__dict__[name] = port
        for part in self.lineage():
            part.__dict__["revision"] += 1

    # --- live parameters -------------------------------------------------------------------

    @property
    def _has_live_parameters(self) -> bool:
        """Whether any of its parameters is a live number or follows from one."""
        return any(has_live(self.__dict__[name]) for name in self._parameters)

    @property
    def _takes_any_number(self) -> bool:
        """Whether all live parameters may be any finite number."""
        if type(self).check is not Part.check:
            return False
        live = (self.specs[n] for n in self._parameters if has_live(self.__dict__[n]))
        return all(isinstance(s, ParameterSpec) and s.is_unlimited for s in live)

    def _check_live(self, resolve: Resolve) -> None:
        """Raise `ParameterError` if live parameters have invalid values."""
        for name in self._parameters:
            value, spec = self.__dict__[name], self.specs[name]
            if has_live(value):
                assert isinstance(spec, ParameterSpec)
                spec.convert(self.label, name, spec.unit, resolve_value(value, resolve))
        self._check(resolve)

    def resolved(self, resolve: Resolve, known: Known | None = None) -> SimpleNamespace:
        """Return the parameters with every live number replaced by `resolve` of it.

        `known` keeps those of the parts that values are derived from, so that they are
        resolved once, however many values follow from them.
        """
        state, known, values = self.__dict__, Known() if known is None else known, {}
        for name in self._parameters:
            value = state[name]
            if not is_surely_plain(value):
                value = resolve_value(value, resolve, known)
                value = value.normalized() if isinstance(value, LiveAxis) else value
            values[name] = value
        for name, number in self.internal().items():
            is_one = isinstance(number, LiveScalar)
            values[name] = resolve(number) if is_one else number.mapped(resolve)
        return SimpleNamespace(**values)

    def __repr__(self) -> str:
        return as_written(self)


@dataclass_transform(kw_only_default=True, field_specifiers=(parameter,))
class DeclaredSignals(Part):
    """A part whose constructor takes its declarations by name; it is not drawn.

    Editors know its parameters by their annotations: see `motorik.authoring`.
    """

    is_drawn = False


class DeclaredPart(DeclaredSignals, FramedVisual):
    """A part whose constructor takes its declarations and options of drawing by name.

    Editors know its parameters by their annotations: see `motorik.authoring`.
    """

    is_drawn = True
