"""Energies of a mechanism in motion."""

from __future__ import annotations

import math

from motorik.algebra.dyad import kinetic_energy
from motorik.algebra.scalar import Scalar, add, is_structural
from motorik.motion.view import MotionView
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


def stored(motion: MotionView) -> Scalar:
    """Return the energy stored in springs and other laws [J]."""
    from motorik.components.base.equation_part import defines

    total: Scalar = 0.0
    for line in motion.mechanism.lines:
        if line.energy is not None:
            x_a = 0.0 if line.flange_a is None else motion.flange(line.flange_a)[0]
            x = motion.flange(line.flange_b)[0] - x_a
            own = state_values(line, motion.signal)
            total = add(total, line.energy(line.p, x, *own))
    for force in motion.mechanism.forces:
        if force.energy is not None:
            poses = [motion.pose(f) for f in force.frames]
            own = state_values(force, motion.signal)
            total = add(total, force.energy(force.p, poses, *own))
    for own in motion.mechanism.inventory.part_equations:
        if defines(type(own.part), "stored_energy"):
            total = add(total, motion.quantity(own.part, "stored_energy"))
    return total
