"""Formulation of a model: how its loops are solved, and which of its coordinates are states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from motorik.immutable import immutable

if TYPE_CHECKING:
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


def formulate(assembled: AssembledModel, options: LoopStrategy) -> FormulatedModel:
    """Return a model with the tree, the states and the solution of loops chosen for it.

    A model without loops is its tree: no loops are analysed, and their modules not loaded.
    """
    if any(scalar.parameter.is_designed for scalar in assembled.live):
        from motorik.loops.design_pose import design_values

        assembled = design_values(assembled)
    mechanism = assembled.grown(None, options.is_absolute)
    if not (mechanism.has_loops or mechanism.massless):
        options.check_parts([])
        return FormulatedModel(assembled, options, mechanism)
    from motorik.loops.decide import formulate_loops

    return formulate_loops(assembled, options, mechanism)
