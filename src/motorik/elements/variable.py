"""Scalar state objects: position, velocity, acceleration and force of one coordinate."""

from __future__ import annotations

from abc import ABC, abstractmethod

from motorik.algebra.scalar import Scalar, plain
from motorik.algebra.vector import Vector
from motorik.elements.joint import Coordinate, Joint
from motorik.elements.slide import Slide
from motorik.elements.turn import Turn
from motorik.errors import ParameterError


class StateVariable(ABC):
    """Motion q, q̇, q̈ of one coordinate and the generalised force Q that acts along it.

    Q is what the loads and inertias of the mechanism exert, so that the drive that holds
    or moves the coordinate as told gives −Q. The values it is made with are its start.

    >>> phi = AngularVariable("phi", q=0.5)
    >>> phi.q += 1.0
    >>> phi.reset()
    >>> phi
    AngularVariable('phi', q=0.5, qd=0.0, qdd=0.0, Q=0.0)
    """

    __slots__ = ("Q", "name", "q", "qd", "qdd", "start")

    def __init__(
        self, name: str = "", q: Scalar = 0.0, qd: Scalar = 0.0, qdd: Scalar = 0.0
    ) -> None:
        self.name = name
        self.start = (plain(q), plain(qd), plain(qdd))
        self.reset()

    def reset(self) -> None:
        """Return to the start values, without force."""
        self.q, self.qd, self.qdd = self.start
        self.clear_force()

    def clear_force(self) -> None:
        """Take the force away."""
        self.Q: Scalar = 0.0

    @abstractmethod
    def elementary_joint(self, axis: Vector) -> Joint:
        """Return the joint of which this variable is the coordinate."""

    def __repr__(self) -> str:
        values = f"q={self.q}, qd={self.qd}, qdd={self.qdd}, Q={self.Q}"
        return f"{type(self).__name__}({self.name!r}, {values})"


class AngularVariable(StateVariable):
    """An angle: q [rad], q̇ [rad/s], q̈ [rad/s²], torque Q [N·m]."""

    __slots__ = ()

    def elementary_joint(self, axis: Vector) -> Joint:
        """Return the turn about the axis."""
        return Turn(axis)


class LinearVariable(StateVariable):
    """A length: q [m], q̇ [m/s], q̈ [m/s²], force Q [N]."""

    __slots__ = ()

    def elementary_joint(self, axis: Vector) -> Joint:
        """Return the slide along the axis."""
        return Slide(axis)


class PlainVariable(StateVariable):
    """A number without unit, such as a component of a quaternion."""

    __slots__ = ()

    def elementary_joint(self, axis: Vector) -> Joint:
        """Refuse: a plain number neither turns nor slides."""
        raise ParameterError(
            self.name or "PlainVariable",
            "a variable without unit cannot drive an elementary joint.",
            "Use an AngularVariable for a turn or a LinearVariable for a slide.",
        )


def variable_for(coordinate: Coordinate) -> StateVariable:
    """Return a variable for a joint's coordinate or speed: name, kind and neutral value.

    A speed's variable carries it as `qd`, whose unit names the kind: rad/s is angular.
    """
    kinds = {"rad": AngularVariable, "m": LinearVariable}
    kind = kinds.get(coordinate.unit.removesuffix("/s"), PlainVariable)
    return kind(coordinate.name, q=coordinate.neutral)
