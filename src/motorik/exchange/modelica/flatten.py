"""Flattening: a model of the file together with all it inherits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from motorik.components.base.part import PortSpec
from motorik.exchange.modelica.errors import ModelicaError, UnknownPartError
from motorik.exchange.modelica.library import Base, ComponentClause, Library, ModelText
from motorik.exchange.modelica.registry import PORT_BASES, completed_name, find_full_name

DEEPEST_INHERITANCE = 32


@dataclass
class FlatModel:
    """The declarations, connections and modifiers of a model and its bases.

    `adjustments` are the modifiers of `extends` clauses with the model they are written in,
    those with precedence last.
    """

    name: str
    declarations: dict[str, ComponentClause] = field(default_factory=dict)
    ports: dict[str, PortSpec] = field(default_factory=dict)
    connections: list[tuple[str, str]] = field(default_factory=list)
    adjustments: list[tuple[Mapping[str, Any], str]] = field(default_factory=list)
    other_equations: int = 0


def flatten(model: ModelText, library: Library) -> FlatModel:
    """Return a model with everything it inherits."""
    flat = FlatModel(model.name)
    _include(model, library, flat, ())
    return flat


def _include(
    model: ModelText, library: Library, flat: FlatModel, path: tuple[str, ...]
) -> None:
    if model.name in path or len(path) > DEEPEST_INHERITANCE:
        raise ModelicaError(
            flat.name,
            f"extends itself: {' → '.join((*path, model.name))}.",
            "Remove the circular inheritance.",
        )
    for base in model.bases:
        _include_base(base, library, flat, (*path, model.name))
    for declaration in model.declarations:
        is_known = declaration.name in flat.declarations
        if declaration.redeclares and not is_known:
            raise ModelicaError(
                flat.name,
                f"{declaration.name!r} is redeclared in {declaration.within}, and no base has it.",
                "Declare it without redeclare.",
            )
        if is_known and not declaration.redeclares:
            raise ModelicaError(
                flat.name,
                f"{declaration.name!r} is declared in {declaration.within} and in "
                f"{flat.declarations[declaration.name].within}.",
                "Rename one of them.",
            )
        flat.declarations[declaration.name] = declaration
    flat.connections.extend(model.connections)
    flat.other_equations += model.other_equations


def _include_base(
    base: Base, library: Library, flat: FlatModel, path: tuple[str, ...]
) -> None:
    if "Icons" in base.name.split("."):
        return
    port_base = find_full_name(base.name, base.within, PORT_BASES)
    if port_base is not None:
        flat.ports.update(PORT_BASES[port_base])
        return
    full = find_full_name(base.name, base.within, library.models)
    if full is None:
        raise UnknownPartError(flat.name, completed_name(base.name, base.within))
    _include(library.models[full], library, flat, path)
    if base.modifiers:
        flat.adjustments.append((base.modifiers, base.within))
