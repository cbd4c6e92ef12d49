"""The formulation of loops: closed forms, branches, and the treatment of each constraint."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.angle import Angle
from motorik.algebra.scalar import Scalar, add, arctan2, cos, div, mul, sin, sub
from motorik.components.base.part import Part
from motorik.immutable import immutable
from motorik.loops.branch_blocks import BranchParameters
from motorik.loops.closed_form import AssurDecomposition, Hinge, KnownPoses
from motorik.loops.closed_form.assur_group import AssurGroup
from motorik.loops.clusters import Cluster
from motorik.loops.constraint_equations import (
    ConstraintEquation,
    ConstraintEquations,
    relation_target,
)
from motorik.loops.formulate import Formulation
from motorik.loops.options import PROJECTED
from motorik.motion.steps import radians
from motorik.motion.view import MotionView, References
from motorik.topology.mechanism import Relation

if TYPE_CHECKING:
    from motorik.loops.equations_of_motion import LoopEquations

__all__ = [
    "BRANCH_SIGNS",
    "AssurGroup",
    "ClosedForm",
    "Cluster",
    "ConstraintEquation",
    "CutAngle",
    "LinearStep",
    "LoopDecision",
    "LoopFormulation",
    "SignedSum",
    "continuous",
]

BRANCH_SIGNS = (1.0, -1.0)

SignedSum = tuple[tuple[int, float], ...]
"""Coordinates with a sign: Σ ± q."""


@immutable
class CutAngle:
    """An angle of a cut joint: its part, its name and its start value.

    In a planar loop it is a constant plus Σ ± q over `terms`.
    """

    part: Part
    name: str
    speed: str
    start: float
    terms: SignedSum = ()

    def sum_of(self, q: Sequence[Scalar]) -> Scalar:
        """Return Σ ± q."""
        total: Scalar = 0.0
        for k, sign in self.terms:
            total = add(total, mul(sign, radians(q[k])))
        return total


@immutable
class ClosedForm:
    """The closed-form solution of a cluster by Assur groups.

    `coordinate` maps hinges to coordinates of the tree; `angle_sums` are the angles about
    parallel axes with which each dependent angle is unwrapped.
    """

    root: int
    hinges: Mapping[int, Hinge]
    decomposition: AssurDecomposition
    coordinate: Mapping[int, int]
    angle_sums: Mapping[int, SignedSum]

    @property
    def inputs(self) -> tuple[int, ...]:
        """The coordinates it needs."""
        return tuple(self.coordinate[h] for h in self.decomposition.independent)

    @property
    def outputs(self) -> tuple[int, ...]:
        """The coordinates it gives."""
        solved = (h for group in self.decomposition.groups for h in group.hinges)
        return tuple(self.coordinate[h] for h in solved if h in self.coordinate)

    def walk(self, q: Sequence[Scalar]) -> KnownPoses:
        """Return the known poses at given independent coordinates."""
        known = {h: q[self.coordinate[h]] for h in self.decomposition.independent}
        return KnownPoses(self.root, self.hinges.values(), known)

    def run(
        self, q: Sequence[Scalar], branches: Sequence[Scalar]
    ) -> tuple[KnownPoses, list[Scalar]]:
        """Return coordinates and poses on these branches, and the margins to dead centres."""
        walk, margins = self.walk(q), []
        for group, branch in zip(self.decomposition.groups, branches, strict=True):
            solution = walk.solve(group, branch)
            walk.learn(solution)
            margins.append(solution.margin)
        return walk, margins


@immutable
class LinearStep:
    """A coordinate that follows from others by a linear relation."""

    relation: Relation
    coordinate: int
    speed: int
    factor: Scalar
    inputs: tuple[int, ...]

    @property
    def outputs(self) -> tuple[int, ...]:
        """The coordinate it gives."""
        return (self.coordinate,)


@immutable
class LoopDecision:
    """The strategy for the loops of one cluster, and the reason for it."""

    cluster: Cluster
    strategy: str
    reason: str
    hinges: tuple[Hinge, ...] = ()
    decomposition: AssurDecomposition | None = None


FormSolver = Callable[
    [ClosedForm, Sequence[Scalar], Sequence[Scalar], Mapping[int, Scalar]],
    tuple[dict[int, Scalar], list[Scalar]],
]
"""Evaluates a closed form: (form, q, branches, references) to coordinates and margins."""


@immutable
class LoopFormulation(Formulation):
    """The formulation of a mechanism with constraint equations, or with massless bodies."""

    constraints: ConstraintEquations

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be solved."""
        return False

    def equations_of_motion(self, p: np.ndarray) -> LoopEquations:
        """Return the equations of motion, with orders of elimination chosen at live values p."""
        from motorik.loops.equations_of_motion import LoopEquations

        return LoopEquations(self, p)

    @cached_property
    def forms(self) -> tuple[ClosedForm, ...]:
        """The closed forms."""
        return tuple(step for step in self.steps if isinstance(step, ClosedForm))

    @cached_property
    def branched_groups(self) -> tuple[tuple[ClosedForm, AssurGroup], ...]:
        """The Assur groups of all closed forms, one branch parameter each."""
        return tuple(
            (form, group) for form in self.forms for group in form.decomposition.groups
        )

    @cached_property
    def unwrapped(self) -> tuple[int, ...]:
        """The revolute coordinates given by closed forms, which are unwrapped in the run."""
        turns = {k for k, _ in self.constraints.revolutes}
        return tuple(k for form in self.forms for k in form.outputs if k in turns)

    @cached_property
    def angle_sums(self) -> dict[int, SignedSum]:
        """The angles about parallel axes with which each unwrapped angle turns."""
        return {k: terms for form in self.forms for k, terms in form.angle_sums.items()}

    def coordinates(
        self,
        states: Sequence[Scalar],
        t: Scalar,
        z: Sequence[Scalar],
        branch_parameters: BranchParameters[Sequence[Scalar]],
        solve: FormSolver | None = None,
    ) -> tuple[list[Scalar], list[Scalar]]:
        """Return all coordinates from those that are states, and margins to dead centres.

        `solve` evaluates a closed form, by default `solved_form`.
        """
        solve = solve or self.solved_form
        q: list[Scalar | None] = [None] * self.mechanism.n_q
        for k, value in zip(self.state_q, states, strict=True):
            q[k] = value
        branches = branch_parameters.branches
        reference = dict(zip(self.unwrapped, branch_parameters.unwrapped, strict=True))
        margins: list[Scalar] = []
        at = 0
        for step in self.steps:
            if isinstance(step, LinearStep):
                q[step.coordinate] = self._linear(step, q, t, z)
                continue
            count = len(step.decomposition.groups)
            values, found = solve(step, q, branches[at : at + count], reference)
            at += count
            margins += found
            for k, value in values.items():
                q[k] = value
        return q, margins  # type: ignore[return-value]

    def solved_form(
        self,
        form: ClosedForm,
        q: Sequence[Scalar],
        branches: Sequence[Scalar],
        references: Mapping[int, Scalar],
        hinges: dict[int, Scalar] | None = None,
    ) -> tuple[dict[int, Scalar], list[Scalar]]:
        """Return the coordinates given by a closed form, and its margins.

        `hinges` is filled with the coordinates of all its joints, by number.
        """
        walk, margins = form.run(q, branches)
        if hinges is not None:
            hinges.update(walk.coordinates)
        known = list(q)
        found: dict[int, Scalar] = {}
        for hinge, k in form.coordinate.items():
            if known[k] is None:
                near = references.get(k)
                if near is not None:
                    near = add(near, self.angle_sum(k, known))
                found[k] = known[k] = continuous(walk.coordinates[hinge], near)
        return found, margins

    def references(
        self, branch_parameters: BranchParameters[Sequence[Scalar]]
    ) -> References:
        """Return the references to which the angles of cut joints are unwrapped."""
        found: dict[tuple[Part, str], Callable[[MotionView], Scalar]] = {}
        own = branch_parameters
        for angle, offset in zip(self.summed_cuts, own.summed_cuts, strict=True):

            def near(
                motion: MotionView, angle: CutAngle = angle, offset: Scalar = offset
            ) -> Scalar:
                return add(offset, angle.sum_of(motion.q))

            found[angle.part, angle.name] = near
        for angle, symbol in zip(self.unwrapped_cuts, own.unwrapped_cuts, strict=True):
            found[angle.part, angle.name] = lambda motion, symbol=symbol: symbol
        return found

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

    # --- other formulations of the same mechanism ------------------------------------------

    def released(self) -> LoopFormulation:
        """Return the formulation with all coordinates as states and multipliers for all loops."""
        equations = self.constraints.equations
        linear = [step for step in self.steps if isinstance(step, LinearStep)]
        related = [k for k in self.solved if equations[k].relation is not None]
        released = [k for k in self.solved if equations[k].relation is None]
        decisions = [
            replace(
                d, strategy=PROJECTED, reason="continued by projection", decomposition=None
            )
            for d in self.decisions
        ]
        return replace(
            self,
            decisions=tuple(decisions),
            steps=tuple(linear),
            dependent_u=tuple(step.speed for step in linear),
            solved=tuple(related),
            with_multiplier=(*released, *self.with_multiplier),
            gains=None,
        )

    def with_redundant(self) -> LoopFormulation:
        """Return the formulation with multipliers for all redundant constraints, too.

        It is the same object where closed forms solve loops, or no redundant constraint depends
        on the pose.
        """
        g, n_holonomic = self.constraints.g, self.constraints.n_holonomic
        more = tuple(
            k for k in self.redundant if k < n_holonomic and not g[k].is_constant()
        )
        if self.solved or not more:
            return self
        return replace(
            self,
            with_multiplier=tuple(sorted((*self.with_multiplier, *more))),
            redundant=tuple(k for k in self.redundant if k not in more),
            redundant_kept=more,
        )


def continuous(value: Scalar, reference: Scalar | None) -> Scalar:
    """Return an angle with its value within half a turn of the reference."""
    if reference is None or not isinstance(value, Angle):
        return value
    s, c = sin(reference), cos(reference)
    across = sub(mul(value.sine, c), mul(value.cosine, s))
    along = add(mul(value.cosine, c), mul(value.sine, s))
    return Angle(add(reference, arctan2(across, along)), value.sine, value.cosine)
