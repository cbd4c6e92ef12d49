"""Text in pictures of pixels."""

from __future__ import annotations

from functools import cache
from math import floor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motorik.view.render.content import Colour

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

    from motorik.view.render.lettering import Note

LEAST = 2.0  # px: letters that are smaller cannot be seen
HALO = 0.14  # of the height of letters: the paper around them


@cache
def font(height: float) -> FreeTypeFont:
    """Return the font whose letters have this height [px]."""
    import matplotlib
    from PIL import ImageFont

    file = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    return ImageFont.truetype(str(file), height)


def write_word(
    pixels: np.ndarray,
    x: float,
    y: float,
    text: str,
    *,
    size: float = 13.0,
    colour: Colour = (0.2, 0.2, 0.2),
    anchor: str = "middle",
    halo: Colour | None = None,
    turned: float = 0.0,
    end: tuple[float, float] | None = None,
) -> None:
    """Write words about a point [px] onto pixels (colours times coverage, coverage).

    `anchor` is "start", "middle" or "end": which part of them is there; `turned` [deg], a
    multiple of 90, clockwise. A line leads from them to `end` [px].
    """
    if not text or size < LEAST:
        return
    if end is not None:
        write_line(pixels, (x, y), end, colour)
    ink, around = _stamp(text, size, round(HALO * size) if halo is not None else 0, turned)
    high, wide = ink.shape
    along = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * (high if turned else wide)
    left, top = (x - wide / 2, y - along) if turned else (x - along, y - high / 2)
    if halo is not None:
        _blend(pixels, left, top, 0.85 * around, halo)
    _blend(pixels, left, top, ink, colour)


def write_note(pixels: np.ndarray, note: Note, paper: Colour | None) -> None:
    """Write a note in its box, with a line that leads from it to its point."""
    write_line(pixels, *note.leader, note.colour, dot=0.3 * note.size)
    left, top, right, bottom = map(round, note.box)
    whole = np.ones((bottom - top, right - left))
    _blend(pixels, left, top, whole, note.colour)
    _blend(pixels, left + 1, top + 1, whole[2:, 2:], paper or (1.0, 1.0, 1.0))
    for text, x, y in note.words:
        given = {"size": note.size, "colour": note.colour, "anchor": "start"}
        write_word(pixels, x, y, text, **given)


def write_line(
    pixels: np.ndarray,
    begin: tuple[float, float],
    end: tuple[float, float],
    colour: Colour,
    dot: float = 0.0,
) -> None:
    """Write a thin line from one point [px] to another, with a dot of a radius [px] at its end."""
    from PIL import Image, ImageDraw

    fine, edge = 4, dot + 2.0
    low = [floor(min(pair) - edge) for pair in zip(begin, end, strict=True)]
    wide, high = (
        int(max(pair) + edge) + 1 - k
        for pair, k in zip(zip(begin, end, strict=True), low, strict=True)
    )
    image = Image.new("L", (fine * wide, fine * high), 0)
    (a, b), (c, d) = ((fine * (x - low[0]), fine * (y - low[1])) for x, y in (begin, end))
    pen, r = ImageDraw.Draw(image), fine * dot
    pen.line([(a, b), (c, d)], fill=255, width=fine)
    if dot:
        pen.ellipse([c - r, d - r, c + r, d + r], fill=255)
    mask = np.asarray(image).reshape(high, fine, wide, fine).mean(axis=(1, 3)) / 255.0
    _blend(pixels, low[0], low[1], mask, colour)


@cache
def _stamp(
    text: str, size: float, halo: int, turned: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return how much of each pixel letters cover, and letters with a rim."""
    from PIL import Image, ImageDraw

    letters, edge = font(size), halo + 2
    left, _, right, _ = letters.getbbox(text)
    ascent, descent = letters.getmetrics()
    found = []
    for rim in (0, halo):
        shape = (int(right - left) + 2 * edge, ascent + descent + 2 * edge)
        image = Image.new("L", shape, 0)
        place = (edge - left, edge)
        ImageDraw.Draw(image).text(place, text, fill=255, font=letters, stroke_width=rim)
        found.append(np.rot90(np.asarray(image) / 255.0, -round(turned / 90.0)))
    return found[0], found[1]


def _blend(
    pixels: np.ndarray, left: float, top: float, mask: np.ndarray, colour: Colour
) -> None:
    height, width = pixels.shape[:2]
    i, j = round(left), round(top)
    a, b = max(i, 0), max(j, 0)
    c, d = min(i + mask.shape[1], width), min(j + mask.shape[0], height)
    if c <= a or d <= b:
        return
    cover = mask[b - j : d - j, a - i : c - i, None]
    piece = pixels[b:d, a:c]
    piece *= 1.0 - cover
    piece += cover * (*colour, 1.0)
