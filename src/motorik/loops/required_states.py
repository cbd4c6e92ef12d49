"""States that the user requires: obeyed by the choice of states, or refused by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from motorik.components.base.contributions import ALWAYS
from motorik.components.base.declarations import ParameterSpec
from motorik.components.base.part import Part
from motorik.errors import AssemblyError

if TYPE_CHECKING:
    from motorik.loops.formulate import Formulation
    from motorik.topology.mechanism import Mechanism

REQUIREMENTS = {"stateSelect": "always", "enforceStates": True}


def check_required_states(formulation: Formulation) -> None:
    """Refuse coordinates that must be states and are not.

    Parts that require states by default, as rolling wheels, only prefer their coordinates; where a
    motion is given, there is nothing to choose.
    """
    mechanism = formulation.mechanism
    alone = [r.terms[0] for r in mechanism.relations if len(r.terms) == 1]
    given = {speed for speed, _ in alone}  # clamped, or with a prescribed motion
    dependent = set(formulation.dependent_u) - given
    for part, why in _refused(mechanism, dependent):
        name = next((own for own in REQUIREMENTS if own in part.specs), "stateSelect")
        if not _is_default(part):
            raise AssemblyError(
                part.path,
                f"{name} = {REQUIREMENTS[name]!r} cannot be obeyed: {why}.",
                f"Leave {name} out: the states are chosen so that results do not depend on it.",
                parameter=name,
                value=REQUIREMENTS[name],
            )


def _refused(mechanism: Mechanism, dependent: set[int]) -> Iterator[tuple[Part, str]]:
    """Yield each part whose required states are dependent, and why."""
    inventory = mechanism.inventory
    links = mechanism.link_of_joint
    for edge in inventory.joints:
        if edge.state_priority < ALWAYS:
            continue
        link = links.get(id(edge))
        if link is None:
            why = "only measures" if edge.breakable else "closes a loop"
            yield edge.frame_a.owner, f"the joint {why}, and other coordinates are states"
        elif not dependent.isdisjoint(link.u):
            yield edge.frame_a.owner, "its motion follows from that of other joints"
    for inertia in inventory.flange_inertias:
        if inertia.state_priority < ALWAYS:
            continue
        at = mechanism.flanges[inventory.node(inertia.flange)].coordinate
        if at in dependent:
            yield inertia.part, "its motion follows from that of other shafts"
    roots = {id(link.root) for link in mechanism.links if link.root is not None}
    for mass in inventory.masses:
        if mass.priority >= ALWAYS and id(mass) not in roots:
            joints = "joints between it and the world, or another body, are states"
            yield mass.frame.owner, joints


def _is_default(part: Part) -> bool:
    """Return whether the requirement is the default of a part or of one that contains it."""
    return any(
        isinstance(spec := one.specs.get(name), ParameterSpec) and spec.default == required
        for one in part.lineage()
        for name, required in REQUIREMENTS.items()
    )
