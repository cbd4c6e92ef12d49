"""Assembly: from a model of connected parts to a mechanism that can be traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_by_sequence
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.assembly.inventory import Inventory, take_inventory
from motorik.assembly.mechanism import FlangeAt, Link, Mechanism, State
from motorik.assembly.tree import Tree, TreeBuilder
from motorik.components.composite import Composite
from motorik.components.contributions import Demand, FreeStart, Gravity, Mass
from motorik.components.floating import mismatch, speeds_for
from motorik.components.ports import Port, PortKind
from motorik.components.values import LiveScalar, Start
from motorik.errors import AssemblyError, LoopError, PortError

COORDINATE_NAMES = {"x": "r_0[1]", "y": "r_0[2]", "z": "r_0[3]"}


def assemble(
    model: Composite, resolve: Callable[[LiveScalar], Any] | None = None
) -> Mechanism:
    """Return the mechanism of a model.

    Live parameters become what `resolve` makes of them: their present values by default,
    symbols when the mechanism is to be compiled.
    """
    live = [e for parameter in model.live_parameters().values() for e in parameter.elements]
    stock = take_inventory(model, resolve or (lambda scalar: scalar.value))
    tree = TreeBuilder(stock).build()
    coordinates, speeds = _number_states(tree)
    flanges = _place_flanges(stock, tree)
    assert isinstance(stock.gravity, Gravity)
    used = {link.part for link in tree.links}
    demands = [d for d in stock.demands if d.always or d.part not in used]
    demands += [d for mass in stock.masses for d in _body_demands(mass, tree)]
    return Mechanism(
        model.label,
        tree.links,
        coordinates,
        speeds,
        tree.nodes,
        flanges,
        stock.gravity,
        stock.lines,
        stock.masses,
        tree.branches,
        tree.measures,
        demands,
        live,
        stock=stock,
        reasons=tree.reasons,
    )


# --- states ---------------------------------------------------------------------------------


def _number_states(tree: Tree) -> tuple[list[State], list[State]]:
    coordinates: list[State] = []
    speeds: list[State] = []
    for link in tree.links:
        q, u = _states_of(link)
        link.q = range(len(coordinates), len(coordinates) + len(q))
        link.u = range(len(speeds), len(speeds) + len(u))
        coordinates += q
        speeds += u
    return coordinates, speeds


def _states_of(link: Link) -> tuple[list[State], list[State]]:
    joint = link.joint
    if link.edge is not None:
        q_names, u_names = link.edge.names, link.edge.speed_names
        q_starts, u_starts = link.edge.starts, link.edge.speed_starts
    else:
        assert link.root is not None
        q_names, u_names, q_starts, u_starts = _free_states(link.root)
    q = [
        State(f"{link.part}.{name}", c.unit, start)
        for name, c, start in zip(q_names, joint.coordinates, q_starts, strict=True)
    ]
    u = [
        State(f"{link.part}.{name}", c.unit, start)
        for name, c, start in zip(u_names, joint.speeds, u_starts, strict=True)
    ]
    return q, u


def _free_states(mass: Mass) -> tuple[list[str], list[str], list[Start], list[Start]]:
    """Return names and start values of the states of a floating body."""
    joint, begin = mass.free, mass.start
    R = rotation_by_sequence(begin.sequence, begin.angles)
    q = joint.fit(Pose(R, Vector.of(begin.r_0.value)))
    w, v = R.T @ Vector.of(begin.w_0.value), R.T @ Vector.of(begin.v_0.value)
    u = speeds_for(joint, q, Motor(w, v))
    q_names = [_free_name(c.name) for c in joint.coordinates]
    at = iter(begin.r_0.fixed_components())
    q_fixed = [next(at) if n.startswith("r_0") else begin.angles_fixed for n in q_names]
    in_body = any(c.name.startswith("w") for c in joint.speeds)
    u_names = [_speed_name(c.name, in_body) for c in joint.speeds]
    u_fixed = [
        begin.v_0.is_fixed if n.startswith("v_") else begin.w_0.is_fixed for n in u_names
    ]
    return (
        q_names,
        u_names,
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


# --- flanges --------------------------------------------------------------------------------


def _place_flanges(stock: Inventory, tree: Tree) -> dict[Port, FlangeAt]:
    places: dict[Port, tuple[FlangeAt, str]] = {}

    def put(port: Port, at: FlangeAt, by: str) -> None:
        node = stock.node(port)
        if node in places:
            raise LoopError(
                port.path,
                f"is rigidly coupled with {places[node][1]}, which already says where it is.",
                "Put a spring or damper between the two flanges.",
            )
        places[node] = (at, by)

    for link in tree.links:
        if link.edge is not None and link.edge.flanges is not None:
            axis, support = link.edge.flanges
            put(axis, FlangeAt(link.u[0]), axis.path)
            if stock.node(support) not in places or places[stock.node(support)][
                0
            ] != FlangeAt(None):
                put(support, FlangeAt(None), support.path)
    for clamp in stock.clamps:
        node = stock.node(clamp.flange)
        if node in places and places[node][0] == FlangeAt(None, clamp.x):
            continue
        put(clamp.flange, FlangeAt(None, clamp.x), clamp.flange.path)
    for node, members in stock.ports.sets().items():
        if node.kind is PortKind.FRAME or node in places:
            continue
        port = min(members, key=lambda m: len(m.path))
        if len(members) == 1:
            raise PortError(
                port.path,
                "is connected to nothing.",
                "Connect it to the axis or support of a joint, or to a Fixed.",
            )
        raise AssemblyError(
            port.path,
            "belongs to no joint and no fixed point, so nothing says where it is.",
            "Connect it to the axis or support of a joint.",
        )
    return {node: at for node, (at, _) in places.items()}


# --- start values of bodies that are not roots ----------------------------------------------


def _body_demands(mass: Mass, tree: Tree) -> list[Demand]:
    """Return what fixed start values of a body demand, as far as no states of it can be fixed."""
    begin: FreeStart = mass.start
    port, part = mass.frame, mass.frame.owner.path
    is_root = any(link.root is mass for link in tree.links)
    R = rotation_by_sequence(begin.sequence, begin.angles)
    found: list[Demand] = []

    def want(
        name: str, of_speed: bool, reading: Callable[[Any], Any], begin: Start
    ) -> None:
        values, fixed = begin.value, begin.fixed_components()
        if is_root and (all(fixed) or not of_speed):
            return
        assert isinstance(values, tuple)
        for i, (value, is_wanted) in enumerate(zip(values, fixed, strict=True)):
            if is_wanted:

                def residual(
                    view: Any, i: int = i, value: float = value
                ) -> tuple[Scalar, ...]:
                    return (reading(view)[i] - value,)

                found.append(Demand(part, f"{name}[{i + 1}]", of_speed, residual))

    want("r_0", False, lambda view: view.pose(port).p.xyz, begin.r_0)
    zero = Start((0.0, 0.0, 0.0), begin.angles_fixed)
    want("angles_start", False, lambda view: mismatch(R, view.pose(port).R), zero)
    want("v_0", True, lambda view: view.velocity_0(port).xyz, begin.v_0)
    want("w_0_start", True, lambda view: _angular_0(view, port).xyz, begin.w_0)
    return found


def _angular_0(view: Any, port: Port) -> Vector:
    return view.pose(port).R @ view.velocity(port).resultant
