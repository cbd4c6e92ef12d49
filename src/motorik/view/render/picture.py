"""Pictures, as `draw` returns them: pixels or SVG of one instant, made on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from io import BytesIO
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motorik.immutable import immutable
from motorik.view.files import check_suffix, writing
from motorik.view.render.camera import Lens
from motorik.view.render.content import PictureContent
from motorik.view.render.lettering import Box, Note, Word, letter
from motorik.view.render.paint import TIE, Pencil, faces_of, native_kernels, paint
from motorik.view.render.projection import see_facets
from motorik.view.render.raster import room_for_row
from motorik.view.render.ruler import Ruler
from motorik.view.render.shade import hex_of
from motorik.view.render.svg import draw_svg, letter_svg, whole_svg, word
from motorik.view.render.text import write_note, write_word
from motorik.view.sheet import make_sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# --- shadow on the ground -----------------------------------------------------------------


DARK = 0.20  # the darkest shadow, of black
SOFT = 0.012  # of the width of the picture: how far its edge is spread
COARSE = 2  # pixels in a sample of it, as it is soft
LOWEST = 0.1  # sine of the angle above the ground from which it is seen


def shadow(content: PictureContent, lens: Lens, up: np.ndarray) -> np.ndarray:
    """Return how dark each pixel of the ground is, 0 to 1; it lies below everything."""
    width, height = lens.size
    up = np.asarray(up, dtype=float) / np.linalg.norm(up)
    facets = content.facets
    solid = facets.materials[:, 3] >= 1.0
    if lens.axes[2] @ up < LOWEST or not solid.any():
        return np.zeros((height, width))
    level = facets.points @ up
    ground = level.min()
    flat = facets.points + (ground - level)[:, None] * up
    facets = replace(
        facets,
        points=flat,
        triangles=facets.triangles[solid],
        materials=facets.materials[solid],
        patches=facets.patches[solid],
    )
    wide, high = -(-width // COARSE), -(-height // COARSE)
    seen = see_facets(facets, lens)
    faces = faces_of(replace(seen, xy=seen.xy / COARSE), 1)
    near = np.full(wide * high, -np.inf)
    face = np.full(wide * high, -1, dtype=np.int64)
    enter, _ = native_kernels()
    enter(faces, wide, 0, high, TIE, near, face, room_for_row())
    dark = (face >= 0).reshape(high, wide)
    return DARK * spread(dark, COARSE, max(1, round(SOFT * width)))[:height, :width]


def spread(dark: np.ndarray, size: int, radius: int) -> np.ndarray:
    """Return marks, `size` pixels wide, as 0 to 1 spread out by three means over 2 radius + 1 px.

    Their sum is Gauss's bell, nearly.
    """
    from PIL import Image, ImageFilter

    deviation = sqrt(((2 * radius + 1) ** 2 - 1) / 4) / size
    image = Image.fromarray(255 * dark.astype(np.uint8))
    soft = image.filter(ImageFilter.GaussianBlur(deviation))
    whole = soft.resize((size * soft.width, size * soft.height), Image.Resampling.BILINEAR)
    return np.asarray(whole) / 255.0


RASTER = {
    "png": "PNG",
    "jpg": "JPEG",
    "jpeg": "JPEG",
    "webp": "WEBP",
    "tif": "TIFF",
    "gif": "GIF",
}
SUFFIXES = (*RASTER, "svg", "pdf")
CAPTION = (0.25, 0.25, 0.25)


@immutable(eq=False)
class Ghost:
    """An earlier pose, painted as a whole with a strength (0 to 1) behind the present one."""

    content: PictureContent
    strength: float


@immutable(eq=False)
class Tile:
    """One view of one content: its lens and ruler (of planar models), title and time.

    `ghosts` lie behind it, `marks` such as arrows of forces and axes of frames over it.
    """

    content: PictureContent
    lens: Lens
    up: np.ndarray
    ruler: Ruler | None = None
    title: str = ""
    caption: str = ""
    ghosts: Sequence[Ghost] = ()
    marks: PictureContent | None = None

    def paint(self, pencil: Pencil, letters: float) -> np.ndarray:
        """Return its pixels: height × width × (red, green, blue, coverage)."""
        width, height = self.lens.size
        pixels = np.zeros((height, width, 4))
        if pencil.paper is not None:
            pixels[:] = (*pencil.paper, 1.0)
        if self.ruler is not None:
            self.ruler.paint_grid(pixels, pencil)
        elif pencil.shadow:
            dark = shadow(self.content, self.lens, self.up)[..., None]
            pixels *= 1.0 - dark
            pixels[..., 3:] += dark
        for content, strength in self._sheets(pencil):
            seen = strength * paint(content, self.lens, pencil)
            if self.ruler is not None:
                seen *= self._inside()
            pixels *= 1.0 - seen[..., 3:]
            pixels += seen
        if self.ruler is not None:
            self.ruler.paint_axes(pixels, pencil)
        words, notes = self._lettered(pencil, letters)
        for one in words:
            style = {"size": one.size, "colour": one.colour, "halo": pencil.paper}
            write_word(pixels, one.x, one.y, one.text, end=one.end, **style)
        for note in notes:
            write_note(pixels, note, pencil.paper)
        for text, x, y, anchor in self._headings(letters):
            given = {"size": letters, "colour": pencil.legible(CAPTION), "anchor": anchor}
            write_word(pixels, x, y, text, halo=pencil.paper, **given)
        return pixels

    def svg(self, pencil: Pencil, letters: float) -> list[str]:
        """Return the elements of its drawing."""
        width, height = self.lens.size
        elements = []
        if pencil.paper is not None:
            paper = hex_of(pencil.paper)
            elements.append(f'<rect width="{width}" height="{height}" fill="{paper}"/>')
        drawn: list[str] = []
        for content, strength in self._sheets(pencil):
            own = draw_svg(content, self.lens, pencil)
            whole = strength == 1.0
            drawn += own if whole else [f'<g opacity="{strength:.3g}">', *own, "</g>"]
        drawn += letter_svg(*self._lettered(pencil, letters), pencil)
        if self.ruler is None:
            elements += drawn
        else:
            left, top, right, bottom = self.ruler.box
            elements += [
                self.ruler.svg_grid(pencil),
                f'<svg x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" '
                f'viewBox="{left} {top} {right - left} {bottom - top}">',
                *drawn,
                "</svg>",
                *self.ruler.svg_axes(pencil),
            ]
        for text, x, y, anchor in self._headings(letters):
            colour = hex_of(pencil.legible(CAPTION))
            elements.append(word(x, y, text, size=letters, anchor=anchor, colour=colour))
        return elements

    def _sheets(self, pencil: Pencil) -> list[tuple[PictureContent, float]]:
        """Return the layers of the picture from back to front, each with its opacity."""
        behind = [(ghost.content, ghost.strength) for ghost in self.ghosts]
        over = [] if self.marks is None or self.marks.is_empty else [(self.marks, 1.0)]
        return [
            (_legible(content, pencil), strength)
            for content, strength in (*behind, (self.content, 1.0), *over)
        ]

    def _inside(self) -> np.ndarray:
        assert self.ruler is not None
        left, top, right, bottom = self.ruler.box
        width, height = self.lens.size
        inside = np.zeros((height, width, 1))
        inside[top:bottom, left:right] = 1.0
        return inside

    def _lettered(self, pencil: Pencil, letters: float) -> tuple[list[Word], list[Note]]:
        """Return its words and notes, below the headings."""
        left, top, right, bottom = self.ruler.box if self.ruler else (0, 0, *self.lens.size)
        edge = 0.6 * letters
        area: Box = left + edge, top + 2.0 * letters, right - edge, bottom - edge
        labels = [] if self.marks is None else self.marks.labels
        content = replace(self.content, labels=[*self.content.labels, *labels])
        words, notes = letter(content, self.lens, letters, area)
        return (
            [replace(one, colour=pencil.legible(one.colour)) for one in words],
            [replace(one, colour=pencil.legible(one.colour)) for one in notes],
        )

    def _headings(self, letters: float) -> list[tuple[str, float, float, str]]:
        left, top, right, _ = self.ruler.box if self.ruler else (0, 0, *self.lens.size)
        y = top + 0.95 * letters
        found = [(self.title, left + 0.8 * letters, y, "start")]
        found.append((self.caption, right - 0.8 * letters, y, "end"))
        return [one for one in found if one[0]]


def _legible(content: PictureContent, pencil: Pencil) -> PictureContent:
    """Return a content whose lines stand out from the paper."""
    strokes = [replace(one, colour=pencil.legible(one.colour)) for one in content.strokes]
    return replace(content, strokes=strokes)


@immutable(eq=False)
class Picture:
    """A picture of one instant, or several side by side.

    A notebook shows it; `save` writes PNG, SVG, PDF and other formats; `pixels` is an array;
    `figure()` a figure of matplotlib, to be drawn on.
    """

    tiles: Sequence[Tile]
    pencil: Pencil
    letters: float = 13.0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height [px]."""
        sizes = [tile.lens.size for tile in self.tiles]
        return sum(width for width, _ in sizes), max(height for _, height in sizes)

    @cached_property
    def pixels(self) -> np.ndarray:
        """Height × width × (red, green, blue, opacity), each 0 to 255."""
        parts = [tile.paint(self.pencil, self.letters) for tile in self.tiles]
        whole = parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)
        colours, cover = whole[..., :3], whole[..., 3:]
        if self.pencil.paper is None:
            colours /= np.where(cover > 0.0, cover, 1.0)
        np.clip(whole, 0.0, 1.0, out=whole)
        whole *= 255.0
        return np.rint(whole, out=whole).astype(np.uint8)

    def svg(self) -> str:
        """Return the picture as SVG: faces, lines and words, no pixels."""
        elements, x = [], 0
        for tile in self.tiles:
            width, height = tile.lens.size
            if len(self.tiles) > 1:
                elements.append(f'<svg x="{x}" width="{width}" height="{height}">')
            elements += tile.svg(self.pencil, self.letters)
            if len(self.tiles) > 1:
                elements.append("</svg>")
            x += width
        return whole_svg(self.size, elements)

    def png(self) -> bytes:
        """Return the bytes of a PNG file."""
        return self._encoded("PNG")

    def save(self, file: str | Path) -> Path:
        """Write a file in the format of its suffix (PNG, SVG, PDF, JPEG, WebP …)."""
        path = check_suffix("draw", file, SUFFIXES)
        suffix = path.suffix.lower().removeprefix(".") or "png"
        with writing("draw", path):
            if suffix == "svg":
                path.write_text(self.svg(), encoding="utf-8")
            elif suffix == "pdf":
                from motorik.view.render.pdf import pdf_of

                path.write_bytes(pdf_of(self.svg()))
            else:
                path.write_bytes(self._encoded(RASTER[suffix]))
        return path

    def figure(self) -> Figure:
        """Return a figure of matplotlib that holds the picture and nothing else."""
        width, height = self.size
        figure = make_sheet((width / 100, height / 100), layout=None)
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.imshow(self.pixels, interpolation="nearest", aspect="auto")
        axes.set_axis_off()
        return figure

    def _encoded(self, kind: str) -> bytes:
        from PIL import Image

        image = Image.fromarray(self.pixels)
        if kind in ("JPEG", "GIF"):
            paper = Image.new("RGBA", image.size, "white")
            image = Image.alpha_composite(paper, image).convert("RGB")
        store = BytesIO()
        image.save(store, kind)
        return store.getvalue()

    def _repr_png_(self) -> bytes:
        return self.png()

    def __repr__(self) -> str:
        width, height = self.size
        return f"<Picture, {width} × {height} pixels; save it with .save('picture.png')>"
