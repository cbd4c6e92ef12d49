"""Elements of a diagram: boxes with ports, and wires."""

from __future__ import annotations

from dataclasses import dataclass, field

from motorik.view.diagram.structure import Node, Wire

Point = tuple[float, float, int]
"""A point of a wire [px], and the side on which it leaves (−1 left, 1 right, 0 none)."""


@dataclass
class DiagramBox:
    """A part: its corner and size [px], the places of its ports, and its inner drawing.

    A port with wires to both sides stands on both; `ports` are by name and side.
    """

    node: Node
    x: float
    y: float
    width: float
    height: float
    ports: dict[tuple[str, int], tuple[float, float]] = field(default_factory=dict)
    inside: Drawing | None = None


@dataclass
class Drawing:
    """The boxes and wires of one structure, and its size [px].

    A wire is a way through points; `pins` are the places of the structure's own ports, with
    the side (−1 left, 1 right) on which they stand.
    """

    width: float
    height: float
    boxes: list[DiagramBox]
    wires: list[tuple[Wire, list[Point]]]
    pins: dict[str, Point]
