"""Scalar state objects: position, velocity, acceleration and force of one coordinate."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from motorik.algebra.angle import Angle
from motorik.algebra.scalar import Scalar, add, plain
from motorik.algebra.vector import Vector
from motorik.components.base.units import warn_of_degrees
from motorik.elements.joint import Coordinate, Joint
from motorik.elements.prismatic import PrismaticPair
from motorik.elements.revolute import RevolutePair
from motorik.errors import ParameterError
from motorik.mobile.arguments import checked_function
from motorik.mobile.states.assigned import assigned_name


class StateVariable(ABC):
    """Motion q, q̇, q̈ of one coordinate and the generalised force Q that acts along it.

    Q is what the loads and inertias of the mechanism exert, so that a drive that holds
    the coordinate or prescribes its motion exerts −Q. The initial values are its start.
    Without a name it has that of the variable that it is assigned to, ``phi = AngularVariable()``.
    A solver makes its unknowns dependent: their motion follows from that of others.

    >>> phi = AngularVariable("phi", q=0.5)
    >>> phi.q += 1.0
    >>> phi.reset()
    >>> phi
    AngularVariable('phi', q=0.5, qd=0.0, qdd=0.0, Q=0.0)
    """

    __slots__ = ("Q", "is_dependent", "name", "q", "qd", "qdd", "start")
    unit: ClassVar[str] = "1"
    """The unit of q."""

    def __init__(
        self, name: str | None = None, q: Scalar = 0.0, qd: Scalar = 0.0, qdd: Scalar = 0.0
    ) -> None:
        self.name = assigned_name(self) if name is None else name
        self.start = (plain(q), plain(qd), plain(qdd))
        warn_of_degrees(self.name or type(self).__name__, "q", self.unit, self.start[0])
        self.is_dependent = False
        self.reset()

    def reset(self) -> None:
        """Return to the start values, without force."""
        self.q, self.qd, self.qdd = self.start
        self.clear_force()

    def clear_force(self) -> None:
        """Take the force away."""
        self.Q: Scalar = 0.0

    def add_force(self, Q: Scalar) -> None:
        """Add to the force."""
        self.Q = add(self.Q, Q)

    def take_force(self) -> Scalar:
        """Take the force away and return it."""
        Q, self.Q = self.Q, 0.0
        return Q

    def clear_acceleration(self) -> None:
        """Take the acceleration away."""
        self.qdd = 0.0

    def keep(self) -> tuple[Scalar, ...]:
        """Return all that the variable holds, for `restore`."""
        return (self.q, self.qd, self.qdd, self.Q)

    def restore(self, kept: tuple[Scalar, ...]) -> None:
        """Restore the values that `keep` returned."""
        self.q, self.qd, self.qdd, self.Q = kept

    @property
    def acceleration_entries(self) -> tuple[Scalar, ...]:
        """The acceleration alone."""
        return (self.qdd,)

    def load_along(self, index: int) -> None:
        """Replace the force by a unit one."""
        self.Q = 1.0

    @property
    def coordinate(self) -> Scalar:
        """The position as its elementary joint takes it."""
        return self.q

    @coordinate.setter
    def coordinate(self, position: Scalar) -> None:
        self.q = position

    @abstractmethod
    def elementary_joint(self, axis: Vector) -> Joint:
        """Return the joint of which this variable is the coordinate."""

    def __repr__(self) -> str:
        values = f"q={self.q}, qd={self.qd}, qdd={self.qdd}, Q={self.Q}"
        return f"{type(self).__name__}({self.name!r}, {values})"


class AngularVariable(StateVariable):
    """An angle: q [rad], q̇ [rad/s], q̈ [rad/s²], torque Q [N·m].

    Its position may be set by `angle`, with sine and cosine, which are then not computed
    again.

    >>> phi = AngularVariable("phi")
    >>> phi.angle = Angle.from_sine_cosine(1.0, 0.0)
    >>> phi.q, phi.angle.cosine
    (1.5707963267948966, 0.0)
    """

    __slots__ = ("_angle",)
    unit = "rad"

    def __init__(
        self, name: str | None = None, q: Scalar = 0.0, qd: Scalar = 0.0, qdd: Scalar = 0.0
    ) -> None:
        self._angle: Angle | None = None
        super().__init__(name, q, qd, qdd)

    @property
    def angle(self) -> Angle:
        """The position with its sine and cosine."""
        known = self._angle
        return known if known is not None and known.radians is self.q else Angle.of(self.q)

    @angle.setter
    def angle(self, angle: Angle) -> None:
        self._angle, self.q = angle, angle.radians

    def keep(self) -> tuple[Scalar, ...]:
        """Return all that the variable holds, for `restore`."""
        return (*super().keep(), self._angle)

    def restore(self, kept: tuple[Scalar, ...]) -> None:
        """Restore the values that `keep` returned."""
        super().restore(kept[:-1])
        self._angle = kept[-1]

    @property
    def coordinate(self) -> Angle:
        """The angle with its sine and cosine."""
        return self.angle

    @coordinate.setter
    def coordinate(self, position: Scalar) -> None:
        self.angle = Angle.of(position)

    def elementary_joint(self, axis: Vector) -> Joint:
        """Return the turn about the axis."""
        return RevolutePair(axis)


class LinearVariable(StateVariable):
    """A length: q [m], q̇ [m/s], q̈ [m/s²], force Q [N]."""

    __slots__ = ()
    unit = "m"

    def elementary_joint(self, axis: Vector) -> Joint:
        """Return the slide along the axis."""
        return PrismaticPair(axis)


class PlainVariable(StateVariable):
    """A number without unit, such as a component of a quaternion."""

    __slots__ = ()

    def elementary_joint(self, axis: Vector) -> Joint:
        """Refuse: a plain number neither turns nor slides."""
        raise ParameterError(
            self.name or "PlainVariable",
            "a variable without unit cannot drive an elementary joint.",
            "Use an AngularVariable for a turn or a LinearVariable for a slide.",
            parameter="unit",
            value=self,
        )


@checked_function
def variable_for(coordinate: Coordinate) -> StateVariable:
    """Return a variable for a joint's coordinate or speed: name, kind and neutral value.

    A speed's variable carries it as `qd`, whose unit names the kind: rad/s is angular.
    """
    return kind_for(coordinate)(coordinate.name, q=coordinate.neutral)


def kind_for(coordinate: Coordinate) -> type[StateVariable]:
    """Return the kind of variable that a joint's coordinate or speed needs."""
    kinds = {"rad": AngularVariable, "m": LinearVariable}
    return kinds.get(coordinate.unit.removesuffix("/s"), PlainVariable)
