"""Relative coordinates and speeds that force laws depend on.

They enter the error norm of a run beside the states, so that a small vibration keeps its
accuracy whatever large motion it rides on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, is_number, sub
from motorik.compiler.symbols import elements, make_function
from motorik.components.base.ports import PortKind
from motorik.motion.steps import radians

if TYPE_CHECKING:
    import casadi

    from motorik.algebra.motor import Motor
    from motorik.algebra.pose import Pose
    from motorik.components.base.contributions import JointForce, LineForce, Stretch
    from motorik.components.base.ports import Port
    from motorik.dynamics.articulated import Caller
    from motorik.motion.view import MotionView
    from motorik.system.equations import Equations

UNITS = ("m", "rad", "m/s", "rad/s")


def stretches(equations: Equations) -> casadi.Function:
    """Return the stretches of all force laws, of (t, x, p)."""
    t, x = equations.symbols("t", "x")
    values = stretch_values(equations, t, elements(x))
    return make_function("relative_coordinates", {"t": t, "x": x, "p": equations.p}, values)


def stretch_values(
    equations: Equations,
    t: Scalar,
    x: Sequence[Scalar],
    tape: Caller | None = None,
) -> list[Scalar]:
    """Return the values of all stretches, and note their units as `stretch_units`.

    A tape records equal laws once.
    """
    X = equations.form.full_state(t, list(x), equations.branch_parameters, tape)
    q, u, z = equations.layout.split(list(X))
    motion = equations.motion(q, u, None, t, z, tape=tape)
    depends = _is_computed if tape is not None else _dependence_on(x)
    found = [own for own in _found(equations, motion) if depends(own[0])]
    equations.stretch_units = [unit for _, unit in found]
    return [value for value, _ in found]


def _found(equations: Equations, motion: MotionView) -> Iterator[tuple[Scalar, str]]:
    """Yield value and unit of every stretch."""
    inventory, tape = equations.mechanism.inventory, motion.tape
    for line in inventory.lines:
        of_x, of_v = _needs(line, len(line.signals))
        if of_x or of_v:
            b = motion.flange(line.flange_b)
            a = (0.0, 0.0) if line.flange_a is None else motion.flange(line.flange_a)
            x, v = (tape.call(sub, own, other) for own, other in zip(b, a, strict=True))
            turns = line.flange_b.kind is PortKind.ROTATIONAL
            yield from _both((x, v, "rad" if turns else "m"), of_x)
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
        motions = tuple((motion.pose(port), motion.velocity(port)) for port in force.frames)
        given = [motion.coordinate(force.part, name) for name in force.coordinates]
        names = tuple(sorted(vars(force.p)))
        values = tuple(getattr(force.p, name) for name in names)
        law = force.stretch, names, values, motions
        for own in tape.apply(apply_stretch, *law, *given):
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


def apply_stretch(
    stretch: Callable[..., Iterable[Stretch]],
    names: tuple[str, ...],
    values: tuple[object, ...],
    motions: tuple[tuple[Pose, Motor], ...],
    *given: Scalar,
) -> tuple[Stretch, ...]:
    """Return the stretches of a law on frames."""
    p = SimpleNamespace(**dict(zip(names, values, strict=True)))
    return tuple(stretch(p, list(motions), *given))


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


def _dependence_on(x: Sequence[Scalar]) -> Callable[[Scalar], bool]:
    """Return the function that tells whether a value depends on the state at all."""
    import casadi

    column = casadi.vertcat(*x)
    return lambda value: bool(x) and casadi.depends_on(casadi.SX(value), column)


def _is_computed(value: Scalar) -> bool:
    """Return whether a value on a tape is no constant."""
    return not (is_number(value) or value.is_constant())


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
