"""Parameters as references: numbers, vectors and matrices that elements read anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from motorik.algebra.matrix import IDENTITY, Matrix, Symmetric
from motorik.algebra.scalar import Scalar, plain
from motorik.algebra.vector import ZERO, Vector

if TYPE_CHECKING:
    from motorik.mobile.states.transmission import Element


@runtime_checkable
class Mutable(Protocol):
    """A parameter that may be changed after elements were made with it.

    `assign` takes as many scalars as `entries` gives: numbers, or symbols when the elements
    are traced with the parameter as an input.
    """

    name: str

    @property
    def entries(self) -> Sequence[Scalar]:
        """The scalars the parameter consists of."""
        ...

    def assign(self, entries: Sequence[Scalar]) -> None:
        """Replace the scalars."""

    def reset(self) -> None:
        """Return to the neutral element."""


class MutableScalar:
    """A number that can be changed: `value`, or `set`; neutral is 0.

    >>> m = MutableScalar(name="m")
    >>> m.set(2.4); m
    MutableScalar(2.4, 'm')
    """

    __slots__ = ("_value", "name")

    def __init__(self, value: Scalar = 0.0, name: str = "") -> None:
        self.name = name
        self.set(value)

    @property
    def value(self) -> Scalar:
        """The number."""
        return self._value

    @value.setter
    def value(self, value: Scalar) -> None:
        self._value = plain(value)

    def set(self, value: Scalar) -> None:
        """Give it another value."""
        self.value = value

    @property
    def entries(self) -> tuple[Scalar]:
        """The number alone."""
        return (self._value,)

    def assign(self, entries: Sequence[Scalar]) -> None:
        """Replace the number."""
        (self.value,) = entries

    def reset(self) -> None:
        """Return to zero."""
        self.value = 0.0

    def __repr__(self) -> str:
        return f"MutableScalar({self._value}, {self.name!r})"


class MutableVector(Vector):
    """A vector whose components can be set one by one or together; neutral is zero.

    >>> r = MutableVector(name="r")
    >>> r.z = 1
    >>> r
    Vector(0.0, 0.0, 1.0)
    """

    __slots__ = ("name",)

    def __init__(
        self, x: Scalar = 0.0, y: Scalar = 0.0, z: Scalar = 0.0, name: str = ""
    ) -> None:
        super().__init__(x, y, z)
        self.name = name

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value if name == "name" else plain(value))

    def set(self, vector: Any) -> None:
        """Give it the components of another vector or of a sequence of three."""
        self.assign(Vector.of(vector).xyz)

    @property
    def entries(self) -> tuple[Scalar, ...]:
        """The three components."""
        return self.xyz

    def assign(self, entries: Sequence[Scalar]) -> None:
        """Replace the components."""
        self.x, self.y, self.z = entries

    def reset(self) -> None:
        """Return to the zero vector."""
        self.set(ZERO)


class MutableRotation(Matrix):
    """A rotation matrix that can be replaced by another; neutral is the unit matrix."""

    __slots__ = ("name",)

    def __init__(self, R: Any = IDENTITY, name: str = "") -> None:
        super().__init__(*Matrix.of(R).entries)
        self.name = name

    def set(self, R: Any) -> None:
        """Give it the entries of another rotation matrix."""
        self.assign(Matrix.of(R).entries)

    def assign(self, entries: Sequence[Scalar]) -> None:
        """Replace the nine entries, row by row."""
        for name, entry in zip(Matrix._leaves, entries, strict=True):
            setattr(self, name, plain(entry))

    def reset(self) -> None:
        """Return to the unit matrix."""
        self.set(IDENTITY)


class MutableInertia(Symmetric):
    """An inertia tensor [kg·m²] that can be replaced by another; neutral is zero.

    >>> theta = MutableInertia(name="theta")
    >>> theta.set((0.021, 0.004, 0.020))  # a diagonal; one number is the same thrice
    >>> theta
    Symmetric(0.021, 0.004, 0.02, 0.0, 0.0, 0.0)
    """

    __slots__ = ("name",)

    def __init__(self, I: Any = 0.0, name: str = "") -> None:
        super().__init__(*_tensor(I).entries)
        self.name = name

    def set(self, I: Any) -> None:
        """Give it another tensor: symmetric, nested rows, a diagonal or one number."""
        self.assign(_tensor(I).entries)

    def assign(self, entries: Sequence[Scalar]) -> None:
        """Replace the six entries xx, yy, zz, xy, xz, yz."""
        for name, entry in zip(Symmetric._leaves, entries, strict=True):
            setattr(self, name, plain(entry))

    def reset(self) -> None:
        """Return to zero."""
        self.set(0.0)


def _tensor(I: Any) -> Symmetric:
    if isinstance(I, Symmetric):
        return I
    if isinstance(I, Vector):
        return Symmetric(*I.xyz)
    if not hasattr(I, "__len__"):
        return Symmetric(I, I, I)
    return Symmetric(*I) if not hasattr(I[0], "__len__") else Symmetric.of(I)


def current(value: Any) -> Scalar:
    """Return the number that a `MutableScalar` holds now, or a plain scalar itself."""
    return value.value if isinstance(value, MutableScalar) else plain(value)


def mutable_among(*values: Any) -> tuple[Mutable, ...]:
    """Return those of the values that may be changed."""
    return tuple(value for value in values if isinstance(value, MUTABLES))


def mutable_of(*elements: Element) -> tuple[Mutable, ...]:
    """Return the parameters of several elements that may be changed, each once."""
    found = {id(p): p for element in elements for p in element.parameters}
    return tuple(found.values())


MUTABLES = (MutableScalar, MutableVector, MutableRotation, MutableInertia)
"""The kinds of parameters that are references."""
