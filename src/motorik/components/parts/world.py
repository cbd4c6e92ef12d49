"""World: the inertial frame and the gravity field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from motorik.algebra.scalar import Scalar, is_structural, sqrt
from motorik.algebra.vector import ZERO, Vector
from motorik.components.base.contributions import Contribution, Gravity, Ground
from motorik.components.base.part import Part, frame, parameter
from motorik.components.base.user_law import UserLaw, as_components, check_arguments
from motorik.components.base.values import (
    DECIDES,
    as_axis,
    as_choice,
    as_given,
    as_number,
    never_live,
    plain_only,
)
from motorik.errors import AssemblyError, ParameterError

GRAVITY_NAMES = {"uniform": "UniformGravity", "none": "NoGravity", "point": "PointGravity"}


@plain_only(DECIDES)
def _gravity_type(part: str, name: str, unit: str, value: Any) -> str:
    known = as_choice(*GRAVITY_NAMES.values())
    return known(part, name, unit, GRAVITY_NAMES.get(str(value).lower(), value))


class World(Part):
    """The inertial frame `frame_b` and the gravity field; every model has exactly one.

    * ``UniformGravity`` ("uniform"): g along n, the same everywhere;
    * ``PointGravity`` ("point"): −μ r / |r|³ towards the origin of the world frame;
    * ``NoGravity`` ("none");
    * `gravityAcceleration`, a function of the position r [m] (a `Vector` in the world frame)
      that returns the acceleration [m/s²], replaces them all.
    """

    frame_b = frame("the inertial frame")

    gravityType = parameter(
        "kind of gravity field", default="UniformGravity", convert=_gravity_type
    )
    g = parameter("gravity acceleration", "m/s2", 9.80665, as_number())
    n = parameter("direction of gravity", "1", (0, -1, 0), as_axis)
    mu = parameter(
        "gravity field constant", "m3/s2", 3.986004418e14, as_number(minimum=0.0)
    )
    gravityAcceleration = parameter("user's gravity field", "m/s2", None, as_given)
    defaultWidthFraction = parameter(
        "length / width of bodies given only a length",
        "1",
        20.0,
        never_live(as_number(above=0.0)),
    )

    def check(self, p: Any) -> None:
        """Refuse a negative gravity, and a gravity function that is none."""
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

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the fixed frame and gravity."""
        yield Ground(self.frame_b)
        yield gravity_field(p, self.label)


def gravity_field(p: Any, part: str = "World") -> Gravity:
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
