"""Figure: the SVG of a diagram drawn by matplotlib, so that it can be saved as pixels or PDF.

It knows the elements that diagrams consist of: groups that are moved, rectangles with round
corners, paths, circles and words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import acos, ceil, copysign, cos, degrees, hypot, pi, sin, sqrt, tan
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from motorik.view.sheet import make_sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SVG = "{http://www.w3.org/2000/svg}"
POINT = 0.72  # of a pixel: a hundred pixels and 72 points are an inch
ARROW = 7.0  # px, length of the head of a signal's arrow
KNOT = 0.5523  # of the radius: where the handles of a quarter of a circle are
TOKEN = re.compile(r"[MLHVCQAZmlhvcqaz]|-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?")
COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "A": 7, "Z": 0}
Point = tuple[float, float]
Style = Mapping[str, str]


def figure_of(svg: str) -> Figure:
    """Return a figure of matplotlib that shows the drawing of a diagram."""
    root = ElementTree.fromstring(svg)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    figure = make_sheet((width / 100, height / 100), layout=None)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0.0, width), ylim=(height, 0.0))
    axes.set_axis_off()
    for element in root:
        _draw(axes, element, 0.0, 0.0)
    return figure


def _draw(axes: Axes, element: ElementTree.Element, x: float, y: float) -> None:
    kind, given = element.tag.removeprefix(SVG), element.attrib
    u, v = _moved(given)
    x, y = x + u, y + v
    if kind == "g":
        for inner in element:
            _draw(axes, inner, x, y)
    elif kind == "text":
        _write(axes, element, x, y)
    elif kind == "circle":
        r, (u, v) = float(given["r"]), (float(given["cx"]), float(given["cy"]))
        _paint(axes, given, [*_round(x + u - r, y + v - r, 2 * r, 2 * r, r)])
    elif kind == "rect" and "%" not in given["width"]:  # else it is the paper
        sides = (float(given.get(name, 0.0)) for name in ("x", "y", "width", "height"))
        left, top, wide, high = sides
        radius = float(given.get("rx", 0.0))
        _paint(axes, given, [*_round(x + left, y + top, wide, high, radius)])
    elif kind == "path":
        pieces = [
            (code, [(x + a, y + b) for a, b in ends]) for code, ends in path_of(given["d"])
        ]
        _paint(axes, given, pieces)
        if "marker-end" in given:
            _arrow(axes, given, pieces)


def _moved(given: Style) -> Point:
    found = re.match(r"translate\(([-\d.e]+) ([-\d.e]+)\)", given.get("transform", ""))
    return (float(found[1]), float(found[2])) if found else (0.0, 0.0)


def _paint(axes: Axes, given: Style, pieces: list[tuple[str, list[Point]]]) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    codes = {"M": Path.MOVETO, "L": Path.LINETO, "C": Path.CURVE4, "Z": Path.CLOSEPOLY}
    points: list[Point] = []
    kinds: list[Any] = []
    for code, ends in pieces:
        points += ends or [(0.0, 0.0)]
        kinds += [codes[code]] * max(len(ends), 1)
    line, fill = given.get("stroke", "none"), given.get("fill", "black")
    dashes = [float(n) * POINT for n in given.get("stroke-dasharray", "").split()]
    width = float(given.get("stroke-width", 1.0)) * POINT
    patch = PathPatch(
        Path(points, kinds),
        facecolor="none"
        if fill == "none"
        else (fill, float(given.get("fill-opacity", 1.0))),
        edgecolor=line,
        linewidth=width if line != "none" else 0.0,
        linestyle=(0.0, dashes) if dashes else "solid",
        joinstyle="round",
        capstyle="round",
    )
    axes.add_patch(patch)


def _write(axes: Axes, element: ElementTree.Element, x: float, y: float) -> None:
    given = element.attrib
    sides = {"start": "left", "middle": "center", "end": "right"}
    axes.text(
        x + float(given["x"]),
        y + float(given["y"]) + 0.35 * float(given["font-size"]),
        (element.text or "").replace("$", r"\$"),
        fontsize=float(given["font-size"]) * POINT,
        color=given["fill"],
        ha=sides[given.get("text-anchor", "start")],
        va="baseline",
        fontweight="bold" if "font-weight" in given else "normal",
        family="DejaVu Sans",
    )


def _arrow(axes: Axes, given: Style, pieces: list[tuple[str, list[Point]]]) -> None:
    """Draw the head of an arrow before the end of a way, which ends at a port."""
    points = [point for _, ends in pieces for point in ends]
    (u, v), (x, y) = points[-2], points[-1]
    away = hypot(x - u, y - v) or 1.0
    a, b = (x - u) / away, (y - v) / away
    x, y = x - 3.0 * a, y - 3.0 * b
    back, side = (x - ARROW * a, y - ARROW * b), 0.4 * ARROW
    corners = [(x, y), (back[0] - side * b, back[1] + side * a)]
    corners += [(back[0] + side * b, back[1] - side * a)]
    style = {"fill": given["stroke"]}
    _paint(axes, style, [("M", corners[:1]), ("L", corners[1:]), ("Z", [])])


def _round(
    x: float, y: float, w: float, h: float, radius: float
) -> Iterator[tuple[str, list[Point]]]:
    """Yield the pieces of a rectangle with round corners."""
    r = min(radius, w / 2, h / 2)
    k, right, bottom = r * (1.0 - KNOT), x + w, y + h
    yield "M", [(x + r, y)]
    yield "L", [(right - r, y)]
    yield "C", [(right - k, y), (right, y + k), (right, y + r)]
    yield "L", [(right, bottom - r)]
    yield "C", [(right, bottom - k), (right - k, bottom), (right - r, bottom)]
    yield "L", [(x + r, bottom)]
    yield "C", [(x + k, bottom), (x, bottom - k), (x, bottom - r)]
    yield "L", [(x, y + r)]
    yield "C", [(x, y + k), (x + k, y), (x + r, y)]
    yield "Z", []


def path_of(d: str) -> Iterator[tuple[str, list[Point]]]:
    """Yield the pieces of the path of an SVG element: moves M, lines L, cubics C and ends Z."""
    tokens = TOKEN.findall(d)
    at, first, place, code = (0.0, 0.0), (0.0, 0.0), 0, ""
    while place < len(tokens):
        if tokens[place].isalpha():
            code = tokens[place]
            place += 1
        kind = code.upper()
        numbers = [float(n) for n in tokens[place : place + COUNTS[kind]]]
        place += len(numbers)
        x, y = at if code.islower() else (0.0, 0.0)
        if kind == "Z":
            yield "Z", []
            at = first
        elif kind == "A":
            end = x + numbers[5], y + numbers[6]
            yield from _arc(at, end, numbers[0], bool(numbers[3]), bool(numbers[4]))
            at = end
        else:
            if kind in "HV":
                along = numbers[0]
                ends = [(x + along, at[1])] if kind == "H" else [(at[0], y + along)]
            else:
                ends = [
                    (x + a, y + b) for a, b in zip(numbers[::2], numbers[1::2], strict=True)
                ]
            if kind == "Q":
                (u, v), (p, q) = ends
                ends = [
                    (at[0] + 2 / 3 * (u - at[0]), at[1] + 2 / 3 * (v - at[1])),
                    (p + 2 / 3 * (u - p), q + 2 / 3 * (v - q)),
                    (p, q),
                ]
            yield {"H": "L", "V": "L", "Q": "C"}.get(kind, kind), ends
            at = ends[-1]
            if kind == "M":
                first, code = at, "l" if code == "m" else "L"


def _arc(
    begin: Point, end: Point, radius: float, large: bool, onward: bool
) -> Iterator[tuple[str, list[Point]]]:
    """Yield cubics along the arc of a circle; `onward` is with growing angle."""
    u, v = (end[0] - begin[0]) / 2, (end[1] - begin[1]) / 2
    half = hypot(u, v)
    if not half:
        return
    r = max(radius, half)
    away = sqrt(max(r * r - half * half, 0.0)) / half * (1.0 if large != onward else -1.0)
    x, y = begin[0] + u - away * v, begin[1] + v + away * u
    a = copysign(acos(max(-1.0, min(1.0, (begin[0] - x) / r))), begin[1] - y)
    b = copysign(acos(max(-1.0, min(1.0, (end[0] - x) / r))), end[1] - y)
    turn = (b - a) % (2 * pi) if onward else -((a - b) % (2 * pi))
    count = max(1, ceil(abs(degrees(turn)) / 90.0))
    step = turn / count
    handle = 4 / 3 * tan(step / 4) * r
    for k in range(count):
        p, q = a + k * step, a + (k + 1) * step
        far = x + r * cos(q), y + r * sin(q)
        yield (
            "C",
            [
                (x + r * cos(p) - handle * sin(p), y + r * sin(p) + handle * cos(p)),
                (far[0] + handle * sin(q), far[1] - handle * cos(q)),
                far,
            ],
        )
