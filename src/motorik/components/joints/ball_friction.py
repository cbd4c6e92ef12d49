"""Friction of ball joints, about the three axes of frame_b."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector
from motorik.components.base.contributions import Contribution, FrameForce, Limits, Slip
from motorik.components.base.motion import Motion
from motorik.components.base.part import DeclaredPart
from motorik.components.base.ports import Port
from motorik.components.base.resolving import Values
from motorik.components.base.two_frames import two_frames
from motorik.components.base.values import LiveScalar
from motorik.components.base.variable import Variable
from motorik.components.joints.bearing import ball_load, check_radius_alone
from motorik.components.joints.friction import FrictionLaw
from motorik.components.joints.loaded import declare_forces

NAMES = ("friction_x", "friction_y", "friction_z")


class BallJoint(DeclaredPart):
    """A joint that turns freely and may have friction about the axes x, y, z of frame_b.

    Each component of the relative angular velocity has its own friction torque, which sticks
    where that component is zero: all three hold the joint at rest.
    """

    def loads(self) -> tuple[str, ...]:
        """Return the friction torques, by name."""
        laws = self.__dict__["friction"] or ()
        return tuple(
            name for name, law in zip(NAMES, laws, strict=False) if law is not None
        )

    def internal(self) -> dict[str, LiveScalar]:
        """Return the friction torques with their modes, nothing without friction."""
        if self.__dict__["friction"] is None:
            return {}
        declare_forces(self, self.loads(), "N.m")
        return super().internal()

    def check(self, p: Values) -> None:
        """Refuse friction by the reaction of a ball without its radius."""
        for law in p.friction or ():
            check_radius_alone(self.label, law)

    def load_contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the torque between the frames, and when its components stick."""
        if p.friction is None:
            return
        a, b = two_frames(self)
        yield FrameForce(self, (a, b), p, _torques, stretch=None)
        for k, (name, law) in enumerate(zip(NAMES, p.friction, strict=True)):
            if law is None:
                continue

            def speed(motion: Motion, k: int = k) -> Scalar:
                return motion.relative(a, b)[1].resultant.xyz[k]

            def rate(motion: Motion, k: int = k) -> Scalar:
                return motion.relative_acceleration(a, b)[2].resultant.xyz[k]

            way = getattr(p, f"{name}_way")

            def limits(
                motion: Motion,
                law: FrictionLaw = law,
                speed: Callable[[Motion], Scalar] = speed,
                way: Scalar = way,
            ) -> Limits:
                return _loaded(law, b, motion).limits(self.label, speed(motion), way)

            yield Slip(self, name, speed, limits, rate)

    def load_variables(self, p: Values) -> dict[str, Variable]:
        """Return modes and torques about the three axes, and the lost power."""
        if p.friction is None:
            return {}
        a, b = two_frames(self)

        def modes(motion: Motion) -> tuple[Scalar, ...]:
            return tuple(getattr(p, f"{name}_way", 0.0) for name in NAMES)

        def sticks(motion: Motion) -> Scalar:
            held: Scalar = 1.0
            for name in self.loads():
                at_limit = getattr(p, f"{name}_held")
                held = held * (getattr(p, f"{name}_stick") + at_limit * at_limit)
            return held

        return {
            "mode": Variable(modes, "1", "1 forward, 0 at rest, -1 backward, of each axis"),
            "locked": Variable(sticks, "1", "whether friction holds it about all its axes"),
            "t_friction": Variable(lambda motion: _torque(p), "N.m", "on frame_b, in it"),
            "lossPower": Variable(
                lambda motion: -_torque(p).dot(motion.relative(a, b)[1].resultant),
                "W",
                "power of friction turned into heat",
            ),
        }


def _loaded(law: FrictionLaw, b: Port, motion: Motion) -> FrictionLaw:
    """Return a law under the load of the ball, from the reaction at its frame b."""
    if law.mu is None:
        return law
    return law.under(ball_load(law, motion.reaction_at(b)))


def _torque(p: Values) -> Vector:
    """Return the friction torque on frame_b, resolved in it."""
    return Vector(*(getattr(p, name, 0.0) for name in NAMES))


def _torques(
    p: Values, t: Scalar, motions: Sequence[tuple[Pose, Motor]]
) -> tuple[Motor, Motor]:
    (X_a, _), (X_b, _) = motions
    torque = _torque(p)
    return Motor(ZERO, X_a.R.T @ (X_b.R @ -torque)), Motor(ZERO, torque)
