"""Ruler: the axes around the picture of a planar model, in metres."""

from __future__ import annotations

from math import floor, log10

import numpy as np

from motorik.immutable import immutable
from motorik.view.render.camera import Lens
from motorik.view.render.paint import Pencil
from motorik.view.render.shade import hex_of
from motorik.view.render.svg import word
from motorik.view.render.text import write_word

ROOM = (58, 14, 14, 46)  # px, left, top, right and bottom of the axes
UNITS = ((2e3, "km", 1e-3), (0.2, "m", 1.0), (2e-4, "mm", 1e3), (0.0, "µm", 1e6))
LINE, PALE, TEXT = (0.45, 0.45, 0.45), (0.92, 0.92, 0.92), (0.25, 0.25, 0.25)
TICK = 5  # px
APART = 75.0  # px between two numbers, about


@immutable
class Ruler:
    """Axes on the left of and below a picture that is seen along one direction."""

    lens: Lens
    room: tuple[int, int, int, int]
    letters: float = 12.0

    @classmethod
    def around(cls, lens: Lens, size: tuple[int, int], scale: float = 1.0) -> Ruler:
        """Return the ruler of a lens without room for it, in a picture of this size [px]."""
        left, top, right, bottom = room = cls.place(scale)
        shift = ((left - right) / 2, (top - bottom) / 2)
        wider = Lens(lens.axes, lens.target, lens.scale, lens.distance, size, shift)
        return cls(wider, room, 12.0 * scale)

    @staticmethod
    def place(scale: float = 1.0) -> tuple[int, int, int, int]:
        """Return the room [px] that it needs: left, top, right, bottom."""
        left, top, right, bottom = (round(scale * side) for side in ROOM)
        return left, top, right, bottom

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The rectangle in which the model is seen [px]: left, top, right, bottom."""
        left, top, right, bottom = self.room
        width, height = self.lens.size
        return left, top, width - right, height - bottom

    def ticks(self, axis: int) -> list[tuple[float, str]]:
        """Return where numbers stand along an axis (0 to the right, 1 upward) [px], and these."""
        low, high = self._range(axis)
        unit = next(factor for _, name, factor in UNITS if name == self.unit)
        step = nice(abs(high - low) * APART / abs(self._pixels(axis)))
        first, last = np.ceil(low / step), np.floor(high / step)
        found = []
        for k in np.arange(first, last + 1):
            value = k * step
            share = (value - low) / (high - low)
            at = self.box[0] + share * self._pixels(0)
            if axis == 1:
                at = self.box[3] - share * self._pixels(1)
            text = f"{value * unit if k else 0.0:.10g}".replace("-", "−")
            found.append((float(at), text))
        return found

    @property
    def unit(self) -> str:
        """The unit that fits the extent of the picture."""
        extent = max(abs(high - low) for low, high in map(self._range, (0, 1)))
        return next(name for least, name, _ in UNITS if extent >= least)

    def label(self, axis: int) -> str:
        """Return the label of an axis: "x [m]"."""
        direction = self.lens.axes[axis]
        k = int(np.argmax(np.abs(direction)))
        if abs(direction[k]) < 1.0 - 1e-9:
            numbers = ", ".join(f"{value:.3g}" for value in direction)
            return f"along ({numbers}) [{self.unit}]"
        return f"{'' if direction[k] > 0 else '−'}{'xyz'[k]} [{self.unit}]"

    def _pixels(self, axis: int) -> int:
        left, top, right, bottom = self.box
        return right - left if axis == 0 else bottom - top

    def _range(self, axis: int) -> tuple[float, float]:
        middle = float(self.lens.target @ self.lens.axes[axis])
        half = self._pixels(axis) / (2 * self.lens.scale)
        return middle - half, middle + half

    # --- on pixels and in SVG ----------------------------------------------------------------

    def paint_grid(self, pixels: np.ndarray, pencil: Pencil) -> None:
        """Draw the pale lines that lie behind everything."""
        left, top, right, bottom = self.box
        pale = pencil.legible(PALE)
        for at, _ in self.ticks(0):
            _bar(pixels, round(at), top, 1, bottom - top, pale)
        for at, _ in self.ticks(1):
            _bar(pixels, left, round(at), right - left, 1, pale)

    def paint_axes(self, pixels: np.ndarray, pencil: Pencil) -> None:
        """Draw the axes, their numbers and labels."""
        line, text_colour = pencil.legible(LINE), pencil.legible(TEXT)
        left, top, right, bottom = self.box
        height, size = self.lens.size[1], self.letters
        _bar(pixels, left, bottom, right - left, 1, line)
        _bar(pixels, left, top, 1, bottom - top, line)
        for at, text in self.ticks(0):
            _bar(pixels, round(at), bottom, 1, TICK, line)
            write_word(
                pixels, at, bottom + TICK + 0.7 * size, text, size=size, colour=text_colour
            )
        for at, text in self.ticks(1):
            _bar(pixels, left - TICK, round(at), TICK, 1, line)
            where = (left - TICK - 3, at)
            write_word(pixels, *where, text, size=size, colour=text_colour, anchor="end")
        middle = ((left + right) / 2, height - 0.75 * size)
        write_word(pixels, *middle, self.label(0), size=size, colour=text_colour)
        side = (0.75 * size, (top + bottom) / 2)
        write_word(
            pixels, *side, self.label(1), size=size, colour=text_colour, turned=-90.0
        )

    def svg_grid(self, pencil: Pencil) -> str:
        """Return the pale lines as SVG."""
        left, top, right, bottom = self.box
        path = "".join(f"M{x:.1f} {top}V{bottom}" for x, _ in self.ticks(0))
        path += "".join(f"M{left} {y:.1f}H{right}" for y, _ in self.ticks(1))
        pale = hex_of(pencil.legible(PALE))
        return f'<path d="{path}" stroke="{pale}" fill="none"/>'

    def svg_axes(self, pencil: Pencil) -> list[str]:
        """Return the axes as SVG."""
        line, colour = (hex_of(pencil.legible(one)) for one in (LINE, TEXT))
        left, top, right, bottom = self.box
        height, size = self.lens.size[1], self.letters
        path = f"M{left} {top}V{bottom}H{right}"
        words = []
        for x, text in self.ticks(0):
            path += f"M{x:.1f} {bottom}v{TICK}"
            words.append(
                word(x, bottom + TICK + 0.7 * size, text, size=size, colour=colour)
            )
        for y, text in self.ticks(1):
            path += f"M{left} {y:.1f}h-{TICK}"
            words.append(
                word(left - TICK - 3, y, text, size=size, colour=colour, anchor="end")
            )
        below = ((left + right) / 2, height - 0.75 * size)
        beside = (0.75 * size, (top + bottom) / 2)
        words.append(word(*below, self.label(0), size=size, colour=colour))
        words.append(word(*beside, self.label(1), size=size, colour=colour, turned=-90.0))
        return [f'<path d="{path}" stroke="{line}" fill="none"/>', *words]


def nice(step: float) -> float:
    """Return the next of 1, 2, 5, 10 … times a power of ten that is not smaller.

    >>> nice(0.03)
    0.05
    """
    power = 10.0 ** floor(log10(step) + 1e-9)
    return next(k * power for k in (1.0, 2.0, 5.0, 10.0) if k * power >= 0.999 * step)


def _bar(
    pixels: np.ndarray,
    x: int,
    y: int,
    width: int,
    height: int,
    colour: tuple[float, float, float],
) -> None:
    pixels[max(y, 0) : y + height, max(x, 0) : x + width] = (*colour, 1.0)
