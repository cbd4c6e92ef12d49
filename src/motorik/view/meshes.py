"""Meshes: surfaces from files, found on a search path, and the mass of the enclosed body.

STL, OBJ, GLB and DXF are read. Nothing in a file is executed, no file that it names is opened,
and a file that is too large, or would expand to too much, is rejected before it is read.
"""

from __future__ import annotations

import inspect
import io
import os
import re
import struct
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np

from motorik.components.base.part import Part
from motorik.components.base.units import warn_of_density, warn_of_mass
from motorik.components.base.visual_kinds import MESH_SUFFIXES
from motorik.components.parts.solids import BodyShape
from motorik.errors import FileFormatError, ParameterError
from motorik.immutable import immutable
from motorik.view.argument_checks import check_positive
from motorik.view.mesh_files.dxf import read_dxf
from motorik.view.mesh_files.glb import read_glb
from motorik.view.mesh_files.limits import MOST_BYTES, MeshFormatError, check_faces
from motorik.view.mesh_files.obj import read_obj
from motorik.view.mesh_files.stl import read_stl
from motorik.view.scene.scene import SceneMesh

# --- faults of mesh files -----------------------------------------------------------------


MOST_LINES = 100_000  # lines of a drawing that are checked
MOST_TRIANGLES = 100_000_000  # that a file may claim to have
DAMAGED = "is damaged: its counts and offsets do not match"


def fault_of(path: Path) -> str:
    """Return the reason why a reader rejects a file, by its suffix and its bytes."""
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


FOLDERS = "MOTORIK_MESHES"  # search path of meshes, written as PATH is
LIBRARIES = "MODELICAPATH"  # those of libraries that modelica:// names
READERS = {".stl": read_stl, ".obj": read_obj, ".glb": read_glb, ".dxf": read_dxf}


def find_mesh(name: str | Path, part: Part | None = None) -> Path:
    """Return the file of a mesh.

    A name without a folder is searched in the current folder, next to the files in which
    the classes of the models around `part` are written, and in the folders of the environment
    variable MOTORIK_MESHES. "file://" and "modelica://" are taken off.
    """
    label = "mesh" if part is None else part.label
    wanted, folders = _wanted(str(name), part)
    if wanted.suffix.lower() not in MESH_SUFFIXES:
        raise ParameterError(
            label,
            f"{wanted.name!r} is not a mesh.",
            f"Give a file that ends in {', '.join(MESH_SUFFIXES)}.",
            parameter="mesh",
            value=str(name),
        )
    for path in [folder / wanted for folder in folders] or [wanted]:
        if path.is_file():
            return path
    looked = f" in {', '.join(map(str, folders))}" if folders else ""
    raise ParameterError(
        label,
        f"there is no mesh {str(wanted)!r}{looked}.",
        f"Give its full path, or name its folder in the environment variable {FOLDERS}.",
        parameter="mesh",
        value=str(name),
    )


def _wanted(name: str, part: Part | None) -> tuple[Path, list[Path]]:
    """Return the relative or absolute path of a name, and the folders to search."""
    address = urlsplit(name) if "://" in name else None
    if address is not None and address.scheme == "modelica":
        inner = Path(address.netloc) / unquote(address.path).lstrip("/")
        return inner, _folders(LIBRARIES)
    if address is not None and address.scheme == "file":
        return Path(unquote(address.path)), []
    path = Path(name).expanduser()
    if path.is_absolute():
        return path, []
    beside = [] if part is None else [*dict.fromkeys(map(_home, part.lineage()))]
    homes = [folder for folder in beside if folder is not None]
    return path, [Path.cwd(), *homes, *_folders(FOLDERS)]


def _home(part: Part) -> Path | None:
    """Return the folder of the file in which a class of the user is written."""
    try:
        file = inspect.getfile(type(part))
    except (TypeError, OSError):
        return None
    return None if type(part).__module__.startswith("motorik.") else Path(file).parent


def _folders(variable: str) -> list[Path]:
    return [Path(one) for one in os.environ.get(variable, "").split(os.pathsep) if one]


def load_mesh(name: str | Path, part: Part | None = None) -> SceneMesh:
    """Return the mesh of a file, as a viewer draws it; [m]."""
    path = find_mesh(name, part)
    status = path.stat()
    if status.st_size > MOST_BYTES:
        raise _fault(path, f"has {status.st_size / 1e6:.0f} MB", "Make it coarser.")
    return _load(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=64)
def _load(path: Path, changed: int, size: int) -> SceneMesh:
    try:
        vertices, faces, *given = READERS[path.suffix.lower()](path.read_bytes())
        colors = given[0] if given else None
        check_faces(len(faces))
    except MeshFormatError as fault:
        raise _fault(path, fault.reason or fault_of(path), fault.remedy) from None
    except Exception as error:  # readers raise many kinds for a broken file
        raise _fault(path, fault_of(path)) from error
    if not len(faces):
        raise _fault(path, fault_of(path))
    if not np.isfinite(vertices).all():
        raise _fault(path, "has corners whose positions are no finite numbers")
    if faces.min() < 0 or faces.max() >= len(vertices):
        raise _fault(path, "has triangles of corners that do not exist")
    for array in (vertices, faces, colors):
        if array is not None:
            array.setflags(write=False)
    return SceneMesh(vertices, faces, colors)


def _fault(
    path: Path, reason: str, remedy: str = "Write the file again."
) -> FileFormatError:
    return FileFormatError(str(path), f"{reason}.", remedy, parameter="mesh", value=path)


# --- what a mesh encloses ------------------------------------------------------------------


@immutable(eq=False)
class MassOfMesh:
    """Mass m [kg], centre r_CM [m] and inertia I [kg·m²] about the centre, in the mesh's axes."""

    m: float
    r_CM: np.ndarray  # noqa: N815 - the name of the parameter
    I: np.ndarray


def mass_of_mesh(mesh: SceneMesh, density: float, scale: float = 1.0) -> MassOfMesh:
    """Return the mass of what a closed mesh encloses, of uniform density [kg/m³].

    Every triangle makes a tetrahedron with the origin, whose moments are known; those seen
    from outside count positive, from inside negative.
    """
    check_positive("mesh", "density", density)
    check_positive("mesh", "scale", scale)
    _check_closed(mesh)
    a, b, c = (scale * mesh.vertices[mesh.faces[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
    total = float(volume.sum())
    sign = 1.0 if total > 0.0 else -1.0  # a mesh may be inside out
    if abs(total) <= 1e-12 * float(np.ptp(scale * mesh.vertices, axis=0).max()) ** 3:
        raise ParameterError(
            "mesh",
            "encloses no volume.",
            "Give the mesh of a solid body.",
            parameter="mesh",
            value=total,
        )
    centre = (volume[:, None] * (a + b + c)).sum(axis=0) / (4.0 * total)
    # ∫ r rᵀ dV of a tetrahedron with a corner at the centre: V/20 (Σ pᵢ pᵢᵀ + s sᵀ), s = Σ pᵢ
    corners = [p - centre for p in (a, b, c)]
    volume = np.einsum("ij,ij->i", corners[0], np.cross(corners[1], corners[2])) / 6.0
    s = sum(corners)
    moments = sum(np.einsum("i,ij,ik->jk", volume, p, p) for p in (*corners, s)) / 20.0
    moments = density * sign * np.asarray(moments)
    inertia = np.trace(moments) * np.eye(3) - moments
    return MassOfMesh(density * abs(total), centre, inertia)


def _check_closed(mesh: SceneMesh) -> None:
    """Refuse a mesh with a hole, or whose triangles do not turn one way."""
    apart = 1e-9 * float(np.ptp(mesh.vertices, axis=0).max())  # points nearer are one
    grid = np.round(mesh.vertices / apart).astype(np.int64)
    _, same = np.unique(grid, axis=0, return_inverse=True)
    faces = same.reshape(-1)[mesh.faces]
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    edges = edges[edges[:, 0] != edges[:, 1]]
    forth = np.unique(edges, axis=0, return_counts=True)
    back = np.unique(edges[:, ::-1], axis=0, return_counts=True)
    if len(forth[0]) != len(back[0]) or not all(
        np.array_equal(x, y) for x, y in zip(forth, back, strict=True)
    ):
        raise ParameterError(
            "mesh",
            "is not closed: it has a hole, or triangles that turn different ways, so that it "
            "encloses no volume.",
            "Repair the mesh, or give mass and inertia yourself.",
            parameter="mesh",
            value=len(mesh.faces),
        )


def mesh_body(
    file: str | Path, density: float = 7700.0, scale: float = 1.0, **options: object
) -> BodyShape:
    """Return a body with the mass, centre and inertia of a mesh [m], and drawn as it is.

    `density` [kg/m³] is uniform; `scale` is what the numbers of the file are times [m], 0.001
    for a file in mm; `options` are those of `BodyShape`, e.g. r of its frame_b.
    """
    path = find_mesh(file)
    mass = mass_of_mesh(load_mesh(path), density, scale)
    warn_of_density("mesh_body", density)
    warn_of_mass("mesh_body", f"{path.name} with scale = {scale:g}", mass.m)
    I: Sequence[Sequence[float]] = mass.I.tolist()
    given: dict[str, Any] = {"mesh": str(path), "meshScale": scale, **options}
    return BodyShape(m=mass.m, r_CM=tuple(mass.r_CM.tolist()), I=I, **given)
