"""OBJ: corners and faces of a text; materials and whatever else it names are passed over."""

from __future__ import annotations

import io
from array import array
from collections.abc import Iterator

import numpy as np

from motorik.view.mesh_files.limits import LONGEST_LINE, check_corners, check_faces, refuse


def read_obj(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices [n, 3] and triangles [m, 3] of an OBJ file, all its bodies together."""
    if b"\0" in data:
        refuse("is no OBJ file: it is no text in UTF-8")
    check_corners(data.count(b"\nv "))
    check_faces(data.count(b"\nf "), known=False)
    numbers, corners, count = array("d"), array("q"), 0
    for kind, *rest in _lines(data):
        if kind == b"v":
            count += 1
            check_corners(count)
            x, y, z = map(float, rest[:3])
            numbers.extend((x, y, z))
        elif kind == b"f":
            own = [_number(word, count) for word in rest]
            if len(own) < 3:
                refuse("is damaged, or ends too early: a face has fewer than three corners")
            check_faces(len(corners) // 3 + len(own) - 2, known=False)
            for i in range(1, len(own) - 1):
                corners.extend((own[0], own[i], own[i + 1]))
    vertices = np.frombuffer(numbers).reshape(-1, 3).copy()
    return vertices, np.frombuffer(corners, np.int64).reshape(-1, 3).copy()


def _lines(data: bytes) -> Iterator[list[bytes]]:
    """Yield the words of each line that has some; a backslash goes on in the next line."""
    before = b""
    for line in io.BytesIO(data):
        line = before + line.strip()
        if len(line) > LONGEST_LINE:
            refuse(f"is no OBJ file: it has a line of more than {LONGEST_LINE} characters")
        before = line[:-1] + b" " if line.endswith(b"\\") else b""
        if not before and line[:1] in b"vf" and line[1:2].isspace():
            yield line.split()


def _number(word: bytes, count: int) -> int:
    """Return the number of a corner from 0; negative ones count back from the last one."""
    number = int(word.partition(b"/")[0])
    return number - 1 if number > 0 else count + number
