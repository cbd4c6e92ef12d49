"""Branch and unwrapping parameters: branch signs, references and offsets of angles, solvability."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.compiler import NativeFunction, compile_functions
from motorik.compiler.symbols import elements, make_function
from motorik.initialisation.branches import BranchSearch, coarse, turning_references
from motorik.initialisation.kernels import TURN, whole_turns
from motorik.motion.view import MotionView

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.loops.formulation import CutAngle


def branch_parameters_at(
    system: CompiledModel,
    X: np.ndarray,
    live: np.ndarray,
    t: float,
    sides: np.ndarray | None = None,
) -> np.ndarray:
    """Return what the equations need besides live parameters, at a consistent motion.

    Sides of closed forms, references of what is followed, offsets of summed angles, and with
    unknowns the solvability of speeds. `sides` are taken if they are known.
    """
    f, layout = system.formulation, system.layout
    if not f.n_branch_parameters:
        return np.zeros(0)
    q, _, z = layout.split(X)
    if sides is None:
        sides = (
            BranchSearch(system, q, z, live, t).of_pose(q)
            if f.branched_groups
            else np.zeros(0)
        )
    angle = _cut_angles(system, q, live)
    unknown = q[list(f.unknowns)] / f.scales.coordinates[list(f.unknowns)]
    counted = [angle(cut) for cut in f.unwrapped_cuts]
    summed = [angle(cut) - float(cut.sum_of(q.tolist())) for cut in f.summed_cuts]
    turning, counted, summed = map(coarse, (turning_references(f, q), counted, summed))
    rest = [Solvability.of(system).find(X, live, t)] if f.iterates else []
    return np.concatenate([sides, turning, counted, unknown, summed, rest])


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


class Solvability:
    """How well speeds follow from those of the states, where Newton's method closes loops.

    As at the pose X, or as usual at the samples if that is more, with the sign of X.
    """

    def __init__(self, system: CompiledModel) -> None:
        equations, form = system.equations, system.form
        t, X = equations.symbols("t", "X")
        motion = system.layout.split(elements(X))
        value = form.loops.from_all(t, *motion).solvability()
        given = {"t": t, "X": X, "p": equations.live}
        self._function: Any = make_function("solvability", given, [value])
        self._poses = np.array(form.formulation.samples)

    @staticmethod
    def of(system: CompiledModel) -> Solvability:
        """Return it, made once."""
        memory = system.initialisation
        if memory.solvability is None:
            memory.solvability = Solvability(system)
        return memory.solvability

    def compile(self) -> None:
        """Make native code of it, once."""
        if not isinstance(self._function, NativeFunction):
            made = compile_functions({"solvability": self._function})
            self._function = made["solvability"]

    def find(self, X: np.ndarray, live: np.ndarray, t: float) -> float:
        """Return it at a motion."""
        motions = np.repeat(X[None], len(self._poses) + 1, axis=0)
        motions[1:, : self._poses.shape[1]] = self._poses
        if isinstance(self._function, NativeFunction):
            values = self._function.map(np.array([t]), motions, live).ravel()
        else:
            values = np.array([float(self._function(t, row, live)) for row in motions])
        here, others = float(values[0]), np.sort(np.abs(values[1:]))
        middle = 0.5 * float(others[(others.size - 1) // 2] + others[others.size // 2])
        return float(np.copysign(max(abs(here), middle), here)) or 1.0
