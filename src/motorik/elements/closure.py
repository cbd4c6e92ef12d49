"""Closure: residuals that vanish where two frames are posed as a joint allows.

Both poses are seen from one common frame. A structural zero stays the plain 0.0.
`tilt` and `turn_apart` are sines, cheap but zero after half a turn as well; `tilt_tangents`
and `turn_tangents`, 2 tan ½α in place of sin α, are the same to first order and infinite there.
"""

from __future__ import annotations

from math import inf

from motorik.algebra.matrix import Matrix
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import vee
from motorik.algebra.scalar import (
    Scalar,
    add,
    arctan2,
    div,
    is_number,
    is_structural,
    mul,
    neg,
    sign,
    sub,
    total,
    where,
)
from motorik.algebra.vector import AXES, Vector


def gap(X_a: Pose, X_b: Pose) -> tuple[Scalar, Scalar, Scalar]:
    """Return p_b − p_a [m], resolved in the common frame: the distance of the origins."""
    return (X_b.p - X_a.p).xyz


def gap_along(X_a: Pose, X_b: Pose, *directions: Vector) -> tuple[Scalar, ...]:
    """Return (R_a e) · (p_b − p_a) [m] for each direction e, fixed in a."""
    apart = X_b.p - X_a.p
    return tuple((X_a.R @ e).dot(apart) for e in directions)


def tilt(X_a: Pose, X_b: Pose, axis: Vector) -> tuple[Scalar, Scalar]:
    """Return (R_a e₁) · (R_b n), (R_a e₂) · (R_b n) [rad] with e₁, e₂ at right angles to n.

    They vanish where the axis n has the same direction in both frames.
    """
    along = X_b.R @ axis
    e1, e2 = perpendicular(axis)
    return ((X_a.R @ e1).dot(along), (X_a.R @ e2).dot(along))


def tilt_tangents(X_a: Pose, X_b: Pose, axis: Vector) -> tuple[Scalar, ...]:
    """Return the tilt as 2 tan ½α [rad], α the angle between the axes of a and of b."""
    cosine = (X_a.R @ axis).dot(X_b.R @ axis)
    return half_tangents(cosine, tilt(X_a, X_b, axis))


def skewness(X_a: Pose, X_b: Pose, axis_a: Vector, axis_b: Vector) -> Scalar:
    """Return (R_a e_a) · (R_b e_b) − e_a · e_b [rad]: the error of the angle between two axes."""
    return sub((X_a.R @ axis_a).dot(X_b.R @ axis_b), axis_a.dot(axis_b))


def turn_apart(X_a: Pose, X_b: Pose) -> tuple[Scalar, Scalar, Scalar]:
    """Return y_a · z_b, z_a · x_b, x_a · y_b [rad]: minus the rotation left, to first order.

    They vanish where the axes are parallel in pairs, so also after half a turn about one.
    """
    (x_a, y_a, z_a), (x_b, y_b, z_b) = X_a.R.T.rows, X_b.R.T.rows
    return (y_a.dot(z_b), z_a.dot(x_b), x_a.dot(y_b))


def turn_tangents(X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
    """Return −2 tan ½θ n [rad] of the rotation by θ about n that takes a to b."""
    return tuple(neg(row) for row in rotation_tangents(X_a.R.T @ X_b.R))


def rotation_tangents(R: Matrix) -> tuple[Scalar, ...]:
    """Return 2 tan ½θ n [rad] of a rotation by θ about n: 4 vee(R) / (1 + tr R)."""
    return half_tangents(mul(0.5, sub(R.trace(), 1.0)), vee(R).xyz)


def half_tangents(
    cosine: Scalar, sines: tuple[Scalar, ...], length: Scalar = 1.0
) -> tuple[Scalar, ...]:
    """Return 2 tan ½α e of cos α and the components of sin α e; both may be `length` times it.

    2 tan ½α = 2 sin α / (1 + cos α) ahead and 2 (1 − cos α) / sin α behind, so that rounding
    cannot produce a false zero near half a turn, where it is infinite or not a number.
    """
    is_ahead = cosine > 0.0
    square = total(*(mul(sine, sine) for sine in sines))
    above = where(is_ahead, 2.0, mul(2.0, sub(length, cosine)))
    below = where(is_ahead, add(length, cosine), square)
    if is_number(below) and below == 0.0:
        return (inf,) * len(sines)
    factor = div(above, below)
    return tuple(mul(sine, factor) for sine in sines)


def apart(X: Pose, Y: Pose) -> tuple[Scalar, Scalar]:
    """Return the distance of the origins [m] and the angle in [0, π] rad between two poses."""
    R = X.R.T @ Y.R
    angle = arctan2(vee(R).norm(), mul(0.5, sub(R.trace(), 1.0)))
    return (Y.p - X.p).norm(), angle


def angle_between(u: Vector, v: Vector) -> Scalar:
    """Return the angle in [0, π] rad between two vectors."""
    return arctan2(u.cross(v).norm(), u.dot(v))


def perpendicular(axis: Vector) -> tuple[Vector, Vector]:
    """Return two unit vectors at right angles to the unit vector `axis` and to each other.

    Where a component is zero by structure the first is that coordinate axis. Elsewhere they
    follow from x and y by the rotation that takes ±z to the axis (Duff et al. 2017).
    """
    for component, e1 in zip(axis.xyz, AXES, strict=True):
        if is_structural(component, 0.0):
            return e1, axis.cross(e1)
    x, y, z = axis.xyz
    side = sign(z)
    share = -1.0 / (side + z)
    e1 = Vector(1.0 + side * x * x * share, side * x * y * share, -side * x)
    e2 = Vector(x * y * share, side + y * y * share, -y)
    return e1, e2
