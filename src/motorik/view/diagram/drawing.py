"""Diagram: the composition of a model as SVG, with its spanning tree and loops marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from motorik.components import domains
from motorik.components.base.composite import Composite
from motorik.components.base.ports import Domain, PortKind
from motorik.errors import ParameterError, called_as
from motorik.view.diagram.drawing_types import DiagramBox, Drawing
from motorik.view.diagram.figure import figure_of
from motorik.view.diagram.layout import ABOVE, APART, EDGE, HEAD, LOW, lay_out
from motorik.view.diagram.structure import Marks, Wire, marks_of, structure_of
from motorik.view.diagram.symbols import HEIGHT
from motorik.view.files import check_suffix, writing
from motorik.view.theme import ROLES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from motorik.visible import Visible

FORMATS = ("svg", "png", "pdf", "jpg", "jpeg", "webp")
SHARP = 2  # pixels of a file for each of the drawing, in each direction
MARGIN, FOOT = 24.0, 44.0  # px
TINY = 4.8  # px, the width of a letter of the name of a port
FONT = "DejaVu Sans, Verdana, Helvetica, sans-serif"
CUT, TREE = "#cc2f1f", "#1f2a37"
WIRES = {
    PortKind.FRAME: ("#48566a", 2.2, "frames"),
    PortKind.ROTATIONAL: ("#8a5a00", 1.5, "rotational flanges"),
    PortKind.TRANSLATIONAL: ("#1f7a3a", 1.5, "translational flanges"),
    PortKind.SIGNAL: ("#1d5fbf", 1.2, "signals"),
    domains.electrical: ("#4a2fc4", 1.5, "electrical pins"),
    domains.heat: ("#c2185b", 1.5, "heat ports"),
    domains.hydraulic: ("#00838f", 1.5, "hydraulic ports"),
    domains.magnetic: ("#7b1fa2", 1.5, "magnetic ports"),
}
OTHERS = ("#5d7a00", "#9c4a1a", "#00695c", "#880e4f", "#37474f")  # of domains of users

ARROW = (
    '<defs><marker id="arrow" viewBox="0 0 10 10" refX="13" refY="5" markerWidth="7" '
    'markerHeight="7" orient="auto"><path d="M0 1L10 5L0 9z" '
    f'fill="{WIRES[PortKind.SIGNAL][0]}"/></marker></defs>'
)


class Diagram:
    """A diagram of parts, ports and connections; notebooks show it, `save` writes it."""

    def __init__(self, title: str, drawing: Drawing, marks: Marks) -> None:
        self.title = title
        self._drawing, self._marks = drawing, marks

    def svg(self) -> str:
        """Return the diagram as SVG."""
        drawing = self._drawing
        legend = list(_legend(_kinds(drawing), self._marks))
        room = 20.0 + sum(width for _, width in legend)
        right = max([drawing.width, *map(_right_end, drawing.boxes)])
        width = max(right, room, 8.0 * len(self._marks.note)) + 2 * MARGIN
        height = drawing.height + 2 * MARGIN + HEAD + FOOT
        elements = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" '
            f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
            f"font-family={quoteattr(FONT)}>",
            ARROW,
            '<rect width="100%" height="100%" fill="#ffffff"/>',
            _text(MARGIN, MARGIN, self.title, size=16, weight=True, anchor="start"),
            f'<g transform="translate({MARGIN} {MARGIN + HEAD})">',
            *_elements(drawing, self._marks),
            "</g>",
        ]
        x, y = MARGIN, height - MARGIN
        for element, wide in legend:
            elements.append(f'<g transform="translate({x:.0f} {y:.0f})">{element}</g>')
            x += wide
        if self._marks.note:
            above = y - 22.0
            note = f"It does not assemble: {self._marks.note}"
            elements.append(_text(MARGIN, above, note, size=12, colour=CUT, anchor="start"))
        return "\n".join([*elements, "</svg>\n"])

    def save(self, file: str | Path) -> Path:
        """Write the diagram in the format of the file's suffix: SVG, PNG, PDF, JPEG or WebP."""
        path = check_suffix("diagram", file, FORMATS)
        with writing("diagram", path):
            if path.suffix.lower() == ".svg":
                path.write_text(self.svg(), encoding="utf-8")
            else:
                self.figure().savefig(path, dpi=SHARP * 100)
        return path

    def figure(self) -> Figure:
        """Return a figure of matplotlib that shows the diagram, to be drawn on."""
        return figure_of(self.svg())

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return (
            f"<Diagram of {self.title}: {len(self._drawing.boxes)} parts; .save('x.svg')>"
        )


@called_as("make_diagram", ParameterError)
def make_diagram(model: Visible, depth: int = 1) -> Diagram:
    """Return the diagram of a model; nested models are opened down to `depth`."""
    if not isinstance(depth, int) or depth < 1:
        raise ParameterError(
            "diagram",
            f"depth = {depth!r}.",
            "Give 1 for the parts of the model, 2 to open the models in it, and so on.",
            parameter="depth",
            value=depth,
        )
    if not isinstance(model, Composite):
        raise ParameterError(
            "diagram",
            f"{model!r} is no model.",
            "Give a model: make_diagram(Pendulum()).",
            parameter="model",
            value=model,
        )
    marks = marks_of(model)
    return Diagram(model.label, lay_out(structure_of(model, depth, marks)), marks)


def _elements(drawing: Drawing, marks: Marks) -> Iterator[str]:
    cut = {box.node.name for box in drawing.boxes if box.node.path in marks.cut}
    for wire, way in drawing.wires:
        yield _wire(wire, way, bool({wire.a, wire.b} & cut))
    for box in drawing.boxes:
        yield from _box(box, marks)
    for port, (x, y, side) in drawing.pins.items():
        anchor = "start" if side < 0 else "end"
        yield _text(x - 8 * side, y - 8, port, size=9, colour="#6b7280", anchor=anchor)


def style_of(kind: PortKind) -> tuple[str, float, str]:
    """Return colour, width and meaning of the wires between ports of a kind."""
    if kind in WIRES:
        return WIRES[kind]
    assert isinstance(kind, Domain)
    colour = OTHERS[sum(map(ord, kind.name)) % len(OTHERS)]
    return colour, 1.5, f"{kind.name} ports"


def _wire(wire: Wire, way: Sequence[tuple[float, float, int]], cut: bool) -> str:
    colour, width, _ = style_of(wire.kind)
    if cut and wire.kind is PortKind.FRAME:
        colour = CUT
    arrow = ' marker-end="url(#arrow)"' if wire.kind is PortKind.SIGNAL else ""
    dashed = ' stroke-dasharray="6 4"' if cut and wire.kind is PortKind.FRAME else ""
    ends = f"{_called(wire.a, wire.port_a)} – {_called(wire.b, wire.port_b)}"
    return (
        f'<path d="{_curve(way)}" fill="none" stroke="{colour}" stroke-width="{width}"'
        f"{dashed}{arrow}><title>{escape(ends)}</title></path>"
    )


def _called(node: str, port: str) -> str:
    return f"{node}.{port}" if node else port


def _curve(way: Sequence[tuple[float, float, int]]) -> str:
    """Return a smooth path through points; at its ends it leaves the boxes level."""
    (x, y, side), *rest = way
    path = f"M{x:.1f} {y:.1f}"
    for number, (u, v, far) in enumerate(rest):
        last = number == len(rest) - 1
        ahead = 1 if u >= x else -1
        reach = max(0.45 * abs(u - x), 24.0 if side == far and last else 16.0)
        begin = x + reach * (side or ahead)
        end = u + reach * (far if last and far else -ahead)
        path += f"C{begin:.1f} {y:.1f} {end:.1f} {v:.1f} {u:.1f} {v:.1f}"
        x, y, side = u, v, 0
    return path


def _box(box: DiagramBox, marks: Marks) -> Iterator[str]:
    node = box.node
    colour = ROLES[node.role]
    is_cut = node.path in marks.cut
    border = CUT if is_cut else TREE if node.is_tree else colour
    wide = 2.4 if is_cut or node.is_tree else 1.2
    dash = ' stroke-dasharray="6 4"' if is_cut else ""
    state = "closes a loop" if is_cut else "in the spanning tree" if node.is_tree else ""
    about = ", ".join(filter(None, (f"{node.path}: {node.kind}", state)))
    x, y, w, h = box.x, box.y, box.width, box.height
    yield f"<g><title>{escape(about)}</title>"
    fill = 0.07 if box.inside is not None else 0.2
    yield (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" rx="6" '
        f'fill="#ffffff"/><rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" '
        f'rx="6" fill="{colour}" fill-opacity="{fill}" stroke="{border}" '
        f'stroke-width="{wide}"{dash}/>'
    )
    if box.inside is not None:
        title = f"{node.name}: {node.kind}"
        yield _text(x + 10, y + 14, title, size=12, weight=True, anchor="start")
        yield f'<g transform="translate({x + EDGE:.1f} {y + HEAD:.1f})">'
        yield from _elements(box.inside, marks)
        yield "</g>"
    else:
        if node.holds and not is_cut:
            yield (
                f'<path d="M{x + w - 9:.1f} {y + 3.5:.1f}h5.5v5.5h-5.5z" fill="none" '
                f'stroke="{colour}"/>'
            )
        middle = y + h / 2
        if node.symbol:
            at, middle = middle - (LOW - ABOVE) / 2, middle + (HEIGHT + ABOVE) / 2
            yield (
                f'<path transform="translate({x + w / 2:.1f} {at:.1f})" d="{node.symbol}" '
                f'fill="none" stroke="{TREE}" stroke-width="1.4" stroke-linejoin="round" '
                'stroke-linecap="round"/>'
            )
        yield _text(x + w / 2, middle - 7, node.name, size=12, weight=True)
        yield _text(x + w / 2, middle + 8, node.kind, size=10, colour="#5b6470")
        if node.cut and not is_cut:
            text = f"{len(node.cut)} cut" if len(node.cut) > 1 else "1 cut"
            yield _text(x + w / 2, y + h + 8, text, size=9, colour=CUT)
    for (port, side), (px, py) in box.ports.items():
        kind = node.ports.get(port, PortKind.FRAME)
        yield _port(x + px, y + py, port, kind)
        if _is_named(port):
            anchor = "start" if side > 0 else "end"
            at = x + px + 6 * side, y + py - 6
            yield _text(*at, port, size=8, colour=style_of(kind)[0], anchor=anchor)
    yield "</g>"


def _port(x: float, y: float, name: str, kind: PortKind) -> str:
    colour = style_of(kind)[0]
    said = f"<title>{escape(name)}</title>"
    if kind is PortKind.FRAME:
        return (
            f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7" '
            f'fill="{colour}">{said}</rect>'
        )
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.4" fill="{colour}">{said}</circle>'


def _right_end(box: DiagramBox) -> float:
    """Return how far the names of ports on the right of a box reach [px]."""
    names = [port for port, side in box.ports if side > 0 and _is_named(port)]
    return box.x + box.width + max((6.0 + TINY * len(name) for name in names), default=0.0)


def _is_named(port: str) -> bool:
    """Return whether there is room for the name of a port; else it is a hint of the pointer."""
    return len(port) * TINY + 7 <= APART / 2


def _kinds(drawing: Drawing) -> list[PortKind]:
    """Return the kinds of wires in a drawing and in the boxes that are open."""
    found = {wire.kind for wire, _ in drawing.wires}
    for box in drawing.boxes:
        if box.inside is not None:
            found |= set(_kinds(box.inside))
    known = [kind for kind in WIRES if kind in found]
    return known + sorted(found.difference(known), key=lambda kind: kind.value)


def _legend(kinds: Sequence[PortKind], marks: Marks) -> Iterator[tuple[str, float]]:
    for kind in kinds:
        colour, width, text = style_of(kind)
        line = f'<path d="M0 0h26" stroke="{colour}" stroke-width="{width}"/>'
        yield line + _text(32, 0, text, size=11, anchor="start"), 52.0 + 6.6 * len(text)
    for colour, dash, text, shown in (
        (TREE, "", "joint of the tree", marks.tree),
        (CUT, ' stroke-dasharray="6 4"', "closes a loop", marks.cut),
    ):
        if shown:
            box = (
                f'<rect y="-7" width="26" height="14" rx="3" fill="none" stroke="{colour}" '
                f'stroke-width="2.4"{dash}/>'
            )
            yield box + _text(32, 0, text, size=11, anchor="start"), 52.0 + 6.6 * len(text)


def _text(
    x: float,
    y: float,
    text: str,
    *,
    size: float,
    colour: str = "#1f2a37",
    weight: bool = False,
    anchor: str = "middle",
) -> str:
    bold = ' font-weight="600"' if weight else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" dy="0.35em" font-size="{size:g}" fill="{colour}" '
        f'text-anchor="{anchor}"{bold}>{escape(text)}</text>'
    )
