"""Lengths that follow from the design pose: that of the model's own start values."""

from __future__ import annotations

import numpy as np

from motorik.errors import ParameterError
from motorik.loops.clusters import find_clusters
from motorik.loops.constraint_equations import ConstraintEquations
from motorik.loops.diagnosis import refuse_open_loop
from motorik.loops.guesses import guesses
from motorik.loops.mobility import block_starts
from motorik.loops.position_problem import Instant, PositionProblem
from motorik.loops.scales import find_scales
from motorik.topology.assembled_model import AssembledModel
from motorik.topology.mechanism import Mechanism


def design_values(assembled: AssembledModel) -> AssembledModel:
    """Return the model with the values that follow from its design pose.

    That is the pose of the model's own start values, with the designed lengths left open.
    """
    mechanism = assembled.mechanism
    open_ones = {
        k: closure.design
        for k, closure in enumerate(mechanism.closures)
        if closure.design is not None
    }
    q = _design_pose(assembled, mechanism, frozenset(open_ones))
    numeric = assembled.numeric(mechanism)
    values = dict(zip(assembled.live, assembled.p.tolist(), strict=True))
    for k, scalar in open_ones.items():
        closure = numeric.closures[k]
        a, b = (numeric.pose_from(closure.base, end, q.tolist()) for end in closure.ends)
        length = float((b.p - a.p).norm())
        if not length > 0.0:
            raise ParameterError(
                closure.part,
                "its ends meet at the start values of the model, so it has no length.",
                "Give start values at which they are apart, or rodLength.",
                parameter="length",
                value=0.0,
            )
        values[scalar] = length
    return assembled.with_values(np.array(list(values.values())))


def _design_pose(
    assembled: AssembledModel, mechanism: Mechanism, without: frozenset[int]
) -> np.ndarray:
    """Return the pose of the model's own start values, some closures left open."""
    constraints = ConstraintEquations(mechanism, assembled.symbols)
    scales = find_scales(
        assembled.numeric(mechanism), constraints, find_clusters(mechanism)
    )
    conditions = [d for d in mechanism.initial_conditions if d.level == 0]
    problem = PositionProblem(
        mechanism, constraints, assembled.symbols, scales, conditions, without
    )
    fixed = np.array([s.start.is_fixed for s in mechanism.coordinates], dtype=bool)
    instant = Instant(assembled.p, 0.0, block_starts(mechanism))
    start = np.array(mechanism.start_values()[0])
    q, violation = problem.solve(start, ~fixed, instant, guesses(mechanism))
    if not violation < problem.tolerance(q):
        refuse_open_loop(problem, q, instant)
    return q
