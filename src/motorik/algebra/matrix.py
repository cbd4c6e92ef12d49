"""Three-by-three matrices of scalars of any kind: general, and symmetric of six entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

import numpy as np

from motorik.algebra import scalar as s
from motorik.algebra.scalar import Scalar, add, mul, neg, sub
from motorik.algebra.vector import Vector


class Matrix:
    """Nine entries in three rows.

    A rotation matrix R_ab has the axes of frame b, resolved in frame a, as its columns:
    v_a = R_ab v_b.
    """

    __slots__ = ("xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz")
    _leaves = ("xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz")
    __array_ufunc__ = None
    __array_priority__ = 2000.0

    def __init__(self, *entries: Scalar) -> None:
        xx, xy, xz, yx, yy, yz, zx, zy, zz = map(s.plain, entries)
        self.xx, self.xy, self.xz = xx, xy, xz
        self.yx, self.yy, self.yz = yx, yy, yz
        self.zx, self.zy, self.zz = zx, zy, zz

    @staticmethod
    def of(rows: Any) -> Matrix:
        """Return the matrix of nested rows, of a 3×3 array, or a matrix itself."""
        if isinstance(rows, Matrix):
            return rows
        if isinstance(rows, Symmetric):
            return rows.full()
        if hasattr(rows, "shape"):
            return Matrix(*(rows[i, j] for i in range(3) for j in range(3)))
        return Matrix(*(rows[i][j] for i in range(3) for j in range(3)))

    @staticmethod
    def from_rows(x: Vector, y: Vector, z: Vector) -> Matrix:
        """Return the matrix with these three rows."""
        return Matrix(*x.xyz, *y.xyz, *z.xyz)

    @staticmethod
    def from_columns(x: Vector, y: Vector, z: Vector) -> Matrix:
        """Return the matrix with these three columns."""
        return Matrix(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z)

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
            Vector(self.xx, self.xy, self.xz),
            Vector(self.yx, self.yy, self.yz),
            Vector(self.zx, self.zy, self.zz),
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
        return Matrix(
            *(self.xx, self.yx, self.zx),
            *(self.xy, self.yy, self.zy),
            *(self.xz, self.yz, self.zz),
        )

    @overload
    def __matmul__(self, other: Vector) -> Vector: ...
    @overload
    def __matmul__(self, other: Matrix | Symmetric) -> Matrix: ...
    def __matmul__(self, other: Vector | Matrix | Symmetric) -> Vector | Matrix:
        a, b, c = self.rows
        if isinstance(other, Vector):
            return Vector(a.dot(other), b.dot(other), c.dot(other))
        columns = Matrix.of(other).T.rows
        return Matrix(*(row.dot(column) for row in (a, b, c) for column in columns))

    def __add__(self, other: Matrix) -> Matrix:
        return Matrix(*map(add, self.entries, Matrix.of(other).entries))

    def __sub__(self, other: Matrix) -> Matrix:
        return Matrix(*map(sub, self.entries, Matrix.of(other).entries))

    def __neg__(self) -> Matrix:
        return Matrix(*map(neg, self.entries))

    def __mul__(self, factor: Scalar) -> Matrix:
        factor = s.plain(factor)
        return Matrix(*(mul(factor, e) for e in self.entries))

    __rmul__ = __mul__

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


class Symmetric:
    """Six entries of a symmetric matrix: xx, yy, zz, xy, xz, yz."""

    __slots__ = ("xx", "xy", "xz", "yy", "yz", "zz")
    _leaves = ("xx", "yy", "zz", "xy", "xz", "yz")
    __array_ufunc__ = None
    __array_priority__ = 2000.0

    def __init__(
        self,
        xx: Scalar,
        yy: Scalar,
        zz: Scalar,
        xy: Scalar = 0.0,
        xz: Scalar = 0.0,
        yz: Scalar = 0.0,
    ) -> None:
        self.xx, self.yy, self.zz = s.plain(xx), s.plain(yy), s.plain(zz)
        self.xy, self.xz, self.yz = s.plain(xy), s.plain(xz), s.plain(yz)

    @staticmethod
    def of(rows: Any) -> Symmetric:
        """Return the symmetric matrix whose upper triangle is that of the nested rows."""
        if isinstance(rows, Symmetric):
            return rows
        m = Matrix.of(rows)
        return Symmetric(m.xx, m.yy, m.zz, m.xy, m.xz, m.yz)

    @property
    def entries(self) -> tuple[Scalar, ...]:
        """The six entries: diagonal, then xy, xz, yz."""
        return (self.xx, self.yy, self.zz, self.xy, self.xz, self.yz)

    def full(self) -> Matrix:
        """Return all nine entries."""
        return Matrix(
            *(self.xx, self.xy, self.xz),
            *(self.xy, self.yy, self.yz),
            *(self.xz, self.yz, self.zz),
        )

    def __matmul__(self, v: Vector) -> Vector:
        return self.full() @ v

    def __add__(self, other: Symmetric) -> Symmetric:
        return Symmetric(*map(add, self.entries, other.entries))

    def __sub__(self, other: Symmetric) -> Symmetric:
        return Symmetric(*map(sub, self.entries, other.entries))

    def __mul__(self, factor: Scalar) -> Symmetric:
        factor = s.plain(factor)
        return Symmetric(*(mul(factor, e) for e in self.entries))

    __rmul__ = __mul__

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
            return Symmetric(x[0], y, self.zz, x[1], xz, yz)
        if s.is_structural(R.xx, 1.0) and s.is_structural(R.xy, 0.0):
            y, z = self._turned(R.yy, R.yz, self.yy, self.zz, self.yz)
            xy, xz = _apply(R.yy, R.yz, R.zy, R.zz, self.xy, self.xz)
            return Symmetric(self.xx, y[0], z, xy, xz, y[1])
        if s.is_structural(R.yy, 1.0) and s.is_structural(R.xy, 0.0):
            x, z = self._turned(R.xx, R.xz, self.xx, self.zz, self.xz)
            xy, yz = _apply(R.xx, R.xz, R.zx, R.zz, self.xy, self.yz)
            return Symmetric(x[0], self.yy, z, xy, x[1], yz)
        rx, ry, rz = R.rows
        full = self.full()
        ax, ay = full @ rx, full @ ry
        xx, yy = ax.dot(rx), ay.dot(ry)
        zz = sub(s.total(self.xx, self.yy, self.zz), add(xx, yy))
        return Symmetric(xx, yy, zz, ax.dot(ry), ax.dot(rz), ay.dot(rz))

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


def skew(v: Vector) -> Matrix:
    """Return the matrix ṽ of the vector product: ṽ w = v × w."""
    return Matrix(0.0, neg(v.z), v.y, v.z, 0.0, neg(v.x), neg(v.y), v.x, 0.0)


def outer(a: Vector, b: Vector) -> Matrix:
    """Return the dyad a bᵀ."""
    return Matrix(*(mul(p, q) for p in a.xyz for q in b.xyz))


def square(a: Vector) -> Symmetric:
    """Return the symmetric dyad a aᵀ."""
    x, y, z = a.xyz
    return Symmetric(mul(x, x), mul(y, y), mul(z, z), mul(x, y), mul(x, z), mul(y, z))


IDENTITY = Matrix(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
