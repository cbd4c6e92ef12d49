"""Modifiers of components, each value bound to the scope it is written in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from motorik.exchange.modelica.arrays import Value, pick, shape
from motorik.exchange.modelica.evaluate import Scope, evaluate
from motorik.immutable import immutable
from motorik.model import Model

VALUE = "="
TYPE = "redeclare"
MODEL = "redeclare model"
FUNCTION = "redeclare function"
ATTRIBUTES = frozenset(
    {"displayUnit", "unit", "quantity", "min", "max", "nominal", "stateSelect"}
)


@immutable
class ScopedExpression:
    """The text of an expression with the scope of its names.

    `within` is the model whose text it is; `elements` are the indices and the sizes of the arrays
    of components that it belongs to, from the outermost on, by which its own share is chosen.
    """

    text: str
    scope: Scope
    within: str
    elements: tuple[tuple[Place, Place], ...] = ()

    def value(self) -> Value:
        """Return the value of the expression."""
        return self.share(evaluate(self.text, self.scope))

    def share(self, value: Value) -> Value:
        """Return the share of one element: what is not given for each is given for all."""
        for place, sizes in self.elements:
            if shape(value)[: len(sizes)] == sizes:
                value = pick(value, place)
        return value


Place = tuple[int, ...]
"""Where an element stands in an array of components, from 1 on; () for a single one."""

Modifiers = dict[str, Any]
"""Names to `Modifiers` again; the value itself stands under "=" as a `ScopedExpression`."""


def bind(raw: Mapping[str, Any], scope: Scope, within: str) -> Modifiers:
    """Return the modifiers of a file's component, bound to a scope.

    Redeclarations stand under the name that is redeclared: `redeclare Gear gear` under
    "gear", with the new type as a `ScopedExpression` under "redeclare".
    """
    bound: Modifiers = {}
    for key, value in raw.items():
        if key == VALUE:
            bound[VALUE] = ScopedExpression(value, scope, within)
            continue
        inner = (
            {VALUE: ScopedExpression(value, scope, within)}
            if isinstance(value, str)
            else bind(value, scope, within)
        )
        words = key.split()
        if len(words) == 3 and words[0] == "redeclare":
            kind, key = words[1], words[2]
            if kind in ("function", "model"):
                inner = {f"redeclare {kind}": inner[VALUE]}
            else:
                inner[TYPE] = ScopedExpression(kind, scope, within)
        bound = merge(bound, {key: inner})
    return bound


def merge(inner: Modifiers, outer: Modifiers) -> Modifiers:
    """Return the modifiers, the outer ones taking precedence."""
    merged = dict(inner)
    for key, value in outer.items():
        known = merged.get(key)
        merged[key] = (
            merge(known, value)
            if isinstance(known, dict) and isinstance(value, dict)
            else value
        )
    return merged


def element(modifiers: Modifiers, place: Place, sizes: Place) -> Modifiers:
    """Return the modifiers of one element of an array of components."""
    return {
        key: replace(value, elements=(*value.elements, (place, sizes)))
        if isinstance(value, ScopedExpression)
        else element(value, place, sizes)
        for key, value in modifiers.items()
    }


def essential(modifiers: Modifiers, also: Iterable[str] = ()) -> Modifiers:
    """Return the modifiers without attributes such as units and limits."""
    ignored = ATTRIBUTES | set(also)
    return {key: value for key, value in modifiers.items() if key not in ignored}


def shown(subscripts: tuple[Value, ...]) -> str:
    """Return subscripts as they are written."""
    return f"[{','.join(str(s) for s in subscripts)}]" if subscripts else ""


def part_name(label: str) -> str:
    """Return the name of a component as a part: one that every model has gets an underscore."""
    name, bracket, index = label.partition("[")
    return f"{name}_{bracket}{index}" if hasattr(Model, name) else label
