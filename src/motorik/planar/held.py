"""Rows f_k of a vector joint, and their multipliers λ_k.

Force and torque on body j at N are Σ λ_k ∂f_k (eq. 17), for rolling Σ λ_k ∂(slip)_k; λ_k follow
from them, whatever the strategy.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from motorik.algebra.linear_system import solve_linear
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.scalar import Scalar, add, mul
from motorik.algebra.vector import Vector
from motorik.components.base.part import Variable
from motorik.planar import vectors
from motorik.planar.shown import force_on
from motorik.planar.vectors import SPACE, UNIT_MOTIONS, PortMotion, Rows, VectorFunction

if TYPE_CHECKING:
    from motorik.components.base.motion import Motion
    from motorik.planar.vector_joint import ConstraintJoint

HOLDS_WITH = {"m": "N", "rad": "N.m", "m/s": "N", "rad/s": "N.m"}
RATE_OF = {"m": "m/s", "rad": "rad/s"}


def residuals(part: ConstraintJoint, M: PortMotion, N: PortMotion) -> tuple[Scalar, ...]:
    """Return f_k of the positions."""
    return vectors.evaluate(part.constraint, part.axes, M, N)


def slips(part: ConstraintJoint, M: PortMotion, N: PortMotion) -> tuple[Scalar, ...]:
    """Return the rows of rolling, linear in the velocities."""
    turns = [end.V.resultant for end in (M, N)]
    turning = turns if part.axes == SPACE else [w.z for w in turns]
    rolling: VectorFunction = part.rolling

    def slip(*given: Vector) -> Rows:
        return rolling(*given, M.V.moment, N.V.moment, *turning)

    return vectors.evaluate(slip, part.axes, M, N)


def rates(part: ConstraintJoint, M: PortMotion, N: PortMotion) -> tuple[Scalar, ...]:
    """Return the rates ḟ_k of the positions, then the rows of rolling."""
    return (*vectors.rates(part.constraint, part.axes, M, N), *slips(part, M, N))


def multipliers(
    joint: ConstraintJoint, part: ConstraintJoint, motion: Motion
) -> list[Scalar]:
    """Return λ_k from force and torque F on body j less those of the drive: (∂f ∂fᵀ) λ = ∂f F."""
    M, N = joint.moving_ports(motion)
    F = -force_on(motion, joint.frame_b)
    if part.drive is not None:
        s, sd = joint.freedom_in(motion, part)
        push = (part.push(motion.t, s, sd),)
        F = F - vectors.port_forces(part.freedom, part.axes, M, N, push)[1]
    G = _gradients(part, PortMotion(M.X), PortMotion(N.X))
    A = [[_dot(a, b) for b in G] for a in G]
    return solve_linear(A, [_dot(a, F) for a in G])


def _gradients(part: ConstraintJoint, M: PortMotion, N: PortMotion) -> list[Motor]:
    """Return for each row the force and torque on body j per unit of its multiplier."""
    moves = UNIT_MOTIONS[part.axes]
    slopes = [rates(part, M, PortMotion(N.X, move)) for move in moves]
    found: list[Motor] = []
    for row in zip(*slopes, strict=True):
        total = ZERO_MOTOR
        for slope, move in zip(row, moves, strict=True):
            total = total + slope * Motor(move.moment, move.resultant)
        found.append(total)
    return found


def _dot(a: Motor, b: Motor) -> Scalar:
    total: Scalar = 0.0
    for x, y in zip(a.components, b.components, strict=True):
        total = add(total, mul(x, y))
    return total


def held_variables(
    joint: ConstraintJoint,
    part: ConstraintJoint,
    units: tuple[str, ...],
    rate_units: tuple[str, ...],
) -> dict[str, Variable]:
    """Return `lambda_k`, `residual_k` and `residual_rate_k`; for rolling no rate."""
    shown: dict[str, Variable] = {}
    for k, unit in enumerate((*units, *rate_units)):
        shown[f"lambda_{k + 1}"] = Variable(
            partial(_multiplier, joint, part, k), HOLDS_WITH[unit], "Lagrange multiplier"
        )
    for k, unit in enumerate(units):
        shown[f"residual_{k + 1}"] = Variable(
            partial(_residual, joint, part, k), unit, "gap of the constraint"
        )
        shown[f"residual_rate_{k + 1}"] = Variable(
            partial(_rate, joint, part, k), RATE_OF[unit], "rate of the residual"
        )
    for k, unit in enumerate(rate_units, len(units)):
        slip = partial(_rate, joint, part, k)
        shown[f"residual_{k + 1}"] = Variable(slip, unit, "speed of slip")
    return shown


def _multiplier(
    joint: ConstraintJoint, part: ConstraintJoint, k: int, motion: Motion
) -> Scalar:
    return multipliers(joint, part, motion)[k]


def _residual(
    joint: ConstraintJoint, part: ConstraintJoint, k: int, motion: Motion
) -> Scalar:
    return residuals(part, *joint.moving_ports(motion))[k]


def _rate(joint: ConstraintJoint, part: ConstraintJoint, k: int, motion: Motion) -> Scalar:
    return rates(part, *joint.moving_ports(motion))[k]
