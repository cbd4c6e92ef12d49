"""Formulation of a model: how its loops are solved, and which of its coordinates are states."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from motorik.immutable import immutable

if TYPE_CHECKING:
    import numpy as np

    from motorik.loops.formulation import Formulation
    from motorik.loops.mobility import MobilityAnalysis
    from motorik.loops.options import LoopStrategy
    from motorik.topology.assembled_model import AssembledModel
    from motorik.topology.mechanism import Mechanism


@immutable
class FormulatedModel:
    """An assembled model, the tree chosen for it, and how its loops are solved.

    `mobility` and `formulation` are None for a tree without loops, all of whose coordinates
    and speeds are states.
    """

    assembled: AssembledModel
    options: LoopStrategy
    mechanism: Mechanism
    mobility: MobilityAnalysis | None = None
    formulation: Formulation | None = None

    def projected(self) -> FormulatedModel:
        """Return the same mechanism with all loops held by multipliers and projection."""
        assert self.formulation is not None
        return replace(self, formulation=self.formulation.released())

    def with_constraints_at(self, q: np.ndarray) -> FormulatedModel:
        """Return the projected model with constraints that are independent at the pose q, too."""
        from motorik.loops.decide import with_constraints_at

        return with_constraints_at(self, q)

    def with_redundant(self) -> FormulatedModel | None:
        """Return the model with multipliers for redundant constraints, None if it has none."""
        assert self.formulation is not None
        found = self.formulation.with_redundant()
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
    assembled = with_design_values(assembled)
    mechanism = assembled.grown(None, options.is_absolute)
    if not (mechanism.has_loops or mechanism.massless):
        options.check_parts([])
        return FormulatedModel(assembled, options, mechanism)
    from motorik.loops.decide import formulate_loops

    return formulate_loops(assembled, options, mechanism)
