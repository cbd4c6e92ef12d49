"""Other frames for the same links, in which revolute joints have sparse constants.

Every revolute joint rotates about its z axis, and the constant pose before it is decomposed into
rotations about z and x (Denavit and Hartenberg 1955): a vector is then rotated about one
coordinate axis at a time, which costs less than a general rotation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motorik.algebra import scalar as s
from motorik.algebra.dyad import NO_INERTIA
from motorik.algebra.matrix import Matrix
from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.rotation import is_identity, rotation_about, snapped
from motorik.algebra.vector import AXES, Vector, X, Z
from motorik.elements.revolute import RevolutePair
from motorik.elements.rigid import RigidPair
from motorik.topology.mechanism import WORLD, Link


def can_reframe(links: Sequence[Link]) -> bool:
    """Return whether the constants of all revolute joints are plain numbers."""
    return all(_is_plain(link) for link in links)


def reframe(links: Sequence[Link]) -> list[Link]:
    """Return the same mechanism with links in frames of sparse constants.

    Coordinates and speeds keep their meaning and numbers; constant rotations become links of
    their own without mass and freedom.
    """
    axes = [_to_axis(link) for link in links]
    frames = [_frame_for_main_child(link, links, axes) for link in links]
    made: list[Link] = []
    place: dict[int, int] = {WORLD: WORLD}
    for link, P, F in zip(links, axes, frames, strict=True):
        F_p = IDENTITY_POSE if link.parent == WORLD else frames[link.parent]
        K = F_p.inverse() @ link.X_pj
        parent, joint = place[link.parent], link.joint
        back = F.inverse()
        if P is not None:
            assert isinstance(joint, RevolutePair)
            K = K @ Pose(P)
            gamma = math.atan2((P.T @ F.R).yx, (P.T @ F.R).xx)
            a, b, c = zxz_angles(K.R.numpy())
            slide = Pose(p=Vector(0.0, 0.0, F.p.dot(P @ Z)))
            K = K @ slide
            joint = RevolutePair(Z, float(joint.offset) + gamma + c)
            for R, p in ((rotation_about(Z, a), K.p), (rotation_about(X, b), Vector())):
                if not is_identity(snapped(R)) or p is K.p:
                    made.append(_weld(len(made), parent, Pose(snapped(R), p), link))
                    parent = made[-1].index
            K = IDENTITY_POSE
        new = replace(
            link,
            index=len(made),
            parent=parent,
            joint=joint,
            X_pj=K,
            inertia=link.inertia.seen_from(back),
            point_masses=[(m, back(centre)) for m, centre in link.point_masses],
        )
        made.append(new)
        place[link.index] = new.index
    return made


def _weld(index: int, parent: int, X: Pose, link: Link) -> Link:
    return replace(
        link,
        index=index,
        parent=parent,
        joint=RigidPair(),
        X_pj=X,
        inertia=NO_INERTIA,
        q=range(0),
        u=range(0),
        point_masses=[],
    )


def _is_plain(link: Link) -> bool:
    numbers = (*link.X_pj.R.entries, *link.X_pj.p.xyz, *link.inertia.J.entries)
    if isinstance(link.joint, RevolutePair):
        numbers += (*link.joint.axis.xyz, link.joint.offset)
    return all(s.is_number(e) for e in numbers)


def _to_axis(link: Link) -> Matrix | None:
    """Return a rotation that takes z to the axis of a revolute joint, None for other joints."""
    if not isinstance(link.joint, RevolutePair):
        return None
    e = link.joint.axis
    for k, axis in enumerate(AXES):
        if abs(e.dot(axis)) == 1.0:
            x = AXES[(k + 1) % 3]
            return Matrix.from_columns(x, e.cross(x), e)
    x = min(AXES, key=lambda axis: abs(e.dot(axis))).cross(e).normalized()
    return Matrix.from_columns(x, e.cross(x), e)


def _frame_for_main_child(
    link: Link, links: Sequence[Link], axes: Sequence[Matrix | None]
) -> Pose:
    """Return the new frame of a link in its old one: rotated about and shifted along its axis.

    The first rotation in the decomposition of its main child then vanishes, and the child has no
    offset along the axis.
    """
    P = axes[link.index]
    if P is None:
        return IDENTITY_POSE
    children = [c for c in links if c.parent == link.index and axes[c.index] is not None]
    if not children:
        return Pose(P)
    child = max(children, key=lambda c: _size(c, links))
    Q = axes[child.index]
    assert Q is not None
    a, _, _ = zxz_angles((P.T @ child.X_pj.R @ Q).numpy())
    along = (P.T @ child.X_pj.p).z
    return Pose(snapped(P @ rotation_about(Z, a)), P @ Vector(0.0, 0.0, along))


def _size(link: Link, links: Sequence[Link]) -> int:
    count = {link.index: 1}
    for other in links:
        if other.parent in count:
            count[other.index] = 1
    return len(count)


def zxz_angles(R: np.ndarray) -> tuple[float, float, float]:
    """Return a, b, c with R = Rot(z, a) Rot(x, b) Rot(z, c)."""
    b = math.atan2(math.hypot(R[2, 0], R[2, 1]), R[2, 2])
    if math.hypot(R[2, 0], R[2, 1]) < 1e-14:  # a and c turn about the same axis
        return 0.0, b, math.atan2(-R[0, 1], R[0, 0])
    return math.atan2(R[0, 2], -R[1, 2]), b, math.atan2(R[2, 0], R[2, 1])
