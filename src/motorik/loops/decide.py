"""Deciding how loops are solved: survey, plans, a tree that suits them, the formulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motorik.errors import LoopError
from motorik.loops.clusters import Cluster, independent_rows
from motorik.loops.formulation import ClosedForm, Formulation, LinearStep, LoopDecision
from motorik.loops.locked import why_locked
from motorik.loops.options import (
    ABSOLUTE,
    AUTO,
    BAUMGARTE,
    EXPLICIT,
    MINIMAL,
    PROJECTED,
    LoopOptions,
)
from motorik.loops.plans import Planned, find_plans, order_of_growth
from motorik.loops.survey import Subject, Survey, survey
from motorik.loops.turns import axes_of_turns, cut_angles, windings
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
class Assembled:
    """A model assembled: its mechanism, and how its loops are solved, if it has any."""

    mechanism: Mechanism
    survey: Survey | None = None
    formulation: Formulation | None = None


def formulate(subject: Subject, options: LoopOptions) -> Assembled:
    """Return the mechanism of a model, and how its loops are solved."""
    mechanism = subject.assembled(absolute=options.is_absolute)
    if not mechanism.has_loops:
        options.check_parts([])
        return Assembled(mechanism)
    seen = survey(subject, mechanism, absolute=options.is_absolute)
    planned = find_plans(seen, options)
    plans = [found.plan for found in planned if found.plan is not None]
    if plans:
        order = order_of_growth(mechanism, plans)
        mechanism = subject.assembled(order)
        seen = survey(subject, mechanism, order, known=seen.named_values())
        favoured = frozenset(hinge for plan in plans for hinge in plan.independent)
        planned = find_plans(seen, options, favoured)
    return Assembled(mechanism, seen, decide(seen, planned, options))


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
        options.used_gains,
        SOFTNESS_OF_ABSOLUTE if options.is_absolute else 1e-9,
    )


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
    number = {id(edge): k for k, edge in enumerate(mechanism.stock.joints)}
    coordinate = {
        number[id(link.edge)]: link.q[0]
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
            wish = link.edge.wish if link.edge is not None else 0
            single += [(u, q, wish) for u, q in zip(link.u, link.q, strict=True)]
    any_rate = any(not rows[k].holonomic for k in cluster.active)
    columns = [u for u, _, _ in single]
    weight = np.array([NOT_WISHED ** max(wish - 1, 0) for _, _, wish in single])
    related = {u for relation in mechanism.relations for u, _ in relation.terms}
    weight[[u in related for u in columns]] *= NOT_WISHED  # these follow from other parts
    G = seen.matrices[0][np.ix_(cluster.active, columns)] * weight
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
            and _can_follow(mechanism, [*forms, *steps], relation, speed)
        ]
        if not free:
            continue
        speed, factor = min(free, key=lambda term: _wish(mechanism, term[0]))
        k = mechanism.coordinate_of_speed(speed)
        others = (s for s, _ in relation.terms if s != speed)
        inputs = tuple(mechanism.coordinate_of_speed(s) for s in others)
        steps.append(LinearStep(relation, k, speed, factor, inputs))
        taken.add(speed)
        rows.append(row)
    return steps, rows


def _can_follow(
    mechanism: Mechanism,
    steps: Sequence[ClosedForm | LinearStep],
    relation: Relation,
    speed: int,
) -> bool:
    """Tell whether a coordinate can be had from a relation without going in a circle."""
    needed = {mechanism.coordinate_of_speed(s) for s, _ in relation.terms if s != speed}
    grown = True
    while grown:
        grown = False
        for step in steps:
            if needed & set(step.outputs) and not set(step.inputs) <= needed:
                needed |= set(step.inputs)
                grown = True
    return mechanism.coordinate_of_speed(speed) not in needed


def _wish(mechanism: Mechanism, speed: int) -> tuple[int, int, int]:
    link = mechanism.link_of_speed(speed)
    wish = link.edge.wish if link.edge is not None else -1
    if link.own is not None:
        wish = link.own.wish
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
    gone = set(dependent)
    states = [k for k in range(seen.mechanism.n_u) if k not in gone]
    reduced = []
    for G in seen.matrices:
        part = G[np.ix_(open_rows, states)]
        if gone:
            A = G[np.ix_(solved, dependent)]
            B = G[np.ix_(solved, states)]
            part = part - G[np.ix_(open_rows, dependent)] @ np.linalg.lstsq(A, B)[0]
        reduced.append(part)
    chosen = set(independent_rows(reduced))
    enforced = tuple(row for k, row in enumerate(open_rows) if k in chosen)
    left_out += [row for k, row in enumerate(open_rows) if k not in chosen]
    return enforced, tuple(left_out)


def _scheduled(
    mechanism: Mechanism,
    steps: Sequence[ClosedForm | LinearStep],
    unknowns: Sequence[int],
) -> tuple[ClosedForm | LinearStep, ...]:
    """Return the steps in an order in which each finds what it needs."""
    waiting = list(steps)
    given = {k for step in steps for k in step.outputs}
    known = (set(range(mechanism.n_q)) - given) | set(unknowns)
    ordered: list[ClosedForm | LinearStep] = []
    while waiting:
        ready = [step for step in waiting if set(step.inputs) <= known]
        if not ready:
            names = sorted(
                {mechanism.coordinates[k].name for s in waiting for k in s.inputs}
            )
            raise LoopError(
                mechanism.name,
                f"coordinates depend on one another in a circle: {', '.join(names)}.",
                f'Take strategy="{PROJECTED}".',
            )
        for step in ready:
            waiting.remove(step)
            ordered.append(step)
            known |= set(step.outputs)
    return tuple(ordered)


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
