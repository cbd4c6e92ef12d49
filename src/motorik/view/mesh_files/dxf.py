"""DXF: the 3-D faces of a drawing file, as Modelica's shapes are kept.

A DXF file is pairs of lines, a number (what follows) and a value. Read are 3DFACE and the
meshes of POLYLINE; whatever else a drawing holds is passed over.
"""

from __future__ import annotations

import io
from array import array
from collections.abc import Iterable, Iterator

import numpy as np

from motorik.view.mesh_files.limits import LONGEST_LINE, check_corners, check_faces

Pairs = list[tuple[int, str]]

CORNERS = 4  # of a face
MOST_PAIRS = 1000  # of one entity that are kept
IS_MESH = 64  # flag of a polyline that is a mesh of numbered faces
IS_FACE = 128  # flag of a vertex that is (also) part of such a mesh
IS_CORNER = 64  # flag of a vertex that is a corner of it


def read_dxf(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices [n, 3] and triangles [m, 3] of a DXF file; raise ValueError if it is none."""
    numbers, triangles = array("d"), array("q")
    first: int | None = None  # corner of the mesh that is being read
    for kind, values in _entities(_pairs(data)):
        count = len(numbers) // 3
        if kind == "3DFACE":
            for k in range(CORNERS):
                numbers.extend(_point(values, k))
            _add_face(range(count, count + CORNERS), numbers, triangles)
        elif kind == "POLYLINE":
            first = count if _flags(values) & IS_MESH else None
        elif kind == "SEQEND":
            first = None
        elif kind == "VERTEX" and first is not None:
            _take_vertex(values, first, numbers, triangles)
        check_corners(len(numbers) // 3)
        check_faces(len(triangles) // 3, known=False)
    if not triangles:
        raise ValueError("it holds no 3DFACE and no mesh")
    vertices = np.frombuffer(numbers).reshape(-1, 3).copy()
    return vertices, np.frombuffer(triangles, np.int64).reshape(-1, 3).copy()


def _pairs(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the pairs of lines, one after the other."""
    lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="replace")
    for code in lines:
        value = next(lines, None)
        if value is None:
            return
        if len(value) > LONGEST_LINE:
            raise ValueError("a line is too long")
        yield int(code), value.strip()


def _entities(pairs: Iterable[tuple[int, str]]) -> Iterator[tuple[str, Pairs]]:
    """Yield the entities of a drawing: kind and first pairs of each."""
    kind: str = ""
    own: Pairs = []
    for code, value in pairs:
        if code == 0:
            if kind:
                yield kind, own
            kind, own = value.upper(), []
        elif len(own) < MOST_PAIRS:
            own.append((code, value))
    if kind:
        yield kind, own


def _point(values: Pairs, k: int) -> list[float]:
    table = dict(values)
    return [float(table.get(10 * axis + k, "0")) for axis in (1, 2, 3)]


def _flags(values: Pairs) -> int:
    return int(dict(values).get(70, "0"))


def _take_vertex(
    values: Pairs, first: int, numbers: array[float], triangles: array[int]
) -> None:
    """Add a corner or a numbered face of a polyline that begins with the corner `first`."""
    flags, table = _flags(values), dict(values)
    if flags & IS_CORNER:
        numbers.extend(_point(values, 0))
    elif flags & IS_FACE:
        own = [abs(int(table[code])) for code in (71, 72, 73, 74) if code in table]
        _add_face([first + number - 1 for number in own if number], numbers, triangles)


def _add_face(face: Iterable[int], numbers: array[float], triangles: array[int]) -> None:
    """Add a face of three or four corners as triangles; a repeated corner is none."""

    def place(k: int) -> array[float]:
        if 3 * k + 3 > len(numbers):
            raise ValueError("a face has corners that do not exist")
        return numbers[3 * k : 3 * k + 3]

    own: list[int] = []
    for k in face:
        if not own or place(own[-1]) != place(k):
            own.append(k)
    if len(own) > 1 and place(own[0]) == place(own[-1]):
        own.pop()
    for i in range(1, len(own) - 1):
        triangles.extend((own[0], own[i], own[i + 1]))
