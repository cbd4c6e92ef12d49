"""Vectors: a constraint of two points and their axes, and what follows from it alone.

Marquis-Favre, Bideaux and Scavarda 2006: from f(OM, ON, x_i, y_i, x_j, y_j) follow its rate
(eq. 24), its second rate (eq. 26) and the forces at both ports (eq. 17), by dual numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from motorik.algebra.dual import Dual, rate_of
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.scalar import Scalar, add, is_structural, mul
from motorik.algebra.vector import AXES, ZERO, Vector, Z
from motorik.immutable import immutable

Rows = Scalar | Sequence[Scalar]
VectorFunction = Callable[..., Rows]
PLANE, SPACE = 2, 3  # how many axes of each body a vector constraint takes
ARGUMENTS = {
    PLANE: "OM, ON, x_i, y_i, x_j, y_j",
    SPACE: "OM, ON, x_i, y_i, z_i, x_j, y_j, z_j",
}

_SHIFTS = tuple(Motor(ZERO, e) for e in AXES)
_TURNS = tuple(Motor(e, ZERO) for e in AXES)
UNIT_MOTIONS = {PLANE: (*_SHIFTS[:2], _TURNS[2]), SPACE: (*_SHIFTS, *_TURNS)}


@immutable
class PortMotion:
    """A port in motion, resolved in one common frame.

    X is its pose [m], V the angular velocity [rad/s] and the velocity of its origin [m/s], A
    the angular acceleration [rad/s²] and the acceleration of its origin [m/s²].
    """

    X: Pose
    V: Motor = ZERO_MOTOR
    A: Motor = ZERO_MOTOR

    @staticmethod
    def in_plane(
        at: Sequence[Scalar],
        velocity: Sequence[Scalar] = (0.0, 0.0, 0.0),
        acceleration: Sequence[Scalar] = (0.0, 0.0, 0.0),
    ) -> PortMotion:
        """Return the motion of a port in the plane.

        `at` is x, y [m] and θ [rad], `velocity` their rates [m/s, rad/s], `acceleration`
        their second rates [m/s², rad/s²].
        """
        (x, y, theta), (vx, vy, w), (ax, ay, wd) = at, velocity, acceleration
        return PortMotion(
            Pose(rotation_about(Z, theta), Vector(x, y)),
            Motor(Vector(0.0, 0.0, w), Vector(vx, vy)),
            Motor(Vector(0.0, 0.0, wd), Vector(ax, ay)),
        )

    def vectors(self, order: int = 0) -> tuple[Vector, Vector, Vector, Vector]:
        """Return the origin and the three axes, as dual numbers with rates up to this order.

        ė = ω × e,  ë = ω̇ × e + ω × (ω × e)
        """
        if order == 0:
            return (self.X.p, *self.X.R.T.rows)
        w, v = self.V.resultant, self.V.moment
        wd, a = self.A.resultant, self.A.moment
        origin = lifted(order, self.X.p, v, a)
        x, y, z = (
            lifted(order, e, w.cross(e), wd.cross(e) + w.cross(w.cross(e)))
            for e in self.X.R.T.rows
        )
        return origin, x, y, z


def lifted(order: int, value: Vector, rate: Vector, second: Vector) -> Vector:
    """Return a vector with its rate (order 1), and with its second rate too (order 2)."""
    parts = zip(value.xyz, rate.xyz, second.xyz, strict=True)
    return Vector(*(_lift(order, *part) for part in parts))


def _lift(order: int, value: Scalar, rate: Scalar, second: Scalar) -> Scalar:
    if order == 0 or (is_structural(rate, 0.0) and is_structural(second, 0.0)):
        return value
    if order == 1:
        return Dual(value, rate)
    return Dual(Dual(value, rate), Dual(rate, second))


def evaluate(
    f: VectorFunction, axes: int, M: PortMotion, N: PortMotion, order: int = 0
) -> tuple[Scalar, ...]:
    """Return f of the vectors of both ports, always as a tuple."""
    OM, *of_i = M.vectors(order)
    ON, *of_j = N.vectors(order)
    found = f(OM, ON, *of_i[:axes], *of_j[:axes])
    return tuple(found) if isinstance(found, (tuple, list)) else (found,)


def rates(f: VectorFunction, axes: int, M: PortMotion, N: PortMotion) -> tuple[Scalar, ...]:
    """Return ḟ, the kinematic form (eq. 24)."""
    return tuple(rate_of(e) for e in evaluate(f, axes, M, N, 1))


def second_rates(
    f: VectorFunction, axes: int, M: PortMotion, N: PortMotion
) -> tuple[Scalar, ...]:
    """Return f̈, the acceleration form (eq. 26)."""
    return tuple(rate_of(rate_of(e)) for e in evaluate(f, axes, M, N, 2))


def port_forces(
    f: VectorFunction,
    axes: int,
    M: PortMotion,
    N: PortMotion,
    multipliers: Sequence[Scalar],
) -> tuple[Motor, Motor]:
    """Return the force and torque on the bodies at M and at N: Σ λ_k ∂f_k (eq. 17).

    Force motors resolved in the common frame, each about its own port.
    """

    def along(motion: Motor, moved: int) -> Scalar:
        ports = [PortMotion(M.X), PortMotion(N.X)]
        ports[moved] = PortMotion(ports[moved].X, motion)
        total: Scalar = 0.0
        for slope, multiplier in zip(rates(f, axes, *ports), multipliers, strict=True):
            total = add(total, mul(multiplier, slope))
        return total

    def force(moved: int) -> Motor:
        total = ZERO_MOTOR
        for motion in UNIT_MOTIONS[axes]:
            # the force that does power with a shift, the torque that does with a turn
            dual = Motor(motion.moment, motion.resultant)
            total = total + along(motion, moved) * dual
        return total

    return force(0), force(1)
