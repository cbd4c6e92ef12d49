"""Layout: where boxes, ports and wires of a composition diagram stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from motorik.view.diagram.drawing_types import Box, Drawing
from motorik.view.diagram.folding import folded
from motorik.view.diagram.layers import find_layers, order_columns, place_rows, with_bends
from motorik.view.diagram.structure import OWN, Node, Structure

LETTER = 7.3  # px, the width of a letter of a name; of a type it is SMALL times that
SMALL = 0.84
LOW, PORT = 40.0, 13.0  # px, the least height of a box, and the height that each port needs
GAP, APART = 22.0, 84.0  # px between boxes of a column, and between columns
BEND = 8.0  # px, the height of a wire that passes a column
EDGE, HEAD = 22.0, 26.0  # px around the diagram within an open box, and its title

Item = str | tuple[int, int]
"""A box or a port by its name, or a bend by the numbers of its wire and column."""


def lay_out(structure: Structure, sides: Mapping[str, int] | None = None) -> Drawing:
    """Return the drawing of a structure, columns from left to right.

    `sides` are those of its own ports: −1 on the left, 1 on the right.
    """
    sides = {port: (sides or {}).get(port, -1) for port in structure.ports}
    layer = _layers(structure, sides)
    boxes = {
        name: _box(node, _outward(structure, name, layer))
        for name, node in structure.nodes.items()
    }
    ends = [(_at(w.a, w.port_a), _at(w.b, w.port_b)) for w in structure.wires]
    columns, ways = with_bends(layer, ends)
    columns = order_columns(columns, ways)
    heights = {
        one: boxes[one].height if one in boxes else BEND
        for column in columns
        for one in column
    }
    y = place_rows(columns, ways, heights, GAP)
    x = _columns(columns, boxes)
    for name, box in boxes.items():
        left, wide = x[layer[name]]
        box.x, box.y = left + (wide - box.width) / 2, y[name] - box.height / 2
    width = max((left + wide for left, wide in x), default=0.0)
    height = max((y[n] + heights[n] / 2 for n in y), default=0.0)
    pins = {
        port: (-EDGE if side < 0 else width + EDGE, y[_at(OWN, port)], side)
        for port, side in sides.items()
    }
    drawing = Drawing(width, height, list(boxes.values()), [], pins)
    _place_ports(structure, boxes, y, layer)
    for wire, way in zip(structure.wires, ways, strict=True):
        bends = [
            (x[one[1]][0] + x[one[1]][1] / 2, y[one], 0)
            for one in way[1:-1]
            if isinstance(one, tuple)
        ]
        at = layer[_at(wire.a, wire.port_a)], layer[_at(wire.b, wire.port_b)]
        begin = _end(boxes, drawing, wire.a, wire.port_a, side_to(*at))
        finish = _end(boxes, drawing, wire.b, wire.port_b, side_to(*at[::-1]))
        drawing.wires.append((wire, [begin, *bends, finish]))
    return folded(drawing, x)


def _layers(structure: Structure, sides: Mapping[str, int]) -> dict[str, int]:
    """Return the column of each box and own port: ports on the outside, the world first."""
    nodes = structure.nodes
    wires = [(w.a, w.b) for w in structure.wires if OWN not in (w.a, w.b)]
    near_port = [
        node
        for w in structure.wires
        for own, node, port in ((w.a, w.b, w.port_a), (w.b, w.a, w.port_b))
        if own == OWN and node != OWN and sides[port] < 0
    ]
    first = [name for name, node in nodes.items() if node.role == "world"] or near_port
    layer = find_layers(list(nodes), wires, list(dict.fromkeys(first)))
    shift = int(any(side < 0 for side in sides.values()))
    found = {name: at + shift for name, at in layer.items()}
    last = 1 + max(found.values(), default=0)
    return found | {_at(OWN, port): 0 if s < 0 else last for port, s in sides.items()}


def side_to(own: int, other: int) -> int:
    """Return the side of a box from which a wire to another column leaves: 1 is the right."""
    return -1 if other < own else 1


def _outward(structure: Structure, name: str, layer: Mapping[str, int]) -> dict[str, int]:
    """Return on which side of its box each port of a node should be: where its wires go."""
    return {port: side for port, side in _leaving(structure, name, layer)}


def _leaving(
    structure: Structure, name: str, layer: Mapping[str, int]
) -> dict[tuple[str, int], str]:
    """Return the ports of a node, the sides on which wires leave, and where the first goes."""
    found: dict[tuple[str, int], str] = {}
    for w in structure.wires:
        ends = (w.a, w.port_a), (w.b, w.port_b)
        for (own, port), far in (ends, ends[::-1]):
            if own == name:
                to = _at(*far)
                found.setdefault((port, side_to(layer[name], layer[to])), to)
    return found


def _at(node: str, port: str) -> str:
    return f"{OWN}.{port}" if node == OWN else node


def _end(
    boxes: Mapping[str, Box], drawing: Drawing, node: str, port: str, side: int
) -> tuple[float, float, int]:
    if node == OWN:
        x, y, outside = drawing.pins[port]
        return x, y, -outside  # a wire leaves the border inwards
    box = boxes[node]
    if (port, side) not in box.ports:  # of an open box, which has it on one side only
        side = -side
    x, y = box.ports[port, side]
    return box.x + x, box.y + y, side


def _box(node: Node, sides: Mapping[str, int]) -> Box:
    if node.inside is not None:
        inside = lay_out(node.inside, sides)
        box = Box(node, 0, 0, inside.width + 2 * EDGE, inside.height + HEAD + EDGE)
        box.inside = inside
        for port, (_, y, side) in inside.pins.items():
            box.ports[port, side] = (0.0 if side < 0 else box.width, y + HEAD)
        return box
    letters = max(len(node.name), SMALL * len(node.kind), 6)
    return Box(node, 0, 0, LETTER * letters + 24.0, max(LOW, PORT * len(node.ports)))


def _columns(
    columns: Sequence[Sequence[Item]], boxes: Mapping[str, Box]
) -> list[tuple[float, float]]:
    """Return where each column begins and how wide it is."""
    found, x = [], 0.0
    for column in columns:
        wide = max(
            (box.width for name, box in boxes.items() if name in column), default=BEND
        )
        found.append((x, wide))
        x += wide + APART
    return found


def _place_ports(
    structure: Structure,
    boxes: Mapping[str, Box],
    y: Mapping[Item, float],
    layer: Mapping[str, int],
) -> None:
    """Put each port on the side of its box to which its first wire goes, in order of height.

    Wires within a column leave to the right. Ports of open boxes stand already.
    """
    for name, box in boxes.items():
        if box.inside is not None:
            continue
        leaving = _leaving(structure, name, layer)
        for side in (-1, 1):
            own = sorted((y[to], port) for (port, at), to in leaving.items() if at == side)
            for k, (_, port) in enumerate(own):
                x = 0.0 if side < 0 else box.width
                box.ports[port, side] = (x, box.height * (k + 1) / (len(own) + 1))
