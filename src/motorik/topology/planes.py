"""Planes: check that planar parts stay in the plane of the world.

Planar bodies and laws do not describe motion out of the plane: a body has one moment of
inertia, a law no force along z. The z axis of their frames must stay that of the world.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from motorik.algebra.matrix import Matrix
from motorik.algebra.scalar import is_number
from motorik.algebra.vector import Vector, Z
from motorik.components.base.contributions import (
    ConstraintBetween,
    FrameForce,
    JointBetween,
)
from motorik.components.base.place import NamedObject
from motorik.components.base.ports import Port
from motorik.elements.joint import Joint
from motorik.errors import AssemblyError
from motorik.numerics.tolerances import PARALLEL

if TYPE_CHECKING:
    from motorik.topology.inventory import Inventory

PLANAR = 2  # number of axes in the arguments of a planar vector law


def check_planes(inventory: Inventory) -> None:
    """Refuse planar parts that can leave the plane of the world."""
    bodies = [mass for mass in inventory.masses if _moves_in_plane(mass.free)]
    laws = [law for law in (*inventory.constraints, *inventory.forces) if is_planar(law)]
    held = [port for law in laws for port in law.frames]
    for edge in inventory.joints:
        if _axes(edge.frame_a.owner) == PLANAR:
            held += [edge.frame_a, edge.frame_b]
    if not bodies and not held:
        return
    if bodies:
        _check_gravity(inventory, bodies[0].frame)
    normals = _Normals(inventory)
    for ground in inventory.grounds:
        normals.spread(ground.frame, _turned(ground.pose.R, Z))
    for mass in bodies:
        normals.float_freely(mass.frame)
    for port in (*(mass.frame for mass in bodies), *held):
        normals.check(port)


def is_planar(law: ConstraintBetween | FrameForce) -> bool:
    """Return whether a law is planar."""
    return _axes(law.part) == PLANAR


def _axes(part: NamedObject) -> int:
    """Return the number of axes of a kind of part, 0 if it has none.

    It is looked up in the class: a part refuses a name that it does not have with a long text.
    """
    return getattr(type(part), "axes", 0)


def _moves_in_plane(free: Joint) -> bool:
    """Return whether the free motion of a body is in the plane z = 0."""
    q = tuple(coordinate.neutral for coordinate in free.coordinates)
    still = [
        entry
        for screw in free.screws(*q)
        for entry in (*screw.resultant.cross(Z).xyz, screw.moment.z)
    ]
    return not any(map(float, still))


def _check_gravity(inventory: Inventory, frame: Port) -> None:
    g = None if inventory.gravity is None else inventory.gravity.uniform
    if g is None or not all(map(is_number, g.xyz)):
        return
    if abs(float(g.z)) > PARALLEL * max(map(abs, g.xyz)):
        raise AssemblyError(
            frame.owner.path,
            f"moves in the plane z = 0 of the world, and gravity {g.xyz} m/s2 leads out of it.",
            'Give gravity a direction n in the plane, or gravityType="none" for a mechanism '
            "that lies flat; or take a body in space.",
        )


class _Normals:
    """The world's z axis resolved in frames that keep it."""

    def __init__(self, inventory: Inventory) -> None:
        self.inventory = inventory
        self.known: dict[Port, Vector | None] = {}  # None where live numbers decide
        self.ways: dict[Port, list[tuple[Port, Matrix, JointBetween | None]]] = {}
        for rigid in inventory.rigids:
            a, b = inventory.node(rigid.frame_a), inventory.node(rigid.frame_b)
            self.ways.setdefault(a, []).append((b, rigid.X_ab.R, None))
            self.ways.setdefault(b, []).append((a, rigid.X_ab.R.T, None))
        for edge in inventory.joints:
            a, b = inventory.node(edge.frame_a), inventory.node(edge.frame_b)
            R = edge.joint.pose(*(c.neutral for c in edge.joint.coordinates)).R
            self.ways.setdefault(a, []).append((b, R, edge))
            self.ways.setdefault(b, []).append((a, R.T, edge))

    def spread(self, frame: Port, normal: Vector | None) -> list[Port]:
        """Store the normal at a frame and at all frames that keep it; return the new ones."""
        waiting, found = [(self.inventory.node(frame), normal)], []
        while waiting:
            node, n = waiting.pop()
            if node in self.known:
                continue
            self.known[node] = n
            found.append(node)
            for other, R, edge in self.ways.get(node, ()):
                if n is None:
                    waiting.append((other, None))
                elif edge is None or _keeps(edge, n):
                    waiting.append((other, _turned(R, n)))
        return found

    def float_freely(self, frame: Port) -> None:
        """Let a free planar body move in the plane of the world."""
        if self.inventory.node(frame) in self.known:
            return
        for node in self.spread(frame, Z):
            n = self.known[node]
            for other, R, edge in self.ways.get(node, ()):
                if edge is None or n is None:
                    continue
                name, there = edge.frame_a.owner.path, self.known.get(other)
                if not _keeps(edge, n):
                    self._refuse(frame, f"{name} allows it to turn out of it")
                if there is not None and not _same(_turned(R, n), there):
                    self._refuse(frame, f"{name} is tilted relative to it")

    def check(self, port: Port) -> None:
        """Refuse a frame that can rotate away from the z axis of the world, or is inclined."""
        node = self.inventory.node(port)
        if node not in self.known:
            self._refuse(port, "nothing keeps it there")
        n = self.known[node]
        if n is not None and max(abs(n.x), abs(n.y)) > PARALLEL:
            self._refuse(port, f"it is tilted: the z axis of the world is {n.xyz} in it")

    def _refuse(self, port: Port, why: str) -> None:
        raise AssemblyError(
            port.path,
            f"belongs to the plane z = 0 of the world, but {why}.",
            "Turn it about z alone, or take bodies and joints in space.",
            port=port.name,
        )


def _keeps(edge: JointBetween, n: Vector) -> bool:
    """Return whether a joint rotates about the normal only, if at all."""
    joint = edge.joint
    q = tuple(coordinate.neutral for coordinate in joint.coordinates)
    for screw in joint.screws(*q):
        across = screw.resultant.cross(n)
        if any(is_number(e) and abs(e) > PARALLEL for e in across.xyz):
            return False
    return True


def _turned(R: Matrix, n: Vector) -> Vector | None:
    """Return a direction resolved in b, R = R_ab; None if it depends on live numbers."""
    seen = R.T @ n
    return seen if all(map(is_number, seen.xyz)) else None


def _same(a: Vector | None, b: Vector) -> bool:
    return a is None or max(map(abs, (a - b).xyz)) <= PARALLEL
