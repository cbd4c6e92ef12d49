"""Instance: one model of the file being built, with the values of its names and its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from motorik.components.base.part import ParameterSpec, Part, PortSpec
from motorik.components.base.visual import Visual
from motorik.components.parts.rigid import Fixed
from motorik.components.parts.world import World
from motorik.components.visualizers import FixedShape
from motorik.errors import UnknownNameError, suggest
from motorik.exchange.modelica.arrays import Value, flat, pick
from motorik.exchange.modelica.errors import (
    ExpressionError,
    MissingFeatureError,
    ModelicaError,
)
from motorik.exchange.modelica.evaluate import Scope, Step, evaluate
from motorik.exchange.modelica.flatten import FlatModel, flatten
from motorik.exchange.modelica.kinds import Kind, QuantityKind, find_kind
from motorik.exchange.modelica.library import ComponentClause, Library, ModelText
from motorik.exchange.modelica.modifiers import (
    FUNCTION,
    MODEL,
    TYPE,
    VALUE,
    Modifiers,
    Place,
    ScopedExpression,
    bind,
    element,
    essential,
    merge,
    part_name,
    shown,
)
from motorik.exchange.modelica.parts import free_parameter, is_free, make_part
from motorik.exchange.modelica.registry import EQUATIONS, RegisteredPart
from motorik.exchange.modelica.visuals import warn_and_skip
from motorik.immutable import immutable
from motorik.model import Model

# --- visualizers placed by expressions instead of a frame ---------------------------------


ORIENTATION, ORIGINS = "R", ("r", "r_0")
METRES = "RelativePosition"


@immutable
class Where:
    """The place of a shape: a frame of the model, or r [m] in the world."""

    frame: str = ""
    r: tuple[float, ...] = (0.0, 0.0, 0.0)


def make_placed(
    entry: RegisteredPart, modifiers: Modifiers, scope: Scope, label: str
) -> tuple[Part, Where]:
    """Return a visualizer and where it is drawn; hidden, if it cannot be."""
    part, where = _hidden(FixedShape()), Where()
    with warn_and_skip(label):
        own = {k: v for k, v in modifiers.items() if k not in (ORIENTATION, *ORIGINS)}
        place = find_place(modifiers, scope, label)
        _check_functions(own, entry, label)
        if entry.vector:
            own = _with_length(own, entry.vector, label)
        part, where = make_part(entry, own, label), place
    return part, where


def find_place(modifiers: Modifiers, scope: Scope, label: str) -> Where:
    """Return where R and r are, if they are constant or those of a frame of the same model."""
    R = _given(modifiers, ORIENTATION)
    r = next((b for name in ORIGINS if (b := _given(modifiers, name)) is not None), None)
    if R is None or R.text.endswith("nullRotation()"):
        if r is None:
            return Where()
        numbers = flat(r.value())
        if len(numbers) != 3:
            raise ModelicaError(f"{label}.r", f"{r.text} is not a position.")
        return Where(r=tuple(map(float, numbers)))
    frame, _, last = R.text.rpartition(".")
    if last != "R" or r is None or r.text != f"{frame}.r_0":
        raise ModelicaError(label, "R and r are neither constant nor those of one frame.")
    if R.scope is not scope or r.scope is not scope:
        raise ModelicaError(label, f"{frame} is a frame of another model.")
    return Where(frame)


def put(model: Model, flattened: FlatModel, label: str, where: Where) -> None:
    """Connect a visualizer of a model to its frame, or to a fixed place in the world."""
    frame = where.frame
    if not frame:
        name, bracket, index = label.partition("[")
        place = f"{name}_place{bracket}{index}"
        setattr(model, place, _hidden(Fixed(r=where.r)))
        frame = f"{place}.frame_b"
    flattened.connections.append((f"{label}.frame_a", frame))


def _hidden(part: Part) -> Part:
    """Return a part that is not drawn."""
    part.visual = Visual(animation=False)
    return part


def _given(modifiers: Modifiers, name: str) -> ScopedExpression | None:
    """Return the expression of a modifier."""
    return modifiers.get(name, {}).get(VALUE)


def _check_functions(modifiers: Modifiers, entry: RegisteredPart, label: str) -> None:
    """Refuse a shape that is given by a function of Modelica, which files do not contain."""
    for name, modifier in modifiers.items():
        if FUNCTION in modifier and name not in entry.part.specs:
            text = modifier[FUNCTION].text.partition("(")[0]
            raise ModelicaError(label, f"its {name} is the function {text}.")


def _with_length(modifiers: Modifiers, name: str, label: str) -> Modifiers:
    """Return modifiers with the direction and the length of a vector, which must be constant."""
    vector, quantity = _given(modifiers, name), _given(modifiers, "quantity")
    if vector is None:
        raise ModelicaError(label, f"{name} is not given, so it has no length.")
    if quantity is not None and quantity.text.rpartition(".")[2] != METRES:
        raise ModelicaError(label, f"{quantity.text} is no length.")
    vector.value()  # refuses one that changes in time
    length = replace(vector, text=f"Modelica.Math.Vectors.length({vector.text})")
    rest = {key: value for key, value in modifiers.items() if key != name}
    return {**rest, "n": {VALUE: vector}, "length": {VALUE: length}}


MOST_PARTS = 100_000
LARGEST_COMPONENT_ARRAY = 10_000
MOST_DIRECTIONS = 4  # of an array of components
DEEPEST_MODEL = 32


class Instance:
    """One model being built: the meaning of its declarations and the values of its names.

    Values are computed on demand, in the order that the expressions need.
    """

    def __init__(
        self,
        text: ModelText,
        library: Library,
        modifiers: Modifiers | None = None,
        parent: Instance | None = None,
        name: str = "",
    ) -> None:
        self.library = library
        self.flat: FlatModel = flatten(text, library)
        self.parent = parent
        self.path = f"{parent.path}.{name}" if parent and parent.path else name
        self.depth: int = parent.depth + 1 if parent else 0
        self.count: list[int] = parent.count if parent else [0]
        if self.depth > DEEPEST_MODEL:
            raise ModelicaError(
                self.path, f"models are nested deeper than {DEEPEST_MODEL}."
            )
        adjusted: Modifiers = {}
        for raw, within in self.flat.adjustments:
            adjusted = merge(adjusted, bind(raw, self, within))
        self.modifiers = merge(adjusted, modifiers or {})
        self._check_modifiers()
        self._kinds: dict[str, Kind] = {}
        self._children: dict[str, Instance] = {}
        self._pending: list[str] = []
        self._values: dict[str, Any] = {}
        self.declarations = dict(self.flat.declarations)
        self.absent = {n for n, d in self.declarations.items() if not self._is_present(d)}
        for absent in self.absent:
            del self.declarations[absent]
        self.model = self._empty_model()

    @property
    def label(self) -> str:
        """The name for messages."""
        return self.path or self.flat.name

    # --- what declarations mean --------------------------------------------------------------

    def _check_modifiers(self) -> None:
        for key, modifier in self.modifiers.items():
            if key in (VALUE, TYPE) or key in self.flat.declarations:
                continue
            if not (isinstance(modifier, dict) and MODEL in modifier):
                raise UnknownNameError(
                    self.label,
                    f"({self.flat.name}) has no modifier {key!r}.",
                    suggest(key, self.flat.declarations),
                    parameter=key,
                    value=key,
                )

    def _is_present(self, declaration: ComponentClause) -> bool:
        if declaration.condition is None:
            return True
        value = self._evaluated(declaration.condition, f"{declaration.name} if")
        if not isinstance(value, bool):
            raise ModelicaError(
                f"{self.label}.{declaration.name}",
                f"its condition {declaration.condition!r} is neither true nor false.",
            )
        return value

    def kind(self, name: str) -> Kind:
        """Return the kind of a declaration: a quantity, a port, a part or a model."""
        if name not in self._kinds:
            declaration = self.declarations[name]
            self._kinds[name] = find_kind(
                declaration, self.modifiers, self.library, self.path
            )
        return self._kinds[name]

    def _empty_model(self) -> Model:
        ports = dict(self.flat.ports)
        for name in self.declarations:
            kind = self.kind(name)
            if isinstance(kind, PortSpec):
                ports[name] = replace(kind, size=self._size_of_port(name))
        for name in ports:
            if hasattr(Model, name):
                raise ModelicaError(
                    f"{self.label}.{name}",
                    "this port has the name of a method.",
                    "Rename it.",
                )
        short = self.flat.name.rsplit(".", 1)[-1]
        own = {"__doc__": f"{self.flat.name}.", "is_translated": True, **ports}
        return type(short, (Model,), own)()

    def _size_of_port(self, name: str) -> int:
        """Return the number of elements of a signal of the model, which is no matrix."""
        sizes = self.sizes(name)
        if len(sizes) > 1:
            raise MissingFeatureError(
                f"{self.label}.{name}",
                f"a port of the model that is an array of size {sizes}",
            )
        return sizes[0] if sizes and sizes[0] else 1

    def sizes(self, name: str) -> Place:
        """Return how many elements an array has in each direction; () if it is a single one."""
        declaration = self.declarations[name]
        if not declaration.size:
            return ()
        sizes = self._evaluated(f"{{{declaration.size}}}", f"{name}[{declaration.size}]")
        if any(isinstance(size, bool) or not isinstance(size, int) for size in sizes):
            raise MissingFeatureError(f"{self.label}.{name}", f"an array of size {sizes}")
        if len(sizes) > MOST_DIRECTIONS:
            raise MissingFeatureError(f"{self.label}.{name}", f"an array of size {sizes}")
        if min(sizes) < 0 or prod(sizes) > LARGEST_COMPONENT_ARRAY:
            count = " x ".join(map(str, sizes))
            raise ModelicaError(f"{self.label}.{name}", f"has {count} elements.")
        return tuple(sizes)

    def elements(self, name: str) -> Iterator[tuple[str, Place]]:
        """Return names and places of the elements: `sine[1]`, …, or the name alone."""
        for place in product(*(range(1, size + 1) for size in self.sizes(name))):
            yield name + shown(place), place

    def component_modifiers(self, name: str, place: Place = ()) -> Modifiers:
        """Return all modifiers of a component (of one element of an array)."""
        declaration = self.declarations[name]
        modifiers = merge(
            bind(declaration.modifiers, self, declaration.within),
            self.modifiers.get(name, {}),
        )
        if place:
            modifiers = element(modifiers, place, self.sizes(name))
        return {key: value for key, value in modifiers.items() if key != TYPE}

    # --- values ------------------------------------------------------------------------------

    def known_names(self) -> list[str]:
        """Return the names of the declarations."""
        return list(self.declarations)

    def value_of(self, steps: tuple[Step, ...]) -> Value | None:
        """Return the value of a dotted name, or None."""
        (name, subscripts), *rest = steps
        if name not in self.declarations:
            is_world = self.parent is not None and self.parent.holds_world(name)
            return self.parent.value_of(steps) if is_world and self.parent else None
        kind = self.kind(name)
        if isinstance(kind, QuantityKind):
            return None if rest else pick(self.quantity(name), subscripts)
        if not rest or isinstance(kind, PortSpec):
            return None
        return self._members(self.sizes(name), subscripts, (), kind, name, tuple(rest))

    def _members(
        self,
        sizes: Place,
        subscripts: tuple[Value, ...],
        place: Place,
        kind: RegisteredPart | ModelText,
        name: str,
        steps: tuple[Step, ...],
    ) -> Value | None:
        """Return a value of the chosen elements of an array of components, as an array."""
        if not sizes:
            pick((), subscripts)  # refuses more subscripts than there are directions
            return self._member(kind, name, place, steps)
        chosen = pick(tuple(range(1, sizes[0] + 1)), subscripts[:1])
        rest = (sizes[1:], subscripts[1:])
        if isinstance(chosen, int):
            return self._members(*rest, (*place, chosen), kind, name, steps)
        inner = (self._members(*rest, (*place, int(i)), kind, name, steps) for i in chosen)
        found = tuple(inner)
        return None if any(one is None for one in found) else found

    def _member(
        self,
        kind: RegisteredPart | ModelText,
        name: str,
        place: Place,
        steps: tuple[Step, ...],
    ) -> Value | None:
        if isinstance(kind, ModelText):
            return self.child(name, place).value_of(steps)
        return self.part_value(kind, name, place, steps)

    def holds_world(self, name: str) -> bool:
        """Whether this model, or one around it, has a world of this name."""
        kind = self.kind(name) if name in self.declarations else None
        if isinstance(kind, RegisteredPart) and issubclass(kind.part, World):
            return True
        return self.parent is not None and self.parent.holds_world(name)

    def quantity(self, name: str) -> Value:
        """Return the value of a declared number, truth value or array."""
        declaration = self.declarations[name]
        own = bind(declaration.modifiers, self, declaration.within)
        modifier = essential(merge(own, self.modifiers.get(name, {})))
        place = f"{self.path}.{name}".lstrip(".")
        if declaration.is_parameter and is_free(modifier, place):
            return self._once(name, lambda: free_parameter(modifier, 0.0, place, place))
        given: ScopedExpression | None = modifier.get(VALUE)
        if given is not None:
            return self._once(name, given.value)
        text = text_of(declaration)
        if text is None:
            raise ExpressionError(f"{self.label}.{name} has no value.")
        return self._once(name, lambda: self._evaluated(text, name))

    def check_variable(self, name: str, is_port: bool) -> None:
        """Reject declarations of a variable or a port that would be ignored.

        That is a fixed start value, or the value of a signal of the model.
        """
        declaration = self.declarations[name]
        if declaration.is_parameter:
            return
        place = f"{self.path}.{name}".lstrip(".")
        modifier = essential(self.component_modifiers(name))
        if "fixed" in modifier and not is_free(modifier, place):
            raise MissingFeatureError(
                place,
                "a fixed start value of a variable of the model",
                "Give it to the part whose variable it is.",
            )
        if is_port and (declaration.value is not None or VALUE in modifier):
            raise MissingFeatureError(
                place,
                "a signal of the model with a value",
                "Give it by a RealExpression that is connected to it.",
            )

    def expression_of(self, name: str) -> str | None:
        """Return the text of a declared quantity, unless a modifier gives another value."""
        declaration = self.declarations.get(name)
        if declaration is None or not isinstance(self.kind(name), QuantityKind):
            return None
        given = self.modifiers.get(name, {}).get(VALUE)
        return text_of(declaration) if given is None else None

    def part_value(
        self, entry: RegisteredPart, name: str, place: Place, steps: tuple[Step, ...]
    ) -> Value | None:
        """Return a parameter of a part: as modified, by the library's default, or derived."""
        (parameter, subscripts), *rest = steps
        if rest:
            return None
        modifier = self.component_modifiers(name, place).get(parameter, {})
        given = modifier.get(VALUE)
        label = name + shown(place)
        key = f"{label}.{parameter}"
        spec = entry.part.specs.get(parameter)
        if given is not None:
            value = self._once(key, given.value)
        elif isinstance(spec, ParameterSpec) and is_free(modifier, f"{self.label}.{key}"):
            value = getattr(self.part(label), parameter).parameter
        elif parameter in entry.preset:
            value = entry.preset[parameter]
        elif parameter in entry.defaults:
            scope = PartScope(self, entry, name, place)
            value = self._once(key, lambda: evaluate(entry.defaults[parameter], scope))
        elif parameter in entry.derived:
            value = self._once(key, lambda: entry.derived[parameter](self.part(label)))
        elif isinstance(spec, ParameterSpec) and spec.default is not None:
            value = spec.default
        else:
            return None
        return pick(value, subscripts)

    def _evaluated(self, text: str, name: str) -> Value:
        try:
            return evaluate(text, self)
        except ExpressionError as error:
            raise error.at(f"{self.path}.{name}".lstrip(".")) from None

    def _once(self, key: str, compute: Callable[[], Any]) -> Any:
        """Compute a value on first use, refusing one that depends on itself."""
        if key in self._pending:
            circle = " → ".join((*self._pending[self._pending.index(key) :], key))
            raise ModelicaError(self.label, f"{key} refers to itself: {circle}.")
        if key not in self._values:
            self._pending.append(key)
            try:
                self._values[key] = compute()
            finally:
                self._pending.pop()
        return self._values[key]

    def own_name(self, name: str) -> str:
        """Return the name in motorik of a variable of a part of this model."""
        first, _, rest = name.partition(".")
        declared = first.partition("[")[0]
        kind = self.kind(declared) if declared in self.declarations else None
        if isinstance(kind, RegisteredPart):
            own = part_name(first)
            return f"{own}.{kind.aliases.get(rest, rest)}" if rest else name
        if isinstance(kind, ModelText) and first in self._children:
            return f"{part_name(first)}.{self._children[first].own_name(rest)}"
        return name

    # --- parts -------------------------------------------------------------------------------

    def child(self, name: str, place: Place = ()) -> Instance:
        """Return the instance of a component that is itself a model of the file."""
        label = name + shown(place)
        if label not in self._children:
            text = self.kind(name)
            assert isinstance(text, ModelText)
            self._count_one()
            modifiers = self.component_modifiers(name, place)
            child = Instance(text, self.library, modifiers, self, part_name(label))
            setattr(self.model, part_name(label), child.model)
            self._children[label] = child
        return self._children[label]

    def part(self, label: str) -> Part:
        """Return a part of the model by its name, made on first use."""
        if part_name(label) not in self.model.parts:
            name, _, index = label.partition("[")
            entry = self.kind(name)
            assert isinstance(entry, RegisteredPart)
            self._count_one()
            at = tuple(map(int, index[:-1].split(","))) if index else ()
            modifiers = self.component_modifiers(name, at)
            place = f"{self.path}.{label}".lstrip(".")
            if entry.placed:
                part, where = make_placed(entry, modifiers, self, place)
                setattr(self.model, label, part)
                put(self.model, self.flat, label, where)
                return part
            part = self._once(f"part {label}", lambda: make_part(entry, modifiers, place))
            setattr(self.model, part_name(label), part)
        return self.model.parts[part_name(label)]

    def _count_one(self) -> None:
        self.count[0] += 1
        if self.count[0] > MOST_PARTS:
            raise ModelicaError(self.label, f"has more than {MOST_PARTS} parts.")


def text_of(declaration: ComponentClause) -> str | None:
    """Return the expression of a quantity: as declared, or from the model's equations."""
    if declaration.value is not None:
        return declaration.value
    return EQUATIONS.get(declaration.within, {}).get(declaration.name)


class PartScope:
    """The scope of a library part's own defaults: its parameters, and the world."""

    def __init__(
        self, instance: Instance, entry: RegisteredPart, name: str, element: Place
    ) -> None:
        self.instance = instance
        self.entry = entry
        self.name = name
        self.element = element

    def value_of(self, steps: tuple[Step, ...]) -> Value | None:
        """Return a parameter of the part, or of the world around it."""
        if len(steps) > 1:
            found = self.instance.value_of(steps)
            default: Any = World.specs.get(steps[1][0])
            return default.default if found is None and default is not None else found
        return self.instance.part_value(self.entry, self.name, self.element, steps)

    def known_names(self) -> list[str]:
        """Return the names of the part's parameters."""
        return [*self.entry.part.parameter_names(), *self.entry.defaults]
