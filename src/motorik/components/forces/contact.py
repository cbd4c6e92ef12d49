"""Contacts: a point or a ball of one body on a plane of another, with friction and hits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import inf
from weakref import ReferenceType, ref

from motorik.algebra.motor import Motor
from motorik.algebra.scalar import Scalar, sqrt, where
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    Contribution,
    ForceBounds,
    FrameForce,
    NonsmoothConstraint,
)
from motorik.components.base.internal import nonsmooth_force
from motorik.components.base.motion import Motion
from motorik.components.base.part import Variable, frame, parameter
from motorik.components.base.planar_friction import DISK, PlanarFriction, sliding_direction
from motorik.components.base.resolving import Values
from motorik.components.base.visual_options import BallVisual, ForceArrowVisual
from motorik.components.forces.given import Motions
from motorik.components.losses import LossyPart

PRESSED = replace(DISK, normal="normal")


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
    along = t1 * p.disk.cosine + t2 * p.disk.sine
    return n, along, t2 * p.disk.cosine - t1 * p.disk.sine


def contact_force(p: Values) -> Vector:
    """Return the force [N] on the body at frame_b, in the axes of frame_a."""
    n, along, across = directions(p)
    return n * p.normal.force + along * p.friction.force + across * p.friction_across.force


def contact_law(p: Values, t: Scalar, motions: Motions) -> tuple[Motor, ...]:
    """Return the forces on both bodies, in their frames, at the point of contact."""
    (X_a, _), (X_b, _) = motions
    X_ab = X_a.inverse() @ X_b
    f = contact_force(p)
    n = axes(p)[0]
    arm = n * -p.radius
    on_b = Motor(X_ab.R.T @ f, X_ab.R.T @ arm.cross(f))
    at = X_ab.p + arm
    return Motor(-f, -at.cross(f)), on_b


class PointPlaneContact(LossyPart, PlanarFriction, BallVisual, ForceArrowVisual):
    """The origin of frame_b, or a ball around it, on a plane of frame_a, with Coulomb's friction.

    The plane goes through the origin of frame_a. The normal force is N ≥ 0 where the contact is
    closed; closing hits with the coefficient e. Friction holds up to μ N in any direction, and
    slides with μ N against the motion.
    """

    loss_level = 2
    frame_a = frame("frame of the plane")
    frame_b = frame("frame of the point, or centre of the ball")
    n: kinds.Axis = parameter("normal of the plane, in frame_a", default=(0.0, 1.0, 0.0))
    mu: kinds.FactorOrZero = parameter("coefficient of friction", default=0.3)
    e: kinds.Restitution = parameter("coefficient of restitution", default=0.0)
    radius: kinds.LengthOrZero = parameter("radius of the ball, 0 for a point", default=0.0)

    normal = nonsmooth_force("normal force", "N")
    friction = nonsmooth_force("friction along the direction", "N")

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the force, the normal row with its gap, and the two rows of friction."""
        normal, along, across = self._speeds(p)
        yield FrameForce(self, (self.frame_a, self.frame_b), p, contact_law, stretch=None)
        yield NonsmoothConstraint(
            self,
            "normal",
            normal,
            lambda motion: ForceBounds(0.0, inf, 0.0, 0.0),
            gap=self._gap(p),
            restitution=p.e,
        )
        bounds = self._bounds(p, along, across)
        yield NonsmoothConstraint(self, "friction", along, bounds[0], disk=PRESSED)
        yield NonsmoothConstraint(self, "friction_across", across, bounds[1])
        yield from self.heat_of_losses(p)

    def _gap(self, p: Values) -> Callable[[Motion], Scalar]:
        def gap(motion: Motion) -> Scalar:
            X_ab = motion.pose(self.frame_a).inverse() @ motion.pose(self.frame_b)
            return axes(p)[0].dot(X_ab.p) - p.radius

        return gap

    def _speeds(self, p: Values) -> list[Callable[[Motion], Scalar]]:
        """Return the speeds of the point of contact along the normal, the direction, across it.

        All are computed together, once for each motion.
        """
        known: list[tuple[ReferenceType[Motion], list[Scalar]]] = []

        def speeds(motion: Motion) -> list[Scalar]:
            if not known or known[0][0]() is not motion:
                X_ab, V = motion.relative(self.frame_a, self.frame_b)
                n, along, across = directions(p)
                v = X_ab.R @ V.moment + (X_ab.R @ V.resultant).cross(n * -p.radius)
                found = [axis.dot(v) for axis in (n, along, across)]
                known[:] = [(ref(motion), found)]
            return known[0][1]

        return [lambda motion, k=k: speeds(motion)[k] for k in range(3)]

    def _bounds(
        self,
        p: Values,
        along: Callable[[Motion], Scalar],
        across: Callable[[Motion], Scalar],
    ) -> list[Callable[[Motion], ForceBounds]]:
        """Return the limits of friction: −μ N v / |v|, continued smoothly through rest.

        Creep turns it by the speed across, against a speed that grows with time.
        """

        def bounds(motion: Motion, number: int) -> ForceBounds:
            share = sliding_direction(p.disk, motion.t, along(motion), across(motion))[
                number
            ]
            most = p.mu * p.normal.force
            return ForceBounds(-most, most, -most * share, -most * share)

        return [lambda motion, k=k: bounds(motion, k) for k in range(2)]

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return gap, forces, speed of sliding, mode and lost power."""
        _, along, across = self._speeds(p)

        def sliding(motion: Motion) -> Scalar:
            v, w = along(motion), across(motion)
            return sqrt(v * v + w * w)

        def size(motion: Motion) -> Scalar:
            f, g = p.friction.force, p.friction_across.force
            return sqrt(f * f + g * g)

        def lost(motion: Motion) -> Scalar:
            f, g = p.friction.force, p.friction_across.force
            return -f * along(motion) - g * across(motion)

        return {
            "gap": Variable(self._gap(p), "m", "distance from the plane"),
            "f_n": Variable(lambda motion: p.normal.force, "N", "normal force"),
            "f_t": Variable(size, "N", "friction force"),
            "force": Variable(
                lambda motion: contact_force(p),
                "N",
                "force on the body at frame_b, in frame_a",
            ),
            "v_t": Variable(sliding, "m/s", "speed of sliding"),
            "contact": Variable(lambda motion: p.normal.stick, "1", "whether it is closed"),
            "stuck": Variable(lambda motion: p.friction.stick, "1", "whether it sticks"),
            "lossPower": Variable(lost, "W", "power turned into heat by friction"),
        }
