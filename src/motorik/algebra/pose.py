"""Poses: position and orientation of frame b in frame a, and change of frame of motors."""

from __future__ import annotations

from typing import ClassVar, overload

import numpy as np

from motorik.algebra.given import check_rotation
from motorik.algebra.matrix import IDENTITY, Matrix, MatrixLike
from motorik.algebra.motor import M, Motor
from motorik.algebra.value import Value, refuse, setters
from motorik.algebra.vector import ZERO, Vector, VectorLike


class Pose(Value):
    """X_ab: orientation R_ab (v_a = R_ab v_b) and origin p_ab of frame b seen from frame a.

    Adjacent letters meet: ``X_ac = X_ab @ X_bc``. Rows or an array of numbers given for R
    are checked to be a rotation; a `Matrix` is taken as it is. Of the mutable vectors and
    rotations of MOBILE the pose keeps the reference, so that a link reads their present values.
    """

    __slots__ = ("R", "p")
    _leaves: ClassVar[tuple[str, ...]] = ("R", "p")
    R: Matrix
    p: Vector

    def __init__(self, R: MatrixLike = IDENTITY, p: VectorLike = ZERO) -> None:
        _set_rotation(
            self, R if isinstance(R, Matrix) else check_rotation(Matrix.of(R), "Pose")
        )
        _set_origin(self, p if isinstance(p, Vector) else Vector.of(p))

    def __matmul__(self, other: Pose) -> Pose:
        if not isinstance(other, Pose):
            refuse("@", self, other)
        return Pose(self.R @ other.R, self.p + self.R @ other.p)

    def inverse(self) -> Pose:
        """Return X_ba."""
        Rt = self.R.T
        return Pose(Rt, -(Rt @ self.p))

    @overload
    def __call__(self, h: M) -> M: ...
    @overload
    def __call__(self, h: Vector) -> Vector: ...
    def __call__(self, h: Motor | Vector) -> Motor | Vector:
        """Return a motor (or a point) given in frame b as it is in frame a.

        Motor: g_a = R g_b, h_a = R h_b + p × R g_b. Point: r_a = p + R r_b.
        """
        if isinstance(h, Vector):
            return self.p + self.R @ h
        if not isinstance(h, Motor):
            refuse("applied to", self, h)
        g = self.R @ h.resultant
        return h.__class__(g, self.R @ h.moment + self.p.cross(g))

    @overload
    def back(self, h: M) -> M: ...
    @overload
    def back(self, h: Vector) -> Vector: ...
    def back(self, h: Motor | Vector) -> Motor | Vector:
        """Return a motor (or a point) given in frame a as it is in frame b.

        Motor: g_b = Rᵀ g_a, h_b = Rᵀ (h_a + g_a × p). Point: r_b = Rᵀ (r_a − p).
        """
        Rt = self.R.T
        if isinstance(h, Vector):
            return Rt @ (h - self.p)
        if not isinstance(h, Motor):
            refuse("applied to", self, h)
        return h.__class__(Rt @ h.resultant, Rt @ h.moment_at(self.p))

    def numpy(self) -> np.ndarray:
        """Return the homogeneous matrix (4, 4) or (4, 4, many)."""
        parts = np.broadcast_arrays(*self.R.entries, *self.p.xyz)
        X = np.zeros((4, 4, *parts[0].shape))
        X[:3, :3] = np.reshape(parts[:9], (3, 3, *parts[0].shape))
        X[:3, 3] = parts[9:]
        X[3, 3] = 1.0
        return X

    def __repr__(self) -> str:
        return f"Pose({self.R!r}, {self.p!r})"


_set_rotation, _set_origin = setters(Pose, "R", "p")


IDENTITY_POSE = Pose(IDENTITY, ZERO)

__all__ = ["IDENTITY_POSE", "Pose"]
