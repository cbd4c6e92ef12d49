"""Coordinates that follow from others by linear relations, and the order of all steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from motorik.errors import LoopError
from motorik.loops.cluster_solutions import ClusterSolution
from motorik.loops.formulation import ClosedForm, LinearStep
from motorik.loops.options import PROJECTED
from motorik.loops.survey import Survey
from motorik.topology.mechanism import Mechanism, Relation


def relate(
    mechanism: Mechanism,
    seen: Survey,
    solutions: Sequence[ClusterSolution],
    forms: Sequence[ClosedForm],
) -> tuple[list[LinearStep], list[int]]:
    """Choose for each relation a coordinate that follows from it, if one is left; and its row."""
    taken = {u for s in solutions for u in s.dependent_u}
    giver: dict[int, ClosedForm | LinearStep] = {k: f for f in forms for k in f.outputs}
    steps: list[LinearStep] = []
    rows: list[int] = []
    for row, info in enumerate(seen.rows.rows):
        if info.relation is None:
            continue
        relation = mechanism.relations[info.relation]
        free = [
            (speed, factor)
            for speed, factor in relation.terms
            if speed not in taken
            and len(mechanism.link_of_speed(speed).u) == 1
            and _can_follow(mechanism, giver, relation, speed)
        ]
        if not free:
            continue
        speed, factor = min(free, key=lambda term: _priority(mechanism, term[0]))
        k = mechanism.coordinate_of_speed(speed)
        others = (s for s, _ in relation.terms if s != speed)
        inputs = tuple(mechanism.coordinate_of_speed(s) for s in others)
        steps.append(LinearStep(relation, k, speed, factor, inputs))
        giver[k] = steps[-1]
        taken.add(speed)
        rows.append(row)
    return steps, rows


def _can_follow(
    mechanism: Mechanism,
    giver: Mapping[int, ClosedForm | LinearStep],
    relation: Relation,
    speed: int,
) -> bool:
    """Return whether a coordinate follows from a relation without circular dependence.

    `giver` says which step gives a coordinate.
    """
    wanted = mechanism.coordinate_of_speed(speed)
    needed = [mechanism.coordinate_of_speed(s) for s, _ in relation.terms if s != speed]
    seen = set(needed)
    while needed:
        k = needed.pop()
        if k == wanted:
            return False
        more = [i for i in giver[k].inputs if i not in seen] if k in giver else []
        seen.update(more)
        needed += more
    return True


def _priority(mechanism: Mechanism, speed: int) -> tuple[int, int, int]:
    """Return how much a speed shall be a state: those with the least follow first."""
    link = mechanism.link_of_speed(speed)
    priority = link.edge.state_priority if link.edge is not None else -1
    if link.own is not None:
        priority = link.own.state_priority
    places = (link.q[0], mechanism.n_q + speed)
    fixed = sum(mechanism.states[k].start.is_fixed for k in places)
    return fixed, priority, speed


def scheduled(
    mechanism: Mechanism,
    steps: Sequence[ClosedForm | LinearStep],
    unknowns: Sequence[int],
) -> tuple[ClosedForm | LinearStep, ...]:
    """Return the steps in an order in which each finds what it needs."""
    given = {k for step in steps for k in step.outputs}
    missing = [given.intersection(step.inputs).difference(unknowns) for step in steps]
    users: dict[int, list[int]] = {}
    for at, needed in enumerate(missing):
        for k in needed:
            users.setdefault(k, []).append(at)
    ready = [at for at, needed in enumerate(missing) if not needed]
    for at in ready:
        for k in steps[at].outputs:
            for user in users.get(k, ()):
                missing[user].discard(k)
                if not missing[user]:
                    ready.append(user)
    if len(ready) < len(steps):
        waiting = set(range(len(steps))) - set(ready)
        numbers = {k for at in waiting for k in steps[at].inputs}
        names = sorted({mechanism.coordinates[k].name for k in numbers})
        raise LoopError(
            mechanism.name,
            f"coordinates depend on one another in a circle: {', '.join(names)}.",
            f'Take strategy="{PROJECTED}".',
        )
    return tuple(steps[at] for at in ready)
