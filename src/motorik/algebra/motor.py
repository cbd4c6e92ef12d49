"""Motors: the pairs of vectors in which velocities, forces and momenta are one thing.

Notation of R. von Mises, "Motorrechnung", ZAMM 4 (1924); Zaiczek and Enge-Rosenblatt 2009.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from motorik.algebra.scalar import Scalar, add
from motorik.algebra.vector import ZERO, Vector

M = TypeVar("M", bound="Motor")


class Motor:
    """A resultant g and a moment h at the origin; the moment at r is h + g × r.

    ===========  ==================  ======================
    motor        resultant g         moment h
    ===========  ==================  ======================
    velocity     angular velocity ω  velocity of the origin
    force        force f             torque about the origin
    momentum     momentum p          angular momentum
    ===========  ==================  ======================

    Operators: ``a + b``, ``α * a``, ``a @ b`` (inner product), ``a ^ b`` or ``a.cross(b)``
    (outer product), ``dyad(a)``. A change of frame is ``pose(a)`` and ``pose.back(a)``,
    the same for every kind of motor. Multiples, changes of frame and sums of one kind
    keep their kind (`Velocity`, `Force`, `Momentum`); what mixes kinds is a plain motor.
    """

    __slots__ = ("moment", "resultant")
    _leaves = ("resultant", "moment")
    __array_ufunc__ = None
    __array_priority__ = 2000.0

    def __init__(self, resultant: Vector = ZERO, moment: Vector = ZERO) -> None:
        self.resultant = Vector.of(resultant)
        self.moment = Vector.of(moment)

    @staticmethod
    def of(components: Any) -> Motor:
        """Return the motor of six components (resultant, moment), or a motor itself."""
        if isinstance(components, Motor):
            return components
        a, b, c, d, e, f = components
        return Motor(Vector(a, b, c), Vector(d, e, f))

    @property
    def components(self) -> tuple[Scalar, ...]:
        """The six components: resultant, then moment."""
        return (*self.resultant.xyz, *self.moment.xyz)

    def _kind(self, other: Motor) -> Any:
        return self.__class__ if self.__class__ is other.__class__ else Motor

    def __add__(self: M, other: M) -> M:
        kind = self._kind(other)
        return kind(self.resultant + other.resultant, self.moment + other.moment)

    def __sub__(self: M, other: M) -> M:
        kind = self._kind(other)
        return kind(self.resultant - other.resultant, self.moment - other.moment)

    def __neg__(self: M) -> M:
        return self.__class__(-self.resultant, -self.moment)

    def __mul__(self: M, factor: Scalar) -> M:
        if isinstance(factor, (Motor, Vector)):
            return NotImplemented
        return self.__class__(self.resultant * factor, self.moment * factor)

    __rmul__ = __mul__

    def __truediv__(self: M, divisor: Scalar) -> M:
        return self.__class__(self.resultant / divisor, self.moment / divisor)

    def __matmul__(self, other: Motor) -> Scalar:
        """Return the inner product (a, b) = g₁ · h₂ + g₂ · h₁."""
        if not isinstance(other, Motor):
            return NotImplemented
        return add(self.resultant.dot(other.moment), self.moment.dot(other.resultant))

    def cross(self, other: Motor) -> Motor:
        """Return the outer product a × b = (g₁ × g₂, g₁ × h₂ + h₁ × g₂)."""
        g1, h1, g2, h2 = self.resultant, self.moment, other.resultant, other.moment
        return Motor(g1.cross(g2), g1.cross(h2) + h1.cross(g2))

    __xor__ = cross

    def moment_at(self, r: Vector) -> Vector:
        """Return the moment at the point r: h(r) = h + g × r."""
        return self.moment + self.resultant.cross(Vector.of(r))

    def axis_point(self) -> Vector:
        """Return the point of the central axis nearest the origin: g × h / |g|²."""
        g = self.resultant
        return g.cross(self.moment) / g.dot(g)

    def map(self: M, function: Callable[[Scalar], Scalar]) -> M:
        """Return the motor of the function of each component."""
        return self.__class__(self.resultant.map(function), self.moment.map(function))

    def numpy(self) -> np.ndarray:
        """Return the six components as a NumPy array (6,) or (6, many)."""
        return np.array(np.broadcast_arrays(*self.components), dtype=float)

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}({self.resultant!r}, {self.moment!r})"


class Velocity(Motor):
    """The velocity motor of a rigid body: angular velocity ω, velocity v of the origin."""

    __slots__ = ()

    @property
    def angular(self) -> Vector:
        """Angular velocity ω [rad/s]."""
        return self.resultant

    @property
    def linear(self) -> Vector:
        """Velocity of the origin [m/s]."""
        return self.moment


class Force(Motor):
    """The force motor on a rigid body: force f and torque d about the origin."""

    __slots__ = ()

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

    @property
    def linear(self) -> Vector:
        """Momentum [kg·m/s]."""
        return self.resultant

    @property
    def angular(self) -> Vector:
        """Angular momentum about the origin [kg·m²/s]."""
        return self.moment


ZERO_MOTOR = Motor(ZERO, ZERO)


def inner(a: Motor, b: Motor) -> Scalar:
    """Return the inner product of two motors."""
    return a @ b


def derivative_in_fixed_frame(motor: Motor, rate: Motor, frame_velocity: Motor) -> Motor:
    """Return dh/dt seen from the fixed frame: h° + v × h.

    `rate` is the rate h° of the components seen in the moving frame, `frame_velocity`
    the velocity motor of that frame, both resolved in it (eq. 3 of the 2009 paper).
    """
    return rate + frame_velocity.cross(motor)


def power(force: Motor, velocity: Motor) -> Scalar:
    """Return the power (f, v) [W] of a force motor on a velocity motor."""
    return force @ velocity


def total_motor(*motors: Motor) -> Motor:
    """Return the sum of motors; of none, the zero motor."""
    return functools.reduce(operator.add, motors) if motors else ZERO_MOTOR


__all__ = [
    "ZERO_MOTOR",
    "Force",
    "Momentum",
    "Motor",
    "Velocity",
    "derivative_in_fixed_frame",
    "inner",
    "power",
    "total_motor",
]
