"""Conversions of the values given for parameters of parts; invalid values are refused.

Each takes (part name, parameter name, unit, value). Conversions of values that cannot
be live have a `reason`.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import field, replace
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
from motorik.errors import ParameterError, called_as, question_of
from motorik.immutable import immutable

# --- start values, fixed or guessed -------------------------------------------------------


LARGEST = sys.float_info.max


@immutable
class Start:
    """A start value, fixed or a guess: `fixed` values are kept, guesses may be adjusted.

    Of a vector some components may be fixed and others not: ``fixed=(True, False, False)``.
    `given` is true if the user gave it; values that are not given are adjusted first. With
    `steady` the quantity starts where its rate vanishes, and the value is a guess.
    """

    value: float | tuple[float, ...] = 0.0
    fixed: bool | tuple[bool, ...] = False
    given: bool | tuple[bool, ...] = field(default=False, compare=False, repr=False)
    steady: bool = field(default=False, repr=False)

    def fixed_components(self) -> tuple[bool, ...]:
        """Return for each component whether it is fixed."""
        return self._of_components(self.fixed)

    def given_components(self) -> tuple[bool, ...]:
        """Return for each component whether it was given, as fixed or as a guess."""
        pairs = zip(self._of_components(self.given), self.fixed_components(), strict=True)
        return tuple(given or fixed for given, fixed in pairs)

    def _of_components(self, flags: bool | tuple[bool, ...]) -> tuple[bool, ...]:
        if isinstance(flags, tuple):
            return flags
        return (flags,) * (len(self.value) if isinstance(self.value, tuple) else 1)

    @property
    def is_fixed(self) -> bool:
        """Whether all of it is fixed."""
        return all(self.fixed_components())

    @property
    def is_given(self) -> bool:
        """Whether any component was given, as fixed or as a guess."""
        return any(self.given_components())

    @staticmethod
    def of(given: object, size: int = 1) -> Start:
        """Return the start value meant by a number, a vector, a dict or a `Start`.

        A plain number is fixed. ``{"start": 1.0}`` is a guess, as in Modelica.
        """
        if isinstance(given, Start):
            _start_value(given.value, size)
            _fixed(given.fixed, size)
            return given
        if isinstance(given, dict):
            strange = set(given) - {"start", "fixed"} if given else {"an empty dict"}
            if strange:
                raise ValueError(
                    f"{', '.join(map(repr, strange))} is neither start nor fixed"
                )
            value = given.get("start", 0.0 if size == 1 else (0.0,) * size)
            fixed = _fixed(given.get("fixed", False), size)
            return Start(_start_value(value, size), fixed, True)
        return Start(_start_value(given, size), True, True)


def _fixed(given: object, size: int) -> bool | tuple[bool, ...]:
    if type(given) is bool:
        return given
    answers = tuple(given) if isinstance(given, (tuple, list)) else (given,)
    if not all(isinstance(a, (bool, np.bool_)) for a in answers) or len(answers) not in (
        1,
        size,
    ):
        raise ValueError(f"fixed = {given!r} is not True or False, once or {size} times")
    return bool(answers[0]) if len(set(answers)) == 1 else tuple(map(bool, answers))


def _start_value(value: object, size: int) -> float | tuple[float, ...]:
    if size == 1 and isinstance(value, (float, int)) and is_plain(value):
        return float(value)
    if isinstance(value, Live):
        raise ValueError(
            f"{value!r} is live, and a start value is given by start= of a run"
        )
    array = numbers(value)
    if array.shape != (() if size == 1 else (size,)) or not np.isfinite(array).all():
        raise ValueError(f"{value!r} is not {size} finite number(s)")
    return float(array) if size == 1 else tuple(map(float, array))


def steady(value: float = 0.0) -> Start:
    """Return a start at rest: the rate vanishes there; the value is where the search begins."""
    return replace(guess(value), steady=True)


@called_as("guess", ParameterError)
def guess(value: float | Sequence[float]) -> Start:
    """Return a start value that may be adjusted: `Revolute(phi=guess(0.3))`."""
    array = numbers(value)
    if array.ndim > 1 or not np.isfinite(array).all():
        raise ParameterError(
            "guess",
            f"{value!r} is not a finite number or vector.",
            "Give e.g. guess(0.3).",
            parameter="value",
            value=value,
        )
    return Start(tuple(map(float, array)) if array.ndim else float(array), False, True)


def is_plain(value: object) -> bool:
    """Return whether a value is a plain finite number."""
    return type(value) in (float, int) and -LARGEST <= value <= LARGEST  # type: ignore[operator]


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
    """Return why the values of a conversion cannot be live, "" if it can."""
    return getattr(convert, REASON, "")


def _is_real(value: object) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating))


def _number_fault(
    value: Any, minimum: float, above: float, maximum: float
) -> tuple[str, str] | None:
    """Return reason and remedy where a value is no number within its limits, else None."""
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
    if math.isclose(length, 1.0, rel_tol=1e-15):  # unit vectors stay as they are
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
