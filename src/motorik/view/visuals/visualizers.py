"""Looks of visualizers: shapes of any kind, arrows, axes, texts, surfaces and meshes."""

from __future__ import annotations

from math import isclose, pi
from types import SimpleNamespace

import numpy as np

from motorik.algebra.vector import X, Y, Z
from motorik.components import visualizers as parts
from motorik.view.scene import annotations, shapes
from motorik.view.scene.place import ScenePose, Triple, triple
from motorik.view.theme import color_steps
from motorik.view.visuals.base import Shapes, visual
from motorik.view.visuals.forces import NOT_SCALED
from motorik.view.visuals.named_shapes import on, shape_of, usual_height
from motorik.view.visuals.setting import Setting
from motorik.view.visuals.world import axes_of


@visual.register
def _(part: parts.ShapedVisualizer, s: Setting) -> Shapes:
    p, at = s.values(part), s.at(part.frame_a)
    along = p.lengthDirection
    if isinstance(part, parts.FixedShape2):
        along = p.r - p.r_shape if along is None else along
        if float(along.norm()) == 0.0:
            along = X
    length = float((p.r - p.r_shape).norm() if p.length is None else p.length)
    name, width = str(p.shapeType), float(p.width)
    height = usual_height(name, width) if p.height is None else float(p.height)
    begin = on(at, p.r_shape).along(along, p.widthDirection)
    sizes = SimpleNamespace(length=length, width=width, height=height, extra=float(p.extra))
    return shape_of(s, part, name, begin, sizes)


# --- annotations ---------------------------------------------------------------------------


@visual.register
def _(part: parts.FixedFrame, s: Setting) -> Shapes:
    p = s.values(part)
    size, labels = float(p.length), bool(p.showLabels)
    width = s.size(part, "diameter", s.sizes.axis_width(size))
    names = ("color_x", "color_y", "color_z")
    return [axes_of(s, part, s.at(part.frame_a), size, width, names, labels, "frame")]


@visual.register
def _(part: parts.FixedArrow, s: Setting) -> Shapes:
    p = s.values(part)
    at = on(s.at(part.frame_a), p.r_tail).along(p.n)
    length = float(p.length)
    tail = at.moved(-length) if p.headAtOrigin else at
    role, double = arrow_role(p.quantity)
    width = s.size(part, "diameter", max(length / 20, s.sizes.arrow / 2))
    color = s.color(part)
    return [
        annotations.ArrowAnnotation(
            at=tail, length=length, diameter=width, double=double, role=role, color=color
        )
    ]


def arrow_role(quantity: str) -> tuple[str, bool]:
    """Return role and heads of an arrow by its quantity."""
    if quantity == "Force":
        return "arrow_force", False
    is_turning = quantity in ("Torque", "AngularVelocity", "AngularAcceleration")
    return ("arrow_torque", True) if is_turning else ("signal", False)


@visual.register
def _(part: parts.SignalArrow, s: Setting) -> Shapes:
    p, frame = s.values(part), s.at(part.frame_a)
    i, j, k = s.channels(part, *(f"r_head[{n}]" for n in (1, 2, 3)))
    role, double = arrow_role(p.quantity)
    scale = 1.0 if p.quantity == "RelativePosition" else NOT_SCALED
    at = on(frame, p.r_tail)
    reading = annotations.VectorReading((i, j, k), frame.group, frame.q, scale, double)
    color, width = s.color(part), s.size(part, "diameter", s.sizes.arrow)
    arrow = annotations.ArrowAnnotation(
        at=ScenePose(at.group, at.r),
        diameter=width,
        vector=reading,
        role=role,
        color=color,
    )
    return [arrow]


@visual.register
def _(part: parts.FixedText, s: Setting) -> Shapes:
    p = s.values(part)
    height = s.sizes.annotation / 2 if p.height is None else float(p.height)
    at, text = s.at(part.frame_a), str(p.text)
    return [
        annotations.TextAnnotation(
            at=at, text=text, height=height, role="text", color=s.color(part)
        )
    ]


@visual.register
def _(part: parts.FixedLine, s: Setting) -> Shapes:
    p = s.values(part)
    points: tuple[Triple, ...] = tuple(triple(row) for row in p.points)
    at, dashed = s.at(part.frame_a), bool(p.dashed)
    return [
        annotations.LineAnnotation(at=at, points=points, dashed=dashed, color=s.color(part))
    ]


# --- surfaces ------------------------------------------------------------------------------


@visual.register
def _(part: parts.Torus, s: Setting) -> Shapes:
    p, at, color = s.values(part), s.at(part.frame_a), s.color(part)
    R, r = float(p.R), float(p.r)
    is_whole = not p.opening and isclose(float(p.stopAngle - p.startAngle), 2 * pi)
    if is_whole:
        return [
            shapes.TorusShape(at=at.along(Y, Z), diameter=2 * R, tube=2 * r, color=color)
        ]
    ring = np.linspace(float(p.startAngle), float(p.stopAngle), p.n_R)[:, None]
    opening = float(p.opening)
    tube = np.linspace(opening - pi, pi - opening, p.n_r)[None]
    out = R - r * np.cos(tube)
    points = np.stack(
        [out * np.sin(ring), r * np.sin(tube) + 0.0 * ring, out * np.cos(ring)], axis=-1
    )
    return [annotations.SurfaceAnnotation(at=at, points=points, color=color)]


@visual.register
def _(part: parts.VoluminousWheel, s: Setting) -> Shapes:
    p, at = s.values(part), s.at(part.frame_a).along(Y, Z)
    inner = 2 * min(float(p.rRim), 0.98 * float(p.rTire))
    color = s.color(part) or (0.25, 0.25, 0.25)
    width = float(p.width)
    diameter = 2 * float(p.rTire)
    return [shapes.Wheel(at=at, diameter=diameter, width=width, inner=inner, color=color)]


@visual.register
def _(part: parts.Rectangle, s: Setting) -> Shapes:
    p = s.values(part)
    u = np.linspace(-0.5, 0.5, max(p.nu, 2))[:, None] * float(p.length_u)
    v = np.linspace(-0.5, 0.5, max(p.nv, 2))[None] * float(p.length_v)
    flat = np.stack([u + 0 * v, v + 0 * u, 0 * u + 0 * v], axis=-1)
    at = s.at(part.frame_a).along(p.direction_u, p.direction_v)
    return [annotations.SurfaceAnnotation(at=at, points=flat, color=s.color(part))]


@visual.register
def _(part: parts.PipeWithScalarField, s: Setting) -> Shapes:
    p = s.values(part)
    names = (f"T[{k + 1}]" for k in range(len(p.xsi)))
    return [
        annotations.Field(
            at=s.at(part.frame_a),
            length=float(p.length),
            diameter=2 * float(p.rOuter),
            channels=s.channels(part, *names),
            shares=tuple(map(float, p.xsi)),
            low=float(p.T_min),
            high=float(p.T_max),
            colors=color_steps(str(p.colorMap), int(p.n_colors)),
        )
    ]


@visual.register
def _(part: parts.Ground, s: Setting) -> Shapes:
    p = s.values(part)
    side, height = float(p.length), float(p.height)
    at = s.at(part.frame_a).moved(-side / 2, 0.0, -height / 2)
    color = s.color(part, "groundColor")
    return [
        shapes.BoxShape(
            at=at, length=side, width=side, height=height, role="ground", color=color
        )
    ]


@visual.register
def _(part: parts.Surface, s: Setting) -> Shapes:
    p = s.values(part)
    u, v = (np.linspace(0.0, 1.0, max(count, 2)) for count in (p.nu, p.nv))
    rows = [[p.surfaceCharacteristic(float(a), float(b)) for b in v] for a in u]
    points = np.array(rows, dtype=float)
    return [
        annotations.SurfaceAnnotation(
            at=s.at(part.frame_a), points=points, color=s.color(part)
        )
    ]


@visual.register
def _(part: parts.FixedSurface, s: Setting) -> Shapes:
    p = s.values(part)
    x = np.linspace(-0.5, 0.5, max(p.n_x, 2)) * float(p.length)
    y = np.linspace(-0.5, 0.5, max(p.n_y, 2)) * float(p.width)
    rows = [[(a, b, float(p.function(float(a), float(b)))) for b in y] for a in x]
    return [
        annotations.SurfaceAnnotation(
            at=s.at(part.frame_a), points=np.array(rows), color=s.color(part)
        )
    ]
