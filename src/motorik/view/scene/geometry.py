"""Geometry: the meshes and pieces of a scene, as pages get them.

Python makes all meshes; a page only places them. Each mesh is written once, however many shapes
refer to it::

    "meshes": {"#0": {"vertices": …, "normals": …, "faces": …, "edges": …}}
    "shapes": [{"kind": "cylinder", …, "pieces": [{"mesh": "#0", "scale": [1, 0.1, 0.1]}]}]

A vertex of a piece lies at scale · vertex. In a piece that is stretched to a length L along x, as
springs, dampers, arrows and rods between moving points are, x = share · L + scale · offset; where
a mesh has no shares, x itself is the share. So a page changes one number per vertex while a run
is shown, and gets no mesh again, in live pages neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.view.scene.annotations import ArrowAnnotation, Field, MeshShape
from motorik.view.scene.blob import write_blob
from motorik.view.scene.forms import Form, Piece, field_form, form_of, sides_of
from motorik.view.scene.mesh import TriangleMesh
from motorik.view.scene.place import ScenePoint, SceneSpan, turned
from motorik.view.scene.shapes import Shape

if TYPE_CHECKING:
    from motorik.view.scene.scene import Scene

MOST_WITH_EDGES = 60_000  # triangles: edges of larger meshes would hide them
UNIT = 32767  # the 16-bit number that stands for 1
LONG = 4.0  # length of a vector whose values are not known, in sizes of annotations


def scene_form(scene: Scene, shape: Shape, length: float | None = None) -> Form:
    """Return the form of a shape of a scene; by default of its own length."""
    if length is None:
        length = getattr(shape, "length", None) or 0.0
    if isinstance(shape, MeshShape):
        mesh = scene.meshes[shape.key].surface
        return Form([Piece(mesh, (shape.scale, shape.scale, shape.scale))])
    sides = sides_of(shape, scene.extent)
    if isinstance(shape, Field):
        return field_form(shape, [float("nan")] * len(shape.channels), sides)
    return form_of(shape, length, sides)


def write_geometry(scene: Scene) -> tuple[dict[str, Any], list[list[dict[str, Any]]]]:
    """Return the meshes of a scene by name, and the pieces of each shape, as JSON has them."""
    names: dict[int, str] = {}
    meshes: dict[str, Any] = {}
    kept: list[TriangleMesh] = []  # so that no two have one id
    pieces: list[list[dict[str, Any]]] = []
    for shape in scene.shapes:
        own = []
        for piece in scene_form(scene, shape, nominal_length(scene, shape)).pieces:
            if id(piece.mesh) not in names:
                name = shape.key if isinstance(shape, MeshShape) else f"#{len(names)}"
                names[id(piece.mesh)] = name
                if isinstance(shape, MeshShape) or piece.lines is not None:
                    is_exact = isinstance(shape, MeshShape)
                    meshes[name] = write_mesh(piece.mesh, piece.lines, is_exact)
                else:
                    meshes[name] = _write_unit_mesh(piece.mesh)
                kept.append(piece.mesh)
            own.append(_write_piece(piece, names[id(piece.mesh)]))
        pieces.append(own)
    return meshes, pieces


def nominal_length(scene: Scene, shape: Shape) -> float | None:
    """Return the length [m] of a shape at the start; None if it has its own."""
    if isinstance(shape.at, SceneSpan):
        begin, end = (_start_of(scene, point) for point in (shape.at.begin, shape.at.end))
        low, high = shape.at.share
        length = (high - low) * float(np.linalg.norm(end - begin))
        return length if length > 0.0 else LONG * scene.size
    if isinstance(shape, ArrowAnnotation) and shape.vector is not None:
        return LONG * scene.size
    return None


def _start_of(scene: Scene, point: ScenePoint) -> np.ndarray:
    r = np.array(point.r)
    if not point.group:
        return r
    pose = scene.start[point.group - 1].astype(np.float32).astype(float)  # as in JSON
    return pose[:3] + turned(pose[3:], r)


def _write_piece(piece: Piece, mesh: str) -> dict[str, Any]:
    said: dict[str, Any] = {"mesh": mesh, "scale": list(map(float, piece.scale))}
    if piece.mesh.shares is not None:
        said["length"] = float(piece.length)
    if piece.shortest:
        said["shortest"] = float(piece.shortest)
    if isinstance(piece.colour, tuple):
        said["color"] = list(piece.colour)
    if piece.turn is not None:
        said["q"] = list(piece.turn)
    return said


def write_mesh(
    mesh: TriangleMesh, lines: np.ndarray | None = None, is_exact: bool = False
) -> dict[str, Any]:
    """Return a mesh as JSON has it; without `lines` its sharp edges are drawn.

    Vertices are 16-bit shares of `size` [m], or 32-bit numbers if they are to be exact.
    """
    kind = "u16" if len(mesh.points) < 1 << 16 else "u32"
    size = 1.0 if is_exact else float(np.abs(mesh.points).max(initial=0.0)) or 1.0
    vertices = write_blob(mesh.points, "f32") if is_exact else _shares(mesh.points / size)
    said = {
        "vertices": vertices,
        "size": size,
        "normals": _shares(mesh.normals),
        "faces": write_blob(mesh.triangles, kind),
        "edges": write_blob(_sharp_edges(mesh) if lines is None else lines, kind),
    }
    if mesh.shares is not None:
        said["shares"] = _shares(mesh.shares)
    if mesh.colours is not None:
        said["colors"] = write_blob(np.round(255 * mesh.colours), "u8")
    return said


@lru_cache(maxsize=256)
def _write_unit_mesh(mesh: TriangleMesh) -> dict[str, Any]:
    """Return a mesh that many shapes and scenes share, as JSON has it; written once."""
    return write_mesh(mesh)


def _shares(values: np.ndarray) -> dict[str, Any]:
    """Return numbers of −1 to 1 as a blob of 16 bits each."""
    return write_blob(np.round(UNIT * values), "i16")


def _sharp_edges(mesh: TriangleMesh) -> np.ndarray:
    if len(mesh.triangles) > MOST_WITH_EDGES:
        return np.zeros((0, 2), dtype=np.int64)
    if mesh.shares is not None:  # long enough to keep its ends apart
        mesh = mesh.scaled(
            (1.0, 1.0, 1.0), 10.0 * float(np.abs(mesh.points).max(initial=1.0))
        )
    ends, _, sharp = mesh.edges
    return ends[sharp]


def drawn_keys(shapes: list[Mapping[str, Any]]) -> set[str]:
    """Return the names of the meshes that come from files, by the JSON of shapes."""
    return {str(shape["key"]) for shape in shapes if shape.get("kind") == MeshShape.kind}
