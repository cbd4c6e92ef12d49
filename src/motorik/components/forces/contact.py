"""Contacts: a point or a ball of one body on a plane of another, with friction and hits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf

from motorik.algebra.motor import Motor
from motorik.algebra.scalar import Scalar, sqrt, where
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    Contribution,
    Disc,
    FrameForce,
    Limits,
    Slip,
)
from motorik.components.base.internal import discrete, switched_force
from motorik.components.base.motion import Motion
from motorik.components.base.part import DeclaredPart, Variable, frame, parameter
from motorik.components.base.resolving import Values
from motorik.components.forces.given import Motions


def axes(p: Values) -> tuple[Vector, Vector, Vector]:
    """Return the unit normal of the plane and two unit vectors in it, in frame_a."""
    n = Vector.of(p.n)
    n = n / n.norm()
    x, _, _ = n.xyz
    # across the axis that the normal is farthest from
    flat = where(x * x < 0.5, 1.0, 0.0)
    t = Vector(flat, 1.0 - flat, 0.0).cross(n)
    t = t / t.norm()
    return n, t, n.cross(t)


def directions(p: Values) -> tuple[Vector, Vector, Vector]:
    """Return the normal, the direction of friction and that across it, in frame_a."""
    n, t1, t2 = axes(p)
    along = t1 * p.cosine + t2 * p.sine
    return n, along, t2 * p.cosine - t1 * p.sine


def contact_law(p: Values, t: Scalar, motions: Motions) -> tuple[Motor, ...]:
    """Return the forces on both bodies, in their frames, at the point of contact."""
    (X_a, _), (X_b, _) = motions
    X_ab = X_a.inverse() @ X_b
    n, along, across = directions(p)
    f = n * p.normal + along * p.friction + across * p.friction_across
    arm = n * -p.radius
    on_b = Motor(X_ab.R.T @ f, X_ab.R.T @ arm.cross(f))
    at = X_ab.p + arm
    return Motor(-f, -at.cross(f)), on_b


class PointPlaneContact(DeclaredPart):
    """The origin of frame_b, or a ball around it, on a plane of frame_a, with Coulomb's friction.

    The plane goes through the origin of frame_a. The normal force is N ≥ 0 where the contact is
    closed; closing hits with the coefficient e. Friction holds up to μ N in any direction, and
    slides with μ N against the motion.
    """

    frame_a = frame("frame of the plane")
    frame_b = frame("frame of the point, or centre of the ball")
    n: kinds.Axis = parameter("normal of the plane, in frame_a", default=(0.0, 1.0, 0.0))
    mu: kinds.Factor = parameter("coefficient of friction", default=0.3)
    e: kinds.Factor = parameter("coefficient of restitution", default=0.0)
    radius: kinds.LengthOrZero = parameter("radius of the ball, 0 for a point", default=0.0)

    normal = switched_force("normal force", "N")
    friction = switched_force("friction along the direction", "N")
    friction_across = switched_force("friction across the direction", "N")
    cosine = discrete("cosine of the direction", start=1.0)
    sine = discrete("sine of the direction", start=0.0)
    slow = discrete("speed up to which the direction is kept", "m/s", start=0.0)

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the force, the normal row with its gap, and the two rows of friction."""
        yield FrameForce(self, (self.frame_a, self.frame_b), p, contact_law)
        yield Slip(
            self,
            "normal",
            self._speed(p, 0),
            lambda motion: Limits(0.0, inf, 0.0, 0.0),
            gap=self._gap(p),
            restitution=p.e,
        )
        disc = Disc("friction_across", ("cosine", "sine", "slow"))
        yield Slip(self, "friction", self._speed(p, 1), self._limits(p, 1), disc=disc)
        yield Slip(self, "friction_across", self._speed(p, 2), self._limits(p, 2))

    def _gap(self, p: Values) -> Callable[[Motion], Scalar]:
        def gap(motion: Motion) -> Scalar:
            X_ab = motion.pose(self.frame_a).inverse() @ motion.pose(self.frame_b)
            return axes(p)[0].dot(X_ab.p) - p.radius

        return gap

    def _speed(self, p: Values, number: int) -> Callable[[Motion], Scalar]:
        """Return the speed of the point of contact along the normal, the direction, across it."""

        def speed(motion: Motion) -> Scalar:
            X_ab, V = motion.relative(self.frame_a, self.frame_b)
            n = axes(p)[0]
            v = X_ab.R @ V.moment + (X_ab.R @ V.resultant).cross(n * -p.radius)
            return directions(p)[number].dot(v)

        return speed

    def _limits(self, p: Values, number: int) -> Callable[[Motion], Limits]:
        """Return the limits of friction: −μ N v / |v|, continued smoothly through rest."""
        along, across = self._speed(p, 1), self._speed(p, 2)

        def limits(motion: Motion) -> Limits:
            ahead = along(motion) + p.slow
            part = across(motion) / where(ahead == 0.0, 1.0, ahead)
            share = (1.0 if number == 1 else part) / sqrt(1.0 + part * part)
            most = p.mu * p.normal
            return Limits(-most, most, -most * share, -most * share)

        return limits

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return gap, forces, speed of sliding, mode and lost power."""
        along, across = self._speed(p, 1), self._speed(p, 2)

        def sliding(motion: Motion) -> Scalar:
            v, w = along(motion), across(motion)
            return sqrt(v * v + w * w)

        def size(motion: Motion) -> Scalar:
            f, g = p.friction, p.friction_across
            return sqrt(f * f + g * g)

        def lost(motion: Motion) -> Scalar:
            return -p.friction * along(motion) - p.friction_across * across(motion)

        return {
            "gap": Variable(self._gap(p), "m", "distance from the plane"),
            "f_n": Variable(lambda motion: p.normal, "N", "normal force"),
            "f_t": Variable(size, "N", "friction force"),
            "v_t": Variable(sliding, "m/s", "speed of sliding"),
            "contact": Variable(lambda motion: p.normal_stick, "1", "whether it is closed"),
            "stuck": Variable(lambda motion: p.friction_stick, "1", "whether it sticks"),
            "lossPower": Variable(lost, "W", "power turned into heat by friction"),
        }
