"""Forms: the meshes, strokes and labels of the shapes of a scene, in their own axes.

`form_of(shape, length)` has one case for each kind of shape, by its class; `length` [m] is
that between the two points on which it stands, else its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from math import tau

import numpy as np

from motorik.view.render import solids
from motorik.view.render.mesh import TriangleMesh
from motorik.view.scene import shapes, signs
from motorik.view.scene.place import Triple
from motorik.view.scene.shapes import Shape
from motorik.view.theme import AXIS_COLOURS, shares_of

HEAD = 3.2  # length of the head of an arrow, in diameters of its shaft
WIDE = 2.3  # its diameter, alike
HEADS = 0.45  # length of all heads of an arrow, of the whole: the most
ROD = 0.42  # diameter of the rod of a damper, of that of its tube
STEEL = shares_of("#c9ced4")  # its colour
PER_COIL = 24  # points of a coil
RISE = 0.8  # turns in which a coil grows from the axis to its diameter
RINGS = 32  # of a field along its length
LINES = 10  # of a grid, in each direction
THIN = 1 / 22  # diameter of the axes of a frame, of their length


@dataclass(frozen=True, eq=False)
class Form:
    """Meshes, lines (points n × 3) and words (point, text, height [m]), each with its colour.

    A colour of None is that of the shape; an array has one for each triangle.
    """

    meshes: Sequence[tuple[TriangleMesh, Triple | np.ndarray | None]] = ()
    lines: Sequence[tuple[np.ndarray, float, bool]] = ()
    words: Sequence[tuple[np.ndarray, str, float]] = ()


def solid(mesh: TriangleMesh) -> Form:
    """Return the form of one mesh in the colour of its shape."""
    return Form([(mesh, None)])


@singledispatch
def form_of(shape: Shape, length: float) -> Form:
    """Return the form of a shape as long as this [m]."""
    raise NotImplementedError(f"pictures know no shape {type(shape).__name__}")


@form_of.register
def _(shape: shapes.BoxShape, length: float) -> Form:
    return solid(solids.box(length, shape.width, shape.height))


@form_of.register
def _(shape: shapes.Beam, length: float) -> Form:
    return solid(solids.beam(length, shape.width, shape.height))


@form_of.register
def _(shape: shapes.Sphere, length: float) -> Form:
    return solid(solids.sphere(shape.diameter))


@form_of.register
def _(shape: shapes.Ellipsoid, length: float) -> Form:
    return solid(solids.ellipsoid(shape.length, shape.width, shape.height))


@form_of.register
def _(shape: shapes.CylinderShape, length: float) -> Form:
    return solid(solids.cylinder(length, shape.diameter))


@form_of.register
def _(shape: shapes.Cone, length: float) -> Form:
    return solid(solids.cone(length, shape.diameter, shape.top * shape.diameter))


@form_of.register
def _(shape: shapes.Pipe, length: float) -> Form:
    if shape.inner <= 0.0:
        return solid(solids.cylinder(length, shape.diameter))
    return solid(solids.pipe(length, shape.diameter, shape.inner))


@form_of.register
def _(shape: shapes.Gearwheel, length: float) -> Form:
    teeth = max(int(shape.teeth), 3)
    if shape.internal:
        return solid(solids.gear_ring(length, shape.diameter, shape.inner, teeth))
    pitch = shape.diameter * teeth / (teeth + 2)  # the heads stand out by a module
    return solid(solids.gearwheel(length, pitch, shape.inner, teeth))


@form_of.register
def _(shape: shapes.SpringShape, length: float) -> Form:
    return solid(coil(length, shape.diameter, shape.wire, shape.coils))


@form_of.register
def _(shape: shapes.DamperShape, length: float) -> Form:
    tube, rod = shape.lengths
    tube = min(tube, length)
    begin = max(min(length - rod, tube), 0.0)
    thin = ROD * shape.diameter if shape.rod is None else shape.rod
    piston = solids.cylinder(length - begin, thin).moved(np.array([begin, 0, 0]), np.eye(3))
    colour = shape.rod_color or STEEL
    return Form([(solids.cylinder(tube, shape.diameter), None), (piston, colour)])


@form_of.register
def _(shape: shapes.TorusShape, length: float) -> Form:
    return solid(solids.torus(shape.diameter, shape.tube))


@form_of.register
def _(shape: shapes.Wheel, length: float) -> Form:
    inner = shape.inner or 0.6 * shape.diameter
    return solid(solids.wheel(shape.diameter, shape.width, inner))


@form_of.register
def _(shape: signs.SurfaceAnnotation, length: float) -> Form:
    rows, columns = shape.points.shape[:2]
    i = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).reshape(-1)
    faces = np.concatenate(
        [
            np.column_stack([i, i + columns, i + 1]),
            np.column_stack([i + 1, i + columns, i + columns + 1]),
        ]
    )
    return solid(TriangleMesh.of_faces(shape.points.reshape(-1, 3), faces))


@form_of.register
def _(shape: signs.ArrowAnnotation, length: float) -> Form:
    is_double = shape.double or (shape.vector is not None and shape.vector.double)
    return solid(arrow(length, shape.diameter, is_double))


@form_of.register
def _(shape: signs.LineAnnotation, length: float) -> Form:
    points = np.array(shape.points or ((0.0, 0.0, 0.0), (length, 0.0, 0.0)), dtype=float)
    return Form(lines=[(points, shape.width, shape.dashed)])


@form_of.register
def _(shape: signs.Axes, length: float) -> Form:
    width = THIN * shape.size if shape.diameter is None else shape.diameter
    one, places = arrow(shape.size, width), np.eye(3)
    colours = shape.colors or [shape.color or shares_of(code) for code in AXIS_COLOURS]
    turns = [np.roll(np.eye(3), k, axis=0) for k in range(3)]  # x to x, to y, to z
    meshes = [
        (one.moved(np.zeros(3), R), colour)
        for R, colour in zip(turns, colours, strict=True)
    ]
    prefix = shape.labels if isinstance(shape.labels, str) else ""
    ends = zip("xyz", 1.18 * shape.size * places, strict=True) if shape.labels else ()
    words = [(end, f"{prefix}{name}", 0.22 * shape.size) for name, end in ends]
    return Form(meshes, words=words)


def field_form(shape: signs.Field, values: Sequence[float]) -> Form:
    """Return the form of a field at values of its channels."""
    r = shape.diameter / 2
    mesh = solids.revolved([(x, r) for x in np.linspace(0.0, shape.length, RINGS + 1)])
    middles = mesh.points[mesh.triangles][..., 0].mean(axis=1) / shape.length
    rings = np.clip(np.floor(middles * RINGS), 0, RINGS - 1).astype(int)
    colours = [shape.color_at((k + 0.5) / RINGS, values) for k in range(RINGS)]
    return Form([(mesh, np.array(colours)[rings])])


@form_of.register
def _(shape: signs.TextAnnotation, length: float) -> Form:
    return Form(words=[(np.zeros(3), shape.text, shape.height)])


@form_of.register
def _(shape: signs.Grid, length: float) -> Form:
    u, v, lines = shape.size / 2, (shape.width or shape.size) / 2, []
    for x, y in zip(*(np.linspace(-h, h, LINES + 1) for h in (u, v)), strict=True):
        lines.append((np.array([[x, -v, 0.0], [x, v, 0.0]]), 1.0, False))
        lines.append((np.array([[-u, y, 0.0], [u, y, 0.0]]), 1.0, False))
    return Form(lines=lines)


def arrow(length: float, diameter: float, double: bool = False) -> TriangleMesh:
    """Return an arrow along x; a double one has two heads, one behind the other.

    A short one is slimmer: its heads are never longer than its shaft.
    """
    heads = 2 if double else 1
    diameter = min(diameter, HEADS * length / (heads * HEAD))
    head = HEAD * diameter
    r, wide = diameter / 2, WIDE * diameter / 2
    profile = [(0.0, 0.0), (0.0, r), (length - heads * head, r)]
    for k in range(heads, 0, -1):
        profile += [
            (length - k * head, wide),
            (length - (k - 1) * head, r if k > 1 else 0.0),
        ]
    return solids.revolved(profile)


def coil(length: float, diameter: float, wire: float, coils: float) -> TriangleMesh:
    """Return a coil spring along x: straight ends on its axis, and coils between them."""
    turns = max(coils, 1.0)
    s = np.linspace(0.0, 1.0, round(PER_COIL * turns) + 1)
    grown = np.minimum(1.0, np.minimum(s, 1.0 - s) * turns / RISE)
    radius = max(diameter - wire, 0.0) / 2 * grown**2 * (3.0 - 2.0 * grown)
    end = min(0.12 * length, 0.5 * diameter)
    turn = tau * turns * s
    x = end + s * (length - 2 * end)
    curve = np.column_stack([x, radius * np.cos(turn), radius * np.sin(turn)])
    ends = np.array([[0.0, 0.0, 0.0], [length, 0.0, 0.0]])
    return solids.tube(np.vstack([ends[:1], curve, ends[1:]]), wire, 10)
