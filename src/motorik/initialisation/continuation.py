"""An initial state from an output sample: dependent angles keep their full turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from motorik.initialisation.branches import coarse, turning_references
from motorik.initialisation.kernels import TURN, whole_turns
from motorik.initialisation.search import InitialState

if TYPE_CHECKING:
    from motorik.results.sample import Sample


def with_turns(found: InitialState, sample: Sample) -> InitialState:
    """Return the initial state with dependent angles within half a turn of those of a sample."""
    system, layout = found.system, found.system.layout
    f = system.formulation
    X, p = found.X.copy(), found.p.copy()
    states, index = {*f.state_q}, layout.index
    for k, _ in f.constraints.revolutes:
        name = layout.motion_names[k]
        if k not in states and name in sample.dependent:
            X[index[name]] = _near(float(X[index[name]]), sample.dependent[name])
    q = layout.split(X)[0]
    at = layout.branch
    p[at.unwrapped] = coarse(turning_references(f, q))
    for place, cut in enumerate(f.unwrapped_cuts, start=at.unwrapped_cuts.start):
        known = sample.dependent.get(f"{cut.part.path}.{cut.name}")
        if known is not None:
            p[place] = _near(float(p[place]), known)
    for place, cut in enumerate(f.summed_cuts, start=at.summed_cuts.start):
        known = sample.dependent.get(f"{cut.part.path}.{cut.name}")
        if known is not None:
            total = float(cut.sum_of(q.tolist()))
            p[place] = _near(float(p[place]), known - total)
    return InitialState(system, found.t, X, np.asarray(layout.state_of(X)), p)


def _near(angle: float, known: float) -> float:
    """Return an angle, by full turns, within half a turn of a known one."""
    return angle + TURN * float(whole_turns(known - angle))
