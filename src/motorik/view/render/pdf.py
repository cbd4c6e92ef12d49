"""PDF: the SVG of a picture as a page of vectors, for print.

It knows the elements that pictures consist of: drawings within drawings, groups with an opacity,
paths, rectangles, lines, circles, gradients and words. Words are outlines of their letters, so no
font is embedded; faces keep their gradients. Each drawing or group is a form of its own, so that
gradients, which PDF places in the coordinates of the form, stand where they do in SVG.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from matplotlib.path import Path as Outline

SVG = "{http://www.w3.org/2000/svg}"
POINT = 0.72  # of a pixel: a hundred pixels and 72 points are an inch
KNOT = 0.5523  # of the radius: where the handles of a quarter of a circle are
DECIMALS = 2
TOKEN = re.compile(r"[MLHVZhv]|-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?")
NAMED = {"white": "#ffffff", "black": "#000000"}
Style = Mapping[str, str]


def pdf_of(svg: str) -> bytes:
    """Return the bytes of a PDF file with one page that shows the SVG of a picture."""
    root = ElementTree.fromstring(svg)
    width, height = (POINT * float(root.attrib[side]) for side in ("width", "height"))
    file = _File()
    gradients = {one.attrib["id"]: one for one in root.iter(f"{SVG}linearGradient")}
    form = _Form(file, gradients)
    for element in root:
        form.draw(element)
    number = form.write((0.0, 0.0, width / POINT, height / POINT))
    turned = f"{POINT} 0 0 {-POINT} 0 {_number(height)} cm /F{number} Do"
    content = file.stream("", turned.encode("ascii"))
    page = (
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {_number(width)} {_number(height)}]"
        f"/Contents {content} 0 R/Resources<</XObject<</F{number} {number} 0 R>>>>>>"
    )
    return file.written(file.add(page))


class _File:
    """The objects of a PDF file; the first two are its catalogue and its pages."""

    def __init__(self) -> None:
        self.objects: list[bytes] = [b"", b""]

    def add(self, text: str) -> int:
        """Take an object; return its number."""
        self.objects.append(text.encode("ascii"))
        return len(self.objects)

    def stream(self, about: str, content: bytes) -> int:
        """Take a stream of data with what is said about it; return its number."""
        packed = zlib.compress(content)
        head = f"<<{about}/Filter/FlateDecode/Length {len(packed)}>>stream\n"
        self.objects.append(head.encode("ascii") + packed + b"\nendstream")
        return len(self.objects)

    def written(self, page: int) -> bytes:
        """Return the bytes of the file with this page."""
        self.objects[0] = b"<</Type/Catalog/Pages 2 0 R>>"
        self.objects[1] = f"<</Type/Pages/Kids[{page} 0 R]/Count 1>>".encode("ascii")
        text, places = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), []
        for number, one in enumerate(self.objects, 1):
            places.append(len(text))
            text += f"{number} 0 obj\n".encode("ascii") + one + b"\nendobj\n"
        begin, count = len(text), len(self.objects) + 1
        table = "".join(f"{place:010d} 00000 n \n" for place in places)
        text += f"xref\n0 {count}\n0000000000 65535 f \n{table}".encode("ascii")
        text += f"trailer\n<</Size {count}/Root 1 0 R>>\n".encode("ascii")
        text += f"startxref\n{begin}\n%%EOF\n".encode("ascii")
        return bytes(text)


class _Form:
    """A drawing in coordinates of its own: its operators, and the resources that they use."""

    def __init__(self, file: _File, gradients: Mapping[str, ElementTree.Element]) -> None:
        self.file, self.gradients = file, gradients
        self.operators: list[str] = []
        self.used: dict[str, dict[str, str]] = {}  # resources by kind and name

    def write(self, box: tuple[float, float, float, float], group: bool = False) -> int:
        """Write the form, clipped to a box; return its number."""
        sides = " ".join(map(_number, box))
        used = "".join(
            f"/{kind}<<{''.join(f'/{name} {one}' for name, one in own.items())}>>"
            for kind, own in self.used.items()
        )
        about = f"/Type/XObject/Subtype/Form/BBox[{sides}]/Resources<<{used}>>"
        about += "/Group<</S/Transparency>>" * group
        return self.file.stream(about, "\n".join(self.operators).encode("ascii"))

    # --- elements ------------------------------------------------------------------------

    def draw(self, element: ElementTree.Element) -> None:
        """Draw an element and what is in it."""
        kind, given = element.tag.removeprefix(SVG), element.attrib
        if kind == "svg":
            self._draw_inner(element)
        elif kind == "g":
            self._draw_group(element)
        elif kind == "path":
            self._paint(given, _path(given["d"]))
        elif kind == "rect":
            self._paint(given, _rectangle(given))
        elif kind == "circle":
            x, y, r = (float(given[name]) for name in ("cx", "cy", "r"))
            self._paint(given, _round(x - r, y - r, 2 * r, 2 * r, r))
        elif kind == "line":
            ends = (_number(float(given[name])) for name in ("x1", "y1", "x2", "y2"))
            x1, y1, x2, y2 = ends
            self._paint({**given, "fill": "none"}, f"{x1} {y1} m {x2} {y2} l")
        elif kind == "text":
            self._write(element)

    def _draw_inner(self, element: ElementTree.Element) -> None:
        given = element.attrib
        width, height = float(given["width"]), float(given["height"])
        u, v = map(float, given.get("viewBox", "0 0").split()[:2])
        inner = _Form(self.file, self.gradients)
        for one in element:
            inner.draw(one)
        number = inner.write((u, v, u + width, v + height))
        x, y = float(given.get("x", 0.0)) - u, float(given.get("y", 0.0)) - v
        self._show(number, f"1 0 0 1 {_number(x)} {_number(y)} cm")

    def _draw_group(self, element: ElementTree.Element) -> None:
        inner = _Form(self.file, self.gradients)
        for one in element:
            inner.draw(one)
        far = 1e5
        number = inner.write((-far, -far, far, far), group=True)
        opacity = float(element.attrib.get("opacity", 1.0))
        self._show(number, self._opacity(opacity, opacity))

    def _show(self, number: int, before: str) -> None:
        self._use("XObject", f"F{number}", number)
        self.operators.append(f"q {before} /F{number} Do Q")

    def _use(self, kind: str, name: str, number: int) -> None:
        self.used.setdefault(kind, {})[name] = f"{number} 0 R"

    # --- paint ---------------------------------------------------------------------------

    def _paint(self, given: Style, path: str) -> None:
        """Fill and stroke a path as an element says."""
        fill, stroke = given.get("fill", "black"), given.get("stroke", "none")
        end = {(0, 0): "n", (1, 0): "f", (0, 1): "S", (1, 1): "B"}
        done = end[fill != "none", stroke != "none"]
        parts = ["q"]
        solid = (
            float(given.get("fill-opacity", 1.0)),
            float(given.get("stroke-opacity", 1.0)),
        )
        if solid != (1.0, 1.0):
            parts.append(self._opacity(*solid))
        if fill != "none":
            parts.append(self._colour(fill, "rg", "cs", "scn"))
        if stroke != "none":
            parts.append(self._colour(stroke, "RG", "CS", "SCN"))
            width = _number(float(given.get("stroke-width", 1.0)))
            cap = 1 if given.get("stroke-linecap") == "round" else 0
            join = 1 if given.get("stroke-linejoin") == "round" else 0
            parts.append(f"{width} w {cap} J {join} j")
        self.operators.append(" ".join([*parts, path, done, "Q"]))

    def _colour(self, said: str, plain: str, space: str, pattern: str) -> str:
        if not said.startswith("url("):
            return f"{_shares(said)} {plain}"
        name = said[5:-1]
        if name not in self.used.get("Pattern", {}):
            self._use("Pattern", name, self.file.add(_gradient(self.gradients[name])))
        return f"/Pattern {space} /{name} {pattern}"

    def _opacity(self, fill: float, stroke: float) -> str:
        if (fill, stroke) == (1.0, 1.0):
            return ""
        state = f"<</ca {_number(fill)}/CA {_number(stroke)}>>"
        name = f"G{round(1000 * fill)}_{round(1000 * stroke)}"
        self.used.setdefault("ExtGState", {})[name] = state
        return f"/{name} gs"

    def _write(self, element: ElementTree.Element) -> None:
        """Fill the outlines of words; `stroke` is the paper around them."""
        given = element.attrib
        x, y, size = (float(given[name]) for name in ("x", "y", "font-size"))
        outline, wide = _outline(element.text or "", size)
        left = {"start": 0.0, "middle": 0.5, "end": 1.0}[given.get("text-anchor", "start")]
        below = float(given.get("dy", "0").removesuffix("em")) * size
        turn = re.match(r"rotate\((-?\d+)", given.get("transform", ""))
        axes = {0: "1 0 0 -1", -90: "0 -1 -1 0", 90: "0 1 1 0"}[int(turn[1]) if turn else 0]
        place = f"q {axes} {_number(x)} {_number(y)} cm"
        place += f" 1 0 0 1 {_number(-left * wide)} {_number(-below)} cm"
        if "stroke" in given:
            width = _number(float(given["stroke-width"]))
            halo = f"{_shares(given['stroke'])} RG {width} w 1 j"
            self.operators.append(f"{place} {halo} {outline} S Q")
        self.operators.append(f"{place} {_shares(given['fill'])} rg {outline} f Q")


def _number(value: float) -> str:
    """Return a number as short as can be."""
    text = f"{value:.{DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _shares(colour: str) -> str:
    """Return red, green and blue of 0 to 1 of "#rrggbb"."""
    code = NAMED.get(colour, colour)
    return " ".join(f"{int(code[k : k + 2], 16) / 255:.4g}" for k in (1, 3, 5))


def _gradient(element: ElementTree.Element) -> str:
    """Return the pattern of a gradient between two points."""
    ends = " ".join(
        _number(float(element.attrib[name])) for name in ("x1", "y1", "x2", "y2")
    )
    first, last = (_shares(one.attrib["stop-color"]) for one in element)
    blend = f"<</FunctionType 2/Domain[0 1]/N 1/C0[{first}]/C1[{last}]>>"
    return (
        "<</Type/Pattern/PatternType 2/Shading<</ShadingType 2/ColorSpace/DeviceRGB"
        f"/Coords[{ends}]/Extend[true true]/Function{blend}>>>>"
    )


# --- paths ---------------------------------------------------------------------------------


def _path(said: str) -> str:
    """Return the operators of a path of straight lines."""
    return " ".join(_steps(iter(TOKEN.findall(said))))


def _steps(tokens: Iterator[str]) -> Iterator[str]:
    code, x, y = "M", 0.0, 0.0
    for token in tokens:
        if token.isalpha():
            code = token
            if code == "Z":
                yield "h"
                continue
            token = next(tokens)
        value = float(token)
        if code in "ML":
            x, y = value, float(next(tokens))
        elif code in "Hh":
            x = value + (x if code == "h" else 0.0)
        else:
            y = value + (y if code == "v" else 0.0)
        yield f"{_number(x)} {_number(y)} {'m' if code == 'M' else 'l'}"
        code = "L" if code == "M" else code


def _rectangle(given: Style) -> str:
    x, y = (float(given.get(name, 0.0)) for name in ("x", "y"))
    width, height = (float(given[name]) for name in ("width", "height"))
    radius = float(given.get("rx", 0.0))
    if radius:
        return _round(x, y, width, height, radius)
    return f"{_number(x)} {_number(y)} {_number(width)} {_number(height)} re"


def _round(x: float, y: float, width: float, height: float, r: float) -> str:
    """Return a rectangle whose corners are quarters of circles."""
    k = (1.0 - KNOT) * r
    u, v = x + width, y + height
    corners = (
        ((u - r, y), (u - k, y), (u, y + k), (u, y + r)),
        ((u, v - r), (u, v - k), (u - k, v), (u - r, v)),
        ((x + r, v), (x + k, v), (x, v - k), (x, v - r)),
        ((x, y + r), (x, y + k), (x + k, y), (x + r, y)),
    )
    found = [f"{_number(x + r)} {_number(y)} m"]
    for begin, *rest in corners:
        found.append(f"{_number(begin[0])} {_number(begin[1])} l")
        found.append(" ".join(f"{_number(a)} {_number(b)}" for a, b in rest) + " c")
    return " ".join([*found, "h"])


@lru_cache(maxsize=1024)
def _outline(text: str, size: float) -> tuple[str, float]:
    """Return the outlines of letters of a height [px], and how wide they are together [px]."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    from motorik.view.render.text import font

    letters = FontProperties(family="DejaVu Sans")
    path = TextPath((0.0, 0.0), text.replace("$", r"\$"), size=size, prop=letters)
    return " ".join(_curves(path)), float(font(size).getlength(text))


def _curves(path: Outline) -> Iterator[str]:
    """Yield the operators of an outline; curves of the second degree become cubic ones."""
    x = y = 0.0
    for points, code in path.iter_segments(curves=True, simplify=False):
        p = [float(value) for value in points]
        if code == path.CLOSEPOLY:
            yield "h"
            continue
        if code == path.CURVE3:
            a, b, u, v = p
            p = [x + (a - x) * 2 / 3, y + (b - y) * 2 / 3]
            p += [u + (a - u) * 2 / 3, v + (b - v) * 2 / 3, u, v]
        name = {path.MOVETO: "m", path.LINETO: "l"}.get(code, "c")
        yield f"{' '.join(map(_number, p))} {name}"
        x, y = p[-2:]
