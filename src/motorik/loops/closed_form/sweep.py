"""Range of a plan: whether its crank can turn fully with all loops closed."""

from __future__ import annotations

from collections.abc import Sequence
from math import tau

import numpy as np

from motorik.algebra.angle import Angle
from motorik.algebra.matrix import Matrix
from motorik.loops.closed_form.branches import nearest_side
from motorik.loops.closed_form.layout import HingeCluster
from motorik.loops.closed_form.step import Step
from motorik.loops.closed_form.walk import Walk

SAMPLES = 48
NEAR_DEAD_CENTRE = 1e-3


def turns_fully(cluster: HingeCluster, crank: int, steps: Sequence[Step]) -> bool:
    """Return whether no step meets its dead centre on a full turn of the hinge `crank`.

    All steps stay on the sides of the first assembled pose. A slide has no full turn.
    """
    if cluster.hinges[crank].kind != "R":
        return False
    values, pose = cluster.values[0], cluster.poses[0].__getitem__
    start = values[crank]
    assert not isinstance(start, Matrix)
    turn = Angle(start + np.linspace(0.0, tau, SAMPLES, endpoint=False))
    walk = Walk(cluster.root, cluster.hinges.values(), {crank: turn})
    with np.errstate(all="ignore"):
        for step in steps:
            side, _, _ = nearest_side(step, values, pose)
            solution = walk.solve(step, side)
            if not np.all(solution.margin > NEAR_DEAD_CENTRE):
                return False
            walk.learn(solution)
    return True
