"""Deciding how loops are solved: survey, plans, a tree that suits them, the formulation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motorik.algebra.vector import Vector
from motorik.errors import LoopError
from motorik.loops.clusters import Cluster, independent_rows
from motorik.loops.elimination import best_rows
from motorik.loops.formulation import ClosedForm, Formulation, LinearStep, LoopDecision
from motorik.loops.locked import why_locked
from motorik.loops.matrices import SMALL
from motorik.loops.options import (
    ABSOLUTE,
    AUTO,
    BAUMGARTE,
    EARTHLY,
    EXPLICIT,
    MINIMAL,
    PROJECTED,
    LoopOptions,
)
from motorik.loops.plans import Planned, find_plans, order_of_growth
from motorik.loops.survey import Subject, Survey, survey
from motorik.loops.turns import axes_of_turns, cut_angles, windings
from motorik.topology.graph import ConnectedSets
from motorik.topology.mechanism import Mechanism, Relation

SOFTNESS_OF_ABSOLUTE = 1e-12  # pivots of bodies' coordinates differ widely in size
NOT_WISHED = (
    1e-3  # how much worse a coordinate is as a dependent one if it is a wished state
)


@dataclass(frozen=True)
class ClusterSolution:
    """How one cluster is solved: the decision, its closed form, what follows, which rows tell."""

    decision: LoopDecision
    form: ClosedForm | None = None
    unknowns: tuple[int, ...] = ()
    dependent_u: tuple[int, ...] = ()

    @property
    def solved(self) -> tuple[int, ...]:
        """The rows that dependent speeds follow from."""
        return self.decision.cluster.active if self.dependent_u else ()


@dataclass(frozen=True)
class AssembledModel:
    """A model assembled: its mechanism, and how its loops are solved, if it has any."""

    mechanism: Mechanism
    survey: Survey | None = None
    formulation: Formulation | None = None


def formulate(subject: Subject, options: LoopOptions) -> AssembledModel:
    """Return the mechanism of a model, and how its loops are solved."""
    mechanism = subject.assembled(absolute=options.is_absolute)
    if not mechanism.has_loops:
        options.check_parts([])
        return AssembledModel(mechanism)
    seen = survey(subject, mechanism, absolute=options.is_absolute)
    planned = find_plans(seen, options)
    plans = [found.plan for found in planned if found.plan is not None]
    if plans:
        order = order_of_growth(mechanism, plans)
        mechanism = subject.assembled(order)
        seen = survey(subject, mechanism, order, known=seen.named_values())
        favoured = frozenset(hinge for plan in plans for hinge in plan.independent)
        planned = find_plans(seen, options, favoured)
    return AssembledModel(mechanism, seen, decide(seen, planned, options))


def decide(seen: Survey, planned: Sequence[Planned], options: LoopOptions) -> Formulation:
    """Return the formulation of a mechanism whose plans are known."""
    mechanism = seen.mechanism
    _refuse_locked(seen)
    options.check_parts([n for c in seen.clusters for n in c.names(mechanism)])
    solutions = [_solution(seen, found, options) for found in planned]
    forms = [s.form for s in solutions if s.form is not None]
    linear, related = _relate(mechanism, seen, solutions, forms)
    dependent = [u for s in solutions for u in s.dependent_u]
    dependent += [step.speed for step in linear]
    solved = [*(row for s in solutions for row in s.solved), *related]
    enforced, left_out = _enforced(seen, solutions, solved, dependent)
    unknowns = tuple(k for s in solutions for k in s.unknowns)
    if unknowns and enforced:
        raise LoopError(
            seen.rows.rows[enforced[0]].part,
            f"{MINIMAL!r} for some loops cannot be mixed with {PROJECTED!r} for others.",
            f"Take {MINIMAL!r} or {PROJECTED!r} for all that have no closed form.",
        )
    summed, counted = cut_angles(seen)
    return Formulation(
        mechanism,
        seen.rows,
        seen.scales,
        seen.samples,
        tuple(s.decision for s in solutions),
        _scheduled(mechanism, [*forms, *linear], unknowns),
        tuple(dependent),
        tuple(solved),
        enforced,
        left_out,
        unknowns,
        summed,
        counted,
        options.used_gains(own_rate(seen)),
        SOFTNESS_OF_ABSOLUTE if options.is_absolute else 1e-9,
    )


def own_rate(seen: Survey) -> float:
    """Return about how fast a mechanism moves by itself [1/s].

    As a pendulum of its length under its gravity; without any, by its speeds at the start;
    at rest, as one of 1 m on earth.
    """
    length = seen.scales.length
    field = seen.numeric.gravity.uniform
    if field is None:
        field = seen.numeric.gravity.acceleration(Vector(length, 0.0, 0.0))
    g = float(field.norm())
    if np.isfinite(g) and g > 0.0:
        return float(np.sqrt(g / length))
    speeds = np.array(seen.mechanism.start_values()[1]) / seen.scales.speeds
    fastest = float(np.abs(speeds).max(initial=0.0))
    return fastest if fastest > 0.0 else EARTHLY


def _refuse_locked(seen: Survey) -> None:
    """Refuse loops that cannot move because axes miss one another by a little."""
    for cluster in seen.clusters:
        if cluster.freedom > 0 or not cluster.speeds:
            continue
        closures = [seen.mechanism.closures[k] for k in cluster.closures]
        why = why_locked(
            seen.mechanism, cluster.links, closures, seen.q, seen.subject.symbols, seen.p
        )
        if why:
            names = ", ".join(cluster.names(seen.mechanism))
            raise LoopError(
                closures[-1].part,
                f"the loop of {names} is locked (0 degrees of freedom): {why}.",
                "Make these axes parallel, or take a Universal or Spherical joint for one.",
            )


# --- clusters -----------------------------------------------------------------------------


def _solution(seen: Survey, found: Planned, options: LoopOptions) -> ClusterSolution:
    """Return how a cluster is solved: by its plan, or as the options say."""
    cluster, mechanism = found.cluster, seen.mechanism
    names = cluster.names(mechanism)
    wanted, why = options.of_parts(names), found.reason
    if found.plan is not None:
        form = _closed_form(seen, found)
        if isinstance(form, ClosedForm):
            titles = ", ".join(step.title for step in form.plan.steps)
            decision = LoopDecision(
                cluster, EXPLICIT, f"closed forms: {titles}", found.hinges, form.plan
            )
            speeds = tuple(mechanism.link_of_coordinate(k).u[0] for k in form.outputs)
            return ClusterSolution(decision, form, dependent_u=speeds)
        why = form
    if wanted == EXPLICIT:
        raise LoopError(
            names[-1],
            f"the loop of {', '.join(names)} has no closed form: {why}.",
            f'Let motorik choose (strategy="{AUTO}"), or take "{PROJECTED}".',
        )
    reason = f"no closed form: {why}" if wanted == AUTO else "as asked for"
    strategy = wanted if wanted in (MINIMAL, BAUMGARTE, ABSOLUTE) else PROJECTED
    decision = LoopDecision(cluster, strategy, reason, found.hinges)
    if wanted == MINIMAL:
        coordinates, speeds = _minimal(seen, cluster)
        return ClusterSolution(decision, None, coordinates, speeds)
    return ClusterSolution(decision)


def _closed_form(seen: Survey, found: Planned) -> ClosedForm | str:
    """Return the plan of a cluster on the links of the tree, or why it does not fit."""
    mechanism, cluster = seen.mechanism, found.cluster
    assert found.plan is not None
    plan = found.plan.with_hinges(list(found.hinges))
    coordinate = {
        seen.joint_numbers[id(link.edge)]: link.q[0]
        for link in (mechanism.links[k] for k in cluster.links)
        if link.edge is not None and link.q
    }
    solved = [h for step in plan.steps for h in step.hinges if h in coordinate]
    fits = all(h in coordinate for h in plan.independent)
    if not fits or len(plan.independent) + len(solved) != len(cluster.speeds):
        return "its independent joints do not fit into one tree"
    if len(solved) != len(cluster.active):
        return "redundant constraints change with the pose"
    hinges = {hinge.index: hinge for hinge in found.hinges}
    axes = axes_of_turns(seen, cluster.root, found.hinges)
    winding = windings(cluster.root, hinges, plan, coordinate, axes)
    return ClosedForm(cluster.root, hinges, plan, coordinate, winding)


def _minimal(seen: Survey, cluster: Cluster) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the coordinates and speeds of a cluster that follow best from the others."""
    mechanism, rows = seen.mechanism, seen.rows.rows
    single: list[tuple[int, int, int]] = []
    for k in cluster.links:
        link = mechanism.links[k]
        if len(link.u) == len(link.q):
            wish = link.edge.state_priority if link.edge is not None else 0
            single += [(u, q, wish) for u, q in zip(link.u, link.q, strict=True)]
    any_rate = any(not rows[k].holonomic for k in cluster.active)
    columns = [u for u, _, _ in single]
    weight = np.array([NOT_WISHED ** max(wish - 1, 0) for _, _, wish in single])
    related = {u for relation in mechanism.relations for u, _ in relation.terms}
    weight[[u in related for u in columns]] *= NOT_WISHED  # these follow from other parts
    G = seen.matrices[0].part(cluster.active, columns) * weight
    chosen = independent_rows([G.T])
    if len(chosen) < len(cluster.active) or any_rate:
        names = cluster.names(mechanism)
        reason = "coordinates that are not single numbers"
        if any_rate:
            reason = "rows of speeds alone"
        raise LoopError(
            names[-1],
            f"the strategy {MINIMAL!r} does not apply to the loop of {', '.join(names)}: "
            f"{reason}.",
            f'Take "{PROJECTED}".',
        )
    return tuple(single[k][1] for k in chosen), tuple(single[k][0] for k in chosen)


# --- relations of coordinates -------------------------------------------------------------


def _relate(
    mechanism: Mechanism,
    seen: Survey,
    solutions: Sequence[ClusterSolution],
    forms: Sequence[ClosedForm],
) -> tuple[list[LinearStep], list[int]]:
    """Let a coordinate follow by each relation, where one is left that can; with its row."""
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
        speed, factor = min(free, key=lambda term: _wish(mechanism, term[0]))
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
    """Tell whether a coordinate can be had from a relation without going in a circle.

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


def _wish(mechanism: Mechanism, speed: int) -> tuple[int, int, int]:
    link = mechanism.link_of_speed(speed)
    wish = link.edge.state_priority if link.edge is not None else -1
    if link.own is not None:
        wish = link.own.state_priority
    places = (link.q[0], mechanism.n_q + speed)
    fixed = sum(mechanism.states[k].start.is_fixed for k in places)
    return fixed, wish, speed


# --- rows that are enforced ---------------------------------------------------------------


def _enforced(
    seen: Survey,
    solutions: Sequence[ClusterSolution],
    solved: Sequence[int],
    dependent: Sequence[int],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the rows left that are held by multipliers, and those that follow from them."""
    rows = seen.rows.rows
    taken = set(solved)
    left_out = [k for s in solutions for k in s.decision.cluster.redundant]
    active = [k for s in solutions if not s.dependent_u for k in s.decision.cluster.active]
    relations = [k for k, row in enumerate(rows) if row.relation is not None]
    open_rows = [*active, *(k for k in relations if k not in taken)]
    if not open_rows:
        return (), tuple(left_out)
    chosen: set[int] = set()
    gone = set(dependent)
    for group in _groups(seen, (*solved, *open_rows)):
        chosen |= _independent_beside(seen, group, taken, gone)
    enforced = tuple(row for row in open_rows if row in chosen)
    left_out += [row for row in open_rows if row not in chosen]
    return enforced, tuple(left_out)


def _groups(seen: Survey, rows: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """Return rows that share speeds, with these speeds."""
    places, sets = seen.rows.places, ConnectedSets[int]()
    speeds = {row: places.columns[places.of_row(row)].tolist() for row in rows}
    for own in speeds.values():
        for u in own:
            sets.unite(own[0], u)
    found = {first: ([], sorted(own)) for first, own in sets.sets().items()}
    for row, own in speeds.items():
        if own:
            found[sets.find(own[0])][0].append(row)
    return list(found.values())


def _independent_beside(
    seen: Survey, group: tuple[list[int], list[int]], solved: set[int], gone: set[int]
) -> set[int]:
    """Return the rows of a group that are independent where dependent speeds follow.

    Those are `gone`, by the rows `solved`.
    """
    rows, speeds = group
    used = [k for k, row in enumerate(rows) if row in solved]
    left = [k for k, row in enumerate(rows) if row not in solved]
    inner = [k for k, u in enumerate(speeds) if u in gone]
    outer = [k for k, u in enumerate(speeds) if u not in gone]
    if not left:
        return set()
    if len(speeds) > SMALL:
        parts = [G.submatrix(rows, speeds) for G in seen.matrices]
        return {rows[k] for k in best_rows(parts, used, inner)}
    reduced = []
    for matrix in seen.matrices:
        G = matrix.part(rows, speeds)
        part = G[np.ix_(left, outer)]
        if inner:
            A, B = G[np.ix_(used, inner)], G[np.ix_(used, outer)]
            part = part - G[np.ix_(left, inner)] @ np.linalg.lstsq(A, B)[0]
        reduced.append(part)
    return {rows[left[k]] for k in independent_rows(reduced)}


def _scheduled(
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


# --- other forms of the same mechanism ----------------------------------------------------


def released(formulation: Formulation) -> Formulation:
    """Return the formulation with all coordinates as states and all loops enforced."""
    rows = formulation.rows.rows
    kept = [s for s in formulation.steps if isinstance(s, LinearStep)]
    related = {k for k, row in enumerate(rows) if row.relation is not None}
    decisions = [
        replace(d, strategy=PROJECTED, reason="went on by projection", plan=None)
        for d in formulation.decisions
    ]
    return replace(
        formulation,
        decisions=tuple(decisions),
        steps=tuple(kept),
        dependent_u=tuple(step.speed for step in kept),
        solved=tuple(row for row in formulation.solved if row in related),
        enforced=(
            *(row for row in formulation.solved if row not in related),
            *formulation.enforced,
        ),
        unknowns=(),
        gains=None,
    )


def with_all_rows(seen: Survey, formulation: Formulation) -> Formulation:
    """Return the projected formulation with the rows that are independent at more poses."""
    form = released(formulation)
    by_links = {cluster.links: cluster for cluster in seen.clusters}
    decisions = [replace(d, cluster=by_links[d.cluster.links]) for d in form.decisions]
    solutions = [ClusterSolution(decision) for decision in decisions]
    enforced, left_out = _enforced(seen, solutions, form.solved, form.dependent_u)
    return replace(
        form,
        samples=seen.samples,
        decisions=tuple(decisions),
        enforced=enforced,
        left_out=left_out,
    )
