"""Joints of the plane as elements: where they close a loop, they have planar rows only."""

from __future__ import annotations

from dataclasses import dataclass

from motorik.algebra.vector import X, Y, Z
from motorik.elements.closure import gap, half_tangents
from motorik.elements.constraint import Constraint, held_along
from motorik.elements.joint import Coordinate, Joint
from motorik.elements.planar import PlanarPair
from motorik.elements.prismatic import PrismaticPair
from motorik.elements.revolute import RevolutePair
from motorik.elements.rigid import RigidPair

COINCIDENT = Constraint(lambda X_a, X_b: gap(X_a, X_b)[:2], ("m", "m"))
"""The origins coincide in the plane: both components of MN vanish."""

NOT_TURNED = Constraint(
    lambda X_a, X_b: ((X_a.R @ X).dot(X_b.R @ Y),),
    ("rad",),
    approach=lambda X_a, X_b: half_tangents(
        (X_a.R @ X).dot(X_b.R @ X), ((X_a.R @ X).dot(X_b.R @ Y),)
    ),
)
"""Frame b is not turned in the plane against frame a: x_i · y_j = 0."""


@dataclass(frozen=True)
class InPlane(PlanarPair):
    """The free motion of a body in the plane: x, y [m] of G and θ [rad]."""

    coordinates = (Coordinate("x", "m"), Coordinate("y", "m"), Coordinate("theta", "rad"))
    speeds = (
        *(Coordinate("v_x", "m/s"), Coordinate("v_y", "m/s")),
        Coordinate("phi_z", "rad/s"),
    )


@dataclass(frozen=True)
class TurnInPlane(RevolutePair):
    """A turn about z by φ [rad]; as a constraint MN = 0 in the plane."""

    @property
    def constraint(self) -> Constraint:
        """The origins coincide in the plane."""
        return self.holding(COINCIDENT)

    def reversed(self) -> Joint:
        """Return the turn about the opposite axis."""
        return TurnInPlane(-self.axis, self.offset)


@dataclass(frozen=True)
class SlideInPlane(PrismaticPair):
    """A slide along an axis of the plane by s [m]; as a constraint MN · y_i = 0, x_i · y_j = 0."""

    @property
    def constraint(self) -> Constraint:
        """The origin of b stays on the axis, and b does not turn in the plane."""
        return self.holding(held_along(Z.cross(self.axis)), NOT_TURNED)

    def reversed(self) -> Joint:
        """Return the slide along the opposite axis."""
        return SlideInPlane(-self.axis)


@dataclass(frozen=True)
class WeldInPlane(RigidPair):
    """No motion; as a constraint MN = 0 in the plane and x_i · y_j = 0."""

    @property
    def constraint(self) -> Constraint:
        """The origins coincide in the plane, and b does not turn in it."""
        return self.holding(COINCIDENT, NOT_TURNED)
