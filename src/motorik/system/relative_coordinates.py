"""Relative coordinates and speeds that force laws depend on.

They enter the error norm of a run beside the states, so that a small vibration keeps its
accuracy whatever large motion it rides on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from motorik.compiler.symbols import elements, make_function
from motorik.components.base.ports import PortKind
from motorik.motion.steps import radians

if TYPE_CHECKING:
    import casadi

    from motorik.algebra.scalar import Scalar
    from motorik.components.base.contributions import JointForce, LineForce, Stretch
    from motorik.components.base.ports import Port
    from motorik.motion.view import MotionView
    from motorik.system.equations import Equations

UNITS = ("m", "rad", "m/s", "rad/s")


def stretches(equations: Equations) -> casadi.Function:
    """Return the stretches of all force laws, of (t, x, p)."""
    t, x = equations.symbols("t", "x")
    values = stretch_values(equations, t, elements(x))
    return make_function("relative_coordinates", {"t": t, "x": x, "p": equations.p}, values)


def stretch_values(equations: Equations, t: Scalar, x: Sequence[Scalar]) -> list[Scalar]:
    """Return the values of all stretches, and note their units as `stretch_units`."""
    X = equations.form.full_state(t, list(x), equations.branch_parameters)
    q, u, z = equations.layout.split(list(X))
    motion = equations.motion(q, u, None, t, z)
    found = [own for own in _found(equations, motion) if _depends(own[0], x)]
    equations.stretch_units = [unit for _, unit in found]
    return [value for value, _ in found]


def _found(equations: Equations, motion: MotionView) -> Iterator[tuple[Scalar, str]]:
    """Yield value and unit of every stretch."""
    inventory = equations.mechanism.inventory
    for line in inventory.lines:
        of_x, of_v = _needs(line, len(line.signals))
        if of_x or of_v:
            b = motion.flange(line.flange_b)
            a = (0.0, 0.0) if line.flange_a is None else motion.flange(line.flange_a)
            turns = line.flange_b.kind is PortKind.ROTATIONAL
            yield from _both((b[0] - a[0], b[1] - a[1], "rad" if turns else "m"), of_x)
    for load in inventory.joint_forces:
        of_x, of_v = _needs(load, 0)
        link = equations.mechanism.link_of_part(load.part)
        if link is not None and (of_x or of_v):
            k, j = link.q[0], link.u[0]
            unit = equations.mechanism.coordinates[k].unit
            yield from _both((radians(motion.q[k]), motion.u[j], unit), of_x)
    for force in inventory.forces:
        if force.stretch is None:
            continue
        motions = [(motion.pose(port), motion.velocity(port)) for port in force.frames]
        given = [motion.coordinate(force.part, name) for name in force.coordinates]
        for own in force.stretch(force.p, motions, *given):
            yield from _both(own, True)
    used = {inventory.node(port) for port in _inputs(equations)}
    for measurement in inventory.measurements:
        if measurement.level > 1:
            continue
        ports = [own for port in measurement.outputs for own in port.elements]
        if any(inventory.node(port) in used for port in ports):
            for port in ports:
                unit = _unit(port)
                if unit in UNITS and inventory.node(port) in used:
                    yield motion.signal(port), unit


def _both(stretch: Stretch, of_coordinate: bool) -> Iterator[tuple[Scalar, str]]:
    """Yield a relative coordinate, if the law depends on it, and its speed."""
    x, v, unit = stretch
    if of_coordinate:
        yield x, unit
    yield v, f"{unit}/s"


def _needs(law: LineForce | JointForce, signals: int) -> tuple[bool, bool]:
    """Return whether a law depends on its relative coordinate, and on its speed."""
    import casadi

    x, v = casadi.SX.sym("x"), casadi.SX.sym("v")
    given = elements(casadi.SX.sym("signal", signals))
    force = casadi.SX(law.law(law.p, x, v, *given))
    return casadi.depends_on(force, x), casadi.depends_on(force, v)


def _depends(value: Scalar, x: Sequence[Scalar]) -> bool:
    """Return whether a value depends on the state at all."""
    import casadi

    return bool(x) and casadi.depends_on(casadi.SX(value), casadi.vertcat(*x))


def _inputs(equations: Equations) -> Iterator[Port]:
    """Yield the signals that laws take."""
    inventory = equations.mechanism.inventory
    for laws in (inventory.lines, inventory.forces, inventory.prescribed):
        for law in laws:
            for port in law.signals:
                yield from port.elements
    for law in inventory.signal_laws:
        for port in law.inputs:
            yield from port.elements


def _unit(port: Port) -> str:
    """Return the unit of an output as its part declares it."""
    name = port.name.partition("[")[0]
    spec = getattr(port.owner, "specs", {}).get(name)
    return getattr(spec, "unit", "")
