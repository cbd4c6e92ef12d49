"""Start values: what a run begins with, fixed or as a guess."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from motorik.components.base.live_numbers import Live
from motorik.components.base.parameter import numbers
from motorik.errors import ParameterError, called_as

LARGEST = sys.float_info.max


@dataclass(frozen=True)
class Start:
    """A start value, fixed or a guess: `fixed` values are kept, guesses may be adjusted.

    Of a vector some components may be fixed and others not: ``fixed=(True, False, False)``.
    `given` is true if the user gave it; values that are not given are adjusted first.
    """

    value: float | tuple[float, ...] = 0.0
    fixed: bool | tuple[bool, ...] = False
    given: bool | tuple[bool, ...] = field(default=False, compare=False, repr=False)

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
