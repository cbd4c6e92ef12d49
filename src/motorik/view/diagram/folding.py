"""Folding: a diagram that is far wider than high, in bands one below the other.

Bands run to the right and back in turn, as an ox ploughs, so that columns which follow each
other stay together; what runs back is mirrored. Their number is odd: what leaves a diagram on
its right leaves it there still.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf

from motorik.view.diagram.drawing_types import Box, Drawing, Point
from motorik.view.diagram.structure import OWN

WIDEST = 2000.0  # px, up to which nothing is folded
SLIM = 2.2  # width by height, up to which nothing is folded
BETWEEN = 56.0  # px between bands
TURN = 44.0  # px beside bands, where wires turn round
Column = tuple[float, float]
"""Where a column begins, and how wide it is [px]."""


def folded(drawing: Drawing, columns: Sequence[Column]) -> Drawing:
    """Return a drawing, of so many bands that it is not much wider than high."""
    count = 1
    while count + 2 <= len(columns) and drawing.width / count > max(
        WIDEST, SLIM * count * (drawing.height + BETWEEN)
    ):
        count += 2
    if count == 1:
        return drawing
    return _in_bands(drawing, columns, _bands(columns, drawing.width, count))


def _bands(columns: Sequence[Column], width: float, count: int) -> list[int]:
    """Return the band of each column, all about as wide."""
    found, band = [], 0
    for left, wide in columns:
        middle = left + wide / 2
        band = min(max(band, int(count * middle / width)), band + 1, count - 1)
        found.append(band)
    return found


def _in_bands(drawing: Drawing, columns: Sequence[Column], bands: Sequence[int]) -> Drawing:
    spans = [
        [c for c, b in zip(columns, bands, strict=True) if b == k]
        for k in range(bands[-1] + 1)
    ]
    begin = [own[0][0] for own in spans]
    inner = max(sum(own[-1]) - own[0][0] for own in spans)
    width = inner + 2 * TURN

    def band_at(x: float) -> int:
        return bands[min(range(len(columns)), key=lambda k: _off(columns[k], x))]

    tops, height = _tops(drawing, band_at, len(spans))

    def moved(x: float, y: float, band: int) -> tuple[float, float]:
        along = x - begin[band]
        return TURN + (inner - along if band % 2 else along), y + tops[band]

    def point(one: Point) -> Point:
        x, y, side = one
        band = band_at(x)
        return *moved(x, y, band), -side if band % 2 else side

    boxes = []
    for box in drawing.boxes:
        band = band_at(box.x + box.width / 2)
        x, y = moved(box.x, box.y, band)
        turned = mirrored_box(box) if band % 2 else box
        boxes.append(replace(turned, x=x - box.width if band % 2 else x, y=y))
    over = width - drawing.width
    pins: dict[str, Point] = {
        port: (x, y + tops[0], s) if s < 0 else (x + over, y + tops[-1], s)
        for port, (x, y, s) in drawing.pins.items()
    }
    wires = [(wire, [point(one) for one in way]) for wire, way in drawing.wires]
    for wire, way in wires:  # ends at pins of the diagram stand on its border
        for k, node, port in ((0, wire.a, wire.port_a), (-1, wire.b, wire.port_b)):
            if node == OWN:
                x, y, side = pins[port]
                way[k] = (x, y, -side)
    return Drawing(width, height, boxes, wires, pins)


def _tops(
    drawing: Drawing, band_at: Callable[[float], int], count: int
) -> tuple[list[float], float]:
    """Return how far down each band moves, and the height of all [px]."""
    low, high = [inf] * count, [-inf] * count
    ends = [(box.x + box.width / 2, box.y, box.y + box.height) for box in drawing.boxes]
    ends += [(x, y, y) for _, way in drawing.wires for x, y, _ in way]
    for x, top, bottom in ends:
        band = band_at(x)
        low[band], high[band] = min(low[band], top), max(high[band], bottom)
    found, below = [], 0.0
    for k in range(count):
        found.append(below - low[k])
        below += high[k] - low[k] + BETWEEN
    return found, below - BETWEEN


def _off(column: Column, x: float) -> float:
    """Return how far x is outside of a column."""
    left, wide = column
    return max(left - x, x - left - wide, 0.0)


def mirrored_box(box: Box) -> Box:
    """Return a box with left and right exchanged."""
    ports = {
        (name, -side): (box.width - x, y) for (name, side), (x, y) in box.ports.items()
    }
    inside = None if box.inside is None else mirrored(box.inside)
    return replace(box, ports=ports, inside=inside)


def mirrored(drawing: Drawing) -> Drawing:
    """Return a drawing with left and right exchanged."""
    width = drawing.width
    boxes = [
        replace(mirrored_box(box), x=width - box.x - box.width) for box in drawing.boxes
    ]
    wires = [
        (wire, [(width - x, y, -side) for x, y, side in way]) for wire, way in drawing.wires
    ]
    pins = {port: (width - x, y, -side) for port, (x, y, side) in drawing.pins.items()}
    return Drawing(width, drawing.height, boxes, wires, pins)
