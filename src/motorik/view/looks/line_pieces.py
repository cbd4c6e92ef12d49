"""Pieces: parts of a drive line that lie along the line of a line force.

The parts on the shortest way from one flange of the force to the other share its line in equal
pieces, which stretch with it; parts between the same flanges lie in layers around each other.
What else hangs on a flange of the way has a short piece beside it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from motorik.components.base.part import Part
from motorik.components.base.ports import Port
from motorik.view.scene.place import SceneSpan

SHORT = 0.1  # length of the piece of what hangs on one flange, of the line


@dataclass(frozen=True)
class ForceLine:
    """The line of a line force: the sets of flanges at its ends, and how long it is [m]."""

    begin: Port
    end: Port
    span: SceneSpan
    length: float


@dataclass(frozen=True)
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
