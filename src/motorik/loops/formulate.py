"""Formulation of a model: its states, and how constraint equations are solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar, add, mul
from motorik.components.base.contributions import ALWAYS
from motorik.immutable import immutable
from motorik.loops.branch_blocks import BranchParameters
from motorik.loops.scales import Scales, find_scales
from motorik.motion.steps import radians

if TYPE_CHECKING:
    import casadi

    from motorik.loops.constraint_equations import ConstraintEquation, ConstraintEquations
    from motorik.loops.formulation import (
        AssurGroup,
        ClosedForm,
        CutAngle,
        LinearStep,
        LoopDecision,
        LoopFormulation,
        SignedSum,
    )
    from motorik.loops.mobility import MobilityAnalysis
    from motorik.loops.options import LoopStrategy
    from motorik.loops.static_equilibrium import StaticEquilibrium
    from motorik.motion.tree_equations import TreeEquations
    from motorik.motion.view import References
    from motorik.topology.assembled_model import AssembledModel
    from motorik.topology.inventory import Inventory
    from motorik.topology.mechanism import Mechanism


class NoConstraints:
    """The constraint equations of a tree: there are none, and their functions are empty."""

    equations: tuple[ConstraintEquation, ...] = ()
    pattern: tuple[tuple[int, int], ...] = ()
    revolutes: tuple[tuple[int, int], ...] = ()  # those that constraint equations depend on
    n_holonomic = 0

    def y_of(self, q: Sequence[Scalar], t: Scalar, z: Sequence[Scalar]) -> casadi.SX:
        """Return the arguments of the functions."""
        return _no_values()

    def _function(self, *given: casadi.SX) -> casadi.SX:
        return _no_values()

    position_function = velocity_function = matrix_function = _function
    assembly_function = violation_function = _function


def _no_values() -> casadi.SX:
    import casadi

    return casadi.SX(0, 1)


NO_CONSTRAINTS = NoConstraints()


@immutable
class Formulation:
    """The formulation of the equations of motion of a mechanism.

    That of a tree is empty: all coordinates and speeds are states, and there are no constraint
    equations. A `LoopFormulation` has some, or massless bodies.

    Coordinates and speeds are partitioned into states and dependent ones:

    - `state_q`, `state_u`: numbers of the coordinates and speeds that are states;
    - `dependent_q`: coordinates given by `steps`: closed forms and linear relations;
    - `dependent_u`: speeds u_D = J u_S + w given by the constraint equations `solved`.

    The constraint equations are partitioned, too:

    - `solved`: eliminated together with the dependent speeds;
    - `with_multiplier`: enforced by Lagrange multipliers, and by projection or, with `gains`,
      by Baumgarte's stabilisation. Where a pivot falls below `softness` of its usual size, at
      a singular position, the multiplier goes to zero;
    - `redundant`: linearly dependent on the others at all sampled poses, and omitted;
    - `redundant_kept`: redundant as well, but with a multiplier, since the choice of
      independent equations would have to change along the motion.

    `early_constraints` allows elimination of a multiplier before all speeds of its equation,
    where this costs less; an audit in the run checks the result. `elimination_poses` are
    further poses at which the orders of elimination must hold. `summed_cuts` and `unwrapped_cuts`
    are the angles of cut joints. `equilibrium` describes massless bodies: their positions are
    states, their velocities follow from static equilibrium.

    Besides states and live parameters the equations need the branch parameters: the branch
    sign of each Assur group, a reference for each unwrapped angle, the offsets of summed
    angles.
    """

    mechanism: Mechanism
    constraints: ConstraintEquations | NoConstraints
    scales: Scales
    samples: tuple[np.ndarray, ...] = ()
    decisions: tuple[LoopDecision, ...] = ()
    steps: tuple[ClosedForm | LinearStep, ...] = ()
    dependent_u: tuple[int, ...] = ()
    solved: tuple[int, ...] = ()
    with_multiplier: tuple[int, ...] = ()
    redundant: tuple[int, ...] = ()
    summed_cuts: tuple[CutAngle, ...] = ()
    unwrapped_cuts: tuple[CutAngle, ...] = ()
    gains: tuple[float, float] | None = None
    equilibrium: StaticEquilibrium | None = None
    softness: float = 1e-9
    early_constraints: bool = True
    redundant_kept: tuple[int, ...] = ()
    elimination_poses: tuple[np.ndarray, ...] = ()

    @cached_property
    def dependent_q(self) -> tuple[int, ...]:
        """The coordinates that follow from those that are states."""
        return tuple(k for step in self.steps for k in step.outputs)

    @cached_property
    def state_q(self) -> tuple[int, ...]:
        """The coordinates that are states."""
        taken = set(self.dependent_q)
        return tuple(k for k in range(self.mechanism.n_q) if k not in taken)

    @cached_property
    def state_u(self) -> tuple[int, ...]:
        """The speeds that are states."""
        taken = {*self.dependent_u, *self.mechanism.massless}
        return tuple(k for k in range(self.mechanism.n_u) if k not in taken)

    @property
    def freedom(self) -> int:
        """The degree of freedom of the mechanism."""
        return len(self.state_u) - len(self.independent)

    @cached_property
    def independent(self) -> tuple[int, ...]:
        """The constraints with multipliers that are not redundant at the samples."""
        return tuple(k for k in self.with_multiplier if k not in self.redundant_kept)

    @cached_property
    def forms(self) -> tuple[ClosedForm, ...]:
        """The closed forms."""
        return ()

    @cached_property
    def branched_groups(self) -> tuple[tuple[ClosedForm, AssurGroup], ...]:
        """The Assur groups of all closed forms, one branch parameter each."""
        return ()

    @cached_property
    def unwrapped(self) -> tuple[int, ...]:
        """The revolute coordinates given by closed forms, which are unwrapped in the run."""
        return ()

    @cached_property
    def angle_sums(self) -> dict[int, SignedSum]:
        """The angles about parallel axes with which each unwrapped angle turns."""
        return {}

    def angle_sum(self, k: int, values: Sequence[Scalar]) -> Scalar:
        """Return Σ ± q (or Σ ± u) of the angles with which a coordinate is unwrapped."""
        total: Scalar = 0.0
        for other, sign in self.angle_sums.get(k, ()):
            total = add(total, mul(sign, radians(values[other])))
        return total

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be solved: no constraint equations, no massless bodies."""
        return True

    @cached_property
    def branch_slices(self) -> BranchParameters[slice]:
        """The blocks of the branch parameters, which follow the live parameters in p."""
        counts = (
            len(self.branched_groups),
            len(self.unwrapped),
            len(self.unwrapped_cuts),
            len(self.summed_cuts),
        )
        ends = list(accumulate(counts))
        return BranchParameters(*map(slice, [0, *ends[:-1]], ends))

    @property
    def n_branch_parameters(self) -> int:
        """The number of branch parameters."""
        return self.branch_slices.summed_cuts.stop

    def split_branch_parameters(
        self, branch_parameters: Sequence[Scalar]
    ) -> BranchParameters[Sequence[Scalar]]:
        """Return the blocks of the branch parameters."""
        return self.branch_slices.mapped(branch_parameters.__getitem__)

    def references(
        self, branch_parameters: BranchParameters[Sequence[Scalar]]
    ) -> References:
        """Return the references to which the angles of cut joints are unwrapped."""
        return {}

    def equations_of_motion(self, p: np.ndarray) -> TreeEquations:
        """Return the equations of motion, with orders of elimination chosen at live values p."""
        if self.mechanism.coupled_masses:
            from motorik.loops.recursion import CoupledTree

            return CoupledTree(self.mechanism)
        from motorik.motion.tree_equations import TreeEquations

        return TreeEquations(self.mechanism)


@immutable
class FormulatedModel:
    """An assembled model, the tree chosen for it, its states and how its loops are solved.

    `mobility` is the analysis of its loops, None for a tree.
    """

    assembled: AssembledModel
    options: LoopStrategy
    mechanism: Mechanism
    formulation: Formulation
    mobility: MobilityAnalysis | None = None

    def projected(self) -> FormulatedModel:
        """Return the same mechanism with all loops held by multipliers and projection."""
        return replace(self, formulation=self.of_loops.released())

    @property
    def of_loops(self) -> LoopFormulation:
        """The formulation of its loops; there must be some."""
        from motorik.loops.formulation import LoopFormulation

        assert isinstance(self.formulation, LoopFormulation)
        return self.formulation

    def with_constraints_at(self, q: np.ndarray) -> FormulatedModel:
        """Return the projected model with constraints that are independent at the pose q, too."""
        from motorik.loops.decide import with_constraints_at

        return with_constraints_at(self, q)

    def with_redundant(self) -> FormulatedModel | None:
        """Return the model with multipliers for redundant constraints, None if it has none."""
        found = self.of_loops.with_redundant()
        return None if found is self.formulation else replace(self, formulation=found)


def with_design_values(assembled: AssembledModel) -> AssembledModel:
    """Return a model with the lengths that follow from its design pose, if it has any."""
    if not any(scalar.parameter.is_designed for scalar in assembled.live):
        return assembled
    from motorik.loops.design_pose import design_values

    return design_values(assembled)


def formulate(assembled: AssembledModel, options: LoopStrategy) -> FormulatedModel:
    """Return a model with the tree, the states and the solution of loops chosen for it.

    A model without loops is its tree: no loops are analysed, and their modules not loaded.
    """
    formulated = _formulate(assembled, options)
    if not options.is_absolute and _requires_states(formulated.mechanism.inventory):
        from motorik.loops.required_states import check_required_states

        check_required_states(formulated.formulation)
    return formulated


def _requires_states(inventory: Inventory) -> bool:
    """Return whether a part has coordinates that must be states."""
    return (
        any(edge.state_priority >= ALWAYS for edge in inventory.joints)
        or any(one.state_priority >= ALWAYS for one in inventory.flange_inertias)
        or any(mass.priority >= ALWAYS for mass in inventory.masses)
    )


def _formulate(assembled: AssembledModel, options: LoopStrategy) -> FormulatedModel:
    assembled = with_design_values(assembled)
    mechanism = assembled.grown(None, options.is_absolute)
    if mechanism.massless:
        from motorik.loops.static_equilibrium import points_with_torques

        turning = points_with_torques(mechanism)
        if turning:
            assembled.let_turn(turning)
            mechanism = assembled.grown(None, options.is_absolute)
    if not (mechanism.has_loops or mechanism.massless):
        options.check_parts([])
        scales = find_scales(assembled.numeric(mechanism))
        empty = Formulation(mechanism, NO_CONSTRAINTS, scales)
        return FormulatedModel(assembled, options, mechanism, empty)
    from motorik.loops.decide import formulate_loops

    return formulate_loops(assembled, options, mechanism)
