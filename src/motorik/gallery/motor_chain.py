"""Motor chain: the equations of motion of a chain of bodies, written with motors alone.

The derivation of Zaiczek and Enge-Rosenblatt 2009, §2.2, for bodies that carry one another:
no part, no assembly, only the algebra; on numbers or on symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from motorik.algebra import (
    ZERO,
    ZERO_MOTOR,
    Inertia,
    Motor,
    Pose,
    Scalar,
    Vector,
    body_force,
)
from motorik.algebra.scalar import add, div, mul, neg, sub, total
from motorik.immutable import immutable


@immutable
class MotorBody:
    """A body of a chain and the joint that carries it.

    `pose` is X(q), the body's frame seen from the one before; `screw` the motor e of the
    joint in the body's frame, (e, 0) of a revolute and (0, e) of a prismatic joint (eq. 6);
    `friction` the viscous friction d of the joint, a force −d q̇ along its axis.
    """

    pose: Callable[[Scalar], Pose]
    screw: Motor
    inertia: Inertia
    friction: float = 0.0


def joint_forces(
    bodies: Sequence[MotorBody],
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    gravity: Vector,
) -> list[Scalar]:
    """Return the forces along the joint axes that make the chain move with q̈.

    Outward, in the frame of each body:
        v = X⁻¹ v₋ + q̇ e,   v° = X⁻¹ v₋° + v × q̇ e + q̈ e,   f = 𝔐 ∘ v° + v × (𝔐 ∘ v);
    inward, f₋ + X f acts on the body before, and (f, e) is what the joint must provide
    besides its friction. Gravity enters as an upward acceleration of the world.
    """
    v, a = ZERO_MOTOR, Motor(ZERO, -gravity)
    moved: list[tuple[Pose, Motor]] = []
    for body, angle, rate, acceleration in zip(bodies, q, qd, qdd, strict=True):
        X, e = body.pose(angle), body.screw
        v = X.back(v) + rate * e
        a = X.back(a) + v.cross(rate * e) + acceleration * e
        moved.append((X, body_force(body.inertia, v, a)))
    load, forces = ZERO_MOTOR, []
    for body, rate, (X, f) in zip(
        reversed(bodies), reversed(qd), reversed(moved), strict=True
    ):
        f = f + load
        forces.append(add(body.screw @ f, mul(body.friction, rate)))
        load = X(f)
    return forces[::-1]


def state_rates(
    bodies: Sequence[MotorBody], x: Sequence[Scalar], gravity: Vector
) -> list[Scalar]:
    """Return (q̇, q̈) of the state x = (q, q̇) when only gravity and friction act.

    The mass matrix M has as its columns the forces for one unit of acceleration each, at
    rest and without weight; M q̈ = −h with the forces h that q̈ = 0 would need.
    """
    n = len(bodies)
    q, qd, rest = x[:n], x[n:], [0.0] * n
    columns = [
        joint_forces(bodies, q, rest, [1.0 if i == j else 0.0 for i in range(n)], ZERO)
        for j in range(n)
    ]
    M = [list(row) for row in zip(*columns, strict=True)]
    h = joint_forces(bodies, q, qd, rest, gravity)
    return [*qd, *solve_positive(M, [neg(e) for e in h])]


def solve_positive(M: list[list[Scalar]], b: list[Scalar]) -> list[Scalar]:
    """Return M⁻¹ b of a positive definite matrix, by elimination; it needs no pivots."""
    n = len(b)
    rows = [[*row, right] for row, right in zip(M, b, strict=True)]
    for k in range(n):
        for i in range(k + 1, n):
            factor = div(rows[i][k], rows[k][k])
            for j in range(k + 1, n + 1):
                rows[i][j] = sub(rows[i][j], mul(factor, rows[k][j]))
    y: list[Scalar] = [0.0] * n
    for k in reversed(range(n)):
        known = total(*(mul(rows[k][j], y[j]) for j in range(k + 1, n)))
        y[k] = div(sub(rows[k][n], known), rows[k][k])
    return y
