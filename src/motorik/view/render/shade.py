"""Shade: how bright faces of a drawing are, as one colour or as a gradient between two."""

from __future__ import annotations

from hashlib import blake2s

import numpy as np

from motorik.immutable import immutable
from motorik.view.render.paint import Pencil
from motorik.view.render.projection import Triangles
from motorik.view.render.raster import AMBIENT, FILL, FILL_LIGHT, GLOSS, KEY, KEY_LIGHT, SKY

FLAT = 2.5 / 255  # a difference of brightness across a face that nobody sees


@immutable
class Gradient:
    """A paint that changes along a line [px] from one colour to another, as #rrggbb."""

    begin: tuple[float, float]
    end: tuple[float, float]
    colours: tuple[str, str]

    @property
    def name(self) -> str:
        """A name that only the same gradient has, in whatever page drawings stand together."""
        return "g" + blake2s(repr(self).encode(), digest_size=6).hexdigest()

    def svg(self) -> str:
        """Return its definition."""
        (x1, y1), (x2, y2), (first, last) = self.begin, self.end, self.colours
        return (
            f'<linearGradient id="{self.name}" gradientUnits="userSpaceOnUse" '
            f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"><stop stop-color="{first}"/>'
            f'<stop offset="1" stop-color="{last}"/></linearGradient>'
        )


Paint = str | Gradient
"""A colour as #rrggbb, or a gradient."""


def hex_of(colour: np.ndarray | tuple[float, ...] | list[float]) -> str:
    """Return a colour as #rrggbb."""
    return "#" + "".join(f"{round(255 * min(max(c, 0.0), 1.0)):02x}" for c in colour)


def corner_colours(triangles: Triangles, pencil: Pencil) -> np.ndarray:
    """Return the colours of triangles at their corners, n × 3 × 3, as the rasteriser has them."""
    n = triangles.normals
    size = np.linalg.norm(n, axis=2, keepdims=True)
    n = n / np.where(size > 0.0, size, 1.0)
    away = n.mean(axis=1)[:, 2] < 0.0  # seen from its inside
    n = np.where(away[:, None, None], -n, n)
    key = n @ np.array(KEY)
    bright = AMBIENT + SKY * (0.5 + 0.5 * n[..., 1]) + KEY_LIGHT * np.maximum(key, 0.0)
    bright = bright + FILL_LIGHT * np.maximum(n @ np.array(FILL), 0.0)
    mirrored = np.maximum(2.0 * key * n[..., 2] - KEY[2], 0.0)
    shine = GLOSS * triangles.materials[:, None, 4] * mirrored**16
    own = triangles.materials[:, None, :3] if pencil.shaded else np.ones((len(n), 1, 3))
    return np.clip(own * bright[..., None] + shine[..., None], 0.0, 1.0)


def paint_of(xy: np.ndarray, colours: np.ndarray, opacity: float = 1.0) -> Paint:
    """Return the paint of a face with these colours (n × 3) at its corners (n × 2 [px]).

    Brightness is taken as linear over the face, which it is over a triangle.
    """
    mean, bright, flat = colours.mean(axis=0), colours.mean(axis=1), FLAT / opacity
    if np.ptp(bright) < flat:
        return hex_of(mean)
    middle = xy.mean(axis=0)
    slope = np.linalg.lstsq(xy - middle, bright - bright.mean(), rcond=1e-3)[0]
    steep = float(np.hypot(*slope))
    if steep == 0.0:
        return hex_of(mean)
    along = slope / steep
    s = (xy - middle) @ along
    if np.ptp(s) * steep < flat:
        return hex_of(mean)
    change = (s @ (colours - mean)) / (s @ s)
    ends = [middle + x * along for x in (s.min(), s.max())]
    (x1, y1), (x2, y2) = (np.round(end, 1).tolist() for end in ends)
    first, last = (hex_of(mean + x * change) for x in (s.min(), s.max()))
    if first == last or (x1, y1) == (x2, y2):
        return hex_of(mean)
    return Gradient((x1, y1), (x2, y2), (first, last))
