"""Formulation: which coordinates are states, how the others follow, which rows are enforced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from motorik.algebra.angle import Angle
from motorik.algebra.scalar import Scalar, add, arctan2, cos, div, mul, sin, sub
from motorik.components.base.part import Part
from motorik.loops.closed_form import AssurDecomposition, Hinge, KnownPoses
from motorik.loops.closed_form.group import AssurGroup
from motorik.loops.clusters import Cluster
from motorik.loops.constraint_equations import ConstraintEquations, relation_target
from motorik.loops.scales import Scales
from motorik.loops.static_equilibrium import StaticEquilibrium
from motorik.loops.unwrapping import CutAngle, SignedSum
from motorik.motion.steps import radians
from motorik.motion.view import MotionView, References
from motorik.topology.mechanism import Mechanism, Relation

SIDES = (1.0, -1.0)


@dataclass(frozen=True)
class ClosedForm:
    """The closed-form solution of a cluster: coordinates of all its hinges from a few.

    `coordinate` maps hinges to coordinates of the tree; `winding` gives the coordinates with
    which dependent angles wind.
    """

    root: int
    hinges: Mapping[int, Hinge]
    plan: AssurDecomposition
    coordinate: Mapping[int, int]
    winding: Mapping[int, SignedSum]

    @property
    def inputs(self) -> tuple[int, ...]:
        """The coordinates it needs."""
        return tuple(self.coordinate[h] for h in self.plan.independent)

    @property
    def outputs(self) -> tuple[int, ...]:
        """The coordinates it gives."""
        solved = (h for step in self.plan.steps for h in step.hinges)
        return tuple(self.coordinate[h] for h in solved if h in self.coordinate)

    def walk(self, q: Sequence[Scalar]) -> KnownPoses:
        """Return a walk on which the independent coordinates are known."""
        known = {h: q[self.coordinate[h]] for h in self.plan.independent}
        return KnownPoses(self.root, self.hinges.values(), known)

    def run(
        self, q: Sequence[Scalar], sides: Sequence[Scalar]
    ) -> tuple[KnownPoses, list[Scalar]]:
        """Return the coordinates on these sides, and the margins to dead centres."""
        walk, margins = self.walk(q), []
        for step, side in zip(self.plan.steps, sides, strict=True):
            solution = walk.solve(step, side)
            walk.learn(solution)
            margins.append(solution.margin)
        return walk, margins


@dataclass(frozen=True)
class LinearStep:
    """A coordinate that follows from others by a relation."""

    relation: Relation
    coordinate: int
    speed: int
    factor: Scalar
    inputs: tuple[int, ...]

    @property
    def outputs(self) -> tuple[int, ...]:
        """The coordinate it gives."""
        return (self.coordinate,)


@dataclass(frozen=True)
class LoopDecision:
    """How the loops of one cluster are solved, and why."""

    cluster: Cluster
    strategy: str
    reason: str
    hinges: tuple[Hinge, ...] = ()
    plan: AssurDecomposition | None = None


FormSolver = Callable[
    [ClosedForm, Sequence[Scalar], Sequence[Scalar], Mapping[int, Scalar]],
    tuple[dict[int, Scalar], list[Scalar]],
]
"""Runs a closed form: of coordinates, sides and references to coordinates and margins."""


class BranchParameters(NamedTuple):
    """Sides of closed forms, references of what is followed, offsets of summed angles."""

    sides: Sequence[Scalar]
    turning: Sequence[Scalar]
    counted: Sequence[Scalar]
    unknowns: Sequence[Scalar]
    summed: Sequence[Scalar]


@dataclass(frozen=True)
class Formulation:
    """How the equations of a mechanism with loops are set up.

    `state_q`, `state_u`: numbers of the coordinates and speeds that are states.
    `dependent_q`, `dependent_u`: those that follow from them, positions by `steps`, or by
    Newton's method the `unknowns`; speeds by the rows `solved`.
    `enforced`: rows held by multipliers, beside the states, or with `gains` stabilised. Where
    their pivots fall below `softness` of the usual size, at singular positions, the
    multipliers go to zero. With `early_rows` they may be eliminated before all speeds that they
    are about, where that costs less; an audit in the run guards it.
    `left_out`: rows that follow from the others at the samples. `redundant` are such rows that
    are enforced nevertheless: which of them follow from which may change along the motion.
    `judged_at` are poses at which orders of elimination must hold besides sampled ones.
    `summed` and `counted` are the angles of joints that close loops. `balance` tells how what
    has no mass moves: its coordinates are states, its speeds follow.

    What the equations need beside states and live parameters is `extra`: the sides of the
    closed forms, a reference for each value that is followed in the run, the offsets of
    summed angles, and with unknowns the solvability of speeds at the start.
    """

    mechanism: Mechanism
    rows: ConstraintEquations
    scales: Scales
    samples: tuple[np.ndarray, ...]
    decisions: tuple[LoopDecision, ...]
    steps: tuple[ClosedForm | LinearStep, ...]
    dependent_u: tuple[int, ...]
    solved: tuple[int, ...]
    enforced: tuple[int, ...]
    left_out: tuple[int, ...] = ()
    unknowns: tuple[int, ...] = ()
    summed: tuple[CutAngle, ...] = ()
    counted: tuple[CutAngle, ...] = ()
    gains: tuple[float, float] | None = None
    balance: StaticEquilibrium | None = None
    softness: float = 1e-9
    early_rows: bool = True
    redundant: tuple[int, ...] = ()
    judged_at: tuple[np.ndarray, ...] = ()

    @cached_property
    def dependent_q(self) -> tuple[int, ...]:
        """The coordinates that follow from those that are states."""
        return (*(k for step in self.steps for k in step.outputs), *self.unknowns)

    @cached_property
    def state_q(self) -> tuple[int, ...]:
        """The coordinates that are states."""
        taken = set(self.dependent_q)
        return tuple(k for k in range(self.mechanism.n_q) if k not in taken)

    @cached_property
    def state_u(self) -> tuple[int, ...]:
        """The speeds that are states."""
        taken = {*self.dependent_u, *self.mechanism.balanced}
        return tuple(k for k in range(self.mechanism.n_u) if k not in taken)

    @property
    def iterates(self) -> bool:
        """Whether Newton's method closes loops in each evaluation."""
        return bool(self.unknowns)

    @property
    def freedom(self) -> int:
        """The degree of freedom of the mechanism."""
        return len(self.state_u) - len(self.independent)

    @cached_property
    def independent(self) -> tuple[int, ...]:
        """The enforced rows that do not follow from the others at the samples."""
        return tuple(row for row in self.enforced if row not in self.redundant)

    @cached_property
    def forms(self) -> tuple[ClosedForm, ...]:
        """The closed forms."""
        return tuple(step for step in self.steps if isinstance(step, ClosedForm))

    @cached_property
    def sided(self) -> tuple[tuple[ClosedForm, AssurGroup], ...]:
        """The steps of all closed forms, each of which has a side in `extra`."""
        return tuple((form, step) for form in self.forms for step in form.plan.steps)

    @cached_property
    def turning(self) -> tuple[int, ...]:
        """The coordinates of turns that closed forms give."""
        turns = {k for k, _ in self.rows.turns}
        return tuple(k for form in self.forms for k in form.outputs if k in turns)

    @cached_property
    def winding(self) -> dict[int, SignedSum]:
        """With which coordinates the turning ones wind."""
        return {k: terms for form in self.forms for k, terms in form.winding.items()}

    @property
    def n_followed(self) -> int:
        """How many values are followed in the run: turning, counted, unknown."""
        return len(self.turning) + len(self.counted) + len(self.unknowns)

    @property
    def n_extra(self) -> int:
        """How many numbers follow the live parameters."""
        return sum(map(len, self._parts_of_extra)) + int(self.iterates)

    @property
    def _parts_of_extra(self) -> tuple[Sequence[object], ...]:
        return self.sided, self.turning, self.counted, self.unknowns, self.summed

    def split_extra(self, extra: Sequence[Scalar]) -> BranchParameters:
        """Return the parts of what the equations need beside states and live parameters."""
        ends = np.cumsum(list(map(len, self._parts_of_extra))).tolist()
        begins = [0, *ends[:-1]]
        return BranchParameters(*(extra[i:j] for i, j in zip(begins, ends, strict=True)))

    def coordinates(
        self,
        states: Sequence[Scalar],
        t: Scalar,
        z: Sequence[Scalar],
        extra: Sequence[Scalar],
        solve: FormSolver | None = None,
    ) -> tuple[list[Scalar], list[Scalar]]:
        """Return all coordinates from those that are states, and margins to dead centres.

        After `extra` follow the coordinates that Newton's method finds, in scales. `solve`
        runs a closed form, by default `solved_form`.
        """
        solve = solve or self.solved_form
        q: list[Scalar | None] = [None] * self.mechanism.n_q
        for k, value in zip(self.state_q, states, strict=True):
            q[k] = value
        for k, value in zip(self.unknowns, extra[self.n_extra :], strict=True):
            q[k] = mul(float(self.scales.coordinates[k]), value)
        parts = self.split_extra(extra)
        sides = parts.sides
        reference = dict(zip(self.turning, parts.turning, strict=True))
        margins: list[Scalar] = []
        at = 0
        for step in self.steps:
            if isinstance(step, LinearStep):
                q[step.coordinate] = self._linear(step, q, t, z)
                continue
            count = len(step.plan.steps)
            values, found = solve(step, q, sides[at : at + count], reference)
            at += count
            margins += found
            for k, value in values.items():
                q[k] = value
        return q, margins  # type: ignore[return-value]

    def solved_form(
        self,
        form: ClosedForm,
        q: Sequence[Scalar],
        sides: Sequence[Scalar],
        references: Mapping[int, Scalar],
        hinges: dict[int, Scalar] | None = None,
    ) -> tuple[dict[int, Scalar], list[Scalar]]:
        """Return the coordinates that a closed form gives, and its margins.

        `hinges` is filled with the coordinates of all joints in it, by their number.
        """
        walk, margins = form.run(q, sides)
        if hinges is not None:
            hinges.update(walk.coordinates)
        known = list(q)
        found: dict[int, Scalar] = {}
        for hinge, k in form.coordinate.items():
            if known[k] is None:
                near = references.get(k)
                if near is not None:
                    near = add(near, self.wound(k, known))
                found[k] = known[k] = continuous(walk.coordinates[hinge], near)
        return found, margins

    def references(self, extra: Sequence[Scalar]) -> References:
        """Return the references of the angles of joints that close loops: they count full turns."""
        found: dict[tuple[Part, str], Callable[[MotionView], Scalar]] = {}
        split = self.split_extra(extra)
        for angle, offset in zip(self.summed, split.summed, strict=True):

            def near(
                motion: MotionView, angle: CutAngle = angle, offset: Scalar = offset
            ) -> Scalar:
                return add(offset, angle.sum_of(motion.q))

            found[angle.part, angle.name] = near
        for angle, symbol in zip(self.counted, split.counted, strict=True):
            found[angle.part, angle.name] = lambda motion, symbol=symbol: symbol
        return found

    def wound(self, k: int, values: Sequence[Scalar]) -> Scalar:
        """Return Σ ± q (or ± u) of what a turning coordinate winds with."""
        total: Scalar = 0.0
        for other, sign in self.winding.get(k, ()):
            total = add(total, mul(sign, radians(values[other])))
        return total

    def _linear(
        self, step: LinearStep, q: Sequence[Scalar], t: Scalar, z: Sequence[Scalar]
    ) -> Scalar:
        motion = MotionView(self.mechanism, q, [0.0] * self.mechanism.n_u, None, t, z)
        value = relation_target(step.relation, motion)
        for speed, factor in step.relation.terms:
            if speed != step.speed:
                other = q[self.mechanism.coordinate_of_speed(speed)]
                value = sub(value, mul(factor, radians(other)))
        return div(value, step.factor)


def continuous(value: Scalar, reference: Scalar | None) -> Scalar:
    """Return an angle with its value within half a turn of the reference."""
    if reference is None or not isinstance(value, Angle):
        return value
    s, c = sin(reference), cos(reference)
    across = sub(mul(value.sine, c), mul(value.cosine, s))
    along = add(mul(value.cosine, c), mul(value.sine, s))
    return Angle(add(reference, arctan2(across, along)), value.sine, value.cosine)
