"""MOBILE's kinds of matrices: rotations, elementary rotations and inertia tensors.

They are the matrices of `motorik.algebra` and parameters that are read in each traversal, each
with the operations that keep its kind and none that would leave it:

=========  ====================  =======================================================
MOBILE     here                  meaning
=========  ====================  =======================================================
``A * B``  ``A @ B``             product of rotations; ``A @= B`` in place
``A * v``  ``A @ v``             vector v from the axes of b to those of a
``v * A``  ``A.T @ v``           and back
``~A``     ``A.T``               transpose
``A.e1``   ``A.e1`` or ``A(1)``  column: an axis of b seen from a
``~v``     ``skew(v)``           matrix of the vector product, in `motorik.algebra`
``u ^ v``  ``outer(u, v)``       dyadic product, in `motorik.algebra`
=========  ====================  =======================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NoReturn, TypeVar

from motorik.algebra.angle import Angle
from motorik.algebra.matrix import IDENTITY, Matrix, Symmetric
from motorik.algebra.scalar import Scalar, plain
from motorik.algebra.vector import Vector, X, Y, Z
from motorik.components.base.units import warn_of_degrees
from motorik.errors import ParameterError
from motorik.mobile.states.mutable import MutableInertia, MutableRotation, TensorLike

TE = TypeVar("TE", bound="ElementaryRotation")

NULL_MATRIX = 0.0 * IDENTITY
"""The matrix of nine zeros."""


class RotationMatrix(MutableRotation):
    """An orthogonal matrix R_ab with v_a = R_ab v_b; neutral is the unit matrix.

    >>> R = RotationMatrix(XRotationMatrix(0.5))
    >>> R @= RotationMatrix(R.T)
    >>> R.normalize()
    >>> R.e2
    Vector(0.0, 1.0, 0.0)
    """

    __slots__ = ()

    def __call__(self, column: int) -> Vector:
        """Return column 1, 2 or 3."""
        return _column(self, column)

    def __matmul__(self, other: Any) -> Any:
        product = super().__matmul__(other)
        return RotationMatrix(product) if isinstance(other, RotationMatrix) else product

    def __add__(self, other: object) -> NoReturn:
        self._refuse("sum")

    def __sub__(self, other: object) -> NoReturn:
        self._refuse("difference")

    def _refuse(self, what: str) -> NoReturn:
        raise ParameterError(
            self.name or type(self).__name__,
            f"a {what} of rotations is not a rotation.",
            "Multiply them by `@`, or add plain matrices: Matrix(*R.entries).",
            parameter="other",
            value=what,
        )

    def normalize(self) -> None:
        """Make the columns orthogonal unit vectors again, after many products.

        The axes x and y are rotated towards each other by equal angles, z is their vector product.
        """
        x, y = self.e1.normalized(), self.e2.normalized()
        middle, across = (x + y).normalized(), (x - y).normalized()
        half = 2.0**-0.5
        x, y = (middle + across) * half, (middle - across) * half
        self.assign(Matrix.from_columns(x, y, x.cross(y)).entries)


class ElementaryRotation(RotationMatrix):
    """A rotation about one coordinate axis, of which only the angle can be set.

    Products in place take rotations about the same axis only.
    """

    __slots__ = ()
    axis: ClassVar[Vector]
    _cosine: ClassVar[str]
    _sine: ClassVar[str]

    def __init__(self, angle: object = 0.0, name: str | None = None) -> None:
        super().__init__(name=name)
        self.set(angle)

    @property
    def angle(self) -> Angle:
        """The angle in (−π, π], with its sine and cosine."""
        return Angle.from_sine_cosine(
            getattr(self, self._sine), getattr(self, self._cosine)
        )

    def set(self, R: object) -> None:
        """Give it another angle: in rad, as an `Angle`, or that of a rotation of its kind."""
        warn_of_degrees(self.name or type(self).__name__, "angle", "rad", R)
        angle = self._alike(R).angle if isinstance(R, Matrix) else Angle.of(R)
        super().assign(angle.rotation(self.axis).entries)

    def assign(self, entries: Sequence[Scalar]) -> None:
        """Take sine and cosine from nine entries; those that are 0 or 1 stay so."""
        at: dict[str, Scalar] = dict(zip(Matrix._leaves, map(plain, entries), strict=True))
        angle = Angle(0.0, at[self._sine], at[self._cosine])
        super().assign(angle.rotation(self.axis).entries)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.angle, self.name)

    def reset(self) -> None:
        """Return to no rotation."""
        self.set(0.0)

    def __imatmul__(self: TE, other: Matrix) -> TE:
        self.set(self.angle + self._alike(other).angle)
        return self

    def normalize(self) -> None:
        """Make sine and cosine those of an angle again."""
        self.set(self.angle.radians)

    def _alike(self, other: object) -> ElementaryRotation:
        """Return a rotation about the same axis, or refuse it."""
        if type(other) is not type(self):
            raise ParameterError(
                self.name or type(self).__name__,
                f"cannot become a {type(other).__name__}: its axis is fixed.",
                "Use a RotationMatrix for rotations about any axis.",
                parameter="other",
                value=other,
            )
        return other


class XRotationMatrix(ElementaryRotation):
    """A rotation about the x axis."""

    __slots__ = ()
    axis, _cosine, _sine = X, "yy", "zy"


class YRotationMatrix(ElementaryRotation):
    """A rotation about the y axis."""

    __slots__ = ()
    axis, _cosine, _sine = Y, "xx", "xz"


class ZRotationMatrix(ElementaryRotation):
    """A rotation about the z axis."""

    __slots__ = ()
    axis, _cosine, _sine = Z, "xx", "yx"


class InertiaTensor(MutableInertia):
    """A symmetric tensor Θ [kg·m²]; neutral is zero.

    Made from three numbers, its diagonal, from six entries, or from one number for all three
    axes. Tensors about the same point add and subtract; their product has no meaning.

    >>> InertiaTensor(0.021, 0.004, 0.020).e2
    Vector(0.0, 0.004, 0.0)
    """

    __slots__ = ()

    def __init__(
        self, I: TensorLike = 0.0, *more: Scalar | str, name: str | None = None
    ) -> None:
        if more and isinstance(more[-1], str):
            more, name = more[:-1], more[-1]
        super().__init__((I, *more) if more else I, name)

    @property
    def e1(self) -> Vector:
        """The first column."""
        return _column(self.full(), 1)

    @property
    def e2(self) -> Vector:
        """The second column."""
        return _column(self.full(), 2)

    @property
    def e3(self) -> Vector:
        """The third column."""
        return _column(self.full(), 3)

    def __call__(self, column: int) -> Vector:
        """Return column 1, 2 or 3."""
        return _column(self.full(), column)

    def __add__(self, other: Symmetric) -> InertiaTensor:
        return InertiaTensor(super().__add__(other))

    def __sub__(self, other: Symmetric) -> InertiaTensor:
        return InertiaTensor(super().__sub__(other))

    def __matmul__(self, other: Vector) -> Vector:
        if not isinstance(other, Vector):
            raise ParameterError(
                self.name or type(self).__name__,
                f"cannot be multiplied by a {type(other).__name__}.",
                "An inertia tensor maps an angular velocity to an angular momentum.",
                parameter="other",
                value=other,
            )
        return super().__matmul__(other)


def _column(matrix: Matrix, number: int) -> Vector:
    if number not in (1, 2, 3):
        raise ParameterError(
            "column",
            f"there is no column {number!r}.",
            "Columns are 1, 2 and 3.",
            parameter="number",
            value=number,
        )
    return matrix.T.rows[number - 1]
