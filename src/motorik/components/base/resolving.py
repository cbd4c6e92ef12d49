"""Resolving: parameters whose live numbers are replaced by values or symbols."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from motorik.algebra.matrix import Matrix, Symmetric
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.values import Derived, LiveScalar, Parameter

if TYPE_CHECKING:
    from motorik.components.base.part import Part

PLAIN = frozenset((bool, int, float, str, tuple, type(None)))  # nothing live is in these

Values = Any
"""Parameters as scalars to compute with, of any kind of part; of one kind it is `Self`."""

Resolve = Callable[[LiveScalar], Scalar]
Known = dict["Part", SimpleNamespace]
"""Parameters of parts that have been resolved."""


def number_resolver(scalar: LiveScalar) -> float:
    """Resolve a live number to its present value."""
    return scalar.value


def live_within(value: object) -> list[Parameter]:
    """Return the live parameters in a parameter value."""
    if type(value) in PLAIN:
        return []
    leaves = [getattr(value, leaf) for leaf in getattr(value, "_leaves", ())] or [value]
    found: list[Parameter] = []
    for leaf in leaves:
        live = getattr(leaf, "parameter", None)
        if isinstance(live, Parameter) and live not in found:
            found.append(live)
    return found


def resolve_value(value: object, resolve: Resolve, known: Known | None = None) -> Any:
    """Return a parameter value with every live number in it resolved; `known` as above."""
    if type(value) is Vector and type(value.x) is type(value.y) is type(value.z) is float:
        return value
    if isinstance(value, LiveScalar):
        return resolve(value)
    if isinstance(value, Derived):
        owner, known = value.owner, {} if known is None else known
        if owner not in known:
            known[owner] = owner.resolved(resolve, known)
        return value.function(known[owner])
    if isinstance(value, (Vector, Matrix, Symmetric)):
        leaves = [getattr(value, leaf) for leaf in value._leaves]
        if any(isinstance(leaf, LiveScalar) for leaf in leaves):
            return type(value)(*(resolve_value(leaf, resolve) for leaf in leaves))
    return value
