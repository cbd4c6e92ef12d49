"""Unwrapping of dependent angles.

Closed forms and cut joints give angles modulo 2π. In the run such an angle is unwrapped: it is
written within half a turn of a reference, which follows it. Angles about parallel axes turn
together, so that only the difference to their sum needs a reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from motorik.elements.prismatic import PrismaticPair
from motorik.elements.revolute import RevolutePair
from motorik.loops.closed_form import AssurDecomposition, Hinge
from motorik.loops.formulation import CutAngle, SignedSum
from motorik.loops.mobility import MobilityAnalysis
from motorik.numerics.tolerances import ANGLES_AGREE, PARALLEL, TURNING_TOGETHER
from motorik.topology.mechanism import WORLD, Closure, NodePose

MOST_ANGLES = 2  # of a joint; three angles about a point jump by themselves


def unwrapping_sums(
    root: int,
    hinges: Mapping[int, Hinge],
    decomposition: AssurDecomposition,
    coordinate: Mapping[int, int],
    axes: Mapping[int, np.ndarray],
) -> dict[int, SignedSum]:
    """Return, by coordinate, the independent angles with which dependent angles turn.

    `axes` are the unit axes of the R hinges at an assembled pose, seen from the root. A body
    carried by independent R hinges alone rotates by their sum, a body inside Assur groups does
    not; a hinge between the two rotates by the difference.
    """
    carried: dict[int, list[tuple[int, float]]] = {root: []}
    queue = [root]
    for body in queue:
        for h in decomposition.independent:
            hinge = hinges[h]
            for near, far, sign in ((hinge.a, hinge.b, 1.0), (hinge.b, hinge.a, -1.0)):
                if near == body and far not in carried:
                    carried[far] = [*carried[body], (h, sign)]
                    queue.append(far)
    found: dict[int, SignedSum] = {}
    for h, k in coordinate.items():
        hinge = hinges[h]
        if h in decomposition.independent or hinge.kind != "R":
            continue
        terms: dict[int, float] = {}
        for body, sign_of_body in ((hinge.a, -1.0), (hinge.b, 1.0)):
            for other, sign in carried.get(body, ()):
                if hinges[other].kind != "R":
                    continue
                along = float(axes[other] @ axes[h])
                if abs(along) > 1.0 - TURNING_TOGETHER:
                    j = coordinate[other]
                    terms[j] = terms.get(j, 0.0) + sign_of_body * sign * float(
                        np.sign(along)
                    )
        found[k] = tuple((j, sign) for j, sign in terms.items() if sign)
    return found


def axes_of_turns(
    mobility: MobilityAnalysis, root: int, hinges: Sequence[Hinge]
) -> dict[int, np.ndarray]:
    """Return the axes of the R hinges at the start, seen from the link `root`."""
    numeric, axes = mobility.numeric, {}
    for hinge in hinges:
        if hinge.kind == "R":
            edge = numeric.inventory.joints[hinge.index]
            assert isinstance(edge.joint, RevolutePair)
            at = numeric.nodes[numeric.inventory.node(edge.frame_a)]
            axis = mobility.place(at).R @ edge.joint.axis
            if root != WORLD:
                axis = mobility.poses[0][root].R.T @ axis
            axes[hinge.index] = np.array([float(e) for e in axis.xyz])
    return axes


def cut_angles(
    mobility: MobilityAnalysis,
) -> tuple[tuple[CutAngle, ...], tuple[CutAngle, ...]]:
    """Return the angles of cut joints: sums of other angles, and those to be unwrapped."""
    summed, unwrapped = [], []
    for k, closure in enumerate(mobility.mechanism.closures):
        edge = closure.edge
        if edge is None or len(edge.names) != len(edge.speed_names):
            continue
        part = edge.frame_a.owner
        table = zip(
            edge.names, edge.speed_names, edge.joint.coordinates, edge.starts, strict=True
        )
        angles = [
            CutAngle(part, name, speed, float(start.value))  # type: ignore[arg-type]
            for name, speed, coordinate, start in table
            if coordinate.unit == "rad"
        ]
        if len(angles) > MOST_ANGLES:
            continue
        found = _sum(mobility, mobility.numeric.closures[k], angles[0]) if angles else None
        if found is not None:
            summed.append(found)
        else:
            unwrapped += angles
    return tuple(summed), tuple(unwrapped)


def _sum(mobility: MobilityAnalysis, closure: Closure, angle: CutAngle) -> CutAngle | None:
    """Return the angle of a cut revolute joint as a sum of others, if its loop is planar."""
    assert closure.edge is not None
    joint = closure.edge.joint
    if not isinstance(joint, RevolutePair):
        return None
    signs = _signs(mobility, closure, joint)
    if signs is None:
        return None
    offsets = []
    for sample, q in enumerate(mobility.samples):
        phi = float(joint.fit(mobility.across(closure, sample))[0])
        offsets.append(phi - sum(sign * q[i] for i, sign in signs))
    apart = np.exp(1j * np.array(offsets)) / np.exp(1j * offsets[0])
    if np.abs(apart - 1.0).max() > ANGLES_AGREE:
        return None
    return replace(angle, terms=signs)


def _signs(
    mobility: MobilityAnalysis, closure: Closure, joint: RevolutePair
) -> SignedSum | None:
    """Return the coordinates that rotate frame b forward (+1) or back (−1) relative to frame a."""
    links = mobility.numeric.links
    n = mobility.place(closure.ends[0]).R @ joint.axis
    found: dict[int, float] = {}
    for end, sign in ((0, -1.0), (1, 1.0)):
        at = closure.ends[end].link
        while at != closure.base:
            link = links[at]
            if isinstance(link.joint, RevolutePair):
                axis = mobility.place(NodePose(link.parent, link.X_pj)).R @ link.joint.axis
                along = float(axis.dot(n))
                if abs(along) < 1.0 - PARALLEL:
                    return None
                i = link.q[0]
                found[i] = found.get(i, 0.0) + sign * float(np.sign(along))
            elif not isinstance(link.joint, PrismaticPair):
                return None
            at = link.parent
    return tuple((i, sign) for i, sign in found.items() if sign)
