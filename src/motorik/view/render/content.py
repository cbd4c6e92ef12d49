"""Content: what a picture shows at one instant, in the world: surfaces, strokes, words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from motorik.immutable import immutable
from motorik.view.scene.mesh import TriangleMesh

Colour = tuple[float, float, float]
"""Red, green, blue from 0 to 1."""

USUAL = 0.7  # specular share of surfaces that give none


@immutable(eq=False)
class ColouredMesh:
    """A mesh in one colour, or in one for each triangle (m × 3).

    `group` is the number of its rigid group, 0 the world; `specular` of 0 to 1 is how much light it
    mirrors, None as usual; `part` is the number of its part, -1 without one.
    """

    mesh: TriangleMesh
    colour: Colour | np.ndarray
    opacity: float = 1.0
    group: int = 0
    specular: float | None = None
    part: int = -1


@immutable(eq=False)
class Stroke:
    """A line through points [m] (n × 3), `width` pixels wide whatever its distance.

    The frame of a picture need not contain a `backdrop`.
    """

    points: np.ndarray
    colour: Colour
    width: float = 1.5
    dashed: bool = False
    opacity: float = 1.0
    backdrop: bool = False


@immutable(eq=False)
class Label:
    """Words at a point [m]; they face the viewer and lie over everything.

    `height` [m] is that of the letters, but they are never too small or too large to read.
    `kind` is "text", "axis", the letter of one, "tip", that of an axis which lies over bodies,
    "name", that of the part with this number, or "note", an error of a part.
    """

    point: np.ndarray
    text: str
    colour: Colour
    height: float
    kind: str = "text"
    part: int = -1


@immutable(eq=False)
class Facets:
    """All triangles of a picture: points, normals, triangles, and the material of each triangle.

    `materials` (m × 5) are red, green, blue, opacity, specular; `patches` (m) smooth surfaces;
    `groups` (n) the rigid group of each point, `parts` (m) the numbers of parts.
    """

    points: np.ndarray
    normals: np.ndarray
    triangles: np.ndarray
    materials: np.ndarray
    patches: np.ndarray
    groups: np.ndarray
    parts: np.ndarray

    @classmethod
    def of(cls, surfaces: Sequence[ColouredMesh]) -> Facets:
        """Return the triangles of surfaces, each still where its rigid group has it."""
        whole = TriangleMesh.joined([surface.mesh for surface in surfaces])
        points = [len(surface.mesh.points) for surface in surfaces]
        materials = np.concatenate([np.zeros((0, 5)), *map(_materials, surfaces)])
        groups = np.array([s.group for s in surfaces], dtype=np.int64)
        parts = np.array([s.part for s in surfaces], dtype=np.int64)
        triangles = [len(surface.mesh.triangles) for surface in surfaces]
        return cls(
            whole.points,
            whole.normals,
            whole.triangles,
            materials,
            whole.patches,
            np.repeat(groups, points),
            np.repeat(parts, triangles),
        )

    @classmethod
    def joined(cls, several: Sequence[Facets]) -> Facets:
        """Return all triangles of several."""
        points = np.cumsum([0, *(len(one.points) for one in several)])
        patches = np.cumsum([0, *(one.patches.max(initial=-1) + 1 for one in several)])
        parts = list(zip(several, points, patches, strict=False))
        return cls(
            np.concatenate([one.points for one in several]),
            np.concatenate([one.normals for one in several]),
            np.concatenate([one.triangles + first for one, first, _ in parts]),
            np.concatenate([one.materials for one in several]),
            np.concatenate([one.patches + first for one, _, first in parts]),
            np.concatenate([one.groups for one in several]),
            np.concatenate([one.parts for one in several]),
        )

    def posed(self, positions: np.ndarray, rotations: np.ndarray) -> Facets:
        """Return them in the world: rigid group i at positions[i] [m], turned by rotations[i]."""
        points, normals = np.empty_like(self.points), np.empty_like(self.normals)
        ends = np.flatnonzero(np.diff(self.groups)) + 1
        for begin, end in pairwise([0, *ends.tolist(), len(points)]):
            if begin < end:
                k = self.groups[begin]
                R = rotations[k].T
                np.matmul(self.points[begin:end], R, out=points[begin:end])
                points[begin:end] += positions[k]
                np.matmul(self.normals[begin:end], R, out=normals[begin:end])
        return replace(
            self, points=points, normals=normals, groups=np.zeros_like(self.groups)
        )

    def faded(self, colour: Colour, opacity: float) -> Facets:
        """Return them pale: colours drawn towards another, and transparent; of no part."""
        materials = self.materials.copy()
        materials[:, :3] = 0.5 * (materials[:, :3] + colour)
        materials[:, 3] *= opacity
        return replace(self, materials=materials, parts=np.full_like(self.parts, -1))


def _materials(surface: ColouredMesh) -> np.ndarray:
    """Return the materials of the triangles of a surface."""
    found = np.empty((len(surface.mesh.triangles), 5))
    found[:, :3] = surface.colour
    found[:, 3] = surface.opacity
    found[:, 4] = USUAL if surface.specular is None else surface.specular
    return found


@immutable(eq=False)
class PictureContent:
    """The content of a picture at one instant."""

    facets: Facets
    strokes: Sequence[Stroke] = ()
    labels: Sequence[Label] = ()

    @classmethod
    def of(
        cls,
        surfaces: Sequence[ColouredMesh],
        strokes: Sequence[Stroke] = (),
        labels: Sequence[Label] = (),
    ) -> PictureContent:
        """Return the content of surfaces that are in the world already."""
        return cls(Facets.of(surfaces), strokes, labels)

    @classmethod
    def joined(cls, several: Sequence[PictureContent]) -> PictureContent:
        """Return everything in one picture."""
        return cls(
            Facets.joined([one.facets for one in several]),
            [stroke for one in several for stroke in one.strokes],
            [label for one in several for label in one.labels],
        )

    @property
    def is_empty(self) -> bool:
        """Whether neither surfaces nor lines are to be seen."""
        return not len(self.facets.triangles) and not self.strokes

    def places(self) -> np.ndarray:
        """Return all points [m] that the picture should hold (n × 3)."""
        lines = [stroke.points for stroke in self.strokes if not stroke.backdrop]
        words = [label.point[None] for label in self.labels]
        return np.concatenate([self.facets.points, *lines, *words])
