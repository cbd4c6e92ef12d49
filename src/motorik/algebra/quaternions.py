"""Quaternions: Modelica's `Frames.Quaternions`, orientation by four scalars, as functions.

Q leads from frame 1 to frame 2; it is the `Quaternion` Q_12 of the other modules.
"""

# ruff: noqa: N802 - T and Q are Modelica's letters

from __future__ import annotations

from collections.abc import Iterable

from motorik.algebra.matrix import Matrix, MatrixLike
from motorik.algebra.quaternion import NO_TURN, Quaternion, QuaternionLike
from motorik.algebra.scalar import Scalar, sub
from motorik.algebra.vector import Vector, VectorLike


def null_rotation() -> Quaternion:
    """Return the quaternion of parallel frames."""
    return NO_TURN


def orientation_constraint(Q: Quaternion) -> tuple[Scalar]:
    """Return the one residue Q · Q − 1."""
    return (sub(Q.dot(Q), 1.0),)


def angular_velocity1(Q: Quaternion, der_Q: Quaternion) -> Vector:
    """Return ω of frame 2 seen from 1, resolved in frame 1: (ω, ·) = 2 dQ/dt ∘ Q*."""
    return 2.0 * (der_Q @ Q.conjugate()).vector


def angular_velocity2(Q: Quaternion, der_Q: Quaternion) -> Vector:
    """Return ω of frame 2 seen from 1, resolved in frame 2: (ω, ·) = 2 Q* ∘ dQ/dt."""
    return Q.angular_velocity(der_Q)


def resolve1(Q: Quaternion, v2: VectorLike) -> Vector:
    """Return v_1 of the vector v_2 given in frame 2."""
    return Q.rotation() @ Vector.of(v2)


def resolve2(Q: Quaternion, v1: VectorLike) -> Vector:
    """Return v_2 of the vector v_1 given in frame 1."""
    return Q.rotation().T @ Vector.of(v1)


def multiple_resolve1(Q: Quaternion, v2: Iterable[VectorLike]) -> list[Vector]:
    """Return several vectors given in frame 2 as they are in frame 1."""
    R = Q.rotation()
    return [R @ Vector.of(v) for v in v2]


def multiple_resolve2(Q: Quaternion, v1: Iterable[VectorLike]) -> list[Vector]:
    """Return several vectors given in frame 1 as they are in frame 2."""
    T = Q.rotation().T
    return [T @ Vector.of(v) for v in v1]


def inverse_rotation(Q: Quaternion) -> Quaternion:
    """Return the inverse, from frame 2 to frame 1."""
    return Q.conjugate()


def relative_rotation(Q1: Quaternion, Q2: Quaternion) -> Quaternion:
    """Return the quaternion from frame 1 to frame 2, both given from frame 0."""
    return Q1.conjugate() @ Q2


def absolute_rotation(Q1: Quaternion, Q_rel: Quaternion) -> Quaternion:
    """Return the quaternion from frame 0 to 2: Q1 from 0 to 1, then Q_rel from 1 to 2."""
    return Q1 @ Q_rel


def planar_rotation(e: VectorLike, angle: Scalar) -> Quaternion:
    """Return the turn by `angle` [rad] about the unit vector e."""
    return Quaternion.about(Vector.of(e), angle)


def small_rotation(Q: Quaternion) -> Vector:
    """Return the angles about x, y, z of a small turn: φ = 2 (x, y, z)."""
    return 2.0 * Q.vector


def from_T(T: MatrixLike, Q_guess: QuaternionLike = NO_TURN) -> Quaternion:
    """Return the quaternion of v_2 = T v_1, of the two that nearer to Q_guess."""
    return from_T_inv(Matrix.of(T).T, Q_guess)


def from_T_inv(T_inv: MatrixLike, Q_guess: QuaternionLike = NO_TURN) -> Quaternion:
    """Return the quaternion of v_1 = T_inv v_2, of the two that nearer to Q_guess."""
    return Quaternion.from_rotation(Matrix.of(T_inv), Quaternion.of(Q_guess))


def to_T(Q: Quaternion) -> Matrix:
    """Return T with v_2 = T v_1."""
    return Q.rotation().T


def to_T_inv(Q: Quaternion) -> Matrix:
    """Return Tᵀ = R_12 with v_1 = Tᵀ v_2."""
    return Q.rotation()


__all__ = [
    "absolute_rotation",
    "angular_velocity1",
    "angular_velocity2",
    "from_T",
    "from_T_inv",
    "inverse_rotation",
    "multiple_resolve1",
    "multiple_resolve2",
    "null_rotation",
    "orientation_constraint",
    "planar_rotation",
    "relative_rotation",
    "resolve1",
    "resolve2",
    "small_rotation",
    "to_T",
    "to_T_inv",
]
