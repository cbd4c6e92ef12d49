"""Looks of joints: glyphs that show axis and kind.

A pin is a cylinder along its axis in a ring, a slide a box on a rail, a screw a thread on a
spindle, a ball a sphere in a cup, a universal joint a cross in two forks, a plane a thin
plate.
"""

from __future__ import annotations

from dataclasses import replace

from motorik.algebra.vector import Vector, X, Y, Z
from motorik.components.base.part import Part
from motorik.components.base.two_frames import two_frames
from motorik.components.joints.compound import Cylindrical, Planar, Universal
from motorik.components.joints.constraints import (
    PrismaticConstraint,
    RevoluteConstraint,
    RevolutePlanarLoopConstraint,
    SphericalConstraint,
    UniversalConstraint,
    VectorJoint,
)
from motorik.components.joints.floating import FreeMotion, Spherical
from motorik.components.joints.floating_scalars import FreeMotionScalarInit
from motorik.components.joints.gear_constraint import GearConstraint
from motorik.components.joints.rods import (
    MasslessRod,
    SphericalSpherical,
    UniversalSpherical,
)
from motorik.components.joints.simple import Prismatic, Revolute, Screw
from motorik.view.scene.annotations import ArrowAnnotation
from motorik.view.scene.place import ScenePose, SceneSpan, Triple
from motorik.view.scene.shapes import (
    BoxShape,
    CylinderShape,
    Shape,
    Sphere,
    SpringShape,
    TorusShape,
)
from motorik.view.visuals.base import Shapes, visual
from motorik.view.visuals.bodies import masses_on_line
from motorik.view.visuals.gears import aimed, cogwheel, half_tooth, teeth_of
from motorik.view.visuals.named_shapes import chosen_rod
from motorik.view.visuals.setting import Setting

RING = 1.5  # diameter of the ring of a pin, of that of the pin
SLIDE = 0.65  # width of a slider, of that of a joint, so that bodies are seen beside it
RAIL = 0.35  # width of a rail, of that of its slider


def pin(
    s: Setting, part: object, near: ScenePose, far: ScenePose, n: Vector, share: float = 1.0
) -> list[Shape]:
    """Return a pin along n, fixed in the near frame, and its ring in the far one."""
    usual = s.joint_size(near, far, n=n, share=share)
    length = s.size(part, "cylinderLength", usual[0])
    width = s.size(part, "cylinderDiameter", usual[1])
    color = s.color(part, "cylinderColor")
    along = near.along(n)
    eye = far.along(n)
    return [
        CylinderShape(
            at=along.moved(-length / 2),
            length=length,
            diameter=width,
            role="joint",
            color=color,
        ),
        TorusShape(
            at=eye, diameter=RING * width, tube=0.4 * width, role="joint", color=color
        ),
        BoxShape(  # a key, so that turning is seen
            at=eye.moved(y=0.6 * RING * width),
            length=0.4 * width,
            width=0.5 * width,
            height=0.3 * width,
            role="joint",
            color=color,
        ),
    ]


def ball(s: Setting, part: object, near: ScenePose, far: ScenePose) -> list[Shape]:
    """Return a ball in the near frame and its cup in the far one."""
    width = s.size(part, "sphereDiameter", s.ball_size(near, far, share=1.2))
    color = s.color(part, "sphereColor")
    cup = TorusShape(
        at=far, diameter=0.9 * width, tube=0.35 * width, role="joint", color=color
    )
    return [Sphere(at=near, diameter=width, role="joint", color=color), cup]


def slider(
    s: Setting, part: object, near: ScenePose, far: ScenePose, n: Vector
) -> list[Shape]:
    """Return a box in the far frame on a rail along n from the near one."""
    length, usual, reach = s.rail_size(near, far, n)
    width = s.size(part, "boxWidth", SLIDE * usual)
    height = s.size(part, "boxHeight", width)
    across = s.option(part, "boxWidthDirection")
    towards = None if across is None else Vector(*across)
    color = s.color(part, "boxColor")
    on, rail = far.along(n, towards), near.along(n, towards)
    style = {"role": "joint", "color": color}
    return [
        BoxShape(
            at=on.moved(-length / 2), length=length, width=width, height=height, **style
        ),
        BoxShape(
            at=rail.moved(-reach),
            length=2 * reach,
            width=RAIL * width,
            height=RAIL * height,
            **style,
        ),
        CylinderShape(  # within the rail, where they overlap
            at=SceneSpan(near.point, far.point),
            diameter=0.9 * RAIL * min(width, height),
            **style,
        ),
    ]


def cross(
    s: Setting,
    part: object,
    near: ScenePose,
    middle: ScenePose,
    axes: tuple[Vector, Vector],
    far: ScenePose,
) -> list[Shape]:
    """Return a cross that turns about two axes, in the middle, and the forks that hold it."""
    color = s.color(part, "cylinderColor")
    arms: list[Shape] = []
    for fork, n in ((near, axes[0]), (far, axes[1])):
        usual = s.joint_size(middle, near, far, n=n, radius=0.3)
        width = s.size(part, "cylinderDiameter", 0.6 * usual[1])
        length = s.size(part, "cylinderLength", usual[0])
        at = middle.along(n).moved(-length / 2)
        arms.append(
            CylinderShape(at=at, length=length, diameter=width, role="joint", color=color)
        )
        for side in (-0.4, 0.4):
            eye = fork.along(n).moved(side * length)
            ring = TorusShape(at=eye, diameter=1.4 * width, tube=0.5 * width, role="joint")
            arms.append(replace(ring, color=color))
    return arms


def rod(s: Setting, span: SceneSpan, width: float, color: Triple | None = None) -> Shape:
    """Return a rod between two points."""
    return CylinderShape(at=span, diameter=width, role="body", color=color)


@visual.register
def _(part: Revolute, s: Setting) -> Shapes:
    a, b = s.at(part.frame_a), s.at(part.frame_b)
    return pin(s, part, a, b, s.values(part).n)


@visual.register
def _(part: Prismatic, s: Setting) -> Shapes:
    return slider(s, part, s.at(part.frame_a), s.at(part.frame_b), s.values(part).n)


@visual.register
def _(part: Screw, s: Setting) -> Shapes:
    n, a, b = s.values(part).n, s.at(part.frame_a), s.at(part.frame_b)
    usual = s.joint_size(a, b, n=n)
    width = s.size(part, "cylinderDiameter", usual[1])
    length = s.size(part, "cylinderLength", usual[0])
    color = s.color(part, "cylinderColor")
    spindle = a.along(n).moved(-length)
    nut = b.along(n)
    return [
        CylinderShape(
            at=spindle, length=2 * length, diameter=0.6 * width, role="joint", color=color
        ),
        CylinderShape(
            at=s.between(part.frame_a, part.frame_b),
            diameter=0.6 * width,
            role="joint",
            color=color,
        ),
        SpringShape(
            at=nut.moved(-length / 2),
            length=length,
            diameter=1.6 * width,
            wire=0.3 * width,
            coils=4.0,
            role="joint",
            color=color,
        ),
    ]


@visual.register
def _(part: Spherical, s: Setting) -> Shapes:
    return ball(s, part, s.at(part.frame_a), s.at(part.frame_b))


@visual.register(FreeMotion)
@visual.register(FreeMotionScalarInit)
def _(part: Part, s: Setting) -> Shapes:
    a, b = two_frames(part)
    width = s.size(part, "arrowDiameter", s.sizes.arrow / 3)
    style = {"diameter": width, "role": "joint", "color": s.color(part, "arrowColor")}
    return [ArrowAnnotation(at=s.between(a, b), layer="frames", **style)]


@visual.register
def _(part: Cylindrical, s: Setting) -> Shapes:
    n, a, b = s.values(part).n, s.at(part.frame_a), s.at(part.frame_b)
    usual = s.joint_size(a, b, n=n)
    width = s.size(part, "cylinderDiameter", usual[1])
    length = s.size(part, "cylinderLength", usual[0])
    color = s.color(part, "cylinderColor")
    spindle = a.along(n).moved(-length)
    thin = {"diameter": 0.5 * width, "role": "joint", "color": color}
    return [
        CylinderShape(at=spindle, length=2 * length, **thin),
        CylinderShape(at=s.between(part.frame_a, part.frame_b), **thin),
        *pin(s, part, b, b, n),
    ]


@visual.register
def _(part: Universal, s: Setting) -> Shapes:
    p = s.values(part)
    middle = s.at(part.revolute_a.frame_b)
    a, b = s.at(part.frame_a), s.at(part.frame_b)
    if not s.option(part, "showUniversalAxes", True):
        return ball(s, part, a, b)
    return cross(s, part, a, middle, (p.n_a, p.n_b), b)


@visual.register
def _(part: Planar, s: Setting) -> Shapes:
    p, a, b = s.values(part), s.at(part.frame_a), s.at(part.frame_b)
    side = s.size(part, "boxWidth", 3 * s.joint_size(a, b, n=p.n)[0])
    thick = s.size(part, "boxHeight", 0.05 * side)
    plate = a.along(p.n, p.n_x).moved(-thick)
    color = s.color(part, "boxColor")
    return [
        BoxShape(
            at=plate,
            length=thick,
            width=side,
            height=side,
            role="joint",
            color=color,
            opacity=0.5,
        ),
        *pin(s, part, b, b, p.n),
    ]


@visual.register(SphericalSpherical)
@visual.register(MasslessRod)
def _(part: SphericalSpherical, s: Setting) -> Shapes:
    ends = s.at(part.frame_a), s.at(part.frame_b)
    color = s.color(part, "sphereColor")
    balls: list[Shape] = []
    for at in ends:
        width = s.size(part, "sphereDiameter", s.ball_size(at))
        balls.append(Sphere(at=at, diameter=width, role="joint", color=color))
    diameter = s.size(part, "rodDiameter", s.sizes.joint_width / 2)
    bar = rod(s, s.between(part.frame_a, part.frame_b), diameter, s.color(part, "rodColor"))
    return [*balls, bar, *masses_on_line(s, part)]


@visual.register
def _(part: UniversalSpherical, s: Setting) -> Shapes:
    p, a, b = s.values(part), s.at(part.frame_a), s.at(part.frame_b)
    span = s.between(part.frame_a, part.frame_b)
    bar = chosen_rod(s, part, span, "rod", s.sizes.joint_width / 2, "body")
    fixed = s.at(part.frame_ia)
    second = p.rRod_ia.cross(
        Y if abs(float(p.rRod_ia.y)) < 0.5 * float(p.rRod_ia.norm()) else Z
    )
    axes = cross(s, part, a, fixed, (p.n1_a, second), fixed)
    return [
        *(axes if s.option(part, "showUniversalAxes", True) else ball(s, part, a, fixed)),
        bar,
        *ball(s, part, b, fixed)[:1],
    ]


@visual.register
def _(part: GearConstraint, s: Setting) -> Shapes:
    p = s.values(part)
    ends = s.at(part.frame_a), s.at(part.frame_b)
    scale = s.fixed_distance(*ends) or 2 * s.sizes.joint_length
    share = 1.0 / (1.0 + abs(float(p.ratio)))
    radii = scale * share, scale * (1 - share)
    places = ends[0].along(p.n_a), ends[1].along(p.n_b)
    teeth, shapes = teeth_of(*radii), []
    for k, n in enumerate((p.n_a, p.n_b)):
        along, around = s.ways_out(ends[k], n=n)
        hidden = 2 * along if radii[k] < 1.2 * around else 0.0  # by a thick body
        face = 0.4 * s.sizes.joint_length + hidden
        at = aimed(s, places[k], places[1 - k], half_tooth(teeth[k]) if k else 0.0)
        wheel = cogwheel(at.moved(-face / 2), radii[k], teeth[k], face, 0.4 * radii[k])
        shapes.append(wheel)
    return shapes


@visual.register
def _(part: VectorJoint, s: Setting) -> Shapes:
    return ball(s, part, s.at(part.frame_a), s.at(part.frame_b))


@visual.register
def _(part: SphericalConstraint, s: Setting) -> Shapes:
    return ball(s, part, s.at(part.frame_a), s.at(part.frame_b))


@visual.register(RevoluteConstraint)
@visual.register(RevolutePlanarLoopConstraint)
def _(part: RevoluteConstraint, s: Setting) -> Shapes:
    return pin(s, part, s.at(part.frame_a), s.at(part.frame_b), s.values(part).n)


@visual.register
def _(part: PrismaticConstraint, s: Setting) -> Shapes:
    p = s.values(part)
    free = [
        e
        for e, held in zip((X, Y, Z), (p.x_locked, p.y_locked, p.z_locked), strict=True)
        if not held
    ]
    a, b = s.at(part.frame_a), s.at(part.frame_b)
    return slider(s, part, a, b, free[0] if free else X)


@visual.register
def _(part: UniversalConstraint, s: Setting) -> Shapes:
    p, a, b = s.values(part), s.at(part.frame_a), s.at(part.frame_b)
    return cross(s, part, a, a, (p.n_a, p.n_b), b)
