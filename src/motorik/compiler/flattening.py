"""Flattening: nested values taken apart into their scalars (leaves), and put together again.

Flattened are tuples, lists, dictionaries (their values), dataclasses (field by field), partial
functions, bound methods of such values, and classes that list their parts in ``_leaves`` and are
made from these parts in order. Scalars are floats and symbols; every other value, such as a
string or a whole number, belongs to the structure.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Sequence
from types import MethodType
from typing import Any, TypeAlias

import numpy as np

from motorik.algebra.value import Immutable
from motorik.errors import CompileError
from motorik.immutable import FROZEN

#: The place of a scalar in a structure.
SCALAR = "scalar"

Structure: TypeAlias = Any
"""`SCALAR`, or a tuple of the class of a value and the structures of its parts; can be hashed."""


def flatten(value: Any, scalar_class: type, leaves: list[Any]) -> Structure:
    """Append the scalars of `value` to `leaves`; return its structure, which is hashable."""
    kind = value.__class__
    if kind is scalar_class or kind is float:
        leaves.append(value)
        return SCALAR
    if kind is tuple or kind is list:
        return kind, *[flatten(part, scalar_class, leaves) for part in value]
    if kind is dict:
        values = [flatten(part, scalar_class, leaves) for part in value.values()]
        return kind, tuple(value), *values
    if kind is functools.partial:
        if value.keywords:
            return SCALAR, kind, value
        function = flatten(value.func, scalar_class, leaves)
        return kind, function, flatten(value.args, scalar_class, leaves)
    if kind is MethodType and _part_names(value.__self__.__class__) is not None:
        return kind, value.__func__, flatten(value.__self__, scalar_class, leaves)
    names = _part_names(kind)
    if names is not None:
        return kind, *[flatten(getattr(value, n), scalar_class, leaves) for n in names]
    if isinstance(value, np.floating):
        leaves.append(float(value))
        return SCALAR
    try:
        hash(value)
    except TypeError as error:
        raise CompileError(
            repr(value),
            f"is a {kind.__name__}, which has no leaves and cannot be compared",
            "Pass scalars in tuples, lists, dataclasses or classes with `_leaves`.",
        ) from error
    return SCALAR, kind, value


def unflatten(structure: Structure, leaves: Sequence[Any]) -> Any:
    """Return the value with this structure and these scalars."""
    return _put_together(structure, iter(leaves))


def fold_numbers(structure: Structure, leaves: Iterator[Any]) -> Structure:
    """Return the structure to which scalars that are numbers belong, and values made of them.

    Only the other scalars are its leaves. A value that cannot be changed is made once.
    """
    if structure is SCALAR:
        leaf = next(leaves)
        return (SCALAR, float, leaf) if leaf.__class__ is float else SCALAR
    kind, *parts = structure
    if kind is SCALAR:
        return structure
    if kind is dict or kind is MethodType:
        return kind, parts[0], *[fold_numbers(part, leaves) for part in parts[1:]]
    folded = kind, *[fold_numbers(part, leaves) for part in parts]
    if is_fixed(kind) and all(part[0] is SCALAR for part in folded[1:]):
        return SCALAR, kind, _put_together(folded, iter(()))
    return folded


@functools.cache
def is_fixed(kind: type) -> bool:
    """Return whether values of a class cannot be changed, as far as it says so."""
    if kind is tuple:
        return True
    return kind.__setattr__ in (Immutable.__setattr__, FROZEN["__setattr__"])


def is_fixed_structure(structure: Structure) -> bool:
    """Return whether a value of this structure cannot be changed."""
    if structure is SCALAR or structure[0] is SCALAR:
        return True
    return is_fixed(structure[0]) and all(map(is_fixed_structure, structure[1:]))


def _put_together(structure: Structure, leaves: Iterator[Any]) -> Any:
    if structure is SCALAR:
        return next(leaves)
    kind, *parts = structure
    if kind is SCALAR:
        return parts[1]
    if kind is dict:
        made = [_put_together(part, leaves) for part in parts[1:]]
        return dict(zip(parts[0], made, strict=True))
    if kind is MethodType:
        return MethodType(parts[0], _put_together(parts[1], leaves))
    values = [_put_together(part, leaves) for part in parts]
    if kind is functools.partial:
        return functools.partial(values[0], *values[1])
    if kind is list:
        return values
    if kind is tuple:
        return tuple(values)
    if hasattr(kind, "_leaves") or hasattr(kind, "_fields"):
        return kind(*values)
    made = object.__new__(kind)
    for name, value in zip(_part_names(kind) or (), values, strict=True):
        object.__setattr__(made, name, value)
    return made


@functools.cache
def _part_names(kind: type) -> tuple[str, ...] | None:
    """Return the names of the parts of a class that can be taken apart."""
    if hasattr(kind, "_leaves"):
        return tuple(kind._leaves)
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind))
    if issubclass(kind, tuple):
        return getattr(kind, "_fields", None)
    return None
