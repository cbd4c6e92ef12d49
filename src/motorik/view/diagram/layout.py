"""Layout: where boxes, ports and wires of a composition diagram stand."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf
from typing import TypeVar

from motorik.view.diagram.drawing_types import DiagramBox, Drawing, Point
from motorik.view.diagram.structure import OWN, Node, Structure
from motorik.view.diagram.symbols import HEIGHT

# --- folding of wide diagrams into bands --------------------------------------------------


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


def mirrored_box(box: DiagramBox) -> DiagramBox:
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


# --- layered layout with few crossings (Sugiyama 1981) ------------------------------------


SWEEPS = 12

N = TypeVar("N", bound=Hashable)
Edge = tuple[N, N]


def find_layers(
    nodes: Sequence[N], edges: Sequence[Edge[N]], first: Sequence[N]
) -> dict[N, int]:
    """Return the layer of each node: its distance from the `first` ones, as far as wires go.

    Parts that no wire reaches are a component of their own, from layer 0 on.
    """
    near: dict[N, list[N]] = {node: [] for node in nodes}
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    layer: dict[N, int] = {}
    for roots in (first, *([node] for node in nodes)):
        waiting = deque(node for node in roots if node not in layer)
        layer.update(dict.fromkeys(waiting, 0))
        while waiting:
            node = waiting.popleft()
            for other in near[node]:
                if other not in layer:
                    layer[other] = layer[node] + 1
                    waiting.append(other)
    return layer


def with_bends(
    layer: Mapping[N, int], edges: Sequence[Edge[N]]
) -> tuple[list[list[N | tuple[int, int]]], list[list[N | tuple[int, int]]]]:
    """Return columns of nodes and bends, and the way of each edge through them.

    An edge over several layers has a bend (its number, the layer) in each that it passes.
    """
    columns: list[list[N | tuple[int, int]]] = [
        [] for _ in range(1 + max(layer.values(), default=0))
    ]
    for node, at in layer.items():
        columns[at].append(node)
    ways: list[list[N | tuple[int, int]]] = []
    for number, (a, b) in enumerate(edges):
        low, high = sorted((layer[a], layer[b]))
        bends: list[N | tuple[int, int]] = [(number, at) for at in range(low + 1, high)]
        for bend, at in zip(bends, range(low + 1, high), strict=True):
            columns[at].append(bend)
        ways.append([a, *(bends if layer[a] <= layer[b] else bends[::-1]), b])
    return columns, ways


def order_columns(
    columns: Sequence[Sequence[N]], ways: Sequence[Sequence[N]]
) -> list[list[N]]:
    """Return the columns with few crossings: each node at the mean of its neighbours."""
    at = {node: k for k, column in enumerate(columns) for node in column}
    left: dict[N, list[N]] = {node: [] for node in at}
    right: dict[N, list[N]] = {node: [] for node in at}
    for way in ways:
        for a, b in pairwise(way):
            if at[a] < at[b]:
                right[a].append(b)
                left[b].append(a)
            elif at[b] < at[a]:
                right[b].append(a)
                left[a].append(b)
    now = [list(column) for column in columns]
    best, fewest = [list(column) for column in now], crossings(now, right)
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        order = range(1, len(now)) if forward else range(len(now) - 2, -1, -1)
        for k in order:
            beside = now[k - 1] if forward else now[k + 1]
            place = {node: i for i, node in enumerate(beside)}
            near = left if forward else right
            own = {node: i for i, node in enumerate(now[k])}

            def mean(node: N, near=near, place=place, own=own) -> float:
                found = [place[other] for other in near[node]]
                return sum(found) / len(found) if found else own[node]

            now[k].sort(key=mean)
        count = crossings(now, right)
        if count < fewest:
            best, fewest = [list(column) for column in now], count
    return best


def crossings(columns: Sequence[Sequence[N]], right: Mapping[N, Sequence[N]]) -> int:
    """Return how many pairs of wires between neighbouring columns cross."""
    total = 0
    for column, following in pairwise(columns):
        place = {node: i for i, node in enumerate(following)}
        ends = [at for node in column for at in sorted(place[b] for b in right[node])]
        total += sum(a > b for i, a in enumerate(ends) for b in ends[i + 1 :])
    return total


def place_rows(
    columns: Sequence[Sequence[N]],
    ways: Sequence[Sequence[N]],
    heights: Mapping[N, float],
    gap: float,
) -> dict[N, float]:
    """Return the height y of the middle of each node: near its neighbours, none over another."""
    at = {node: k for k, column in enumerate(columns) for node in column}
    near: dict[N, list[N]] = {node: [] for node in at}
    for way in ways:
        for a, b in pairwise(way):
            if at[a] != at[b]:
                near[a].append(b)
                near[b].append(a)
    y: dict[N, float] = {}
    for column in columns:
        below = 0.0
        for node in column:
            y[node] = below + heights[node] / 2
            below += heights[node] + gap
    for turn in range(24):
        for column in columns if turn % 2 == 0 else reversed(columns):
            wish = {
                node: sum(y[other] for other in near[node]) / len(near[node])
                if near[node]
                else y[node]
                for node in column
            }
            y.update(_spaced(column, wish, heights, gap))
    top = min((y[node] - heights[node] / 2 for node in at), default=0.0)
    return {node: value - top for node, value in y.items()}


def _spaced(
    column: Sequence[N], wish: Mapping[N, float], heights: Mapping[N, float], gap: float
) -> dict[N, float]:
    """Return heights nearest to wishes in the sense of squares, in order and apart.

    Nodes that would overlap form blocks, each at the mean wish of its members.
    """
    blocks: list[
        tuple[list[N], float, float]
    ] = []  # members, sum of wishes for the first, count
    offset = {}
    for node in column:
        members, total, count = [node], wish[node], 1.0
        offset[node] = 0.0
        while blocks:
            before, sum_before, n_before = blocks[-1]
            last = before[-1]
            step = offset[last] + (heights[last] + heights[members[0]]) / 2 + gap
            if sum_before / n_before + step <= total / count:
                break
            blocks.pop()
            for member in members:
                offset[member] += step
            members = before + members
            total, count = sum_before + total - count * step, n_before + count
        blocks.append((members, total, count))
    return {
        node: total / count + offset[node]
        for members, total, count in blocks
        for node in members
    }


LETTER = 7.3  # px, the width of a letter of a name; of a type it is SMALL times that
SMALL = 0.84
ABOVE = 6.0  # px, above a symbol
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
    boxes: Mapping[str, DiagramBox], drawing: Drawing, node: str, port: str, side: int
) -> tuple[float, float, int]:
    if node == OWN:
        x, y, outside = drawing.pins[port]
        return x, y, -outside  # a wire leaves the border inwards
    box = boxes[node]
    if (port, side) not in box.ports:  # of an open box, which has it on one side only
        side = -side
    x, y = box.ports[port, side]
    return box.x + x, box.y + y, side


def _box(node: Node, sides: Mapping[str, int]) -> DiagramBox:
    if node.inside is not None:
        inside = lay_out(node.inside, sides)
        box = DiagramBox(node, 0, 0, inside.width + 2 * EDGE, inside.height + HEAD + EDGE)
        box.inside = inside
        for port, (_, y, side) in inside.pins.items():
            box.ports[port, side] = (0.0 if side < 0 else box.width, y + HEAD)
        return box
    letters = max(len(node.name), SMALL * len(node.kind), 6)
    least = LOW + HEIGHT + ABOVE if node.symbol else LOW
    return DiagramBox(
        node, 0, 0, LETTER * letters + 24.0, max(least, PORT * len(node.ports))
    )


def _columns(
    columns: Sequence[Sequence[Item]], boxes: Mapping[str, DiagramBox]
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
    boxes: Mapping[str, DiagramBox],
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
