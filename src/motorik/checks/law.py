"""Law: a condition on a joint, and the deviation of a joint from it at sample poses."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from motorik.algebra.dual import Dual, rate_of, value_of
from motorik.algebra.motor import Motor
from motorik.algebra.rotation import angular_velocity_from
from motorik.elements.joint import Joint
from motorik.immutable import immutable


@immutable
class JointSample:
    """A sample at which laws are tested: coordinates, speeds, a velocity and a force motor."""

    q: tuple[float, ...]
    u: tuple[float, ...]
    V_a: Motor
    F_b: Motor


@immutable
class JointLaw:
    """A law of joints, and the deviation of a joint from it at each sample."""

    name: str
    statement: str
    remedy: str
    deviations: Callable[[Joint, Sequence[JointSample]], list[float]]


def each(
    deviation: Callable[[Joint, JointSample], float],
) -> Callable[[Joint, Sequence[JointSample]], list[float]]:
    """Return the deviations at all samples by that at one."""
    return lambda joint, samples: [deviation(joint, sample) for sample in samples]


def plain(values: Sequence[float] | np.ndarray) -> tuple[float, ...]:
    """Return values as plain numbers."""
    return tuple(float(value) for value in values)


def difference(a: object, b: object) -> float:
    """Return the largest difference, relative to 1 + |b|; NaN if there is one."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if a.shape != b.shape:
        return np.inf
    return float(np.max(np.abs(a - b) / (1.0 + np.abs(b)))) if a.size else 0.0


def rate_of_pose(joint: Joint, q: Sequence[float], u: Sequence[float]) -> np.ndarray:
    """Return the velocity of b seen from a, resolved in b, by dual numbers."""
    moving = [Dual(x, xd) for x, xd in zip(q, joint.rates(q, u), strict=True)]
    X = joint.pose(*moving)
    R, R_rate = X.R.map(value_of), X.R.map(rate_of)
    v = R.T @ X.p.map(rate_of)
    return Motor(angular_velocity_from(R, R_rate), v).numpy()
