"""Massless points: frames and shafts on which force laws alone act.

Static equilibrium of springs and dampers in series determines the position of the point where
they meet. It gets a link of its own without inertia: three translations of a frame, parallel to
the world, or one freedom of a shaft. The forces act at its origin, so its orientation is
irrelevant.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from motorik.algebra.dyad import NO_INERTIA
from motorik.components.base.contributions import FreeStart, Mass
from motorik.components.base.ports import Port, PortKind
from motorik.components.base.values import Start
from motorik.elements.translational import TranslationalPair
from motorik.topology.inventory import Inventory

LAWS = 2  # least number of force laws at a point: the end of a single spring is loose

NOWHERE = Start((0.0, 0.0, 0.0))


def find_points(inventory: Inventory, placed: Container[Port]) -> list[Mass]:
    """Return the sets of connected frames on which force laws alone act, as massless roots.

    `placed` are the sets that other parts carry.
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
    """Return the root whose coordinates are named by one of the frames of the point."""
    assert port.kind is PortKind.FRAME
    names = [f"{letter}[{i}]" for letter in ("r_0", "v_0", "v_a") for i in (1, 2, 3)]
    own = tuple((name, f"{port.name}.{name}") for name in names)
    start = FreeStart(NOWHERE, NOWHERE, NOWHERE, names=own)
    return Mass(port, NO_INERTIA, TranslationalPair(), start)
