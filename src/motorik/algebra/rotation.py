"""Rotation matrices: about an axis, by sequences of axes, along directions, and back."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra import scalar as s
from motorik.algebra.given import unit_axis
from motorik.algebra.matrix import IDENTITY, Matrix, plain_matrix, square
from motorik.algebra.scalar import Scalar, add, mul, neg, sub, where
from motorik.algebra.vector import AXES, Vector, VectorLike, X, Y, Z
from motorik.errors import ParameterError


def coordinate_axis(number: int) -> Vector:
    """Return the unit vector of coordinate axis 1, 2 or 3."""
    if number not in (1, 2, 3):
        raise ParameterError(
            "coordinate axis",
            f"there is no axis {number!r}",
            "Use 1, 2 or 3 for x, y or z.",
            parameter="axis",
            value=number,
        )
    return AXES[number - 1]


def rotation_about(axis: VectorLike, angle: Scalar) -> Matrix:
    """Return R_ab of a frame b turned by `angle` [rad] about the unit vector `axis`.

    R = e eᵀ + (1 − e eᵀ) cos φ + ẽ sin φ

    An axis of numbers that is not a unit vector is made one; zero and NaN are refused.
    """
    axis = unit_axis(axis)
    return rotation_from_sine(axis, s.sin(s.plain(angle)), s.cos(s.plain(angle)))


def rotation_from_sine(axis: Vector, sine: Scalar, cosine: Scalar) -> Matrix:
    """Return R_ab for the angle with this sine and cosine about the unit vector `axis`."""
    ee = square(axis)
    x, y, z = axis.xyz
    return plain_matrix(
        add(ee.xx, mul(sub(1.0, ee.xx), cosine)),
        sub(mul(ee.xy, sub(1.0, cosine)), mul(z, sine)),
        add(mul(ee.xz, sub(1.0, cosine)), mul(y, sine)),
        add(mul(ee.xy, sub(1.0, cosine)), mul(z, sine)),
        add(ee.yy, mul(sub(1.0, ee.yy), cosine)),
        sub(mul(ee.yz, sub(1.0, cosine)), mul(x, sine)),
        sub(mul(ee.xz, sub(1.0, cosine)), mul(y, sine)),
        add(mul(ee.yz, sub(1.0, cosine)), mul(x, sine)),
        add(ee.zz, mul(sub(1.0, ee.zz), cosine)),
    )


def rotation_by_sequence(sequence: Sequence[int], angles: Sequence[Scalar]) -> Matrix:
    """Return R_ab of turns about coordinate axes `sequence` (1, 2, 3), one after another.

    Each turn is about the axis of the frame reached so far: R = R₁(φ₁) R₂(φ₂) R₃(φ₃).
    """
    R = IDENTITY
    for axis, angle in zip(sequence, angles, strict=True):
        if not s.is_structural(angle, 0.0):
            R = R @ rotation_about(coordinate_axis(axis), angle)
    return R


def angle_of_turn(e: Vector, v_a: Vector, v_b: Vector) -> Scalar:
    """Return the angle in [−π, π] of the turn about e for which v_a = R_ab v_b.

    tan φ = −(e × v_a) · v_b / (v_a · v_b − (e · v_a)(e · v_b)); e is a unit vector, v not
    parallel to it.
    """
    sine = neg(e.cross(v_a).dot(v_b))
    cosine = sub(v_a.dot(v_b), mul(e.dot(v_a), e.dot(v_b)))
    return s.arctan2(sine, cosine)


def angles_of_sequence(
    R: Matrix, sequence: Sequence[int] = (1, 2, 3), guess: Scalar = 0.0
) -> tuple[Scalar, Scalar, Scalar]:
    """Return the angles in [−π, π] with R = rotation_by_sequence(sequence, angles).

    Axis 3 stays perpendicular to axis 2: A cos φ₁ + B sin φ₁ = 0 with A = e₂ · e₃ and
    B = (e₁ × e₂) · e₃ in frame a. Of its two solutions φ₁ is the one nearer to the guess;
    where A = B = 0 every φ₁ is one, and φ₁ is the guess itself.
    """
    if len(sequence) != 3 or sequence[0] == sequence[1] or sequence[1] == sequence[2]:
        raise ParameterError(
            "sequence of axes",
            f"{tuple(sequence)} cannot reach every orientation",
            "Give three axes, no two neighbours alike, such as (1, 2, 3) or (3, 1, 3).",
            parameter="sequence",
            value=tuple(sequence),
        )
    guess = s.plain(guess)
    e1, e2, e3 = (coordinate_axis(number) for number in sequence)
    e3_a = R @ e3
    A, B = e2.dot(e3_a), e1.cross(e2).dot(e3_a)
    is_singular = add(mul(A, A), mul(B, B)) <= 1e-24
    A, B = where(is_singular, 0.0, A), where(is_singular, -1.0, B)
    one, other = s.arctan2(A, neg(B)), s.arctan2(neg(A), B)
    to_one, to_other = s.fabs(sub(one, guess)), s.fabs(sub(other, guess))
    angle1 = where(is_singular, guess, where(to_one <= to_other, one, other))
    first = rotation_about(e1, angle1)
    angle2 = angle_of_turn(e2, first.T @ e3_a, e3)
    angle3 = angle_of_turn(e3, e2, R.T @ (first @ e2))
    return angle1, angle2, angle3


def rotation_with_xy(n_x: Vector, n_y: Vector) -> Matrix:
    """Return R_ab of the frame b with its x axis along n_x and its y axis towards n_y.

    n_y need not be perpendicular to n_x; where it is parallel, some y axis is chosen.
    """
    e_x = _direction(n_x, X)
    e_z = e_x.cross(_aside(e_x, _direction(n_y, Y), Y)).normalized()
    return Matrix.from_columns(e_x, e_z.cross(e_x), e_z)


def rotation_with_xz(n_x: Vector, n_z: Vector) -> Matrix:
    """Return R_ab of the frame b with its x axis along n_x and its z axis towards n_z.

    n_z need not be perpendicular to n_x; where it is parallel, some z axis is chosen.
    """
    e_x = _direction(n_x, X)
    e_y = _aside(e_x, _direction(n_z, Z), Z).cross(e_x).normalized()
    return Matrix.from_columns(e_x, e_y, e_x.cross(e_y))


def _direction(n: Vector, default: Vector) -> Vector:
    """Return the unit vector of n, or the default where |n| < 1e-10."""
    square_length = n.dot(n)
    is_short = square_length < 1e-20
    unit = n / s.sqrt(where(is_short, 1.0, square_length))
    return _either(is_short, default, unit)


def _aside(e_x: Vector, e: Vector, default: Vector) -> Vector:
    """Return e, or an axis that is not parallel to e_x where e nearly is."""
    across = e_x.cross(e)
    other = _either(s.fabs(e_x.x) > 1e-6, default, X)
    return _either(across.dot(across) > 1e-6, e, other)


def _either(condition: Scalar, yes: Vector, no: Vector) -> Vector:
    return Vector(*(where(condition, a, b) for a, b in zip(yes.xyz, no.xyz, strict=True)))


def snapped(R: Matrix, within: float = 4e-16) -> Matrix:
    """Return a constant rotation with entries within rounding of 0 and ±1 made exactly so.

    cos(π/2) = 6e-17 would otherwise hide a structural zero from everything that follows.
    """

    def snap(e: Scalar) -> Scalar:
        if not s.is_number(e):
            return e
        for value in (0.0, 1.0, -1.0):
            if abs(e - value) <= within:
                return value
        return e

    return R.map(snap)


def is_identity(R: Matrix) -> bool:
    """Return whether R is structurally the unit matrix."""
    pairs = zip(R.entries, IDENTITY.entries, strict=True)
    return all(s.is_structural(a, b) for a, b in pairs)


def vee(R: Matrix) -> Vector:
    """Return the vector of the skew part of R: ½ (R − Rᵀ) = skew(vee(R))."""
    return 0.5 * Vector(sub(R.zy, R.yz), sub(R.xz, R.zx), sub(R.yx, R.xy))


def angular_velocity_from(R: Matrix, R_rate: Matrix) -> Vector:
    """Return the angular velocity of frame b, resolved in b: skew(ω_b) = R_abᵀ dR_ab/dt."""
    _, y, z = R.T.rows
    dx, dy, _ = R_rate.T.rows
    return Vector(z.dot(dy), neg(z.dot(dx)), y.dot(dx))


__all__ = [
    "angle_of_turn",
    "angles_of_sequence",
    "angular_velocity_from",
    "coordinate_axis",
    "is_identity",
    "rotation_about",
    "rotation_by_sequence",
    "rotation_from_sine",
    "rotation_with_xy",
    "rotation_with_xz",
    "snapped",
    "vee",
]
