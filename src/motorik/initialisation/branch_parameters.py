"""Branch parameters: branch signs, references and offsets of unwrapped angles."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler.symbols import elements, make_function
from motorik.initialisation.branches import BranchSearch, coarse, turning_references
from motorik.initialisation.kernels import TURN, whole_turns
from motorik.loops.branch_blocks import BranchParameters
from motorik.motion.view import MotionView

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.loops.formulation import CutAngle


def branch_parameters_at(
    system: CompiledModel,
    X: np.ndarray,
    live: np.ndarray,
    t: float,
    signs: np.ndarray | None = None,
) -> np.ndarray:
    """Return the branch parameters at a consistent motion.

    These are the branch signs of Assur groups, references of unwrapped angles and offsets of
    summed angles. `signs` are the branch signs, if they are known.
    """
    f, layout = system.formulation, system.layout
    if not f.n_branch_parameters:
        return np.zeros(0)
    q, _, z = layout.split(X)
    if signs is None:
        signs = (
            BranchSearch(system, q, z, live, t).of_pose(q)
            if f.branched_groups
            else np.zeros(0)
        )
    angle = _cut_angles(system, q, live)
    counted = [angle(cut) for cut in f.unwrapped_cuts]
    summed = [angle(cut) - float(cut.sum_of(q.tolist())) for cut in f.summed_cuts]
    found = BranchParameters(
        branches=signs,
        unwrapped=coarse(turning_references(f, q)),
        unwrapped_cuts=coarse(counted),
        summed_cuts=coarse(summed),
    )
    return np.concatenate(found.blocks())


def _cut_angles(
    system: CompiledModel, q: np.ndarray, live: np.ndarray
) -> Callable[[CutAngle], float]:
    """Return a function to the angles of cut joints, within half a turn of their start values."""
    f = system.formulation
    cuts = (*f.unwrapped_cuts, *f.summed_cuts)
    memory = system.initialisation
    if memory.cut_angles is None:
        (symbols,) = system.equations.symbols("q")
        motion = MotionView(system.mechanism, elements(symbols), [0.0] * system.n_u)
        values = [motion.coordinate(cut.part, cut.name) for cut in cuts]
        given = {"q": symbols, "p": system.equations.live}
        memory.cut_angles = make_function("cuts", given, values)
    found = np.asarray(memory.cut_angles(q, live), dtype=float).ravel()
    value_of = {id(cut): float(value) for cut, value in zip(cuts, found, strict=True)}

    def angle(cut: CutAngle) -> float:
        value = value_of[id(cut)]
        return value + TURN * whole_turns(cut.start - value)

    return angle
