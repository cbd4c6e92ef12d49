"""Imbalance: the forces that act on what has no mass, which must vanish."""

from __future__ import annotations

from typing import TYPE_CHECKING

from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.scalar import Scalar, add
from motorik.topology.mechanism import WORLD

if TYPE_CHECKING:
    from motorik.motion.view import MotionView


def unbalanced_forces(motion: MotionView) -> list[Scalar]:
    """Return the generalised force on each speed without mass, in the order of `balanced`.

    gᵢ = τᵢ + (Sᵢ, F), with τᵢ by flanges and F by force laws on the link and what it carries.
    """
    mechanism = motion.mechanism
    found: dict[int, Scalar] = {}
    loads = loads_of_massless(motion)
    for index, load in loads.items():
        link = mechanism.links[index]
        screws = motion.link_motion(link)[1]
        for k, screw in zip(link.u, screws, strict=True):
            found[k] = add(motion.generalised_forces[k], screw @ load)
    return [found[k] for k in mechanism.massless]


def loads_of_massless(motion: MotionView) -> dict[int, Motor]:
    """Return the force motors of all laws on each link without mass and what it carries."""
    links, own = motion.mechanism.links, motion.link_loads
    found: dict[int, Motor] = {}
    for link in reversed(links):
        if not link.is_massless:
            continue
        load = found.get(link.index, ZERO_MOTOR)
        if own is not None:
            load = load + own[link.index]
        found[link.index] = load
        if link.parent != WORLD and links[link.parent].is_massless:
            across = motion.link_motion(link)[0](load)
            found[link.parent] = found.get(link.parent, ZERO_MOTOR) + across
    return found
