"""Cells of drive lines: the place of a part in its line, and the usual sizes there."""

from __future__ import annotations

from motorik.components.base.part import Part
from motorik.components.base.ports import Port, PortKind
from motorik.immutable import immutable
from motorik.view.scene import shapes
from motorik.view.scene.annotations import LineAnnotation
from motorik.view.scene.place import ScenePose, SceneSpan
from motorik.view.scene.shapes import Shape
from motorik.view.visuals.line_layout import LineLayout, LinePiece, flanges_of
from motorik.view.visuals.setting import Setting

SHAFT = 0.12  # diameter of a shaft, of the length of a cell
LINK = 0.07  # that of a shaft which only leads to other parts, alike
MARK = (0.1, 0.1, 0.1)


@immutable
class LineCell:
    """The cell of one part in its drive line: places along it and usual sizes."""

    s: Setting
    part: Part
    layout: LineLayout

    @property
    def length(self) -> float:
        """The length of the cell [m]."""
        return self.layout.cells[self.part].length

    @property
    def reach(self) -> float:
        """How long a part is that goes through the whole cell [m]."""
        return self.length

    @property
    def swell(self) -> float:
        """How much wider a part is that lies around others."""
        return 1.0 + 0.5 * self.layout.cells[self.part].layer

    def at(self, port: Port, share: float) -> ScenePose:
        """Return the place at a share of the cell, moving with a flange."""
        cell = self.layout.cells[self.part]
        share = 1.0 - share if cell.turned else share
        return self.layout.place(self.part, port, cell.begin + share * cell.length)

    def still_left(self, low: float, high: float) -> ScenePose:
        """Return the left end of a piece of the cell that stands still."""
        return self.still(high if self.layout.cells[self.part].turned else low)

    def left(self, port: Port, low: float, high: float) -> ScenePose:
        """Return the left end of a piece of the cell, moving with a flange."""
        return self.at(port, high if self.layout.cells[self.part].turned else low)

    def still(self, share: float) -> ScenePose:
        """Return the place at a share of the cell that stands still in the row."""
        cell = self.layout.cells[self.part]
        share = 1.0 - share if cell.turned else share
        return cell.row.place.moved(cell.begin + share * cell.length)

    def span(self, a: Port, b: Port, low: float = 0.0, high: float = 1.0) -> SceneSpan:
        """Return the span between places that move with two flanges."""
        return SceneSpan(self.at(a, low).point, self.at(b, high).point)

    def disc(
        self, port: Port, share: float, width: float, diameter: float, role: str
    ) -> list[Shape]:
        """Return a disc, or block, on a flange, with a mark that shows its motion."""
        w, d = width * self.length, diameter * self.length * self.swell
        at = self.at(port, share).moved(-w / 2)
        color = self.s.color(self.part)
        if port.kind is PortKind.TRANSLATIONAL:
            return [
                shapes.BoxShape(at=at, length=w, width=d, height=d, role=role, color=color)
            ]
        ends = ((w * 1.01, 0.0, 0.0), (w * 1.01, d / 2, 0.0), (0.0, d / 2 * 1.01, 0.0))
        return [
            shapes.CylinderShape(at=at, length=w, diameter=d, role=role, color=color),
            LineAnnotation(at=at, points=ends, width=2.0, color=MARK, role=role),
        ]

    def shaft(self, port: Port, low: float, high: float, role: str = "drive") -> Shape:
        """Return a piece of shaft or rod that moves with a flange."""
        length = (high - low) * self.length
        diameter = SHAFT * self.length
        return shapes.CylinderShape(
            at=self.left(port, low, high), length=length, diameter=diameter, role=role
        )

    def links(self) -> list[Shape]:
        """Return the shafts and rods that lead to other parts of the row, thin."""
        found: list[Shape] = []
        for port, begin, end in self.layout.links.get(self.part, ()):
            at = self.layout.place(self.part, port, min(begin, end))
            style = {"diameter": LINK * self.length, "role": "drive"}
            found.append(shapes.CylinderShape(at=at, length=abs(end - begin), **style))
        return found

    def ring(self, port: Port, share: float, diameter: float, role: str) -> Shape:
        """Return a ring around a shaft or rod."""
        at = self.at(port, share)
        return shapes.TorusShape(at=at, diameter=diameter, tube=diameter / 5, role=role)

    def block(self, low: float, high: float, size: float, role: str) -> Shape:
        """Return a block that stands still."""
        side = size * self.length
        length = (high - low) * self.length
        at = self.still_left(low, high)
        return shapes.BoxShape(at=at, length=length, width=side, height=side, role=role)


@immutable
class LineBench(LineCell):
    """The piece of one part along a line force: everything in it stretches with the line."""

    piece: LinePiece

    def links(self) -> list[Shape]:
        """Return nothing: pieces of a line touch each other."""
        return []

    @property
    def length(self) -> float:
        """The length of a cell [m], of which widths are shares."""
        return self.piece.width

    @property
    def reach(self) -> float:
        """How long the piece is [m]."""
        return self.piece.length

    @property
    def swell(self) -> float:
        """How much wider a part is that lies around others."""
        return 1.0 + 0.5 * self.piece.layer

    def span(self, a: Port, b: Port, low: float = 0.0, high: float = 1.0) -> SceneSpan:
        """Return a piece of the piece."""
        begin, end = self.piece.span.share
        long = end - begin
        return self.piece.span.shared(begin + low * long, begin + high * long)

    def disc(
        self, port: Port, share: float, width: float, diameter: float, role: str
    ) -> list[Shape]:
        """Return a block on a flange."""
        d = diameter * self.length * self.swell
        span = self.span(
            port, port, max(share - width / 2, 0.0), min(share + width / 2, 1.0)
        )
        return [shapes.BoxShape(at=span, width=d, height=d, role=role)]

    def shaft(self, port: Port, low: float, high: float, role: str = "drive") -> Shape:
        """Return a piece of rod."""
        d = SHAFT * self.length
        return shapes.CylinderShape(
            at=self.span(port, port, low, high), diameter=d, role=role
        )

    def block(self, low: float, high: float, size: float, role: str) -> Shape:
        """Return a block that stands still."""
        side, port = size * self.length, ends(self.part)[0]
        return shapes.BoxShape(
            at=self.span(port, port, low, high), width=side, height=side, role=role
        )

    def ring(self, port: Port, share: float, diameter: float, role: str) -> Shape:
        """Return a ring around a rod."""
        span = self.span(port, port, share - 0.05, share + 0.05)
        return shapes.CylinderShape(at=span, diameter=diameter, role=role)


def bench(part: Part, s: Setting) -> LineCell | None:
    """Return the cell or the piece of a part of a drive line, if it has one."""
    if s.lines is None:
        return None
    if part in s.lines.pieces:
        return LineBench(s, part, s.lines, s.lines.pieces[part])
    return LineCell(s, part, s.lines) if part in s.lines.cells else None


def ends(part: Part) -> tuple[Port, Port]:
    """Return the first two flanges of a part, or its only one twice."""
    first, *others = flanges_of(part)
    return first, others[0] if others else first
