"""SVG: a content as a drawing of shaded faces, lines and words, without pixels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from xml.sax.saxutils import escape

import numpy as np

from motorik.view.render.camera import Lens
from motorik.view.render.content import PictureContent
from motorik.view.render.lettering import Note, Word
from motorik.view.render.paint import Pencil
from motorik.view.render.projection import Triangles, dashes, pieces_of, see
from motorik.view.render.shade import Gradient, Paint, corner_colours, hex_of, paint_of
from motorik.view.render.visibility import Depths, find_depths, painting_order, places_of
from motorik.view.scene.mesh import find_edges

STEP = 0.7  # px between the points of a line whose visibility is tested
FONT = "DejaVu Sans, Verdana, sans-serif"


def draw_svg(content: PictureContent, lens: Lens, pencil: Pencil) -> list[str]:
    """Return the elements of the drawing."""
    triangles, span = see(replace(content, strokes=()), lens)
    opaque = triangles[triangles.materials[:, 3] >= 1.0]
    clear = triangles[(triangles.materials[:, 3] < 1.0) & faces_eye(triangles)]
    depths = find_depths(opaque, lens.size, span, np.ones(len(opaque), dtype=bool))
    elements = _faces(Triangles.joined(opaque, clear), lens.size, span, pencil)
    if pencil.line:
        elements += _outlines(opaque, depths, pencil)
        elements += _outlines(clear, depths, pencil, 0.4)
    return [*elements, *_strokes(content, lens, depths)]


def whole_svg(size: tuple[int, int], elements: Iterable[str]) -> str:
    """Return a drawing of this size [px] of its elements."""
    width, height = size
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{FONT}">'
    )
    return "\n".join([head, *elements, "</svg>\n"])


def faces_eye(triangles: Triangles) -> np.ndarray:
    """Return which triangles show the eye their outside."""
    xy = triangles.xy
    u, v = xy[:, 1] - xy[:, 0], xy[:, 2] - xy[:, 0]
    return u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0] < 0.0  # y points down


def word(
    x: float,
    y: float,
    text: str,
    *,
    size: float = 13.0,
    colour: str = "#333333",
    anchor: str = "middle",
    halo: str = "",
    turned: float = 0.0,
) -> str:
    """Return words about a point [px]; characters that mean something in SVG are escaped."""
    around = (
        f' stroke="{halo}" stroke-width="{0.25 * size:.1f}" paint-order="stroke"'
        ' stroke-linejoin="round"'
        if halo
        else ""
    )
    turn = f' transform="rotate({turned:g} {x:.1f} {y:.1f})"' if turned else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" dy="0.35em" font-size="{size:.1f}" fill="{colour}" '
        f'text-anchor="{anchor}"{around}{turn}>{escape(text)}</text>'
    )


def _faces(
    triangles: Triangles, size: tuple[int, int], span: float, pencil: Pencil
) -> list[str]:
    if not len(triangles):
        return []
    painting = painting_order(triangles, size, span)
    triangles, units, order = painting.triangles, painting.units, painting.order
    colours = corner_colours(triangles, pencil)
    members: dict[int, list[int]] = defaultdict(list)
    for k, unit in enumerate(units.tolist()):
        members[unit].append(k)
    places = places_of(triangles).reshape(-1, 3)
    found: list[tuple[Paint, float, str]] = []
    for unit in order:
        own = members[unit]
        opacity = float(triangles.materials[own[0], 3])
        corners, shades = triangles.xy[own].reshape(-1, 2), colours[own].reshape(-1, 3)
        paint = paint_of(corners, shades, max(opacity, 0.01))
        path = _outline(places[own].tolist(), triangles.xy[own].tolist())
        if found and found[-1][:2] == (paint, opacity) and opacity == 1.0:
            path = found.pop()[2] + path
        found.append((paint, opacity, path))
    gradients = {one.name: one.svg() for one, _, _ in found if isinstance(one, Gradient)}
    drawn = ["<defs>", *gradients.values(), "</defs>"] if gradients else []
    return [*drawn, *(_face(*one) for one in found)]


def _face(paint: Paint, opacity: float, path: str) -> str:
    """Return a face; its border is painted as well, so that none is seen between two."""
    fill = f"url(#{paint.name})" if isinstance(paint, Gradient) else paint
    if opacity < 1.0:
        return f'<path d="{path}" fill="{fill}" fill-opacity="{opacity:.3g}"/>'
    return f'<path d="{path}" fill="{fill}" stroke="{fill}" stroke-linejoin="round"/>'


def _outline(places: list[list[int]], corners: list[list[list[float]]]) -> str:
    """Return the border of some triangles that lie side by side."""
    at: dict[int, list[float]] = {}
    sides: dict[tuple[int, int], int] = {}
    for numbers, points in zip(places, corners, strict=True):
        at.update(zip(numbers, points, strict=True))
        for a, b in zip(numbers, (*numbers[1:], numbers[0]), strict=True):
            if (b, a) in sides:
                del sides[b, a]
            elif a != b:
                sides[a, b] = 1
    following: dict[int, list[int]] = defaultdict(list)
    for a, b in sides:
        following[a].append(b)
    path = []
    while following:
        first = here = next(iter(following))
        loop = []
        while here in following:
            loop.append(at[here])
            onward = following[here].pop()
            if not following[here]:
                del following[here]
            here = onward
        if here != first:
            loop.append(at[here])
        path.append("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in loop) + "Z")
    return "".join(path)


def _outlines(
    triangles: Triangles, depths: Depths, pencil: Pencil, strong: float = 1.0
) -> list[str]:
    """Return all edges and silhouettes that are seen."""
    count = len(triangles)
    ends, pair, faces = find_edges(
        places_of(triangles), np.arange(3 * count).reshape(-1, 3)
    )
    xy, front = triangles.xy, faces_eye(triangles)
    patch = triangles.patches[pair]
    drawn = (faces == 1) | (patch[:, 0] != patch[:, 1])
    drawn |= front[pair[:, 0]] != front[pair[:, 1]]
    ends = ends[drawn]
    points, near = xy.reshape(-1, 2)[ends], triangles.near.reshape(-1)[ends]
    path = "".join(_path(line) for line in joined_lines(_seen_runs(points, near, depths)))
    if not path:
        return []
    return [
        f'<path d="{path}" fill="none" stroke="{hex_of(pencil.ink[:3])}" '
        f'stroke-opacity="{strong * pencil.ink[3]:.3g}" stroke-width="{0.8 * pencil.line:g}" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    ]


def _seen_runs(points: np.ndarray, near: np.ndarray, depths: Depths) -> list[np.ndarray]:
    """Return the parts of straight lines (n × 2 × 2 [px]) that nothing hides."""
    if not len(points):
        return []
    length = np.linalg.norm(points[:, 1] - points[:, 0], axis=1)
    counts = np.maximum(np.ceil(length / STEP).astype(int), 1) + 1
    own = np.repeat(np.arange(len(points)), counts)
    first = np.cumsum(counts) - counts
    s = (np.arange(len(own)) - first[own]) / (counts[own] - 1)
    at = points[own, 0] + s[:, None] * (points[own, 1] - points[own, 0])
    z = near[own, 0] + s * (near[own, 1] - near[own, 0])
    seen = ~depths.hides(at, z)
    starts = seen & np.r_[True, ~seen[:-1] | (own[1:] != own[:-1])]
    ends = seen & np.r_[~seen[1:] | (own[1:] != own[:-1]), True]
    return [
        at[[a, b]]
        for a, b in zip(np.flatnonzero(starts), np.flatnonzero(ends), strict=True)
        if b > a
    ]


def joined_lines(runs: Sequence[np.ndarray]) -> list[list[tuple[float, float]]]:
    """Return straight lines joined where the end of one is that of another."""
    ends: dict[tuple[float, float], list[int]] = defaultdict(list)
    lines = [[(round(x, 1), round(y, 1)) for x, y in run.tolist()] for run in runs]
    for k, line in enumerate(lines):
        ends[line[0]].append(k)
        ends[line[-1]].append(k)
    used = [False] * len(lines)
    found = []
    for k, line in enumerate(lines):
        if used[k]:
            continue
        used[k] = True
        whole = list(line)
        for _ in range(2):
            while True:
                free = [j for j in ends[whole[-1]] if not used[j]]
                if not free:
                    break
                used[free[0]] = True
                other = lines[free[0]]
                whole.append(other[-1] if other[0] == whole[-1] else other[0])
            whole.reverse()
        found.append(whole)
    return found


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)


def _strokes(content: PictureContent, lens: Lens, depths: Depths) -> list[str]:
    found = []
    for stroke in content.strokes:
        runs = []
        for xy, near in pieces_of(stroke, lens):
            parts = dashes(xy, near, stroke.width) if stroke.dashed else [(xy, near)]
            for line, depth in parts:
                pairs = np.stack([line[:-1], line[1:]], axis=1)
                nearness = np.stack([depth[:-1], depth[1:]], axis=1)
                runs += _seen_runs(pairs, nearness, depths)
        path = "".join(_path(line) for line in joined_lines(runs))
        if path:
            found.append(
                f'<path d="{path}" fill="none" stroke="{hex_of(stroke.colour)}" '
                f'stroke-width="{stroke.width:g}" stroke-opacity="{stroke.opacity:g}" '
                'stroke-linecap="round" stroke-linejoin="round"/>'
            )
    return found


def letter_svg(words: Sequence[Word], notes: Sequence[Note], pencil: Pencil) -> list[str]:
    """Return labels, and notes in boxes with lines that lead to their parts."""
    paper = hex_of(pencil.paper) if pencil.paper is not None else ""
    found = []
    for one in words:
        colour = hex_of(one.colour)
        if one.end is not None:
            found.append(_leader((one.x, one.y), one.end, colour))
        found.append(word(one.x, one.y, one.text, size=one.size, colour=colour, halo=paper))
    for note in notes:
        colour, (left, top, right, bottom) = hex_of(note.colour), note.box
        x, y = note.point
        found += [
            _leader(*note.leader, colour),
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.3 * note.size:.1f}" fill="{colour}"/>',
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
            f'height="{bottom - top:.1f}" rx="3" fill="{paper or "white"}" '
            f'stroke="{colour}"/>',
        ]
        found += [
            word(u, v, text, size=note.size, colour=colour, anchor="start")
            for text, u, v in note.words
        ]
    return found


def _leader(begin: tuple[float, float], end: tuple[float, float], colour: str) -> str:
    ends = f'x1="{begin[0]:.1f}" y1="{begin[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="1"/>'
