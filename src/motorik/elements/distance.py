"""Distance: what holds points on the line between two origins, and these apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, div, mul, sub


@dataclass(frozen=True)
class Distance:
    """Two origins are `length` [m] apart: (|p_b − p_a|² − L²) / 2L = 0.

    Near its zero the residual is the error of the distance itself [m].
    """

    length: Scalar

    units: ClassVar[tuple[str, ...]] = ("m",)

    def __call__(self, X_a: Pose, X_b: Pose) -> tuple[Scalar]:
        """Return the residual for the poses of both frames seen from one common frame."""
        r, L = X_b.p - X_a.p, self.length
        return (div(sub(r.dot(r), mul(L, L)), mul(2.0, L)),)


@dataclass(frozen=True)
class Between:
    """A third origin divides the line of two: p_c − p_a − h (p_b − p_a) = 0 [m]."""

    fraction: Scalar = 0.5  # h; 0 at a, 1 at b

    units: ClassVar[tuple[str, ...]] = ("m", "m", "m")

    def __call__(self, X_a: Pose, X_b: Pose, X_c: Pose) -> tuple[Scalar, Scalar, Scalar]:
        """Return the residual for the poses of the frames seen from one common frame."""
        return (X_c.p - X_a.p - self.fraction * (X_b.p - X_a.p)).xyz


@dataclass(frozen=True)
class Towards:
    """A third origin is `length` from one towards another: p_c − p_a − L e_ab = 0 [m]."""

    length: Scalar

    units: ClassVar[tuple[str, ...]] = ("m", "m", "m")

    def __call__(self, X_a: Pose, X_b: Pose, X_c: Pose) -> tuple[Scalar, Scalar, Scalar]:
        """Return the residual for the poses of the frames seen from one common frame."""
        e = (X_b.p - X_a.p).normalized()
        return (X_c.p - X_a.p - self.length * e).xyz


@dataclass(frozen=True)
class SameLength:
    """A length s [m] is the distance of two origins: |p_b − p_a| − s = 0."""

    units: ClassVar[tuple[str, ...]] = ("m",)

    def __call__(self, X_a: Pose, X_b: Pose, s: Scalar) -> tuple[Scalar]:
        """Return the residual for the poses of both frames and the length."""
        return (sub((X_b.p - X_a.p).norm(), s),)


@dataclass(frozen=True)
class SteadyDistance:
    """Two origins stay as far apart as they are: r · (v_b − v_a) / |r| = 0 [m/s].

    How far that is, other start values say.
    """

    units: ClassVar[tuple[str, ...]] = ("m/s",)

    def __call__(self, poses: Sequence[Pose], velocities: Sequence[Motor]) -> tuple[Scalar]:
        """Return the rate of the distance; each velocity is resolved in its own frame."""
        (X_a, X_b), (V_a, V_b) = poses, velocities
        r = X_b.p - X_a.p
        return (r.dot(X_b.R @ V_b.moment - X_a.R @ V_a.moment) / r.norm(),)
