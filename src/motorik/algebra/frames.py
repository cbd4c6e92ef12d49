"""Frames: the orientation functions of Modelica's MultiBody library, in its convention.

An `Orientation` describes frame 2 relative to frame 1: v_2 = T v_1, so T is the transpose of the
R_12 of the other modules (``to_T_inv(R)`` is R_12). Functions on transformation matrices
alone are these with the angular velocity left out: ``planar_rotation(e, angle).T``.
"""

# ruff: noqa: N802 - T and Q are Modelica's letters

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from motorik.algebra import scalar as s
from motorik.algebra.given import fixed_rotation, unit_axis
from motorik.algebra.matrix import IDENTITY, Matrix, MatrixLike
from motorik.algebra.quaternion import NO_TURN, Quaternion, QuaternionLike
from motorik.algebra.rotation import (
    angle_of_turn,
    angles_of_sequence,
    angular_velocity_from,
    coordinate_axis,
    rotation_about,
    rotation_with_xy,
    rotation_with_xz,
)
from motorik.algebra.scalar import Scalar, mul, neg, sub, where
from motorik.algebra.value import Value, setters
from motorik.algebra.vector import ZERO, Vector, VectorLike, fixed_vector


class Orientation(Value):
    """The turn from frame 1 to frame 2 with its speed.

    T: v_2 = T v_1; w [rad/s]: angular velocity of frame 2 seen from frame 1, resolved in
    frame 2, so that w̃ = T dTᵀ/dt. Rows or an array of numbers given for T are checked to
    be a rotation; a `Matrix` is taken as it is.
    """

    __slots__ = ("T", "w")
    _leaves: ClassVar[tuple[str, ...]] = ("T", "w")
    T: Matrix
    w: Vector

    def __init__(self, T: MatrixLike = IDENTITY, w: VectorLike = ZERO) -> None:
        _set_turn(self, T if T.__class__ is Matrix else fixed_rotation(T, "Orientation"))
        _set_speed(self, w if w.__class__ is Vector else fixed_vector(w))

    def __repr__(self) -> str:
        return f"Orientation({self.T!r}, {self.w!r})"


_set_turn, _set_speed = setters(Orientation, "T", "w")


def axis(number: int) -> Vector:
    """Return the unit vector of coordinate axis 1, 2 or 3."""
    return coordinate_axis(number)


def length(v: VectorLike) -> Scalar:
    """Return √(v · v)."""
    return Vector.of(v).norm()


def normalize(v: VectorLike, eps: float = 2.2e-14) -> Vector:
    """Return v / max(|v|, eps): the unit vector, and zero for the zero vector."""
    v = Vector.of(v)
    square, least = v.dot(v), eps * eps
    return v / s.sqrt(where(square > least, square, least))


def null_rotation() -> Orientation:
    """Return the orientation of two frames that are parallel and stay so."""
    return Orientation()


def orientation_constraint(R: Orientation) -> tuple[Scalar, ...]:
    """Return the six residues of TᵀT = 1: diagonal − 1, then the elements 12, 13, 23."""
    x, y, z = R.T.T.rows
    lengths = (sub(a.dot(a), 1.0) for a in (x, y, z))
    return (*lengths, x.dot(y), x.dot(z), y.dot(z))


def equality_constraint(R1: Orientation, R2: Orientation) -> tuple[Scalar, ...]:
    """Return three angles [rad] that vanish only where both orientations are the same.

    For a small turn they are the angles about the axes of frame 1 from frame 1 to 2.
    """
    D = R2.T @ R1.T.T
    return (
        s.arctan2(D.yz, D.xx),
        s.arctan2(neg(D.xz), D.yy),
        s.arctan2(D.xy, D.zz),
    )


def angular_velocity1(R: Orientation) -> Vector:
    """Return the angular velocity of frame 2 seen from 1, resolved in frame 1."""
    return resolve1(R, R.w)


def angular_velocity2(R: Orientation) -> Vector:
    """Return the angular velocity of frame 2 seen from 1, resolved in frame 2."""
    return R.w


def resolve1(R: Orientation, v2: VectorLike) -> Vector:
    """Return v_1 = Tᵀ v_2."""
    return R.T.T @ Vector.of(v2)


def resolve2(R: Orientation, v1: VectorLike) -> Vector:
    """Return v_2 = T v_1."""
    return R.T @ Vector.of(v1)


def multiple_resolve1(R: Orientation, v2: Iterable[VectorLike]) -> list[Vector]:
    """Return several vectors given in frame 2 as they are in frame 1."""
    return [resolve1(R, v) for v in v2]


def multiple_resolve2(R: Orientation, v1: Iterable[VectorLike]) -> list[Vector]:
    """Return several vectors given in frame 1 as they are in frame 2."""
    return [resolve2(R, v) for v in v1]


def resolve_relative(v1: VectorLike, R1: Orientation, R2: Orientation) -> Vector:
    """Return v_2 = T_2 T_1ᵀ v_1, where R1 and R2 lead from frame 0 to frames 1 and 2."""
    return resolve2(R2, resolve1(R1, v1))


def resolve1_der(R: Orientation, v2: VectorLike, v2_der: VectorLike) -> Vector:
    """Return dv_1/dt = Tᵀ (dv_2/dt + w × v_2)."""
    return resolve1(R, Vector.of(v2_der) + R.w.cross(Vector.of(v2)))


def resolve2_der(R: Orientation, v1: VectorLike, v1_der: VectorLike) -> Vector:
    """Return dv_2/dt = T dv_1/dt − w × v_2."""
    return resolve2(R, v1_der) - R.w.cross(resolve2(R, v1))


def resolve_relative_der(
    v1: VectorLike, R1: Orientation, R2: Orientation, v1_der: VectorLike
) -> Vector:
    """Return dv_2/dt = T_2 T_1ᵀ (dv_1/dt + w_1 × v_1) − w_2 × v_2."""
    moved = Vector.of(v1_der) + R1.w.cross(Vector.of(v1))
    turned = R2.w.cross(resolve_relative(v1, R1, R2))
    return resolve_relative(moved, R1, R2) - turned


def resolve_dyade1(R: Orientation, D2: MatrixLike) -> Matrix:
    """Return the second-order tensor D_1 = Tᵀ D_2 T."""
    return R.T.T @ Matrix.of(D2) @ R.T


def resolve_dyade2(R: Orientation, D1: MatrixLike) -> Matrix:
    """Return the second-order tensor D_2 = T D_1 Tᵀ."""
    return R.T @ Matrix.of(D1) @ R.T.T


def inverse_rotation(R: Orientation) -> Orientation:
    """Return the inverse, from frame 2 to frame 1."""
    return Orientation(R.T.T, -angular_velocity1(R))


def relative_rotation(R1: Orientation, R2: Orientation) -> Orientation:
    """Return the orientation from frame 1 to frame 2, both given from frame 0."""
    return Orientation(R2.T @ R1.T.T, R2.w - resolve2(R2, angular_velocity1(R1)))


def absolute_rotation(R1: Orientation, R_rel: Orientation) -> Orientation:
    """Return the orientation from frame 0 to 2: R1 from 0 to 1, then R_rel from 1 to 2."""
    return Orientation(R_rel.T @ R1.T, resolve2(R_rel, R1.w) + R_rel.w)


def planar_rotation(e: VectorLike, angle: Scalar, der_angle: Scalar = 0.0) -> Orientation:
    """Return the turn by `angle` [rad] about the axis e, at the speed der_angle."""
    e = unit_axis(e)
    return Orientation(rotation_about(e, angle).T, der_angle * e)


def planar_rotation_angle(e: VectorLike, v1: VectorLike, v2: VectorLike) -> Scalar:
    """Return the angle in [−π, π] by which a turn about e takes v_1 to v_2 = T v_1."""
    return angle_of_turn(unit_axis(e), Vector.of(v1), Vector.of(v2))


def axis_rotation(number: int, angle: Scalar, der_angle: Scalar = 0.0) -> Orientation:
    """Return the turn by `angle` about coordinate axis 1, 2 or 3."""
    return planar_rotation(axis(number), angle, der_angle)


def axes_rotations(
    sequence: Sequence[int],
    angles: Sequence[Scalar],
    der_angles: Sequence[Scalar] = (0.0, 0.0, 0.0),
) -> Orientation:
    """Return turns about coordinate axes, each about one of the frame reached so far."""
    R = Orientation()
    for turn in zip(sequence, angles, der_angles, strict=True):
        R = absolute_rotation(R, axis_rotation(*turn))
    return R


def axes_rotations_angles(
    R: Orientation, sequence: Sequence[int] = (1, 2, 3), guess_angle1: Scalar = 0.0
) -> tuple[Scalar, Scalar, Scalar]:
    """Return the angles in [−π, π] with R.T = axes_rotations(sequence, angles).T.

    Of the two solutions the one with its first angle nearer to the guess; where every
    first angle is a solution, the guess itself.
    """
    return angles_of_sequence(R.T.T, sequence, guess_angle1)


def small_rotation(R: Orientation, with_residues: bool = False) -> tuple[Scalar, ...]:
    """Return the angles about x, y, z of a small turn: T = 1 − φ̃.

    With residues, three more that vanish for a small turn: T_11 − 1, T_22 − 1 and
    T_11 T_22 − T_21 T_12 − 1.
    """
    T = R.T
    angles = (T.yz, neg(T.xz), T.xy)
    if not with_residues:
        return angles
    minor = sub(mul(T.xx, T.yy), mul(T.yx, T.xy))
    return (*angles, sub(T.xx, 1.0), sub(T.yy, 1.0), sub(minor, 1.0))


def from_nxy(n_x: VectorLike, n_y: VectorLike) -> Orientation:
    """Return the fixed frame 2 with its x axis along n_x and its y axis towards n_y."""
    return Orientation(rotation_with_xy(Vector.of(n_x), Vector.of(n_y)).T)


def from_nxz(n_x: VectorLike, n_z: VectorLike) -> Orientation:
    """Return the fixed frame 2 with its x axis along n_x and its z axis towards n_z."""
    return Orientation(rotation_with_xz(Vector.of(n_x), Vector.of(n_z)).T)


def from_T(T: MatrixLike, w: VectorLike = ZERO) -> Orientation:
    """Return the orientation of v_2 = T v_1 and w (of frame 2, resolved in frame 2)."""
    return Orientation(T, w)


def from_T2(T: MatrixLike, der_T: MatrixLike) -> Orientation:
    """Return the orientation of T and its rate: w̃ = T dTᵀ/dt."""
    T = Matrix.of(T)
    return Orientation(T, angular_velocity_from(T.T, Matrix.of(der_T).T))


def from_T_inv(T_inv: MatrixLike, w: VectorLike = ZERO) -> Orientation:
    """Return the orientation of v_1 = T_inv v_2 and w (of frame 1, resolved in frame 1)."""
    return inverse_rotation(Orientation(T_inv, w))


def from_Q(Q: QuaternionLike, w: VectorLike = ZERO) -> Orientation:
    """Return the orientation of a unit quaternion and w (of frame 2, resolved in 2)."""
    return Orientation(Quaternion.of(Q).rotation().T, w)


def to_T(R: Orientation) -> Matrix:
    """Return T with v_2 = T v_1."""
    return R.T


def to_T_inv(R: Orientation) -> Matrix:
    """Return Tᵀ = R_12 with v_1 = Tᵀ v_2."""
    return R.T.T


def to_Q(R: Orientation, Q_guess: QuaternionLike = NO_TURN) -> Quaternion:
    """Return the quaternion of an orientation, of the two that nearer to Q_guess."""
    return Quaternion.from_rotation(R.T.T, Quaternion.of(Q_guess))


def to_vector(R: Orientation) -> tuple[Scalar, ...]:
    """Return the nine elements of T, column by column."""
    return R.T.T.entries


def to_exy(R: Orientation) -> tuple[Vector, Vector]:
    """Return the x and y axes of frame 2, resolved in frame 1."""
    e_x, e_y, _ = R.T.rows
    return e_x, e_y


__all__ = [
    "Orientation",
    "absolute_rotation",
    "angular_velocity1",
    "angular_velocity2",
    "axes_rotations",
    "axes_rotations_angles",
    "axis",
    "axis_rotation",
    "equality_constraint",
    "from_Q",
    "from_T",
    "from_T2",
    "from_T_inv",
    "from_nxy",
    "from_nxz",
    "inverse_rotation",
    "length",
    "multiple_resolve1",
    "multiple_resolve2",
    "normalize",
    "null_rotation",
    "orientation_constraint",
    "planar_rotation",
    "planar_rotation_angle",
    "relative_rotation",
    "resolve1",
    "resolve1_der",
    "resolve2",
    "resolve2_der",
    "resolve_dyade1",
    "resolve_dyade2",
    "resolve_relative",
    "resolve_relative_der",
    "small_rotation",
    "to_Q",
    "to_T",
    "to_T_inv",
    "to_exy",
    "to_vector",
]
