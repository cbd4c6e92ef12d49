"""Rigid groups: everything of a mechanism that moves as one, and the poses of all of them.

Shapes are drawn on rigid groups: the links of the tree, masses on lines, and the shafts and rods of
drive lines. The latter have no place in space: they turn about their x axis, or slide along it, by
the position of their flanges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from motorik.algebra.pose import Pose
from motorik.algebra.quaternion import Quaternion
from motorik.algebra.rotation import rotation_about
from motorik.algebra.vector import Vector, X
from motorik.compiler.symbols import elements, make_function
from motorik.components.base.ports import PortKind
from motorik.immutable import immutable
from motorik.topology.mechanism import WORLD, NodePose

if TYPE_CHECKING:
    import casadi

    from motorik.algebra.scalar import Scalar
    from motorik.components.base.line_mass import LineMass
    from motorik.components.base.part import Part
    from motorik.components.base.ports import Port
    from motorik.dynamics.articulated import Caller
    from motorik.motion.view import MotionView
    from motorik.system.equations import Equations
    from motorik.topology.mechanism import Mechanism

NUMBERS = 7  # of a pose: x y z [m], and the quaternion qx qy qz qw


@immutable
class RigidGroups:
    """The rigid groups of a mechanism; numbers count from 1, the world is 0.

    `links` are the numbers of the links in space, `masses` those of the masses on lines,
    `flanges` those of sets of connected flanges that move.
    """

    names: tuple[str, ...]
    links: dict[int, int]
    masses: dict[Part, int]
    flanges: dict[Port, int]
    poses: tuple[Callable[[MotionView], Pose], ...]

    @staticmethod
    def of(mechanism: Mechanism) -> RigidGroups:
        """Return the rigid groups of a mechanism: links, masses on lines, flanges."""
        names: list[str] = []
        poses: list[Callable[[MotionView], Pose]] = []
        links: dict[int, int] = {}
        masses: dict[Part, int] = {}
        flanges: dict[Port, int] = {}

        def add(name: str, pose: Callable[[MotionView], Pose]) -> int:
            names.append(_unlike(name, names))
            poses.append(pose)
            return len(names)

        named = _names_of_links(mechanism)
        for link in mechanism.links:
            if link.own is None:
                links[link.index] = add(named[link.index], partial(_link, link.index))
        for mass in mechanism.line_masses:
            masses[mass.part] = add(mass.part.path, partial(_mass, mass))
        for node, at in mechanism.flanges.items():
            if at.coordinate is not None:
                flanges[node] = add(node.path, partial(_flange, node))
        return RigidGroups(tuple(names), links, masses, flanges, tuple(poses))


def _unlike(name: str, others: Sequence[str]) -> str:
    """Return a name that no other rigid group has."""
    number, own = 1, name
    while own in others or own == "world":
        number += 1
        own = f"{name}#{number}"
    return own


def _names_of_links(mechanism: Mechanism) -> dict[int, str]:
    """Return for each link the path of the first body on it, else of its joint."""
    names = {link.index: link.part for link in mechanism.links}
    for mass in reversed(mechanism.masses):
        at = mechanism.nodes[mechanism.inventory.node(mass.frame)]
        if at.link != WORLD:
            names[at.link] = mass.frame.owner.path
    return names


def _link(index: int, motion: MotionView) -> Pose:
    return motion.pose_at(NodePose(index, Pose()))


def _mass(mass: LineMass, motion: MotionView) -> Pose:
    return Pose(p=mass.position(motion))


def _flange(port: Port, motion: MotionView) -> Pose:
    x = motion.flange(port)[0]
    if port.kind is PortKind.ROTATIONAL:
        return Pose(rotation_about(X, x))
    return Pose(p=Vector(x, 0.0, 0.0))


def pose_numbers(X: Pose) -> tuple[Scalar, ...]:
    """Return x y z [m] and the unit quaternion qx qy qz qw of a pose."""
    return (*X.p.xyz, *Quaternion.from_rotation(X.R).xyzw)


def pose_values(
    equations: Equations, t: Scalar, X: Sequence[Scalar], tape: Caller | None = None
) -> list[Scalar]:
    """Return the numbers of the poses of all rigid groups, of symbols of a motion X."""
    q, u, z = equations.layout.split(list(X))
    motion = equations.motion(q, u, None, t, z, tape=tape)
    values: list[Scalar] = []
    for pose in equations.rigid_groups.poses:
        values += motion.tape.call(pose_numbers, pose(motion))
    return values


def poses(equations: Equations) -> casadi.Function:
    """Return the poses of all rigid groups, seven numbers each, of a motion X."""
    t, X = equations.symbols("t", "X")
    values = pose_values(equations, t, elements(X))
    return make_function("poses", {"t": t, "X": X, "p": equations.p}, values)
