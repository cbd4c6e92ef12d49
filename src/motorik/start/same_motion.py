"""The same motion in other coordinates: speeds of bodies that have coordinates of their own."""

from __future__ import annotations

import numpy as np

from motorik.motion.view import MotionView
from motorik.topology.mechanism import Mechanism


def speeds_of_bodies(
    mechanism: Mechanism, q: np.ndarray, u: np.ndarray, motion: MotionView
) -> np.ndarray:
    """Return u with the speeds of all bodies that are roots as they move in `motion`.

    `motion` is the motion of another tree of the same model, q its pose in this one, whose
    constants are numbers. Velocities are linear in the speeds, so these are solved for.
    """
    import casadi

    roots = [link for link in mechanism.links if link.root is not None]
    own = [k for link in roots for k in link.u]
    if not own:
        return u
    x = casadi.SX.sym("u", u.size)
    moving = MotionView(mechanism, q.tolist(), casadi.vertsplit(x))
    missed = casadi.SX(0, 1)
    for link in roots:
        assert link.root is not None
        apart = moving.velocity(link.root.frame) - motion.velocity(link.root.frame)
        missed = casadi.vertcat(missed, *apart.resultant.xyz, *apart.moment.xyz)
    function = casadi.Function("missed", [x], [missed, casadi.jacobian(missed, x)])
    r, J = (np.asarray(values, dtype=float) for values in function(u))
    result = u.copy()
    result[own] -= np.linalg.lstsq(J[:, own], r.ravel(), rcond=None)[0]
    return result
