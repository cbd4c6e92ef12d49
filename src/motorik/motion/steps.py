"""Steps of a motion along the tree: functions of their arguments alone.

Recorded on a tape, equal steps share code.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from motorik.algebra.angle import Angle
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.elements.joint import Joint, combine


def pose_step(X_p: Pose, X_pj: Pose, joint: Joint, q: tuple[Scalar, ...]) -> Pose:
    """Return the pose of a link in the world."""
    return X_p @ (X_pj @ joint.pose(*q))


def acceleration_step(
    X: Pose, S: tuple[Motor, ...], c: Motor, A_p: Motor, rates: tuple[Scalar, ...]
) -> Motor:
    """Return the acceleration of a link from that of its parent and the rates of its speeds."""
    return X.back(A_p) + c + combine(S, rates)


def apply_frame_law(
    law: Callable[..., tuple[Motor, ...]],
    names: tuple[str, ...],
    values: tuple[object, ...],
    t: Scalar,
    motions: tuple[tuple[Pose, Motor], ...],
    *signals: Scalar,
) -> tuple[Motor, ...]:
    """Return the force motors of a law on frames."""
    p = SimpleNamespace(**dict(zip(names, values, strict=True)))
    return tuple(law(p, t, list(motions), *signals))


def radians(value: Scalar) -> Scalar:
    """Return the value in radians of an `Angle`, or a scalar itself."""
    return value.radians if isinstance(value, Angle) else value
