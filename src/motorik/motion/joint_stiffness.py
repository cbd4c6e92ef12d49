"""Stiffness along the freedoms of a tree: what implicit methods solve in linear time.

Where force laws act along single freedoms, the derivatives of the generalised forces τ by
coordinates and speeds are diagonal. A force that follows the acceleration, −σ u̇, is then an
armature of the freedom, and the articulated-body algorithm solves (M + σ) a = τ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from motorik.algebra.scalar import Scalar, add
from motorik.dynamics.articulated import Caller, forward_dynamics
from motorik.elements.joint import Joint
from motorik.motion.drive_lines import place_of
from motorik.topology.mechanism import Mechanism


def speeds_of_coordinates(mechanism: Mechanism) -> dict[int, int]:
    """Return the number of the speed that is the rate of a coordinate, of those that have one."""
    return {
        k: j
        for link in mechanism.links
        if link.joint.__class__.rates is Joint.rates and not link.is_massless
        for k, j in zip(link.q, link.u, strict=True)
    }


def acts_along_freedoms(mechanism: Mechanism) -> bool:
    """Return whether all laws that depend on the motion act along one freedom each.

    Each freedom is then that of a joint of its own, and so is its armature.
    """
    inventory = mechanism.inventory
    if any(force.stretch is not None for force in inventory.forces):
        return False
    driven = [load.part for load in inventory.joint_forces]
    if any(mechanism.link_of_part(part) is None for part in driven):
        return False
    single = {link.u[0] for link in mechanism.links if len(link.u) == 1}
    for line in mechanism.lines:
        flanges = [f for f in (line.flange_a, line.flange_b) if f is not None]
        places = [place_of(mechanism, flange) for flange in flanges]
        moved = {at.coordinate for at in places if at.coordinate is not None}
        if line.signals or len(moved) > 1 or not moved <= single:
            return False
        if any(at.network is not None for at in places):
            return False
    return True


def armature_response(
    mechanism: Mechanism,
    q: Sequence[Scalar],
    sigma: Sequence[Scalar],
    tau: Sequence[Scalar],
    tape: Caller,
) -> list[Scalar]:
    """Return (M + σ)⁻¹ τ, with further armatures σ of the freedoms [kg·m² or kg]."""
    links = [
        replace(link, armature=tape.call(add, link.armature, sigma[link.u[0]]))
        if len(link.u) == 1
        else link
        for link in mechanism.links
    ]
    still = [0.0] * len(tau)
    return forward_dynamics(links, None, q, still, tau, tape)
