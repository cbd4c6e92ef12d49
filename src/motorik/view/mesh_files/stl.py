"""STL: triangles in a binary file or in a text; sizes are checked before anything is read."""

from __future__ import annotations

import re
import struct
from array import array

import numpy as np

from motorik.view.mesh_files.limits import check_faces, refuse

HEAD, EACH = 84, 50  # bytes before the triangles, and of each of them
VERTEX = re.compile(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)
RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("note", "<u2")])


def read_stl(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices [n, 3] and triangles [m, 3] of an STL file; each has corners of its own."""
    is_text = data[:256].lstrip()[:5].lower() == b"solid"
    if len(data) >= HEAD:
        (count,) = struct.unpack_from("<I", data, HEAD - 4)
        there = HEAD + EACH * count <= len(data)
        if there and not (is_text and HEAD + EACH * count != len(data)):
            check_faces(count)
            found = np.frombuffer(data, RECORD, count, HEAD)["corners"]
            return _apart(found.reshape(-1, 3).astype(float))
    if not is_text:
        refuse("")  # the reason is found from its bytes
    return _apart(_read_text(data))


def _read_text(data: bytes) -> np.ndarray:
    check_faces(data.lower().count(b"vertex") // 3)
    if b"endsolid" not in data.lower():
        refuse("ends too early: there is no 'endsolid'")
    numbers = array("d")
    for found in VERTEX.finditer(data):
        numbers.extend(map(float, found.groups()))
    corners = np.frombuffer(numbers).reshape(-1, 3).copy()
    if len(corners) % 3:
        refuse("is damaged, or ends too early: a triangle has not three corners")
    return corners


def _apart(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return corners, np.arange(len(corners)).reshape(-1, 3)
