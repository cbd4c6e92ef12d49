"""Taking the document of a `Model`: parts, values, connections, parameters, sub-models.

A class of parts that motorik has stands by its public name, one of a user by its module, to be
imported only where it is trusted. Models within the model become sub-models, those that are alike
one, and those that differ in numbers one with parameters. Live parameters stay live, formulas of
them stay formulas. A value that no file can hold, such as a function that branches, is kept as text
and shown.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from typing import Any

from motorik.algebra.vector import AXIS_NAMES, Vector
from motorik.components.base.composite import Composite
from motorik.components.base.declarations import ParameterSpec, PortSpec, StartSpec
from motorik.components.base.live_names import OWN
from motorik.components.base.live_numbers import LiveFormula, LiveScalar
from motorik.components.base.named_frames import NamedFrames
from motorik.components.base.parameter import Parameter
from motorik.components.base.part import Part
from motorik.components.base.ports import Port, SignalPort
from motorik.components.base.resolving import Derived, live_leaves
from motorik.components.base.visual import options_of
from motorik.components.blocks.buses import Bus
from motorik.documents.alike import unite_alike
from motorik.documents.building import kind_name
from motorik.documents.classes import name_in_documents, name_of_class
from motorik.documents.diagnostics import shown
from motorik.documents.reading import Data, Json, is_identifier
from motorik.documents.values import Writer, is_whole
from motorik.model import Model


def take_document(model: Composite) -> Data:
    """Return the data of a document from which the model can be built again."""
    return _ModelDocument(model).document()


def is_sub_model(part: Part) -> bool:
    """Return whether a part is a model of its own, no part of the catalogue."""
    return isinstance(part, Composite) and part.is_open and not name_of_class(type(part))


class _Names:
    """The live parameters of one model by name, those from outside included."""

    def __init__(self, model: Composite) -> None:
        self.model = model
        self.names: dict[int, str] = {}
        self.found: dict[str, Parameter] = {}
        for name, own in model.__dict__.get(OWN, {}).items():
            self.names[id(own)], self.found[name] = name, own

    def add(self, own: Parameter) -> str:
        """Return the name of a parameter, which gets one if it has none yet."""
        if id(own) not in self.names:
            stem = "".join(c if c.isalnum() else "_" for c in own.name) or "value"
            stem = stem if is_identifier(stem) else f"p_{stem.strip('_')}"
            name, k = stem, 1
            while (
                name in self.found or name in self.model.parts or name in self.model.specs
            ):
                k += 1
                name = f"{stem}_{k}"
            self.names[id(own)], self.found[name] = name, own
        return self.names[id(own)]


class _ModelDocument:
    """The document of one model."""

    def __init__(self, model: Composite) -> None:
        self.model = model
        self.models: dict[str, Data] = {}
        self.known: dict[str, str] = {}  # the text of sub-models, and their names
        self.modules: dict[str, None] = {}
        self.uses = self._count_uses(model)

    def _count_uses(self, model: Composite) -> dict[int, int]:
        """Return how often each live parameter is used; within a formula it needs a name."""
        uses: dict[int, int] = {}
        for part in _walk(model):
            for name in part._parameters:
                value = part.__dict__[name]
                if isinstance(value, Derived):
                    continue
                own = {id(leaf.parameter): leaf.parameter for leaf in live_leaves(value)}
                for one in own.values():
                    count = 1 if _is_direct(value, one) else 2
                    uses[id(one)] = uses.get(id(one), 0) + count
        return uses

    def document(self) -> Data:
        """Return the whole document."""
        kind = type(self.model)
        data: Data = {"motorik": 1, "name": kind.__name__}
        text = inspect.cleandoc(kind.__doc__ or "").partition("\n\n")[0]
        if text:
            data["description"] = " ".join(text.split())
        names = _Names(self.model)
        scope = self._scope(self.model, names, outermost=True)
        if self.modules:
            data["modules"] = [*self.modules]
        data |= {"parameters": [], "parts": [], "connections": [], **scope}
        if self.models:
            data["models"] = self.models
            unite_alike(data)
        for key in ("strategy", "gains"):
            value = getattr(kind, key, None)
            if value != getattr(Model, key):
                data[key] = [*value] if isinstance(value, tuple) else value
        return data

    def _scope(self, model: Composite, names: _Names, outermost: bool = False) -> Data:
        """Return parts, connections and parameters of a model."""
        writer = Writer(names.add, lambda own: self._is_named(own, names))
        parts = []
        for name, part in model.parts.items():
            if is_sub_model(part):
                parts.append(self._sub_model(name, part, names, writer))  # type: ignore[arg-type]
            else:
                parts.append(self._part(name, part, writer))
        connections = [*_connections(model)]
        scope: Data = {"parameters": [_defined(n, own) for n, own in names.found.items()]}
        scope["parts"] = parts
        scope["connections"] = connections
        ports = {
            name: _port(model.__dict__[name], spec)
            for name, spec in model.specs.items()
            if isinstance(spec, PortSpec) and isinstance(model.__dict__.get(name), Port)
        }
        if ports:
            scope["ports"] = ports
        drawn = options_of(model)
        if drawn and outermost:
            scope["visual"] = {name: writer.write(one) for name, one in drawn.items()}
        return scope

    def _is_named(self, own: Parameter, names: _Names) -> bool:
        """Return whether a parameter must have a name in its model."""
        return id(own) in names.names or self.uses.get(id(own), 0) > 1

    def _sub_model(self, name: str, part: Composite, outer: _Names, writer: Writer) -> Data:
        """Return the use of a model within the model; equal ones are one sub-model."""
        inner = _Names(part)
        scope = self._scope(part, inner)
        text = inspect.cleandoc(type(part).__doc__ or "").partition("\n\n")[0]
        if text:
            scope = {"description": " ".join(text.split()), **scope}
        arguments: Data = {}
        uses = self._count_uses(part) if inner.found else {}
        for own_name, own in inner.found.items():
            is_shared = (
                id(own) in outer.names
                or self._is_of_outer(own, part)
                or self.uses.get(id(own), 0) > uses.get(id(own), 0)
            )
            if is_shared:
                arguments[own_name] = {"formula": outer.add(own)}
        key = self._key_of(type(part).__name__, scope, arguments)
        found: Data = {"id": name, "class": f"#{key}"}
        drawn = options_of(part)
        if drawn:
            arguments["visual"] = {n: writer.write(one) for n, one in drawn.items()}
        if arguments:
            found["arguments"] = arguments
        return found

    def _is_of_outer(self, own: Parameter, part: Composite) -> bool:
        """Return whether a parameter of a model within is one of a model around it."""
        return any(
            any(own is one for one in outer.__dict__.get(OWN, {}).values())
            for outer in part.lineage()
            if outer is not part
        )

    def _key_of(self, stem: str, scope: Data, arguments: Data) -> str:
        """Return the name of a sub-model; values that all its uses give are no difference.

        A use whose parameters have other values than the first one gives them as arguments.
        """
        stem = stem if is_identifier(stem) else "Part"
        values = {one["name"]: one["value"] for one in scope["parameters"]}
        masked = [
            {key: one.get(key) for key in ("name", "fixed")} for one in scope["parameters"]
        ]
        text = stem + json.dumps({**scope, "parameters": masked}, sort_keys=True)
        key = self.known.get(text)
        if key is None:
            key, k = stem, 1
            while key in self.models:
                k += 1
                key = f"{stem}{k}"
            self.models[key], self.known[text] = scope, key
        for one in self.models[key]["parameters"]:
            own = one["name"]
            if own not in arguments and values[own] != one["value"]:
                arguments[own] = values[own]
        return key

    def _part(self, name: str, part: Part, writer: Writer) -> Data:
        """Return a part of a class with the values that are not the default ones."""
        kind = type(part)
        called = name_in_documents(kind)
        if ":" in called and not called.startswith("motorik."):
            self.modules[kind.__module__] = None
        found: Data = {"id": name, "class": called}
        arguments = {
            own: self._written(part, own, value, writer) for own, value in _given(part)
        }
        if arguments:
            found["arguments"] = arguments
        return found

    def _written(self, part: Part, name: str, value: Json, writer: Writer) -> Any:
        spec = part.specs.get(name)
        kind = spec.kind_of_value if isinstance(spec, ParameterSpec) else None
        if callable(value) and (kind is None or kind.form != "function"):
            return {"unreadable": shown(value)}
        is_axis = kind is not None and kind.form == "axis"
        try:
            return (_axis_name(value) if is_axis else "") or writer.write(value)
        except (ValueError, TypeError):
            return {"unreadable": shown(value)}


def _axis_name(value: object) -> str:
    """Return the name of a direction along an axis, "" of any other one."""
    if not isinstance(value, Vector):
        return ""
    said = repr(value.xyz)  # so that -0.0 is not 0.0
    return next((name for name, own in AXIS_NAMES.items() if repr(own.xyz) == said), "")


def _walk(model: Composite) -> Iterator[Part]:
    """Yield the parts of a model and of the models within, but not those within parts."""
    for part in model.parts.values():
        yield part
        if is_sub_model(part):
            yield from _walk(part)  # type: ignore[arg-type]


def _is_direct(value: object, own: Parameter) -> bool:
    """Return whether a value is a live parameter itself, not a formula or list with it."""
    if isinstance(value, LiveFormula):
        return False
    if isinstance(value, LiveScalar):
        return not own.is_vector
    return isinstance(value, Vector) and is_whole(value, own)


def _given(part: Part) -> Iterator[tuple[str, Any]]:
    """Yield the arguments that make a part what it is, by name."""
    state = part.__dict__
    if isinstance(part, NamedFrames):
        places = part.given_places()
        if places:
            yield part.argument, places
    for name, spec in part.specs.items():
        if isinstance(spec, ParameterSpec):
            value = state[name]
            is_withheld = value is False and name in part.withheld
            if is_withheld or not _is_default(value, spec, type(part).__name__, name):
                yield name, value
        elif isinstance(spec, StartSpec):
            begin = state[name]
            if begin != spec.unset or begin.is_given != spec.unset.is_given or begin.steady:
                yield name, begin
        elif isinstance(state.get(name), SignalPort) and not isinstance(part, Bus):
            constant = _constant(state[name], spec)
            if constant is not None:
                yield name, constant
    yield from options_of(part).items()


def _is_default(value: object, spec: ParameterSpec, kind: str, name: str) -> bool:
    """Return whether a value is the one that a part has without it."""
    if isinstance(value, Derived):  # follows from the parameters of another part
        return True
    if isinstance(spec.default, Parameter):
        own = getattr(value, "parameter", None)
        return own is not None and own.value == spec.default.value
    try:
        default = spec.initial(kind, name)
        return value is default or (type(value) is type(default) and bool(value == default))
    except Exception:  # of a parameter that must be given, or values that do not compare
        return False


def _constant(port: SignalPort, spec: PortSpec[Any]) -> Any:
    """Return the number, or numbers, that an input was connected with."""
    found = [one.default for one in port.elements]
    if all(one == spec.default for one in found):
        return None
    if port.carries == "Boolean":
        found = [None if one is None else bool(one) for one in found]
    return found[0] if len(set(found)) == 1 else found


def _port(port: Port, spec: PortSpec[Any]) -> Data:
    """Return the declaration of a port of a sub-model."""
    found: Data = {"kind": kind_name(type(port)), "description": spec.description}
    if port.size != 1:
        found["size"] = port.size
    return found


def _defined(name: str, own: Parameter) -> Data:
    """Return the definition of a live parameter of a model."""
    value = [*own.value] if isinstance(own.value, tuple) else own.value
    found: Data = {"name": name, "value": value}
    if own.is_named and own.name != name:
        found["label"] = own.name
    if own.unit:
        found["unit"] = own.unit
    if own.description:
        found["description"] = own.description
    if not own.fixed:
        found["fixed"] = False
    return found


# --- connections --------------------------------------------------------------------------


def _connections(model: Composite) -> Iterator[list[str]]:
    """Yield the connections of a model as pairs of paths; those of whole signals are one."""
    pairs = [*model.connections]
    k = 0
    while k < len(pairs):
        a, b = pairs[k]
        whole_a, whole_b = _whole(a), _whole(b)
        size = whole_a.size
        run = pairs[k : k + size]
        expected = [*zip(whole_a.elements, whole_b.elements, strict=False)]
        if size > 1 and whole_b.size == size and run == expected:
            yield [_path(model, whole_a), _path(model, whole_b)]
            k += size
            continue
        yield [_path(model, a), _path(model, b)]
        k += 1


def _whole(port: Port) -> Port:
    """Return the signal that an element belongs to, or the port itself."""
    name, bracket, _ = port.name.partition("[")
    whole = port.owner.__dict__.get(name) if bracket else None
    return whole if isinstance(whole, Port) else port


def _path(model: Composite, port: Port) -> str:
    """Return the path of a port in a model."""
    steps = []
    part = port.owner
    while part is not model and part is not None:
        steps.append(part.name)
        part = part.parent
    return ".".join([*reversed(steps), port.name])
