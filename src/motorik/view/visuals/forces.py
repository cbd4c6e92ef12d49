"""Looks of force elements: springs that coil, dampers that telescope, arrows of their value."""

from __future__ import annotations

from motorik.components.base.part import Part
from motorik.components.base.two_frames import two_frames
from motorik.components.forces.contact import PointPlaneContact
from motorik.components.forces.given import GivenLoad
from motorik.components.forces.line import (
    Damper,
    LineForceWithMass,
    LineForceWithTwoMasses,
    LineLaw,
    Spring,
    SpringDamperParallel,
    SpringDamperSeries,
    SpringLaw,
    Telescope,
)
from motorik.components.hydraulic.cylinders import BetweenFrames
from motorik.view.scene import shapes
from motorik.view.scene.annotations import ArrowAnnotation, VectorReading
from motorik.view.scene.place import ScenePose, SceneSpan
from motorik.view.scene.shapes import Shape
from motorik.view.theme import ROLES, shares_of
from motorik.view.visuals.base import Shapes, visual
from motorik.view.visuals.bodies import masses_on_line
from motorik.view.visuals.named_shapes import chosen_rod
from motorik.view.visuals.setting import Setting

COILS = 7.0
FLOOR = shares_of(ROLES["floor"])
NOT_SCALED = 0.0  # the scale of arrows until all of them are known


def coil(s: Setting, part: Part, at: SceneSpan, width: float | None = None) -> Shape:
    """Return a spring that stretches between two points."""
    usual = s.sizes.force_width if width is None else width
    diameter = s.size(part, "width", usual)
    return shapes.SpringShape(
        at=at,
        diameter=diameter,
        wire=s.size(part, "coilWidth", diameter / 10),
        coils=float(s.option(part, "numberOfWindings", COILS)),
        role="spring",
        color=s.color(part),
    )


def telescope(s: Setting, part: Part, at: SceneSpan, width: float, role: str) -> Shape:
    """Return a tube and a rod that slides in it, between two points."""
    length = s.fixed_distance(at.begin, at.end) or s.sizes.force_length
    return shapes.DamperShape(
        at=at,
        diameter=s.size(part, "diameter_a", width),
        lengths=(s.size(part, "length_a", 0.55 * length), 0.75 * length),
        rod=s.option(part, "diameter_b"),
        role=role,
        color=s.color(part, "color_a"),
        rod_color=s.option(part, "color_b"),
    )


@visual.register
def _(part: LineLaw, s: Setting) -> Shapes:
    s.channels(part, "s", "f")
    return [
        shapes.CylinderShape(
            at=s.between(*two_frames(part)), diameter=s.sizes.arrow, role="force"
        )
    ]


@visual.register(Spring)
@visual.register(SpringLaw)
def _(part: SpringLaw, s: Setting) -> Shapes:
    s.channels(part, "s", "f")
    found = [coil(s, part, s.between(part.frame_a, part.frame_b))]
    return [*found, *masses_on_line(s, part)]


@visual.register
def _(part: Damper, s: Setting) -> Shapes:
    s.channels(part, "s", "f")
    span = s.between(part.frame_a, part.frame_b)
    return [telescope(s, part, span, s.sizes.force_width * 0.7, "damper")]


@visual.register
def _(part: SpringDamperParallel, s: Setting) -> Shapes:
    s.channels(part, "s", "f")
    span = s.between(part.frame_a, part.frame_b)
    width = s.sizes.force_width
    return [
        coil(s, part, span, 1.2 * width),
        telescope(s, part, span, 0.45 * width, "damper"),
    ]


@visual.register
def _(part: SpringDamperSeries, s: Setting) -> Shapes:
    s.channels(part, "s", "f")
    span = s.between(part.frame_a, part.frame_b)
    first, second = span.shared(0.0, 0.5), span.shared(0.5, 1.0)
    width = s.sizes.force_width
    return [
        telescope(s, part, first, 0.7 * width, "damper"),
        coil(s, part, second, width),
    ]


@visual.register
def _(part: BetweenFrames, s: Setting) -> Shapes:
    s.channels(part, "x", "f")
    span = s.between(part.frame_a, part.frame_b)
    return [telescope(s, part, span, s.sizes.force_width, "damper")]


@visual.register
def _(part: Telescope, s: Setting) -> Shapes:
    span = s.between(part.frame_a, part.frame_b)
    return [telescope(s, part, span, 0.5 * s.sizes.force_width, "force")]


@visual.register
def _(part: LineForceWithMass, s: Setting) -> Shapes:
    span, width = s.between(part.frame_a, part.frame_b), 0.5 * s.sizes.force_width
    line: list[Shape] = []
    names = ("ShapeType", "ShapeWidth", "ShapeHeight", "ShapeExtra", "ShapeColor")
    wanted = s.option(part, "animateLine")
    if wanted is False:
        line = []
    elif any(s.option(part, f"line{name}") is not None for name in names):
        line = [chosen_rod(s, part, span, "lineShape", width, "force")]
    elif wanted or not is_filled(s, span):
        line = [telescope(s, part, span, width, "force")]
    return [*line, *masses_on_line(s, part)]


def is_filled(s: Setting, span: SceneSpan) -> bool:
    """Return whether parts of a drive line lie along a span, which show it."""
    pieces = () if s.lines is None else s.lines.pieces.values()
    return any(one.span.begin == span.begin and one.span.end == span.end for one in pieces)


@visual.register
def _(part: LineForceWithTwoMasses, s: Setting) -> Shapes:
    if not s.option(part, "animate", True):
        return []
    span, usual = s.between(part.frame_a, part.frame_b), 0.5 * s.sizes.force_width
    length = s.fixed_distance(span.begin, span.end) or s.sizes.force_length
    width = s.size(part, "cylinderDiameter_a", usual)
    inner = s.option(part, "diameterFraction")
    balls = s.option(part, "massDiameterFaction")
    rod = shapes.DamperShape(
        at=span,
        diameter=width,
        lengths=(
            s.size(part, "cylinderLength_a", 0.55 * length),
            s.size(part, "cylinderLength_b", 0.75 * length),
        ),
        rod=None if inner is None else inner * width,
        role="force",
        color=s.color(part, "color_a"),
        rod_color=s.option(part, "color_b"),
    )
    names = ("cylinderDiameter_a", "cylinderLength_a", "cylinderLength_b", "color_a")
    is_chosen = any(s.option(part, name) is not None for name in (*names, "color_b"))
    tube = [rod] if is_chosen or inner is not None or not is_filled(s, span) else []
    return [*tube, *masses_on_line(s, part, None if balls is None else balls * width)]


# --- forces that are given -----------------------------------------------------------------


def arrow_of(
    s: Setting, part: Part, signal: str, at: ScenePose, axes: ScenePose, double: bool
) -> Shape:
    """Return an arrow at a place that shows a signal, whose components are in some axes."""
    i, j, k = s.channels(part, *(f"{signal}[{n}]" for n in (1, 2, 3)))
    unit, kind = ("Nm_to_m", "torque") if double else ("N_to_m", "force")
    per_metre = s.option(part, unit, s.sizes.given.get(f"default{unit}"))
    scale = 1.0 / per_metre if per_metre else NOT_SCALED
    width = s.size(part, "diameter", s.sizes.arrow)
    return ArrowAnnotation(
        at=ScenePose(at.group, at.r),
        diameter=s.size(part, f"{kind}Diameter", width),
        vector=VectorReading((i, j, k), axes.group, axes.q, scale, double),
        role="arrow_torque" if double else "arrow_force",
        layer="forces",
        color=s.color(part, f"{kind}Color"),
    )


def resolved(s: Setting, part: Part) -> ScenePose:
    """Return the place of the frame in which the components of a part's signals are."""
    axes = str(s.values(part).resolveInFrame)
    port = getattr(part, axes, None) if axes != "world" else None
    return ScenePose() if port is None else s.at(port)


@visual.register
def _(part: GivenLoad, s: Setting) -> Shapes:
    at, axes = s.at(part.frame_b), resolved(s, part)
    found: list[Shape] = []
    for signal, double in (("force", False), ("torque", True)):
        if signal in part.specs:
            found.append(arrow_of(s, part, signal, at, axes, double))
    if hasattr(type(part), "frame_a"):
        span = s.between(part.frame_a, part.frame_b)  # type: ignore[attr-defined]
        width = s.size(part, "connectionLineDiameter", s.sizes.arrow / 4)
        color = s.color(part, "connectionLineColor")
        thin = {"diameter": width, "color": color, "opacity": 0.4}
        found.append(shapes.CylinderShape(at=span, role="force", **thin))
    return found


@visual.register
def _(part: PointPlaneContact, s: Setting) -> Shapes:
    p = s.values(part)
    radius = float(p.radius)
    ground, point = s.at(part.frame_a), s.at(part.frame_b)
    side = 4 * s.sizes.joint_length  # at least: it reaches below all that may touch it
    plate = ground.along(p.n).moved(-0.02 * side)
    ball = s.size(part, "sphereDiameter", 2 * radius or 0.5 * s.sizes.joint_width)
    floor = shapes.BoxShape(
        at=plate, length=0.02 * side, width=side, height=side, role="floor", color=FLOOR
    )
    return [
        floor,
        shapes.Sphere(
            at=point, diameter=ball, role="contact", color=s.color(part, "sphereColor")
        ),
        arrow_of(s, part, "force", point, ground, double=False),
    ]
