"""Fingerprint: a key that differs where two states of a model differ."""

from __future__ import annotations

from collections.abc import Hashable

from motorik.components.base.part import Part
from motorik.components.base.ports import Port
from motorik.components.base.resolving import Derived


def fingerprint(model: Part) -> tuple[Hashable, ...]:
    """Return parts, plain values and connections of a model, to be compared."""
    entries: list[Hashable] = []
    for part in model.walk():
        entries.append((part.path, type(part)))
        for name in part.specs:
            if name in part.__dict__:
                entries.append(_comparable(part.__dict__[name]))
        entries += [(port.path, port.default) for port in _numbered(part)]
        entries += [(a.path, b.path) for a, b in part.connections]
    return tuple(entries)


def _numbered(part: Part) -> list[Port]:
    """Return the elements of the signals of a part that are given a number."""
    elements = [element for port in part.ports() for element in port.elements]
    return [element for element in elements if element.default is not None]


def _comparable(value: object) -> Hashable:
    if isinstance(value, Port):  # copies of a model have ports of their own
        return value.path
    if isinstance(value, Derived):  # its source is compared itself
        return value.owner.path
    leaves = getattr(value, "_leaves", None)
    if leaves:
        return (type(value), *(_comparable(getattr(value, leaf)) for leaf in leaves))
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value
