"""Visibility: hidden surfaces and lines, for vector drawings."""

from __future__ import annotations

import heapq
from functools import cache

import numpy as np

from motorik.compiler.kernels import NativeKernel, native_group
from motorik.immutable import immutable
from motorik.view.render.paint import TIE, faces_of, parts_of
from motorik.view.render.projection import Triangles, cut
from motorik.view.render.raster import fill, overlaps, room_for_row
from motorik.view.scene.mesh import find_edges

SAMPLES = 2  # per pixel, in each direction
FLAT = 1e-3  # px: triangles whose planes differ by less, seen over their size, are one face
CROSSING = 1e-4  # of the range of nearness: units that touch do not cross
ROUNDS = 3  # of cutting
MOST_CUTS = 12  # of one unit in a round
CLOSE = 4e-3  # of the range of nearness: what lies on a surface is not hidden by it


@immutable(eq=False)
class Depths:
    """The depth buffer: nearness and triangle number in each sample of a picture."""

    near: np.ndarray
    face: np.ndarray
    span: float

    def hides(self, xy: np.ndarray, near: np.ndarray) -> np.ndarray:
        """Return whether something is in front of points [px] of this nearness."""
        rows, width = self.near.shape
        i, j = np.floor(xy * SAMPLES).astype(int).T
        farthest = np.full(len(near), np.inf)
        for dj in (-1, 0, 1):
            for di in (-1, 0, 1):
                u, v = np.clip(i + di, 0, width - 1), np.clip(j + dj, 0, rows - 1)
                farthest = np.minimum(farthest, self.near[v, u])
        outside = (i < 0) | (j < 0) | (i >= width) | (j >= rows)
        return outside | (near + CLOSE * self.span < farthest)


@cache
def _kernels() -> tuple[NativeKernel, ...]:
    return native_group(fill, overlaps)


def find_depths(
    triangles: Triangles, size: tuple[int, int], span: float, solid: np.ndarray
) -> Depths:
    """Return the depths of a picture of triangles, of those that are solid."""
    width, height = size[0] * SAMPLES, size[1] * SAMPLES
    near = np.full(width * height, -np.inf)
    face = np.full(width * height, -1, dtype=np.int64)
    enter, _ = _kernels()
    faces = faces_of(triangles[solid], SAMPLES)
    enter(*parts_of(faces), width, 0, height, TIE * span, near, face, room_for_row())
    numbers = np.append(np.flatnonzero(solid), -1)
    face = numbers[face]  # -1, where there is nothing, is the last of them
    return Depths(near.reshape(height, width), face.reshape(height, width), span)


def flat_units(triangles: Triangles) -> np.ndarray:
    """Return the number of the flat face that each triangle is a part of.

    Triangles of one patch that share an edge and lie in one plane are one face.
    """
    count = len(triangles)
    _, pair, faces = find_edges(places_of(triangles), np.arange(3 * count).reshape(-1, 3))
    a, b = pair.T
    same = (faces == 2) & (triangles.patches[a] == triangles.patches[b]) & (a != b)
    a, b = a[same], b[same]
    corners = np.concatenate([triangles.xy, triangles.near[..., None]], axis=2)
    span = max(float(np.ptp(triangles.near)) if count else 1.0, np.finfo(float).tiny)
    corners = corners * (1.0, 1.0, np.abs(triangles.xy).max(initial=1.0) / span)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = normal / np.where(size > 0.0, size, 1.0)
    off = np.abs(np.einsum("nki,ni->nk", corners[b] - corners[a][:, :1], normal[a]))
    joined = np.stack([a, b], axis=1)[off.max(axis=1, initial=0.0) < FLAT]
    return _groups(count, joined)


def _groups(count: int, joined: np.ndarray) -> np.ndarray:
    number = np.arange(count)
    while len(joined):
        before = number
        low = number[joined].min(axis=1)
        number = number.copy()
        np.minimum.at(number, joined[:, 0], low)
        np.minimum.at(number, joined[:, 1], low)
        number = number[number]
        if (number == before).all():
            break
    return np.unique(number, return_inverse=True)[1].reshape(-1)


def places_of(triangles: Triangles) -> np.ndarray:
    """Return the number of the place of each corner, in the picture and in depth."""
    span = max(float(np.ptp(triangles.near)) if len(triangles) else 1.0, 1e-300)
    low = triangles.near.min(initial=np.inf)
    corners = np.concatenate(
        [
            np.round(triangles.xy * 64),
            np.round((triangles.near - low)[..., None] / span * 2e5),
        ],
        axis=2,
    )
    return np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)[1].reshape(-1)


@immutable(eq=False)
class Painting:
    """Triangles in flat units, some of them cut, and the units in the order of painting."""

    triangles: Triangles
    units: np.ndarray
    order: list[int]


def painting_order(triangles: Triangles, size: tuple[int, int], span: float) -> Painting:
    """Return the visible units, sorted from back to front (painter's algorithm).

    Units that pass through one another are cut where they do. Where three or more hide one
    another in a ring, the farthest is painted first.
    """
    units = flat_units(triangles)
    solid = triangles.materials[:, 3] >= 1.0
    seen = find_depths(triangles, size, span, solid).face
    shown = np.zeros(int(units.max(initial=-1)) + 1, dtype=bool)
    shown[units[seen[seen >= 0]]] = True
    shown[units[~solid]] = True
    triangles, units = triangles[shown[units]], units[shown[units]]
    for _ in range(ROUNDS):
        depths, before = _overlaps(triangles, units, size, span)
        crossing = _crossing(before)
        if not len(crossing):
            break
        triangles, units = _cut_all(triangles, units, crossing)
    depths, before = _overlaps(triangles, units, size, span)
    count = int(units.max(initial=-1)) + 1
    nearness = np.zeros(count)
    np.add.at(nearness, units, triangles.near.mean(axis=1))
    nearness /= np.maximum(np.bincount(units, minlength=count), 1)
    shown = np.zeros(count, dtype=bool)
    shown[units[depths.face[depths.face >= 0]]] = True
    shown[units[triangles.materials[:, 3] < 1.0]] = True
    before = before[shown[before].all(axis=1)]
    order = _sorted(np.flatnonzero(shown), nearness, before)
    return Painting(triangles, units, order)


def _overlaps(
    triangles: Triangles, units: np.ndarray, size: tuple[int, int], span: float
) -> tuple[Depths, np.ndarray]:
    """Return depths, and the pairs of units of which the first is painted before the second."""
    faces = faces_of(triangles, SAMPLES)
    solid = triangles.materials[:, 3] >= 1.0
    depths = find_depths(triangles, size, span, solid)
    width, height = size[0] * SAMPLES, size[1] * SAMPLES
    count, room = int(units.max(initial=-1)) + 1, 8 * len(triangles) + 1024
    while True:
        pairs = np.zeros(2 * room, dtype=np.int64)
        stamps = np.full(2 * count, -1, dtype=np.int64)
        given = depths.near.reshape(-1), depths.face.reshape(-1), stamps
        tie = CROSSING * span
        found = _kernels()[1](
            *parts_of(faces), units, width, height, tie, *given, room, pairs, room_for_row()
        )
        if found <= room:
            return depths, np.unique(pairs[: 2 * found].reshape(-1, 2), axis=0)
        room = found


def _crossing(before: np.ndarray) -> np.ndarray:
    """Return the pairs of units each of which is somewhere before the other, once each."""
    both = {tuple(pair) for pair in before.tolist()}
    return np.array(sorted((a, b) for a, b in both if a < b and (b, a) in both), dtype=int)


def _cut_all(
    triangles: Triangles, units: np.ndarray, crossing: np.ndarray
) -> tuple[Triangles, np.ndarray]:
    """Return triangles cut where the planes of units that cross meet in the picture."""
    members: dict[int, list[int]] = {}
    wanted = set(crossing.reshape(-1).tolist())
    for k, unit in enumerate(units.tolist()):
        if unit in wanted:
            members.setdefault(unit, []).append(k)
    planes = {unit: _plane(triangles, own) for unit, own in members.items()}
    cuts: dict[int, list[np.ndarray]] = {}
    for a, b in crossing.tolist():
        few, many = (a, b) if len(members[a]) <= len(members[b]) else (b, a)
        cuts.setdefault(few, []).append(planes[few] - planes[many])
    kept = np.ones(len(triangles), dtype=bool)
    pieces, numbers = [], []
    next_unit = int(units.max()) + 1
    for unit, lines in cuts.items():
        own = members[unit]
        kept[own] = False
        parts = [triangles[np.array(own)]]
        for line in lines[:MOST_CUTS]:
            parts = [piece for part in parts for piece in _halves(part, line)]
        for part in parts:
            pieces.append(part)
            numbers.append(np.full(len(part), next_unit))
            next_unit += 1
    whole = Triangles.joined(triangles[kept], *pieces)
    return whole, np.concatenate([units[kept], *numbers])


def _plane(triangles: Triangles, own: list[int]) -> np.ndarray:
    """Return a, b, c of nearness = a x + b y + c in a flat unit."""
    xy = triangles.xy[own].reshape(-1, 2)
    rows = np.column_stack([xy, np.ones(len(xy))])
    return np.linalg.lstsq(rows, triangles.near[own].reshape(-1), rcond=None)[0]


def _halves(part: Triangles, line: np.ndarray) -> list[Triangles]:
    """Return the triangles on both sides of a line a x + b y + c = 0 in the picture."""
    value = part.xy @ line[:2] + line[2]
    found = []
    for side in (1.0, -1.0):
        corners, rest, own = cut(
            np.concatenate([part.xy, part.near[..., None]], axis=2),
            part.normals,
            side * value,
        )
        half = Triangles(
            corners[..., :2], corners[..., 2], rest, part.materials[own], part.patches[own]
        )
        if len(half):
            found.append(half)
    return found


def _sorted(units: np.ndarray, nearness: np.ndarray, before: np.ndarray) -> list[int]:
    """Return units so that a stands before b for all pairs (a, b), the farthest first."""
    after: dict[int, list[int]] = {int(unit): [] for unit in units}
    waits = dict.fromkeys(after, 0)
    for a, b in before.tolist():
        after[a].append(b)
        waits[b] += 1
    ready = [(nearness[u], u) for u, count in waits.items() if count == 0]
    blocked = [(nearness[u], u) for u, count in waits.items() if count > 0]
    heapq.heapify(ready)
    heapq.heapify(blocked)
    order: list[int] = []
    done: set[int] = set()
    while len(order) < len(after):
        source = ready or blocked
        _, unit = heapq.heappop(source)
        if unit in done:
            continue
        done.add(unit)
        order.append(unit)
        for other in after[unit]:
            waits[other] -= 1
            if waits[other] == 0:
                heapq.heappush(ready, (nearness[other], other))
    return order
