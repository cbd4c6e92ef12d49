"""Deciding how loops are solved: closed forms where the geometry allows, else projection."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from motorik.algebra.pose import HERE
from motorik.assembly.assemble import assemble, order_of_joints
from motorik.assembly.closed_form import Hinge, Plan, find_plan
from motorik.assembly.closing import CLOSED, damped_newton, loop_residual, sample_poses
from motorik.assembly.clusters import (
    Cluster,
    count_freedoms,
    find_clusters,
    independent_rows,
)
from motorik.assembly.formulation import (
    ABSOLUTE,
    AUTO,
    BAUMGARTE,
    EXPLICIT,
    MINIMAL,
    PROJECTED,
    STRATEGIES,
    ClosedForm,
    Formulation,
    LinearStep,
    LoopDecision,
)
from motorik.assembly.initial import assembled_start
from motorik.assembly.locked import axes_of_turns, misaligned
from motorik.assembly.mechanism import Closure, Mechanism, Placed
from motorik.assembly.rows import ConstraintRows
from motorik.assembly.tree import LAST
from motorik.assembly.view import MotionView
from motorik.components.composite import Composite
from motorik.components.contributions import JointBetween
from motorik.elements.ball import Ball
from motorik.elements.ball_angles import BallAngles
from motorik.elements.distance import Distance
from motorik.elements.joint import Joint
from motorik.elements.slide import Slide
from motorik.elements.turn import Turn
from motorik.errors import LoopError, UnknownNameError, suggest

DISTANCE_HINGES = 1_000_000  # hinges of distances are numbered from here on
SOFTNESS_OF_ABSOLUTE = 1e-12  # pivots of bodies' coordinates differ widely in size
DEFAULT_GAINS = (10.0, 10.0)  # α, β of Baumgarte's stabilisation [1/s]


@dataclass
class Wanted:
    """What the user wants: one strategy for all loops, or some by parts in them."""

    strategy: str = AUTO
    by_part: Mapping[str, str] | None = None
    gains: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        for name in (self.strategy, *(self.by_part or {}).values()):
            if name not in STRATEGIES:
                raise UnknownNameError(
                    "strategy", f"{name!r} is not known.", suggest(name, STRATEGIES)
                )
        for part, name in (self.by_part or {}).items():
            if name in (ABSOLUTE, BAUMGARTE):
                raise LoopError(
                    part,
                    f"the strategy {name!r} is one for all loops of a model.",
                    f"Give strategy={name!r}, or {EXPLICIT}, {PROJECTED} or {MINIMAL} here.",
                )

    def of(self, names: Sequence[str]) -> str:
        """Return the strategy of loops with these parts."""
        for part, strategy in (self.by_part or {}).items():
            if any(name == part or name.startswith(f"{part}.") for name in names):
                return strategy
        return self.strategy


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
        return mechanism, None
    return _Decider(model, symbols, resolve, p, wanted, mechanism).decide()


class _Decider:
    """Takes the decisions in order: assembled poses, freedoms, closed forms, rows."""

    def __init__(
        self,
        model: Composite,
        symbols: Any,
        resolve: Callable[[Any], Any],
        p: np.ndarray,
        wanted: Wanted,
        mechanism: Mechanism,
    ) -> None:
        self.model, self.symbols, self.resolve = model, symbols, resolve
        self.p, self.wanted = p, wanted
        self.order: Mapping[int, float] | None = None
        self.absolute = wanted.strategy == ABSOLUTE
        self._take(mechanism)
        self.q = self._start()

    def _take(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.rows = ConstraintRows(mechanism, self.symbols)
        self.numeric = mechanism
        if self.symbols.numel():
            self.numeric = assemble(self.model, None, self.order, self.absolute)

    def _start(self) -> np.ndarray:
        guess = None
        if self.absolute:
            guess = self._start_of_tree()
        return assembled_start(self.mechanism, self.rows, self.p, guess)

    def _start_of_tree(self) -> np.ndarray:
        """Return absolute coordinates at the start of the same model solved as a tree."""
        tree = assemble(self.model, self.resolve)
        numeric = assemble(self.model) if self.symbols.numel() else tree
        if tree.has_loops:
            q = assembled_start(tree, ConstraintRows(tree, self.symbols), self.p, None)
        else:
            q = np.array(tree.start_values()[0])
        view = MotionView(numeric, q.tolist(), [0.0] * tree.n_u)
        return poses_as_coordinates(self.numeric, view)

    # --- the way through --------------------------------------------------------------------

    def decide(self) -> tuple[Mechanism, Formulation]:
        """Return the mechanism, whose tree may have been rearranged, and the formulation."""
        plans = self._find_plans()
        if any(isinstance(plan, Plan) for _, _, plan in plans):
            self._rearrange([plan for _, _, plan in plans if isinstance(plan, Plan)])
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
            axes = axes_of_turns(
                self.mechanism, cluster.links, closures, self.q, self.symbols, self.p
            )
            why = misaligned(axes)
            if why:
                names = ", ".join(cluster.names(self.mechanism))
                raise LoopError(
                    closures[-1].part,
                    f"the loop of {names} is locked (0 degrees of freedom): {why}.",
                    "Make these axes parallel, or take a Universal or Spherical joint for one.",
                )

    def _count_turns(self, samples: Sequence[np.ndarray]) -> None:
        """Let the angles of cut turns in planar loops be continuous over full turns."""
        for k, closure in enumerate(self.mechanism.closures):
            edge = self.numeric.closures[k].edge
            if edge is None or not isinstance(edge.joint, Turn):
                continue
            signs = self._signs(closure, edge.joint)
            if signs is None:
                continue
            offsets = []
            for q in samples:
                view = MotionView(self.numeric, q.tolist(), [0.0] * self.mechanism.n_u)
                X_ab = view.relative(*self.numeric.closures[k].ports)[0]
                phi = float(edge.joint.fit(X_ab)[0])
                offsets.append(phi - sum(sign * q[i] for i, sign in signs))
            apart = np.exp(1j * np.array(offsets)) / np.exp(1j * offsets[0])
            if np.abs(apart - 1.0).max() < 1e-7:
                self.mechanism.closures[k] = replace(
                    closure, winding=tuple(signs), turned=offsets[0]
                )

    def _signs(self, closure: Closure, joint: Turn) -> list[tuple[int, float]] | None:
        """Return which coordinates turn frame b forward (+1) or back (−1) against frame a."""
        q = self.q.tolist()
        number = Numbers(self.symbols, self.p)
        base = closure.base
        X = self.numeric.pose_from(base, self._end(closure, 0), q)
        n = np.array([number(e) for e in (X.R @ joint.axis).xyz])
        found: dict[int, float] = {}
        for end, sign in ((0, -1.0), (1, 1.0)):
            at = closure.ends[end].link
            while at != base:
                link = self.numeric.links[at]
                if isinstance(link.joint, Turn):
                    place = Placed(link.parent, link.X_pj)
                    R = self.numeric.pose_from(base, place, q).R
                    axis = np.array([number(e) for e in (R @ link.joint.axis).xyz])
                    along = float(axis @ n)
                    if abs(along) < 1.0 - 1e-9:
                        return None
                    i = link.q[0]
                    found[i] = found.get(i, 0.0) + sign * float(np.sign(along))
                elif not isinstance(link.joint, Slide):
                    return None
                at = link.parent
        return [(i, sign) for i, sign in found.items() if sign]

    def _end(self, closure: Closure, end: int) -> Placed:
        """Return where an end of a closure is, in numbers."""
        k = self.mechanism.closures.index(closure)
        return self.numeric.closures[k].ends[end]

    # --- closed forms -----------------------------------------------------------------------

    def _find_plans(self) -> list[tuple[Cluster, list[Hinge], Plan | str]]:
        self.clusters = find_clusters(self.mechanism, with_relations=False)
        samples = sample_poses(self.rows, self.q, self.p)
        matrices = [self.rows.matrix(q, self.p) for q in samples]
        count_freedoms(self.clusters, self.rows, matrices)
        found = []
        for cluster in self.clusters:
            hinges = self._hinges(cluster)
            names = cluster.names(self.mechanism)
            if self.wanted.of(names) not in (AUTO, EXPLICIT):
                found.append((cluster, hinges, "another strategy was asked for"))
                continue
            found.append((cluster, hinges, self._plan(cluster, hinges, samples)))
        self.plans = {
            frozenset(hinge.index for hinge in hinges): plan for _, hinges, plan in found
        }
        return found

    def _plan(
        self, cluster: Cluster, hinges: list[Hinge], samples: Sequence[np.ndarray]
    ) -> Plan | str:
        bodies = {cluster.root} | {b for h in hinges for b in (h.a, h.b)}
        poses, values = [], []
        for q in samples:
            view = MotionView(self.numeric, q.tolist(), [0.0] * self.mechanism.n_u)
            poses.append(
                {
                    body: self.numeric.pose_from(cluster.root, Placed(body, HERE), view.q)
                    for body in bodies
                }
            )
            values.append(
                {
                    h.index: float(view.coordinate(self._part(h), self._edge(h).names[0]))
                    for h in hinges
                    if h.has_coordinate
                }
            )
        number = Numbers(self.symbols, self.p)
        return find_plan(cluster.root, hinges, poses, values, cluster.freedom, number)

    def _edge(self, hinge: Hinge) -> JointBetween:
        return self.mechanism.stock.joints[hinge.index]

    def _part(self, hinge: Hinge) -> Any:
        return self.numeric.stock.joints[hinge.index].frame_a.owner

    def _hinges(self, cluster: Cluster) -> list[Hinge]:
        """Return the joints of a cluster as hinges between links."""
        mechanism, stock = self.mechanism, self.mechanism.stock
        number = {id(edge): k for k, edge in enumerate(stock.joints)}
        edges = [mechanism.links[k].edge for k in cluster.links]
        edges += [mechanism.closures[k].edge for k in cluster.closures]
        prescribed = self._prescribed()
        hinges: list[Hinge] = []
        for edge in edges:
            if edge is None:
                continue
            a, b = (mechanism.nodes[stock.node(f)] for f in (edge.frame_a, edge.frame_b))
            kind, axis, offset = _kind(edge.joint)
            index = number[id(edge)]
            fixed = any(start.is_fixed for start in (*edge.starts, *edge.speed_starts))
            wish = 10 * edge.wish + 4 * fixed + 2 * (edge.flanges is not None)
            wish += 1000 * (index in prescribed)
            name = edge.frame_a.owner.path
            hinges.append(
                Hinge(
                    index,
                    kind,
                    a.link,
                    b.link,
                    a.X,
                    b.X,
                    axis,
                    offset,
                    0.0,
                    wish,
                    name,
                )
            )
        for k in cluster.closures:
            closure = mechanism.closures[k]
            if closure.edge is not None or closure.is_weld:
                continue
            kind = "O"
            if isinstance(closure.residual, Distance) and len(closure.ends) == 2:
                kind = "D"
            a, b = closure.ends[0], closure.ends[-1]
            length = getattr(closure.residual, "length", 0.0)
            hinges.append(
                Hinge(
                    DISTANCE_HINGES + k,
                    kind,
                    a.link,
                    b.link,
                    a.X,
                    b.X,
                    length=length,
                    name=closure.part,
                )
            )
        for k in cluster.links:
            link = mechanism.links[k]
            if link.edge is None and link.own is None:
                hinges.append(
                    Hinge(
                        2 * DISTANCE_HINGES + k,
                        "O",
                        link.parent,
                        k,
                        HERE,
                        HERE,
                        name=link.part,
                    )
                )
        return hinges

    def _prescribed(self) -> set[int]:
        """Return the joints whose coordinate a law of time gives."""
        mechanism = self.mechanism
        number = {id(edge): k for k, edge in enumerate(mechanism.stock.joints)}
        found = set()
        for relation in mechanism.relations:
            if len(relation.terms) == 1:
                speed = relation.terms[0][0]
                link = next(link for link in mechanism.links if speed in link.u)
                if link.edge is not None:
                    found.add(number[id(link.edge)])
        return found

    def _rearrange(self, plans: Sequence[Plan]) -> None:
        """Let the tree grow in the order of the plans, so that each step closes one loop."""
        order = dict(order_of_joints(self.mechanism.stock))
        first = -1e6
        for plan in plans:
            depth = {plan.root: 0}
            table = {hinge.index: hinge for hinge in plan.hinges}
            for index in plan.independent:
                order[index] = first
                first += 1.0
                _deepen(depth, table[index])
            for step in plan.steps:
                known = dict(depth)
                for index in step.hinges:
                    hinge = table[index]
                    edge = self.mechanism.stock.joints[index]
                    place = 0.0 if edge.flanges is not None else 0.1
                    if place:
                        near = [known[b] for b in (hinge.a, hinge.b) if b in known]
                        place += (
                            0.8 * (min(near) if near else 0.5) / (1 + max(known.values()))
                        )
                    order[index] = first + place
                for index in sorted(step.hinges, key=lambda h: order[h]):
                    _deepen(depth, table[index])
                first += 1.0
            for index, hinge in table.items():
                if not hinge.has_coordinate and index < DISTANCE_HINGES:
                    order[index] = LAST
        values = self._named_values()
        self.order = order
        self._take(assemble(self.model, self.resolve, order))
        q = np.array(self.mechanism.start_values()[0])
        for k, state in enumerate(self.mechanism.coordinates):
            q[k] = values.get(state.name, q[k])
        free = np.ones(q.size, dtype=bool)
        self.q, size = damped_newton(loop_residual(self.rows, self.p), q, free)
        if not size < 1e3 * CLOSED:
            raise LoopError(
                self.mechanism.name, f"could not be assembled anew: {size:.3g} remains."
            )

    def _named_values(self) -> dict[str, float]:
        """Return the coordinates of all joints, in the tree or not, by their names."""
        view = MotionView(self.numeric, self.q.tolist(), [0.0] * self.mechanism.n_u)
        values = {
            state.name: float(x)
            for state, x in zip(self.mechanism.coordinates, self.q, strict=True)
        }
        for closure in self.numeric.closures:
            if closure.edge is not None:
                X_ab = view.relative(*closure.ports)[0]
                found = closure.edge.joint.fit(X_ab)
                for name, value in zip(closure.edge.names, found, strict=True):
                    values[f"{closure.part}.{name}"] = float(value)
        return values

    # --- decisions --------------------------------------------------------------------------

    def _close(self, formulation: Formulation) -> None:
        for cluster in self.clusters:
            hinges = self._hinges(cluster)
            names = cluster.names(self.mechanism)
            wanted = self.wanted.of(names)
            plan = self.plans.get(frozenset(h.index for h in hinges), "it changed")
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

    def _axes(self, cluster: Cluster, hinges: Sequence[Hinge]) -> dict[int, np.ndarray]:
        """Return the axes of the turns of a cluster at the start, seen from its root."""
        axes = {}
        number = Numbers(self.symbols, self.p)
        for hinge in hinges:
            if hinge.kind == "R":
                edge = self.numeric.stock.joints[hinge.index]
                at = self.numeric.nodes[self.numeric.stock.node(edge.frame_a)]
                X = self.numeric.pose_from(cluster.root, at, self.q.tolist())
                axis = X.R @ edge.joint.axis  # type: ignore[attr-defined]
                axes[hinge.index] = np.array([number(e) for e in axis.xyz])
        return axes

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
        weight = np.array([0.5 ** max(wish - 1, 0) for _, _, wish in single])
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


def _deepen(depth: dict[int, int], hinge: Hinge) -> None:
    """Note how many hinges lead from the root to the bodies of a hinge."""
    near = [depth[body] for body in (hinge.a, hinge.b) if body in depth]
    for body in (hinge.a, hinge.b):
        depth.setdefault(body, min(near, default=0) + 1)


class Numbers:
    """Present values of symbols of live parameters in constants."""

    def __init__(self, symbols: Any, p: np.ndarray) -> None:
        self.symbols, self.p = symbols, p

    def __call__(self, value: Any) -> float:
        """Return the number that a scalar stands for."""
        if not hasattr(value, "is_constant"):
            return float(value)
        import casadi

        return float(casadi.Function("value", [self.symbols], [value])(self.p))


def _kind(joint: Joint) -> tuple[str, Any, Any]:
    if isinstance(joint, Turn):
        return "R", joint.axis, joint.offset
    if isinstance(joint, Slide):
        return "P", joint.axis, 0.0
    from motorik.algebra.vector import Z

    return ("S" if isinstance(joint, (Ball, BallAngles)) else "O"), Z, 0.0


def poses_as_coordinates(
    mechanism: Mechanism, view: MotionView, number: Callable[[Any], float] = float
) -> np.ndarray:
    """Return the coordinates of a mechanism of the same model that has another tree.

    `number` gives the present values of symbols of live parameters.
    """
    q = np.array(mechanism.start_values()[0])
    for link in mechanism.links:
        if link.edge is None and link.root is None:
            continue
        if link.root is not None:
            X = view.pose(link.root.frame)
        else:
            assert link.edge is not None
            X = view.relative(link.edge.frame_a, link.edge.frame_b)[0]
        joint = link.edge.joint if link.edge is not None else link.joint
        q[list(link.q)] = [number(value) for value in joint.fit(X)]
    return q


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
