"""Points without mass: frames and shafts on which force laws alone act.

The forces of springs and dampers in series balance where these meet, which determines the
position of the point. It gets a link of its own, which has no inertia: a displacement of three
freedoms of a frame, parallel to the world, one freedom of a shaft. The forces act at its origin,
so its orientation does not matter.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from motorik.algebra.dyad import NO_INERTIA
from motorik.components.base.contributions import FreeStart, Mass
from motorik.components.base.ports import Port, PortKind
from motorik.components.base.values import Start
from motorik.elements.translational import TranslationalPair
from motorik.topology.inventory import Inventory

LAWS = 2  # that meet in a point, at least: the end of a single spring is loose

NOWHERE = Start((0.0, 0.0, 0.0))


def find_points(inventory: Inventory, placed: Container[Port]) -> list[Mass]:
    """Return the sets of connected frames that force laws alone hold, as roots without mass.

    `placed` are those that something else carries.
    """
    laws: dict[Port, set[int]] = {}
    for law in inventory.forces:
        for port in law.frames:
            laws.setdefault(inventory.node(port), set()).add(id(law))
    loose = [n for n, own in laws.items() if len(own) >= LAWS and n not in placed]
    if not loose:
        return []
    held = {inventory.node(port) for port in _held(inventory)}
    groups = inventory.ports.sets()
    return [
        _root(min(groups[node], key=lambda port: (len(port.path), port.path)))
        for node in loose
        if node not in held
    ]


def _held(inventory: Inventory) -> Iterable[Port]:
    """Return the frames of rigid parts, joints and constraints."""
    for edge in (*inventory.rigids, *inventory.joints):
        yield from (edge.frame_a, edge.frame_b)
    for constraint in inventory.constraints:
        yield from constraint.frames


def _root(port: Port) -> Mass:
    """Return what names the coordinates of a point: those of one of its frames."""
    assert port.kind is PortKind.FRAME
    names = [f"{letter}[{i}]" for letter in ("r_0", "v_0", "v_a") for i in (1, 2, 3)]
    own = tuple((name, f"{port.name}.{name}") for name in names)
    start = FreeStart(NOWHERE, NOWHERE, NOWHERE, names=own)
    return Mass(port, NO_INERTIA, TranslationalPair(), start)
