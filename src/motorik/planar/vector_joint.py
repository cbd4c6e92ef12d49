"""Vector joints: joints that are defined by their vector constraint alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.linear_system import solve_linear
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.scalar import Scalar, add, is_number, mul, sqrt
from motorik.algebra.vector import Vector, Z
from motorik.components.base.contributions import ConstraintBetween, Contribution
from motorik.components.base.part import Values, Variable, number_resolver, parameter
from motorik.elements.constraint import Constraint
from motorik.errors import ParameterError
from motorik.planar import quantities, vectors
from motorik.planar.typed import Generic, Turning, Unpack, Vectors
from motorik.planar.variables import force_on
from motorik.planar.vector_part import VectorPart, along_freedom, motion_of, values
from motorik.planar.vectors import (
    ARGUMENTS,
    PLANE,
    SPACE,
    UNIT_MOTIONS,
    PortMotion,
    Rows,
    VectorFunction,
)

if TYPE_CHECKING:
    from motorik.components.base.motion import Motion


# --- constraints f_k and their multipliers λ_k ---------------------------------------------


HOLDS_WITH = {"m": "N", "rad": "N.m", "m/s": "N", "rad/s": "N.m"}
RATE_OF = {"m": "m/s", "rad": "rad/s"}


def residuals(part: ConstraintJoint, M: PortMotion, N: PortMotion) -> tuple[Scalar, ...]:
    """Return f_k of the positions."""
    return vectors.evaluate(part.constraint, part.axes, M, N)


def rolling_rates(
    part: ConstraintJoint, M: PortMotion, N: PortMotion
) -> tuple[Scalar, ...]:
    """Return the rolling constraints, linear in the velocities."""
    turns = [end.V.resultant for end in (M, N)]
    turning = turns if part.axes == SPACE else [w.z for w in turns]
    rolling: VectorFunction = part.rolling

    def slip(*given: Vector) -> Rows:
        return rolling(*given, M.V.moment, N.V.moment, *turning)

    return vectors.evaluate(slip, part.axes, M, N)


def rates(part: ConstraintJoint, M: PortMotion, N: PortMotion) -> tuple[Scalar, ...]:
    """Return the rates ḟ_k of the position constraints, then the rolling constraints."""
    return (*vectors.rates(part.constraint, part.axes, M, N), *rolling_rates(part, M, N))


def multipliers(
    joint: ConstraintJoint, part: ConstraintJoint, motion: Motion
) -> list[Scalar]:
    """Return λ_k from force and torque F on body j, without the drive: (∂f ∂fᵀ) λ = ∂f F."""
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
    """Return for each constraint the force and torque on body j per unit of its multiplier."""
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
            partial(_joint_residual, joint, part, k), unit, "gap of the constraint"
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


def _joint_residual(
    joint: ConstraintJoint, part: ConstraintJoint, k: int, motion: Motion
) -> Scalar:
    return residuals(part, *joint.moving_ports(motion))[k]


def _rate(joint: ConstraintJoint, part: ConstraintJoint, k: int, motion: Motion) -> Scalar:
    return rates(part, *joint.moving_ports(motion))[k]


class ConstraintJoint(VectorPart[Unpack[Vectors]], Generic[Turning, Unpack[Vectors]]):
    """A joint that is defined by functions of the vectors of its ports, in plane or space."""

    units: ClassVar[tuple[str, ...]] = ()
    rate_units: ClassVar[tuple[str, ...]] = ()

    drive: quantities.ForceLaw = parameter(
        "force or torque along the freedom", default=None
    )

    def constraint(self, *vectors: Unpack[Vectors]) -> Rows:
        """Return the residuals [m or rad] of the position constraints."""
        return ()

    def assembly_residual(self, *vectors: Unpack[Vectors]) -> Rows:
        """Return the assembly residuals: equal to first order, zero only at closed poses."""
        return self.constraint(*vectors)

    def rolling(
        self,
        *vectors: Unpack[tuple[Unpack[Vectors], Vector, Vector, Turning, Turning]],
    ) -> Rows:
        """Return the velocity constraints [m/s or rad/s], linear in the velocities.

        After the vectors come V_M, V_N [m/s] of the ports and ω_i, ω_j [rad/s] of the bodies.
        """
        return ()

    def push(self, t: Scalar, s: Scalar, v: Scalar) -> Scalar:
        """Return the force [N] or torque [N·m] of the drive."""
        return self.drive(t, s, v) if callable(self.drive) else self.drive

    def check(self, p: Values) -> None:
        """Refuse an empty constraint, and one that changes when both bodies move together."""
        part = values(type(self), vars(p))
        here, there = SAMPLES[self.axes]
        seen = [_rows_of(part, *pair) for pair in (here, there)]
        if not len(seen[0]):
            raise ParameterError(
                self.label,
                "constrains nothing.",
                f"Define `constraint(self, {ARGUMENTS[self.axes]})` to return what must "
                "vanish.",
                parameter="constraint",
                value=seen[0],
            )
        units = (*self.units, *self.rate_units)
        if units and len(units) != len(seen[0]):
            raise ParameterError(
                self.label,
                f"has {len(seen[0])} constraints but {len(units)} units.",
                "Give `units` one entry for each constraint.",
                parameter="units",
                value=units,
            )
        if p.drive is not None:
            vectors.evaluate(part.freedom, self.axes, *here)
        sizes = [sqrt(sum(row * row for row in rows)) for rows in seen]
        if abs(sizes[1] - sizes[0]) > 1e-9 * max(1.0, sizes[0]):
            raise ParameterError(
                self.label,
                "its constraint changes when both bodies move together, so that its forces "
                "would not balance.",
                "Use only differences of positions and products of vectors; if the "
                "constraint refers to the ground, connect frame_a to it.",
                parameter="constraint",
                value=seen,
            )

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the constraint, and the drive if there is one."""
        part = values(type(self), vars(p))
        units, rate_units = self._units_of_constraints(part)
        held = Constraint(
            partial(_residual, part) if units else None,
            units,
            partial(_rolling, part) if rate_units else None,
            rate_units,
            partial(_assembly_residual, part) if units else None,
        )
        yield ConstraintBetween(self, (self.frame_a, self.frame_b), held)
        if p.drive is not None:
            yield along_freedom(self, p, energy=False)

    def _units_of_constraints(
        self, part: ConstraintJoint
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the units of the position constraints, and of the rolling ones."""
        here = SAMPLES[self.axes][0]
        n_f, n_r = len(residuals(part, *here)), len(rolling_rates(part, *here))
        return self.units or ("m",) * n_f, self.rate_units or ("m/s",) * n_r

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return the motion of the ports, forces on the bodies, multipliers and residuals."""
        part = values(type(self), vars(p))
        held = held_variables(self, part, *self._units_of_constraints(part))
        return {**super().variables(p), **held}

    # --- the forms that follow --------------------------------------------------------------

    def forms(
        self, M: PortMotion, N: PortMotion
    ) -> tuple[tuple[Scalar, ...], tuple[Scalar, ...], tuple[Scalar, ...]]:
        """Return f, ḟ and f̈ of the constraint for given motions of the ports."""
        args = (self._numbers().constraint, self.axes, M, N)
        return vectors.evaluate(*args), vectors.rates(*args), vectors.second_rates(*args)

    def port_forces(
        self, M: PortMotion, N: PortMotion, multipliers: Sequence[Scalar]
    ) -> tuple[Motor, Motor]:
        """Return force and torque on bodies i and j for given Lagrange multipliers λ_k."""
        part = self._numbers()
        return vectors.port_forces(part.constraint, self.axes, M, N, multipliers)

    def _numbers(self) -> ConstraintJoint:
        return values(type(self), vars(self.resolved(number_resolver)))


class VectorJoint(ConstraintJoint[Scalar, Vector, Vector, Vector, Vector, Vector, Vector]):
    """A joint in the plane that is defined by its vector constraint alone.

    ::

        class PointOnLine(VectorJoint):
            def constraint(self, OM, ON, x_i, y_i, x_j, y_j):
                return (ON - OM).dot(y_i)

    The scalar or scalars that `constraint` returns must vanish. Velocity and acceleration
    constraints and the forces at both ports follow from it. `units` are those of the scalars,
    metres by default. Constraints that also vanish at open poses, as a sine does after half a
    turn, need `assembly_residual`, which assembly solves. A joint with a `freedom` can be driven:
    `drive` is a force [N] or torque [N·m], or a function ``drive(t, s, v)`` of time, the freedom
    and its rate. A joint that rolls defines ``rolling(self, OM, ON, x_i, y_i, x_j, y_j, V_M,
    V_N, w_i, w_j)``.
    """


class SpatialVectorJoint(
    ConstraintJoint[Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector]
):
    """A joint in space that is defined by its vector constraint alone.

    ``constraint(self, OM, ON, x_i, y_i, z_i, x_j, y_j, z_j)`` returns the residuals;
    `assembly_residual` and `freedom` take the same vectors, `rolling` also V_M, V_N and the vectors
    ω_i, ω_j.
    """

    axes = SPACE


def _residual(part: ConstraintJoint, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
    return residuals(part, PortMotion(X_a), PortMotion(X_b))


def _assembly_residual(part: ConstraintJoint, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
    return vectors.evaluate(
        part.assembly_residual, part.axes, PortMotion(X_a), PortMotion(X_b)
    )


def _rolling(
    part: ConstraintJoint, poses: Sequence[Pose], velocities: Sequence[Motor]
) -> tuple[Scalar, ...]:
    M, N = (motion_of(X, V) for X, V in zip(poses, velocities, strict=True))
    return rolling_rates(part, M, N)


def _rows_of(part: ConstraintJoint, M: PortMotion, N: PortMotion) -> list[float]:
    rows = (*residuals(part, M, N), *rolling_rates(part, M, N))
    for row in rows:
        if not is_number(row):
            raise ParameterError(
                part.label,
                f"its constraint returned {row!r} instead of numbers.",
                "Return scalars, e.g. (ON - OM).dot(y_i).",
                parameter="constraint",
                value=row,
            )
    return [float(row) for row in rows]


Ports = tuple[PortMotion, PortMotion]


def _samples(axes: int) -> tuple[Ports, Ports]:
    """Return motions of two ports, and the same moved together to another place."""
    in_space = axes == SPACE
    depth = 0.4 if in_space else 0.0
    R = rotation_about(Vector(0.36, 0.48, 0.8) if in_space else Z, 0.7)
    X_a = Pose(rotation_about(Z, 0.3), Vector(0.2, -0.1, depth))
    X_b = X_a @ Pose(R, Vector(1.3, 0.9, -2.0 * depth))
    V_a, V_b = (Motor(Vector(0.0, 0.0, w), Vector(0.3, w)) for w in (0.5, -0.8))
    away = Pose(R, Vector(-0.7, 1.1, depth))
    here = (motion_of(X_a, V_a), motion_of(X_b, V_b))
    return here, (motion_of(away @ X_a, V_a), motion_of(away @ X_b, V_b))


SAMPLES = {axes: _samples(axes) for axes in (PLANE, SPACE)}
