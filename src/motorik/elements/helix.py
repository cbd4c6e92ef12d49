"""Helix: a turn and a slide along one axis, coupled by a lead (the screw joint)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import tau

from motorik.algebra.motor import NO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about, vee
from motorik.algebra.scalar import Scalar, arctan2, cos, is_structural, plain, sin
from motorik.algebra.vector import Vector, Z
from motorik.elements.closure import gap_along, perpendicular, tilt
from motorik.elements.joint import Coordinate, Joint
from motorik.elements.turn import Turn


@dataclass(frozen=True)
class Helix(Joint):
    """Turns b about the unit vector `axis` by φ [rad], moving it on by `lead` [m] per turn.

    X_ab = Rot(e, φ) Trans(h φ e),  S = (e, h e),  h = lead / 2π; a left-hand thread has a
    negative lead.
    """

    axis: Vector = Z
    lead: Scalar = 0.01

    coordinates = (Coordinate("phi", "rad"),)
    speeds = (Coordinate("w", "rad/s"),)
    closure_units = ("m", "m", "m", "rad", "rad")

    def pose(self, phi: Scalar) -> Pose:
        """Return the turn about the axis and the way along it."""
        return Pose(rotation_about(self.axis, phi), (self._h * phi) * self.axis)

    def screws(self, phi: Scalar) -> tuple[Motor]:
        """Return the screw of pitch h."""
        return (Motor(self.axis, self._h * self.axis),)

    def fit(self, X_ab: Pose) -> tuple[Scalar]:
        """Return the angle of the rotation, in the turn that the way along the axis tells.

        φ = s / h + δ, where δ in (−π, π] is how far the rotation is ahead of the way s.
        """
        (angle,) = Turn(self.axis).fit(X_ab)
        if is_structural(self._h, 0.0):
            return (angle,)
        by_way = self.axis.dot(X_ab.p) / self._h
        ahead = angle - by_way
        return (by_way + arctan2(sin(ahead), cos(ahead)),)

    def closure(self, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
        """Return the gap across the axis, the way ahead of the thread, and the tilt."""
        across = gap_along(X_a, X_b, *perpendicular(self.axis))
        return (*across, self._ahead(X_a, X_b), *tilt(X_a, X_b, self.axis))

    def _ahead(self, X_a: Pose, X_b: Pose) -> Scalar:
        """Return h sin(φ − s/h) [m], with the angle φ of b against a; without lead, s.

        Good in every turn, as it needs no φ: the residual is that of the thread near by.
        """
        e, h = self.axis, self._h
        (s,) = gap_along(X_a, X_b, e)
        if is_structural(h, 0.0):
            return s
        R_ab = X_a.R.T @ X_b.R
        sine, cosine = e.dot(vee(R_ab)), 0.5 * (R_ab.trace() - e.dot(R_ab @ e))
        return h * (sine * cos(s / h) - cosine * sin(s / h))

    def bias(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return zero: the screw is fixed in b."""
        return NO_MOTOR

    def reversed(self) -> Joint:
        """Return the helix about the opposite axis, of the same hand."""
        return Helix(-self.axis, self.lead)

    @property
    def _h(self) -> Scalar:
        """The pitch [m/rad]."""
        return plain(self.lead) / tau
