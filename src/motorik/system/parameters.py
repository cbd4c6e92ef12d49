"""Live parameters of a model: which there are, which values real parts may have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motorik.components.base.composite import Composite
from motorik.components.base.part import Part
from motorik.components.base.values import LiveScalar
from motorik.errors import ParameterError
from motorik.loops.closing import Moment, PoseProblem
from motorik.loops.clusters import find_clusters
from motorik.loops.guesses import guesses
from motorik.loops.refusals import refuse_open_loop
from motorik.loops.rows import ConstraintRows
from motorik.loops.scales import find_scales
from motorik.loops.survey import Subject, block_starts
from motorik.topology.mechanism import Mechanism


def live_scalars(model: Composite) -> tuple[LiveScalar, ...]:
    """Return the live numbers of a model: the user's, then those the design pose tells."""
    live = [e for parameter in model.live_parameters().values() for e in parameter.elements]
    designed = [e for part in model.walk() for e in part.designed()]
    return (*live, *designed)


def design_values(subject: Subject) -> Subject:
    """Return the subject with the values that follow from its design pose.

    That is the pose of the model's own start values, with what is to be designed left open.
    """
    if not any(scalar.parameter.is_designed for scalar in subject.live):
        return subject
    mechanism = subject.assembled()
    open_ones = {
        k: closure.design
        for k, closure in enumerate(mechanism.closures)
        if closure.design is not None
    }
    q = _design_pose(subject, mechanism, frozenset(open_ones))
    numeric = subject.numeric(mechanism)
    values = dict(zip(subject.live, subject.p.tolist(), strict=True))
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
    return subject.with_values(np.array(list(values.values())))


def _design_pose(
    subject: Subject, mechanism: Mechanism, without: frozenset[int]
) -> np.ndarray:
    """Return the pose of the model's own start values, some closures left open."""
    rows = ConstraintRows(mechanism, subject.symbols)
    scales = find_scales(subject.numeric(mechanism), rows, find_clusters(mechanism))
    demands = [d for d in mechanism.initial_conditions if d.level == 0]
    problem = PoseProblem(mechanism, rows, subject.symbols, scales, demands, without)
    fixed = np.array([s.start.is_fixed for s in mechanism.coordinates], dtype=bool)
    moment = Moment(subject.p, 0.0, block_starts(mechanism))
    start = np.array(mechanism.start_values()[0])
    q, gap = problem.solve(start, ~fixed, moment, guesses(mechanism))
    if not gap < problem.tolerance(q):
        refuse_open_loop(problem, q, moment)
    return q


class ParameterCheck:
    """Refuses live values that no real part has; what was accepted is not asked again."""

    def __init__(self, model: Composite, live: Sequence[LiveScalar]) -> None:
        self._parts = [part for part in model.walk() if part.has_live_parameters]
        self._index = {scalar: i for i, scalar in enumerate(live)}
        self._accepted: dict[Part, dict[int, float]] = {}

    def __call__(self, p: np.ndarray) -> None:
        """Raise `ParameterError` if a part cannot have its live values."""
        now = p.tolist()
        for part in self._parts:
            accepted = self._accepted.get(part)
            if accepted is None or any(now[i] != value for i, value in accepted.items()):
                self._accepted[part] = self._check(part, now)

    def _check(self, part: Part, now: Sequence[float]) -> dict[int, float]:
        """Return the live values that a part reads and finds right."""
        read: dict[int, float] = {}

        def resolve(scalar: LiveScalar) -> float:
            i = self._index[scalar]
            read[i] = now[i]
            return now[i]

        part.check_live(resolve)
        return read
