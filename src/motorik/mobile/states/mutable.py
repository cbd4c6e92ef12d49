"""Parameters as references: numbers, angles, vectors and matrices, read in each traversal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from motorik.algebra.angle import Angle, AngleLike
from motorik.algebra.given import check_rotation
from motorik.algebra.matrix import IDENTITY, Matrix, MatrixLike, Symmetric
from motorik.algebra.scalar import Scalar, plain
from motorik.algebra.value import refuse
from motorik.algebra.vector import ZERO, Vector, VectorLike
from motorik.components.base.units import warn_of_degrees
from motorik.errors import ParameterError
from motorik.mobile.states.assigned import assigned_name

if TYPE_CHECKING:
    from motorik.mobile.states.transmission import Element


T = TypeVar("T", bound="Settable")
TR = TypeVar("TR", bound="MutableRotation")


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


class Settable:
    """Base of the mutable kinds: one identity, whatever the present value.

    Assignments in place, ``r += v``, change the object itself, so that every element which
    refers to it reads the new value. Two of them are equal only if they are the same.
    """

    __slots__ = ()
    name: str

    def set(self, value: Any, /) -> None:
        """Take another value."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self) // 16

    def __iadd__(self: T, other: object) -> T:
        self.set(self + other)  # pyright: ignore[reportOperatorIssue]
        return self

    def __isub__(self: T, other: object) -> T:
        self.set(self - other)  # pyright: ignore[reportOperatorIssue]
        return self

    def __imul__(self: T, factor: Scalar) -> T:
        self.set(self * factor)  # pyright: ignore[reportOperatorIssue]
        return self

    def __imatmul__(self: T, other: Any) -> T:
        refuse("@=", self, other)

    def __itruediv__(self: T, divisor: Scalar) -> T:
        self.set(self / divisor)  # pyright: ignore[reportOperatorIssue]
        return self


class MutableScalar(Settable):
    """A number that can be changed: `value`, or `set`; neutral is 0.

    In formulas it stands for its present value: ``m * 2.0`` is a plain number.

    >>> m = MutableScalar(name="m")
    >>> m.set(2.4); m
    MutableScalar(2.4, 'm')
    """

    __slots__ = ("_value", "name")

    def __init__(self, value: Scalar = 0.0, name: str | None = None) -> None:
        self.name = assigned_name(self) if name is None else name
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
        self.value = current(value)

    def __add__(self, other: Scalar) -> Scalar:
        return self._value + current(other)

    def __radd__(self, other: Scalar) -> Scalar:
        return other + self._value

    def __sub__(self, other: Scalar) -> Scalar:
        return self._value - current(other)

    def __rsub__(self, other: Scalar) -> Scalar:
        return other - self._value

    def __mul__(self, other: Scalar) -> Scalar:
        return self._value * current(other)

    def __rmul__(self, other: Scalar) -> Scalar:
        return other * self._value

    def __truediv__(self, other: Scalar) -> Scalar:
        return self._value / current(other)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return other / self._value

    def __neg__(self) -> Scalar:
        return -self._value

    def __float__(self) -> float:
        return float(self._value)

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


class MutableAngle(Settable, Angle):
    """An angle that can be set again, with its sine and cosine; neutral is 0 rad.

    In formulas it stands for its present value: sums and multiples are plain angles.

    >>> beta = MutableAngle(name="beta")
    >>> beta.set(0.5); beta += 0.25
    >>> beta
    MutableAngle(0.75, 'beta')
    """

    __slots__ = ("name",)

    def __init__(self, angle: AngleLike = 0.0, name: str | None = None) -> None:
        self.name = assigned_name(self) if name is None else name
        self.set(angle)

    def __setattr__(self, name: str, value: object) -> None:
        if name == "radians":
            self.set(value)
        elif name == "name":
            object.__setattr__(self, name, value)
        else:
            raise ParameterError(
                self.name or type(self).__name__,
                f"{name!r} alone cannot be set, the angle depends on it.",
                "Set the angle in rad, beta.set(0.5), or with its sine and cosine: "
                "beta.set(Angle.from_sine_cosine(sine, cosine)).",
                parameter=name,
                value=value,
            )

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (Angle(*(getattr(self, x) for x in self._leaves)), self.name)

    def set(self, angle: AngleLike | MutableScalar) -> None:
        """Give it another value: in rad, or that of an angle with its sine and cosine."""
        warn_of_degrees(self.name or type(self).__name__, "angle", "rad", angle)
        angle = Angle.of(angle.value if isinstance(angle, MutableScalar) else angle)
        for name in self._leaves:
            object.__setattr__(self, name, getattr(angle, name))

    @property
    def entries(self) -> tuple[Scalar]:
        """The angle [rad] alone."""
        return (self.radians,)

    def assign(self, entries: Sequence[Scalar]) -> None:
        """Replace the angle [rad]."""
        (angle,) = entries
        self.set(angle)

    def reset(self) -> None:
        """Return to 0 rad."""
        self.set(0.0)

    def __repr__(self) -> str:
        return f"MutableAngle({self.radians}, {self.name!r})"


class MutableVector(Settable, Vector):
    """A vector whose components can be set one by one or together; neutral is zero.

    >>> r = MutableVector(name="r")
    >>> r.z = 1
    >>> r
    Vector(0.0, 0.0, 1.0)
    """

    __slots__ = ("name",)

    def __init__(
        self, x: Scalar = 0.0, y: Scalar = 0.0, z: Scalar = 0.0, name: str | None = None
    ) -> None:
        self.name = assigned_name(self) if name is None else name
        self.assign((x, y, z))

    def __setattr__(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value if name == "name" else plain(value))

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (*self.xyz, self.name)

    def set(self, vector: VectorLike) -> None:
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


class MutableRotation(Settable, Matrix):
    """A rotation matrix that can be replaced by another; neutral is the unit matrix.

    Matrices that are not rotations are refused. ``R @= S`` rotates it further; sums and
    multiples would not be rotations.
    """

    __slots__ = ("name",)

    def __init__(self, R: MatrixLike = IDENTITY, name: str | None = None) -> None:
        self.name = assigned_name(self) if name is None else name
        MutableRotation.assign(self, self._checked(R).entries)

    def __setattr__(self, name: str, value: object) -> None:
        if name != "name":
            self._refuse_entry(name)
        object.__setattr__(self, name, value)

    def _refuse_entry(self, name: str) -> None:
        raise ParameterError(
            self.name or type(self).__name__,
            f"the entry {name!r} alone cannot be set, the others depend on it.",
            "Give it another rotation: R.set(rotation_about(axis, angle)).",
            parameter=name,
            value=name,
        )

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (Matrix(*self.entries), self.name)

    def _checked(self, R: MatrixLike) -> Matrix:
        return check_rotation(Matrix.of(R), self.name or type(self).__name__)

    def set(self, R: MatrixLike) -> None:
        """Give it the entries of another rotation matrix."""
        self.assign(self._checked(R).entries)

    def __imatmul__(self: TR, other: Matrix) -> TR:
        MutableRotation.assign(self, (self @ self._checked(other)).entries)
        return self

    def assign(self, entries: Sequence[Scalar]) -> None:
        """Replace the nine entries, row by row, unchecked."""
        for name, entry in zip(Matrix._leaves, entries, strict=True):
            object.__setattr__(self, name, plain(entry))

    def reset(self) -> None:
        """Return to the unit matrix."""
        self.set(IDENTITY)


class MutableInertia(Settable, Symmetric):
    """An inertia tensor [kg·m²] that can be replaced by another; neutral is zero.

    >>> theta = MutableInertia(name="theta")
    >>> theta.set((0.021, 0.004, 0.020))  # a diagonal; one number is for all three axes
    >>> theta
    Symmetric(0.021, 0.004, 0.02, 0.0, 0.0, 0.0)
    """

    __slots__ = ("name",)

    def __init__(self, I: TensorLike = 0.0, name: str | None = None) -> None:
        self.name = assigned_name(self) if name is None else name
        self.assign(_tensor(I).entries)

    def __setattr__(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value if name == "name" else plain(value))

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (Symmetric(*self.entries), self.name)

    def set(self, I: TensorLike) -> None:
        """Give it another tensor: symmetric, nested rows, a diagonal or one number."""
        self.assign(_tensor(I).entries)

    def assign(self, entries: Sequence[Scalar]) -> None:
        """Replace the six entries xx, yy, zz, xy, xz, yz."""
        for name, entry in zip(Symmetric._leaves, entries, strict=True):
            setattr(self, name, plain(entry))

    def reset(self) -> None:
        """Return to zero."""
        self.set(0.0)


TensorLike: TypeAlias = "MatrixLike | Vector | Sequence[Scalar] | Scalar"
"""A symmetric tensor, nested rows, a diagonal, or one number for all three axes."""


def _tensor(I: TensorLike) -> Symmetric:
    if isinstance(I, Symmetric):
        return I
    if isinstance(I, Vector):
        return Symmetric(*I.xyz)
    if isinstance(I, Matrix) or not hasattr(I, "__len__"):
        return Symmetric.of(I) if isinstance(I, Matrix) else Symmetric(I, I, I)
    return Symmetric(*I) if not hasattr(I[0], "__len__") else Symmetric.of(I)


def current(value: object) -> Scalar:
    """Return the number that a reference holds now, an angle in rad; a scalar itself."""
    if isinstance(value, MutableScalar):
        return value.value
    return value.radians if isinstance(value, Angle) else plain(value)


def mutable_among(*values: object) -> tuple[Mutable, ...]:
    """Return those of the values that may be changed."""
    return tuple(value for value in values if isinstance(value, MUTABLES))


def mutable_of(*elements: Element) -> tuple[Mutable, ...]:
    """Return the parameters of several elements that may be changed, each once."""
    found = {id(p): p for element in elements for p in element.parameters}
    return tuple(found.values())


MUTABLES = (MutableScalar, MutableAngle, MutableVector, MutableRotation, MutableInertia)
"""The kinds of parameters that are references."""
