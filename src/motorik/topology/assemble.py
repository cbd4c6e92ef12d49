"""Assembly: from a model of connected parts to a mechanism that can be traced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NoReturn

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_by_sequence
from motorik.algebra.scalar import Scalar, arctan2, cos, is_structural, sin
from motorik.algebra.vector import Vector
from motorik.components.base.composite import Composite
from motorik.components.base.contributions import FreeStart, Gravity, InitialCondition, Mass
from motorik.components.base.motion import Motion
from motorik.components.base.ports import Port
from motorik.components.base.values import LiveScalar, Start
from motorik.errors import AssemblyError, PortError
from motorik.topology.drive_lines import DriveLines, place_drive_lines
from motorik.topology.graph import ConnectedSets
from motorik.topology.inventory import Inventory, take_inventory
from motorik.topology.massless_points import LAWS
from motorik.topology.mechanism import (
    WORLD,
    Closure,
    Link,
    Mechanism,
    StateVariableSpec,
)
from motorik.topology.signals import Signals
from motorik.topology.tree import Tree, TreeBuilder

# --- bodies without mass ------------------------------------------------------------------


def settle_massless(inventory: Inventory, tree: Tree, lines: DriveLines) -> None:
    """Mark massless links that move in static equilibrium; refuse undetermined joints.

    On such a link at least two force laws act and nothing else. Where a relation involves a link,
    or an inertia of a drive line moves with it, the mass matrix decides at the start: a prescribed
    motion needs no inertia.
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
            link.is_massless = (
                len(laws.get(link.index, ())) >= LAWS and len(link.q) == len(link.u) > 0
            )
            if link.is_massless:
                why = "has no mass: the balance of forces determines its motion."
                tree.reasons.append(f"{link.entry.path} {why}")
            elif link.own is None:
                _refuse(inventory, link)


def _laws(inventory: Inventory, tree: Tree, lines: DriveLines) -> dict[int, set[int]]:
    """Return the force laws that act on each link, or on massless links mounted on it."""
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


Adapt = Callable[[Inventory, Callable[[LiveScalar], Scalar]], None]
"""Changes an inventory; given is what replaces live parameters."""

COORDINATE_NAMES = {"x": "r_0[1]", "y": "r_0[2]", "z": "r_0[3]"}


def assemble(model: Composite) -> Mechanism:
    """Return the mechanism of a model with the present values of its live parameters."""
    return grow_tree(take_inventory(model, lambda scalar: scalar.value))


def grow_tree(
    inventory: Inventory, order: Mapping[int, float] | None = None, absolute: bool = False
) -> Mechanism:
    """Return the mechanism of an inventory, which other trees may be grown of as well.

    `order` and `absolute` are those of `TreeBuilder`; without an order, joints with more
    freedom close the loops.
    """
    model, given = inventory.model, order
    live = [e for parameter in model.live_parameters().values() for e in parameter.elements]
    inventory = replace(inventory, signal_laws=[*inventory.signal_laws])
    if order is None and not absolute and has_loops(inventory):
        order = order_of_joints(inventory)
    tree = TreeBuilder(inventory, order, absolute).build()
    _number_states(tree)
    laid = place_drive_lines(inventory, tree)
    settle_massless(inventory, tree, laid)
    coordinates, speeds = _number_states(tree)
    assert isinstance(inventory.gravity, Gravity)
    used = {link.part for link in tree.links if not link.is_massless}
    demands = [d for d in inventory.initial_conditions if d.always or d.part not in used]
    roots = {id(link.root) for link in tree.links}
    demands += [
        d for mass in inventory.masses for d in _body_demands(mass, id(mass) in roots)
    ]
    demands += [d for closure in tree.closures for d in _cut_demands(closure)]
    signals = Signals(inventory)
    if signals.network is not None and signals.network.constraints.join(inventory):
        return grow_tree(inventory, given, absolute)  # equations of parts constrain it
    return Mechanism(
        model.label,
        tree.links,
        coordinates,
        speeds,
        tree.nodes,
        laid.flanges,
        inventory.gravity,
        inventory.lines,
        inventory.masses,
        tree.branches,
        tree.measures,
        [*demands, *laid.initial_conditions],
        live,
        closures=tree.closures,
        relations=laid.relations,
        forces=inventory.forces,
        line_masses=inventory.line_masses,
        signals=signals,
        inventory=inventory,
        reasons=[*tree.reasons, *laid.locks, *laid.reasons],
        locks=laid.locks,
    )


def has_loops(inventory: Inventory) -> bool:
    """Return whether a constraint or a joint of a model closes a loop.

    Joints that constrain nothing enter a tree last, so they never make another one close.
    """
    if inventory.constraints:
        return True
    held: ConnectedSets[Port] = ConnectedSets()
    world, *others = [inventory.node(ground.frame) for ground in inventory.grounds]
    ways = [(world, other) for other in others]
    ways += [
        (inventory.node(r.frame_a), inventory.node(r.frame_b)) for r in inventory.rigids
    ]
    for a, b in ways:
        held.unite(a, b)
    for edge in inventory.joints:
        a, b = inventory.node(edge.frame_a), inventory.node(edge.frame_b)
        if not edge.breakable:
            held.add(a)
            held.add(b)
            if held.find(a) is held.find(b):
                return True
            held.unite(a, b)
    return False


def order_of_joints(inventory: Inventory) -> dict[int, float]:
    """Return the order in which joints enter the tree where there are loops.

    First come joints preferred as states or with forces along their freedom, then those with few
    freedoms: the last joint of a loop is cut, and with many freedoms it has few constraints.
    """

    def place(index: int) -> tuple[int, bool, bool, int, int]:
        edge = inventory.joints[index]
        is_fixed = any(start.is_fixed for start in (*edge.starts, *edge.speed_starts))
        loaded = edge.keeps_coordinate
        return (-edge.state_priority, not loaded, not is_fixed, edge.joint.freedom, index)

    ordered = sorted(range(len(inventory.joints)), key=place)
    return {index: float(rank) for rank, index in enumerate(ordered)}


def _cut_demands(closure: Closure) -> list[InitialCondition]:
    """Return the initial conditions of a cut joint with fixed start values."""
    edge, found = closure.edge, []
    if edge is None:
        return []
    part = edge.frame_a.owner
    for of_speed, names, starts, shown in (
        (False, edge.names, edge.starts, edge.joint.coordinates),
        (True, edge.speed_names, edge.speed_starts, edge.joint.speeds),
    ):
        for name, start, what in zip(names, starts, shown, strict=True):
            if start.is_fixed:

                def residual(
                    motion: Motion,
                    name: str = name,
                    value: Scalar = start.value,
                    of_speed: bool = of_speed,
                    is_angle: bool = what.unit == "rad",
                ) -> tuple[Scalar, ...]:
                    if of_speed:
                        return (motion.speed(part, name) - value,)
                    gap = motion.coordinate(part, name) - value
                    return (arctan2(sin(gap), cos(gap)) if is_angle else gap,)

                found.append(
                    InitialCondition(part.path, name, of_speed, residual, always=True)
                )
    return found


# --- states ---------------------------------------------------------------------------------


def _number_states(tree: Tree) -> tuple[list[StateVariableSpec], list[StateVariableSpec]]:
    coordinates: list[StateVariableSpec] = []
    speeds: list[StateVariableSpec] = []
    for link in tree.links:
        q, u = _states_of(link)
        link.q = range(len(coordinates), len(coordinates) + len(q))
        link.u = range(len(speeds), len(speeds) + len(u))
        coordinates += q
        speeds += u
    return coordinates, speeds


def _states_of(link: Link) -> tuple[list[StateVariableSpec], list[StateVariableSpec]]:
    joint = link.joint
    q_starts: Sequence[Start]
    u_starts: Sequence[Start]
    q_names: Sequence[str]
    u_names: Sequence[str]
    if link.edge is not None:
        q_names, u_names = link.edge.names, link.edge.speed_names
        q_starts, u_starts = link.edge.starts, link.edge.speed_starts
    elif link.own is not None:
        q_names, u_names = link.own.names[:1], link.own.names[1:]
        q_starts, u_starts = link.own.starts[:1], link.own.starts[1:]
    else:
        assert link.root is not None
        q_names, u_names, q_starts, u_starts = _free_states(link.root)
    q = [
        StateVariableSpec(f"{link.part}.{name}", c.unit, start)
        for name, c, start in zip(q_names, joint.coordinates, q_starts, strict=True)
    ]
    u = [
        StateVariableSpec(f"{link.part}.{name}", c.unit, start)
        for name, c, start in zip(u_names, joint.speeds, u_starts, strict=True)
    ]
    return q, u


def vector_of(begin: Start) -> Vector:
    """Return a start value of three numbers as a vector."""
    assert isinstance(begin.value, tuple)
    return Vector(*begin.value)


def _free_states(mass: Mass) -> tuple[list[str], list[str], list[Start], list[Start]]:
    """Return names and start values of the states of a floating body."""
    from motorik.components.joints.floating import speeds_for

    joint, begin = mass.free, mass.start
    R = rotation_by_sequence(begin.sequence, begin.angles)
    q = joint.fit(Pose(R, vector_of(begin.r_0)))
    w, v = R.T @ vector_of(begin.w_0), R.T @ vector_of(begin.v_0)
    u = speeds_for(joint, q, Motor(w, v))
    q_names = [_free_name(c.name) for c in joint.coordinates]
    at = iter(begin.r_0.fixed_components())
    q_fixed = [next(at) if n.startswith("r_0") else begin.angles_fixed for n in q_names]
    in_body = any(c.name.startswith("w") for c in joint.speeds)
    u_names = [_speed_name(c.name, in_body) for c in joint.speeds]
    u_fixed = [
        begin.v_0.is_fixed if n.startswith("v_") else begin.w_0.is_fixed for n in u_names
    ]
    own = dict(begin.names)
    return (
        [own.get(name, name) for name in q_names],
        [own.get(name, name) for name in u_names],
        [Start(float(x), f) for x, f in zip(q, q_fixed, strict=True)],
        [Start(float(x), f) for x, f in zip(u, u_fixed, strict=True)],
    )


def _free_name(name: str) -> str:
    if name in COORDINATE_NAMES:
        return COORDINATE_NAMES[name]
    letter = "Q" if name.startswith("Q") else "phi"
    return f"{letter}[{name[-1]}]" if name[-1].isdigit() else name


def _speed_name(name: str, in_body: bool) -> str:
    number = name[-1] if name[-1].isdigit() else str("xyz".index(name[-1]) + 1)
    if name.startswith("w"):
        return f"w_a[{number}]"
    if name.startswith("phi"):
        return f"phi_d[{number}]"
    return f"{'v_a' if in_body else 'v_0'}[{number}]"


# --- start values of bodies that are not roots ----------------------------------------------


def _body_demands(mass: Mass, is_root: bool) -> list[InitialCondition]:
    """Return the initial conditions of a body with fixed start values that are not states."""
    begin: FreeStart = mass.start
    starts = (begin.r_0, begin.v_0, begin.w_0)
    if not begin.angles_fixed and not any(any(s.fixed_components()) for s in starts):
        return []
    from motorik.components.joints.floating import mismatch

    port, part = mass.frame, mass.frame.owner.path
    R = rotation_by_sequence(begin.sequence, begin.angles)
    found: list[InitialCondition] = []
    names = dict(begin.names)

    def want(
        name: str,
        of_speed: bool,
        reading: Callable[[Motion], Sequence[Scalar]],
        begin: Start,
    ) -> None:
        values, fixed = begin.value, begin.fixed_components()
        if is_root and (all(fixed) or not of_speed):
            return
        assert isinstance(values, tuple)
        for i, (value, is_wanted) in enumerate(zip(values, fixed, strict=True)):
            shown = names.get(f"{name}[{i + 1}]", f"{name}[{i + 1}]")
            if is_wanted and shown:

                def residual(
                    motion: Motion, i: int = i, value: float = value
                ) -> tuple[Scalar, ...]:
                    return (reading(motion)[i] - value,)

                found.append(InitialCondition(part, shown, of_speed, residual))

    want("r_0", False, lambda motion: motion.pose(port).p.xyz, begin.r_0)
    zero = Start((0.0, 0.0, 0.0), begin.angles_fixed)
    want("angles_start", False, lambda motion: mismatch(R, motion.pose(port).R), zero)
    want("v_0", True, lambda motion: motion.velocity_0(port).xyz, begin.v_0)
    want("w_0_start", True, lambda motion: _angular_0(motion, port).xyz, begin.w_0)
    return found


def _angular_0(motion: Motion, port: Port) -> Vector:
    return motion.pose(port).R @ motion.velocity(port).resultant
