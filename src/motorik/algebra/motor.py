"""Motors: pairs of vectors for velocities, accelerations, forces and momenta.

Notation of R. von Mises, "Motorrechnung", ZAMM 4 (1924); Zaiczek and Enge-Rosenblatt 2009.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import ClassVar, NoReturn, TypeAlias, TypeVar

import numpy as np

from motorik.algebra.scalar import Scalar, add, div
from motorik.algebra.value import Value, is_foreign, refuse, setters
from motorik.algebra.vector import ZERO, Vector, VectorLike, fixed_vector
from motorik.errors import OperatorError

M = TypeVar("M", bound="Motor")


class Motor(Value):
    """A resultant g and a moment h at the origin; the moment at r is h + g × r.

    ============  ====================  ======================  ======
    motor         resultant g           moment h                side
    ============  ====================  ======================  ======
    velocity      angular velocity ω    velocity of the origin  motion
    acceleration  rate of ω             rate of v               motion
    force         force f               torque about the origin load
    momentum      momentum p            angular momentum        load
    ============  ====================  ======================  ======

    Operators: ``a + b``, ``α * a``, ``a @ b`` (inner product), ``a ^ b`` or ``a.cross(b)``
    (outer product), ``dyad(a)``. A change of frame is ``pose(a)`` and ``pose.back(a)``,
    the same for every kind of motor.

    The kinds `Velocity`, `Acceleration`, `Force` and `Momentum` are guarded. Multiples,
    changes of frame and sums keep the kind; a sum of two kinds is refused, and so is the
    inner product of two motions or of two loads. A plain `Motor` is of any kind: a sum
    with it has the kind of the other. ``Velocity.of(a)`` states the kind of any motor,
    ``Motor(*a.parts)`` removes it. Kinds are classes without data of their own, so
    they cost nothing in traced code.
    """

    __slots__ = ("moment", "resultant")
    _leaves: ClassVar[tuple[str, ...]] = ("resultant", "moment")
    _side: ClassVar[str] = ""
    resultant: Vector
    moment: Vector

    def __init__(self, resultant: VectorLike = ZERO, moment: VectorLike = ZERO) -> None:
        _set_resultant(
            self, resultant if resultant.__class__ is Vector else fixed_vector(resultant)
        )
        _set_moment(self, moment if moment.__class__ is Vector else fixed_vector(moment))

    @classmethod
    def of(cls: type[M], components: MotorLike) -> M:
        """Return the motor of six components (resultant, moment), or of a motor.

        ``Force.of(a)`` states that the motor a is a force; ``Motor.of(a)`` is a itself.
        """
        if isinstance(components, Motor):
            if isinstance(components, cls):
                return components
            return cls(components.resultant, components.moment)
        a, b, c, d, e, f = components
        return cls(Vector(a, b, c), Vector(d, e, f))

    @property
    def components(self) -> tuple[Scalar, ...]:
        """The six components: resultant, then moment."""
        return (*self.resultant.xyz, *self.moment.xyz)

    @property
    def parts(self) -> tuple[Vector, Vector]:
        """Resultant and moment: the real and the dual part of the motor g + ε h."""
        return self.resultant, self.moment

    def _kind(self: M, other: M, sign: str) -> type[M]:
        """Return the kind of a sum or difference, if it has one."""
        kind, another = self.__class__, other.__class__
        if kind is another or another is Motor:
            return kind
        if not isinstance(other, Motor):
            refuse(sign, self, other)
        if kind is not Motor:
            _refuse_kinds(sign, self, other)
        return another

    def check_kind(self, kind: type[Motor], call: str) -> Motor:
        """Return the motor itself, if it is plain or of this kind; `call` is for the error."""
        if self.__class__ is Motor or isinstance(self, kind):
            return self
        raise OperatorError(
            call,
            f"needs a {kind.__name__}, not a {type(self).__name__}.",
            f"Mind the order of the arguments; {kind.__name__}.of(a) states a kind.",
        )

    def __add__(self: M, other: M) -> M:
        kind = self._kind(other, "+")
        return kind(self.resultant + other.resultant, self.moment + other.moment)

    def __sub__(self: M, other: M) -> M:
        kind = self._kind(other, "-")
        return kind(self.resultant - other.resultant, self.moment - other.moment)

    def __neg__(self: M) -> M:
        return self.__class__(-self.resultant, -self.moment)

    def __mul__(self: M, factor: Scalar) -> M:
        if is_foreign(factor):
            refuse("*", self, factor)
        return self.__class__(self.resultant * factor, self.moment * factor)

    def __rmul__(self: M, factor: Scalar) -> M:
        if is_foreign(factor):
            refuse("*", factor, self)
        return self.__class__(self.resultant * factor, self.moment * factor)

    def __truediv__(self: M, divisor: Scalar) -> M:
        if is_foreign(divisor):
            refuse("/", self, divisor)
        return self.__class__(self.resultant / divisor, self.moment / divisor)

    def __matmul__(self, other: Motor) -> Scalar:
        """Return the inner product (a, b) = g₁ · h₂ + g₂ · h₁."""
        if not isinstance(other, Motor):
            refuse("@", self, other)
        if self._side and self._side == other._side:
            _refuse_kinds("@", self, other)
        return add(self.resultant.dot(other.moment), self.moment.dot(other.resultant))

    def cross(self, other: Motor) -> Motor:
        """Return the outer product a × b = (g₁ × g₂, g₁ × h₂ + h₁ × g₂).

        Of a velocity and a momentum it is a force, of two velocities an acceleration; all
        others are plain motors.
        """
        if not isinstance(other, Motor):
            refuse("^", self, other)
        kind = OUTER.get((self.__class__, other.__class__), Motor)
        g1, h1, g2, h2 = self.resultant, self.moment, other.resultant, other.moment
        return kind(g1.cross(g2), g1.cross(h2) + h1.cross(g2))

    __xor__ = cross

    def moment_at(self, r: VectorLike) -> Vector:
        """Return the moment at the point r: h(r) = h + g × r."""
        return self.moment + self.resultant.cross(Vector.of(r))

    def about(self: M, r: VectorLike) -> M:
        """Return the same motor with the point r as the origin, in the same axes."""
        return self.__class__(self.resultant, self.moment_at(r))

    def axis_point(self) -> Vector:
        """Return the point of the central axis nearest the origin: g × h / |g|²."""
        g = self.resultant
        return g.cross(self.moment) / g.dot(g)

    def axis(self) -> tuple[Vector, Vector]:
        """Return the central axis, the line of action: its point and its unit direction.

        On it the moment is parallel to the resultant. A motor without resultant, a couple,
        has none: numbers that are zero are refused.
        """
        direction = self.resultant.normalized()
        return self.axis_point(), direction

    def pitch(self) -> Scalar:
        """Return g · h / |g|² [m]: the moment along the axis per unit of the resultant."""
        g = self.resultant
        return div(g.dot(self.moment), g.dot(g))

    def magnitude(self) -> Scalar:
        """Return |g|, the same about every origin."""
        return self.resultant.norm()

    def dual_magnitude(self) -> tuple[Scalar, Scalar]:
        """Return the real and the dual part of |g + ε h|: |g| and g · h / |g|."""
        magnitude = self.magnitude()
        return magnitude, div(self.resultant.dot(self.moment), magnitude)

    def map(self: M, function: Callable[[Scalar], Scalar]) -> M:
        """Return the motor of the function of each component."""
        return self.__class__(self.resultant.map(function), self.moment.map(function))

    def numpy(self) -> np.ndarray:
        """Return the six components as a NumPy array (6,) or (6, many)."""
        return np.array(np.broadcast_arrays(*self.components), dtype=float)

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}({self.resultant!r}, {self.moment!r})"


MotorLike: TypeAlias = "Motor | Sequence[Scalar] | np.ndarray"
"""A motor, or the six components of one."""

_set_resultant, _set_moment = setters(Motor, "resultant", "moment")


def _refuse_kinds(sign: str, a: Motor, b: Motor) -> NoReturn:
    """Raise the error of a sum of two kinds, or of a product of two of one side."""
    one, other = type(a).__name__, type(b).__name__
    if sign == "@":
        why = f"both are {a._side}s, so their inner product is not a power."
        remedy = "Pair a force or momentum with a velocity: F @ V."
    else:
        why = "two kinds of motors have no sum."
        remedy = (
            f"If `b` is in fact a {one}, such as a rate times a time, state it: "
            f"a {sign} {one}.of(b)."
        )
    raise OperatorError(f"{one} {sign} {other}", why, f"{remedy} Plain: Motor(*b.parts).")


class RigidMotion(Motor):
    """The base of velocity and acceleration motors: a rotation, and a motion of the origin."""

    __slots__ = ()
    _side = "motion"

    @property
    def angular(self) -> Vector:
        """Angular velocity ω [rad/s], or the rate of its components [rad/s²]."""
        return self.resultant

    @property
    def linear(self) -> Vector:
        """Velocity of the origin [m/s], or the rate of its components [m/s²]."""
        return self.moment


class Velocity(RigidMotion):
    """The velocity motor of a rigid body: angular velocity ω, velocity v of the origin."""

    __slots__ = ()


class Acceleration(RigidMotion):
    """The rates of the components of a velocity motor in its own, moving frame.

    The acceleration of the origin is linear + ω × v.
    """

    __slots__ = ()


class Force(Motor):
    """The force motor on a rigid body: force f and torque d about the origin."""

    __slots__ = ()
    _side = "load"

    @property
    def force(self) -> Vector:
        """Force [N]."""
        return self.resultant

    @property
    def torque(self) -> Vector:
        """Torque about the origin [N·m]."""
        return self.moment


class Momentum(Motor):
    """The momentum motor of a rigid body: momentum p and angular momentum l."""

    __slots__ = ()
    _side = "load"

    @property
    def linear(self) -> Vector:
        """Momentum [kg·m/s]."""
        return self.resultant

    @property
    def angular(self) -> Vector:
        """Angular momentum about the origin [kg·m²/s]."""
        return self.moment


RATE: dict[type[Motor], type[Motor]] = {Velocity: Acceleration, Momentum: Force}
"""The kind of the rate of a motor."""

OUTER: dict[tuple[type[Motor], type[Motor]], type[Motor]] = {
    (Velocity, Velocity): Acceleration,
    (Velocity, Momentum): Force,
}
"""The kind of the outer product, where it has one."""

ZERO_MOTOR = Motor(ZERO, ZERO)


def inner(a: Motor, b: Motor) -> Scalar:
    """Return the inner product of two motors."""
    return a @ b


def derivative_in_fixed_frame(motor: Motor, rate: Motor, frame_velocity: Motor) -> Motor:
    """Return dh/dt seen from the fixed frame: h° + v × h.

    `rate` is the rate h° of the components seen in the moving frame, `frame_velocity`
    the velocity motor of that frame, both resolved in it (eq. 3 of the 2009 paper). Of a
    `Velocity` it is an `Acceleration`, of a `Momentum` a `Force`, else a plain motor.
    """
    kind = RATE.get(type(motor), Motor)
    call = "derivative_in_fixed_frame(motor, rate, frame_velocity)"
    v = frame_velocity.check_kind(Velocity, call)
    return kind.of(Motor(*rate.check_kind(kind, call).parts) + Motor(*v.cross(motor).parts))


def power(force: Motor, velocity: Motor) -> Scalar:
    """Return the power (f, v) [W] of a force motor on a velocity motor."""
    call = "power(force, velocity)"
    return force.check_kind(Force, call) @ velocity.check_kind(Velocity, call)


def total_motor(*motors: Motor) -> Motor:
    """Return the sum of motors; of none, the zero motor."""
    return functools.reduce(operator.add, motors) if motors else ZERO_MOTOR


__all__ = [
    "ZERO_MOTOR",
    "Acceleration",
    "Force",
    "Momentum",
    "Motor",
    "MotorLike",
    "Velocity",
    "derivative_in_fixed_frame",
    "inner",
    "power",
    "total_motor",
]
