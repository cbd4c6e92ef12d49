"""Massless points: frames and shafts on which force laws alone act.

Static equilibrium of springs and dampers in series determines the position of the point where
they meet. It gets a link of its own without inertia: three translations of a frame, parallel to
the world, or one freedom of a shaft. Where all forces act at its origin, its orientation is
irrelevant. Where torques act, as between bushings, it has six freedoms, relative to a frame that
one of the force laws connects it with: there its angles are small.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from motorik.algebra.dyad import NO_INERTIA
from motorik.algebra.pose import IDENTITY_POSE
from motorik.components.base.contributions import FreeStart, Mass
from motorik.components.base.ports import Port, PortKind
from motorik.components.base.values import Start
from motorik.elements.free_by_angles import FreePairByAngles
from motorik.elements.translational import TranslationalPair
from motorik.topology.inventory import Inventory
from motorik.topology.mechanism import WORLD, NodePose

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
        _root(
            min(groups[node], key=lambda port: (len(port.path), port.path)),
            node in inventory.turning,
        )
        for node in loose
        if node not in held
    ]


def neighbour_of(
    inventory: Inventory, point: Mass, placed: Mapping[Port, NodePose]
) -> NodePose:
    """Return where a frame is placed that a force law connects with a massless one."""
    node = inventory.node(point.frame)
    for frames in inventory.connected_frames():
        nodes = [inventory.node(port) for port in frames]
        for other in nodes if node in nodes else ():
            if other is not node and other in placed:
                return placed[other]
    return NodePose(WORLD, IDENTITY_POSE)


def _held(inventory: Inventory) -> Iterable[Port]:
    """Return the frames of rigid parts, joints and constraints."""
    for edge in (*inventory.rigids, *inventory.joints):
        yield from (edge.frame_a, edge.frame_b)
    for constraint in inventory.constraints:
        yield from constraint.frames


def _root(port: Port, turns: bool) -> Mass:
    """Return the root whose coordinates are named by one of the frames of the point."""
    assert port.kind is PortKind.FRAME
    names = {f"{n}[{i}]": f"{n}[{i}]" for n in ("r_0", "v_0", "v_a") for i in (1, 2, 3)}
    if turns:
        letters = {"r_0": "r_rel", "v_0": "v_rel", "phi": "phi", "phi_d": "phi_d"}
        names = {f"{n}[{i}]": f"{to}[{i}]" for n, to in letters.items() for i in (1, 2, 3)}
    own = tuple((name, f"{port.name}.{to}") for name, to in names.items())
    start = FreeStart(NOWHERE, NOWHERE, NOWHERE, names=own)
    return Mass(
        port, NO_INERTIA, FreePairByAngles() if turns else TranslationalPair(), start
    )
