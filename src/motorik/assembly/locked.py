"""Locked loops: axes that miss one another by a little keep a loop from moving."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from motorik.assembly.mechanism import WORLD, Closure, Mechanism, Placed
from motorik.elements.turn import Turn

PARALLEL = 1e-9  # rad: axes nearer to each other than this are parallel
NEARLY = 0.2  # rad: axes within this were probably meant to be parallel


def axes_of_turns(
    mechanism: Mechanism,
    links: Sequence[int],
    closures: Sequence[Closure],
    q: np.ndarray,
    symbols: Any,
    p: np.ndarray,
) -> dict[str, np.ndarray]:
    """Return the unit axes in the world of the turns among joints, by the names of the parts."""
    import casadi

    found: dict[str, Any] = {}
    values = [float(value) for value in q]

    def note(part: str, place: Placed, joint: Turn) -> None:
        axis = mechanism.pose_from(WORLD, place, values).R @ joint.axis
        found[part] = casadi.vertcat(*axis.xyz)

    for k in links:
        link = mechanism.links[k]
        if isinstance(link.joint, Turn) and link.edge is not None:
            note(link.part, Placed(link.parent, link.X_pj), link.joint)
    for closure in closures:
        if closure.edge is not None and isinstance(closure.edge.joint, Turn):
            note(closure.part, closure.ends[0], closure.edge.joint)
    if not found:
        return {}
    function = casadi.Function(
        "axes", [symbols], [casadi.SX(casadi.horzcat(*found.values()))]
    )
    columns = np.asarray(function(p), dtype=float)
    return {part: columns[:, k] for k, part in enumerate(found)}


def misaligned(axes: Mapping[str, np.ndarray]) -> str:
    """Return which axes are almost parallel to the others of a loop, in words, or nothing.

    The direction that most axes share is taken for the one that was meant.
    """
    names = list(axes)
    if len(names) < 3:
        return ""
    angles = np.array([[_between(axes[a], axes[b]) for b in names] for a in names])
    partners = (angles < PARALLEL).sum(axis=1)
    meant = int(np.argmax(partners))
    off = [k for k in range(len(names)) if PARALLEL <= angles[meant, k] <= NEARLY]
    if partners[meant] < 2 or not off:
        return ""
    shared = [names[k] for k in range(len(names)) if angles[meant, k] < PARALLEL]
    parts = [f"that of {names[k]} is {np.degrees(angles[meant, k]):.3g}° off" for k in off]
    return f"the axes of {', '.join(shared)} are parallel, {', '.join(parts)}"


def _between(a: np.ndarray, b: np.ndarray) -> float:
    """Return the angle between two lines."""
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), abs(a @ b)))
