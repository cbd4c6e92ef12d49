"""GLB: the triangles of binary glTF 2.0, all bodies of its scene together.

Counts that the file states are summed up over the whole scene, where one mesh may stand many
times, before any array is made. Only the file itself is read. Colours are those of vertices times
the base colour of the material; a texture counts with its mean colour. Skins and animations are
passed over.
"""

from __future__ import annotations

import base64
import io
import json
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

from motorik.view.mesh_files.limits import check_corners, check_faces, refuse

JSON, BINARY = 0x4E4F534A, 0x004E4942  # kinds of chunks
MOST_JSON = 8_000_000  # bytes: as objects it takes many times as much
MOST_NODES = 100_000
MOST_PIXELS = 16_000_000  # of a texture
TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
TRIANGLES, STRIP, FAN = 4, 5, 6  # modes of primitives that are surfaces
PACKED = ("KHR_draco_mesh_compression", "EXT_meshopt_compression")

Instance = tuple[int, np.ndarray]
"""The number of a mesh, and where it stands: a matrix 4 × 4."""


Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Vertices [n, 3], triangles [m, 3], colours of vertices [n, 3] (linear; NaN: not given)."""


def read_glb(data: bytes) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return vertices [n, 3], triangles [m, 3] and colours of vertices [n, 3] of a GLB file.

    Colours are sRGB from 0 to 1; None if the file has none. Surfaces without a colour of their
    own are white beside others that have one, as glTF says.
    """
    vertices, triangles, linear = _Glb(data).read()
    if np.isnan(linear).all():
        return vertices, triangles, None
    return vertices, triangles, to_srgb(np.where(np.isnan(linear), 1.0, linear))


def to_srgb(linear: np.ndarray) -> np.ndarray:
    """Return linear shares of red, green and blue as sRGB has them."""
    linear = np.clip(linear, 0.0, 1.0)
    curved = 1.055 * np.maximum(linear, 0.0031308) ** (1 / 2.4) - 0.055
    return np.where(linear <= 0.0031308, 12.92 * linear, curved)


def to_linear(srgb: np.ndarray) -> np.ndarray:
    """Return sRGB shares of red, green and blue as linear ones."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


class _Glb:
    """A file that is read; what does not fit raises some error."""

    def __init__(self, data: bytes) -> None:
        magic, version, length = struct.unpack_from("<4sII", data)
        if magic != b"glTF" or length > len(data):
            refuse("")  # the reason is found from its bytes
        if version != 2:
            refuse(f"is glTF of version {version}; 2 is read")
        chunks = dict(_chunks(data[:length]))
        text = chunks[JSON]
        if len(text) > MOST_JSON:
            refuse(f"has {len(text) / 1e6:.0f} MB of JSON")
        self.document: dict[str, Any] = json.loads(text)
        packed = [
            name for name in PACKED if name in self.document.get("extensionsRequired", ())
        ]
        if packed:
            refuse(f"is compressed by {packed[0]}, which is not read")
        self._binary = chunks.get(BINARY, b"")
        self._buffers: dict[int, bytes] = {}
        self._counted: dict[int, tuple[int, int]] = {}
        self._made: dict[int, Arrays] = {}
        self._means: dict[int, np.ndarray] = {}

    def read(self) -> Arrays:
        """Return vertices, triangles and colours of the scene."""
        instances = list(self._instances())
        faces = corners = 0
        for mesh, _ in instances:
            own_faces, own_corners = self._counts(mesh)
            faces, corners = faces + own_faces, corners + own_corners
        check_faces(faces)
        check_corners(corners)
        found: list[Arrays] = []
        first = 0
        for mesh, X in instances:
            vertices, triangles, colours = self._mesh(mesh)
            vertices = vertices @ X[:3, :3].T + X[:3, 3]
            if np.linalg.det(X[:3, :3]) < 0.0:  # mirrored: the outside stays outside
                triangles = triangles[:, ::-1]
            found.append((vertices, triangles + first, colours))
            first += len(vertices)
        if not found:
            return np.zeros((0, 3)), np.zeros((0, 3), dtype=int), np.zeros((0, 3))
        vertices, triangles, colours = map(np.concatenate, zip(*found, strict=True))
        return vertices, triangles, colours

    # --- the tree of nodes ---------------------------------------------------------------------

    def _instances(self) -> Iterator[Instance]:
        """Yield all meshes of the scene and where they stand."""
        nodes = self.document.get("nodes", [])
        if len(nodes) > MOST_NODES:
            refuse(f"has {len(nodes)} nodes")
        waiting = [(number, np.eye(4)) for number in self._roots(nodes)]
        seen: set[int] = set()
        while waiting:
            number, X = waiting.pop()
            if number in seen or number < 0:
                refuse("is damaged: its nodes are not a tree")
            seen.add(number)
            node = nodes[number]
            X = X @ _matrix(node)
            if "mesh" in node:
                yield node["mesh"], X
            waiting += [(child, X) for child in node.get("children", [])]

    def _roots(self, nodes: list[dict[str, Any]]) -> list[int]:
        scenes = self.document.get("scenes", [])
        if scenes:
            return list(scenes[self.document.get("scene", 0)].get("nodes", []))
        inner = {child for node in nodes for child in node.get("children", [])}
        return [number for number in range(len(nodes)) if number not in inner]

    # --- meshes ----------------------------------------------------------------------------------

    def _surfaces(self, mesh: int) -> Iterator[tuple[int, int, int | None, dict[str, Any]]]:
        """Yield mode, accessor of positions, accessor of indices and description of surfaces."""
        for one in self.document["meshes"][mesh]["primitives"]:
            mode, position = one.get("mode", TRIANGLES), one["attributes"].get("POSITION")
            if mode in (TRIANGLES, STRIP, FAN) and position is not None:
                yield mode, position, one.get("indices"), one

    def _counts(self, mesh: int) -> tuple[int, int]:
        """Return how many triangles and corners a mesh has, by what the file states."""
        if mesh not in self._counted:
            self._counted[mesh] = self._summed(mesh)
        return self._counted[mesh]

    def _summed(self, mesh: int) -> tuple[int, int]:
        faces = corners = 0
        for mode, position, indices, _ in self._surfaces(mesh):
            own = self._count(position)
            drawn = own if indices is None else self._count(indices)
            faces += drawn // 3 if mode == TRIANGLES else max(drawn - 2, 0)
            corners += own
        return faces, corners

    def _mesh(self, mesh: int) -> Arrays:
        """Return vertices, triangles and colours of a mesh in its own frame."""
        if mesh in self._made:
            return self._made[mesh]
        vertices, triangles = [np.zeros((0, 3))], [np.zeros((0, 3), dtype=np.int64)]
        colours = [np.zeros((0, 3))]
        first = 0
        for mode, position, indices, surface in self._surfaces(mesh):
            points = self._numbers(position, "VEC3").astype(float)
            drawn = np.arange(len(points))
            if indices is not None:
                drawn = self._numbers(indices, "SCALAR")[:, 0].astype(np.int64)
            triangles.append(_triangles(drawn, mode) + first)
            vertices.append(points)
            colours.append(self._colours(surface, len(points)))
            first += len(points)
        vertices, triangles, colours = map(np.concatenate, (vertices, triangles, colours))
        self._made[mesh] = vertices, triangles, colours
        return self._made[mesh]

    # --- colours -------------------------------------------------------------------------------

    def _colours(self, surface: dict[str, Any], count: int) -> np.ndarray:
        """Return linear colours of so many vertices; NaN if the file gives none."""
        found, is_given = np.ones((count, 3)), False
        number = surface["attributes"].get("COLOR_0")
        if number is not None:
            kind = self.document["accessors"][number]["type"]
            own = self._numbers(number, kind if kind in ("VEC3", "VEC4") else "VEC3")
            if len(own) != count:
                refuse("is damaged: it has not one colour for each corner")
            found, is_given = found * own[:, :3], True
        if "material" in surface:
            material = self.document["materials"][surface["material"]]
            surface_colour = material.get("pbrMetallicRoughness", {})
            if "baseColorFactor" in surface_colour:
                r, g, b = map(float, surface_colour["baseColorFactor"][:3])
                found, is_given = found * (r, g, b), True
            if "baseColorTexture" in surface_colour:
                mean = self._mean_of(int(surface_colour["baseColorTexture"]["index"]))
                found, is_given = found * mean, True
        return found if is_given else np.full((count, 3), np.nan)

    def _mean_of(self, texture: int) -> np.ndarray:
        """Return the mean linear colour of a texture; white if it is not in the file."""
        if texture not in self._means:
            self._means[texture] = self._mean(self.document["textures"][texture])
        return self._means[texture]

    def _mean(self, texture: dict[str, Any]) -> np.ndarray:
        from PIL import Image

        image = self.document["images"][texture["source"]] if "source" in texture else {}
        if "bufferView" in image:
            view = self.document["bufferViews"][image["bufferView"]]
            data = self._view(
                image["bufferView"], 0, view["byteLength"], np.dtype("u1"), 1
            ).tobytes()
        elif str(image.get("uri", "")).startswith("data:"):
            data = base64.b64decode(image["uri"].partition(";base64,")[2])
        else:
            return np.ones(3)  # in another file, which is not read
        try:
            with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as picture:
                if picture.width * picture.height > MOST_PIXELS:
                    refuse(f"has a texture of {picture.width} × {picture.height} pixels")
                pixels = np.asarray(picture.convert("RGBA"), dtype=float) / 255
        except (OSError, SyntaxError):
            return np.ones(3)
        weight = pixels[..., 3]
        if not weight.any():
            return np.ones(3)
        total = (weight[..., None] * to_linear(pixels[..., :3])).sum(axis=(0, 1))
        return total / weight.sum()

    # --- numbers -------------------------------------------------------------------------------

    def _count(self, accessor: int) -> int:
        count = self.document["accessors"][accessor]["count"]
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            refuse("is damaged: its counts and offsets do not match")
        return count

    def _numbers(self, accessor: int, kind: str) -> np.ndarray:
        """Return the numbers of an accessor, [count, width]; those of whole types normalised."""
        one, count = self.document["accessors"][accessor], self._count(accessor)
        if one["type"] != kind:
            refuse(f"is damaged: it has {one['type']} where {kind} belongs")
        dtype, width = np.dtype(TYPES[one["componentType"]]), WIDTHS[kind]
        check_corners(count // 3 if kind == "SCALAR" else count)
        found = np.zeros((count, width), dtype)
        if "bufferView" in one:
            found = self._view(
                one["bufferView"], one.get("byteOffset", 0), count, dtype, width
            )
        if "sparse" in one:
            found = self._replaced(found, one["sparse"])
        if one.get("normalized") and dtype.kind in "iu":
            return np.maximum(found / float(np.iinfo(dtype).max), -1.0)
        return found

    def _replaced(self, found: np.ndarray, sparse: dict[str, Any]) -> np.ndarray:
        """Return numbers of which some are replaced."""
        count, where, what = sparse["count"], sparse["indices"], sparse["values"]
        if not 0 <= count <= len(found):
            refuse("is damaged: its counts and offsets do not match")
        kind = np.dtype(TYPES[where["componentType"]])
        at = self._view(where["bufferView"], where.get("byteOffset", 0), count, kind, 1)
        width = found.shape[1]
        new = self._view(
            what["bufferView"], what.get("byteOffset", 0), count, found.dtype, width
        )
        found = found.copy()
        found[at[:, 0]] = new
        return found

    def _view(
        self, number: int, offset: int, count: int, dtype: np.dtype[Any], width: int
    ) -> np.ndarray:
        """Return numbers of a part of a buffer; numpy rejects ranges outside of it."""
        view = self.document["bufferViews"][number]
        begin, length = view.get("byteOffset", 0), view["byteLength"]
        if min(begin, length, offset) < 0:
            refuse("is damaged: its counts and offsets do not match")
        part = self._buffer(view["buffer"])[begin : begin + length]
        stride = view.get("byteStride", dtype.itemsize * width)
        shape, strides = (count, width), (stride, dtype.itemsize)
        if stride < dtype.itemsize * width:
            refuse("is damaged: its numbers overlap")
        if count == 0:
            return np.zeros(shape, dtype)
        return np.ndarray(shape, dtype, part, offset, strides)

    def _buffer(self, number: int) -> bytes:
        """Return a buffer: the second chunk of the file, or one that is written in its JSON."""
        if number not in self._buffers:
            uri = self.document["buffers"][number].get("uri")
            if uri is None:
                self._buffers[number] = self._binary if number == 0 else b""
            elif uri.startswith("data:") and ";base64," in uri[:200]:
                self._buffers[number] = base64.b64decode(uri.partition(";base64,")[2])
            else:
                refuse("keeps its numbers in another file, which is not read")
        return self._buffers[number]


def _chunks(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the kinds and contents of the first chunks."""
    at = 12
    for _ in range(2):
        if at + 8 > len(data):
            return
        length, kind = struct.unpack_from("<II", data, at)
        yield kind, data[at + 8 : at + 8 + length]
        at += 8 + length


def _matrix(node: dict[str, Any]) -> np.ndarray:
    """Return where a node stands in the one above it."""
    if "matrix" in node:
        return np.array(node["matrix"], dtype=float).reshape(4, 4).T
    X = np.eye(4)
    x, y, z, w = map(float, node.get("rotation", (0.0, 0.0, 0.0, 1.0)))
    size = np.sqrt(x * x + y * y + z * z + w * w)
    x, y, z, w = x / size, y / size, z / size, w / size
    R = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    scale = np.array(node.get("scale", (1.0, 1.0, 1.0)), dtype=float)
    X[:3, :3] = np.array(R) * scale.reshape(3)
    X[:3, 3] = np.array(node.get("translation", (0.0, 0.0, 0.0)), dtype=float).reshape(3)
    return X


def _triangles(drawn: np.ndarray, mode: int) -> np.ndarray:
    """Return the corners of triangles that a list, a strip or a fan of corners means."""
    if mode == TRIANGLES:
        return drawn[: len(drawn) // 3 * 3].reshape(-1, 3)
    if len(drawn) < 3:
        return np.zeros((0, 3), dtype=np.int64)
    if mode == FAN:
        first = np.full(len(drawn) - 2, drawn[0])
        return np.column_stack([first, drawn[1:-1], drawn[2:]])
    found = np.column_stack([drawn[:-2], drawn[1:-1], drawn[2:]])
    found[1::2] = found[1::2, [1, 0, 2]]  # every second one turns the other way
    return found
