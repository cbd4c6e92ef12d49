"""Looks of the world: axes with labels, gravity, ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motorik.algebra.matrix import Matrix
from motorik.algebra.vector import Vector, X, Y, Z
from motorik.components.base.part import Part
from motorik.components.parts.world import World, gravity_field
from motorik.view.scene.annotations import ArrowAnnotation, Axes, Grid
from motorik.view.scene.place import ScenePose
from motorik.view.scene.shapes import Shape, Sphere
from motorik.view.theme import AXIS_COLOURS, shares_of
from motorik.view.visuals.base import Shapes, visual
from motorik.view.visuals.clearance import way_along
from motorik.view.visuals.setting import Setting

OUT, LONGEST = 1.8, 3.5  # axes beyond the bodies around them; of their usual length
FLAT_ON_NORMAL = Matrix.from_columns(Y, Z, X)  # turns z to x, and x and y across it


@visual.register
def _(part: World, s: Setting) -> Shapes:
    return world_shapes(part, s)


def world_shapes(part: World, s: Setting) -> list[Shape]:
    """Return the shapes of the world itself: axes, gravity and ground, by its options."""
    found: list[Shape] = []
    length = s.size(part, "axisLength", seen_length(s, 1.2 * s.sizes.axis))
    if s.option(part, "animateWorld", True):
        labels = bool(s.option(part, "axisShowLabels", True))
        width = s.size(part, "axisDiameter", s.sizes.axis_width(length))
        names = ("axisColor_x", "axisColor_y", "axisColor_z")
        axes = axes_of(s, part, ScenePose(), length, width, names, labels, "world")
        found.append(replace(axes, layer="world"))
    if s.option(part, "animateGravity", True):
        found += gravity_sign(part, s, length)
    if s.option(part, "animateGround", False):
        found.append(ground(part, s))
    return found


def seen_length(s: Setting, usual: float) -> float:
    """Return how long [m] axes of the world are: two leave the bodies there, if these are small."""
    bodies = s.solids.of(s.solids.known)
    _, way, _ = sorted(way_along(bodies, np.zeros(3), e) for e in np.eye(3))
    wanted = OUT * float(way)
    return wanted if way > usual and wanted < LONGEST * usual else usual


def axes_of(
    s: Setting,
    part: Part,
    at: ScenePose,
    length: float,
    width: float,
    names: tuple[str, str, str],
    labels: bool,
    role: str,
) -> Axes:
    """Return axes, whose colours are options of these names, else red, green and blue."""
    usual = s.color(part)
    chosen = [s.option(part, name, usual) for name in names]
    x, y, z = (
        shares_of(code) if own is None else own
        for own, code in zip(chosen, AXIS_COLOURS, strict=True)
    )
    colors = None if not any(chosen) else (x, y, z)
    return Axes(at=at, size=length, diameter=width, labels=labels, colors=colors, role=role)


def gravity_sign(part: World, s: Setting, length: float) -> list[Shape]:
    """Return the arrow of uniform gravity, or the ball of point gravity."""
    p = s.values(part)
    if p.gravityAcceleration is None and p.gravityType == "PointGravity":
        size = s.size(part, "gravitySphereDiameter", 2 * length)
        color = s.color(part, "gravitySphereColor")
        return [
            Sphere(at=ScenePose(), diameter=size, role="world", color=color, layer="world")
        ]
    field = gravity_field(p, part.label).uniform
    if field is None or float(field.norm()) == 0.0:
        return []
    tail = s.option(part, "gravityArrowTail", (-length, length, 0.0))
    size = s.size(part, "gravityArrowLength", length)
    width = s.size(part, "gravityArrowDiameter", length / 12)
    at = ScenePose(r=tuple(tail)).along(field)
    color = s.color(part, "gravityArrowColor")
    arrow = ArrowAnnotation(
        at=at, length=size, diameter=width, role="arrow_force", color=color, layer="world"
    )
    return [arrow]


def ground(part: World, s: Setting) -> Shape:
    """Return the ground: a grid across gravity through the origin."""
    p = s.values(part)
    size = s.size(part, "groundLength_u", 4 * s.sizes.extent)
    width = s.size(part, "groundLength_v", size)
    axis = s.option(part, "groundAxis_u")
    normal = -1.0 * p.n
    towards = None if axis is None else Vector(*axis)
    along = ScenePose().along(normal, towards)  # x is the normal; the grid lies in y and z
    turned = along.turned(FLAT_ON_NORMAL)
    return Grid(
        at=turned,
        size=size,
        width=width,
        role="ground",
        color=s.color(part, "groundColor"),
        layer="world",
    )
