"""Parameter: a number or a vector that stays live, changed between runs without compiling."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.vector import Vector, VectorLike
from motorik.components.base.live_numbers import Live, LiveNumber, LiveScalar
from motorik.components.base.units import warn_of_degrees
from motorik.errors import ParameterError, UnknownNameError, called_as, suggest

if TYPE_CHECKING:
    from motorik.components.base.internal import InternalRole

PUBLIC = ("value", "name", "unit", "fixed", "description")
INNER = ("elements", "is_vector", "is_designed", "is_named", "role", "_array")


class Parameter(Live):
    """A number that stays live: it can be changed between runs and steps without recompiling.

    Given to a part in place of a plain number: ``Body(m=Parameter(1.0))``. Three numbers make
    a live vector: ``FixedTranslation(r=Parameter((1, 0, 0)))``. It computes like a number,
    and results of formulas stay live: ``r=(0, -L / 2, 0)``.

    Its name is `name`, or that of the attribute or argument of a model that it is assigned
    to (``self.L = Parameter(1.0)``, in a model within another ``leg.L``), or else the path of
    the first parameter for which it is given (``body.m``). With ``fixed=False`` the value is a
    guess: each run computes it so that fixed start accelerations are met (``Revolute(a=0.0)``).
    """

    @called_as("Parameter", ParameterError)
    def __init__(
        self,
        value: float | Sequence[float],
        name: str = "",
        unit: str = "",
        fixed: bool = True,
        description: str = "",
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
        for what, text in (("name", name), ("unit", unit), ("description", description)):
            if not isinstance(text, str):
                raise ParameterError(
                    "Parameter",
                    f"{what} = {text!r} is not text.",
                    'Give e.g. Parameter(1.0, name="mass", unit="kg").',
                    parameter=what,
                    value=text,
                )
        self.name, self.unit, self.description = name, unit, description
        self.is_named = bool(name)  # by the user, not by its place
        if not isinstance(fixed, (bool, np.bool_)):
            raise ParameterError(
                name or "Parameter",
                f"fixed = {fixed!r} is not True or False.",
                "Give fixed=True or False.",
                parameter="fixed",
                value=fixed,
            )
        self.fixed = bool(fixed)
        self.is_designed = False  # whether its value follows from the design pose
        self.role: InternalRole | None = None  # of an internal number of a part
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
                f"value {value!r} is not {self._array.size} finite number(s).",
                "Keep the kind (number or vector) of the value it was made with.",
                parameter=self.name or "value",
                value=value,
            )
        warn_of_degrees("", self.name, self.unit, tuple(array.tolist()))
        return array

    def component(self, index: int) -> float:
        """Return the present value of one of its numbers."""
        return float(self._array[index])

    def operand(self) -> LiveNumber | Vector:
        """Return the operand of formulas: its number, or its three numbers as a vector."""
        return Vector(*self.elements) if self.is_vector else self.elements[0]

    def settle(self, name: str, unit: str = "", description: str = "") -> None:
        """Take over name, unit and description of the place of use, as far as none is given."""
        if not self.name:
            object.__setattr__(self, "name", name)
        self.unit = self.unit or unit
        self.description = self.description or description

    def rename(self, path: str) -> None:
        """Take over the path of its place as name, if the user gave none."""
        if not self.is_named:
            object.__setattr__(self, "name", path)

    def copy(self) -> Parameter:
        """Return another parameter of the same value and name."""
        name = self.name if self.is_named else ""
        return Parameter(self.value, name, self.unit, self.fixed, self.description)

    def dot(self, other: VectorLike) -> object:
        """Return the inner product with another vector."""
        return self._vector().dot(Vector.of(other))

    def cross(self, other: VectorLike) -> Vector:
        """Return the vector product with another vector."""
        return self._vector().cross(Vector.of(other))

    def norm(self) -> object:
        """Return the length of a vector."""
        return self._vector().norm()

    def _vector(self) -> Vector:
        found = self.operand()
        if not isinstance(found, Vector):
            raise ParameterError(
                repr(self),
                "is one number, not a vector.",
                "Give it three numbers.",
                parameter=self.name or "value",
                value=self,
            )
        return found

    def __iter__(self) -> Iterator[LiveScalar]:
        return iter(self._vector().xyz)

    def __getitem__(self, index: int) -> LiveScalar:
        return self._vector().xyz[index]

    def __len__(self) -> int:
        return len(self._vector().xyz)

    def __setattr__(self, name: str, value: object) -> None:
        if name not in (*PUBLIC, *INNER):
            raise UnknownNameError(
                self.name or "Parameter",
                f"has no {name!r}.",
                suggest(name, PUBLIC),
                parameter=name,
                value=value,
            )
        object.__setattr__(self, name, value)
        if name == "name" and "is_named" in self.__dict__:
            self.is_named = bool(value)

    def __repr__(self) -> str:
        return f"Parameter({self.value!r}{f', name={self.name!r}' if self.name else ''})"


def numbers(value: object) -> np.ndarray:
    """Return the given value as an array of numbers, NaN if it is none.

    Texts, truth values and complex numbers are not numbers here.
    """
    try:
        array = np.asarray(value)
    except (TypeError, ValueError, ParameterError):
        return np.asarray(math.nan)
    return array.astype(float) if array.dtype.kind in "iuf" else np.asarray(math.nan)
