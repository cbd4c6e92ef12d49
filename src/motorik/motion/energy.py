"""Energies of a mechanism in motion."""

from __future__ import annotations

import math
from collections.abc import Iterator

from motorik.algebra.dyad import kinetic_energy
from motorik.algebra.scalar import Scalar, add, is_structural, mul
from motorik.components.base.equation_part import QUANTITIES, EquationPart, defines
from motorik.components.base.part import Part
from motorik.components.base.ports import Domain, Port, PortKind
from motorik.components.base.user_law import is_of_user
from motorik.components.domains import heat, magnetic
from motorik.components.parts.world import World
from motorik.motion.view import MotionView
from motorik.topology.inventory import Inventory
from motorik.topology.law_states import state_values


def kinetic(motion: MotionView) -> Scalar:
    """Return the kinetic energy of all bodies and drive lines [J]."""
    total: Scalar = 0.0
    for mass in motion.mechanism.masses:
        total = add(total, kinetic_energy(mass.inertia, motion.velocity(mass.frame)))
    for mass in motion.mechanism.line_masses:
        v = mass.velocity(motion)
        total = add(total, 0.5 * mass.m * v.dot(v))
    for link in motion.mechanism.links:
        for k in link.u if not is_structural(link.armature, 0.0) else ():
            total = add(total, 0.5 * link.armature * motion.u[k] * motion.u[k])
    return total


def potential(motion: MotionView) -> Scalar:
    """Return the potential energy of gravity [J], NaN where a user's function has none."""
    if motion.mechanism.gravity.potential is None:
        return math.nan
    total: Scalar = 0.0
    for mass in motion.mechanism.masses:
        m = mass.inertia.mass()
        centre = motion.pose(mass.frame)(mass.inertia.first_moment() / m)
        total = add(total, m * motion.gravity_potential(centre))
    for mass in motion.mechanism.line_masses:
        total = add(total, mass.m * motion.gravity_potential(mass.position(motion)))
    return total


ELASTIC = "elastic"
"""Energy of springs and other laws on frames and flanges, among those of the domains."""


def stored(motion: MotionView) -> dict[str, Scalar]:
    """Return the energy stored in springs, circuits and other laws [J], by domain."""
    total = dict.fromkeys(stored_domains(motion.mechanism.inventory), 0.0)
    elastic: Scalar = 0.0
    for line in motion.mechanism.lines:
        if line.energy is not None:
            x_a = 0.0 if line.flange_a is None else motion.flange(line.flange_a)[0]
            x = motion.flange(line.flange_b)[0] - x_a
            own = state_values(line, motion.signal)
            elastic = add(elastic, line.energy(line.p, x, *own))
    for force in motion.mechanism.forces:
        if force.energy is not None:
            poses = [motion.pose(f) for f in force.frames]
            own = state_values(force, motion.signal)
            elastic = add(elastic, force.energy(force.p, poses, *own))
    total[ELASTIC] = elastic
    for part in _storing_parts(motion.mechanism.inventory):
        domain = domain_of(part)
        total[domain] = add(total[domain], motion.quantity(part, "stored_energy"))
    return total


def _storing_parts(inventory: Inventory) -> Iterator[EquationPart]:
    """Yield the parts written as equations that store energy."""
    for own in inventory.part_equations:
        if isinstance(own.part, EquationPart) and defines(type(own.part), "stored_energy"):
            yield own.part


def stored_domains(inventory: Inventory) -> list[str]:
    """Return the names of the domains in which parts may store energy, springs first."""
    return list(dict.fromkeys([ELASTIC, *map(domain_of, _storing_parts(inventory))]))


def domain_of(part: Part) -> str:
    """Return the domain to which the energy of a part written as equations belongs.

    It is that of its first port that is not mechanical; a heat port counts where there is no other.
    """
    lines = PortKind.ROTATIONAL, PortKind.TRANSLATIONAL
    kinds = [port.kind for port in part.ports()]
    own = [kind for kind in kinds if isinstance(kind, Domain) and kind not in lines]
    other = [kind.name for kind in own if kind is not heat]
    return (other or [kind.name for kind in own] or [ELASTIC])[0]


# --- power ---------------------------------------------------------------------------------


def acting_parts(inventory: Inventory) -> dict[Part, bool]:
    """Return the parts whose power comes from outside of the model, and whether they say so.

    Those that do are sources. Others are laws of the user that declare neither what they store
    nor what they lose.
    """
    found: dict[Part, bool | None] = {}
    for line in inventory.lines:
        part, is_stored = line.flange_b.owner, line.energy is not None
        found[part] = _supplies(inventory, part, is_stored)
    for force in (*inventory.forces, *inventory.prescribed):
        is_stored = getattr(force, "energy", None) is not None
        found[force.part] = _supplies(inventory, force.part, is_stored)
    for load in inventory.joint_forces:
        if is_of_user(load.part):
            found[load.part] = _supplies(inventory, load.part)
    if inventory.gravity is not None and inventory.gravity.potential is None:
        found |= {part: True for part in inventory.resolved if isinstance(part, World)}
    for own in (*inventory.given_flows, *inventory.part_equations):
        found[own.part] = _supplies(inventory, own.part)
    return {part: known for part, known in found.items() if known is not None}


def _supplies(inventory: Inventory, part: Part, is_stored: bool = False) -> bool | None:
    """Return whether a part is a source, None if its power is stored, lost or transmitted.

    It is False where nothing is declared.
    """
    if part.supplies_power:
        return True
    is_written = isinstance(part, EquationPart)
    if isinstance(part, EquationPart):
        is_declared = part.conserves_power or any(
            defines(type(part), n) for n in QUANTITIES
        )
    else:
        shown = part.variables(inventory.parameters_of(part))
        is_declared = is_stored or any(name in shown for name in QUANTITIES)
    if is_declared or (is_written and not is_of_user(part)):
        return None
    around = [own for own in part.lineage()[1:] if own in inventory.resolved]
    if any("lossPower" in own.variables(inventory.parameters_of(own)) for own in around):
        return None  # the joint around it shows what it loses
    return not is_of_user(part)


def energy_names(inventory: Inventory) -> tuple[str, ...]:
    """Return the forms of stored energy, in the order of the function "energy"."""
    return ("kinetic", "potential", *stored_domains(inventory))


def flux_names(inventory: Inventory, part: Part) -> tuple[tuple[str, str], ...]:
    """Return the names of potential and flux of the magnetic ports of a part."""
    own = [port.path for port in used_ports(inventory, part) if port.kind is magnetic]
    return tuple((f"{path}.V_m", f"{path}.Phi") for path in own)


def gives_off_heat(inventory: Inventory, part: Part) -> bool:
    """Return whether the lost power of a part leaves it through a heat port in use."""
    p = inventory.parameters_of(part)
    return any(
        port.kind is heat and (not port.when or bool(getattr(p, port.when, True)))
        for port in part.ports()
    )


def port_power(motion: MotionView, port: Port) -> Scalar | None:
    """Return the power into a part at its port [W], None where it is not a product of its values.

    That is so at a magnetic port, whose power is V_m dPhi/dt, and at a frame, where the force laws
    of the part are asked.
    """
    if port.kind in (PortKind.ROTATIONAL, PortKind.TRANSLATIONAL):
        return motion.flange_force(port) * motion.flange(port)[1]
    if not isinstance(port.kind, Domain) or port.kind is magnetic:
        return None
    (across, _), (through, unit) = port.kind.across, port.kind.through
    flow = motion.unknown(port.owner, f"{port.name}.{through}")
    return (
        flow if unit == "W" else flow * motion.unknown(port.owner, f"{port.name}.{across}")
    )


def supplied_power(motion: MotionView, part: Part) -> Scalar:
    """Return the power that a part gives to the others through its ports [W].

    That of a World is the power of its gravity.
    """
    if isinstance(part, World):
        return _gravity_power(motion)
    total: Scalar = 0.0
    forces = [force for force in motion.mechanism.forces if force.part is part]
    for force in forces:
        for port, F in zip(force.frames, motion.frame_forces(force), strict=True):
            total = add(total, F @ motion.velocity(port))
    if forces and not isinstance(part, EquationPart):
        return total  # flanges of such a part pass on what they take
    for port in used_ports(motion.mechanism.inventory, part):
        power = port_power(motion, port)
        total = total if power is None else add(total, mul(-1.0, power))
    return total


def _gravity_power(motion: MotionView) -> Scalar:
    total: Scalar = 0.0
    for mass in motion.mechanism.masses:
        X, V, m = motion.pose(mass.frame), motion.velocity(mass.frame), mass.inertia.mass()
        r = mass.inertia.first_moment() / m
        v = X.R @ (V.moment + V.resultant.cross(r))
        total = add(total, m * motion.gravity(X(r)).dot(v))
    for mass in motion.mechanism.line_masses:
        g = motion.gravity(mass.position(motion))
        total = add(total, mass.m * g.dot(mass.velocity(motion)))
    return total


def used_ports(inventory: Inventory, part: Part) -> Iterator[Port]:
    """Yield the ports of a part that are in use."""
    p = inventory.parameters_of(part)
    for port in part.ports():
        if not port.when or getattr(p, port.when, True):
            yield port
