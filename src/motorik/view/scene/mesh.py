"""Meshes: surfaces of triangles with normals, smooth patches, sharp edges and colours.

`TriangleMesh` is the one geometry that pictures and pages draw; `solids.py` makes those of the
known shapes, `TriangleMesh.of_faces` those of files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import cos, pi

import numpy as np

from motorik.immutable import immutable

CREASE = pi / 6  # rad: faces that meet at more than this form an edge
WELD = 1e-7  # of the extent: points that are nearer are one
THINNEST = 1e-9  # of the largest scale: that of an axis of size zero, for normals


@immutable(eq=False)
class TriangleMesh:
    """Points [m] (n × 3), unit normals at them (n × 3), triangles (m × 3) of point numbers.

    Seen from outside, the points of a triangle stand counter-clockwise. `patches` numbers the
    smooth surface that each triangle belongs to: where patches meet, an edge is drawn. A point
    on such an edge stands in the mesh once for each of them.

    `shares` (n) says how points move when the mesh is stretched along x to a length L:
    x = share · L + offset, with the offset in `points`. Without shares x itself is scaled.
    `colours` (n × 3) are red, green, blue from 0 to 1; without them the mesh has one colour.
    """

    points: np.ndarray
    normals: np.ndarray
    triangles: np.ndarray
    patches: np.ndarray
    shares: np.ndarray | None = None
    colours: np.ndarray | None = None

    @classmethod
    def joined(cls, pieces: Sequence[TriangleMesh]) -> TriangleMesh:
        """Return several meshes as one, without shares and colours; their patches stay apart."""
        if not pieces:
            nothing, none = np.zeros((0, 3)), np.zeros(0, dtype=np.int64)
            return cls(nothing, nothing, none.reshape(0, 3), none)
        points = np.cumsum([0, *(len(piece.points) for piece in pieces)])
        patches = np.cumsum([0, *(piece.patches.max(initial=-1) + 1 for piece in pieces)])
        parts = list(zip(pieces, points, patches, strict=False))
        return cls(
            np.concatenate([piece.points for piece in pieces]),
            np.concatenate([piece.normals for piece in pieces]),
            np.concatenate([piece.triangles + first for piece, first, _ in parts]),
            np.concatenate([piece.patches + first for piece, _, first in parts]),
        )

    @classmethod
    def of_faces(
        cls, points: np.ndarray, triangles: np.ndarray, colours: np.ndarray | None = None
    ) -> TriangleMesh:
        """Return the mesh of bare triangles, smooth where they meet at small angles."""
        points = np.asarray(points, dtype=float).reshape(-1, 3)
        triangles = np.asarray(triangles, dtype=np.int64).reshape(-1, 3)
        places, flat = weld(points), face_vectors(points, triangles)
        patches = smooth_patches(places, triangles, unit(flat))
        # a corner is shaded by all faces of its patch that meet there, by their areas
        count = 1 + int(places.max(initial=0))
        keys = np.repeat(patches, 3) * count + places[triangles].reshape(-1)
        shaded, corner = np.unique(keys, return_inverse=True)
        sums = np.zeros((len(shaded), 3))
        np.add.at(sums, corner, np.repeat(flat, 3, axis=0))
        shade = np.arange(len(shaded))
        if colours is not None:  # corners of different colours stay apart
            _, tint = np.unique(colours, axis=0, return_inverse=True)
            keys = (
                corner * (1 + int(tint.max(initial=0)))
                + tint.reshape(-1)[triangles.reshape(-1)]
            )
            _, first, own = np.unique(keys, return_index=True, return_inverse=True)
            shade, corner = corner[first], own
        where = np.zeros(len(shade), dtype=np.int64)
        where[corner] = triangles.reshape(-1)
        return cls(
            points[where],
            unit(sums[shade]),
            corner.reshape(-1, 3),
            patches,
            colours=None if colours is None else colours[where],
        )

    def scaled(
        self, scale: Sequence[float] | np.ndarray, length: float | None = None
    ) -> TriangleMesh:
        """Return the mesh with its axes scaled, and stretched to a length [m] if it has shares."""
        factors = np.asarray(scale, dtype=float)
        if not factors.any():
            return TriangleMesh.joined([])
        points = self.points * factors
        if self.shares is not None and length is not None:
            points[:, 0] += length * self.shares
        # normals are covectors; an axis of size zero counts as very thin
        thick = np.maximum(factors, THINNEST * factors.max())
        normals = unit(self.normals * (thick.min() / thick))
        return replace(self, points=points, normals=normals, shares=None)

    def moved(self, r: np.ndarray, R: np.ndarray) -> TriangleMesh:
        """Return the mesh turned by a matrix and shifted by r [m]."""
        points, normals = self.points @ R.T + r, self.normals @ R.T
        return replace(self, points=points, normals=normals)

    @cached_property
    def edges(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All edges: their two points, their two faces (equal at a border), whether sharp."""
        ends, pair, count = find_edges(weld(self.points), self.triangles)
        sharp = (count != 2) | (self.patches[pair[:, 0]] != self.patches[pair[:, 1]])
        return ends, pair, sharp


def weld(points: np.ndarray) -> np.ndarray:
    """Return the number of the place of each point; points at one place share it."""
    if not len(points):
        return np.zeros(0, dtype=np.int64)
    extent = float(np.ptp(points, axis=0).max())
    if not extent:
        return np.zeros(len(points), dtype=np.int64)
    cells = np.round((points - points.min(axis=0)) / (WELD * extent)).astype(np.int64)
    base = int(2 / WELD)
    return np.unique(
        (cells[:, 0] * base + cells[:, 1]) ^ (cells[:, 2] << 38), return_inverse=True
    )[1].reshape(-1)


def face_vectors(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Return the normals of triangles, as long as twice their areas."""
    a, b, c = np.moveaxis(points[triangles], 1, 0)
    return np.cross(b - a, c - a)


def find_edges(
    places: np.ndarray, triangles: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return two points of each edge, its first two faces, and how many faces it has."""
    ends = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    own = np.repeat(np.arange(len(triangles)), 3)
    pairs = np.sort(places[ends], axis=1)
    real = pairs[:, 0] != pairs[:, 1]
    ends, own, pairs = ends[real], own[real], pairs[real]
    order = np.lexsort(pairs.T)
    ends, own, pairs = ends[order], own[order], pairs[order]
    if not len(ends):
        none = np.zeros((0, 2), dtype=np.int64)
        return none, none, none[:, 0]
    first = np.flatnonzero(np.r_[True, (pairs[1:] != pairs[:-1]).any(axis=1)])
    count = np.diff(np.r_[first, len(ends)])
    other = first + (count > 1)
    return ends[first], np.stack([own[first], own[other]], axis=1), count


def smooth_patches(
    places: np.ndarray, triangles: np.ndarray, normals: np.ndarray
) -> np.ndarray:
    """Return the patch of each triangle: patches end where faces meet at a sharp edge."""
    _, pair, count = find_edges(places, triangles)
    bend = np.einsum("ij,ij->i", normals[pair[:, 0]], normals[pair[:, 1]])
    joined = pair[(count == 2) & (bend >= cos(CREASE))]
    patch = np.arange(len(triangles))
    while True:  # every face takes the smallest number among its neighbours
        before = patch
        low = patch[joined].min(axis=1, initial=len(patch))
        patch = patch.copy()
        np.minimum.at(patch, joined[:, 0], low)
        np.minimum.at(patch, joined[:, 1], low)
        patch = patch[patch]
        if (patch == before).all():
            return np.unique(patch, return_inverse=True)[1].reshape(-1)


def unit(vectors: np.ndarray) -> np.ndarray:
    """Return vectors of length one; those of length zero stay."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(length > 0.0, length, 1.0)
