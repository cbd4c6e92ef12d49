"""Projection: a content in pixels: triangles and strokes in front of the eye."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from motorik.immutable import immutable
from motorik.view.render.camera import Lens
from motorik.view.render.content import Facets, PictureContent, Stroke

ABOVE = 2e-3  # depth offset of strokes above surfaces, as a share of the depth range
DASH = (7.0, 5.0)  # px, line and gap, of a stroke of width 1.5


@immutable(eq=False)
class Triangles:
    """Triangles in a picture: corners [px] (n × 3 × 2), nearness (n × 3), normals (n × 3 × 3).

    Normals are in the axes of the picture. `materials` (n × 5) are red, green, blue, opacity and
    specular; `patches` (n) the smooth surface, -1 for strokes.
    """

    xy: np.ndarray
    near: np.ndarray
    normals: np.ndarray
    materials: np.ndarray
    patches: np.ndarray

    def __len__(self) -> int:
        return len(self.patches)

    def __getitem__(self, which: np.ndarray) -> Triangles:
        """Return some of them, by numbers or marks."""
        return Triangles(
            self.xy[which],
            self.near[which],
            self.normals[which],
            self.materials[which],
            self.patches[which],
        )

    @classmethod
    def joined(cls, *several: Triangles) -> Triangles:
        """Return all of several."""
        names = ("xy", "near", "normals", "materials", "patches")
        return cls(*(np.concatenate([getattr(one, n) for one in several]) for n in names))


def see_facets(facets: Facets, lens: Lens) -> Triangles:
    """Return triangles projected into the picture, clipped at the eye."""
    used, depth = facets.triangles, lens.depth(facets.points)
    ahead = depth > 0.0
    if ahead.all():  # each point once, though several triangles share it
        xy, near = (found[used] for found in lens.project(facets.points))
        own = np.flatnonzero(_touches(xy, lens.size))
        xy, near, normals = xy[own], near[own], lens.turned(facets.normals)[used[own]]
    else:
        pieces = cut(facets.points[used], facets.normals[used], depth[used])
        corners, normals, own = pieces
        xy, near = lens.project(corners)
        inside = _touches(xy, lens.size)
        xy, near, own = xy[inside], near[inside], own[inside]
        normals = lens.turned(normals[inside])
    return Triangles(xy, near, normals, facets.materials[own], facets.patches[own])


def cut(
    corners: np.ndarray, normals: np.ndarray, depth: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return triangles cut at depth 0, and the number of the one that each was."""
    ahead = depth > 0.0
    count = ahead.sum(axis=1)
    whole = np.flatnonzero(count == 3)
    pieces = [(corners[whole], normals[whole], whole)]
    for few in (1, 2):
        own = np.flatnonzero(count == few)
        if not len(own):
            continue
        # the corner that is alone comes first
        alone = np.argmax(ahead[own] if few == 1 else ~ahead[own], axis=1)
        turn = (alone[:, None] + np.arange(3)) % 3
        p, n, d = (given[own[:, None], turn] for given in (corners, normals, depth))
        s = (d[:, :1] / (d[:, :1] - d[:, 1:]))[..., None]
        cut_p, cut_n = (v[:, :1] + s * (v[:, 1:] - v[:, :1]) for v in (p, n))
        for a, b, c in ((0, 3, 4),) if few == 1 else ((3, 1, 2), (3, 2, 4)):
            corner, normal = (
                np.concatenate(v, axis=1)[:, [a, b, c]] for v in ((p, cut_p), (n, cut_n))
            )
            pieces.append((corner, normal, own))
    first, second, third = (np.concatenate(column) for column in zip(*pieces, strict=True))
    return first, second, third


def see_strokes(strokes: Sequence[Stroke], lens: Lens, above: float) -> Triangles:
    """Return strokes as ribbons that face the eye, `above` nearer than they are."""
    found = [_ribbon(stroke, lens, above) for stroke in strokes]
    none = Triangles(
        np.zeros((0, 3, 2)),
        np.zeros((0, 3)),
        np.zeros((0, 3, 3)),
        np.zeros((0, 5)),
        np.zeros(0, dtype=np.int64),
    )
    return Triangles.joined(none, *found)


def pieces_of(stroke: Stroke, lens: Lens) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the pieces of a stroke that are in front of the eye: [px], and nearness."""
    points = np.asarray(stroke.points, dtype=float)
    depth = lens.depth(points)
    if (depth > 0.0).all():
        return [lens.project(points)]
    found, run = [], []
    for (p, d), (q, e) in pairwise(zip(points, depth, strict=True)):
        if d > 0.0:
            run.append(p)
        if (d > 0.0) != (e > 0.0):
            run.append(p + d / (d - e) * (q - p))
            if d > 0.0:
                found.append(np.array(run))
                run = []
    if depth[-1] > 0.0:
        run.append(points[-1])
        found.append(np.array(run))
    return [lens.project(piece) for piece in found if len(piece) > 1]


def see(content: PictureContent, lens: Lens) -> tuple[Triangles, float]:
    """Return all triangles of a content, strokes included, and the range of their nearness."""
    solid = see_facets(content.facets, lens)
    lines = see_strokes(content.strokes, lens, 0.0)
    span = max((float(np.ptp(one.near)) for one in (solid, lines) if len(one)), default=1.0)
    lines = Triangles(
        lines.xy, lines.near + ABOVE * span, lines.normals, lines.materials, lines.patches
    )
    return Triangles.joined(solid, lines), max(span, np.finfo(float).tiny)


def _ribbon(stroke: Stroke, lens: Lens, above: float) -> Triangles:
    corners, nearness = [], []
    for xy, near in pieces_of(stroke, lens):
        parts = dashes(xy, near, stroke.width) if stroke.dashed else [(xy, near)]
        for line, depth in parts:
            step = np.diff(line, axis=0)
            length = np.linalg.norm(step, axis=1, keepdims=True)
            along = step / np.where(length > 0.0, length, 1.0) * stroke.width / 2
            across = along[:, ::-1] * (-1.0, 1.0)
            a, b = line[:-1] - along, line[1:] + along
            quad = [a - across, b - across, b + across, a + across]
            za, zb = depth[:-1], depth[1:]
            for i, j, k, z in ((0, 1, 2, (za, zb, zb)), (0, 2, 3, (za, zb, za))):
                corners.append(np.stack([quad[i], quad[j], quad[k]], axis=1))
                nearness.append(np.stack(z, axis=1))
    count = sum(map(len, corners))
    xy = np.concatenate(corners) if count else np.zeros((0, 3, 2))
    near = np.concatenate(nearness) + above if count else np.zeros((0, 3))
    style = np.tile((*stroke.colour, stroke.opacity, 0.0), (count, 1))
    return Triangles(xy, near, np.zeros((count, 3, 3)), style, np.full(count, -1))


def dashes(
    xy: np.ndarray, near: np.ndarray, width: float
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the dashes of a line: their points [px] and nearness."""
    steps = np.linalg.norm(np.diff(xy, axis=0), axis=1)
    s = np.r_[0.0, np.cumsum(steps)]
    line, gap = (part * max(width / 1.5, 0.5) for part in DASH)
    found = []
    for begin in np.arange(0.0, s[-1], line + gap):
        end = min(begin + line, s[-1])
        at = np.r_[begin, s[(s > begin) & (s < end)], end]
        points = np.column_stack([np.interp(at, s, xy[:, k]) for k in (0, 1)])
        found.append((points, np.interp(at, s, near)))
    return found


def _touches(xy: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Return which triangles reach into the picture."""
    (x, y), (width, height) = np.moveaxis(xy, 2, 0), size
    found = np.ones(len(xy), dtype=bool)
    for along, end in ((x, width), (y, height)):
        a, b, c = along.T
        found &= (np.maximum(np.maximum(a, b), c) > 0.0) & (
            np.minimum(np.minimum(a, b), c) < end
        )
    return found
