"""Vector joints: joints that are defined by their vector constraint alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import ClassVar

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.scalar import Scalar, is_number, sqrt
from motorik.algebra.vector import Vector
from motorik.components.base.contributions import ConstraintBetween, Contribution
from motorik.components.base.part import Variable, number_resolver, parameter
from motorik.components.base.values import LiveScalar, as_number
from motorik.elements.constraint import Constraint
from motorik.errors import ParameterError
from motorik.planar import vectors
from motorik.planar.held import held_variables, residuals, slips
from motorik.planar.vector_part import VectorPart, along_freedom, motion_of, values
from motorik.planar.vectors import PLANE, SPACE, PortMotion, Rows

Drive = float | LiveScalar | Callable[[Scalar, Scalar, Scalar], Scalar] | None


def as_drive(part: str, name: str, unit: str, value: object) -> Drive:
    """Convert a drive: nothing, a number, or a function of time, freedom and its rate."""
    if value is None or callable(value):
        return value
    return as_number()(part, name, unit, value)


class VectorJoint(VectorPart):
    """A joint that is defined by its vector constraint alone.

    ::

        class PointOnLine(VectorJoint):
            def constraint(self, OM, ON, x_i, y_i, x_j, y_j):
                return (ON - OM).dot(y_i)

    What `constraint` returns, a scalar or several, must vanish. The kinematic and the
    acceleration form and the forces at both ports follow from it. `units` are those of its
    rows, metres by default. Where they vanish elsewhere, too, as sines do after half a turn,
    `approach` says them so that they do not, for assembling. A joint with a `freedom` can be
    driven: `drive` is a force or torque, or a function ``drive(t, s, v)`` of time, the freedom
    and its rate.
    """

    units: ClassVar[tuple[str, ...]] = ()
    rate_units: ClassVar[tuple[str, ...]] = ()

    drive = parameter("force or torque along the freedom", "N or N.m", None, as_drive)

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Rows:
        """Return what must vanish."""
        return ()

    def approach(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Rows:
        """Return the same to first order, where it must vanish, and zero nowhere else."""
        return self.constraint(OM, ON, x_i, y_i, x_j, y_j)

    def rolling(
        self,
        OM: Vector,
        ON: Vector,
        x_i: Vector,
        y_i: Vector,
        x_j: Vector,
        y_j: Vector,
        V_M: Vector,
        V_N: Vector,
        w_i: Scalar,
        w_j: Scalar,
    ) -> Rows:
        """Return what must vanish besides, linear in the velocities.

        V_M, V_N [m/s] are those of the ports, ω_i, ω_j [rad/s] those of the bodies.
        """
        return ()

    def push(self, t: Scalar, s: Scalar, v: Scalar) -> Scalar:
        """Return the force or torque of the drive."""
        return self.drive(t, s, v) if callable(self.drive) else self.drive

    def check(self, p: SimpleNamespace) -> None:
        """Refuse a constraint that is none, or that depends on where the bodies are together."""
        part = values(type(self), vars(p))
        here, there = SAMPLES[self.axes]
        ways = [_rows_of(part, *pair) for pair in (here, there)]
        if not len(ways[0]):
            raise ParameterError(
                self.label,
                "constrains nothing.",
                "Define `constraint(self, OM, ON, x_i, y_i, x_j, y_j)` to return what must "
                "vanish.",
                parameter="constraint",
                value=ways[0],
            )
        units = (*self.units, *self.rate_units)
        if units and len(units) != len(ways[0]):
            raise ParameterError(
                self.label,
                f"has {len(ways[0])} constraints but {len(units)} units.",
                "Give `units` one entry for each constraint.",
                parameter="units",
                value=units,
            )
        if p.drive is not None:
            vectors.evaluate(part.freedom, self.axes, *here)
        sizes = [sqrt(sum(row * row for row in rows)) for rows in ways]
        if abs(sizes[1] - sizes[0]) > 1e-9 * max(1.0, sizes[0]):
            raise ParameterError(
                self.label,
                "its constraint changes when both bodies move together, so that its forces "
                "would not balance.",
                "Use only differences of positions and products of vectors; connect frame_a "
                "to the ground for what is fixed there.",
                parameter="constraint",
                value=ways,
            )

    def contributions(self, p: SimpleNamespace) -> Iterable[Contribution]:
        """Contribute the constraint, and the drive if there is one."""
        part = values(type(self), vars(p))
        units, rate_units = self._units_of_rows(part)
        held = Constraint(
            partial(_residual, part) if units else None,
            units,
            partial(_rolling, part) if rate_units else None,
            rate_units,
            partial(_approach, part) if units else None,
        )
        yield ConstraintBetween(self, (self.frame_a, self.frame_b), held)
        if p.drive is not None:
            yield along_freedom(self, p, energy=False)

    def _units_of_rows(self, part: VectorJoint) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the units of the rows of positions, and of those of rolling."""
        here = SAMPLES[self.axes][0]
        n_f, n_r = len(residuals(part, *here)), len(slips(part, *here))
        return self.units or ("m",) * n_f, self.rate_units or ("m/s",) * n_r

    def variables(self, p: SimpleNamespace) -> Mapping[str, Variable]:
        """Return the motion of the ports, forces on the bodies, multipliers and residuals."""
        part = values(type(self), vars(p))
        held = held_variables(self, part, *self._units_of_rows(part))
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

    def _numbers(self) -> VectorJoint:
        return values(type(self), vars(self.resolved(number_resolver)))


class SpatialVectorJoint(VectorJoint):
    """A joint in space that is defined by its vector constraint alone.

    ``constraint(self, OM, ON, x_i, y_i, z_i, x_j, y_j, z_j)`` returns what must vanish;
    `approach` and `freedom` take the same vectors, `rolling` V_M, V_N and the vectors ω_i, ω_j
    besides.
    """

    axes = SPACE

    def constraint(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        OM: Vector,
        ON: Vector,
        x_i: Vector,
        y_i: Vector,
        z_i: Vector,
        x_j: Vector,
        y_j: Vector,
        z_j: Vector,
    ) -> Rows:
        """Return what must vanish."""
        return ()

    def approach(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        OM: Vector,
        ON: Vector,
        x_i: Vector,
        y_i: Vector,
        z_i: Vector,
        x_j: Vector,
        y_j: Vector,
        z_j: Vector,
    ) -> Rows:
        """Return the same to first order, where it must vanish, and zero nowhere else."""
        return self.constraint(OM, ON, x_i, y_i, z_i, x_j, y_j, z_j)

    def rolling(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        OM: Vector,
        ON: Vector,
        x_i: Vector,
        y_i: Vector,
        z_i: Vector,
        x_j: Vector,
        y_j: Vector,
        z_j: Vector,
        V_M: Vector,
        V_N: Vector,
        w_i: Vector,
        w_j: Vector,
    ) -> Rows:
        """Return what must vanish besides, linear in the velocities."""
        return ()

    def freedom(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        OM: Vector,
        ON: Vector,
        x_i: Vector,
        y_i: Vector,
        z_i: Vector,
        x_j: Vector,
        y_j: Vector,
        z_j: Vector,
    ) -> Scalar:
        """Return the freedom [m or rad] along which a drive acts."""
        raise self.no_freedom("OM, ON, x_i, y_i, z_i, x_j, y_j, z_j")


def _residual(part: VectorJoint, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
    return residuals(part, PortMotion(X_a), PortMotion(X_b))


def _approach(part: VectorJoint, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
    return vectors.evaluate(part.approach, part.axes, PortMotion(X_a), PortMotion(X_b))


def _rolling(
    part: VectorJoint, poses: Sequence[Pose], velocities: Sequence[Motor]
) -> tuple[Scalar, ...]:
    M, N = (motion_of(X, V) for X, V in zip(poses, velocities, strict=True))
    return slips(part, M, N)


def _rows_of(part: VectorJoint, M: PortMotion, N: PortMotion) -> list[float]:
    poses, velocities = (M.X, N.X), (M.V, N.V)  # velocities resolved in the ports
    rows = (*residuals(part, M, N), *_rolling(part, poses, velocities))
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
    """Return motions of two ports, and the same seen from elsewhere."""
    tilt = rotation_about(Vector(0.36, 0.48, 0.8), 0.7) if axes == SPACE else None
    flat = rotation_about(Vector(0.0, 0.0, 1.0), 0.7)
    depth = 0.4 if axes == SPACE else 0.0
    R = flat if tilt is None else tilt
    X_a = Pose(rotation_about(Vector(0.0, 0.0, 1.0), 0.3), Vector(0.2, -0.1, depth))
    X_b = X_a @ Pose(R, Vector(1.3, 0.9, -2.0 * depth))
    V_a, V_b = (Motor(Vector(0.0, 0.0, w), Vector(0.3, w)) for w in (0.5, -0.8))
    away = Pose(R, Vector(-0.7, 1.1, depth))
    here = (PortMotion(X_a, V_a), PortMotion(X_b, V_b))
    return here, (PortMotion(away @ X_a, V_a), PortMotion(away @ X_b, V_b))


SAMPLES = {axes: _samples(axes) for axes in (PLANE, SPACE)}
