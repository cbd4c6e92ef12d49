"""Where points without mass are looked for at a start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from motorik.loops.closing import Moment
from motorik.loops.parts import split_symbols
from motorik.motion.imbalance import imbalance
from motorik.motion.view import MotionView
from motorik.topology.mechanism import Mechanism

if TYPE_CHECKING:
    import casadi

SWEEPS = 10  # over points that are connected with one another
STEPS = 50  # of Newton's method
SHORTEST = 1e-3  # part of a step of Newton's method that is tried


def rest_of_points(
    mechanism: Mechanism,
    numeric: Mechanism,
    symbols: casadi.SX,
    moment: Moment,
    q: np.ndarray,
) -> np.ndarray:
    """Return coordinates with what has no mass about where its forces balance at rest.

    Points begin in the middle of what they are connected with. Fixed coordinates stay, and so
    do all where no balance is found.
    """
    free = [
        mechanism.coordinate_of_speed(k)
        for k in mechanism.balanced
        if not mechanism.coordinates[mechanism.coordinate_of_speed(k)].start.is_fixed
    ]
    if not free:
        return q
    import casadi

    q = _in_the_middle(numeric, q)
    x, t = casadi.SX.sym("q", q.size), casadi.SX.sym("t")
    z = casadi.SX.sym("z", len(moment.z))
    still = [0.0] * mechanism.n_u
    motion = MotionView(mechanism, split_symbols(x), still, None, t, split_symbols(z))
    g = casadi.SX(casadi.vertcat(*imbalance(motion)))
    own = casadi.vertcat(*(x[k] for k in free))
    function = casadi.Function(
        "rest", [x, t, z, symbols], [g, casadi.densify(casadi.jacobian(g, own))]
    )

    def at(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        with np.errstate(all="ignore"):
            r, J = function(values, *moment.given)
        return np.asarray(r, dtype=float).ravel(), np.asarray(J, dtype=float)

    r, J = at(q)
    for _ in range(STEPS):
        if not (np.isfinite(r).all() and np.isfinite(J).all()):
            break
        step = np.linalg.lstsq(J, -r, rcond=1e-9)[0]
        part = 1.0
        while part >= SHORTEST:
            moved = q.copy()
            moved[free] += part * step
            r_moved, J_moved = at(moved)
            if np.linalg.norm(r_moved) < np.linalg.norm(r):
                break
            part *= 0.5
        else:
            break
        q, r, J = moved, r_moved, J_moved
    return q


def _in_the_middle(mechanism: Mechanism, q: np.ndarray) -> np.ndarray:
    """Return coordinates with points in the middle of the other ends of their forces."""
    node, links = mechanism.inventory.node, mechanism.links
    points = {k.index for k in links if k.is_balanced and k.root is not None}
    q = q.copy()
    for _ in range(SWEEPS if points else 0):
        motion = MotionView(mechanism, q.tolist(), [0.0] * mechanism.n_u)
        ends: dict[int, list[tuple[float, ...]]] = {}
        for force in mechanism.forces:
            places = [mechanism.nodes[node(port)].link for port in force.frames]
            for place in points.intersection(places):
                ends.setdefault(place, []).extend(
                    tuple(map(float, motion.pose(port).p.xyz))
                    for port, other in zip(force.frames, places, strict=True)
                    if other != place
                )
        for place, others in ends.items():
            if others:
                q[list(links[place].q)] = np.mean(others, axis=0)
    return q
