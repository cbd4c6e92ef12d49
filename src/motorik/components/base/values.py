"""Values that parts are given: live parameters, start values, and their conversion."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from motorik.algebra.matrix import Symmetric
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import AXIS_NAMES, Vector
from motorik.errors import ParameterError, UnknownNameError, question_of, suggest


class Parameter:
    """A number that stays live: it can be changed between runs and steps without recompiling.

    Given to a part in place of a plain number: ``Body(m=Parameter(1.0))``. Three numbers make
    a live vector: ``FixedTranslation(r=Parameter((1, 0, 0)))``. Its name is the path of the
    part's parameter (``body.m``) unless `name` is given. With ``fixed=False`` the value is a
    guess: each run finds it so that fixed start accelerations are met (``Revolute(a=0.0)``).
    """

    def __init__(
        self,
        value: float | Sequence[float],
        name: str = "",
        unit: str = "",
        fixed: bool = True,
    ) -> None:
        array = numbers(value)
        if array.shape not in ((), (3,)) or not np.isfinite(array).all():
            raise ParameterError(
                name or "Parameter",
                f"value {value!r} is neither a finite number nor three of them.",
                "Give Parameter(1.0) or Parameter((1.0, 0.0, 0.0)).",
                parameter="value",
                value=value,
            )
        if not isinstance(name, str) or not isinstance(unit, str):
            raise ParameterError(
                "Parameter",
                f"name = {name!r} and unit = {unit!r} are not both text.",
                'Give e.g. Parameter(1.0, name="mass", unit="kg").',
                parameter="name",
                value=(name, unit),
            )
        self.name = name
        self.unit = unit
        self.fixed = as_boolean(name or "Parameter", "fixed", "", fixed)
        self.is_designed = False  # whether its value follows from the design pose
        self.elements = tuple(LiveScalar(self, i) for i in range(array.size))
        self._array = np.atleast_1d(array).copy()
        self.is_vector = array.shape == (3,)

    @property
    def value(self) -> float | tuple[float, ...]:
        """The present value."""
        return tuple(map(float, self._array)) if self.is_vector else float(self._array[0])

    @value.setter
    def value(self, value: float | Sequence[float]) -> None:
        self._array[:] = self.checked(value)

    def checked(self, value: float | Sequence[float]) -> np.ndarray:
        """Return a value as numbers, if it is one that the parameter could have."""
        array = np.atleast_1d(numbers(value))
        if array.shape != self._array.shape or not np.isfinite(array).all():
            raise ParameterError(
                self.name or "Parameter",
                f"value {value!r} does not fit; it needs {self._array.size} finite number(s).",
                "Keep the kind (number or vector) of the value it was made with.",
                parameter="value",
                value=value,
            )
        return array

    def __setattr__(self, name: str, value: Any) -> None:
        known = ("value", "name", "unit", "fixed")
        if name not in (*known, "elements", "is_vector", "is_designed", "_array"):
            raise UnknownNameError(
                self.name or "Parameter",
                f"has no {name!r}.",
                suggest(name, known),
                parameter=name,
                value=value,
            )
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return f"Parameter({self.value!r}{f', name={self.name!r}' if self.name else ''})"


def numbers(value: Any) -> np.ndarray:
    """Return what was given as an array of numbers, NaN if it is none.

    Texts, truth values and complex numbers are no numbers here, whatever NumPy makes of them.
    """
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        return np.asarray(math.nan)
    return array.astype(float) if array.dtype.kind in "iuf" else np.asarray(math.nan)


@dataclass(frozen=True)
class LiveScalar:
    """One number of a live parameter, standing for itself until it is resolved."""

    parameter: Parameter
    index: int

    @property
    def value(self) -> float:
        """The present value."""
        return float(self.parameter._array[self.index])

    @property
    def label(self) -> str:
        """The name as results and parameter lists show it: `body.m`, `link.r[1]`."""
        suffix = f"[{self.index + 1}]" if self.parameter.is_vector else ""
        return f"{self.parameter.name}{suffix}"


class LiveAxis(Vector):
    """A direction with live components; it becomes a unit vector when they are resolved."""

    __slots__ = ()


@dataclass(frozen=True)
class Derived:
    """A value computed from the parameters of `owner` when they are resolved."""

    owner: Any
    function: Callable[[Any], Any]


@dataclass(frozen=True)
class Start:
    """A start value and whether it must be kept (`fixed`) or only guides (a guess).

    Of a vector some components may be fixed and others not: ``fixed=(True, False, False)``.
    `given` tells that somebody said it; what nobody said moves before what somebody did.
    """

    value: float | tuple[float, ...] = 0.0
    fixed: bool | tuple[bool, ...] = False
    given: bool | tuple[bool, ...] = field(default=False, compare=False, repr=False)

    def fixed_components(self) -> tuple[bool, ...]:
        """Return for each component whether it is fixed."""
        return self._of_components(self.fixed)

    def given_components(self) -> tuple[bool, ...]:
        """Return for each component whether somebody said it, as fixed or as a guess."""
        pairs = zip(self._of_components(self.given), self.fixed_components(), strict=True)
        return tuple(given or fixed for given, fixed in pairs)

    def _of_components(self, told: bool | tuple[bool, ...]) -> tuple[bool, ...]:
        if isinstance(told, tuple):
            return told
        return (told,) * (len(self.value) if isinstance(self.value, tuple) else 1)

    @property
    def is_fixed(self) -> bool:
        """Whether all of it is fixed."""
        return all(self.fixed_components())

    @property
    def is_given(self) -> bool:
        """Whether somebody said any of it, as fixed or as a guess."""
        return any(self.given_components())

    @staticmethod
    def of(given: Any, size: int = 1) -> Start:
        """Return the start value meant by a number, a vector, a dict or a `Start`.

        A plain number is meant: it is fixed. ``{"start": 1.0}`` is a guess, as in Modelica.
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


def _fixed(given: Any, size: int) -> bool | tuple[bool, ...]:
    if type(given) is bool:
        return given
    answers = tuple(given) if isinstance(given, (tuple, list)) else (given,)
    if not all(isinstance(a, (bool, np.bool_)) for a in answers) or len(answers) not in (
        1,
        size,
    ):
        raise ValueError(f"fixed = {given!r} is not True or False, once or {size} times")
    return bool(answers[0]) if len(set(answers)) == 1 else tuple(map(bool, answers))


def _start_value(value: Any, size: int) -> float | tuple[float, ...]:
    if size == 1 and _is_plain(value):
        return float(value)
    array = numbers(value)
    if array.shape != (() if size == 1 else (size,)) or not np.isfinite(array).all():
        raise ValueError(f"{value!r} is not {size} finite number(s)")
    return float(array) if size == 1 else tuple(map(float, array))


def guess(value: float | Sequence[float]) -> Start:
    """Return a start value that only guides: `Revolute(phi=guess(0.3))`."""
    array = numbers(value)
    if array.ndim > 1 or not np.isfinite(array).all():
        raise ParameterError(
            "guess",
            f"{value!r} is no finite number or vector.",
            "Give e.g. guess(0.3).",
            parameter="value",
            value=value,
        )
    return Start(tuple(map(float, array)) if array.ndim else float(array), False, True)


# --- conversions: (part name, parameter name, unit, value) -> canonical value ---------------

Convert = Callable[[str, str, str, Any], Any]


def _is_live(value: Any) -> bool:
    return isinstance(value, (Parameter, LiveScalar, Derived))


LARGEST = sys.float_info.max


def _is_real(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating))


def as_number(
    minimum: float = -math.inf, above: float = -math.inf, maximum: float = math.inf
) -> Convert:
    """Return the conversion to one finite number, ≥ `minimum`, > `above` and ≤ `maximum`."""

    def convert(part: str, name: str, unit: str, value: Any) -> Any:
        if isinstance(value, Parameter):
            if value.is_vector:
                raise ParameterError(
                    part,
                    f"{name} is one number, not {value!r}.",
                    "Give Parameter(1.0).",
                    parameter=name,
                    value=value,
                )
            convert(part, name, unit, value.value)
            return value.elements[0]
        if type(value) is float and minimum <= value <= maximum and value > above:
            if abs(value) <= LARGEST:
                return value
        if _is_live(value):
            return value
        shown = f"{name} = {value!r}{f' {unit}' if unit not in ('', '1') else ''}"
        if isinstance(value, bool) or not _is_real(value):
            raise ParameterError(
                part,
                f"{shown} is not a number.",
                f"Give {name} as one number.",
                parameter=name,
                value=value,
            )
        if not abs(value) < math.inf or abs(value) > LARGEST:
            raise ParameterError(
                part,
                f"{shown[:60]} is not finite.",
                "Give a finite number.",
                parameter=name,
                value=value,
            )
        if value < minimum:
            raise ParameterError(
                part,
                f"{shown} is too small.",
                f"{name} must be at least {minimum:g} {unit}.",
                parameter=name,
                value=value,
            )
        if value <= above:
            raise ParameterError(
                part,
                f"{shown} is too small.",
                f"{name} must be above {above:g} {unit}.",
                parameter=name,
                value=value,
            )
        if value > maximum:
            raise ParameterError(
                part,
                f"{shown} is too large.",
                f"{name} must be at most {maximum:g} {unit}.",
                parameter=name,
                value=value,
            )
        return float(value)

    return convert


def as_vector(part: str, name: str, unit: str, value: Any) -> Any:
    """Convert to a vector of three finite numbers (or live ones)."""
    if isinstance(value, Derived):
        return value
    if isinstance(value, Parameter):
        value = value.elements if value.is_vector else (value,)
    if isinstance(value, Vector):
        value = value.xyz
    if isinstance(value, (tuple, list)) and len(value) == 3 and all(map(_is_plain, value)):
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


def _is_plain(value: Any) -> bool:
    """Tell at a glance whether a value is a finite number and nothing else."""
    return type(value) in (float, int) and -LARGEST <= value <= LARGEST


def never_live(convert: Convert) -> Convert:
    """Return the conversion that refuses live parameters: what a start is computed from."""

    def checked(part: str, name: str, unit: str, value: Any) -> Any:
        entries = value if isinstance(value, (tuple, list)) else (value,)
        if any(isinstance(entry, (Parameter, LiveScalar)) for entry in entries):
            raise ParameterError(
                part,
                f"{name} = {value!r} cannot be live: it is needed before the run.",
                "Give plain numbers; changing them compiles the model anew.",
                parameter=name,
                value=value,
            )
        return convert(part, name, unit, value)

    return checked


def as_axis(part: str, name: str, unit: str, value: Any) -> Any:
    """Convert to a direction: a non-zero vector, or one of "x", "y", "z", "-x", "-y", "-z"."""
    if isinstance(value, Derived):
        return value
    if isinstance(value, str):
        if value not in AXIS_NAMES:
            raise ParameterError(
                part,
                f"{name} = {value!r} is no axis.",
                'Give "x", "y", "z" or a vector.',
                parameter=name,
                value=value,
            )
        return AXIS_NAMES[value]
    components = as_vector(part, name, unit, value).xyz
    numbers = tuple(map(number_of, components))
    length = math.sqrt(sum(c * c for c in numbers))
    if length < 1e-12:
        raise ParameterError(
            part,
            f"{name} = {numbers} has length zero, so it names no direction.",
            "Give a vector along the axis, e.g. (0, 0, 1).",
            parameter=name,
            value=value,
        )
    if numbers != components:
        return LiveAxis(*components)
    if math.isclose(length, 1.0, rel_tol=1e-15):  # what is a unit vector stays as it is
        return Vector(*numbers)
    return Vector(*(c / length for c in numbers))


def as_tensor(part: str, name: str, unit: str, value: Any) -> Any:
    """Convert a symmetric 3×3 matrix."""
    if value is None or isinstance(value, (Symmetric, Derived)):
        return value
    array = numbers(value)
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
    return Symmetric.of(array.tolist())


def as_boolean(part: str, name: str, unit: str, value: Any) -> bool:
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


def as_text(part: str, name: str, unit: str, value: Any) -> str:
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


def as_sequence(part: str, name: str, unit: str, value: Any) -> tuple[int, int, int]:
    """Convert a sequence of three coordinate axes, e.g. (1, 2, 3)."""
    entries = _integers(value)
    valid = len(entries) == 3 and all(e in (1, 2, 3) for e in entries)
    if not valid or entries[0] == entries[1] or entries[1] == entries[2]:
        raise ParameterError(
            part,
            f"{name} = {value!r} is no sequence of rotation axes.",
            "Give three of 1, 2, 3 with no two neighbours alike, e.g. (1, 2, 3).",
            parameter=name,
            value=value,
        )
    return entries  # type: ignore[return-value]


def as_given(part: str, name: str, unit: str, value: Any) -> Any:
    """Take the value as it is."""
    return value


def number_of(value: Scalar) -> float:
    """Return the present number of a plain or live scalar."""
    return value.value if isinstance(value, LiveScalar) else float(value)
