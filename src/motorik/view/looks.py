"""Looks: the shapes of each kind of part, which follow variables of the result.

A look is registered for a class of parts and all that derive from it; it returns the shapes,
or None to show the parts within instead::

    @look.register
    def _(part: MyPart):
        return [Strut(*frames_of(part))]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch
from math import pi
from typing import ClassVar

import numpy as np

from motorik.components.base.composite import Composite
from motorik.components.base.part import Part, number_resolver
from motorik.components.base.ports import PortKind
from motorik.components.forces.line_masses import MassOnLine
from motorik.components.joints.floating import FreeMotion, Spherical
from motorik.components.joints.floating_scalars import FreeMotionScalarInit
from motorik.components.joints.simple import Prismatic, Revolute, Screw
from motorik.components.parts.bodies import Body, PointMass
from motorik.components.parts.rigid import Fixed
from motorik.components.parts.solids import (
    BodyBox,
    BodyCylinder,
    body_length,
    shape_axes,
)
from motorik.components.parts.world import World
from motorik.errors import ParameterError, suggest

Data = Mapping[str, np.ndarray]
ROLES = (
    "link",
    "guide",
    "spring",
    "joint",
    "mass",
    "x",
    "y",
    "z",
)  # of lines, each with its style
ROUND = 24  # sides of the prism that stands for a cylinder


class Shape(ABC):
    """A shape: points in the world over time, and lines and faces between them.

    `lines` are roles with the numbers of their points, `faces` (of a convex body) numbers of
    corners. The first `places` points belong to the mechanism itself, the others only
    illustrate it; a `sign` is drawn in a size that fits the picture.
    """

    lines: tuple[tuple[str, tuple[int, ...]], ...] = ()
    faces: tuple[tuple[int, ...], ...] = ()
    places: ClassVar[int] = 0
    is_sign: ClassVar[bool] = False

    @property
    @abstractmethod
    def variables(self) -> tuple[str, ...]:
        """The names of the variables it follows."""

    @abstractmethod
    def points(self, data: Data) -> np.ndarray:
        """Return its points [m] in the world, times × points × 3."""


@dataclass(frozen=True)
class Strut(Shape):
    """A straight line between two positions: a "link", a "spring", or the "guide" of a slide."""

    start: str
    end: str
    role: str = "link"
    places = 2

    def __post_init__(self) -> None:
        check_role(type(self).__name__, self.role)

    @property
    def lines(self) -> tuple[tuple[str, tuple[int, ...]], ...]:  # type: ignore[override]
        """One line."""
        return ((self.role, (0, 1)),)

    @property
    def variables(self) -> tuple[str, ...]:
        """The two positions."""
        return (self.start, self.end)

    def points(self, data: Data) -> np.ndarray:
        """Return the two ends."""
        return np.stack([data[self.start], data[self.end]], axis=1)


@dataclass(frozen=True)
class Dot(Shape):
    """A mark at a position: a "joint" or the centre of a "mass"."""

    at: str
    role: str = "joint"
    places = 1

    def __post_init__(self) -> None:
        check_role(type(self).__name__, self.role)

    @property
    def lines(self) -> tuple[tuple[str, tuple[int, ...]], ...]:  # type: ignore[override]
        """One mark."""
        return ((self.role, (0,)),)

    @property
    def variables(self) -> tuple[str, ...]:
        """The position."""
        return (self.at,)

    def points(self, data: Data) -> np.ndarray:
        """Return the one point."""
        return data[self.at][:, None, :]


@dataclass(frozen=True)
class Solid(Shape):
    """A convex body fixed in a frame: corners [m] in the frame, faces between them."""

    frame: str
    corners: np.ndarray
    faces: tuple[tuple[int, ...], ...]

    @property
    def variables(self) -> tuple[str, ...]:
        """Position and orientation of the frame."""
        return (f"{self.frame}.r_0", f"{self.frame}.R.T")

    def points(self, data: Data) -> np.ndarray:
        """Return the corners: r = r₀ + Tᵀ c."""
        r_0, T = (data[name] for name in self.variables)
        return r_0[:, None, :] + self.corners @ T


@dataclass(frozen=True)
class Triad(Shape):
    """The three axes of a frame."""

    frame: str
    lines = (("x", (0, 1)), ("y", (0, 2)), ("z", (0, 3)))
    places = 1
    is_sign = True

    @property
    def variables(self) -> tuple[str, ...]:
        """Position and orientation of the frame."""
        return (f"{self.frame}.r_0", f"{self.frame}.R.T")

    def points(self, data: Data) -> np.ndarray:
        """Return the origin and the ends of the axes, 1 m long."""
        r_0, T = (data[name] for name in self.variables)
        return np.concatenate([r_0[:, None, :], r_0[:, None, :] + T], axis=1)


def check_role(shape: str, role: str) -> None:
    """Refuse a role that no line has."""
    if role not in ROLES:
        raise ParameterError(
            shape,
            f"there is no role {role!r}.",
            suggest(role, ROLES),
            parameter="role",
            value=role,
        )


def shapes_of(part: Part) -> list[Shape]:
    """Return the shapes of a part; of those within it, if it has no look of its own."""
    own = look(part)
    if own is not None:
        strange = [one for one in own if not isinstance(one, Shape)]
        if strange:
            raise ParameterError(
                part.label,
                f"its look returned {strange[0]!r}, which is not a shape.",
                "Return a list of Strut, Dot, Solid and Triad.",
                parameter="look",
                value=strange[0],
            )
        return own
    return [shape for inner in part.parts.values() for shape in shapes_of(inner)]


def frames_of(part: Part) -> list[str]:
    """Return the names of the positions of a part's frames."""
    frames = (port for port in part.ports() if port.kind is PortKind.FRAME)
    return [f"{port.path}.r_0" for port in frames]


@singledispatch
def look(part: Part) -> list[Shape] | None:
    """Return the shapes of a part: by default struts from its first frame to the others."""
    first, *others = frames_of(part) or [""]
    return [Strut(first, other) for other in others]


@look.register
def _(part: Composite) -> list[Shape] | None:
    return None


@look.register(World)
@look.register(Fixed)
def _(part: Part) -> list[Shape] | None:
    return [Triad(port.path) for port in part.ports()]


@look.register(Revolute)
@look.register(Prismatic)
@look.register(Screw)
@look.register(Spherical)
def _(part: Part) -> list[Shape] | None:
    a, b = frames_of(part)
    return [Strut(a, b, role="guide"), Dot(b)]


@look.register(FreeMotion)
@look.register(FreeMotionScalarInit)
def _(part: Part) -> list[Shape] | None:
    return []


@look.register
def _(part: Body) -> list[Shape] | None:
    (origin,), centre = frames_of(part), f"{part.path}.r_CM_0"
    return [Strut(origin, centre), Dot(centre, role="mass")]


@look.register
def _(part: PointMass) -> list[Shape] | None:
    return [Dot(*frames_of(part), role="mass")]


@look.register
def _(part: MassOnLine) -> list[Shape] | None:
    return [Dot(f"{part.path}.r_0", role="mass")]


@look.register
def _(part: BodyBox) -> list[Shape] | None:
    p = part.resolved(number_resolver)
    w = body_length(p) / part.width_fraction() if p.width is None else p.width
    h = w if p.height is None else p.height
    profile = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * (w / 2, h / 2)
    return [prism(part, profile), Dot(f"{part.path}.body.r_CM_0", role="mass")]


@look.register
def _(part: BodyCylinder) -> list[Shape] | None:
    p = part.resolved(number_resolver)
    d = body_length(p) / part.width_fraction() if p.diameter is None else p.diameter
    angle = 2 * pi * np.arange(ROUND) / ROUND
    profile = d / 2 * np.column_stack([np.cos(angle), np.sin(angle)])
    return [prism(part, profile), Dot(f"{part.path}.body.r_CM_0", role="mass")]


def prism(part: BodyBox | BodyCylinder, profile: np.ndarray) -> Solid:
    """Return the body of a part: its profile (width, height) along its length."""
    p = part.resolved(number_resolver)
    e_x, e_y, e_z = (axis.numpy() for axis in shape_axes(p))
    begin = p.r_shape.numpy() + profile @ np.stack([e_y, e_z])
    n = len(profile)
    sides = tuple((i, (i + 1) % n, n + (i + 1) % n, n + i) for i in range(n))
    caps = (tuple(range(n)), tuple(range(n, 2 * n)))
    corners = np.concatenate([begin, begin + float(body_length(p)) * e_x])
    return Solid(part.frame_a.path, corners, sides + caps)
