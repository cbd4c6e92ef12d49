"""Looks of bodies, rigid connections and wheels, with the sizes of the model."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from motorik.algebra.matrix import Matrix
from motorik.algebra.vector import Vector, Y, Z
from motorik.components.base.part import Part
from motorik.components.forces.line_masses import MassOnLine
from motorik.components.joints.rolling import (
    RollingWheel,
    RollingWheelJoint,
    RollingWheelSet,
    RollingWheelSetJoint,
    UprightRolling,
)
from motorik.components.parts.bodies import Body, PointMass
from motorik.components.parts.mounting import Mounting1D
from motorik.components.parts.rigid import Fixed, FixedRotation, FixedTranslation
from motorik.components.parts.rotor import AxialInertia
from motorik.components.parts.solids import (
    BodyBox,
    BodyCylinder,
    BodyShape,
    body_length,
    shape_axes,
)
from motorik.components.visual import Marker
from motorik.view.scene.annotations import Axes
from motorik.view.scene.place import ScenePose, SceneSpan
from motorik.view.scene.shapes import (
    BoxShape,
    CylinderShape,
    Pipe,
    Shape,
    Sphere,
    Wheel,
)
from motorik.view.visuals.base import Shapes, visual
from motorik.view.visuals.named_shapes import chosen_shape, on
from motorik.view.visuals.setting import Setting

LIGHT = 0.5  # thickness of a rod without mass, of that of one with mass
SPOKE = 0.2  # thickness of a long rod without mass, of the width of a joint
TYRE = 0.25  # width of a wheel, of its diameter


def is_seen(length: float, s: Setting) -> bool:
    """Return whether a length is long enough to be drawn."""
    return length > 1e-6 * s.sizes.extent


def bar(
    s: Setting,
    part: Part,
    begin: ScenePose,
    end: ScenePose,
    share: float = 1.0,
    thickest: float = inf,
) -> list[Shape]:
    """Return a rod between two places of one body, none where they coincide.

    `share` makes it thinner: massless parts are half as thick. By itself it is no thicker
    than `thickest` [m].
    """
    if begin.group == end.group:
        length = s.fixed_distance(begin, end)
        if not is_seen(length, s):
            return []
    else:
        length = s.sizes.joint_length
    thick = min(
        max(length / s.sizes.fraction, s.sizes.joint_width / 4), s.sizes.joint_width
    )
    width = s.size(part, "cylinderDiameter", min(share * thick, thickest))
    span = SceneSpan(begin.point, end.point)
    return [CylinderShape(at=span, diameter=width, color=s.color(part, "cylinderColor"))]


def mass_ball(s: Setting, part: Part, at: ScenePose, share: float = 1.0) -> list[Shape]:
    """Return the ball that stands for a mass, if it is to be shown."""
    diameter = s.size(part, "sphereDiameter", share * s.sizes.body)
    if not s.option(part, "animateSphere", True):
        return []
    return [
        Sphere(at=at, diameter=diameter, role="mass", color=s.color(part, "sphereColor"))
    ]


@visual.register
def _(part: Body, s: Setting) -> Shapes:
    origin = s.at(part.frame_a)
    centre = on(origin, s.values(part).r_CM)
    stem = bar(s, part, origin, centre, thickest=s.sizes.body / 3)
    return [*stem, *mass_ball(s, part, centre)]


@visual.register
def _(part: PointMass, s: Setting) -> Shapes:
    return mass_ball(s, part, s.at(part.frame_a))


@visual.register
def _(part: MassOnLine, s: Setting) -> Shapes:
    return mass_ball(s, part, s.places.mass(part), 0.7)


def masses_on_line(s: Setting, part: Part, diameter: float | None = None) -> list[Shape]:
    """Return the balls of the masses on the line of a part, of a diameter [m]."""
    found: list[Shape] = []
    for one in part.parts.values():
        if isinstance(one, MassOnLine):
            at = s.places.mass(one)
            share = 0.7 if diameter is None else diameter / s.sizes.body
            found += mass_ball(s, one, at, share)
    return found


@visual.register
def _(part: AxialInertia, s: Setting) -> Shapes:
    return []  # the rotor around it shows it


@visual.register
def _(part: BodyShape, s: Setting) -> Shapes:
    p, origin = s.values(part), s.at(part.frame_a)
    centre = on(origin, p.r_CM)
    shaft = chosen_shape(s, part, origin, p.r)
    if shaft is None:
        shaft = bar(s, part, origin, s.at(part.frame_b))
    return [*shaft, *mass_ball(s, part, centre)]


@visual.register
def _(part: BodyBox, s: Setting) -> Shapes:
    p, color = s.values(part), s.color(part)
    at, length = solid_place(s.at(part.frame_a), p), float(body_length(p))
    w = length / part.width_fraction() if p.width is None else float(p.width)
    h = w if p.height is None else float(p.height)
    wi = float(p.innerWidth)
    hi = wi if p.innerHeight is None else float(p.innerHeight)
    if not (wi and hi):
        return [BoxShape(at=at, length=length, width=w, height=h, color=color)]
    # four walls around the hole
    y, z = (w + wi) / 4, (h + hi) / 4
    walls = [(y, 0.0, (w - wi) / 2, h), (-y, 0.0, (w - wi) / 2, h)]
    walls += [(0.0, z, wi, (h - hi) / 2), (0.0, -z, wi, (h - hi) / 2)]
    return [
        BoxShape(at=at.moved(0.0, y, z), length=length, width=a, height=b, color=color)
        for y, z, a, b in walls
    ]


@visual.register
def _(part: BodyCylinder, s: Setting) -> Shapes:
    p, color = s.values(part), s.color(part)
    at, length = solid_place(s.at(part.frame_a), p), float(body_length(p))
    d = length / part.width_fraction() if p.diameter is None else float(p.diameter)
    inner = float(p.innerDiameter)
    if inner:
        return [Pipe(at=at, length=length, diameter=d, inner=inner, color=color)]
    return [CylinderShape(at=at, length=length, diameter=d, color=color)]


def solid_place(frame_a: ScenePose, p: object) -> ScenePose:
    """Return where the shape of a solid body begins, its x axis along its length."""
    axes = Matrix.from_columns(*shape_axes(p))  # type: ignore[arg-type]
    return on(frame_a, p.r_shape).turned(axes)  # type: ignore[attr-defined]


# --- rigid parts ---------------------------------------------------------------------------


@visual.register
def _(part: Fixed, s: Setting) -> Shapes:
    at, side = s.at(part.frame_b), 0.9 * s.sizes.joint_width  # within a joint there
    axes = Axes(at=at, size=s.sizes.axis, role="frame", layer="frames")
    shape = chosen_shape(s, part, ScenePose(), s.values(part).r)
    if shape is None:
        block = at.moved(-side / 2)
        shape = [BoxShape(at=block, length=side, width=side, height=side, role="ground")]
    return [*shape, axes]


@visual.register
def _(part: FixedTranslation, s: Setting) -> Shapes:
    a, b = s.at(part.frame_a), s.at(part.frame_b)
    return rigid(s, part, a, b, s.values(part).r) or [
        Axes(at=b, size=s.sizes.axis / 2, role="frame", layer="frames")
    ]


@visual.register
def _(part: FixedRotation, s: Setting) -> Shapes:
    a, b = s.at(part.frame_a), s.at(part.frame_b)
    axes = Axes(at=b, size=s.sizes.axis / 2, role="frame", layer="frames")
    return [*rigid(s, part, a, b, s.values(part).r), axes]


def rigid(s: Setting, part: Part, a: ScenePose, b: ScenePose, r: Vector) -> list[Shape]:
    """Return the rigid connection of two places: the shape of the options, or a thin rod."""
    shape = chosen_shape(s, part, a, r)
    thin = SPOKE * s.sizes.joint_width  # long ones, as from an origin far off, hide nothing
    return bar(s, part, a, b, LIGHT, thin) if shape is None else shape


@visual.register
def _(part: Mounting1D, s: Setting) -> Shapes:
    side = s.sizes.joint_width / 2
    at = s.at(part.frame_a).along(s.values(part).n).moved(-side / 2)
    return [BoxShape(at=at, length=side, width=side, height=side, role="drive")]


@visual.register
def _(part: Marker, s: Setting) -> Shapes:
    color = s.color(part)
    return [Axes(at=s.at(part.frame_a), size=s.sizes.axis, role="frame", color=color)]


# --- wheels --------------------------------------------------------------------------------


def wheel(s: Setting, part: Part, at: ScenePose, radius: float, width: str) -> Shape:
    """Return a wheel whose axle is along the y axis of a place; `width` names the option."""
    wide = s.size(part, width, TYRE * 2 * radius)
    inner = 2 * radius * float(s.option(part, "hollowFraction", 0.7))
    return Wheel(at=at.along(Y, Z), diameter=2 * radius, width=wide, inner=inner)


@visual.register(RollingWheel)
@visual.register(RollingWheelJoint)
@visual.register(UprightRolling)
def _(part: RollingWheel, s: Setting) -> Shapes:
    radius = float(s.values(part).radius)
    return [wheel(s, part, s.at(part.frame_a), radius, "width")]


@visual.register(RollingWheelSet)
@visual.register(RollingWheelSetJoint)
def _(part: RollingWheelSet, s: Setting) -> Shapes:
    p = s.values(part)
    radius = float(p.R_wheel if hasattr(p, "R_wheel") else p.radius)
    ends = s.at(part.frame1), s.at(part.frame2)
    axle = CylinderShape(at=SceneSpan(ends[0].point, ends[1].point), diameter=0.12 * radius)
    return [*(wheel(s, part, at, radius, "width_wheel") for at in ends), axle]


def body_widths(parts: Iterable[Part], s: Setting) -> dict[int, list[float]]:
    """Return the widths [m] of solid bodies by the rigid group they are on."""
    found: dict[int, list[float]] = {}
    for part in parts:
        if isinstance(part, (BodyBox, BodyCylinder)):
            p = s.values(part)
            given = p.width if isinstance(part, BodyBox) else p.diameter
            width = (
                float(body_length(p)) / part.width_fraction()
                if given is None
                else float(given)
            )
            found.setdefault(s.at(part.frame_a).group, []).append(width)
    return found
