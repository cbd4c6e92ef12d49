"""Three-by-three matrices of scalars of any kind: general, and symmetric of six entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeAlias, overload

import numpy as np

from motorik.algebra import scalar as s
from motorik.algebra.linear_system import solve_linear
from motorik.algebra.scalar import Indexed, Scalar, add, mul, neg, plain, sub
from motorik.algebra.value import Value, is_foreign, new_slots, refuse, unguard
from motorik.algebra.vector import Vector, plain_vector
from motorik.errors import ParameterError

# --- entries: the slots of matrices, the base of their immutable classes -------------------


class NineEntries:
    """The entries of a matrix, without their guard."""

    __slots__ = ("xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz")
    xx: Scalar
    xy: Scalar
    xz: Scalar
    yx: Scalar
    yy: Scalar
    yz: Scalar
    zx: Scalar
    zy: Scalar
    zz: Scalar


class SixEntries:
    """The entries of a symmetric matrix, without their guard."""

    __slots__ = ("xx", "xy", "xz", "yy", "yz", "zz")
    xx: Scalar
    yy: Scalar
    zz: Scalar
    xy: Scalar
    xz: Scalar
    yz: Scalar


# --- nested rows and arrays of three by three, as users give them --------------------------


def nine_of(rows: Scalar) -> list[Scalar]:
    """Return the entries of nested rows, of an array or of a symbol, row by row."""
    three = range(3)
    try:
        if hasattr(rows, "shape"):
            if tuple(rows.shape[:2]) == (3, 3):
                return [rows[i, j] for i in three for j in three]
        elif [len(row) for row in rows] == [3, 3, 3]:
            return [rows[i][j] for i in three for j in three]
    except TypeError:
        pass
    raise ParameterError(
        "Matrix",
        f"{rows!r} is not three rows of three.",
        "Give ((a, b, c), (d, e, f), …).",
        parameter="rows",
        value=rows,
    )


def check_symmetry(entries: Sequence[float]) -> None:
    """Refuse nine numbers that are not those of a symmetric matrix, to 1e-9 of the largest."""
    _, xy, xz, yx, _, yz, zx, zy, _ = entries
    gap = max(abs(xy - yx), abs(xz - zx), abs(yz - zy))
    if not gap <= 1e-9 * max(map(abs, entries)):
        raise ParameterError(
            "Symmetric",
            f"the entries {', '.join(f'{e:.6g}' for e in entries)} are not symmetric.",
            f"They differ by {gap:.3g}: give the same on both sides of the diagonal.",
            parameter="entries",
            value=entries,
        )


class Matrix(Value, NineEntries):
    """Nine entries in three rows.

    A rotation matrix R_ab has the axes of frame b, resolved in frame a, as its columns:
    v_a = R_ab v_b.
    """

    __slots__ = ()
    _leaves: ClassVar[tuple[str, ...]] = NineEntries.__slots__

    def __init__(self, *entries: Scalar) -> None:
        if len(entries) != 9:
            raise ParameterError(
                "Matrix",
                f"has nine entries, row by row, not {len(entries)}.",
                "Of nested rows or an array: Matrix.of(rows).",
                parameter="entries",
                value=entries,
            )
        kind = self.__class__
        unguard(self, NineEntries)
        a, b, c, d, e, f, g, h, i = map(plain, entries)
        self.xx, self.xy, self.xz, self.yx, self.yy, self.yz = a, b, c, d, e, f
        self.zx, self.zy, self.zz = g, h, i
        self.__class__ = kind

    @staticmethod
    def of(rows: MatrixLike) -> Matrix:
        """Return the matrix of nested rows, of a 3×3 array, or a matrix itself."""
        if isinstance(rows, Matrix):
            return rows
        if isinstance(rows, Symmetric):
            return rows.full()
        return Matrix(*nine_of(rows))

    @staticmethod
    def from_rows(x: Vector, y: Vector, z: Vector) -> Matrix:
        """Return the matrix with these three rows."""
        return plain_matrix(*x.xyz, *y.xyz, *z.xyz)

    @staticmethod
    def from_columns(x: Vector, y: Vector, z: Vector) -> Matrix:
        """Return the matrix with these three columns."""
        return plain_matrix(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z)

    @property
    def entries(self) -> tuple[Scalar, ...]:
        """The nine entries, row by row."""
        return (
            *(self.xx, self.xy, self.xz),
            *(self.yx, self.yy, self.yz),
            *(self.zx, self.zy, self.zz),
        )

    @property
    def rows(self) -> tuple[Vector, Vector, Vector]:
        """The three rows."""
        return (
            plain_vector(self.xx, self.xy, self.xz),
            plain_vector(self.yx, self.yy, self.yz),
            plain_vector(self.zx, self.zy, self.zz),
        )

    @property
    def e1(self) -> Vector:
        """The first column; of a rotation R_ab the x axis of b seen from a."""
        return Vector(self.xx, self.yx, self.zx)

    @property
    def e2(self) -> Vector:
        """The second column."""
        return Vector(self.xy, self.yy, self.zy)

    @property
    def e3(self) -> Vector:
        """The third column."""
        return Vector(self.xz, self.yz, self.zz)

    @property
    def T(self) -> Matrix:  # noqa: N802 - the mathematician's letter
        """The transpose."""
        return plain_matrix(
            *(self.xx, self.yx, self.zx),
            *(self.xy, self.yy, self.zy),
            *(self.xz, self.yz, self.zz),
        )

    @overload
    def __matmul__(self, other: Vector) -> Vector: ...
    @overload
    def __matmul__(self, other: Matrix | Symmetric) -> Matrix: ...
    def __matmul__(self, other: Vector | Matrix | Symmetric) -> Vector | Matrix:
        if isinstance(other, Vector):
            x, y, z = other.xyz
            return plain_vector(
                _sum_of_products(self.xx, x, self.xy, y, self.xz, z),
                _sum_of_products(self.yx, x, self.yy, y, self.yz, z),
                _sum_of_products(self.zx, x, self.zy, y, self.zz, z),
            )
        if not isinstance(other, (Matrix, Symmetric)):
            refuse("@", self, other)
        xx, xy, xz, yx, yy, yz, zx, zy, zz = Matrix.of(other).entries
        made: list[Scalar] = []
        for x, y, z in (
            (self.xx, self.xy, self.xz),
            (self.yx, self.yy, self.yz),
            (self.zx, self.zy, self.zz),
        ):
            made += (
                _sum_of_products(x, xx, y, yx, z, zx),
                _sum_of_products(x, xy, y, yy, z, zy),
                _sum_of_products(x, xz, y, yz, z, zz),
            )
        return plain_matrix(*made)

    def __add__(self, other: Matrix | Symmetric) -> Matrix:
        if not isinstance(other, (Matrix, Symmetric)):
            refuse("+", self, other)
        return plain_matrix(*map(add, self.entries, Matrix.of(other).entries))

    def __sub__(self, other: Matrix | Symmetric) -> Matrix:
        if not isinstance(other, (Matrix, Symmetric)):
            refuse("-", self, other)
        return plain_matrix(*map(sub, self.entries, Matrix.of(other).entries))

    def __neg__(self) -> Matrix:
        return plain_matrix(*map(neg, self.entries))

    def __mul__(self, factor: Scalar) -> Matrix:
        if is_foreign(factor):
            refuse("*", self, factor)
        factor = plain(factor)
        return plain_matrix(*[mul(factor, e) for e in self.entries])

    def __rmul__(self, factor: Scalar) -> Matrix:
        if is_foreign(factor):
            refuse("*", factor, self)
        return self * factor

    def __truediv__(self, divisor: Scalar) -> Matrix:
        if is_foreign(divisor):
            refuse("/", self, divisor)
        divisor = plain(divisor)
        return plain_matrix(*[s.div(e, divisor) for e in self.entries])

    def inverse(self) -> Matrix:
        """Return A⁻¹ by columns; that of a rotation is its transpose, `T`."""
        rows = [row.xyz for row in self.rows]
        units = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
        return Matrix.from_columns(*(Vector(*solve_linear(rows, unit)) for unit in units))

    def determinant(self) -> Scalar:
        """Return x · (y × z) of the three rows."""
        x, y, z = self.rows
        return x.dot(y.cross(z))

    def map(self, function: Callable[[Scalar], Scalar]) -> Matrix:
        """Return the matrix of the function of each entry."""
        return Matrix(*map(function, self.entries))

    def trace(self) -> Scalar:
        """Return the sum of the diagonal."""
        return s.total(self.xx, self.yy, self.zz)

    def numpy(self) -> np.ndarray:
        """Return the entries as a NumPy array (3, 3) or (3, 3, many)."""
        entries = np.array(np.broadcast_arrays(*self.entries), dtype=float)
        return entries.reshape(3, 3, *entries.shape[1:])

    def __repr__(self) -> str:
        return f"Matrix({', '.join(map(str, self.entries))})"


class Symmetric(Value, SixEntries):
    """Six entries of a symmetric matrix: xx, yy, zz, xy, xz, yz."""

    __slots__ = ()
    _leaves: ClassVar[tuple[str, ...]] = ("xx", "yy", "zz", "xy", "xz", "yz")

    def __init__(
        self,
        xx: Scalar,
        yy: Scalar,
        zz: Scalar,
        xy: Scalar = 0.0,
        xz: Scalar = 0.0,
        yz: Scalar = 0.0,
    ) -> None:
        kind = self.__class__
        unguard(self, SixEntries)
        self.xx, self.yy, self.zz = plain(xx), plain(yy), plain(zz)
        self.xy, self.xz, self.yz = plain(xy), plain(xz), plain(yz)
        self.__class__ = kind

    @staticmethod
    def of(rows: MatrixLike) -> Symmetric:
        """Return the symmetric matrix of nested rows, of an array or of a matrix.

        The upper triangle is taken. If all are numbers, the lower one must be the same to
        1e-9 of the largest entry.
        """
        if isinstance(rows, Symmetric):
            return rows
        m = Matrix.of(rows)
        if all(e.__class__ is float for e in m.entries):
            check_symmetry(m.entries)
        return Symmetric(m.xx, m.yy, m.zz, m.xy, m.xz, m.yz)

    @property
    def entries(self) -> tuple[Scalar, ...]:
        """The six entries: diagonal, then xy, xz, yz."""
        return (self.xx, self.yy, self.zz, self.xy, self.xz, self.yz)

    def full(self) -> Matrix:
        """Return all nine entries."""
        return plain_matrix(
            *(self.xx, self.xy, self.xz),
            *(self.xy, self.yy, self.yz),
            *(self.xz, self.yz, self.zz),
        )

    def __matmul__(self, v: Vector) -> Vector:
        if not isinstance(v, Vector):
            refuse("@", self, v)
        return self.full() @ v

    def __add__(self, other: Symmetric) -> Symmetric:
        if not isinstance(other, Symmetric):
            refuse("+", self, other)
        return plain_symmetric(*map(add, self.entries, other.entries))

    def __sub__(self, other: Symmetric) -> Symmetric:
        if not isinstance(other, Symmetric):
            refuse("-", self, other)
        return plain_symmetric(*map(sub, self.entries, other.entries))

    def __neg__(self) -> Symmetric:
        return plain_symmetric(*map(neg, self.entries))

    def __mul__(self, factor: Scalar) -> Symmetric:
        if is_foreign(factor):
            refuse("*", self, factor)
        factor = plain(factor)
        return plain_symmetric(*[mul(factor, e) for e in self.entries])

    def __rmul__(self, factor: Scalar) -> Symmetric:
        if is_foreign(factor):
            refuse("*", factor, self)
        return self * factor

    def __truediv__(self, divisor: Scalar) -> Symmetric:
        if is_foreign(divisor):
            refuse("/", self, divisor)
        divisor = plain(divisor)
        return plain_symmetric(*[s.div(e, divisor) for e in self.entries])

    def map(self, function: Callable[[Scalar], Scalar]) -> Symmetric:
        """Return the matrix of the function of each entry."""
        return Symmetric(*map(function, self.entries))

    def rotated(self, R: Matrix) -> Symmetric:
        """Return R S Rᵀ: the same tensor resolved in the frame that R leads to.

        One diagonal entry follows from the trace, which no rotation changes; a rotation
        about a coordinate axis leaves that axis' own entry as it is.
        """
        if s.is_structural(R.zz, 1.0) and s.is_structural(R.xz, 0.0):
            if s.is_structural(R.xx, 1.0):
                return self
            x, y = self._turned(R.xx, R.xy, self.xx, self.yy, self.xy)
            xz, yz = _apply(R.xx, R.xy, R.yx, R.yy, self.xz, self.yz)
            return plain_symmetric(x[0], y, self.zz, x[1], xz, yz)
        if s.is_structural(R.xx, 1.0) and s.is_structural(R.xy, 0.0):
            y, z = self._turned(R.yy, R.yz, self.yy, self.zz, self.yz)
            xy, xz = _apply(R.yy, R.yz, R.zy, R.zz, self.xy, self.xz)
            return plain_symmetric(self.xx, y[0], z, xy, xz, y[1])
        if s.is_structural(R.yy, 1.0) and s.is_structural(R.xy, 0.0):
            x, z = self._turned(R.xx, R.xz, self.xx, self.zz, self.xz)
            xy, yz = _apply(R.xx, R.xz, R.zx, R.zz, self.xy, self.yz)
            return plain_symmetric(x[0], self.yy, z, xy, x[1], yz)
        rx, ry, rz = R.rows
        full = self.full()
        ax, ay = full @ rx, full @ ry
        xx, yy = ax.dot(rx), ay.dot(ry)
        zz = sub(s.total(self.xx, self.yy, self.zz), add(xx, yy))
        return plain_symmetric(xx, yy, zz, ax.dot(ry), ax.dot(rz), ay.dot(rz))

    @staticmethod
    def _turned(
        c: Scalar, d: Scalar, aa: Scalar, bb: Scalar, ab: Scalar
    ) -> tuple[tuple[Scalar, Scalar], Scalar]:
        """Turn the 2×2 block [[aa, ab], [ab, bb]] by the rotation with first row (c, d)."""
        u = add(mul(c, aa), mul(d, ab))
        v = add(mul(c, ab), mul(d, bb))
        first = add(mul(u, c), mul(v, d))
        mixed = sub(mul(v, c), mul(u, d))
        return (first, mixed), sub(add(aa, bb), first)

    def trace(self) -> Scalar:
        """Return the sum of the diagonal."""
        return s.total(self.xx, self.yy, self.zz)

    def numpy(self) -> np.ndarray:
        """Return the full matrix as a NumPy array (3, 3) or (3, 3, many)."""
        return self.full().numpy()

    def __repr__(self) -> str:
        return f"Symmetric({', '.join(map(str, self.entries))})"


def _apply(
    xx: Scalar, xy: Scalar, yx: Scalar, yy: Scalar, a: Scalar, b: Scalar
) -> tuple[Scalar, Scalar]:
    return add(mul(xx, a), mul(xy, b)), add(mul(yx, a), mul(yy, b))


def _sum_of_products(
    a: Scalar, x: Scalar, b: Scalar, y: Scalar, c: Scalar, z: Scalar
) -> Scalar:
    return add(add(mul(a, x), mul(b, y)), mul(c, z))


def skew(v: Vector) -> Matrix:
    """Return the matrix ṽ of the vector product: ṽ w = v × w."""
    return plain_matrix(0.0, neg(v.z), v.y, v.z, 0.0, neg(v.x), neg(v.y), v.x, 0.0)


def outer(a: Vector, b: Vector) -> Matrix:
    """Return the dyad a bᵀ."""
    return plain_matrix(*(mul(p, q) for p in a.xyz for q in b.xyz))


def square(a: Vector) -> Symmetric:
    """Return the symmetric dyad a aᵀ."""
    x, y, z = a.xyz
    return plain_symmetric(mul(x, x), mul(y, y), mul(z, z), mul(x, y), mul(x, z), mul(y, z))


MatrixLike: TypeAlias = (
    "Matrix | Symmetric | Sequence[Sequence[Scalar]] | np.ndarray | Indexed"
)
"""A matrix, three rows of three, or an array or symbol of 3×3."""


def plain_matrix(*entries: Scalar) -> Matrix:
    """Return the matrix of scalars that are plain already, such as results of operations."""
    m = new_slots(NineEntries)
    m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz = entries
    m.__class__ = Matrix
    return m  # pyright: ignore[reportReturnType]


def plain_symmetric(
    xx: Scalar, yy: Scalar, zz: Scalar, xy: Scalar, xz: Scalar, yz: Scalar
) -> Symmetric:
    """Return the symmetric matrix of scalars that are plain already."""
    m = new_slots(SixEntries)
    m.xx, m.yy, m.zz, m.xy, m.xz, m.yz = xx, yy, zz, xy, xz, yz
    m.__class__ = Symmetric
    return m  # pyright: ignore[reportReturnType]


def fixed_matrix(rows: MatrixLike) -> Matrix:
    """Return an immutable matrix, also of a mutable one."""
    if rows.__class__ is Matrix:
        return rows  # pyright: ignore[reportReturnType]
    m = Matrix.of(rows)
    return m if m.__class__ is Matrix else plain_matrix(*m.entries)


IDENTITY = Matrix(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)

__all__ = [
    "IDENTITY",
    "Matrix",
    "MatrixLike",
    "Symmetric",
    "fixed_matrix",
    "outer",
    "plain_matrix",
    "plain_symmetric",
    "skew",
    "square",
]
