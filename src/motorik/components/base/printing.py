"""Printing: a part as a user writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from motorik.algebra.matrix import Symmetric
from motorik.algebra.vector import Vector
from motorik.components.base.declarations import ParameterSpec, StartSpec
from motorik.components.base.look import options_of
from motorik.components.base.resolving import Derived, has_live
from motorik.components.base.values import LiveScalar, Start

if TYPE_CHECKING:
    from motorik.components.base.part import Part


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
