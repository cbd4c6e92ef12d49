"""Locked loops: slightly misaligned axes that prevent motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.elements.prismatic import PrismaticPair
from motorik.elements.revolute import RevolutePair
from motorik.topology.mechanism import WORLD, Closure, Mechanism, NodePose

if TYPE_CHECKING:
    import casadi

PARALLEL = 1e-9  # rad: axes nearer to each other than this are parallel
NEARLY = 0.2  # rad: axes within this were probably meant to be parallel


def axes_of(
    kind: type[RevolutePair] | type[PrismaticPair],
    mechanism: Mechanism,
    links: Sequence[int],
    closures: Sequence[Closure],
    q: np.ndarray,
    symbols: casadi.SX,
    p: np.ndarray,
) -> dict[str, np.ndarray]:
    """Return the unit axes in the world of the turns or slides among joints, by their parts."""
    import casadi

    found: dict[str, casadi.SX] = {}
    values = [float(value) for value in q]

    def note(part: str, place: NodePose, joint: RevolutePair | PrismaticPair) -> None:
        axis = mechanism.pose_from(WORLD, place, values).R @ joint.axis
        found[part] = casadi.vertcat(*axis.xyz)

    for k in links:
        link = mechanism.links[k]
        if isinstance(link.joint, kind) and link.edge is not None:
            note(link.part, NodePose(link.parent, link.X_pj), link.joint)
    for closure in closures:
        if closure.edge is not None and isinstance(closure.edge.joint, kind):
            note(closure.part, closure.ends[0], closure.edge.joint)
    if not found:
        return {}
    function = casadi.Function(
        "axes", [symbols], [casadi.SX(casadi.horzcat(*found.values()))]
    )
    columns = np.asarray(function(p), dtype=float)
    return {part: columns[:, k] for k, part in enumerate(found)}


def misaligned(
    axes: Mapping[str, np.ndarray], rails: Mapping[str, np.ndarray] | None = None
) -> str:
    """Return in words which axes are almost parallel to the others of a loop, "" if none.

    The direction shared by most axes is taken as the intended one; `rails` are the directions
    of slides, intended to be at right angles to it if they almost are.
    """
    names = list(axes)
    if len(names) < 2:
        return ""
    angles = np.array([[_between(axes[a], axes[b]) for b in names] for a in names])
    partners = (angles < PARALLEL).sum(axis=1)
    meant = int(np.argmax(partners))
    off = [k for k in range(len(names)) if PARALLEL <= angles[meant, k] <= NEARLY]
    tilts = {
        name: abs(np.pi / 2 - _between(rail, axes[names[meant]]))
        for name, rail in (rails or {}).items()
    }
    leaning = {name: tilt for name, tilt in tilts.items() if PARALLEL <= tilt <= NEARLY}
    if partners[meant] < 2 or not (off or leaning):
        return ""
    shared = [names[k] for k in range(len(names)) if angles[meant, k] < PARALLEL]
    parts = [f"that of {names[k]} is {np.degrees(angles[meant, k]):.3g}° off" for k in off]
    parts += [
        f"the rail of {name} is inclined by {np.degrees(tilt):.3g}° out of their plane"
        for name, tilt in leaning.items()
    ]
    return f"the axes of {', '.join(shared)} are parallel, {', '.join(parts)}"


def _between(a: np.ndarray, b: np.ndarray) -> float:
    """Return the angle between two lines."""
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), abs(a @ b)))


def why_locked(
    mechanism: Mechanism,
    links: Sequence[int],
    closures: Sequence[Closure],
    q: np.ndarray,
    symbols: casadi.SX,
    p: np.ndarray,
) -> str:
    """Return in words which axes and rails of loops are slightly misaligned, "" if none."""
    given = (mechanism, links, closures, q, symbols, p)
    return misaligned(axes_of(RevolutePair, *given), axes_of(PrismaticPair, *given))
