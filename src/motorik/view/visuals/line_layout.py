"""Layout of drive lines: where parts are drawn that have no place of their own.

Parts that hang on the axis of a joint stand in a row along this axis, one after the other, on
the body that carries the joint. Parts between the ends of a line force lie along its line
(`line_cell.py`). A line without either is a row beside the mechanism, or alone. A shaft
turns about its row, a rod slides along it: the rigid group of a flange is moved to its row by a
constant pose, its base. Beyond gears whose wheels stand side by side a line goes on in a row
beside, as far away as their shafts are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from motorik.algebra.pose import Pose
from motorik.algebra.vector import Vector
from motorik.components.base.contributions import JointBetween
from motorik.components.base.part import Part
from motorik.components.base.ports import Port, PortKind
from motorik.components.lines.base import LineSpring
from motorik.immutable import immutable
from motorik.view.scene.place import ScenePose, SceneSpan, axes_along

# --- pieces: parts of a drive line that lie along the line of a line force -----------------


SHORT = 0.1  # length of a part with one flange, as a share of the line


@immutable
class ForceLine:
    """The line of a line force: the sets of flanges at its ends, and how long it is [m]."""

    begin: Port
    end: Port
    span: SceneSpan
    length: float


@immutable
class LinePiece:
    """The part of a line that belongs to one part: its span, its length at the start [m].

    `width` [m] is the length of cells elsewhere, of which widths are shares.
    """

    span: SceneSpan
    length: float
    width: float
    layer: int = 0


def lay_pieces(
    flanges: Mapping[Part, Sequence[Port]], forces: Sequence[ForceLine], width: float
) -> dict[Part, LinePiece]:
    """Return the pieces of parts, whose sets of flanges are given, along line forces."""
    found: dict[Part, LinePiece] = {}
    for force in forces:
        way = find_way(flanges, force.begin, force.end)
        count = len(way) - 1
        for k, node in enumerate(way):
            after = way[k + 1] if k < count else None
            layer = 0
            for part, nodes in flanges.items():
                if part in found or node not in nodes:
                    continue
                if after is not None and after in nodes:
                    share = k / count, (k + 1) / count
                elif set(nodes) == {node}:
                    begin = (1.0 - SHORT) * k / max(count, 1)
                    share = begin, begin + SHORT
                else:
                    continue
                length = (share[1] - share[0]) * force.length
                found[part] = LinePiece(force.span.shared(*share), length, width, layer)
                layer += 1
    return found


def find_way(flanges: Mapping[Part, Sequence[Port]], begin: Port, end: Port) -> list[Port]:
    """Return the sets of flanges on the shortest way through parts; none without a way."""
    before: dict[Port, Port | None] = {begin: None}
    waiting = deque([begin])
    while waiting:
        node = waiting.popleft()
        for nodes in flanges.values():
            for other in nodes if node in nodes else ():
                if other not in before:
                    before[other] = node
                    waiting.append(other)
    if end not in before:
        return []
    way = [end]
    while (last := before[way[-1]]) is not None:
        way.append(last)
    return way[::-1]


AWAY = 0.7  # how far from its joint a row begins, of the length of a cell
FLANGES = (PortKind.ROTATIONAL, PortKind.TRANSLATIONAL)


@immutable
class FlangeFacts:
    """The flanges of a model: their connections, places and axes.

    `node` names sets of connected flanges, `group` the number of the rigid group of a set that
    moves, `at` its position [m or rad] at the start; `joints` have flanges and frames.
    """

    node: Mapping[Port, Port]
    group: Mapping[Port, int]
    at: Mapping[Port, float]
    joints: tuple[JointBetween, ...] = ()


@dataclass
class LineRow:
    """A row along the x axis of a place; columns are taken from left to right.

    A row that begins `at` a joint reaches back to it: so far left [m] of its first column.
    """

    place: ScenePose
    cell: float
    at: float | None = None
    beside: LineRow | None = None
    columns: list[int] = field(default_factory=lambda: [0])  # shared with those beside

    @property
    def taken(self) -> int:
        """How many columns are taken."""
        return self.columns[0]

    def parted(self, distance: float) -> LineRow:
        """Return a row beside this one, below it, or above where this one is below another."""
        up = 0.0 if self.beside is None else self._height
        y = -distance if up >= 0.0 else distance
        return LineRow(self.place.moved(0.0, y), self.cell, None, self, self.columns)

    @property
    def _height(self) -> float:
        """How far it is above the row that it is beside [m]."""
        assert self.beside is not None
        away = self.beside.place.pose.inverse() @ self.place.pose
        return float(away.p.y)


@immutable
class Cell:
    """The place of one part in a row: from `begin` to `end` [m] along it, in a `layer`.

    Parts between the same two shafts share one cell, in layers around each other. A part that is
    `turned` has its last flange on the left, one that is `below` is under the part of its cell.
    """

    row: LineRow
    begin: float
    end: float
    layer: int = 0
    turned: bool = False
    below: bool = False

    @property
    def length(self) -> float:
        """The length of the cell [m]."""
        return self.end - self.begin


@dataclass
class LineLayout:
    """The rows of all drive lines: cells of parts, and bases of the rigid groups of flanges."""

    facts: FlangeFacts
    cells: dict[Part, Cell] = field(default_factory=dict)
    rows: dict[Port, LineRow] = field(default_factory=dict)  # of sets of flanges
    reach: dict[Port, list[float]] = field(default_factory=dict)  # of shafts, along the row
    links: dict[Part, list[tuple[Port, float, float]]] = field(default_factory=dict)
    pieces: dict[Part, LinePiece] = field(
        default_factory=dict
    )  # of parts along line forces
    apart: dict[Part, float] = field(default_factory=dict)  # of shafts of gears [m]
    side: dict[Part, float] = field(default_factory=dict)  # of flange_b, above flange_a [m]

    def base(self, node: Port) -> ScenePose:
        """Return where the rigid group of a set of flanges has its own axes."""
        return self.rows[node].place

    def bases(self) -> dict[int, ScenePose]:
        """Return the bases of rigid groups; a rod begins to slide where its row has it."""
        found: dict[int, ScenePose] = {}
        for node, row in self.rows.items():
            number = self.facts.group.get(node)
            if number:
                slides = node.kind is PortKind.TRANSLATIONAL
                found[number] = (
                    row.place.moved(-self.facts.at[node]) if slides else row.place
                )
        return found

    def place(self, part: Part, port: Port, x: float) -> ScenePose:
        """Return the place at x [m] along the row of a part, moving with one of its flanges."""
        node = self.facts.node[port]
        number = self.facts.group.get(node)
        row = self.cells[part].row
        own = self.rows.get(node, row)
        if own is not row and row is not own.beside and own is not row.beside:
            return row.place.moved(x)  # it moves elsewhere
        return ScenePose(number, (x, 0.0, 0.0)) if number else own.place.moved(x)


def line_parts(model: Part) -> list[Part]:
    """Return the parts that have flanges and no frames, outermost closed ones only."""
    found: list[Part] = []
    for part in model.parts.values():
        if part.parts and part.is_open:
            found += line_parts(part)
        elif flanges_of(part) and not _has_frames(part):
            found.append(part)
        elif part.parts and not _has_frames(part):
            found += line_parts(part)
    return found


def flanges_of(part: Part) -> list[Port]:
    """Return the flanges of a part that are there."""
    return [port for port in part.ports() if port.kind in FLANGES]


def _has_frames(part: Part) -> bool:
    return any(port.kind is PortKind.FRAME for port in part.ports())


def lay_rows(
    model: Part,
    facts: FlangeFacts,
    frame: Mapping[Port, ScenePose],
    cell: float,
    free: ScenePose,
    forces: Sequence[ForceLine] = (),
    apart: Callable[[Part], float] = lambda part: 0.0,
) -> LineLayout:
    """Return the rows of all drive lines of a model.

    `frame` are the places of frames of joints, `forces` the lines of line forces, `cell` the
    length [m] of one part; lines without any begin at the place `free`, one below the other.
    `apart` is the distance of the shafts of a gear, in cells.
    """
    layout = LineLayout(facts)
    flanges = {
        part: [facts.node[port] for port in flanges_of(part)] for part in line_parts(model)
    }
    layout.pieces = lay_pieces(flanges, forces, cell)
    distances = {part: cell * apart(part) for part in flanges}
    layout.apart = {
        part: far
        for part, far in distances.items()
        if far and _divides(facts, flanges, part)
    }
    parts = [part for part in flanges if part not in layout.pieces]
    _fill(layout, parts, list(_anchors(facts, frame, cell)))
    count = 0
    around = {node for nodes in flanges.values() for node in nodes[2:]}
    for part in sorted(  # from their ends, but not from parts around a shaft
        parts, key=lambda one: (bool(around & set(flanges[one])), len(flanges[one]))
    ):
        if part in layout.cells:
            continue
        row = LineRow(free.moved(0.0, -1.6 * cell * count), cell)
        count += 1
        nodes = [facts.node[port] for port in flanges_of(part)]
        _fill(layout, parts, [(node, row) for node in nodes[:1]])
    _put_springs_outside(layout)
    return layout


def _put_springs_outside(layout: LineLayout) -> None:
    """Order the layers of cells that parts share: one sees through the coils of a spring."""
    shared: dict[tuple[int, float], list[Part]] = {}
    for part, cell in layout.cells.items():
        shared.setdefault((id(cell.row), cell.begin), []).append(part)
    for parts in shared.values():
        inside_out = sorted(parts, key=lambda part: isinstance(part, LineSpring))
        for layer, part in enumerate(inside_out):
            layout.cells[part] = replace(layout.cells[part], layer=layer)


def _anchors(
    facts: FlangeFacts, frame: Mapping[Port, ScenePose], cell: float
) -> Iterable[tuple[Port, LineRow]]:
    """Yield the flanges of joints, each with a row along the joint's axis."""
    for joint in facts.joints:
        if joint.flanges is None or joint.frame_a not in frame:
            continue
        neutral = [coordinate.neutral for coordinate in joint.joint.coordinates]
        (screw,) = joint.joint.screws(*neutral)
        turns = joint.flanges[0].kind is PortKind.ROTATIONAL
        n: Vector = screw.resultant if turns else screw.moment
        at = frame[joint.frame_a]
        along = ScenePose.of(at.group, at.pose @ Pose(axes_along(n)))
        row = LineRow(along.moved(AWAY * cell), cell, at=-AWAY * cell)
        yield facts.node[joint.flanges[0]], row


def _fill(layout: LineLayout, parts: list[Part], begin: list[tuple[Port, LineRow]]) -> None:
    """Give cells to all parts that can be reached from some flanges, one line after the other.

    At each set of flanges, parts that end there come first, the longest branch last.
    """
    touching: dict[Port, list[Part]] = {}
    for part in parts:
        for port in flanges_of(part):
            touching.setdefault(layout.facts.node[port], []).append(part)
    waiting: list[Port] = []
    for node, row in reversed(begin):
        if node not in layout.rows:
            layout.rows[node] = row
            waiting.append(node)
            if row.at is not None:
                layout.reach[node] = [row.at]
    while waiting:
        node = waiting.pop()
        row = layout.rows[node]
        own = [part for part in touching.get(node, ()) if part not in layout.cells]
        for part in sorted(own, key=lambda one: _goes_on(layout, one, touching)):
            if part in layout.cells:
                continue
            _take(layout, part, row, node)
            for port in flanges_of(part):
                other = layout.facts.node[port]
                if other not in layout.rows:
                    layout.rows[other] = _row_beyond(layout, part, port, row)
                    waiting.append(other)


def _row_beyond(layout: LineLayout, part: Part, port: Port, row: LineRow) -> LineRow:
    """Return the row in which a line goes on after a part that was reached in a row."""
    far = layout.apart.get(part, 0.0)
    a, b = flanges_of(part)[:2] if far else (port, port)
    if not far or port not in (a, b):
        return row
    beyond = row.parted(far)
    layout.side[part] = beyond._height if port is b else -beyond._height
    return beyond


def _divides(
    facts: FlangeFacts, flanges: Mapping[Part, Sequence[Port]], part: Part
) -> bool:
    """Return whether both sides of a part are joined by no other moving part."""
    begin, end = flanges[part][:2]
    seen, waiting = {begin}, [begin]
    while waiting:
        node = waiting.pop()
        if not facts.group.get(node):
            continue
        for other, nodes in flanges.items():
            if other is not part and node in nodes:
                waiting += [one for one in nodes if one not in seen]
                seen |= set(nodes)
    return end not in seen or not facts.group.get(end)


def _goes_on(layout: LineLayout, part: Part, touching: Mapping[Port, list[Part]]) -> int:
    """Return how many other parts are at the flanges of a part."""
    nodes = {layout.facts.node[port] for port in flanges_of(part)}
    return (
        len({one for node in nodes for one in touching.get(node, ())})
        if len(nodes) > 1
        else 0
    )


def _take(layout: LineLayout, part: Part, row: LineRow, node: Port) -> None:
    """Give a part the next cell of a row, or that of a part between the same flanges.

    `node` are the flanges from which it is reached, which are on its left.
    """
    ends = _ends(layout, part)
    for other, cell in layout.cells.items():
        theirs = _ends(layout, other)
        if len(set(ends)) == 2 and set(ends) == set(theirs) and cell.row is row:
            layers = sum(
                c.row is row and c.begin == cell.begin for c in layout.cells.values()
            )
            turned = cell.turned != (ends[0] != theirs[0])
            layout.cells[part] = Cell(row, cell.begin, cell.end, layers, turned)
            _join(layout, part)
            return
    held = _held_around(layout, part, node)
    if held is not None:
        layout.cells[part] = replace(layout.cells[held], below=True)
        return
    begin = row.cell * row.taken
    nodes = [layout.facts.node[port] for port in flanges_of(part)]
    is_end = (
        row.taken == 0 and row.at is None and len(nodes) == 1
    )  # the line goes on from it
    turned = is_end or (len(nodes) > 1 and nodes[0] != node == nodes[1])
    row.columns[0] += 1
    layout.cells[part] = Cell(row, begin, begin + row.cell, 0, turned)
    _join(layout, part)


def _held_around(layout: LineLayout, part: Part, node: Port) -> Part | None:
    """Return the part whose third flange, which is around its shafts, a wall alone holds."""
    if len(flanges_of(part)) > 1 or layout.facts.group.get(node):
        return None
    for other in layout.cells:
        third = flanges_of(other)[2:]
        if any(layout.facts.node[port] == node for port in third):
            return other
    return None


def _join(layout: LineLayout, part: Part) -> None:
    """Record the flange positions of a part and the shafts between them."""
    cell = layout.cells[part]
    first, last = (cell.end, cell.begin) if cell.turned else (cell.begin, cell.end)
    for k, port in enumerate(flanges_of(part)):
        own, x = layout.facts.node[port], (first, last)[k] if k < 2 else (first + last) / 2
        reached = layout.reach.setdefault(own, [])
        if reached and layout.rows.get(own) is cell.row:
            near = min(reached, key=lambda other, x=x: abs(other - x))
            if abs(near - x) > 1e-6 * cell.row.cell:
                layout.links.setdefault(part, []).append((port, near, x))
        reached.append(x)


def _ends(layout: LineLayout, part: Part) -> list[Port | None]:
    """Return the sets of flanges of a part; all that stand still are one, None."""
    nodes = (layout.facts.node[port] for port in flanges_of(part))
    return [node if layout.facts.group.get(node) else None for node in nodes]
