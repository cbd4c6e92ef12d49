"""Kinds of declarations: a quantity, a port, a part or a model."""

from __future__ import annotations

import re

from motorik.components.base.part import PortSpec
from motorik.exchange.modelica.errors import UnknownPartError
from motorik.exchange.modelica.library import ComponentClause, Library, ModelText
from motorik.exchange.modelica.modifiers import MODEL, TYPE, Modifiers, ScopedExpression
from motorik.exchange.modelica.registry import (
    PARTS,
    PORTS,
    RegisteredPart,
    completed_name,
    find_full_name,
)

QUANTITY = re.compile(
    r"(Real|Integer|Boolean|String)$|SI\.|Modelica\.Units\.|(.*\.)?Types\.|(.*\.)?Orientation$"
)


class QuantityKind:
    """The kind of a declaration that is a number, a truth value or an array, not a part."""


Kind = QuantityKind | PortSpec | RegisteredPart | ModelText


def find_kind(
    declaration: ComponentClause, modifiers: Modifiers, library: Library, path: str
) -> Kind:
    """Return the kind of a declaration, including redeclarations by modifiers.

    Registered parts come before models of the file, so that a model with equations of its own
    can be written by hand. `path` is that of the model, for messages.
    """
    name, within = declaration.type, declaration.within
    redeclared: ScopedExpression | None = modifiers.get(declaration.name, {}).get(TYPE)
    if redeclared is not None:
        name, within = redeclared.text, redeclared.within
    replaced: ScopedExpression | None = modifiers.get(name, {}).get(MODEL)
    if replaced is not None:
        name, within = replaced.text, replaced.within
    full = find_full_name(name, within, {*PARTS, *PORTS, *library.models})
    if full in PARTS:
        return PARTS[full]
    if full in PORTS:
        return PORTS[full]
    if full is not None:
        return library.models[full]
    if QUANTITY.match(name):
        return QuantityKind()
    place = f"{path}.{declaration.name}".lstrip(".")
    raise UnknownPartError(place, completed_name(name, within))
