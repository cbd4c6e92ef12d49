"""Deciding how loops are solved: closed forms where the geometry allows, else projection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from motorik.components.composite import Composite
from motorik.errors import LoopError
from motorik.loops.closed_form import Hinge, Plan
from motorik.loops.closing import sample_poses
from motorik.loops.clusters import (
    Cluster,
    count_freedoms,
    find_clusters,
    independent_rows,
)
from motorik.loops.formulation import (
    ABSOLUTE,
    AUTO,
    BAUMGARTE,
    EXPLICIT,
    MINIMAL,
    PROJECTED,
    ClosedForm,
    Formulation,
    LinearStep,
    LoopDecision,
)
from motorik.loops.locked import why_locked
from motorik.loops.planning import Planner
from motorik.loops.wanted import Wanted
from motorik.topology.assemble import assemble
from motorik.topology.mechanism import Mechanism

SOFTNESS_OF_ABSOLUTE = 1e-12  # pivots of bodies' coordinates differ widely in size
DEFAULT_GAINS = (10.0, 10.0)  # α, β of Baumgarte's stabilisation [1/s]


def formulate(
    model: Composite,
    symbols: Any,
    resolve: Callable[[Any], Any],
    p: np.ndarray,
    wanted: Wanted,
) -> tuple[Mechanism, Formulation | None]:
    """Return the mechanism of a model, and how its loops are solved, if it has any."""
    absolute = wanted.strategy == ABSOLUTE
    mechanism = assemble(model, resolve, absolute=absolute)
    if not mechanism.has_loops:
        wanted.check_parts([])
        return mechanism, None
    return Decider(model, symbols, resolve, p, wanted, mechanism).decide()


class Decider(Planner):
    """Takes the decisions in order: assembled poses, freedoms, closed forms, rows."""

    def decide(self) -> tuple[Mechanism, Formulation]:
        """Return the mechanism, whose tree may have been rearranged, and the formulation."""
        plans = self._find_plans()
        if any(isinstance(plan, Plan) for _, _, plan in plans):
            found = [plan for _, _, plan in plans if isinstance(plan, Plan)]
            self._rearrange(found)
            self.favoured = {hinge for plan in found for hinge in plan.independent}
            self._find_plans()  # on the links of the new tree, which have other frames
        formulation = Formulation(self.mechanism, self.rows)
        formulation.samples = sample_poses(self.rows, self.q, self.p)
        matrices = [self.rows.matrix(q, self.p) for q in formulation.samples]
        self.clusters = find_clusters(self.mechanism, with_relations=False)
        count_freedoms(self.clusters, self.rows, matrices)
        self.matrices = matrices
        self._count_turns(formulation.samples)
        self._refuse_locked()
        self._close(formulation)
        self._relate(formulation)
        self._enforce(formulation)
        self._schedule(formulation)
        if formulation.iterates and formulation.enforced:
            row = self.rows.rows[formulation.enforced[0]]
            raise LoopError(
                row.part,
                f"{MINIMAL!r} for some loops cannot be mixed with {PROJECTED!r} for others.",
                f"Take {MINIMAL!r} or {PROJECTED!r} for all that have no closed form.",
            )
        taken = set(formulation.dependent_q)
        formulation.state_q = [k for k in range(self.mechanism.n_q) if k not in taken]
        gone = set(formulation.dependent_u)
        formulation.state_u = [k for k in range(self.mechanism.n_u) if k not in gone]
        if self.absolute:
            formulation.softness = SOFTNESS_OF_ABSOLUTE
        if self.wanted.strategy == BAUMGARTE or (self.absolute and self.wanted.gains):
            formulation.gains = self.wanted.gains or DEFAULT_GAINS
        return self.mechanism, formulation

    def _refuse_locked(self) -> None:
        """Refuse loops that cannot move because axes miss one another by a little."""
        for cluster in self.clusters:
            closures = [self.mechanism.closures[k] for k in cluster.closures]
            if cluster.freedom > 0 or not cluster.speeds:
                continue
            why = why_locked(
                self.mechanism, cluster.links, closures, self.q, self.symbols, self.p
            )
            if why:
                names = ", ".join(cluster.names(self.mechanism))
                raise LoopError(
                    closures[-1].part,
                    f"the loop of {names} is locked (0 degrees of freedom): {why}.",
                    "Make these axes parallel, or take a Universal or Spherical joint for one.",
                )

    def _close(self, formulation: Formulation) -> None:
        every = [n for cluster in self.clusters for n in cluster.names(self.mechanism)]
        self.wanted.check_parts(every)
        for cluster in self.clusters:
            hinges = self._hinges(cluster)
            names = cluster.names(self.mechanism)
            wanted = self.wanted.of(names)
            plan = self.plans.get(
                frozenset(h.index for h in hinges), "its loops depend on the tree"
            )
            decision = LoopDecision(cluster, PROJECTED, hinges=tuple(hinges))
            formulation.decisions.append(decision)
            if isinstance(plan, Plan):
                why = self._explicit(formulation, cluster, hinges, plan)
                if not why:
                    decision.strategy, decision.plan = EXPLICIT, plan
                    decision.reason = "closed forms: " + ", ".join(
                        step.title for step in plan.steps
                    )
                    continue
                plan = why
            if wanted == EXPLICIT:
                raise LoopError(
                    names[-1],
                    f"the loop of {', '.join(names)} has no closed form: {plan}.",
                    f'Let motorik choose (strategy="{AUTO}"), or take "{PROJECTED}".',
                )
            decision.reason = (
                f"no closed form: {plan}" if wanted == AUTO else "as asked for"
            )
            if wanted in (MINIMAL, BAUMGARTE, ABSOLUTE):
                decision.strategy = wanted
            if wanted == MINIMAL:
                self._minimal(formulation, cluster)

    def _explicit(
        self,
        formulation: Formulation,
        cluster: Cluster,
        hinges: Sequence[Hinge],
        plan: Plan,
    ) -> str:
        """Take a plan over; return why it does not fit, if so."""
        mechanism = self.mechanism
        plan = plan.with_hinges(list(hinges))
        number = {id(edge): k for k, edge in enumerate(mechanism.stock.joints)}
        link_of = {
            number[id(mechanism.links[k].edge)]: k
            for k in cluster.links
            if mechanism.links[k].edge is not None
        }
        missing = [h for h in plan.independent if h not in link_of]
        form = None
        if not missing:
            form = ClosedForm(mechanism, cluster.root, hinges, plan, link_of)
        if form is None or len(form.inputs) + len(form.outputs) != len(cluster.speeds):
            return "its independent joints do not fit into one tree"
        dependent = [
            mechanism.links[link_of[h]].u[0]
            for step in plan.steps
            for h in step.hinges
            if h in link_of
        ]
        if len(dependent) != len(cluster.active):
            return "redundant constraints change with the pose"
        form.follow_turns(self._axes(cluster, hinges))
        formulation.steps.append(form)
        formulation.dependent_q += form.outputs
        formulation.dependent_u += dependent
        formulation.solved += cluster.active
        return ""

    def _minimal(self, formulation: Formulation, cluster: Cluster) -> None:
        """Choose independent coordinates of a cluster by how well the others follow."""
        single = []
        for k in cluster.links:
            link = self.mechanism.links[k]
            if len(link.u) == len(link.q):
                wish = link.edge.wish if link.edge is not None else 0
                single += [(u, q, wish) for u, q in zip(link.u, link.q, strict=True)]
        any_rate = any(not self.rows.rows[k].holonomic for k in cluster.active)
        columns = [u for u, _, _ in single]
        weight = np.array([1e-3 ** max(wish - 1, 0) for _, _, wish in single])
        related = {u for relation in self.mechanism.relations for u, _ in relation.terms}
        weight[[u in related for u in columns]] *= 1e-3  # these follow from other parts
        G = self.matrices[0][np.ix_(cluster.active, columns)] * weight
        chosen = independent_rows([G.T])
        if len(chosen) < len(cluster.active) or any_rate:
            names = ", ".join(cluster.names(self.mechanism))
            reason = (
                "rows of speeds alone"
                if any_rate
                else "coordinates that are not single numbers"
            )
            raise LoopError(
                cluster.names(self.mechanism)[-1],
                f"the strategy {MINIMAL!r} does not apply to the loop of {names}: {reason}.",
                f'Take "{PROJECTED}".',
            )
        formulation.dependent_u += [single[k][0] for k in chosen]
        formulation.dependent_q += [single[k][1] for k in chosen]
        formulation.solved += cluster.active
        formulation.iterates = True

    def _relate(self, formulation: Formulation) -> None:
        """Let a coordinate follow by each relation, where one is left that can."""
        for row, info in enumerate(self.rows.rows):
            if info.relation is None:
                continue
            relation = self.mechanism.relations[info.relation]
            free = [
                (speed, factor)
                for speed, factor in relation.terms
                if speed not in formulation.dependent_u
                and self._is_single(speed)
                and self._can_follow(formulation, relation, speed)
            ]
            if not free:
                continue
            speed, factor = min(free, key=lambda term: self._wish(term[0]))
            k = self.mechanism.coordinate_of_speed(speed)
            others = [
                self.mechanism.coordinate_of_speed(s)
                for s, _ in relation.terms
                if s != speed
            ]
            formulation.steps.append(LinearStep(relation, k, speed, factor, tuple(others)))
            formulation.dependent_u.append(speed)
            formulation.dependent_q.append(k)
            formulation.solved.append(row)

    def _is_single(self, speed: int) -> bool:
        link = next(link for link in self.mechanism.links if speed in link.u)
        return len(link.u) == 1

    def _can_follow(self, formulation: Formulation, relation: Any, speed: int) -> bool:
        """Tell whether a coordinate can be had from a relation without going in a circle."""
        k = self.mechanism.coordinate_of_speed(speed)
        needed = {
            self.mechanism.coordinate_of_speed(s) for s, _ in relation.terms if s != speed
        }
        grown = True
        while grown:
            grown = False
            for step in formulation.steps:
                outputs = (
                    [step.coordinate] if isinstance(step, LinearStep) else step.outputs
                )
                if needed & set(outputs) and not set(step.inputs) <= needed:
                    needed |= set(step.inputs)
                    grown = True
        return k not in needed

    def _wish(self, speed: int) -> tuple[int, int, int]:
        link = next(link for link in self.mechanism.links if speed in link.u)
        wish = link.edge.wish if link.edge is not None else -1
        if link.own is not None:
            wish = link.own.wish
        fixed = sum(
            self.mechanism.states[k].start.is_fixed
            for k in (link.q[0], self.mechanism.n_q + speed)
        )
        return fixed, wish, speed

    def _enforce(self, formulation: Formulation) -> None:
        """Hold the rows that are left by multipliers, as far as they are independent."""
        taken = set(formulation.solved)
        open_rows: list[int] = []
        solved_clusters = {EXPLICIT, MINIMAL}
        for decision in formulation.decisions:
            if decision.strategy not in solved_clusters:
                open_rows += decision.cluster.active
        open_rows += [
            row
            for row, info in enumerate(self.rows.rows)
            if info.relation is not None and row not in taken
        ]
        if not open_rows:
            return
        reduced = []
        gone = formulation.dependent_u
        left = [k for k in range(self.mechanism.n_u) if k not in set(gone)]
        for G in self.matrices:
            part = G[np.ix_(open_rows, left)]
            if gone:
                A = G[np.ix_(formulation.solved, gone)]
                B = G[np.ix_(formulation.solved, left)]
                part = part - G[np.ix_(open_rows, gone)] @ np.linalg.solve(A, B)
            reduced.append(part)
        formulation.enforced = [open_rows[k] for k in independent_rows(reduced)]

    def _schedule(self, formulation: Formulation) -> None:
        """Put the steps into an order in which each finds what it needs."""
        waiting = list(formulation.steps)
        known = set(range(self.mechanism.n_q)) - set(formulation.dependent_q)
        known |= set(formulation.unknowns)
        ordered: list[Any] = []
        while waiting:
            ready = [step for step in waiting if set(step.inputs) <= known]
            if not ready:
                names = sorted(
                    {self.mechanism.coordinates[k].name for s in waiting for k in s.inputs}
                )
                raise LoopError(
                    self.mechanism.name,
                    f"coordinates depend on one another in a circle: {', '.join(names)}.",
                    f'Take strategy="{PROJECTED}".',
                )
            for step in ready:
                waiting.remove(step)
                ordered.append(step)
                known |= set(
                    [step.coordinate] if isinstance(step, LinearStep) else step.outputs
                )
        formulation.steps = ordered


def released(formulation: Formulation) -> Formulation:
    """Return the formulation with all coordinates as states and all loops enforced."""
    rows = formulation.rows
    result = Formulation(formulation.mechanism, rows)
    result.samples = formulation.samples
    kept = [s for s in formulation.steps if isinstance(s, LinearStep)]
    result.steps = list(kept)
    result.dependent_q = [step.coordinate for step in kept]
    result.dependent_u = [step.speed for step in kept]
    relation_rows = {k for k, info in enumerate(rows.rows) if info.relation is not None}
    result.solved = [row for row in formulation.solved if row in relation_rows]
    result.enforced = [
        *(row for row in formulation.solved if row not in relation_rows),
        *formulation.enforced,
    ]
    result.state_q = [
        k for k in range(rows.mechanism.n_q) if k not in set(result.dependent_q)
    ]
    result.state_u = [
        k for k in range(rows.mechanism.n_u) if k not in set(result.dependent_u)
    ]
    for decision in formulation.decisions:
        result.decisions.append(
            LoopDecision(decision.cluster, PROJECTED, "went on from a dead centre")
        )
    return result
