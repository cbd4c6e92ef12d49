"""What has no mass: moved by a balance of forces, prescribed or coupled, or else refused."""

from __future__ import annotations

from typing import NoReturn

from motorik.algebra.scalar import is_structural
from motorik.errors import AssemblyError, PortError
from motorik.topology.inventory import Inventory
from motorik.topology.lay_lines import Lines
from motorik.topology.mechanism import WORLD, Link
from motorik.topology.points import LAWS
from motorik.topology.tree import Tree


def settle_massless(inventory: Inventory, tree: Tree, lines: Lines) -> None:
    """Mark the links without mass whose forces balance; refuse joints that nothing determines.

    On a balanced link several force laws act, and nothing else does. Where a relation concerns
    a link, or an inertia turns with it, the mass matrix decides at the start: a motion that is
    prescribed needs no inertia.
    """
    shafts = [link for link in tree.links if link.own is not None]
    light = [k for k in (*tree.massless, *shafts) if is_structural(k.armature, 0.0)]
    if not light:
        return
    related = {speed for relation in lines.relations for speed, _ in relation.terms}
    for constraint in inventory.constraints:
        for port in constraint.flanges:
            at = lines.flanges[inventory.node(port)].coordinate
            related |= set() if at is None else {at}
    laws = _laws(inventory, tree, lines)
    for link in light:
        if related.isdisjoint(link.u):
            link.is_balanced = (
                len(laws.get(link.index, ())) >= LAWS and len(link.q) == len(link.u) > 0
            )
            if link.is_balanced:
                why = "has no mass: the balance of forces determines its motion."
                tree.reasons.append(f"{link.entry.path} {why}")
            elif link.own is None:
                _refuse(inventory, link)


def _laws(inventory: Inventory, tree: Tree, lines: Lines) -> dict[int, set[int]]:
    """Return the force laws that act on each link, or on what it carries."""
    found: dict[int, set[int]] = {}
    for force in inventory.forces:
        for port in force.frames:
            link = tree.nodes[inventory.node(port)].link
            found.setdefault(link, set()).add(id(force))
    of_speed = {speed: link.index for link in tree.links for speed in link.u}
    for line in inventory.lines:
        ends = [p for p in (line.flange_a, line.flange_b) if p is not None]
        at = {lines.flanges[inventory.node(port)].coordinate for port in ends} - {None}
        for speed in at:
            found.setdefault(of_speed[speed], set()).add(id(line))  # type: ignore[index]
    for link in reversed(tree.links):
        if link.parent != WORLD:
            found.setdefault(link.parent, set()).update(found.get(link.index, ()))
    return found


def _refuse(inventory: Inventory, link: Link) -> NoReturn:
    alone = inventory.ports.sets()[inventory.node(link.entry)]
    owners = {port.owner for port in alone}
    if len(alone) == 1 or all(owner is link.entry.owner for owner in owners):
        raise PortError(
            link.entry.path,
            "is connected to nothing.",
            "Connect a body to it, or remove the joint.",
            port=link.entry.name,
            value=link.entry,
        )
    raise AssemblyError(
        link.part,
        "moves nothing that has mass.",
        f"Connect a body behind {link.entry.path}, replace the joint by a rigid part, or "
        "prescribe its motion.",
        port=link.entry.name,
    )
