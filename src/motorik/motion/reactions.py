"""Reactions of closed loops: force motors from the multipliers of constraint rows."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.linear_system import solve_linear
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add, mul
from motorik.algebra.vector import AXES, ZERO, Vector
from motorik.topology.mechanism import Closure, Mechanism

UNIT_MOTIONS = (*(Motor(e, ZERO) for e in AXES), *(Motor(ZERO, e) for e in AXES))


def multiplier_numbers(mechanism: Mechanism) -> list[list[int]]:
    """Return the numbers of the multipliers of each closure.

    Holonomic rows come first, closure by closure, then the relations, then rows of rates.
    """
    numbers: list[list[int]] = []
    at = 0
    for closure in mechanism.closures:
        count = len(closure.constraint.units)
        numbers.append(list(range(at, at + count)))
        at += count
    at += len(mechanism.relations)
    for own, closure in zip(numbers, mechanism.closures, strict=True):
        count = len(closure.constraint.rate_units)
        own += range(at, at + count)
        at += count
    return numbers


def forces_of_closure(
    closure: Closure,
    poses: Sequence[Pose],
    positions: Sequence[Scalar],
    multipliers: Sequence[Scalar],
) -> tuple[Motor, ...]:
    """Return the force motors on the bodies at the ends: Fₑ = Σ λᵢ ∂aᵢ/∂Vₑ.

    Each end is moved along the six unit motors in turn; the rates of the rows are the
    components of the force per multiplier.
    """
    forces = []
    for end in range(len(poses)):
        components: list[Scalar] = []
        for motion in UNIT_MOTIONS:
            velocities = [motion if k == end else ZERO_MOTOR for k in range(len(poses))]
            rates = closure.constraint.rates(poses, velocities, positions)
            total: Scalar = 0.0
            for rate, multiplier in zip(rates, multipliers, strict=True):
                total = add(total, mul(rate, multiplier))
            components.append(total)
        # power: moment on turns, force on displacements
        forces.append(Motor(Vector(*components[3:]), Vector(*components[:3])))
    return tuple(forces)


def components_along(S: Sequence[Motor], V: Motor) -> list[Scalar]:
    """Return the factors of the screws in a motor that they span: (SᵀS) u = SᵀV."""

    def dot(a: Motor, b: Motor) -> Scalar:
        total: Scalar = 0.0
        for x, y in zip(a.components, b.components, strict=True):
            total = add(total, mul(x, y))
        return total

    A: list[list[Scalar]] = [[dot(a, b) for b in S] for a in S]
    return solve_linear(A, [dot(a, V) for a in S]) if S else []
