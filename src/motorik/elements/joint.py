"""Joint: pose and screws, from which everything else follows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from motorik.algebra.dual import Dual, rate_of
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.elements.closure import apart
from motorik.elements.constraint import PARALLEL, TOGETHER, Constraint, joined
from motorik.immutable import immutable


@immutable
class Coordinate:
    """A joint coordinate or speed: its name, unit and neutral value."""

    name: str
    unit: str
    neutral: float = 0.0


class Joint(ABC):
    """The kinematics of a joint: where frame b is, and how it can move, seen from frame a.

    A joint class is `immutable` and defines

    * ``coordinates`` and ``speeds``: their names and units;
    * ``pose(*q)``: X_ab(q);
    * ``screws(*q)``: the motors S_i in frame b with V_rel = Σ S_i u_i;

    * ``fit(X_ab)``: the coordinates of a pose;

    and, where the coordinates are not the integrals of the speeds (quaternions),
    ``rates(q, u)``; where a cheaper form is known, its ``constraint``. Motion and force
    transmission follow in `JointElement`.
    """

    coordinates: ClassVar[tuple[Coordinate, ...]]
    speeds: ClassVar[tuple[Coordinate, ...]]
    needs_projection: ClassVar[bool] = False

    @abstractmethod
    def pose(self, *q: Scalar, **named: Scalar) -> Pose:
        """Return the pose X_ab of frame b seen from frame a."""

    @abstractmethod
    def screws(self, *q: Scalar, **named: Scalar) -> tuple[Motor, ...]:
        """Return the motors S_i, one per speed, resolved in frame b about its origin."""

    @abstractmethod
    def fit(self, X_ab: Pose) -> tuple[Scalar, ...]:
        """Return the coordinates whose pose is (nearest to) X_ab."""

    @property
    def constraint(self) -> Constraint:
        """The constraint between a and b where the joint closes a loop.

        Joint classes define it in 6 − f rows; by default b must be at the nearest pose of the
        joint.
        """
        held = joined(TOGETHER, PARALLEL)
        assert held.residual is not None and held.assembly_residual is not None
        residual, assembly_residual = held.residual, held.assembly_residual
        return replace(
            held,
            residual=lambda X_a, X_b: residual(self._best(X_a, X_b), X_b),
            assembly_residual=lambda X_a, X_b: assembly_residual(self._best(X_a, X_b), X_b),
            gap=self.misfit,
        )

    def holding(self, *parts: Constraint) -> Constraint:
        """Return the constraint of all these, its gap measured from the nearest pose."""
        return replace(joined(*parts), gap=self.misfit)

    def misfit(self, X_a: Pose, X_b: Pose) -> tuple[Scalar, Scalar]:
        """Return the distance [m] and angle [rad] of b from the nearest pose of the joint."""
        return apart(self._best(X_a, X_b), X_b)

    def _best(self, X_a: Pose, X_b: Pose) -> Pose:
        return X_a @ self.pose(*self.fit(X_a.inverse() @ X_b))

    def rates(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return dq/dt for the speeds u."""
        return tuple(u)

    def redundancy(self, q: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the residual of valid coordinates: |Q|² − 1 of a quaternion."""
        return ()

    def projected(self, q: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the coordinates of the same pose in their best form, after a step of time.

        Used where `needs_projection` is true: quaternions are normalised.
        """
        return tuple(q)

    def reversed(self) -> Joint:
        """Return the same joint seen from the other side: X_ba with the same q and u."""
        return Reversed(self)

    def relative_velocity(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return V_rel = Σ S_i u_i, resolved in frame b."""
        return combine(self.screws(*q), u)

    def bias(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return Σ Ṡ_i u_i: the rate of the relative velocity at constant speeds, in frame b."""
        moving = [Dual(x, xd) for x, xd in zip(q, self.rates(q, u), strict=True)]
        rates = [screw.map(rate_of) for screw in self.screws(*moving)]
        return combine(rates, u)

    @property
    def freedom(self) -> int:
        """The number of speeds."""
        return len(self.speeds)


def combine(screws: Sequence[Motor], factors: Sequence[Scalar]) -> Motor:
    """Return Σ S_i c_i."""
    result = ZERO_MOTOR
    for screw, factor in zip(screws, factors, strict=True):
        result = result + factor * screw
    return result


@immutable
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
    def constraint(self) -> Constraint:
        """The constraint of the joint itself, the frames exchanged."""
        return self.joint.constraint.reversed()

    @property
    def needs_projection(self) -> bool:  # type: ignore[override]
        """Whether the joint itself needs_projection."""
        return self.joint.needs_projection

    def redundancy(self, q: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the redundancy of the joint itself."""
        return self.joint.redundancy(q)

    def projected(self, q: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """Return the coordinates projected by the joint itself."""
        return self.joint.projected(q)

    def reversed(self) -> Joint:
        """Return the joint itself."""
        return self.joint
