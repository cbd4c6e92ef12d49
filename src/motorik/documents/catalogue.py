"""The catalogue: all public classes of parts as data, by their own declarations."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from motorik.algebra.matrix import Symmetric
from motorik.algebra.vector import Vector
from motorik.components.base.declared_value import DeclaredValue
from motorik.components.base.description import (
    PartDescription,
    ValueDescription,
    describe,
    described,
)
from motorik.components.base.part import Part
from motorik.components.base.values import Parameter, Start
from motorik.components.joints.friction import Coulomb, Stribeck
from motorik.documents.building import PORT_TYPES, kind_name
from motorik.documents.classes import part_classes
from motorik.documents.operations import fits
from motorik.documents.reading import Data

GROUPS = {
    "parts": "Bodies and frames",
    "joints": "Joints",
    "constraints": "Constraints",
    "assemblies": "Assemblies of joints",
    "forces": "Forces, springs and contact",
    "sensors": "Sensors",
    "rotational": "Rotational drive lines",
    "translational": "Translational drive lines",
    "electrical": "Electrical",
    "heat": "Heat",
    "hydraulic": "Hydraulic",
    "magnetic": "Magnetic",
    "blocks": "Signals",
    "visualizers": "Pictures",
    "planar": "Planar mechanisms",
}
"""The titles of the groups, by module, in the order of the page."""


def catalogue() -> Data:
    """Return all public classes of parts, the kinds of ports, and which of them fit."""
    classes = [entry_of(name, group, kind) for name, group, kind in part_classes()]
    fit = {a: [b for b in PORT_TYPES if fits(a, b)] for a in PORT_TYPES}
    motorik: Any = import_module("motorik")
    return {
        "version": motorik.__version__,
        "groups": [{"name": key, "title": title} for key, title in GROUPS.items()],
        "classes": classes,
        "makes": [law_entry(name, kind) for name, kind in LAWS.items()],
        "fits": fit,
    }


def entry_of(name: str, group: str, kind: type[Part]) -> Data:
    """Return the entry of a class."""
    found = describe(kind)
    order = {own: place for place, own in enumerate(found.values)}
    return {
        "class": name,
        "group": GROUPS.get(group, group),
        "module": group,
        "title": kind.__name__,
        "summary": found.summary,
        "ports": [*_ports(found, kind)],
        "parameters": sorted(
            (_value(one) for one in found.values.values()),
            key=lambda one: order[one["name"]],
        ),
        "visual": [_value(one) for one in found.visual.values()],
    }


LAWS: dict[str, type[DeclaredValue]] = {
    "joints.Coulomb": Coulomb,
    "joints.Stribeck": Stribeck,
}
"""The laws that joints take as values, by their public names."""


def law_entry(name: str, kind: type[DeclaredValue]) -> Data:
    """Return the entry of a law."""
    found = [_value(described(own, spec, spec.default)) for own, spec in kind.specs.items()]
    return {
        "class": name,
        "title": kind.__name__,
        "summary": (kind.__doc__ or "").partition("\n")[0],
        "parameters": found,
    }


def help_of(kind: type[Part]) -> str:
    """Return the help text of a class: its docstring with the lists of ports and parameters."""
    return describe(kind).text


def _ports(found: PartDescription, kind: type[Part]) -> Iterator[Data]:
    for name, port in found.ports.items():
        entry: Data = {
            "name": name,
            "kind": kind_name(kind.specs[name].type),  # type: ignore[union-attr]
            "description": port.description,
        }
        if port.unit:
            entry["unit"] = port.unit
        if port.when:
            entry["when"] = port.when
        if port.size != 1:
            entry["size"] = port.size
        if port.default is not None:
            entry["default"] = port.default
        yield entry


def _value(one: ValueDescription) -> Data:
    """Return the entry of a parameter; what is as usual is left out."""
    entry: Data = {
        "name": one.name,
        "kind": one.form,
        "description": one.description.partition("\n")[0],
    }
    entry["default"] = _default(one.default)
    optional = {
        "unit": one.unit if one.unit != "1" else "",
        "low": one.low,
        "above": one.above or None,
        "high": one.high,
        "choices": [*one.choices] or None,
        "size": one.size if one.size != 1 else None,
        "is_start": one.is_start or None,
        "optional": one.is_optional or None,
        "plain": None if one.is_live or one.is_start else True,
        "live": one.is_live or None,
        "makes": [*LAWS] if one.form == "law" else None,
        "required": True if one.form == "function" and one.default is None else None,
    }
    return entry | {
        key: value for key, value in optional.items() if value not in (None, "")
    }


def _default(value: object) -> Any:
    """Return a default as JSON; what is none is shown as text."""
    if isinstance(value, Start):
        inner = _default(value.value)
        return inner if value.is_fixed else {"guess": inner}
    if isinstance(value, Parameter):
        return {"parameter": _default(value.value)}
    if isinstance(value, Vector):
        return [_default(one) for one in value.xyz]
    if isinstance(value, Symmetric):
        return [[_default(one) for one in row.xyz] for row in value.full().rows]
    if isinstance(value, (tuple, list)):
        return [_default(one) for one in value]
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if abs(value) < float("inf") else {"number": str(value)}
    return {"unreadable": getattr(value, "__name__", type(value).__name__)}
