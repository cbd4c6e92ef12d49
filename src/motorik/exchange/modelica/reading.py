"""Reading: from a file of models to one model, and to the values that it declares."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

import numpy as np

from motorik.components.base.part import Part, PortSpec
from motorik.components.base.ports import Port, SignalPort, join
from motorik.components.base.values import Parameter
from motorik.components.blocks.buses import Bus
from motorik.components.parts.flange_with_bearing import FlangeWithBearing
from motorik.errors import PortError, UnknownNameError, calls_within_motorik, suggest
from motorik.exchange.modelica import (  # noqa: F401 (register)
    catalogue,
    catalogue_blocks,
    catalogue_electrical,
    catalogue_heat,
    catalogue_lines,
    catalogue_loops,
    catalogue_magnetic,
)
from motorik.exchange.modelica.arrays import Value, flat, pick
from motorik.exchange.modelica.errors import (
    EquationsLeftOut,
    ExpressionError,
    ModelicaError,
)
from motorik.exchange.modelica.evaluate import Evaluation, Step, evaluate
from motorik.exchange.modelica.expressions import Name, Segment
from motorik.exchange.modelica.instance import MOST_DIRECTIONS, Instance
from motorik.exchange.modelica.kinds import QuantityKind
from motorik.exchange.modelica.library import Library, library_of, load_library
from motorik.exchange.modelica.modifiers import Place, part_name, shown
from motorik.exchange.modelica.parser import parse
from motorik.exchange.modelica.registry import (
    EQUATIONS,
    FORMER_PORTS,
    INITIAL_EQUATIONS,
    RegisteredPart,
)
from motorik.immutable import immutable
from motorik.model import Model

# --- connections --------------------------------------------------------------------------


def connect_parts(instance: Instance) -> None:
    """Make the connections of a model; as in Modelica, those to absent parts vanish."""
    for pair in instance.flat.connections:
        place = f"{instance.path}: connect({pair[0]}, {pair[1]})".lstrip(": ")
        try:
            left, right = (find_ports(instance, text) for text in pair)
            if left is not None and right is not None:
                _connect_each(left, right)
        except ExpressionError as error:
            raise error.at(place) from None
        except (PortError, UnknownNameError) as error:
            raise type(error)(
                place, f"{error.place} {error.reason}", error.remedy, **error.fields
            ) from None


@immutable
class BusName:
    """A name in a bus: a signal or a nested bus, as what it is connected with decides."""

    bus: Bus
    name: str


Bundle = Bus | FlangeWithBearing
"""Parts that are connected as a whole, as connectors of several ports are in Modelica."""
End = Port | Bundle | BusName


def _of_bus(end: End, other: End) -> Port | Bundle:
    """Return a signal of a bus, or a nested bus where the other end is one."""
    if not isinstance(end, BusName):
        return end
    if isinstance(other, Bus) or end.name in end.bus.parts:
        return end.bus.nested(end.name)
    return end.bus[end.name]


def _connect_each(left_ends: list[End], right_ends: list[End]) -> None:
    if len(left_ends) == len(right_ends) == 1:
        (one,), (other,) = left_ends, right_ends
        a, b = _of_bus(one, other), _of_bus(other, one)
        if isinstance(a, Bundle) or isinstance(b, Bundle):
            a >> b  # type: ignore[operator]
            return
        left_ends, right_ends = [a], [b]
    left, right = _as_ports(left_ends), _as_ports(right_ends)
    if [port.size for port in left] != [port.size for port in right]:
        left = [element for port in left for element in port.elements]
        right = [element for port in right for element in port.elements]
    if len(left) != len(right):
        raise PortError(
            "it",
            f"joins {len(left)} port(s) with {len(right)}.",
            "Give both sides the same number of ports.",
            port="",
            value=(left, right),
        )
    for first, second in zip(left, right, strict=True):
        join(first, second)


def _as_ports(ends: list[End]) -> list[Port]:
    """Return ends that are ports; of a bus only one name at a time is connected."""
    for end in ends:
        if not isinstance(end, Port):
            raise PortError(
                "it",
                "connects several names with a bus.",
                "Connect the signals of a bus one by one.",
                port="",
                value=end,
            )
    return [end for end in ends if isinstance(end, Port)]


def find_ports(instance: Instance, text: str) -> list[End] | None:
    """Return the ports that a reference like `sine[1:3].y` means; None if they are absent."""
    tree = parse(text)
    if not isinstance(tree, Name):
        raise ExpressionError("the name of a port expected.", text, 0)
    if tree.segments[0].name in instance.absent:
        return None
    found: list[Any] = [instance.model]
    for segment in tree.segments:
        stepped: list[Any] = []
        for owner in found:
            inner = _step(instance, owner, segment, text)
            if inner is None:
                return None
            stepped.extend(inner)
        found = stepped
    for port in found:
        if not isinstance(port, (Port, Bus, FlangeWithBearing, BusName)):
            raise PortError(
                text,
                f"is {port!r}, not a port.",
                "Connect ports, not parts.",
                port="",
                value=port,
            )
    return found


def _step(
    instance: Instance, owner: object, segment: Segment, text: str
) -> list[Any] | None:
    """Return the object that one step of a name leads to; None where a port is absent."""
    if isinstance(owner, BusName):
        owner = owner.bus.nested(owner.name)
    if not isinstance(owner, Part):
        raise PortError(
            text,
            f"is nothing: a port has no {segment.name!r}.",
            "",
            port=segment.name,
            value=text,
        )
    former = FORMER_PORTS.get(segment.name)
    if former in owner.specs and segment.name not in owner.specs:
        segment = replace(segment, name=former)
    evaluation = Evaluation(text, instance)
    subscripts = tuple(evaluation.subscript(tree) for tree in segment.subscripts)
    name = part_name(segment.name)
    array = _component_array(owner, name)
    if array:
        return flat(pick(array, subscripts))
    if name in owner.parts:
        found: Any = owner.parts[name]
    elif isinstance(owner, Bus):
        found = BusName(owner, segment.name)
    elif isinstance(owner.specs.get(segment.name), PortSpec):
        found = owner.__dict__.get(segment.name)
        if found is None:
            return None
    else:
        ports = [name for name, spec in owner.specs.items() if isinstance(spec, PortSpec)]
        raise UnknownNameError(
            text,
            f"{owner.label} ({type(owner).__name__}) has no port {segment.name!r}.",
            suggest(segment.name, [*ports, *owner.parts]),
            port=segment.name,
            value=segment.name,
        )
    if not subscripts:
        return _listed(found)
    if isinstance(found, Port) and (found.size != 1 or isinstance(found, SignalPort)):
        found = found.elements  # an array of one signal is that signal
    if not isinstance(found, (tuple, list)):
        raise PortError(
            text,
            f"{segment.name} is not an array.",
            "Leave out the subscript.",
            port=segment.name,
            value=text,
        )
    return _listed(pick(tuple(found), subscripts))


def _component_array(owner: Part, name: str) -> tuple[Any, ...]:
    """Return the parts of an array of components, nested in as many tuples as directions."""
    most = (("1",) * depth for depth in range(1, MOST_DIRECTIONS + 1))
    depth = next((len(at) for at in most if f"{name}[{','.join(at)}]" in owner.parts), 0)

    def nested(at: Place) -> Any:
        if len(at) == depth:
            return owner.parts[name + shown(at)]
        found: list[Any] = []
        while (
            name + shown((*at, len(found) + 1, *(1,) * (depth - len(at) - 1)))
            in owner.parts
        ):
            found.append(nested((*at, len(found) + 1)))
        return tuple(found)

    return nested(()) if depth else ()


def _listed(found: object) -> list[Any]:
    return list(found) if isinstance(found, (tuple, list)) else [found]


def read_model(name: str, models: str | Path | Mapping[str, Any] | Library) -> Model:
    """Return the model `name` of a file (or of its data), built from motorik's parts.

    The name may be shortened to last parts that only one model has. Nothing in the file is
    executed. `UnknownPartError` names a type without a registered part.
    """
    return read(name, models).model


def read(name: str, models: str | Path | Mapping[str, Any] | Library) -> ReadModel:
    """Return the model `name` of a file together with the values that it declares."""
    library = models if isinstance(models, Library) else _library(models)
    instance = Instance(library.find(name), library)
    ignored: dict[str, int] = {}
    _fill(instance, ignored)
    if ignored:
        counts = ", ".join(f"{label} {count}" for label, count in ignored.items())
        warnings.warn(
            f"{instance.label}: the file counts equations that it does not contain, and they "
            f"are left out ({counts}). If they only compute outputs, nothing is missing.",
            EquationsLeftOut,
            stacklevel=calls_within_motorik(),
        )
    return ReadModel(instance)


def _library(models: str | Path | Mapping[str, Any]) -> Library:
    if isinstance(models, (str, Path)):
        return load_library(models)
    return library_of(models)


def _fill(instance: Instance, ignored: dict[str, int]) -> None:
    """Make all parts of a model, the world first since others refer to it, and connect them.

    Equations that the file does not contain are counted in `ignored`, by model, unless values
    are registered for them.
    """
    flat = instance.flat
    initial = INITIAL_EQUATIONS.get(flat.name, {})
    if flat.other_equations and flat.name not in EQUATIONS and not initial:
        ignored[instance.label] = flat.other_equations
    names = sorted(instance.declarations, key=lambda name: not instance.holds_world(name))
    for name in names:
        kind = instance.kind(name)
        if isinstance(kind, (QuantityKind, PortSpec)):
            instance.check_variable(name, isinstance(kind, PortSpec))
            continue
        for label, at in instance.elements(name):
            if isinstance(kind, RegisteredPart):
                instance.part(label)
            else:
                _fill(instance.child(name, at), ignored)
    for path, start in initial.items():
        label, _, quantity = path.partition(".")
        setattr(instance.part(label), quantity, start)
    connect_parts(instance)


@immutable
class ReadModel:
    """A model that was read, with the quantities that its text declares."""

    instance: Instance

    @property
    def model(self) -> Model:
        """The model."""
        return self.instance.model

    @property
    def other_equations(self) -> int:
        """The number of equations that are no connections: the file gives only their number."""
        return self.instance.flat.other_equations

    def parameter(self, name: str) -> Value:
        """Return the value of a parameter of the model, or of a part: `body.m`.

        One that is left to the start (`fixed = false`) has the value that a run of the model
        computes for it.
        """
        value = evaluate(name, self.instance)
        if not isinstance(value, Parameter):
            return value
        simulator = self.model.simulator()
        found = tuple(simulator[scalar.label] for scalar in value.elements)
        return found if value.is_vector else found[0]

    def signal(self, result: Any, name: str) -> np.ndarray:
        """Return a variable of a result over time, also one that the file only declares.

        `gravity = body.g_0` in the file makes "gravity[2]" the second component of the
        result's "body.g_0"; parameters are constant over time.
        """
        try:
            return np.asarray(result[self.instance.own_name(name)])
        except UnknownNameError:
            value = ResultScope(self.instance, result).declared(name)
        if value is None:
            raise UnknownNameError(
                "result",
                f"has no variable {name!r}, and the model declares none.",
                value=name,
            )
        if isinstance(value, Parameter):
            raise UnknownNameError(
                "result",
                f"does not contain {name!r}, a parameter that is computed at the start of a run.",
                f"`reading.parameter({name!r})` finds it for the model as it is.",
                value=name,
            )
        columns = np.broadcast_arrays(result.time, *_columns(value))[1:]
        return columns[0] if not isinstance(value, tuple) else np.stack(columns, axis=-1)


def _columns(value: Value) -> list[Any]:
    if isinstance(value, tuple):
        return [column for item in value for column in _columns(item)]
    return [np.asarray(value, dtype=float)]


@immutable
class ResultScope:
    """The scope of values declared in a model: signals of a result, and parameters."""

    instance: Instance
    result: Any
    values: dict[str, Value] = field(default_factory=dict)

    def declared(self, name: str) -> Value | None:
        """Return the value of a quantity declared in the outermost model, or None."""
        try:
            tree = parse(name)
            if isinstance(tree, Name) and tree.segments[0].name in self.known_names():
                return evaluate(name, self)
        except ModelicaError:
            pass
        return None

    def known_names(self) -> list[str]:
        """Return the names of the model's declarations."""
        return self.instance.known_names()

    def value_of(self, steps: tuple[Step, ...]) -> Value | None:
        """Return a signal, a declared quantity or a parameter."""
        (name, subscripts), *rest = steps
        if name == "time" and not rest:
            return self.result.time
        text = None if rest else self.instance.expression_of(name)
        if text is not None:
            if name not in self.values:
                self.values[name] = evaluate(text, self)
            return pick(self.values[name], subscripts)
        whole = [*((part_name(step), inner) for step, inner in steps[:-1]), steps[-1]]
        path = ".".join(step + shown(inner) for step, inner in whole)
        try:
            return _nested(np.asarray(self.result[path]))
        except UnknownNameError:
            return self.instance.value_of(steps)


def _nested(values: np.ndarray) -> Value:
    """Return values over time as an array (of arrays) of one trajectory each."""
    if values.ndim == 1:
        return values
    return tuple(_nested(values[:, i]) for i in range(values.shape[1]))
