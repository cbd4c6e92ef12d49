"""World: the inertial frame and the gravity field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, is_structural, sqrt
from motorik.algebra.vector import ZERO, Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, Gravity, Ground
from motorik.components.base.part import DeclaredPart, Values, frame, parameter
from motorik.components.base.user_law import UserLaw, as_components, check_arguments
from motorik.components.base.visual_options import WorldVisual
from motorik.errors import AssemblyError, ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


class World(DeclaredPart, WorldVisual):
    """The inertial frame `frame_b` and the gravity field; a model has at most one.

    * ``UniformGravity`` ("uniform"): g along n, the same everywhere;
    * ``PointGravity`` ("point"): −μ r / |r|³ towards the origin of the world frame;
    * ``NoGravity`` ("none");
    * `gravityAcceleration`, a function of the position r [m] (a `Vector` in the world frame)
      that returns the acceleration [m/s²], replaces them all.
    """

    frame_b = frame("the inertial frame")

    gravityType: kinds.GravityType = parameter(
        "kind of gravity field", default="UniformGravity"
    )
    g: kinds.Acceleration = parameter("gravity acceleration", default=9.80665)
    n: kinds.Axis = parameter("direction of gravity", default=(0, -1, 0))
    mu: kinds.GravityConstant = parameter("gravity field constant", default=3.986004418e14)
    gravityAcceleration: kinds.GravityField = parameter(
        "user's gravity field", default=None
    )
    driveTrainMechanics3D: kinds.Boolean = parameter(
        "whether Rotor1D, Mounting1D and BevelGear1D act on the bodies that carry them",
        default=True,
    )
    defaultWidthFraction: kinds.PlainPositiveFactor = parameter(
        "length / width of bodies given only a length", default=20.0
    )

    def check(self, p: Self) -> None:
        """Refuse a negative gravity acceleration, and a gravity field that is not a function."""
        if p.g < 0.0:
            raise ParameterError(
                self.label,
                f"g = {p.g:g} m/s2 is negative.",
                "Give g as a positive number; n is the direction in which things fall.",
                parameter="g",
                value=p.g,
            )
        if p.gravityAcceleration is not None and not callable(p.gravityAcceleration):
            raise ParameterError(
                self.label,
                f"gravityAcceleration = {p.gravityAcceleration!r} is not a function.",
                "Give a function of the position (a Vector) that returns three components.",
                parameter="gravityAcceleration",
                value=p.gravityAcceleration,
            )
        if p.gravityAcceleration is not None:
            name = "gravityAcceleration"
            check_arguments(self.label, name, p.gravityAcceleration, ("r",))

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the fixed frame and gravity."""
        yield Ground(self.frame_b)
        yield gravity_field(p, self.label)


def gravity_field(p: Values, part: str = "World") -> Gravity:
    """Return the gravity field of a world with parameters p."""
    if p.gravityAcceleration is not None:
        name, field = "gravityAcceleration", p.gravityAcceleration
        return Gravity(UserLaw(part, name, field, ("r",), as_components))
    if p.gravityType == "NoGravity":
        return Gravity(lambda r: ZERO, ZERO, lambda r: 0.0)
    if p.gravityType == "UniformGravity":
        g = p.g * p.n
        return Gravity(lambda r: g, g, lambda r: -g.dot(r))

    def towards_origin(r: Vector) -> Vector:
        # g(r) = −μ r / |r|³
        square = r.dot(r)
        if is_structural(square, 0.0):
            raise AssemblyError(
                part,
                "a mass rests at the centre of point gravity, where it has no direction.",
                "Move the mass away from the origin of the world, or choose another gravity.",
            )
        return (-p.mu / (square * sqrt(square))) * r

    def potential(r: Vector) -> Scalar:
        return -p.mu / r.norm()

    return Gravity(towards_origin, None, potential)
