"""Forms: what pictures and pages draw of a shape: pieces of meshes, lines and words.

`form_of(shape, length)` has one case for each kind of shape, by its class; `length` [m] is the
distance of the two points on which it stands, else its own length. A piece refers to a mesh of
unit size, which all shapes of equal proportions share, and says how it is scaled, turned,
stretched and coloured. Pictures take `Piece.solid`; pages get the meshes and the pieces, see
`geometry.py`, and stretch them while a run is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, singledispatch

import numpy as np

from motorik.immutable import immutable
from motorik.view.scene import shapes, solids
from motorik.view.scene.annotations import (
    ArrowAnnotation,
    Axes,
    Field,
    Grid,
    LineAnnotation,
    SurfaceAnnotation,
    TextAnnotation,
)
from motorik.view.scene.mesh import TriangleMesh, face_vectors, unit
from motorik.view.scene.place import Four, Triple
from motorik.view.scene.shapes import Shape
from motorik.view.scene.solids import HEAD, HEADS, ROUND
from motorik.view.theme import AXIS_COLOURS, shares_of

ROD = 0.42  # diameter of the rod of a damper, of that of its tube
STEEL = shares_of("#c9ced4")  # colour of the rod of a damper and of the rim of a wheel
RINGS = 32  # of a field along its length
THIN = 1 / 22  # diameter of the axes of a frame, of their length
DIGITS = 3  # of proportions, by which meshes are shared
HALF = 0.5**0.5
TO_AXES = ((0.0, 0.0, 0.0, 1.0), (0.0, 0.0, HALF, HALF), (0.0, -HALF, 0.0, HALF))
"""Quaternions that turn x to x, to y and to z."""


@immutable(eq=False)
class Piece:
    """A mesh as one shape uses it: scaled, stretched to a length [m], turned, coloured.

    A `colour` of None is that of the shape, an array has one for each triangle. Below the
    length `shortest` [m] the piece shrinks as a whole. `lines` are pairs of point numbers that
    are drawn instead of the sharp edges of the mesh.
    """

    mesh: TriangleMesh
    scale: Triple = (1.0, 1.0, 1.0)
    length: float = 0.0
    colour: Triple | np.ndarray | None = None
    turn: Four | None = None
    shortest: float = 0.0
    lines: np.ndarray | None = None

    @property
    def solid(self) -> TriangleMesh:
        """The mesh in the axes of the shape [m]."""
        whole = min(self.length / self.shortest, 1.0) if self.shortest else 1.0
        made = self.mesh.scaled([whole * size for size in self.scale], self.length)
        if self.turn is None:
            return made
        x, y, z, w = self.turn
        R = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )
        return made.moved(np.zeros(3), R)


@immutable(eq=False)
class Form:
    """Pieces of meshes, lines (points n × 3, width [px], dashed) and words (point, text, height).

    Points and heights are in m, in the axes of the shape.
    """

    pieces: Sequence[Piece] = ()
    lines: Sequence[tuple[np.ndarray, float, bool]] = ()
    words: Sequence[tuple[np.ndarray, str, float]] = ()

    @property
    def meshes(self) -> list[tuple[TriangleMesh, Triple | np.ndarray | None]]:
        """The meshes in the axes of the shape, each with its colour."""
        return [(piece.solid, piece.colour) for piece in self.pieces]


ROUNDNESS = ((0.002, 8), (0.01, 16), (0.04, 20), (0.12, 28))
"""Sides of round surfaces whose width is less than a share of the extent of the scene."""


@lru_cache(maxsize=512)
def unit_mesh(make: Callable[..., TriangleMesh], *sizes: float) -> TriangleMesh:
    """Return the mesh that a function of `solids` makes of these sizes, each made once."""
    return make(*sizes)


@lru_cache(maxsize=32)
def sliding_cylinder(end: float, sides: int) -> TriangleMesh:
    """Return a cylinder of length and diameter 1 that keeps its length when stretched.

    It begins at the origin (`end` = 0), or ends at the far end (`end` = 1).
    """
    made = unit_mesh(solids.cylinder, 1.0, 1.0, sides)
    points = made.points - (end, 0.0, 0.0)
    return replace(made, points=points, shares=np.full(len(points), end))


def ratio(a: float, b: float) -> float:
    """Return a / b, rounded so that meshes of equal proportions are one; 0 if b is 0."""
    return float(f"{a / b:.{DIGITS}g}") if b > 0.0 else 0.0


def sides_of(shape: Shape, extent: float) -> int:
    """Return how many sides round surfaces of a shape have, in a scene of an extent [m]."""
    (_, y, z), (_, v, w) = shape.box
    across = max(v - y, w - z)
    if not extent > 0.0:
        return ROUND
    share = across / extent
    return next((sides for most, sides in ROUNDNESS if share < most), ROUND)


@singledispatch
def form_of(shape: Shape, length: float, sides: int = ROUND) -> Form:
    """Return the form of a shape as long as this [m]; its round surfaces have so many sides."""
    raise NotImplementedError(f"pictures know no shape {type(shape).__name__}")


@form_of.register
def _(shape: shapes.BoxShape, length: float, sides: int = ROUND) -> Form:
    mesh = unit_mesh(solids.box, 1.0, 1.0, 1.0)
    return Form([Piece(mesh, (length, shape.width, shape.height))])


@form_of.register
def _(shape: shapes.Beam, length: float, sides: int = ROUND) -> Form:
    mesh = unit_mesh(solids.beam, 1.0, 1.0, 1.0, sides)
    return Form([Piece(mesh, (shape.width, shape.width, shape.height), length)])


@form_of.register
def _(shape: shapes.Sphere, length: float, sides: int = ROUND) -> Form:
    d = shape.diameter
    return Form([Piece(unit_mesh(solids.sphere, 1.0, sides), (d, d, d))])


@form_of.register
def _(shape: shapes.Ellipsoid, length: float, sides: int = ROUND) -> Form:
    sizes = (shape.length, shape.width, shape.height)
    return Form([Piece(unit_mesh(solids.sphere, 1.0, sides), sizes)])


@form_of.register
def _(shape: shapes.CylinderShape, length: float, sides: int = ROUND) -> Form:
    mesh = unit_mesh(solids.cylinder, 1.0, 1.0, sides)
    return Form([Piece(mesh, (length, shape.diameter, shape.diameter))])


@form_of.register
def _(shape: shapes.Cone, length: float, sides: int = ROUND) -> Form:
    mesh = unit_mesh(solids.cone, 1.0, 1.0, shape.top, sides)
    return Form([Piece(mesh, (length, shape.diameter, shape.diameter))])


@form_of.register
def _(shape: shapes.Pipe, length: float, sides: int = ROUND) -> Form:
    inner = min(ratio(shape.inner, shape.diameter), 1.0)
    kind = (solids.pipe, 1.0, 1.0, inner) if inner else (solids.cylinder, 1.0, 1.0)
    return Form([Piece(unit_mesh(*kind, sides), (length, shape.diameter, shape.diameter))])


@form_of.register
def _(shape: shapes.Gearwheel, length: float, sides: int = ROUND) -> Form:
    teeth, inner = max(int(shape.teeth), 3), ratio(shape.inner, shape.diameter)
    if shape.internal:
        mesh = unit_mesh(solids.gear_ring, 1.0, 1.0, inner, teeth)
    else:  # the heads of the teeth stand out of the pitch circle by a module
        mesh = unit_mesh(solids.gearwheel, 1.0, teeth / (teeth + 2), inner, teeth)
    return Form([Piece(mesh, (length, shape.diameter, shape.diameter))])


@form_of.register
def _(shape: shapes.SpringShape, length: float, sides: int = ROUND) -> Form:
    d = shape.diameter
    if not d > 0.0:
        return Form()
    mesh = unit_mesh(
        solids.coil, ratio(length, d), 1.0, ratio(shape.wire, d), float(shape.coils)
    )
    return Form([Piece(mesh, (d, d, d), length)])


@form_of.register
def _(shape: shapes.DamperShape, length: float, sides: int = ROUND) -> Form:
    d, (tube, rod) = shape.diameter, shape.lengths
    tube = min(tube, length)
    rod = length - max(min(length - rod, tube), 0.0)  # it reaches into the tube
    thin = ROD * d if shape.rod is None else shape.rod
    colour = shape.rod_color or STEEL
    return Form(
        [
            Piece(sliding_cylinder(0.0, sides), (tube, d, d), length),
            Piece(sliding_cylinder(1.0, sides), (rod, thin, thin), length, colour),
        ]
    )


@form_of.register
def _(shape: shapes.TorusShape, length: float, sides: int = ROUND) -> Form:
    d = shape.diameter
    if d > 0.0:
        return Form(
            [Piece(unit_mesh(solids.torus, 1.0, ratio(shape.tube, d), sides), (d, d, d))]
        )
    return Form([Piece(unit_mesh(solids.torus, 0.0, shape.tube, sides))])


@form_of.register
def _(shape: shapes.Wheel, length: float, sides: int = ROUND) -> Form:
    d, inner = shape.diameter, shape.inner or 0.6 * shape.diameter
    hole = min(ratio(inner, d), 0.98)
    tyre = unit_mesh(solids.tyre, 1.0, ratio(shape.width, d), hole, sides)
    rim = unit_mesh(solids.rim, ratio(shape.width, d), hole, sides)
    return Form([Piece(tyre, (d, d, d)), Piece(rim, (d, d, d), colour=STEEL)])


@form_of.register
def _(shape: SurfaceAnnotation, length: float, sides: int = ROUND) -> Form:
    rows, columns = shape.points.shape[:2]
    number = np.arange(rows * columns).reshape(rows, columns)
    a, b = number[:-1, :-1].reshape(-1), number[:-1, 1:].reshape(-1)
    c, d = number[1:, 1:].reshape(-1), number[1:, :-1].reshape(-1)
    faces = np.concatenate([np.column_stack([a, d, c]), np.column_stack([a, c, b])])
    points = shape.points.reshape(-1, 3).astype(float)
    sums = np.zeros_like(points)
    np.add.at(sums, faces, face_vectors(points, faces)[:, None])
    mesh = TriangleMesh(points, unit(sums), faces, np.zeros(len(faces), dtype=np.int64))
    return Form([Piece(mesh, lines=_net(number))])


def _net(number: np.ndarray) -> np.ndarray:
    """Return lines along some rows and columns of a grid of point numbers, its borders too."""
    step = max(1, -(-max(number.shape) // 24))
    found = []
    for grid in (number, number.T):
        chosen = np.unique(np.r_[np.arange(0, len(grid), step), len(grid) - 1])
        lines = grid[chosen]
        found.append(np.stack([lines[:, :-1], lines[:, 1:]], axis=-1).reshape(-1, 2))
    return np.concatenate(found)


def arrow_piece(
    length: float, diameter: float, double: bool = False, sides: int = ROUND
) -> Piece:
    """Return an arrow along x; a short one is slimmer, so that its heads stay the lesser part."""
    heads = (2 if double else 1) * HEAD * diameter
    unit_length = 2.0 * HEAD / HEADS  # of any arrow that is not short
    mesh = unit_mesh(solids.arrow, unit_length, 1.0, double, sides)
    return Piece(mesh, (diameter, diameter, diameter), length, shortest=heads / HEADS)


@form_of.register
def _(shape: ArrowAnnotation, length: float, sides: int = ROUND) -> Form:
    is_double = shape.double or (shape.vector is not None and shape.vector.double)
    return Form([arrow_piece(length, shape.diameter, is_double, sides)])


@form_of.register
def _(shape: LineAnnotation, length: float, sides: int = ROUND) -> Form:
    points = np.array(shape.points or ((0.0, 0.0, 0.0), (length, 0.0, 0.0)), dtype=float)
    return Form(lines=[(points, shape.width, shape.dashed)])


@form_of.register
def _(shape: Axes, length: float, sides: int = ROUND) -> Form:
    width = THIN * shape.size if shape.diameter is None else shape.diameter
    one = arrow_piece(shape.size, width, sides=sides)
    colours = shape.colors or [shape.color or shares_of(code) for code in AXIS_COLOURS]
    pieces = [
        replace(one, turn=turn, colour=colour)
        for turn, colour in zip(TO_AXES, colours, strict=True)
    ]
    prefix = shape.labels if isinstance(shape.labels, str) else ""
    ends = zip("xyz", 1.18 * shape.size * np.eye(3), strict=True) if shape.labels else ()
    words = [(end, f"{prefix}{name}", 0.22 * shape.size) for name, end in ends]
    return Form(pieces, words=words)


def field_form(shape: Field, values: Sequence[float], sides: int = ROUND) -> Form:
    """Return the form of a field at values of its channels."""
    mesh = unit_mesh(solids.hose, RINGS, sides)
    middles = mesh.points[mesh.triangles][..., 0].mean(axis=1)
    rings = np.clip(np.floor(middles * RINGS), 0, RINGS - 1).astype(int)
    colours = [shape.color_at((k + 0.5) / RINGS, values) for k in range(RINGS)]
    scale = (shape.length, shape.diameter, shape.diameter)
    return Form([Piece(mesh, scale, colour=np.array(colours)[rings])])


@form_of.register
def _(shape: TextAnnotation, length: float, sides: int = ROUND) -> Form:
    return Form(words=[(np.zeros(3), shape.text, shape.height)])


@form_of.register
def _(shape: Grid, length: float, sides: int = ROUND) -> Form:
    u, v = (shape.step * n for n in shape.counts)
    lines = []
    for x in shape.step * np.arange(-shape.counts[0], shape.counts[0] + 1):
        lines.append((np.array([[x, -v, 0.0], [x, v, 0.0]]), 1.0, False))
    for y in shape.step * np.arange(-shape.counts[1], shape.counts[1] + 1):
        lines.append((np.array([[-u, y, 0.0], [u, y, 0.0]]), 1.0, False))
    return Form(lines=lines)
