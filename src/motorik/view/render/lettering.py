"""Lettering: where the words of a picture stand, so that all of them can be read.

Letters of axes stand beside bodies, never on them; those of frames, which lie over bodies, at the
tips of axes. Names of parts stand apart from one another at what is seen of the parts, those of
large ones first: a part that is hidden has none, nor one for whose name there is no room. Error
messages stand in boxes within the picture, with lines that lead to their parts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from math import cos, hypot, sin, tau

import numpy as np

from motorik.immutable import immutable
from motorik.view.render.camera import Lens
from motorik.view.render.content import Colour, Label, PictureContent
from motorik.view.render.projection import see
from motorik.view.render.text import font
from motorik.view.render.visibility import SAMPLES, find_depths

Box = tuple[float, float, float, float]
"""Left, top, right, bottom [px]."""

LINE = 1.3  # distance of lines, of the height of letters
WIDEST = 0.45  # width of a note, of that of the picture
FARTHEST = {"axis": 3.0, "name": 7.0}  # from its point, in heights of letters
LEADING = 1.6  # heights of letters from which on a line leads to the point of a name
LEGIBLE = 0.4  # of the height of letters: smaller ones at tips of axes are left out
SPARSE = 4  # px between the points where it is looked for what is seen of parts
SOLID = 0.5  # opacity from which on a surface hides what is behind it
GRID = 6  # places in each direction that a note may have


@immutable
class Word:
    """Words about a point [px], of a height [px]; `end` is where a line leads from them."""

    text: str
    x: float
    y: float
    size: float
    colour: Colour
    end: tuple[float, float] | None = None


@immutable
class Note:
    """Lines of words in a box [px], of a height [px]; a line leads from it to a point [px]."""

    lines: tuple[str, ...]
    box: Box
    size: float
    colour: Colour
    point: tuple[float, float]

    @property
    def words(self) -> list[tuple[str, float, float]]:
        """The lines, each with where it begins."""
        left, top, _, _ = self.box
        step = LINE * self.size
        return [
            (line, left + 0.6 * self.size, top + (k + 0.75) * step)
            for k, line in enumerate(self.lines)
        ]

    @property
    def leader(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """From the nearest point of the box to the point."""
        left, top, right, bottom = self.box
        x, y = self.point
        return (min(max(x, left), right), min(max(y, top), bottom)), self.point


@dataclass
class _Sheet:
    """A picture that is being lettered: its bodies, and the boxes of words that stand already."""

    area: Box
    bodies: Silhouette
    taken: list[Box] = field(default_factory=list)

    def holds(self, box: Box) -> bool:
        left, top, right, bottom = self.area
        return left <= box[0] and top <= box[1] and box[2] <= right and box[3] <= bottom

    def is_free(self, box: Box) -> bool:
        return not any(_meet(box, other) for other in self.taken)

    def is_empty(self, box: Box) -> bool:
        return self.is_free(box) and not self.bodies.meets(box)


def letter(
    content: PictureContent, lens: Lens, letters: float, area: Box
) -> tuple[list[Word], list[Note]]:
    """Return the words and notes of a content within an area [px]; `letters` [px] high.

    Words are at least as high, at most twice that; none are behind the eye.
    """
    if not content.labels:
        return [], []
    used, points = content.facets.triangles, content.facets.points
    ahead = (lens.depth(points) > 0.0)[used].all(axis=1)
    sheet = _Sheet(area, Silhouette(lens.project(points)[0][used[ahead]]))
    words, notes = [], []
    places = {label: lens.project(label.point)[0] for label in content.labels}
    for kind in ("text", "axis", "tip", "note", "name"):
        own = [one for one in content.labels if one.kind == kind]
        if kind == "name" and own:
            seen = visible_places(content, lens, {one.part for one in own})
            places |= {one: seen[one.part] for one in own if one.part in seen}
            own = [one for part in seen for one in own if one.part == part]
        for label in own:
            if lens.depth(label.point) <= 0.0:
                continue
            if kind == "tip" and lens.scale * label.height < LEGIBLE * letters:
                continue  # its axis is hardly longer than the letter
            x, y = map(float, places[label])
            size = min(max(lens.scale * label.height, letters), 2 * letters)
            if kind == "note":
                notes.append(_note(label, x, y, letters, sheet))
            else:
                words += _word(label, x, y, round(size, 1), sheet)
    return words, notes


def _word(label: Label, x: float, y: float, size: float, sheet: _Sheet) -> list[Word]:
    """Return a word at or near a point; none if there is no place for it.

    Letters are smaller where they would be wider than the picture.
    """
    wide = font(size).getlength(label.text)
    room = sheet.area[2] - sheet.area[0]
    if wide > room > 0.0:
        size, wide = round(size * room / wide, 1), room

    def box(u: float, v: float) -> Box:
        return u - wide / 2, v - 0.5 * size, u + wide / 2, v + 0.5 * size

    at: tuple[float, float] | None = (x, y)
    if label.kind in FARTHEST:
        far = FARTHEST[label.kind]
        near = [p for p in _around(x, y, size, far) if sheet.holds(box(*p))]
        at = next((p for p in near if sheet.is_empty(box(*p))), None)
        if at is None and label.kind == "name":
            at = next((p for p in near if sheet.is_free(box(*p))), None)
    elif label.kind == "tip" and not sheet.is_free(box(x, y)):
        at = None
    if at is None:
        return []
    sheet.taken.append(box(*at))
    is_far = hypot(at[0] - x, at[1] - y) > LEADING * size and label.kind == "name"
    return [Word(label.text, *at, size, label.colour, (x, y) if is_far else None)]


def visible_places(
    content: PictureContent, lens: Lens, parts: Collection[int]
) -> dict[int, np.ndarray]:
    """Return a point [px] of what is seen of each part, parts of which most is seen first."""
    wide, high = (-(-size // SPARSE) for size in lens.size)
    triangles, span = see(replace(content, strokes=()), lens)
    numbers = np.full(int(content.facets.patches.max(initial=-1)) + 1, -1)
    numbers[content.facets.patches] = content.facets.parts
    solid = triangles[triangles.materials[:, 3] >= SOLID]
    small = replace(solid, xy=solid.xy / SPARSE)
    depths = find_depths(small, (wide, high), span, np.ones(len(small), dtype=bool))
    rows, columns = np.nonzero(depths.face >= 0)
    owners = numbers[solid.patches[depths.face[rows, columns]]]
    points = SPARSE * (np.column_stack([columns, rows]) + 0.5) / SAMPLES
    found: list[tuple[int, int, np.ndarray]] = []
    for part in parts:
        own = points[owners == part]
        if len(own):
            middle = np.median(own, axis=0)
            nearest = own[np.abs(own - middle).sum(axis=1).argmin()]
            found.append((-len(own), part, nearest))
    return {part: point for _, part, point in sorted(found, key=lambda one: one[:2])}


def _around(x: float, y: float, size: float, far: float) -> Iterator[tuple[float, float]]:
    """Yield points about a point, the nearest first, up to `far` heights of letters."""
    yield x, y
    for step in np.arange(0.75, far + 0.1, 0.75):
        for k in range(8):
            turn = tau * (k / 8 - 0.25)
            yield x + 1.4 * step * size * cos(turn), y + step * size * sin(turn)


def _note(label: Label, x: float, y: float, size: float, sheet: _Sheet) -> Note:
    """Return a note where it covers as little as possible, near its point."""
    left, top, right, bottom = sheet.area
    width = max(WIDEST * (right - left), min(14 * size, right - left))
    lines = wrapped(label.text, width - 1.2 * size, size)
    wide = max(font(size).getlength(line) for line in lines) + 1.2 * size
    high = LINE * size * (len(lines) + 0.5)
    found: list[tuple[int, float, Box]] = []
    for u in np.linspace(left, max(right - wide, left), GRID):
        for v in np.linspace(top, max(bottom - high, top), GRID):
            box = (float(u), float(v), float(u) + wide, float(v) + high)
            covers = 2 * (not sheet.is_free(box)) + sheet.bodies.meets(box)
            away = hypot(u + wide / 2 - x, v + high / 2 - y)
            found.append((covers, away, box))
    best = min(found)[2]
    sheet.taken.append(best)
    return Note(tuple(lines), best, size, label.colour, (x, y))


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Return a text in lines of at most this width [px], letters of this height [px]."""
    letters, lines, line = font(size), [], ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and letters.getlength(longer) > width:
            lines.append(line)
            longer = word
        while letters.getlength(longer) > width and len(longer) > 1:  # one word is too long
            fits = len(longer) - 1
            while fits > 1 and letters.getlength(longer[:fits]) > width:
                fits -= 1
            lines.append(longer[:fits])
            longer = longer[fits:]
        line = longer
    return [*lines, line] if line else lines or [""]


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


class Silhouette:
    """All bodies of a picture as triangles (n × 3 × 2 [px]), with the boxes around them."""

    def __init__(self, triangles: np.ndarray) -> None:
        a, b, c = np.moveaxis(triangles.reshape(-1, 3, 2), 1, 0)
        self._triangles = triangles
        self._low = np.ascontiguousarray(np.minimum(np.minimum(a, b), c).T)
        self._high = np.ascontiguousarray(np.maximum(np.maximum(a, b), c).T)

    def meets(self, box: Box) -> bool:
        """Return whether a box meets one of the triangles."""
        left, top, right, bottom = box
        (x_low, y_low), (x_high, y_high) = self._low, self._high
        near = (x_low < right) & (x_high > left) & (y_low < bottom) & (y_high > top)
        return touches(box, self._triangles[near])


def touches(box: Box, own: np.ndarray) -> bool:
    """Return whether a box meets one of some triangles (n × 3 × 2 [px]) whose boxes it meets.

    They do not if there is a line along a side of one of them with both on different sides.
    """
    left, top, right, bottom = box
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    apart = np.zeros(len(own), dtype=bool)
    for k in range(3):
        begin, end, third = own[:, k], own[:, (k + 1) % 3], own[:, (k + 2) % 3]
        across = (end - begin)[:, ::-1] * (-1.0, 1.0)
        inside = np.sign(np.einsum("ni,ni->n", third - begin, across))
        away = np.einsum("nki,ni->nk", corners[None] - begin[:, None], across)
        apart |= ((away * inside[:, None]) < 0.0).all(axis=1)
    return bool((~apart).any())
