"""DXF: the 3-D faces of a drawing file, as Modelica's shapes are kept.

A DXF file is pairs of lines, a number (what follows) and a value. Read are 3DFACE and the
meshes of POLYLINE; whatever else a drawing holds is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

Pairs = list[tuple[int, str]]

CORNERS = 4  # of a face
IS_MESH = 64  # flag of a polyline that is a mesh of numbered faces
IS_FACE = 128  # flag of a vertex that is (also) part of such a mesh
IS_CORNER = 64  # flag of a vertex that is a corner of it


def read_dxf(text: str) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices [n, 3] and triangles [m, 3] of a DXF text; raise ValueError if it is none."""
    vertices: list[Sequence[float]] = []
    faces: list[tuple[int, ...]] = []
    mesh: list[Pairs] | None = None
    for kind, values in _entities(_pairs(text)):
        if kind == "3DFACE":
            first = len(vertices)
            vertices += _corners(values)
            faces.append(tuple(range(first, first + CORNERS)))
        elif kind == "POLYLINE":
            mesh = [] if _flags(values) & IS_MESH else None
        elif kind == "VERTEX" and mesh is not None:
            mesh.append(values)
        elif kind == "SEQEND" and mesh is not None:
            _take_mesh(mesh, vertices, faces)
            mesh = None
    if not faces:
        raise ValueError("it holds no 3DFACE and no mesh")
    return np.array(vertices, dtype=float), np.array(_triangles(vertices, faces), dtype=int)


def _pairs(text: str) -> Pairs:
    lines = text.splitlines()
    return [
        (int(code), value.strip())
        for code, value in zip(lines[::2], lines[1::2], strict=False)
    ]


def _entities(pairs: Pairs) -> Iterator[tuple[str, Pairs]]:
    """Yield what is drawn: its kind and its pairs."""
    kind, own = "", []
    for code, value in pairs:
        if code == 0:
            if kind:
                yield kind, own
            kind, own = value.upper(), []
        else:
            own.append((code, value))
    if kind:
        yield kind, own


def _point(values: Pairs, k: int) -> list[float]:
    table = dict(values)
    return [float(table.get(10 * axis + k, "0")) for axis in (1, 2, 3)]


def _corners(values: Pairs) -> list[list[float]]:
    return [_point(values, k) for k in range(CORNERS)]


def _flags(values: Pairs) -> int:
    return int(dict(values).get(70, "0"))


def _take_mesh(
    mesh: list[Pairs], vertices: list[Sequence[float]], faces: list[tuple[int, ...]]
) -> None:
    """Add the corners and numbered faces of a polyline."""
    first = len(vertices)
    for values in mesh:
        flags, table = _flags(values), dict(values)
        if flags & IS_CORNER:
            vertices.append(_point(values, 0))
        elif flags & IS_FACE:
            numbers = [abs(int(table[code])) for code in (71, 72, 73, 74) if code in table]
            faces.append(tuple(first + number - 1 for number in numbers if number))


def _triangles(
    vertices: list[Sequence[float]], faces: list[tuple[int, ...]]
) -> list[tuple[int, int, int]]:
    """Return faces of three or four corners as triangles; a repeated corner is none."""
    found: list[tuple[int, int, int]] = []
    for face in faces:
        own: list[int] = []
        for k in face:
            if not own or list(vertices[own[-1]]) != list(vertices[k]):
                own.append(k)
        if len(own) > 1 and list(vertices[own[0]]) == list(vertices[own[-1]]):
            own.pop()
        found += [(own[0], own[i], own[i + 1]) for i in range(1, len(own) - 1)]
    return found
