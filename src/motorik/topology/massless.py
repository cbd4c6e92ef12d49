"""Joints that move nothing with mass: refused, unless their motion is prescribed or coupled."""

from __future__ import annotations

from typing import NoReturn

from motorik.algebra.scalar import is_structural
from motorik.errors import AssemblyError, PortError
from motorik.topology.inventory import Inventory
from motorik.topology.lay_lines import Lines
from motorik.topology.mechanism import Link
from motorik.topology.tree import Tree


def check_massless(inventory: Inventory, tree: Tree, lines: Lines) -> None:
    """Raise an error for the first joint whose motion neither mass nor a relation determines.

    Where a relation concerns it, or an inertia turns with it, the mass matrix decides at the
    start: a motion that is prescribed needs no inertia.
    """
    related = {speed for relation in lines.relations for speed, _ in relation.terms}
    for link in tree.massless:
        if related.isdisjoint(link.u) and is_structural(link.armature, 0.0):
            _refuse(inventory, link)


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
