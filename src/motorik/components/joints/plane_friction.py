"""Friction in a plane: within a disc at rest, against the velocity when it slides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from motorik.algebra.motor import Motor
from motorik.algebra.scalar import Scalar, sqrt, where
from motorik.algebra.vector import ZERO, Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, FrameForce, Limits, Slip
from motorik.components.base.creeping import DISC, Rubbing, shares
from motorik.components.base.declarations import frame, parameter
from motorik.components.base.internal import switched_force
from motorik.components.base.motion import Motion
from motorik.components.base.resolving import Values
from motorik.components.base.values import LiveScalar
from motorik.components.base.variable import Variable
from motorik.components.forces.given import Motions
from motorik.components.joints.friction import SlideFriction


def rubbing_law(p: Values, t: Scalar, motions: Motions) -> tuple[Motor, ...]:
    """Return the friction on both bodies, in their frames, at the origin of frame_b."""
    (X_a, _), (X_b, _) = motions
    X_ab = X_a.inverse() @ X_b
    along, across = directions(p)
    f = along * p.friction_along + across * p.friction_across
    return Motor(-f, -X_ab.p.cross(f)), Motor(X_ab.R.T @ f, ZERO)


def directions(p: Values) -> tuple[Vector, Vector]:
    """Return the direction of friction and that across it, in frame_a."""
    return p.n_x * p.cosine + p.n_y * p.sine, p.n_y * p.cosine - p.n_x * p.sine


class PlaneRubbing(Rubbing):
    """Friction between two frames that slide in a plane of frame_a, alike in all directions.

    At rest it holds up to the largest force of its law in any direction; sliding, the force of
    its law at that speed acts against the velocity of frame_b.
    """

    frame_a = frame("frame of the plane")
    frame_b = frame("frame that slides")
    n_x: kinds.Axis = parameter("a unit vector in the plane", default=(1, 0, 0))
    n_y: kinds.Axis = parameter("the unit vector in the plane across it", default=(0, 1, 0))
    friction: SlideFriction = parameter("law of friction", default=None)

    friction_along = switched_force("friction along the direction", "N")

    def internal(self) -> dict[str, LiveScalar]:
        """Return the friction forces with their modes, nothing without friction."""
        return {} if self.__dict__["friction"] is None else super().internal()

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the force and its two rows, nothing without friction."""
        if p.friction is None:
            return
        yield FrameForce(self, (self.frame_a, self.frame_b), p, rubbing_law, stretch=None)
        for number, name in enumerate(("friction_along", "friction_across")):
            yield Slip(
                self,
                name,
                self._speed(p, number),
                self._limits(p, number),
                disc=DISC if number == 0 else None,
            )

    def _speed(self, p: Values, number: int) -> Callable[[Motion], Scalar]:
        def speed(motion: Motion) -> Scalar:
            X_ab, V = motion.relative(self.frame_a, self.frame_b)
            return directions(p)[number].dot(X_ab.R @ V.moment)

        return speed

    def _limits(self, p: Values, number: int) -> Callable[[Motion], Limits]:
        along, across = self._speed(p, 0), self._speed(p, 1)

        def limits(motion: Motion) -> Limits:
            v, w = along(motion), across(motion)
            most = p.friction.holding()
            f = -p.friction.sliding(_size(v, w)) * shares(p, motion.t, v, w)[number]
            return Limits(-most, most, f, f)

        return limits

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return the friction force and whether it holds; the joint shows the lost power."""
        if p.friction is None:
            return {}

        def force(motion: Motion) -> Vector:
            first, second = directions(p)
            return first * p.friction_along + second * p.friction_across

        return {
            "f_friction": Variable(force, "N", "friction on frame_b, in frame_a"),
            "locked": Variable(
                lambda motion: p.friction_along_stick, "1", "whether it holds"
            ),
        }

    def lost(self, motion: Motion) -> Scalar:
        """Return the power of friction turned into heat [W]."""
        X_ab, V = motion.relative(self.frame_a, self.frame_b)
        return -motion.variable(self, "f_friction").dot(X_ab.R @ V.moment)


def _size(v: Scalar, w: Scalar) -> Scalar:
    """Return the norm, with a slope of zero where it vanishes."""
    total = v * v + w * w
    return sqrt(where(total > 0.0, total, 1.0)) * where(total > 0.0, 1.0, 0.0)
