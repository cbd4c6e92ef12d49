"""Formulation: which coordinates are states, how the others follow, which rows are enforced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from motorik.algebra.angle import Angle
from motorik.algebra.pose import HERE, Pose
from motorik.algebra.scalar import Scalar, add, arctan2, cos, div, mul, sin, sub
from motorik.loops.closed_form import Hinge, Plan, Solution
from motorik.loops.clusters import Cluster
from motorik.loops.rows import ConstraintRows, relation_target
from motorik.motion.view import MotionView
from motorik.topology.mechanism import Mechanism, Relation

AUTO, EXPLICIT, PROJECTED = "auto", "explicit", "projected"
MINIMAL, BAUMGARTE, ABSOLUTE = "minimal", "baumgarte", "absolute"
STRATEGIES = (AUTO, EXPLICIT, PROJECTED, MINIMAL, BAUMGARTE, ABSOLUTE)


@dataclass
class LoopDecision:
    """How the loops of one cluster are solved, and why."""

    cluster: Cluster
    strategy: str
    reason: str = ""
    plan: Plan | None = None
    hinges: tuple[Hinge, ...] = ()
    independent: tuple[str, ...] = ()


class ClosedForm:
    """The closed-form solution of a cluster: coordinates of all its hinges from a few."""

    def __init__(
        self,
        mechanism: Mechanism,
        root: int,
        hinges: Sequence[Hinge],
        plan: Plan,
        link_of: Mapping[int, int],
    ) -> None:
        self.root = root
        self.hinges = {hinge.index: hinge for hinge in hinges}
        self.plan = plan
        self.link_of = dict(link_of)
        links = mechanism.links
        self.coordinate = {h: links[k].q[0] for h, k in self.link_of.items()}
        self.inputs = [self.coordinate[h] for h in plan.independent]
        self.winding: dict[int, list[tuple[int, float]]] = {}
        solved = [h for step in plan.steps for h in step.hinges]
        self.outputs = [self.coordinate[h] for h in solved if h in self.coordinate]
        self.n_sides = len(plan.steps)

    def follow_turns(self, axes: Mapping[int, np.ndarray]) -> None:
        """Find how dependent angles wind with the independent ones that turn all around.

        `axes` are the unit axes of the turns at an assembled pose, seen from the root. A
        body that independent turns alone carry winds with them, one between closed forms
        stands; a hinge between the two unwinds.
        """
        carried: dict[int, list[int]] = {self.root: []}
        queue = [self.root]
        for body in queue:
            for h in self.plan.independent:
                hinge = self.hinges[h]
                for near, far in ((hinge.a, hinge.b), (hinge.b, hinge.a)):
                    if near == body and far not in carried:
                        carried[far] = [*carried[body], h if near == hinge.a else ~h]
                        queue.append(far)
        for h, k in self.coordinate.items():
            hinge = self.hinges[h]
            if h in self.plan.independent or hinge.kind != "R":
                continue
            found: dict[int, float] = {}
            for body, sign in ((hinge.a, -1.0), (hinge.b, 1.0)):
                for turn in carried.get(body, ()):
                    other = turn if turn >= 0 else ~turn
                    if self.hinges[other].kind != "R":
                        continue
                    along = float(axes[other] @ axes[h])
                    if abs(along) > 1.0 - 1e-6:
                        way = sign * np.sign(along) * (1.0 if turn >= 0 else -1.0)
                        j = self.coordinate[other]
                        found[j] = found.get(j, 0.0) + float(way)
            self.winding[k] = [(j, way) for j, way in found.items() if way]

    def run(
        self, q: list[Any], sides: Sequence[Scalar], margins: list[Scalar]
    ) -> dict[int, Scalar]:
        """Return the coordinates of all hinges; margins to dead centres are appended."""
        known: dict[int, Scalar] = {h: q[self.coordinate[h]] for h in self.plan.independent}
        poses: dict[int, Pose] = {self.root: HERE}

        def pose(body: int) -> Pose:
            if body not in poses:
                self._reach(body, known, poses)
            return poses[body]

        for step, side in zip(self.plan.steps, sides, strict=True):
            solution: Solution = step.solve(pose, side, known.__getitem__)
            known.update(solution.coordinates)
            poses.update(solution.poses)
            margins.append(solution.margin)
        return known

    def _reach(
        self, body: int, known: Mapping[int, Scalar], poses: dict[int, Pose]
    ) -> None:
        """Find the pose of a body by the shortest way over hinges that are known."""
        came: dict[int, tuple[int, int]] = {}
        queue = list(poses)
        seen = set(queue)
        for at in queue:
            if at == body:
                break
            for index in known:
                hinge = self.hinges[index]
                for near, far in ((hinge.a, hinge.b), (hinge.b, hinge.a)):
                    if near == at and far not in seen:
                        seen.add(far)
                        came[far] = (at, index)
                        queue.append(far)
        way = []
        at = body
        while at not in poses:
            before, index = came[at]
            way.append((before, index, at))
            at = before
        for before, index, at in reversed(way):
            hinge = self.hinges[index]
            across = hinge.X_a @ hinge.pose(known[index]) @ hinge.X_b.inverse()
            step = across if hinge.a == before else across.inverse()
            poses[at] = poses[before] @ step


@dataclass(frozen=True)
class LinearStep:
    """A coordinate that follows from others by a relation."""

    relation: Relation
    coordinate: int
    speed: int
    factor: Any
    inputs: tuple[int, ...]


@dataclass
class Formulation:
    """How the equations of a mechanism with loops are set up.

    `state_q`, `state_u`: numbers of the coordinates and speeds that are states.
    `dependent_q`, `dependent_u`: those that follow from them, positions by `steps` (or by
    Newton's method if `iterates`), speeds by the rows `solved`.
    `enforced`: rows held by multipliers, beside the states. Where their pivots fall below
    `softness` of the usual size, at singular positions, the multipliers go to zero.
    """

    mechanism: Mechanism
    rows: ConstraintRows
    decisions: list[LoopDecision] = field(default_factory=list)
    state_q: list[int] = field(default_factory=list)
    state_u: list[int] = field(default_factory=list)
    dependent_q: list[int] = field(default_factory=list)
    dependent_u: list[int] = field(default_factory=list)
    steps: list[ClosedForm | LinearStep] = field(default_factory=list)
    solved: list[int] = field(default_factory=list)
    enforced: list[int] = field(default_factory=list)
    iterates: bool = False
    gains: tuple[float, float] | None = None
    softness: float = 1e-9
    samples: list[np.ndarray] = field(default_factory=list)

    @property
    def n_sides(self) -> int:
        """The count of branches of closed forms."""
        return sum(step.n_sides for step in self.steps if isinstance(step, ClosedForm))

    @property
    def turning(self) -> list[int]:
        """The dependent coordinates that are angles of turns."""
        turns = {k for k, _ in self.rows.turns}
        closed = {
            k for step in self.steps if isinstance(step, ClosedForm) for k in step.outputs
        }
        return [k for k in self.dependent_q if k in turns and k in closed]

    @property
    def unknowns(self) -> list[int]:
        """The dependent coordinates that Newton's method finds."""
        if not self.iterates:
            return []
        closed: set[int] = set()
        for step in self.steps:
            closed |= (
                {step.coordinate} if isinstance(step, LinearStep) else set(step.outputs)
            )
        return [k for k in self.dependent_q if k not in closed]

    @property
    def n_extra(self) -> int:
        """How many numbers follow the live parameters.

        Sides of closed forms, then reference angles, then the solvability of speeds at the
        start if Newton's method is used.
        """
        return self.n_sides + len(self.turning) + int(self.iterates)

    @property
    def freedom(self) -> int:
        """The degree of freedom of the mechanism."""
        return len(self.state_u) - len(self.enforced)

    def coordinates(
        self,
        states: Sequence[Scalar],
        t: Scalar,
        z: Sequence[Scalar],
        extra: Sequence[Scalar],
        hinges: dict[int, Scalar] | None = None,
    ) -> tuple[list[Scalar], list[Scalar]]:
        """Return all coordinates from those that are states, and margins to dead centres.

        `extra` are the sides of the closed forms, the reference angles of dependent turns
        and the coordinates that are found by Newton's method. `hinges` is filled with the
        coordinates of all joints in closed forms, by their number.
        """
        mechanism = self.mechanism
        q: list[Any] = [None] * mechanism.n_q
        for k, value in zip(self.state_q, states, strict=True):
            q[k] = value
        sides = list(extra[: self.n_sides])
        turning = self.turning
        references = extra[self.n_sides : self.n_sides + len(turning)]
        reference = dict(zip(turning, references, strict=True))
        for k, value in zip(self.unknowns, extra[self.n_extra :], strict=True):
            q[k] = value
        margins: list[Scalar] = []
        for step in self.steps:
            if isinstance(step, LinearStep):
                q[step.coordinate] = self._linear(step, q, t, z)
                continue
            known = step.run(q, sides[: step.n_sides], margins)
            if hinges is not None:
                hinges.update(known)
            del sides[: step.n_sides]
            for hinge, k in step.coordinate.items():
                if q[k] is None:
                    near = reference.get(k)
                    for other, sign in step.winding.get(k, ()) if near is not None else ():
                        near = add(near, mul(sign, _radians(q[other])))
                    q[k] = _continuous(known[hinge], near)
        return q, margins

    def references(self, q: np.ndarray) -> np.ndarray:
        """Return the reference angles of dependent turns at assembled coordinates."""
        winding = {
            k: pairs
            for step in self.steps
            if isinstance(step, ClosedForm)
            for k, pairs in step.winding.items()
        }
        return np.array(
            [
                q[k] - sum(sign * q[other] for other, sign in winding.get(k, ()))
                for k in self.turning
            ]
        )

    def _linear(
        self, step: LinearStep, q: Sequence[Any], t: Scalar, z: Sequence[Scalar]
    ) -> Scalar:
        view = MotionView(self.mechanism, q, [0.0] * self.mechanism.n_u, None, t, z)
        value = relation_target(step.relation, view)
        for speed, factor in step.relation.terms:
            if speed != step.speed:
                other = q[self.mechanism.coordinate_of_speed(speed)]
                value = sub(value, mul(factor, _radians(other)))
        return div(value, step.factor)


def _radians(value: Scalar) -> Scalar:
    return value.radians if isinstance(value, Angle) else value


def _continuous(value: Scalar, reference: Scalar | None) -> Scalar:
    """Return an angle with its value within half a turn of the reference."""
    if reference is None or not isinstance(value, Angle):
        return value
    s, c = sin(reference), cos(reference)
    across = sub(mul(value.sine, c), mul(value.cosine, s))
    along = add(mul(value.cosine, c), mul(value.sine, s))
    return Angle(add(reference, arctan2(across, along)), value.sine, value.cosine)
