"""Paint: a content as pixels, by native kernels, in bands of rows."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from functools import cache

import numpy as np

from motorik.compiler.kernels import NativeKernel, native_group
from motorik.immutable import immutable
from motorik.view.render.camera import Lens
from motorik.view.render.content import Colour, PictureContent
from motorik.view.render.projection import Triangles, see
from motorik.view.render.raster import GRID, Faces, fill, room_for_row, shade

BAND = 64  # rows of pixels painted at a time
TIE = 1e-6  # of the range of nearness: surfaces that lie in one another
JUMP = 0.01  # of the range of nearness: a step of a surface in front of itself
WORKERS = 2
DARK_PAPER = 0.4  # lightness up to which paper is dark
FARTHEST = 2.0**20  # samples: corners farther outside of the picture are drawn in
Kernels = tuple[Callable[..., None], Callable[..., None]]


@immutable
class Pencil:
    """How a picture is painted.

    `samples` per pixel in each direction smooth its edges; outlines are `line` pixels wide, in
    the colour `ink` with its opacity. Without `shaded` surfaces are white: a line drawing.
    """

    samples: int = 3
    line: float = 1.1
    ink: tuple[float, float, float, float] = (0.13, 0.17, 0.23, 0.85)
    shaded: bool = True
    paper: Colour | None = (1.0, 1.0, 1.0)
    shadow: bool = True

    def legible(self, colour: Colour) -> Colour:
        """Return the colour of letters and lines that are meant for white paper, on this one.

        On dark paper they are as light as they are dark on white.
        """
        if self.paper is None or lightness(self.paper) > DARK_PAPER:
            return colour
        own, paper = lightness(colour), lightness(self.paper)
        lighter = paper + (1.0 - paper) * (1.0 - own) - own
        red, green, blue = (min(max(c + lighter, 0.0), 1.0) for c in colour)
        return red, green, blue


def lightness(colour: Colour) -> float:
    """Return how light a colour is, 0 to 1, by the luminance of its parts."""
    red, green, blue = colour
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@cache
def native_kernels() -> Kernels:
    """Return the two kernels as machine code."""

    def whole(one: NativeKernel) -> Callable[..., None]:
        return lambda faces, *rest: one(*parts_of(faces), *rest)

    first, second = native_group(fill, shade)
    return whole(first), whole(second)


PYTHON_KERNELS: Kernels = (fill, shade)
"""The same kernels as plain Python, which is slow."""


def paint(
    content: PictureContent, lens: Lens, pencil: Pencil, kernels: Kernels | None = None
) -> np.ndarray:
    """Return the pixels of a content: height × width × (red, green, blue, coverage), 0 to 1.

    Colours are multiplied by coverage; there is no paper yet.
    """
    triangles, span = see(content, lens)
    if not pencil.shaded:
        triangles = _white(triangles)
    clear = triangles.materials[:, 3] < 1.0
    solid = faces_of(triangles[~clear], pencil.samples)
    glass = faces_of(triangles[clear], pencil.samples)
    width, height = lens.size
    out = np.zeros((height, width, 4))
    if not len(triangles):
        return out
    work = _Band(solid, glass, lens.size, pencil, span, kernels or native_kernels())
    tops = range(0, height, BAND)
    if kernels is not None or len(tops) == 1:
        for top in tops:
            work.paint(top, out)
        return out
    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(lambda top: work.paint(top, out), tops))
    return out


@immutable(eq=False)
class _Band:
    """Paints the bands of one picture; each may be painted in a thread of its own."""

    solid: Faces
    glass: Faces
    size: tuple[int, int]
    pencil: Pencil
    span: float
    kernels: Kernels

    def paint(self, top: int, out: np.ndarray) -> None:
        """Paint the band that begins at a row of pixels."""
        ss, (width, height) = self.pencil.samples, self.size
        pixels, wide = min(BAND, height - top), width * ss
        reach = max(1, round(self.pencil.line * ss / 2))
        first, rows = top * ss - reach, pixels * ss
        near = np.full((rows + 2 * reach) * wide, -np.inf)
        ink = np.array(self.pencil.ink) * (1.0, 1.0, 1.0, self.pencil.line > 0.0)
        light, (enter, colour) = np.zeros(2), self.kernels
        for faces in (self.solid, self.glass):
            face = np.full(len(near), -1, dtype=np.int64)
            seen = np.zeros((pixels, width, 4))
            high, tie = rows + 2 * reach, TIE * self.span
            enter(faces, wide, first, high, tie, near, face, room_for_row())
            given = (wide, first, rows, ss, reach, JUMP * self.span, ink)
            colour(faces, *given, near, face, light, seen.reshape(-1))
            below = out[top : top + pixels]
            below *= 1.0 - seen[..., 3:]
            below += seen


def faces_of(triangles: Triangles, samples: int) -> Faces:
    """Return triangles in samples, their corners on the grid, as kernels take them."""
    xy = np.round(triangles.xy * (samples * GRID)) / GRID
    return Faces(
        len(triangles),
        np.ascontiguousarray(np.clip(xy, -FARTHEST, FARTHEST).reshape(-1)),
        np.ascontiguousarray(triangles.near.reshape(-1)),
        np.ascontiguousarray(triangles.normals.reshape(-1)),
        np.ascontiguousarray(triangles.materials.reshape(-1)),
        np.ascontiguousarray(triangles.patches.astype(np.int64)),
    )


def parts_of(faces: Faces) -> list[object]:
    """Return the fields of a group, as machine code takes them."""
    return [getattr(faces, field.name) for field in fields(faces)]


def _white(triangles: Triangles) -> Triangles:
    """Return the triangles of surfaces in white; strokes keep their colours."""
    materials = triangles.materials.copy()
    materials[triangles.patches >= 0, :3] = 1.0
    return replace(triangles, materials=materials)
