"""Building the `Model` of a document, anew for each revision; faults are located and collected.

Pieces that cannot be built are left out: a part with a refused argument is made without it, a
part of an unknown class is missing with its connections. So the rest is seen while one works.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from motorik.components import domains
from motorik.components.base.composite import Composite
from motorik.components.base.declarations import PortSpec, StartSpec
from motorik.components.base.parameter import Parameter
from motorik.components.base.part import Part
from motorik.components.base.ports import (
    BooleanInput,
    BooleanOutput,
    Domain,
    FramePort,
    IntegerInput,
    IntegerOutput,
    Port,
    PortKind,
    RotationalFlange,
    SignalInput,
    SignalOutput,
    SignalPort,
    TranslationalFlange,
    join,
)
from motorik.components.blocks.buses import Bus
from motorik.documents.classes import find_class
from motorik.documents.diagnostics import Diagnostic, hint, shown
from motorik.documents.reading import MOST_PARTS, Data
from motorik.documents.values import are_places, read_value
from motorik.errors import MotorikError, PortError
from motorik.model import Model

DEEPEST = 20  # sub-models within one another
MOST_USES = 2_000  # of sub-models
MOST_FAULTS = 100  # that are listed one by one
RETRIES = 8  # arguments of one part that are refused and left out

PORT_TYPES: dict[str, type[Port]] = {
    "frame": FramePort,
    "rotational": RotationalFlange,
    "translational": TranslationalFlange,
    "signal in": SignalInput,
    "signal out": SignalOutput,
    "Boolean in": BooleanInput,
    "Boolean out": BooleanOutput,
    "Integer in": IntegerInput,
    "Integer out": IntegerOutput,
    **{
        one.name: one.port_type
        for one in (domains.electrical, domains.heat, domains.hydraulic, domains.magnetic)
    },
}
"""The kinds of ports by the names that documents and the catalogue use."""
KIND_NAMES = {kind: name for name, kind in PORT_TYPES.items()}


def kind_name(port: type[Port]) -> str:
    """Return the name of the kind of a port: "frame", "signal in", "electrical"."""
    for kind in port.__mro__:
        if kind in KIND_NAMES:
            return KIND_NAMES[kind]
    own = getattr(port, "kind", None)
    return own.name if isinstance(own, Domain) else "signal"


@dataclass
class Built:
    """A model built from a document, as far as it goes, and the faults on the way."""

    model: Model
    faults: list[Diagnostic] = field(default_factory=list)

    @property
    def errors(self) -> list[Diagnostic]:
        """The faults for which the model is not the one of the document."""
        return [one for one in self.faults if one.level == "error"]


def build_model(data: Data, trusted: Collection[str] = ()) -> Built:
    """Return the model of a document, and all faults of it."""
    builder = _Builder(data, trusted)
    model = builder.made(data, "", data.get("name"))
    for key in ("strategy", "gains"):
        if key in data:
            given = data[key]
            kept = tuple(given) if isinstance(given, list) else given
            type.__setattr__(type(model), key, kept)
    builder.fill(model, data, "", {})
    return Built(model, builder.faults)


class _Builder:
    """Builds models and sub-models; `found` are the faults."""

    def __init__(self, data: Data, trusted: Collection[str]) -> None:
        self.data, self.trusted = data, trusted
        self.models: Mapping[str, Data] = data.get("models", {})
        self.found: dict[Diagnostic, None] = {}  # each once: sub-models have many uses
        self.left, self.uses, self.more = MOST_PARTS, 0, 0
        self.within: list[str] = []
        self.kinds: dict[str, type[Model]] = {}
        self.classes: dict[str, type[Part]] = {}

    def _note(self, fault: Diagnostic) -> None:
        if len(self.found) < MOST_FAULTS:
            self.found[fault] = None
        else:
            self.more += 1

    @property
    def faults(self) -> list[Diagnostic]:
        """All faults; beyond a number only their count."""
        if not self.more:
            return [*self.found]
        text = f"there are {self.more} further errors."
        return [*self.found, Diagnostic(text, "Correct the first ones.")]

    @property
    def _is_full(self) -> bool:
        """Whether so many faults are known that more of them need no words."""
        return len(self.found) >= MOST_FAULTS

    # --- models --------------------------------------------------------------------------

    def made(self, scope: Data, key: str, name: object) -> Model:
        """Return an empty model of a class with the name of the scope."""
        kind = self.kinds.get(key) if key else None
        if kind is None:
            called = name if isinstance(name, str) and name.isidentifier() else "Model"
            text = scope.get("description") or f"The model {called} of a document."
            kind = type(called, (Model,), {"__doc__": str(text), "__module__": __name__})
            self.kinds[key] = kind
        return kind()

    def fill(self, model: Model, scope: Data, key: str, given: Mapping[str, Any]) -> None:
        """Fill a model with parameters, ports, parts and connections of its scope."""
        known = self._parameters(model, scope, key, given)
        if "visual" in scope:
            self._try(
                key,
                "",
                lambda: setattr(model, "visual", read_value(scope["visual"], known)),
            )
        missing: set[str] = set()
        for one in scope.get("parts", ()):
            if self.left == 0:
                text = f"sub-models hold more than {MOST_PARTS} parts in all."
                self._note(Diagnostic(text, "Use fewer of them.", scope=key))
                self.left = -1
            if self.left < 0:
                missing.add(one["id"])
                continue
            self.left -= 1
            if not self._add(model, one, key, known):
                missing.add(one["id"])
        self._declare(model, scope, key)
        for k, (a, b) in enumerate(scope.get("connections", ())):
            self._connect(model, a, b, key, missing, k)

    def _parameters(
        self, model: Model, scope: Data, key: str, given: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Give a model its parameters, and return them by name for formulas."""
        known: dict[str, Any] = {}
        for one in scope.get("parameters", ()):
            name = one["name"]
            try:
                if name in given:
                    value = given[name]
                else:
                    value = read_value(one["value"], known)
                is_number = isinstance(value, (int, float, tuple)) and not isinstance(
                    value, bool
                )
                if is_number and one.get("live", True):
                    texts = {
                        word: one[word] for word in ("unit", "description") if one.get(word)
                    }
                    fixed = one.get("fixed", True) is not False
                    value = Parameter(value, one.get("label", ""), fixed=fixed, **texts)
                known[name] = value
                setattr(model, name, value)
            except MotorikError as error:
                self._note(_at(error, name, key, name))
        unknown = [name for name in given if name not in known]
        for name in unknown:
            text = f"the sub-model has no parameter {name!r}."
            remedy = hint(name, known)
            self._note(Diagnostic(text, remedy, "", "", name, scope=key))
        return known

    # --- parts ---------------------------------------------------------------------------

    def _add(self, model: Model, one: Data, key: str, known: Mapping[str, Any]) -> bool:
        """Make a part and give it its name; return whether it is there."""
        name, kind = one["id"], one["class"]
        if self._is_full and not self._is_known(kind):
            self.more += 1
            return False
        try:
            if kind.startswith("#"):
                part: Part | None = self._sub_model(name, kind[1:], one, key, known)
            else:
                part = self._part(name, kind, one, key, known)
            if part is None:
                return False
            setattr(model, name, part)
        except MotorikError as error:
            self._note(_at(error, name, key))
            return False
        if not kind.startswith("#"):
            self._constants(part, one, key, known)
        return True

    def _is_known(self, kind: str) -> bool:
        """Return whether a class is one of the model so far, or a sub-model."""
        return kind in self.classes or kind[1:] in self.models

    def _sub_model(
        self, name: str, kind: str, one: Data, key: str, known: Mapping[str, Any]
    ) -> Model | None:
        scope = self.models.get(kind)
        if scope is None:
            text = f"there is no sub-model {kind[:80]!r}."
            remedy = "" if self._is_full else hint(kind[:80], self.models)
            self._note(Diagnostic(text, remedy, name, "", "class", scope=key))
            return None
        if kind in self.within or len(self.within) >= DEEPEST:
            circle = " → ".join([*self.within, kind]) if kind in self.within else kind
            text = f"the sub-model is within itself: {circle}."
            if kind not in self.within:
                text = f"sub-models are nested more than {DEEPEST} times."
            remedy = "Take it out of itself."
            self._note(Diagnostic(text, remedy, name, "", "class", scope=key))
            return None
        given = {}
        for own, value in one.get("arguments", {}).items():
            if own == "visual":
                continue
            try:
                given[own] = read_value(value, known)
            except MotorikError as error:
                self._note(_at(error, name, key, own))
        self.uses += 1
        if self.uses > MOST_USES:
            text = f"sub-models are used more than {MOST_USES} times in all."
            self._note(Diagnostic(text, "Use fewer of them."))
            return None
        part = self.made(scope, kind, kind)
        self.within.append(kind)
        self.fill(part, scope, kind, given)
        self.within.pop()
        if "visual" in one.get("arguments", {}):
            options = one["arguments"]["visual"]
            self._try(
                key, name, lambda: setattr(part, "visual", read_value(options, known))
            )
        return part

    def _part(
        self, name: str, kind: str, one: Data, key: str, known: Mapping[str, Any]
    ) -> Part:
        """Return a part of a class, without the arguments that it refuses."""
        found = self.classes.get(kind)
        if found is None:
            found = self.classes[kind] = find_class(kind, self.trusted)
        given: dict[str, Any] = {}
        for own, value in one.get("arguments", {}).items():
            spec = found.specs.get(own)
            if isinstance(spec, PortSpec):
                continue  # a constant for an input
            try:
                if are_places(found, own, value):
                    given[own] = {port: read_value(at, known) for port, at in value.items()}
                else:
                    given[own] = read_value(value, known, isinstance(spec, StartSpec))
            except (MotorikError, TypeError, ValueError) as error:
                self._note(_at(error, name, key, own))
        for _ in range(RETRIES):
            try:
                return self._called(found, given, name, key)
            except MotorikError as error:
                refused = _argument_of(error, given)
                if refused is None:
                    raise
                self._note(_at(error, name, key, refused))
                del given[refused]
        return self._called(found, {}, name, key)

    def _called(self, kind: type[Part], given: dict[str, Any], name: str, key: str) -> Part:
        """Return a part; warnings become faults, any error of a user's class one of ours."""
        with warnings.catch_warnings(record=True) as issued:
            warnings.simplefilter("always")
            try:
                part = kind(**given)
            except MotorikError:
                raise
            except Exception as error:  # of a class of the user, or a strange value
                raise MotorikError(
                    name,
                    f"cannot be made: {type(error).__name__}: {shown(error)}.",
                    "Give other values.",
                ) from error
        for one in issued:
            text = str(one.message).splitlines()[0]
            self._note(Diagnostic(text, "", name, level="warning", scope=key))
        return part

    def _constants(self, part: Part, one: Data, key: str, known: Mapping[str, Any]) -> None:
        """Connect numbers with the inputs that they are given for."""
        for own, value in one.get("arguments", {}).items():
            if not isinstance(part.specs.get(own), PortSpec):
                continue
            try:
                number = read_value(value, known, True)
                port = getattr(part, own)
                if isinstance(number, tuple):
                    for element, inner in zip(port.elements, number, strict=False):
                        if inner is not None:
                            inner >> element
                elif number is not None:
                    number >> port
            except (MotorikError, TypeError) as error:
                self._note(_at(error, one["id"], key, own))

    # --- ports and connections -----------------------------------------------------------

    def _declare(self, model: Model, scope: Data, key: str) -> None:
        """Give a sub-model the ports of its scope."""
        specs = dict(model.specs)
        inner: list[tuple[str, str]] = []
        for name, one in scope.get("ports", {}).items():
            described = {"to": one} if isinstance(one, str) else one
            try:
                spec = self._port_spec(model, described)
                specs[name] = spec
                model.__dict__["specs"] = dict(specs)
                model.__dict__[name] = spec.port_of(model, name)
                if isinstance(described.get("to"), str):
                    inner.append((name, described["to"]))
            except MotorikError as error:
                self._note(_at(error, "", key, name))
        for name, to in inner:
            self._connect(model, name, to, key, set(), -1)

    def _port_spec(self, model: Model, one: Data) -> PortSpec[Any]:
        kind, size = one.get("kind"), one.get("size", 1)
        if kind is None:
            port = find_port(model, str(one.get("to")))
            own, size = type(port), port.size
        elif kind in PORT_TYPES:
            own = PORT_TYPES[kind]
        else:
            raise PortError(
                "",
                f"{shown(kind)} is not a kind of port.",
                hint(kind, PORT_TYPES),
                port="",
                value=kind,
            )
        if type(size) is not int or not 1 <= size <= 10_000:
            raise PortError(
                "",
                f"{shown(size)} is not the size of a signal.",
                "Give 1.",
                port="",
                value=size,
            )
        return PortSpec(str(one.get("description", "")), own, size=size)

    def _connect(
        self, model: Model, a: str, b: str, key: str, missing: Collection[str], k: int
    ) -> None:
        """Connect two ports by name; that of a missing part is reported once, at the part."""
        if any(one.partition(".")[0] in missing for one in (a, b)):
            return
        if self._is_full and not (_exists(model, a) and _exists(model, b)):
            self.more += 1
            return
        place = a
        try:
            first = find_port(model, a)
            place = b
            second = find_port(model, b)
            place = ""
            join(first, second)
        except MotorikError as error:
            place = place or (a if getattr(error, "place", "").find(b) < 0 else b)
            name = place.rpartition(".")[0]
            fault = _at(error, name, key)
            port = error.port or place.rpartition(".")[2]
            self._note(
                Diagnostic(
                    fault.text, fault.remedy, name, port, "", f"{a} – {b}", "error", key
                )
            )

    def _try(self, key: str, part: str, action: Callable[[], None]) -> None:
        try:
            action()
        except (MotorikError, TypeError, ValueError) as error:
            self._note(_at(error, part, key, "visual"))


def _argument_of(error: MotorikError, given: Mapping[str, Any]) -> str | None:
    """Return the argument that an error is about, None if it is about none of them."""
    names = [one.strip() for one in str(error.parameter).split(",")]
    names += [one.partition("[")[0].partition(".")[0] for one in names]
    return next((one for one in names if one in given), None)


def _at(error: Exception, part: str, scope: str, field: str = "") -> Diagnostic:
    """Return an error as a fault at a part and field of a scope."""
    if isinstance(error, MotorikError):
        found = Diagnostic.of(error, part, scope)
        own = field or found.field
        return Diagnostic(
            found.text, found.remedy, part, found.port, own, found.value, "error", scope
        )
    return Diagnostic(
        f"{type(error).__name__}: {shown(error)}", "", part, "", field, scope=scope
    )


# --- ports by name ------------------------------------------------------------------------


def find_port(model: Composite, path: str) -> Port:
    """Return a port by its path in a model: "crank.frame_a", "legs[1].hip.axis", "sum.u[2]"."""
    *steps, last = path.split(".")
    part: Part = model
    for step in steps:
        inner = part.parts.get(step)
        if inner is None and isinstance(part, Bus) and step.isidentifier():
            inner = part.nested(step)
        if inner is None:
            raise PortError(
                part.label if part is not model else "",
                f"has no part {step!r}.",
                hint(step, part.parts),
                port=last,
                value=path,
            )
        part = inner
    name, _, index = last.partition("[")
    if isinstance(part, Bus):
        return _element(part[name], index, path)
    if not isinstance(part.specs.get(name), PortSpec):
        known = [one for one, spec in part.specs.items() if isinstance(spec, PortSpec)]
        raise PortError(
            ".".join(steps),
            f"has no port {name!r}.",
            hint(name, known),
            port=name,
            value=path,
        )
    try:
        port = getattr(part, name)
    except MotorikError as error:
        raise PortError(
            ".".join(steps), error.reason, error.remedy, port=name, value=path
        ) from None
    return _element(port, index, path)


def _exists(model: Composite, path: str) -> bool:
    """Return whether the first part of a path and, if it is the last, its port exist."""
    first, _, rest = path.partition(".")
    part = model.parts.get(first)
    if part is None:
        return first in model.specs and not rest
    return "." in rest or rest.partition("[")[0] in part.specs or isinstance(part, Bus)


def _element(port: Port, index: str, path: str) -> Port:
    if not index:
        return port
    digits = index.removesuffix("]")
    if not isinstance(port, SignalPort) or not digits.isdigit() or digits == "0":
        raise PortError(
            port.label,
            f"has no element [{index}.",
            "Elements of signals are counted from 1.",
            port=port.name,
            value=path,
        )
    return port[int(digits) - 1]


def port_kinds() -> Iterator[tuple[str, PortKind]]:
    """Yield the kinds of ports with their names, for the catalogue."""
    for name, kind in PORT_TYPES.items():
        yield name, kind.kind
