"""Planning: joints as hinges, closed forms for them, and a tree that grows in their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from motorik.algebra.pose import HERE
from motorik.components.contributions import JointBetween
from motorik.elements.ball import Ball
from motorik.elements.ball_angles import BallAngles
from motorik.elements.distance import Distance
from motorik.elements.joint import Joint
from motorik.elements.slide import Slide
from motorik.elements.turn import Turn
from motorik.errors import LoopError
from motorik.loops.assembled import Assembled, Numbers
from motorik.loops.closed_form import Hinge, Plan, find_plan
from motorik.loops.closing import CLOSED, damped_newton, loop_residual, sample_poses
from motorik.loops.clusters import (
    Cluster,
    count_freedoms,
    find_clusters,
)
from motorik.loops.formulation import (
    AUTO,
    EXPLICIT,
)
from motorik.motion.view import MotionView
from motorik.topology.assemble import assemble, order_of_joints
from motorik.topology.mechanism import Placed
from motorik.topology.tree import LAST

DISTANCE_HINGES = 1_000_000  # hinges of distances are numbered from here on


class Planner(Assembled):
    """Finds closed forms for the clusters of loops of an assembled model."""

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
            wish += 1000 * (index in prescribed) + 500 * (index in self.favoured)
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


def _deepen(depth: dict[int, int], hinge: Hinge) -> None:
    """Note how many hinges lead from the root to the bodies of a hinge."""
    near = [depth[body] for body in (hinge.a, hinge.b) if body in depth]
    for body in (hinge.a, hinge.b):
        depth.setdefault(body, min(near, default=0) + 1)


def _kind(joint: Joint) -> tuple[str, Any, Any]:
    if isinstance(joint, Turn):
        return "R", joint.axis, joint.offset
    if isinstance(joint, Slide):
        return "P", joint.axis, 0.0
    from motorik.algebra.vector import Z

    return ("S" if isinstance(joint, (Ball, BallAngles)) else "O"), Z, 0.0
