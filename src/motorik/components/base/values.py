"""Conversions of the values given for parameters of parts; invalid values are refused.

Each takes (part name, parameter name, unit, value). Conversions of what cannot be live have a
`reason`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Set
from functools import wraps
from typing import Any

import numpy as np

from motorik.algebra.matrix import Symmetric
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import AXIS_NAMES, Vector
from motorik.components.base.live_numbers import Live, LiveNumber, LiveScalar
from motorik.components.base.parameter import Parameter, numbers
from motorik.components.base.resolving import (
    PLAIN,
    Derived,
    LiveAxis,
    has_live,
    resolve_value,
)
from motorik.components.base.start_values import LARGEST, Start, guess, is_plain
from motorik.errors import ParameterError, question_of

__all__ = [
    "DECIDES",
    "Convert",
    "Derived",
    "LiveAxis",
    "LiveScalar",
    "Parameter",
    "Start",
    "as_axis",
    "as_boolean",
    "as_choice",
    "as_entry",
    "as_given",
    "as_number",
    "as_sequence",
    "as_tensor",
    "as_text",
    "as_vector",
    "guess",
    "never_live",
    "number_of",
    "numbers",
    "plain_only",
    "present_numbers",
    "reason_not_live",
]

Convert = Callable[[str, str, str, Any], Any]

REASON = "_not_live"


def plain_only(reason: str) -> Callable[[Convert], Convert]:
    """Return a decorator that makes a conversion refuse live numbers, with a reason."""

    def decorate(convert: Convert) -> Convert:
        @wraps(convert)
        def checked(part: str, name: str, unit: str, value: object) -> Any:
            if type(value) in PLAIN or not has_live(value):
                return convert(part, name, unit, value)
            raise ParameterError(
                part,
                f"{name} = {value!r} cannot be live: {reason}.",
                "Give plain numbers; changing them compiles the model again.",
                parameter=name,
                value=value,
            )

        setattr(checked, REASON, reason)
        return checked

    return decorate


def reason_not_live(convert: Convert) -> str:
    """Return why what a conversion takes cannot be live, "" if it can."""
    return getattr(convert, REASON, "")


def _is_real(value: object) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating))


def _number_fault(
    value: Any, minimum: float, above: float, maximum: float
) -> tuple[str, str] | None:
    """Return why a value is not a number within its limits, and what to do; None if it is one."""
    if isinstance(value, bool) or not _is_real(value):
        return "is not a number", "Give {name} as one number"
    if not abs(value) < math.inf or abs(value) > LARGEST:
        return "is not finite", "Give {name} as a finite number"
    if value < minimum:
        return "is too small", f"{{name}} must be at least {minimum:g} {{unit}}"
    if value <= above:
        return "is too small", f"{{name}} must be above {above:g} {{unit}}"
    if value > maximum:
        return "is too large", f"{{name}} must be at most {maximum:g} {{unit}}"
    return None


def as_number(
    minimum: float = -math.inf, above: float = -math.inf, maximum: float = math.inf
) -> Convert:
    """Return the conversion to one finite number, ≥ `minimum`, > `above` and ≤ `maximum`."""

    def convert(part: str, name: str, unit: str, value: Any) -> Any:
        if type(value) is float and minimum <= value <= maximum and value > above:
            if abs(value) <= LARGEST:
                return value
        if isinstance(value, Derived):
            return value
        if isinstance(value, Live):
            live = value.operand()
            if isinstance(live, Vector):
                raise ParameterError(
                    part,
                    f"{name} is one number, not {value!r}.",
                    "Give Parameter(1.0).",
                    parameter=name,
                    value=value,
                )
            convert(part, name, unit, live.value)
            return live
        fault = _number_fault(value, minimum, above, maximum)
        if fault is not None:
            shown = f"{name} = {value!r}{f' {unit}' if unit not in ('', '1') else ''}"
            reason, remedy = fault
            raise ParameterError(
                part,
                f"{shown[:60]} {reason}.",
                remedy.format(name=name, unit=unit.removeprefix("1")).rstrip() + ".",
                parameter=name,
                value=value,
            )
        return float(value)

    return convert


def as_vector(part: str, name: str, unit: str, value: object) -> Vector | Derived:
    """Convert to a vector of three finite numbers (or live ones)."""
    if isinstance(value, Derived):
        return value
    if isinstance(value, Live):
        live = value.operand()
        value = live if isinstance(live, Vector) else (live,)
    if isinstance(value, Vector):
        value = value.xyz
    if isinstance(value, (tuple, list)) and len(value) == 3 and all(map(is_plain, value)):
        return Vector(*value)
    resolved = f" in {unit}" if unit not in ("", "1") else ""
    remedy = f"Give {name} as three numbers{resolved}, e.g. (1, 0, 0)."
    if isinstance(value, (str, Mapping, Set)) or not isinstance(value, Iterable):
        raise ParameterError(
            part,
            f"{name} = {value!r} is not a vector.",
            remedy,
            parameter=name,
            value=value,
        )
    entries: list[Any] = list(value)
    if len(entries) != 3:
        raise ParameterError(
            part,
            f"{name} = {value!r} has {len(entries)} components instead of 3.",
            remedy,
            parameter=name,
            value=value,
        )
    return Vector(
        *(any_number(part, f"{name}[{i + 1}]", unit, e) for i, e in enumerate(entries))
    )


any_number = as_number()


never_live = plain_only("it is needed before the run")
"""Makes a conversion refuse live numbers, as the start is computed from the value."""


def as_axis(part: str, name: str, unit: str, value: object) -> Vector | Derived:
    """Convert to a direction: a non-zero vector, or one of "x", "y", "z", "-x", "-y", "-z"."""
    if isinstance(value, Derived):
        return value
    if isinstance(value, str):
        if value not in AXIS_NAMES:
            raise ParameterError(
                part,
                f"{name} = {value!r} is not an axis.",
                'Give "x", "y", "z" or a vector.',
                parameter=name,
                value=value,
            )
        return AXIS_NAMES[value]
    given = as_vector(part, name, unit, value)
    assert isinstance(given, Vector)
    components = given.xyz
    numbers = tuple(map(number_of, components))
    length = math.sqrt(sum(c * c for c in numbers))
    if length < 1e-12:
        raise ParameterError(
            part,
            f"{name} = {numbers} has length zero, so it has no direction.",
            "Give a vector along the axis, e.g. (0, 0, 1).",
            parameter=name,
            value=value,
        )
    if any(isinstance(c, LiveNumber) for c in components):
        return LiveAxis(*components)
    if math.isclose(length, 1.0, rel_tol=1e-15):  # what is a unit vector stays as it is
        return Vector(*numbers)
    return Vector(*(c / length for c in numbers))


def as_tensor(part: str, name: str, unit: str, value: Any) -> Any:
    """Convert a symmetric 3×3 matrix; its entries may be live."""
    if value is None or isinstance(value, (Symmetric, Derived)):
        return value
    array = present_numbers(value)
    if array.shape != (3, 3) or not np.isfinite(array).all():
        raise ParameterError(
            part,
            f"{name} = {value!r} is not a finite 3×3 matrix.",
            f"Give 3×3 numbers {unit}.",
            parameter=name,
            value=value,
        )
    if np.abs(array - array.T).max() > 1e-12 * max(np.abs(array).max(), 1e-300):
        raise ParameterError(
            part,
            f"{name} is not symmetric: {array.tolist()}.",
            "Give a symmetric matrix.",
            parameter=name,
            value=value,
        )
    if not has_live(value):
        return Symmetric.of(array.tolist())
    return Symmetric.of([[as_entry(e) for e in row] for row in value])


def present_numbers(value: object) -> np.ndarray:
    """Return an array of the numbers that a list or table has now, NaN if it is none."""
    is_list = isinstance(value, (tuple, list))
    return numbers(resolve_value(value, lambda leaf: leaf.value) if is_list else value)


def as_entry(value: Any) -> Scalar:
    """Return an entry of a list or table as parts keep it, a number or a live one."""
    return value.operand() if isinstance(value, Live) else float(value)


DECIDES = "it decides which equations there are"


@plain_only(DECIDES)
def as_boolean(part: str, name: str, unit: str, value: object) -> bool:
    """Convert to true or false."""
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterError(
            part,
            f"{name} = {value!r} is not True or False.",
            f"Give {name}=True or False.",
            parameter=name,
            value=value,
        )
    return bool(value)


@plain_only("it is a name")
def as_text(part: str, name: str, unit: str, value: object) -> str:
    """Convert to text, which may be empty."""
    if not isinstance(value, str):
        raise ParameterError(
            part,
            f"{name} = {value!r} is not a name.",
            f'Give {name} as text, or "".',
            parameter=name,
            value=value,
        )
    return value


def as_choice(*choices: str) -> Convert:
    """Return the conversion to one of the named choices (the last part of a dotted name counts)."""

    @plain_only(DECIDES)
    def convert(part: str, name: str, unit: str, value: Any) -> str:
        text = str(value).rsplit(".", 1)[-1]
        for choice in choices:
            if text.lower() == choice.lower():
                return choice
        raise ParameterError(
            part,
            f"{name} = {value!r} is not known.",
            f"{question_of(value, choices)}Choose one of {', '.join(choices)}.",
            parameter=name,
            value=value,
        )

    return convert


def _integers(value: Any) -> tuple[int, ...]:
    try:
        return tuple(operator.index(v) for v in value)
    except TypeError:
        return ()


@plain_only(DECIDES)
def as_sequence(part: str, name: str, unit: str, value: object) -> tuple[int, int, int]:
    """Convert a sequence of three coordinate axes, e.g. (1, 2, 3)."""
    entries = _integers(value)
    valid = len(entries) == 3 and all(e in (1, 2, 3) for e in entries)
    if not valid or entries[0] == entries[1] or entries[1] == entries[2]:
        raise ParameterError(
            part,
            f"{name} = {value!r} is not a sequence of rotation axes.",
            "Give three of 1, 2, 3 with no two neighbours alike, e.g. (1, 2, 3).",
            parameter=name,
            value=value,
        )
    return entries  # type: ignore[return-value]


def as_given(part: str, name: str, unit: str, value: object) -> object:
    """Take the value as it is."""
    return value


def number_of(value: Scalar) -> float:
    """Return the present number of a plain or live scalar."""
    return value.value if isinstance(value, LiveNumber) else float(value)
