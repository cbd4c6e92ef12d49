"""What is wrong with the file of a mesh that cannot be read, in words."""

from __future__ import annotations

import io
import re
import struct
from itertools import islice
from pathlib import Path

MOST_LINES = 100_000  # of a drawing that are looked at
MOST_TRIANGLES = 100_000_000  # that a file may claim to have
DAMAGED = "is damaged: what it says about itself does not fit"


def fault_of(path: Path) -> str:
    """Return what is wrong with a file that its reader refuses, by its suffix and its bytes."""
    data = path.read_bytes()
    if not data:
        return "is empty"
    kind = path.suffix.lower().removeprefix(".")
    return {"glb": _of_glb, "stl": _of_stl, "obj": _of_obj, "dxf": _of_dxf}[kind](data)


def _of_glb(data: bytes) -> str:
    if data[:4] != b"glTF":
        return "is no GLB file: it does not begin with 'glTF'"
    if len(data) < 12:
        return "ends too early"
    (length,) = struct.unpack("<I", data[8:12])
    return _cut(len(data), length, "bytes") if len(data) < length else DAMAGED


def _of_stl(data: bytes) -> str:
    text = _text(data)
    if text is not None and text.lstrip().lower().startswith("solid"):
        if "endsolid" not in text.lower():
            return "ends too early: there is no 'endsolid'"
        return "holds no triangles" if "facet" not in text.lower() else DAMAGED
    if data[:5].lower() == b"solid":
        return "is damaged: it begins as a text, but is none in UTF-8"
    if text is not None and "\0" not in text:
        return "is a text, but no STL: it does not begin with 'solid'"
    if len(data) < 84:
        return "is no STL file: it is neither text nor long enough for a binary one"
    (count,) = struct.unpack("<I", data[80:84])
    there = (len(data) - 84) // 50
    if there < count < MOST_TRIANGLES:
        return _cut(there, count, "triangles")
    return "holds no triangles" if count == 0 else "is no STL file"


def _of_obj(data: bytes) -> str:
    if _text(data) is None or b"\0" in data:
        return "is no OBJ file: it is no text in UTF-8"
    if not re.search(rb"^[ \t]*v[ \t]", data, re.MULTILINE):
        return "is no OBJ file: no line begins with 'v', for a corner"
    if not re.search(rb"^[ \t]*f[ \t]", data, re.MULTILINE):
        return "holds no triangles: no line begins with 'f', for a face"
    return "is damaged: its faces name corners that do not exist, or are no numbers"


def _of_dxf(data: bytes) -> str:
    text = _text(data)
    if text is None or "\0" in text:
        return "is no DXF drawing: it is no text in UTF-8"
    for number, line in enumerate(islice(io.StringIO(text), 0, MOST_LINES, 2)):
        if not line.strip().lstrip("+-").isdigit():
            return f"is no DXF drawing: line {2 * number + 1} is no whole number"
    if "3DFACE" not in text and "POLYLINE" not in text:
        return "holds no triangles: it has no 3DFACE and no mesh"
    return "is damaged, or ends too early: its numbers cannot be read"


def _cut(there: int, wanted: int, what: str) -> str:
    return f"ends too early: it has {there} of {wanted} {what}"


def _text(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
