"""Joint: what every joint is, a pose and its screws; all else follows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from motorik.algebra.dual import Dual, rate_of
from motorik.algebra.motor import NO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.elements.closure import gap, turn_apart


@dataclass(frozen=True)
class Coordinate:
    """A joint coordinate or speed: its name, unit and neutral value."""

    name: str
    unit: str
    neutral: float = 0.0


class Joint(ABC):
    """The kinematics of a joint: where frame b is, and how it can move, seen from frame a.

    A kind of joint is a frozen dataclass that says

    * ``coordinates`` and ``speeds``: their names and units;
    * ``pose(*q)``: X_ab(q);
    * ``screws(*q)``: the motors S_i in frame b with V_rel = Σ S_i u_i;

    * ``fit(X_ab)``: the coordinates of a pose;

    and, where the coordinates are not the integrals of the speeds (quaternions),
    ``rates(q, u)``; where it is cheaper said outright, ``closure(X_a, X_b)``. Motion and
    force transmission follow in `JointElement`.
    """

    coordinates: ClassVar[tuple[Coordinate, ...]]
    speeds: ClassVar[tuple[Coordinate, ...]]
    settles: ClassVar[bool] = False
    closure_units: ClassVar[tuple[str, ...]] = ("m", "m", "m", "rad", "rad", "rad")
    closure_rate_units: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def pose(self, *q: Scalar, **named: Scalar) -> Pose:
        """Return the pose X_ab of frame b seen from frame a."""

    @abstractmethod
    def screws(self, *q: Scalar, **named: Scalar) -> tuple[Motor, ...]:
        """Return the motors S_i, one per speed, resolved in frame b about its origin."""

    @abstractmethod
    def fit(self, X_ab: Pose) -> tuple[Scalar, ...]:
        """Return the coordinates whose pose is (nearest to) X_ab."""

    def closure(self, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
        """Return what vanishes where the joint lets b stand so against a [closure_units].

        Both poses are seen from one common frame. Kinds of joints say it in 6 − f rows;
        what holds for all is that b is where the joint would put it.
        """
        X_b_at_best = X_a @ self.pose(*self.fit(X_a.inverse() @ X_b))
        return (*gap(X_b_at_best, X_b), *turn_apart(X_b_at_best, X_b))

    def closure_rate(
        self, poses: Sequence[Pose], velocities: Sequence[Motor]
    ) -> tuple[Scalar, ...]:
        """Return what vanishes besides, linear in the velocities [closure_rate_units].

        Of the poses of both frames, and of their velocities, each resolved in its own frame:
        the slip of what rolls. A joint that moves on fixed paths has none.
        """
        return ()

    def rates(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return dq/dt for the speeds u."""
        return tuple(u)

    def redundancy(self, q: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return what vanishes for coordinates that mean a pose: |Q|² − 1 of a quaternion."""
        return ()

    def settled(self, q: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the coordinates of the same pose in their best form, after a step of time.

        Asked for where `settles` is true: quaternions are brought back to length one.
        """
        return tuple(q)

    def reversed(self) -> Joint:
        """Return the same joint seen from the other side: X_ba with the same q and u."""
        return Reversed(self)

    def relative_velocity(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return V_rel = Σ S_i u_i, resolved in frame b."""
        return combine(self.screws(*q), u)

    def bias(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return Σ Ṡ_i u_i: what the relative velocity changes by itself, in frame b."""
        moving = [Dual(x, xd) for x, xd in zip(q, self.rates(q, u), strict=True)]
        rates = [screw.map(rate_of) for screw in self.screws(*moving)]
        return combine(rates, u)

    @property
    def freedom(self) -> int:
        """The number of speeds."""
        return len(self.speeds)


def combine(screws: Sequence[Motor], factors: Sequence[Scalar]) -> Motor:
    """Return Σ S_i c_i."""
    result = NO_MOTOR
    for screw, factor in zip(screws, factors, strict=True):
        result = result + factor * screw
    return result


@dataclass(frozen=True)
class Reversed(Joint):
    """A joint seen from its other side, with unchanged coordinates.

    X_ba = X_ab⁻¹,  S′ = −X_ab S
    """

    joint: Joint

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:  # type: ignore[override]
        """The coordinates of the joint itself."""
        return self.joint.coordinates

    @property
    def speeds(self) -> tuple[Coordinate, ...]:  # type: ignore[override]
        """The speeds of the joint itself."""
        return self.joint.speeds

    def pose(self, *q: Scalar, **named: Scalar) -> Pose:
        """Return X_ba."""
        return self.joint.pose(*q).inverse()

    def screws(self, *q: Scalar, **named: Scalar) -> tuple[Motor, ...]:
        """Return −X_ab S_i."""
        X_ab = self.joint.pose(*q)
        return tuple(-X_ab(screw) for screw in self.joint.screws(*q))

    def fit(self, X_ab: Pose) -> tuple[Scalar, ...]:
        """Return the coordinates of the joint itself for the inverse pose."""
        return self.joint.fit(X_ab.inverse())

    def rates(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return dq/dt of the joint itself."""
        return self.joint.rates(q, u)

    @property
    def closure_units(self) -> tuple[str, ...]:  # type: ignore[override]
        """The units of the closure of the joint itself."""
        return self.joint.closure_units

    def closure(self, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
        """Return the closure of the joint itself, the frames exchanged."""
        return self.joint.closure(X_b, X_a)

    @property
    def closure_rate_units(self) -> tuple[str, ...]:  # type: ignore[override]
        """The units of the slip of the joint itself."""
        return self.joint.closure_rate_units

    def closure_rate(
        self, poses: Sequence[Pose], velocities: Sequence[Motor]
    ) -> tuple[Scalar, ...]:
        """Return the slip of the joint itself, the frames exchanged."""
        return self.joint.closure_rate(poses[::-1], velocities[::-1])

    @property
    def settles(self) -> bool:  # type: ignore[override]
        """Whether the joint itself settles."""
        return self.joint.settles

    def redundancy(self, q: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the redundancy of the joint itself."""
        return self.joint.redundancy(q)

    def settled(self, q: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the coordinates settled by the joint itself."""
        return self.joint.settled(q)

    def reversed(self) -> Joint:
        """Return the joint itself."""
        return self.joint
